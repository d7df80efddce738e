"""Before the reveal: what each card of a hand may come to.

"For certain" is a claim about every set of cards the others can play and every row their low cards can take, proved by
walking through all of them (see `sweep`), never guessed. Where the proof would take too long (with several others who
may play cards as other numbers, or much that lies beside the rows), nothing is called certain, and the assessment says
so. The walk is for games of rules 1 to 4 of the classic page whose chapter says so (`HINTS`); a game of other rules may
bring proofs of its own (`ASSESSES`); the rest is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import Final

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .catalogue import Words, words
from .sketch import Reading, Sketch
from .sweep import Budget, Others, TooMuch, Walk, Ways
from .traps import RowTrap, Trap, trap_of

#: Steps that may be spent on one hand. Only cards played as other numbers, and mixed influences, ever need so many.
STEPS: Final = 1_500_000
#: Turns that are tried out before anything is proved.
TRIES: Final = 64
#: All risks that need at most so many cards are named; one that needs more only if none needs fewer. Four fill a row.
FEW: Final = 4


#: A game's table read a second time, for proofs. What a game builds on does not count: its rules may differ there.
HINTS: Final[Capability[Callable[[View], Reading]]] = Capability("hints", face="tell", inherited=False)
#: Everything a seat may choose, assessed by its chapter itself: for games of other rules than those of the walk.
ASSESSES: Final[Capability[Callable[[View], dict[Choice, Assessment]]]] = Capability(
    "hints", face="tell", inherited=False
)


class Verdict(Enum):
    """What is known about a card before the reveal."""

    #: No set of unseen cards can make it take.
    SAFE = "safe"
    #: Some can, others cannot (or, where `proved` is false, it could not be proved either way).
    RISK = "risk"
    #: It takes, whatever the others play.
    TAKES = "takes"


@dataclass(frozen=True)
class Way:
    """How a card comes to take (or to get away): at least `needed` of `cards` are played before it.

    `cards` are all the cards that occur in such sets of that size, `as_others` those that are played as other numbers.
    `trap` is the kind of trap; None where a card simply takes (or gets away).
    """

    trap: Trap | None
    needed: int
    cards: tuple[Card, ...]
    as_others: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Assessment:
    """What is known about one card of a hand before the reveal. Rows count from 0."""

    card: Card
    #: What it counts as while it is placed.
    value: int
    row_now: int | None
    #: The distance to the end of the row now; None for a card that fits nowhere now.
    difference: int | None
    #: Whether the row now is full.
    full: bool
    #: The other rows with room that look as if the card could go there.
    tempting: tuple[int, ...]
    #: The ends of all rows.
    ends: tuple[Card, ...]
    verdict: Verdict
    #: The ways to take, the one that needs fewest cards first; none for a safe card.
    risks: tuple[Way, ...]
    #: The way to get away that needs fewest cards; None for a card that takes for certain.
    escape: Way | None
    #: How many cards of the deck are unseen, and how many of them the others play.
    unseen: int
    opponents: int
    #: False where the proof would have taken too long.
    proved: bool = True
    #: The messages about cards that are played as other numbers.
    _said: tuple[str, str] = ("", "")
    #: What a chapter itself says of where the card goes and what that does.
    _own: Callable[[Words], str] | None = field(default=None, compare=False, repr=False)
    #: Whether that is all there is to say: nothing hidden takes part, or the verdicts are in it.
    settled: bool = False

    @property
    def trap(self) -> Trap | None:
        """The trap that needs fewest cards."""
        return self.risks[0].trap if self.risks else None

    @property
    def causes(self) -> tuple[Card, ...]:
        """The unseen cards that bring it about."""
        return self.risks[0].cards if self.risks else ()

    @property
    def needed(self) -> int:
        """How many of them it takes."""
        return self.risks[0].needed if self.risks else 0

    def text(self, lang: str = "en") -> str:
        """The assessment in words."""
        return _text(self, words(lang))


def assess(view: View | GameState, seat: Seat | None = None) -> dict[Choice, Assessment]:
    """What is known about each card that `seat` may play now (and each way to play it).

    A game, or something in it, whose chapter brings no hints is refused (`Unsupported`).

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("1 | 20 | 41 | 35 36 38 40 42 ; A: 43 45 98 ; B: 44 50 60")
    >>> cards = assess(state, seat=0)
    >>> cards[43].verdict, cards[43].trap, cards[43].tempting
    (<Verdict.TAKES: 'takes'>, <RowTrap.CLOSEST_ROW: 'closest_row'>, (0, 1, 2))
    >>> cards[45].verdict, cards[45].escape.cards
    (<Verdict.RISK: 'risk'>, (44,))
    >>> print(cards[43].text())
    Row 4 now: 42 is closest (+1), but full; 41 only tempts. Takes for certain.
    """
    if isinstance(view, GameState):
        if seat is None:
            raise RulesError("explain.say_whose_hand")
        view = view.view(seat)
    own = ASSESSES.find(view.game)
    if own is not None:
        if view.decision is None:
            raise PositionError("explain.nothing_asked_seat")
        return own(view)
    hints = HINTS.of(view.game)
    if not isinstance(view.decision, ChooseCard) or not view.rows:
        raise PositionError("explain.hands_assessed_while")
    return dict(_Hand(view, hints(view), view.decision).assessments())


@dataclass
class _Target:
    """A way to play a card, and what was found about it."""

    option: Choice
    card: Card
    value: int
    plain: bool
    row_now: int | None
    full: bool
    tempting: tuple[int, ...]
    risks: dict[Trap | None, Way] = field(default_factory=dict)
    escape: Way | None = None
    #: What has been proved possible.
    can_take: bool = False
    can_escape: bool = False
    #: There are too few others to make it take, whatever their cards count as.
    never_takes: bool = False
    #: Sets of cards as other numbers that were needed to prove it.
    swaps: list[tuple[Card, ...]] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether it is still to be found out if taking, or getting away, is possible."""
        return not ((self.can_take or self.never_takes) and self.can_escape)

    @property
    def unexplained(self) -> bool:
        """Whether something is possible, and it is not known yet what it takes."""
        return (self.can_take and not self.risks) or (self.can_escape and self.escape is None)


class _Hand:
    """One hand being assessed."""

    def __init__(self, view: View, reading: Reading, decision: ChooseCard) -> None:
        self.view, self.reading = view, reading
        self.sketch = reading.sketch
        self.seats = [seat for seat in view.asked if seat != view.seat]
        self.hands = [view.hands[seat] for seat in self.seats]
        self.unseen = view.unseen
        self.targets = [self._target(option) for option in decision.options]
        # Boards of numbers are many more, and slower.
        self.steps = STEPS if reading.forgets else STEPS // 5

    def _target(self, option: Choice) -> _Target:
        if isinstance(option, int):
            card, value = option, option
        else:
            assert isinstance(option, CardOption)
            value, _, _, card = option.play(self.view.seat)
        sketch, reading = self.sketch, self.reading
        row_now = reading.row_for(sketch, value)
        full = row_now is not None and reading.is_full(sketch, row_now)
        tempting = tuple(
            row
            for row in range(len(sketch.ends))
            if row != row_now and reading.looks_open(sketch, row, value) and not reading.is_full(sketch, row)
        )
        return _Target(option, card, value, isinstance(option, int), row_now, full, tempting)

    def assessments(self) -> Iterator[tuple[Choice, Assessment]]:
        """Prove what can happen, with the others' cards as they are, then as other numbers; find out what it takes."""
        budget = Budget(self.steps)
        proved = True
        try:
            self._try_some_turns()
            self._walk((), budget)
            users = len(self._users())
            if users and not self.sketch.marks:
                self._too_few(users)
            for swaps in range(1, users + 1):
                for chosen in combinations(self._candidates(), swaps):
                    if not any(target.open for target in self.targets):
                        break
                    budget.spend(1)
                    if self._holdable(chosen):
                        self._walk(chosen, budget)
        except TooMuch:
            proved = False
        self._ways()
        for target in self.targets:
            yield target.option, self._result(target, proved or not target.open)

    def _ways(self) -> None:
        """Find out what it takes, with as few cards as possible (and other numbers only where they were needed)."""
        everybody = len(self.seats)
        budget = Budget(self.steps)
        try:
            for at_most in range(min(FEW, everybody), everybody + 1):
                targets = [target for target in self._in_order() if target.unexplained]
                if targets:
                    self._find_ways((), at_most, targets, budget)
            for target in self.targets:
                for swaps in target.swaps:
                    if target.unexplained:
                        self._find_ways(swaps, everybody, [target], budget)
        except TooMuch:
            pass  # the verdicts stand; some are not told in detail

    def _result(self, target: _Target, proved: bool) -> Assessment:
        if (target.can_take and target.can_escape) or not proved:
            verdict = Verdict.RISK
        else:
            verdict = Verdict.TAKES if target.can_take else Verdict.SAFE
        if verdict is Verdict.SAFE:
            target.risks = {}
        elif verdict is Verdict.TAKES:
            target.escape = None
        sketch, row = self.sketch, target.row_now
        # Dicts and enums keep their order, so ways that are as easy stay in the order of the traps.
        knock_ons = [trap for trap in target.risks if trap is not None and not isinstance(trap, RowTrap)]
        named = [target.risks[trap] for trap in (None, *RowTrap, *knock_ons) if trap in target.risks]
        risks = sorted(named, key=lambda way: (way.needed, -len(way.cards)))
        return Assessment(
            target.card,
            target.value,
            row,
            None if row is None else abs(target.value - sketch.ends[row]),
            target.full,
            target.tempting,
            sketch.ends,
            verdict,
            tuple(risks),
            target.escape,
            len(self.unseen),
            len(self.seats),
            proved,
            self.reading.other_numbers.said if self.reading.other_numbers is not None else ("", ""),
        )

    # What the others may play ----------------------------------------------------------------------------

    def _others(self, swaps: tuple[Card, ...], at_most: int) -> Others:
        """The others but for those who play the given cards as other numbers."""
        if all(hand is None for hand in self.hands):
            cards = {card: 0 for card in self.unseen if card not in swaps}
            return Others(len(self.seats) - len(swaps), cards, True, min(at_most, len(self.seats) - len(swaps)))
        hands = [hand for hand in self.hands if hand is not None and not set(hand) & set(swaps)]
        return Others(len(hands), {card: owner for owner, hand in enumerate(hands) for card in hand}, False, at_most)

    def _users(self) -> list[Seat]:
        """Those of the others who may play a card as another number."""
        by = self.reading.other_numbers
        return [seat for seat in self.seats if by is not None and seat in by.users]

    def _otherwise(self, card: Card) -> int | None:
        return None if self.reading.other_numbers is None else self.reading.other_numbers.otherwise(card)

    def _forced(self, swaps: tuple[Card, ...]) -> dict[int, Card]:
        """Cards as other numbers: value while placed → own number."""
        values = {card: self._otherwise(card) for card in swaps}
        return {value: card for card, value in values.items() if value is not None}

    def _candidates(self) -> list[Card]:
        """The cards that, as other numbers, can make a difference to a card that is still open."""
        cards = self.unseen if self.hands and self.hands[0] is None else self._open_cards()
        found = []
        for card in cards:
            value = self._otherwise(card)
            if value is None:
                continue
            for target in self.targets:
                if not target.open:
                    continue
                before = value < target.value or (value == target.value and target.plain)
                # Played away to the far side of the card, it leaves its player harmless.
                if before or card < target.value:
                    found.append(card)
                    break
        return found

    def _open_cards(self) -> list[Card]:
        users = self._users()
        hands = [hand for seat, hand in zip(self.seats, self.hands, strict=True) if hand and seat in users]
        return [card for hand in hands for card in hand]

    def _holdable(self, swaps: tuple[Card, ...]) -> bool:
        """Whether different players can hold these cards."""
        hands = [hand for hand in self.hands if hand is not None]
        return not hands or all(len(set(hand) & set(swaps)) <= 1 for hand in hands)

    def _too_few(self, users: int) -> None:
        """Spare the proof with other numbers where counting will do: with nothing beside the rows, each of the others
        changes one row at most."""
        hands = [hand for hand in self.hands if hand is not None]
        cards = [card for hand in hands for card in hand] or self.unseen
        values = {*cards, *(value for card in cards if (value := self._otherwise(card)) is not None)}
        for target in self.targets:
            target.never_takes = not target.can_take and len(self.seats) < _fewest_to_take(
                self.reading, target, values, users
            )

    def _walk(self, swaps: tuple[Card, ...], budget: Budget) -> None:
        """Prove what can happen to the open cards when exactly these cards of the others are other numbers."""
        others = self._others(swaps, len(self.seats))
        forced = self._forced(swaps)
        targets = [target for target in self._in_order() if target.open]
        if not targets:
            return
        walk = Walk(self.reading, others, forced, [(target.value, None) for target in targets], budget)
        for target in targets:
            walk.up_to(target.value, plain=target.plain)
            first_above = target.value + target.plain  # on equal values a card as another number goes first
            possible = others.possible([card for card in others.cards if card >= first_above])
            value = walk.value_seen(target.value)
            fates = {self.reading.fate(sketch, value)[1] for sketch, ways in walk.sketches().items() if ways & possible}
            if (True in fates and not target.can_take) or (False in fates and not target.can_escape):
                target.can_take |= True in fates
                target.can_escape |= False in fates
                target.swaps.append(swaps)

    def _try_some_turns(self) -> None:
        """An example is a proof: what happens in some possible turn is possible. That spares most cards the walk."""
        rng = Rng.from_seed(len(self.unseen))
        order = self._in_order()
        for _ in range(TRIES):
            plays, rng = self._some_turn(rng)
            sketch, at = self.sketch, 0
            for target in order:
                while at < len(plays) and plays[at] < (target.value, target.plain):
                    ways = self.reading.place(sketch, plays[at][0], plays[at][2])
                    chosen, rng = rng.below(len(ways)) if len(ways) > 1 else (0, rng)
                    sketch, at = ways[chosen].sketch, at + 1
                took = self.reading.fate(sketch, target.value)[1]
                target.can_take |= took
                target.can_escape |= not took

    def _some_turn(self, rng: Rng) -> tuple[list[tuple[int, bool, Card]], Rng]:
        """Cards the others may play, in the order of placing: value, as itself, own number."""
        if all(hand is None for hand in self.hands):
            cards, rng = rng.shuffled(self.unseen, take=len(self.seats))
            return sorted((card, True, card) for card in cards[: len(self.seats)]), rng
        plays = []
        for hand in self.hands:
            assert hand is not None
            at, rng = rng.below(len(hand))
            plays.append((hand[at], True, hand[at]))
        return sorted(plays), rng

    def _in_order(self) -> list[_Target]:
        return sorted(self.targets, key=lambda target: (target.value, target.plain))

    def _find_ways(self, swaps: tuple[Card, ...], at_most: int, targets: Sequence[_Target], budget: Budget) -> None:
        """Find the smallest sets of at most so many lower cards that make each card take, or get away."""
        others = self._others(swaps, at_most)
        forced = self._forced(swaps)
        asked = [(target.value, target.row_now) for target in targets]
        walk = Walk(self.reading, others, forced, asked, budget)
        for target in targets:
            walk.up_to(target.value, plain=target.plain)
            self._look(target, walk, forced)

    def _look(self, target: _Target, walk: Walk, forced: Mapping[int, Card]) -> None:
        """Read off what can happen to the card on the sketches there are now."""
        value = walk.value_seen(target.value)
        found: dict[tuple[bool, Trap | None], dict[Sketch, Ways]] = {}
        for sketch, ways in walk.sketches().items():
            what = self._fate(target, sketch, value, not sketch.marks and not forced)
            found.setdefault(what, {})[sketch] = ways
        before = [value for value in forced if value < target.value or (value == target.value and target.plain)]
        swaps = tuple(sorted(forced[value] for value in before))
        risks, escapes = {}, []
        for (takes, trap), sketches in found.items():
            fewest = {sketch: walk.others.fewest(ways) for sketch, ways in sketches.items()}
            number = min(number for number, _ in fewest.values())
            goal = {sketch: ways for sketch, (count, ways) in fewest.items() if count == number}
            cards = tuple(sorted(walk.played_cards(walk.place_in_walk, goal)))
            way = Way(trap, number + len(swaps), cards, swaps)
            if takes:
                risks[trap] = way
            else:
                escapes.append(way)
        target.risks = target.risks or risks
        if escapes and target.escape is None:
            number = min(way.needed for way in escapes)
            cards = tuple(sorted({card for way in escapes if way.needed == number for card in way.cards}))
            traps = {way.trap for way in escapes if way.needed == number}
            target.escape = Way(traps.pop() if len(traps) == 1 else None, number, cards, swaps)

    def _fate(self, target: _Target, sketch: Sketch, value: int, forgetful: bool) -> tuple[bool, Trap | None]:
        """Whether the card takes, and what kind of trap that is."""
        row, took, knock_on = self.reading.fate(sketch, value)
        now = target.row_now
        trap = trap_of(
            row_now=now,
            was_full=target.full,
            tempted=bool(target.tempting),
            row=row,
            took=took,
            knock_on=knock_on,
            # Without marks and other numbers nothing else can send a card elsewhere, and the walk does not remember
            # it of rows that are out of reach.
            taken_before=now is not None and (bool(sketch.taken >> now & 1) or (forgetful and row != now)),
            still_open=now is not None and self.reading.is_open(sketch, now, value),
        )
        return took, trap


def _fewest_to_take(reading: Reading, target: _Target, values: set[int], users: int) -> int:
    """A number of cards of the others below which a card cannot take, whatever the cards are."""
    sketch, limit = reading.sketch, reading.limit
    below = [end for end in sketch.ends if end < target.value]
    # To fit nowhere, every end below it must be moved above it, which only a card as another number can do.
    fewest = len(below) if len(below) <= users else limit
    for end, count in zip(sketch.ends, sketch.counts, strict=True):
        if end >= target.value:
            cost = limit  # somebody must take that row away first, and then it must be filled
        elif count >= limit:
            cost = sum(end < other for other in below)  # what is closer must be moved away
        else:
            # Without a card to add to it, the row must be taken away first, too.
            cost = limit - count if any(end < value <= target.value for value in values) else limit
        fewest = min(fewest, cost)
    return fewest


# In words ------------------------------------------------------------------------------------------------


def ranges(cards: Sequence[Card]) -> list[str]:
    """Cards in short: runs of three or more are written with a dash.

    >>> ranges((3, 4, 5, 6, 9, 10, 44))
    ['3–6', '9', '10', '44']
    """
    found: list[str] = []
    start = 0
    for at in range(1, len(cards) + 1):
        if at == len(cards) or cards[at] != cards[at - 1] + 1:
            run = cards[start:at]
            found += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run)
            start = at
    return found


def _text(found: Assessment, say: Words) -> str:
    now = _now(found, say) if found._own is None else found._own(say)
    return now if found.settled else f"{now} {_verdict(found, say)}"


def _now(found: Assessment, say: Words) -> str:
    if found.row_now is None:
        return say("assess.nowhere")
    parts = {"row": found.row_now + 1, "end": found.ends[found.row_now], "difference": found.difference}
    if not found.full:
        return say("assess.room", **parts)
    if not found.tempting:
        return say("assess.full", **parts)
    # Of the rows that tempt, the one that looks best.
    tempting = min((found.ends[row] for row in found.tempting), key=lambda end: abs(found.value - end))
    return say("assess.tempted", **parts, other=tempting)


def _verdict(found: Assessment, say: Words) -> str:
    if found.verdict is Verdict.SAFE:
        return say("assess.safe")
    if found.verdict is Verdict.TAKES:
        return say("assess.takes")
    sentences = [] if found.risks or not found.proved else [say("assess.at_risk")]
    for way in found.risks:
        if way.needed == 0:
            sentences.append(say("assess.as_it_stands"))
        elif way.trap is None:
            sentences.append(say("assess.risk", way=_way(way, found, say)))
        else:
            sentences.append(say("assess.risk_of", trap=trap_name(way.trap, say), way=_way(way, found, say)))
    if found.escape is not None and found.escape.needed and found.risks and found.risks[0].needed == 0:
        sentences.append(say("assess.escape", way=_way(found.escape, found, say)))
    if not found.proved:
        sentences.append(say("assess.unproved"))
    return " ".join(sentences)


def _way(way: Way, found: Assessment, say: Words) -> str:
    others = say.list(way.as_others)
    needed = way.needed - len(way.as_others)
    if not needed:
        return say(found._said[0], others=others)
    cards = {"needed": needed, "cards": say.list(ranges(way.cards)), "count": len(way.cards), "unseen": found.unseen}
    return say(found._said[1], others=others, **cards) if way.as_others else say("assess.cards", **cards)


def trap_name(trap: Trap, say: Words) -> str:
    """What a trap is called."""
    return say(f"trap.{trap.value}")
