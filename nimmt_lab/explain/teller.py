"""Narration: one plain sentence for an event.

Each chapter's events have their sentences in a module of their own (`tell_cards`, `tell_buffalo`, `tell_board`), which
registers a function for each type of event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar, cast

from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.events import CardsRevealed, Event
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rule import Rule

from .catalogue import Words, words
from .follow import Follow

E = TypeVar("E", bound=Event)


class Teller:
    """Tells events one after the other. With the table they happen on, it can say why; without, only what."""

    def __init__(self, say: Words, table: Follow | None = None, game: Game | None = None) -> None:
        self.say = say
        self.table = table
        self.game = table.game if table is not None else game
        #: What the revealed cards count as, where that is not their number.
        self.values: dict[Card, int] = {}

    def tell(self, event: Event) -> str:
        """The sentence for an event; empty where there is nothing to say. The table moves on."""
        if isinstance(event, CardsRevealed):
            self.values = {play.card: play.value for play in event.plays}
        sentence = TOLD[type(event)](self, event) if type(event) in TOLD else ""
        if self.table is not None:
            self.table.move_on(event)
        return sentence

    def who(self, seat: Seat) -> str:
        """A player, the team or the buffalo."""
        if self.game is not None and seat >= self.game.players and seat not in self.say.names:
            return self.say("who.buffalo")
        return self.say.who(seat)

    def card(self, seat: Seat, card: Card) -> str:
        """A card and whose it is: 14 (A)."""
        return f"{card} ({self.who(seat)})"

    def plays(self, plays: Iterable[Play]) -> str:
        """Cards in the order in which they will be placed: A 14, B 15."""
        return self.say.list(f"{self.who(play.seat)} {play.card}" for play in plays)

    def value(self, card: Card) -> int:
        """What a revealed card counts as while it is placed."""
        return self.values.get(card, card)


#: By type of event, the function that tells it.
TOLD: Final[dict[type[Event], Callable[[Teller, Event], str]]] = {}


def tells(kind: type[E]) -> Callable[[Callable[[Teller, E], str]], Callable[[Teller, E], str]]:
    """Register the function that tells events of that type."""

    def register(function: Callable[[Teller, E], str]) -> Callable[[Teller, E], str]:
        TOLD[kind] = cast("Callable[[Teller, Event], str]", function)
        return function

    return register


def rule_name(rule: Rule, say: Words) -> str:
    """What a rule is called."""
    return say(f"rule.{rule.key}")


def narrate(
    what: Step | Sequence[Event], lang: str = "en", names: Mapping[Seat, str] | None = None
) -> tuple[str, ...]:
    """One sentence for each event, in its place; empty where nothing is worth saying.

    A step knows its table, so that the sentences about it can say why; of bare events they say what happened.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.engine.record import Step
    >>> state = Classic(players=2).from_position("12 | 20 | 41 | 35 36 38 40 42 ; A: 45 98 ; B: 44 60")
    >>> step = Step.of(state, {0: 45, 1: 60})
    >>> for sentence in narrate(step):
    ...     print(sentence)
    Turn 9: A 45, B 60.
    45 (A) goes to row 4: 42 is closer than 41. Sixth card: A takes 8 heads.
    45 starts row 4.
    60 (B) goes to row 4: 45 is closer than 41.
    >>> narrate(step.events, lang="pl", names={0: "Ala", 1: "Bo"})[1]
    'Rząd 4 jest pełny: Ala bierze 5 kart (8 byków).'
    """
    say = words(lang, names)
    if isinstance(what, Step):
        teller = Teller(say, Follow(what.before))
        # In the middle of a turn the cards still to be placed have been revealed before.
        teller.values = {play.card: play.value for play in what.before.queue}
        return tuple(teller.tell(event) for event in what.events)
    teller = Teller(say)
    return tuple(teller.tell(event) for event in what)
