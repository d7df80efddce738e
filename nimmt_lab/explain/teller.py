"""Narration: one sentence per event.

`shared` narrates the events that all games share, each chapter's `tell.py` its own events and variants. `plain` builds
a sentence from the fields of any other event.
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

#: The chapter module that narrates.
FACE: Final = "tell"


class Part(Enum):
    """Role of an event in the story of a placed card."""

    #: Part of the current card's story.
    WITHIN = "within"
    #: Starts the story of the next card, before its placement.
    BEFORE = "before"
    #: The card (`seat`, `card`) reaches its final place.
    PLACES = "places"
    #: Unrelated to any card.
    APART = "apart"
    #: Ends the turn; later events are unrelated to any card.
    ENDS = "ends"


class Teller:
    """Narrates events in order, with reasons if given the state before each event."""

    def __init__(self, say: Words, game: Game | None = None) -> None:
        self.say = say
        self.game = game
        #: The state right before the current event, if known.
        self.before: GameState | None = None

    def tell(self, event: Event, before: GameState | None = None) -> str:
        """The sentence for an event, possibly empty."""
        self.before = before
        load_face(type(event.rule), FACE)
        told = _BY_RULE.get((type(event), event.rule)) or TOLD.of(event)
        return told(self, event)

    def who(self, seat: Seat) -> str:
        """A player's or the team's name. A seat without a player is named by its game (`who.<game>`)."""
        if self.game is not None and seat >= self.game.players and seat not in self.say.names:
            key = f"who.{self.game.name}"
            if self.say.has(key):
                return self.say(key)
        return self.say.who(seat)

    def card(self, seat: Seat, card: Card) -> str:
        """A card with its owner: 14 (A)."""
        return f"{card} ({self.who(seat)})"

    def plays(self, plays: Iterable[Play]) -> str:
        """Cards in placing order: A 14, B 15."""
        return self.say.list(f"{self.who(play.seat)} {play.card}" for play in plays)


Told: TypeAlias = Callable[[Teller, Event], str]

#: Narrators by event type. Every event has at least a plain sentence.
TOLD: Final[Capability[Told]] = Capability("sentence", face=FACE)
#: Roles by event type, `Part.WITHIN` by default.
PARTS: Final[Capability[Part]] = Capability("part in a story", face=FACE)
#: Counted word for what cards cost, by type of game or rule; `heads` by default.
UNITS: Final[Capability[str]] = Capability("counted word", face=FACE)
#: Fields of the messages in `rule_other` and `rule_text_other`, for games with numbers other than the printed ones.
NUMBERS: Final[Capability[Callable[[Game], Mapping[str, object]]]] = Capability("numbers", face=FACE)
_BY_RULE: Final[dict[tuple[type[Event], Rule], Told]] = {}


def tells(
    kind: type[E], part: Part | None = None
) -> Callable[[Callable[[Teller, E], str]], Callable[[Teller, E], str]]:
    """Register the narrator of an event type."""
    if part is not None:
        PARTS.provide(kind, part)

    def register(function: Callable[[Teller, E], str]) -> Callable[[Teller, E], str]:
        TOLD.provide(kind, cast(Told, function))
        return function

    return register


def tells_by_rule(kind: type[E], functions: Mapping[Rule, Callable[[Teller, E], str]]) -> None:
    """Register narrators of an event type under certain rules."""
    for rule, function in functions.items():
        _BY_RULE[kind, rule] = cast(Told, function)


def part_of(event: Event) -> Part:
    return PARTS.find(event) or Part.WITHIN


def unit(asked: object) -> str:
    """Counted word for what cards cost in a game or by a rule."""
    return UNITS.find(asked) or "heads"


def score_unit(game: Game) -> str:
    """Counted word for the totals of a game.

    >>> from nimmt_lab.games import Baron
    >>> score_unit(Baron(players=2)), score_unit(Baron(players=2, variant="bulls_are_good"))
    ('bulls', 'points')
    """
    return "points" if game.more_is_better else unit(game)


def rule_text(rule: Rule, say: Words, game: Game | None = None) -> str:
    """The text of a rule with the game's numbers; empty if the chapter has none.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.explain import words
    >>> from nimmt_lab.games.classic.rules import ClassicRule
    >>> rule_text(ClassicRule.ASCENDING, words("en"))
    'A card may only join a row whose last card is lower.'
    >>> rule_text(ClassicRule.FULL_ROW, words("en"), Classic(players=2, row_limit=3))
    'A row can have 3 cards. Add card number 4 and you must take the row; your card starts it again.'
    """
    return _about(rule, "rule_text", say, game)


def rule_name(rule: Rule, say: Words, game: Game | None = None) -> str:
    """The name of a rule, or its key."""
    return _about(rule, "rule", say, game) or rule.key


def _about(rule: Rule, section: str, say: Words, game: Game | None) -> str:
    numbers = NUMBERS.find(game)
    fields = {} if numbers is None or game is None else numbers(game)
    key, other = f"{section}.{rule.key}", f"{section}_other.{rule.key}"
    if fields and say.has(other):
        return say(other, **fields)
    return say(key) if say.has(key) else ""


def narrate(
    what: Step | Sequence[Moment] | Sequence[Event], lang: str = "en", names: Mapping[Seat, str] | None = None
) -> tuple[str, ...]:
    """One sentence per event, possibly empty.

    For steps, whose tables are known, sentences include reasons; for bare events they state only what happened.
    Openings are narrated as well, except moments without an event.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.engine.record import Step
    >>> state = Classic(players=2).from_position("12 | 20 | 41 | 35 36 38 40 42 ; A: 45 98 ; B: 44 60")
    >>> step = Step.of(state, {0: 45, 1: 60})
    >>> for sentence in narrate(step):
    ...     print(sentence)
    Turn 9: A 45, B 60.
    45 (A) goes to row 4: 42 is closer than 41. That is the sixth card: A takes 8 heads.
    45 starts row 4.
    60 (B) goes to row 4: 45 is closer than 41.
    >>> narrate(step.events, lang="pl", names={0: "Ala", 1: "Bo"})[1]
    'Rząd 4 jest pełny: Ala zbiera 5\xa0kart (8\xa0byków).'
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
