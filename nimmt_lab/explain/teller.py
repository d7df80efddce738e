"""Narration: one plain sentence for an event.

The events that all games share are told here (`shared`); each chapter tells its own in its `tell.py`, and there says
what another sentence its rules need for a shared one. What nobody tells gets a plain sentence made from the event
itself (`plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias, TypeVar, cast

from nimmt_lab.engine.capability import Capability, load_face
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Moment

from .catalogue import Words, words

E = TypeVar("E", bound=Event)

#: The face of a chapter that tells it.
FACE: Final = "tell"


class Part(Enum):
    """What an event is in the story of a placed card."""

    #: It belongs to the story it stands in.
    WITHIN = "within"
    #: It begins the story of the next card, although nothing has been placed yet.
    BEFORE = "before"
    #: The card (`seat` and `card` say which) has come to where it stays.
    PLACES = "places"
    #: It is no card's doing.
    APART = "apart"
    #: Nor is what follows it: the turn is over.
    ENDS = "ends"


class Teller:
    """Tells events one after the other. With the state before an event it can say why; without, only what."""

    def __init__(self, say: Words, game: Game | None = None) -> None:
        self.say = say
        self.game = game
        #: The state right before the event that is being told, where it is known.
        self.before: GameState | None = None

    def tell(self, event: Event, before: GameState | None = None) -> str:
        """The sentence for an event; empty where there is nothing to say."""
        self.before = before
        load_face(type(event.rule), FACE)
        told = _BY_RULE.get((type(event), event.rule)) or TOLD.of(event)
        return told(self, event)

    def who(self, seat: Seat) -> str:
        """A player or the team; a seat that no player sits in is called what its game calls it (`who.<game>`)."""
        if self.game is not None and seat >= self.game.players and seat not in self.say.names:
            key = f"who.{self.game.name}"
            if self.say.has(key):
                return self.say(key)
        return self.say.who(seat)

    def card(self, seat: Seat, card: Card) -> str:
        """A card and whose it is: 14 (A)."""
        return f"{card} ({self.who(seat)})"

    def plays(self, plays: Iterable[Play]) -> str:
        """Cards in the order in which they will be placed: A 14, B 15."""
        return self.say.list(f"{self.who(play.seat)} {play.card}" for play in plays)


Told: TypeAlias = Callable[[Teller, Event], str]

#: By type of event, the function that tells it. All events have a plain sentence.
TOLD: Final[Capability[Told]] = Capability("sentence", face=FACE)
#: By type of event, what it is in the story of a card; `Part.WITHIN` where nothing is said.
PARTS: Final[Capability[Part]] = Capability("part in a story", face=FACE)
#: The counted word for what a game's cards cost, by its type and by that of its rules; `heads` where nothing is said.
UNITS: Final[Capability[str]] = Capability("word for what is counted", face=FACE)
_BY_RULE: Final[dict[tuple[type[Event], Rule], Told]] = {}


def tells(
    kind: type[E], part: Part | None = None
) -> Callable[[Callable[[Teller, E], str]], Callable[[Teller, E], str]]:
    """The function tells events of that type."""
    if part is not None:
        PARTS.provide(kind, part)

    def register(function: Callable[[Teller, E], str]) -> Callable[[Teller, E], str]:
        TOLD.provide(kind, cast(Told, function))
        return function

    return register


def tells_by_rule(kind: type[E], functions: Mapping[Rule, Callable[[Teller, E], str]]) -> None:
    """Under these rules, events of that type are told by these functions."""
    for rule, function in functions.items():
        _BY_RULE[kind, rule] = cast(Told, function)


def part_of(event: Event) -> Part:
    """What an event is in the story of a card."""
    return PARTS.find(event) or Part.WITHIN


def unit(asked: object) -> str:
    """The counted word for what cards cost, by a game or a rule."""
    return UNITS.find(asked) or "heads"


def rule_text(rule: Rule, say: Words) -> str:
    """What a rule says, in a sentence or two; nothing where its chapter has no words for it.

    >>> from nimmt_lab.explain import words
    >>> from nimmt_lab.games.classic.rules import ClassicRule
    >>> rule_text(ClassicRule.ASCENDING, words("en"))
    'A card may only go to the end of a row whose last card is lower.'
    """
    key = f"rule_text.{rule.key}"
    return say(key) if say.has(key) else ""


def rule_name(rule: Rule, say: Words) -> str:
    """What a rule is called; a rule without a name, by its key."""
    key = f"rule.{rule.key}"
    return say(key) if say.has(key) else rule.key


def narrate(
    what: Step | Sequence[Moment] | Sequence[Event], lang: str = "en", names: Mapping[Seat, str] | None = None
) -> tuple[str, ...]:
    """One sentence for each event, in its place; empty where nothing is worth saying.

    A step knows its table, so that the sentences about it can say why; of bare events they say what happened. The
    moments of an opening are told as well; one without an event has no sentence.

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
    'Rząd 4 jest pełny: Ala zbiera 5 kart (8 byków).'
    """
    say = words(lang, names)
    before = what.before if isinstance(what, Step) else None
    teller = Teller(say, before.game if before is not None else None)
    sentences = []
    for item in what.moments if isinstance(what, Step) else what:
        event, state = item if isinstance(item, Moment) else (item, None)
        if state is not None:
            teller.game = state.game
        if event is not None:
            sentences.append(teller.tell(event, before))
        before = state
    return tuple(sentences)
