"""Fallback sentences built from an event's type, rule and fields.

They narrate a new game before anyone has written sentences for it. The chapter's catalogue may name the type
(`event.<type>`) and the fields (`part.<field>`, with {it}); otherwise the names from the code are used.

>>> from nimmt_lab.engine.events import CardPlaced
>>> from nimmt_lab.games.classic.rules import ClassicRule
>>> from .teller import Teller, words
>>> plain(Teller(words("en")), CardPlaced(ClassicRule.FULL_ROW, seat=1, card=14, row=0, slot=2, difference=None))
'Card placed (full row): B, card 14, row 1, place 3.'
>>> plain(Teller(words("cs")), CardPlaced(ClassicRule.FULL_ROW, seat=1, card=14, row=0, slot=2, difference=None))
'Událost „Card placed“ (plná řada): B, karta 14, řada 1, místo 3.'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Final

from nimmt_lab.engine.events import Event
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule

from .teller import Teller, rule_name, tells

#: Last words of field names that count from 0 in code and from 1 in text.
_FROM_ONE: Final = ("row", "rows", "slot", "turn", "round")
#: The seat type in the annotations of events.
_SEAT: Final = "Seat"


@tells(Event)
def plain(tell: Teller, event: Event) -> str:
    """Describe an event by its type, rule and non-empty fields."""
    about = {"kind": kind_of(tell, event), "rule": rule_name(event.rule, tell.say, tell.game)}
    parts = tell.say.list(_parts(tell, event))
    return tell.say("plain.event", **about, parts=parts) if parts else tell.say("plain.alone", **about)


def kind_of(tell: Teller, event: Event) -> str:
    """The catalogue's name of an event type, or the class name in words."""
    name = type(event).__name__
    if tell.say.has(f"event.{name}"):
        return tell.say(f"event.{name}")
    return tell.say("plain.kind", kind=re.sub(r"(?<=.)([A-Z])", lambda match: f" {match[1].lower()}", name))


def _parts(tell: Teller, item: object) -> Iterator[str]:
    """Describe the fields of a value, flattening nested dataclasses."""
    for part in fields(item) if is_dataclass(item) else ():
        what = getattr(item, part.name)
        if part.name == "rule" and isinstance(what, Rule) and isinstance(item, Event):
            continue
        if what is None or what == () or what is False:
            continue
        if is_dataclass(what):
            yield from _parts(tell, what)
        else:
            text = _words(tell, part.name, what, seats=_SEAT in str(part.type))
            key = f"part.{part.name}"
            own = tell.say.has(key)
            yield tell.say(key, it=text) if own else f"{part.name.replace('_', ' ')} {text}".rstrip()


def _words(tell: Teller, name: str, what: object, *, seats: bool) -> str:
    if isinstance(what, Rule):
        return rule_name(what, tell.say, tell.game)
    if isinstance(what, Enum):
        return _words(tell, name, what.value, seats=seats)
    if isinstance(what, Play):
        return tell.plays([what])
    if isinstance(what, bool):
        return ""  # the field name is enough
    if isinstance(what, int):
        if seats:
            return tell.who(what)
        return str(what + 1 if name.rpartition("_")[2] in _FROM_ONE else what).replace("-", "−")
    if isinstance(what, Mapping):
        return tell.say.list(f"{key} {_words(tell, name, part, seats=seats)}" for key, part in what.items())
    if isinstance(what, Iterable) and not isinstance(what, str):
        parts = list(what)
        nested = [isinstance(part, tuple) and not isinstance(part, Play) for part in parts]
        # Nested lists are the cards of several rows, not row numbers.
        inner = "cards" if any(nested) else name
        texts = [_words(tell, inner, part, seats=seats) for part in parts]
        return tell.say.list(f"({text})" if inside else text for text, inside in zip(texts, nested, strict=True))
    return str(what).replace("_", " ")
