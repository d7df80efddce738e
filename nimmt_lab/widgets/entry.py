"""A line to write an answer on."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import anywidget
import traitlets

from .assets import bundle, styles

#: Longer than any answer.
LONGEST = 200


class Entry(anywidget.AnyWidget):
    """A line and a button. An answer counts when Enter or the button is pressed, not when the line is left.

    >>> heard = []
    >>> entry = Entry("Your answer", "Answer", heard.append)
    >>> entry.receive({"type": "answer", "text": " 3/14 "}); entry.receive({"type": "answer", "text": " "})
    >>> entry.receive({"type": "answer", "text": "3/14"}); heard  # twice the same is one answer
    ['3/14']
    """

    _esm: ClassVar[str] = bundle("entry")
    _css: ClassVar[str] = styles()

    prompt: traitlets.Unicode[str, str | bytes] = traitlets.Unicode().tag(sync=True)
    button: traitlets.Unicode[str, str | bytes] = traitlets.Unicode().tag(sync=True)

    def __init__(self, prompt: str, button: str, answered: Callable[[str], None]) -> None:
        self._answered = answered
        self._last = ""
        super().__init__(prompt=prompt, button=button)
        self.on_msg(lambda _widget, message, _buffers: self.receive(message))

    def receive(self, message: object) -> None:
        """What the browser sends; anything that is no answer is passed over."""
        said = message.get("text") if isinstance(message, dict) and message.get("type") == "answer" else None
        if isinstance(said, str) and len(said) <= LONGEST and said.strip() and said.strip() != self._last:
            self._last = said.strip()
            self._answered(self._last)
