"""Assess the cards of a hand before the reveal.

"Certain" means proved for every set of cards the others can play and every row their low cards can take, by walking
through all of them (see `sweep`). If that would take too long (several others may play cards as other numbers, or many
markers are on the table), nothing is called certain and the assessment says so. The walk covers rules 1 to 4 of the
classic game for chapters that provide `HINTS`. Games with other rules may provide `ASSESSES`; all others raise
`Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import Final

from nimmt_lab.engine.asked import Table, view_of
from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card, Seat, seat_letter
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard
from nimmt_lab.engine.errors import NimmtError, PositionError, RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .catalogue import Words, words
from .sketch import Reading, Sketch
from .sweep import Budget, Others, TooMuch, Walk, Ways
from .traps import RowTrap, Trap, trap_of

#: Work limit per hand. Only cards played as other numbers and mixed influences come close to it.
STEPS: Final = 1_500_000
#: Random turns sampled before the proof.
TRIES: Final = 64
#: Reading of a table for proofs. Not inherited: the rules of a derived game may differ.
HINTS: Final[Capability[Callable[[View], Reading]]] = Capability("hints", face="tell", inherited=False)
#: A chapter's own assessment of every choice, for rules that the walk doesn't cover.
ASSESSES: Final[Capability[Callable[[View], dict[Choice, Assessment]]]] = Capability(
    "hints", face="tell", inherited=False
)


class Verdict(Enum):
    """Verdict on a card before the reveal."""

    #: No set of unseen cards makes it take a row.
    SAFE = "safe"
    #: Some sets do and others don't (or, if not `proved`, undecided).
    RISK = "risk"
    #: It takes a row whatever the others play.
    TAKES = "takes"


@dataclass(frozen=True)
class Way:
    """How a card comes to take (or escape): at least `needed` of `cards` are played before it.

    `cards` is the union of all such sets of that size; `as_others` are those played as other numbers. `trap` is None if
    the card simply takes or escapes.
    """

    trap: Trap | None
    needed: int
    cards: tuple[Card, ...]
    as_others: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Assessment:
    """Assessment of one card of a hand before the reveal. Rows count from 0."""

    card: Card
    #: Value while it is placed.
    value: int
    row_now: int | None
    #: Distance to the end of `row_now`; None if the card fits nowhere.
    difference: int | None
    full: bool
    #: Other rows with room that seem to accept the card.
    tempting: tuple[int, ...]
    ends: tuple[Card, ...]
    verdict: Verdict
    #: Ways to take a row, fewest cards first; empty for a safe card.
    risks: tuple[Way, ...]
    #: The escape that needs the fewest cards; None if the card certainly takes.
    escape: Way | None
    #: Number of unseen cards, and how many of them the others play.
    unseen: int
    opponents: int
    #: False if the proof would have taken too long.
    proved: bool = True
    #: Messages about cards played as other numbers.
    _said: tuple[str, str] = ("", "")
    #: The chapter's own sentence about the card.
    _own: Callable[[Words], str] | None = field(default=None, compare=False, repr=False)
    #: Whether that sentence is complete, with nothing hidden or the verdict included.
    settled: bool = False

    @property
    def trap(self) -> Trap | None:
        """The trap that needs the fewest cards."""
        return self.risks[0].trap if self.risks else None

    @property
    def causes(self) -> tuple[Card, ...]:
        """The unseen cards behind that trap."""
        return self.risks[0].cards if self.risks else ()

    @property
    def needed(self) -> int:
        """How many of `causes` the trap needs."""
        return self.risks[0].needed if self.risks else 0

    def text(self, lang: str = "en") -> str:
        say = words(lang)
        now = _now(self, say) if self._own is None else self._own(say)
        return now if self.settled else f"{now} {_verdict(self, say)}"


class Assessments(Shown, dict[Choice, Assessment]):
    """The assessment of every card of a hand."""

    def __init__(self, view: View, cards: Mapping[Choice, Assessment]) -> None:
        super().__init__(cards)
        self.view = view

    def sheet(self) -> Sheet:
        decision = self.view.decision
        assert decision is not None
        order = {Verdict.SAFE: 0, Verdict.RISK: 1, Verdict.TAKES: 2}
        lines = [
            Figure((decision.write(option), one.verdict.value, one.text()), card=one.card)
            for option, one in sorted(self.items(), key=lambda item: (order[item[1].verdict], item[1].card))
        ]
        parts = [Figures(("", "", ""), lines)]
        return Sheet(f"{seat_letter(self.view.seat)}: what each card may meet", parts, table=self.view)

    def __repr__(self) -> str:
        return str(self)


def reasons(view: View, options: Iterable[str], lang: str = "en") -> tuple[str, ...]:
    """What may happen to some cards of a seat that chooses one (named as in notation), a sentence each; nothing where
    the game has no hints.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("1 | 20 | 41 | 42 ; A: 43 45 ; B: 44 50")
    >>> reasons(state.view(0), ["43"])
    ('43: Goes to row 4 now: 42 is closest (+1). Certainly safe.',)
    """
    if not isinstance(view.decision, ChooseCard):
        return ()
    try:
        cards = assess(view)
    except NimmtError:
        return ()
    named = {view.decision.write(option): each for option, each in cards.items()}
    return tuple(f"{name}: {named[name].text(lang)}" for name in dict.fromkeys(options) if name in named)


def assess(
    view: Table,
    seat: Seat | str | None = None,
    *,
    players: int | None = None,
    opponents: int | None = None,
    seen: Iterable[Card] | str = (),
    game: Game | str | None = None,
) -> Assessments:
    """Assess every card (and every way to play it) that `seat` may choose now.

    `view`: a view, a state with a seat, or the text of a position (see `nimmt_lab.engine.asked`).

    Raises `Unsupported` if the chapter of the game, or of a fan card in it, provides no hints.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("1 | 20 | 41 | 35 36 38 40 42 ; A: 43 45 98 ; B: 44 50 60")
    >>> cards = assess(state, seat=0)
    >>> cards[43].verdict, cards[43].trap, cards[43].tempting
    (<Verdict.TAKES: 'takes'>, <RowTrap.CLOSEST_ROW: 'closest_row'>, (0, 1, 2))
    >>> cards[45].verdict, cards[45].escape.cards
    (<Verdict.RISK: 'risk'>, (44,))
    >>> print(cards[43].text())
    Goes to row 4 now: 42 is closest (+1), but that row is full. 41 looks closer, but isn't. Certainly takes a row.
    """
    if isinstance(view, GameState) and seat is None:
        raise RulesError("explain.say_whose_hand")
    view = view_of(view, seat=seat, players=players, opponents=opponents, seen=seen, game=game)
    own = ASSESSES.find(view.game)
    if own is not None:
        if view.decision is None:
            raise PositionError("explain.nothing_asked_seat")
        return Assessments(view, own(view))
    hints = HINTS.of(view.game)
    if not isinstance(view.decision, ChooseCard) or not view.rows:
        raise PositionError("explain.hands_assessed_while")
    return Assessments(view, dict(_Hand(view, hints(view), view.decision).assessments()))


@dataclass
class _Target:
    """A way to play a card and the results so far."""

    option: Choice
    card: Card
    value: int
    plain: bool
    row_now: int | None
    full: bool
    tempting: tuple[int, ...]
    risks: dict[Trap | None, Way] = field(default_factory=dict)
    escape: Way | None = None
    #: Outcomes proved possible.
    can_take: bool = False
    can_escape: bool = False
    #: Too few others to make it take, whatever their cards count as.
    never_takes: bool = False
    #: Sets of cards played as other numbers that the proof needed.
    swaps: list[tuple[Card, ...]] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether taking or escaping is still undecided."""
        return not ((self.can_take or self.never_takes) and self.can_escape)

    @property
    def unexplained(self) -> bool:
        """Whether a possible outcome still lacks its smallest set of cards."""
        return (self.can_take and not self.risks) or (self.can_escape and self.escape is None)


class _Hand:
    def __init__(self, view: View, reading: Reading, decision: ChooseCard) -> None:
        self.view, self.reading = view, reading
        self.sketch = reading.sketch
        self.seats = [seat for seat in view.asked if seat != view.seat]
        self.hands = [view.hands[seat] for seat in self.seats]
        self.unseen = view.unseen
        self.targets = [self._target(option) for option in decision.options]
        # Sketches that keep their numbers are more numerous and slower.
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
        """Prove the possible outcomes, first with the others' cards at face value, then as other numbers."""
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
        """Find the smallest sets of cards behind each outcome, using other numbers only if needed."""
        everybody = len(self.seats)
        budget = Budget(self.steps)
        try:
            # Name every risk that needs no more cards than fill a row; a larger one only if nothing smaller exists.
            few = min(self.sketch.limit - 1, everybody)
            for at_most in range(few, everybody + 1):
                targets = [target for target in self._in_order() if target.unexplained]
                if targets:
                    self._find_ways((), at_most, targets, budget)
            for target in self.targets:
                for swaps in target.swaps:
                    if target.unexplained:
                        self._find_ways(swaps, everybody, [target], budget)
        except TooMuch:
            pass  # verdicts remain valid, some without details

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
        # Dicts and enums keep their order, so equally easy ways stay in trap order.
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
            self.reading.said,
        )

    def _others(self, swaps: tuple[Card, ...], at_most: int) -> Others:
        """The others, except those who play the given cards as other numbers."""
        if all(hand is None for hand in self.hands):
            cards = {card: 0 for card in self.unseen if card not in swaps}
            return Others(len(self.seats) - len(swaps), cards, True, min(at_most, len(self.seats) - len(swaps)))
        hands = [hand for hand in self.hands if hand is not None and not set(hand) & set(swaps)]
        return Others(len(hands), {card: owner for owner, hand in enumerate(hands) for card in hand}, False, at_most)

    def _users(self) -> list[Seat]:
        """The others who may play a card as another number."""
        return [seat for seat in self.seats if seat in self.reading.users]

    def _forced(self, swaps: tuple[Card, ...]) -> dict[int, Card]:
        """Map values while placed to the numbers on the cards."""
        values = {card: self.reading.otherwise(card) for card in swaps}
        return {value: card for card, value in values.items() if value is not None}

    def _candidates(self) -> list[Card]:
        """The cards that could affect an undecided card if played as other numbers."""
        cards = self.unseen
        if not self.hands or self.hands[0] is not None:
            cards = tuple(card for seat in self._users() for card in self.view.hands[seat] or ())
        targets = [target for target in self.targets if target.open]

        def matters(card: Card, value: int) -> bool:
            # Played beyond a target, a lower card makes its player harmless.
            return any(
                value < target.value or (value == target.value and target.plain) or card < target.value
                for target in targets
            )

        values = ((card, self.reading.otherwise(card)) for card in cards)
        return [card for card, value in values if value is not None and matters(card, value)]

    def _holdable(self, swaps: tuple[Card, ...]) -> bool:
        """Whether different players can hold these cards."""
        hands = [hand for hand in self.hands if hand is not None]
        return not hands or all(len(set(hand) & set(swaps)) <= 1 for hand in hands)

    def _too_few(self, users: int) -> None:
        """Settle by counting where possible: without markers each of the others changes at most one row."""
        hands = [hand for hand in self.hands if hand is not None]
        cards = [card for hand in hands for card in hand] or self.unseen
        values = {*cards, *(value for card in cards if (value := self.reading.otherwise(card)) is not None)}
        for target in self.targets:
            target.never_takes = not target.can_take and len(self.seats) < _fewest_to_take(
                self.reading, target, values, users
            )

    def _walk(self, swaps: tuple[Card, ...], budget: Budget) -> None:
        """Prove the outcomes of undecided cards when exactly these cards of the others count as other numbers."""
        others = self._others(swaps, len(self.seats))
        forced = self._forced(swaps)
        targets = [target for target in self._in_order() if target.open]
        if not targets:
            return
        walk = Walk(self.reading, others, forced, [(target.value, None) for target in targets], budget)
        for target in targets:
            walk.up_to(target.value, plain=target.plain)
            first_above = target.value + target.plain  # ties: a card played as another number goes first
            possible = others.possible([card for card in others.cards if card >= first_above])
            value = walk.value_seen(target.value)
            fates = {self.reading.fate(sketch, value)[1] for sketch, ways in walk.sketches().items() if ways & possible}
            if (True in fates and not target.can_take) or (False in fates and not target.can_escape):
                target.can_take |= True in fates
                target.can_escape |= False in fates
                target.swaps.append(swaps)

    def _try_some_turns(self) -> None:
        """Sample turns: one example proves an outcome possible, which settles most cards without the walk."""
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
        """Random cards of the others in placing order: value, whether at face value, own number."""
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
        """Find the smallest sets of up to `at_most` lower cards that make each card take or escape."""
        others = self._others(swaps, at_most)
        forced = self._forced(swaps)
        asked = [(target.value, target.row_now) for target in targets]
        walk = Walk(self.reading, others, forced, asked, budget)
        for target in targets:
            walk.up_to(target.value, plain=target.plain)
            self._look(target, walk, forced)

    def _look(self, target: _Target, walk: Walk, forced: Mapping[int, Card]) -> None:
        """Read the outcomes for a card off the current sketches."""
        value = walk.value_seen(target.value)
        by_fate: dict[tuple[bool, Trap | None], dict[Sketch, Ways]] = {}
        for sketch, ways in walk.sketches().items():
            fate = self._fate(target, sketch, value, not sketch.marks and not forced)
            by_fate.setdefault(fate, {})[sketch] = ways
        before = [value for value in forced if value < target.value or (value == target.value and target.plain)]
        swaps = tuple(sorted(forced[value] for value in before))
        risks, escapes = {}, []
        for (takes, trap), sketches in by_fate.items():
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
        """Whether the card takes, and by which trap."""
        row, took, knock_on = self.reading.fate(sketch, value)
        now = target.row_now
        trap = trap_of(
            row_now=now,
            was_full=target.full,
            tempted=bool(target.tempting),
            row=row,
            took=took,
            knock_on=knock_on,
            # Without markers and other numbers nothing else diverts a card, and the walk forgets distant takes.
            taken_before=now is not None and (bool(sketch.taken >> now & 1) or (forgetful and row != now)),
            still_open=now is not None and self.reading.is_open(sketch, now, value),
        )
        return took, trap


def _fewest_to_take(reading: Reading, target: _Target, values: set[int], users: int) -> int:
    """A lower bound on the number of the others' cards that make a card take."""
    sketch = reading.sketch
    limit = sketch.limit
    below = [end for end in sketch.ends if end < target.value]
    # To fit nowhere, every lower end must move above the card, which only cards played as other numbers can do.
    fewest = len(below) if len(below) <= users else limit
    for end, count in zip(sketch.ends, sketch.counts, strict=True):
        if end >= target.value:
            cost = limit  # someone must take the row first, then it must be filled
        elif count >= limit:
            cost = sum(end < other for other in below)  # closer rows must move away
        else:
            # A row that no card can join must be taken first.
            cost = limit - count if any(end < value <= target.value for value in values) else limit
        fewest = min(fewest, cost)
    return fewest


def ranges(cards: Sequence[Card]) -> list[str]:
    """Format cards, with runs of three or more as ranges.

    >>> ranges((3, 4, 5, 6, 9, 10, 44))
    ['3–6', '9', '10', '44']
    """
    parts: list[str] = []
    start = 0
    for at in range(1, len(cards) + 1):
        if at == len(cards) or cards[at] != cards[at - 1] + 1:
            run = cards[start:at]
            parts += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run)
            start = at
    return parts


def _now(card: Assessment, say: Words) -> str:
    if card.row_now is None:
        return say("assess.nowhere")
    parts = {"row": card.row_now + 1, "end": card.ends[card.row_now], "difference": card.difference}
    if not card.full:
        return say("assess.room", **parts)
    if not card.tempting:
        return say("assess.full", **parts)
    # The tempting row that looks best.
    tempting = min((card.ends[row] for row in card.tempting), key=lambda end: abs(card.value - end))
    return say("assess.tempted", **parts, other=tempting)


def _verdict(card: Assessment, say: Words) -> str:
    if card.verdict is Verdict.SAFE:
        return say("assess.safe")
    if card.verdict is Verdict.TAKES:
        return say("assess.takes")
    sentences = [] if card.risks or not card.proved else [say("assess.at_risk")]
    for way in card.risks:
        if way.needed == 0:
            sentences.append(say("assess.as_it_stands"))
        elif way.trap is None:
            sentences.append(say("assess.risk", way=_way(way, card, say)))
        else:
            sentences.append(say("assess.risk_of", trap=say(f"trap.{way.trap.value}"), way=_way(way, card, say)))
    if card.escape is not None and card.escape.needed and card.risks and card.risks[0].needed == 0:
        sentences.append(say("assess.escape", way=_way(card.escape, card, say)))
    if not card.proved:
        sentences.append(say("assess.unproved"))
    return " ".join(sentences)


def _way(way: Way, card: Assessment, say: Words) -> str:
    others = say.list(way.as_others)
    needed = way.needed - len(way.as_others)
    if not needed:
        return say(card._said[0], others=others)
    cards = {"needed": needed, "cards": say.list(ranges(way.cards)), "count": len(way.cards), "unseen": card.unseen}
    return say(card._said[1], others=others, **cards) if way.as_others else say("assess.cards", **cards)
