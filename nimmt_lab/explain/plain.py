"""A plain sentence for an event that nobody tells: what kind of event it is, by which rule, and all it says.

So a new game is narrated before anybody has written a sentence for it. Its chapter's words may name the kind of event
(`event.<type>`) and the parts of it (`part.<field>`, with {it}); without them they are called what the code calls them.

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

#: What code counts from 0 and people from 1, by the last word of the field's name; `rows` are several of them.
_FROM_ONE: Final = ("row", "rows", "slot", "turn", "round")
#: What the fields of events call a seat in their types.
_SEAT: Final = "Seat"


@tells(Event)
def plain(tell: Teller, event: Event) -> str:
    """The kind of event, its rule, and every part of it that says something."""
    said = {"kind": kind_of(tell, event), "rule": rule_name(event.rule, tell.say)}
    parts = tell.say.list(_parts(tell, event))
    return tell.say("plain.event", **said, parts=parts) if parts else tell.say("plain.alone", **said)


def kind_of(tell: Teller, event: Event) -> str:
    """What that type of event is called: by its chapter, or by its code (`CardPlaced`: card placed)."""
    name = type(event).__name__
    if tell.say.has(f"event.{name}"):
        return tell.say(f"event.{name}")
    return tell.say("plain.kind", kind=re.sub(r"(?<=.)([A-Z])", lambda found: f" {found[1].lower()}", name))


def _parts(tell: Teller, item: object) -> Iterator[str]:
    """The fields of a value in words; those of a value inside it as if they were its own."""
    for part in fields(item) if is_dataclass(item) else ():
        what = getattr(item, part.name)
        if part.name == "rule" and isinstance(what, Rule) and isinstance(item, Event):
            continue
        if what is None or what == () or what is False:
            continue
        if is_dataclass(what):
            yield from _parts(tell, what)
        else:
            yield _part(tell, part.name, what, seats=_SEAT in str(part.type))


def _part(tell: Teller, name: str, what: object, *, seats: bool) -> str:
    said = _words(tell, name, what, seats=seats)
    if tell.say.has(f"part.{name}"):
        return tell.say(f"part.{name}", it=said)
    return f"{name.replace('_', ' ')} {said}".rstrip()


def _words(tell: Teller, name: str, what: object, *, seats: bool) -> str:
    if isinstance(what, Rule):
        return rule_name(what, tell.say)
    if isinstance(what, Enum):
        return _words(tell, name, what.value, seats=seats)
    if isinstance(what, Play):
        return tell.plays([what])
    if isinstance(what, bool):
        return ""  # its name says it
    if isinstance(what, int):
        if seats:
            return tell.who(what)
        return str(what + 1 if name.rpartition("_")[2] in _FROM_ONE else what).replace("-", "−")
    if isinstance(what, Mapping):
        return tell.say.list(f"{key} {_words(tell, name, part, seats=seats)}" for key, part in what.items())
    if isinstance(what, Iterable) and not isinstance(what, str):
        parts = list(what)
        nested = [isinstance(part, tuple) and not isinstance(part, Play) for part in parts]
        # The cards of several rows are lists within a list, and no numbers of rows.
        inner = "cards" if any(nested) else name
        said = [_words(tell, inner, part, seats=seats) for part in parts]
        return tell.say.list(f"({text})" if inside else text for text, inside in zip(said, nested, strict=True))
    return str(what).replace("_", " ")
