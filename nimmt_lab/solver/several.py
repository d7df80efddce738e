"""Three to six players with open hands: what can be said exactly, and why there is no "value".

With two players what one wins the other loses, so both can be told what the position is worth. With three or more that
is gone: most positions have many equilibria that are worth different things to different players, some have none in
plain cards, and which one is played depends on everybody. So nothing here is called *the* value. What is exact:

* :func:`paranoid`: the most heads I take on average if I play as well as possible and **all others play against me**,
  even agreeing on their cards in secret. A guarantee: nobody can make me take more. Usually far too dark a view.
* :func:`best_response`: the fewest heads I can take on average if the others choose by **stated policies** (at random,
  say). Exact for that model of them, and only for it.
* :func:`exploitability`: for a profile (a policy for everybody), how many heads each player could save by a best
  response while the others stay. Nobody could save any in a Nash equilibrium; the sum says how far the profile is from
  one.

Everything counts a player's own heads to the end of the round, so *less is better*. The work grows with the product of
the hands over the turns to come; :func:`turns_to_play` counts it, and more than ``MOST_TURNS`` is refused.

The compiled core answers for `uniform` and `lowest`, and for everybody united; with one fan card of the four, and in
the middle of a turn. A policy of one's own is a Python function, and its chances may have any denominator, where the
core counts in whole numbers: so the engine plays those turns. About half of that work is asking the policies and
multiplying their fractions, which a compiled turn would not save; up to ``MOST_BY_ENGINE`` turns are allowed. Two fan
cards at once go the same way.

>>> from nimmt_lab import Advanced
>>> game = Advanced(players=3)
>>> state = game.from_position("2 9 14 20 21 | 5 6 | 12 | 30 31 ; A: 3 22 ; B: 1 23 ; C: 24 33")
>>> best_response(state, 0, [uniform] * 3).choices
{3: Fraction(9, 4), 22: Fraction(7, 1)}
>>> paranoid(state, 0).heads
7.0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import perm, prod
from typing import TypeVar

from nimmt_lab.engine.cards import LAST_CARD, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseRow, Decision
from nimmt_lab.engine.errors import PositionError, RulesError, Unsupported
from nimmt_lab.engine.events import Event, RowTaken
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.native import core as native_core
from nimmt_lab.solver.core import LOWEST, MINE, UNIFORM, UNITED, CrowdAnswer, CrowdQuestion
from nimmt_lab.solver.matrix import solve_floats
from nimmt_lab.solver.open_position import fan_card_of, way_of

__all__ = [
    "MOST_BY_ENGINE",
    "MOST_CARDS",
    "MOST_TURNS",
    "NOT_UNIQUE",
    "Exploitability",
    "Guarantee",
    "Key",
    "Policy",
    "Response",
    "best_response",
    "expected_by_engine",
    "expected_heads",
    "exploitability",
    "lowest",
    "paranoid",
    "paranoid_by_engine",
    "response_by_engine",
    "turns_to_play",
    "uniform",
]


#: A policy says how likely a seat is to choose what. Chances are best given as fractions: results are then exact. It is
#: asked once about a position, however that came about: it may look at rows, hands, markers and cards to be placed.
Policy = Callable[[GameState, Seat], Mapping[Choice, Fraction]]
Key = tuple[object, ...]
Number = TypeVar("Number", Fraction, float)

#: Just enough for 3 players with 5 cards, 4 with 4, 5 with 4, 6 with 3: a few seconds, half a minute for the guarantee
#: of 5 with 4.
MOST_TURNS = 20_000_000
#: The same where game states are needed: with two fan cards at once, with policies of one's own. That is slow: some
#: thousand turns a second.
MOST_BY_ENGINE = 4_000_000


def uniform(state: GameState, seat: Seat) -> Mapping[Choice, Fraction]:
    """Any card with the same chance; a low card takes the cheapest row (R-C4)."""
    decision = state.pending[seat]
    if isinstance(decision, ChooseRow):
        return {_classic(state).cheapest_row(state): Fraction(1)}
    options = decision.options
    return {option: Fraction(1, len(options)) for option in options}


def lowest(state: GameState, seat: Seat) -> Mapping[Choice, Fraction]:
    """Always the lowest card; a low card takes the cheapest row."""
    decision = state.pending[seat]
    if isinstance(decision, ChooseRow):
        return {_classic(state).cheapest_row(state): Fraction(1)}
    return {decision.options[0]: Fraction(1)}


def _kind(policy: Policy) -> int | None:
    """The policies that the compiled core knows."""
    return UNIFORM if policy is uniform else LOWEST if policy is lowest else None


#: Cards in all hands together that the compiled core takes.
MOST_CARDS = 20


@dataclass(frozen=True)
class _Crowd:
    """A position as the compiled core takes it: between two turns, one fan card at most, not too many cards."""

    state: GameState
    fan: tuple[int, int]

    @classmethod
    def of(cls, state: GameState) -> _Crowd | None:
        """The position, or None where it does not fit, or there is no core."""
        game = _classic(state)
        sizes = {len(hand) for hand in state.hands}
        if native_core() is None or len(sizes) != 1 or game.players > 6:
            return None
        if len(state.rows) != 4 or game.row_limit != 5 or sum(map(len, state.hands)) > MOST_CARDS:
            return None
        try:
            return cls(state, fan_card_of(game, state))
        except Unsupported:  # two fan cards at once, say: the engine plays them
            return None

    @property
    def cards_each(self) -> int:
        return len(self.state.hands[0])

    def _ask(self, seat: Seat, kinds: Sequence[int]) -> CrowdAnswer:
        game, core = _classic(self.state), native_core()
        assert core is not None
        heads = (0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1)))
        hands = tuple(tuple(sorted(hand)) for hand in self.state.hands)
        return CrowdQuestion(self.state.rows, hands, heads, seat, tuple(kinds), self.fan).answer(core, self._memory())

    def _memory(self) -> int:
        # Positions with one card a hand are not kept, which leaves few.
        return 19 if self.cards_each > 3 else 14

    def _named(self, seat: Seat, found: Sequence[Number]) -> dict[Choice, Number]:
        """What the core says of each way to play, in the order in which the game offers them."""
        options = self.state.pending[seat].options
        by_way = dict(zip(sorted(way_of(option, seat) for option in options), found, strict=True))
        return {option: by_way[way_of(option, seat)] for option in options}

    def response(self, seat: Seat, kinds: Sequence[int]) -> dict[Choice, Fraction]:
        """Expected heads of a seat for each way it may play now; ``kinds``: what everybody does."""
        answer = self._ask(seat, kinds)
        return self._named(seat, [Fraction(total, answer.ways) for total in answer.cards])

    def expected(self, seat: Seat, kinds: Sequence[int]) -> Fraction:
        """Expected heads of a seat if everybody does what ``kinds`` says."""
        choices = self.response(seat, kinds)
        if kinds[seat] == LOWEST:
            return next(iter(choices.values()))
        return sum(choices.values(), Fraction(0)) / len(choices)

    def best(self, seat: Seat, kinds: Sequence[int]) -> Response:
        """The best a seat can do if the others do what ``kinds`` says."""
        choices = self.response(seat, [MINE if other == seat else kind for other, kind in enumerate(kinds)])
        return Response(seat, min(choices.values()), choices, _caveat(self.state))

    def guarantee(self, seat: Seat) -> Guarantee:
        """Heads a seat takes at most against all others united."""
        kinds = [MINE if other == seat else UNITED for other in range(len(self.state.hands))]
        answer = self._ask(seat, kinds)
        mix = self._named(seat, answer.mix)
        return Guarantee(seat, answer.heads, mix, (self.cards_each + 1) * answer.error, _caveat(self.state))


@dataclass(frozen=True)
class _MidTurn:
    """A position in which somebody takes a row: the engine ends the turn (with a fan card, after more such choices),
    the compiled core answers for what follows."""

    state: GameState
    asked: Seat
    #: By row: heads of every seat in the rest of the turn, and the position after it; None: the round is over.
    rows: Mapping[Choice, tuple[tuple[int, ...], _Crowd | _MidTurn | None]]

    @classmethod
    def of(cls, state: GameState) -> _MidTurn | None:
        """The position, or None where what follows does not fit the core."""
        ((asked, decision),) = state.pending.items()
        rows: dict[Choice, tuple[tuple[int, ...], _Crowd | _MidTurn | None]] = {}
        for row in decision.options:
            after, events = state.choose({asked: row})
            later = None if after.is_past_round(state.round) else _for_core(after)
            if later is None and not after.is_past_round(state.round):
                return None
            rows[row] = tuple(_heads(events, seat) for seat in range(state.game.players)), later
        return cls(state, asked, rows)

    def expected(self, seat: Seat, kinds: Sequence[int]) -> Fraction:
        """All kinds take the cheapest row (R-C4)."""
        now, later = self.rows[_classic(self.state).cheapest_row(self.state)]
        return now[seat] + (later.expected(seat, kinds) if later else Fraction(0))

    def best(self, seat: Seat, kinds: Sequence[int]) -> Response:
        """The best a seat can do if the others do what ``kinds`` says."""
        cheapest = _classic(self.state).cheapest_row(self.state)
        heads = {
            row: now[seat] + (later.best(seat, kinds).heads if later else Fraction(0))
            for row, (now, later) in self.rows.items()
            if seat == self.asked or row == cheapest
        }
        return Response(seat, min(heads.values()), heads if seat == self.asked else {}, _caveat(self.state))

    def guarantee(self, seat: Seat) -> Guarantee:
        """The row that is best for the seat, or worst if another takes it."""
        found = {row: later.guarantee(seat) if later else None for row, (_, later) in self.rows.items()}
        heads = {
            row: now[seat] + (after.heads if after else 0.0)
            for (row, (now, _)), after in zip(self.rows.items(), found.values(), strict=True)
        }
        taken = (min if seat == self.asked else max)(heads, key=lambda row: heads[row])
        mix = {row: float(row == taken) for row in heads} if seat == self.asked else {}
        error = max((after.error for after in found.values() if after), default=0.0)
        return Guarantee(seat, heads[taken], mix, error, _caveat(self.state))


def _for_core(state: GameState) -> _Crowd | _MidTurn | None:
    return _MidTurn.of(state) if state.queue else _Crowd.of(state)


#: What every answer for three and more players has to say about itself.
NOT_UNIQUE = (
    "with three or more players equilibria are not unique, and worth different things to different players: "
    "no number here is the value of the position"
)


def _caveat(state: GameState) -> str:
    """What an answer is not; with two players there is a value, and nothing to say."""
    return NOT_UNIQUE if state.game.players > 2 else ""


@dataclass(frozen=True)
class Response:
    """A best response: expected own heads, and what each choice now would lead to.

    ``caveat`` says, with three or more players, that no equilibrium is *the* one.
    """

    seat: Seat
    heads: Fraction
    choices: Mapping[Choice, Fraction]
    caveat: str = ""

    @property
    def best(self) -> Choice:
        """The choice with the fewest expected heads."""
        return min(self.choices, key=lambda choice: self.choices[choice])


@dataclass(frozen=True)
class Guarantee:
    """The paranoid answer: at most so many heads on average, if the seat mixes its choices like this.

    ``error`` bounds what rounding can have cost.
    """

    seat: Seat
    heads: float
    strategy: Mapping[Choice, float]
    error: float
    caveat: str = ""


@dataclass(frozen=True)
class Exploitability:
    """What everybody takes under a profile, and could take by answering the others' policies best."""

    heads: tuple[Fraction, ...]
    best: tuple[Fraction, ...]
    caveat: str = ""

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """Heads each seat could save."""
        return tuple(now - could for now, could in zip(self.heads, self.best, strict=True))

    @property
    def total(self) -> Fraction:
        """The sum of the gains: 0 exactly in a Nash equilibrium."""
        return sum(self.gains, Fraction(0))


def turns_to_play(state: GameState) -> int:
    """An upper bound of the turns that have to be played out: the product of the ways all hands can be played, turn
    after turn. Rows that can be chosen are not counted."""
    game = _classic(state)
    special = [0] * game.players
    if game.fan_cards:
        for card, marker in zip(game.fan_cards, Markers.of(state).all, strict=True):
            for seat, hand in enumerate(state.hands):
                special[seat] += len(card.plays(marker, seat, hand))
    sizes = [len(hand) for hand in state.hands]

    def lines(size: int, ways: int, turns: int) -> int:
        """Orders of so many cards; one of them may be played in its other way."""
        orders = perm(size, turns)
        return orders + orders * turns * ways // size if size else 1

    return sum(
        prod(lines(size, ways, min(turns, size)) for size, ways in zip(sizes, special, strict=True))
        for turns in range(1, max(sizes, default=0) + 1)
    )


def expected_heads(state: GameState, policies: Sequence[Policy]) -> tuple[Fraction, ...]:
    """Expected heads of every seat, to the end of the round, if everybody follows these policies.

    >>> from nimmt_lab import Advanced
    >>> state = Advanced(players=3, hand_size=1).from_position("1 | 4 | 6 | 7 ; A: 2 ; B: 3 ; C: 5")
    >>> [str(heads) for heads in expected_heads(state, [uniform] * 3)]
    ['0', '0', '0']
    """
    crowd = _check(state, policies)
    if crowd is not None:
        kinds = [_kind(policy) or UNIFORM for policy in policies]
        return tuple(crowd.expected(seat, kinds) for seat in range(len(kinds)))
    return expected_by_engine(state, policies)


def expected_by_engine(state: GameState, policies: Sequence[Policy]) -> tuple[Fraction, ...]:
    """The same on game states, for any policies."""
    known: dict[Key, tuple[Fraction, ...]] = {}

    def after(state: GameState) -> tuple[Fraction, ...]:
        key = _key(state)
        if key not in known:
            totals = [Fraction(0)] * state.game.players
            for chance, choices in _joint(state, policies, state.pending):
                for seat, heads in enumerate(_follow(state, choices, after)):
                    totals[seat] += chance * heads
            known[key] = tuple(totals)
        return known[key]

    return after(state)


def best_response(state: GameState, seat: Seat, policies: Sequence[Policy]) -> Response:
    """The fewest heads a seat can take on average against the others' policies (its own entry is not used)."""
    crowd = _check(state, policies, seat)
    if crowd is not None:
        return crowd.best(seat, [_kind(policy) or UNIFORM for policy in policies])
    return response_by_engine(state, seat, policies)


def response_by_engine(state: GameState, seat: Seat, policies: Sequence[Policy]) -> Response:
    """The same on game states, for any policies."""
    known: dict[Key, Fraction] = {}

    def worth(state: GameState) -> dict[Choice | None, Fraction]:
        others = {other: decision for other, decision in state.pending.items() if other != seat}
        mine: Sequence[Choice | None] = state.pending[seat].options if seat in state.pending else [None]
        results: dict[Choice | None, Fraction] = {}
        joint = _joint(state, policies, others)
        for choice in mine:
            own: dict[Seat, Choice] = {} if choice is None else {seat: choice}
            results[choice] = sum((chance * value(state, own | theirs) for chance, theirs in joint), Fraction(0))
        return results

    def value(state: GameState, choices: Mapping[Seat, Choice]) -> Fraction:
        next_state, events = state.choose(choices)
        now = Fraction(_heads(events, seat))
        if next_state.is_past_round(state.round):
            return now
        key = _key(next_state)
        if key not in known:
            known[key] = min(worth(next_state).values())
        return now + known[key]

    choices = worth(state)
    mine = {c: heads for c, heads in choices.items() if c is not None}
    return Response(seat, min(choices.values()), mine, _caveat(state))


def exploitability(state: GameState, policies: Sequence[Policy]) -> Exploitability:
    """How much each seat could save by answering the others' policies best."""
    heads = expected_heads(state, policies)
    best = tuple(best_response(state, s, policies).heads for s in range(len(heads)))
    return Exploitability(heads, best, _caveat(state))


def paranoid(state: GameState, seat: Seat) -> Guarantee:
    """The heads a seat takes at most, on average, with best play against all others united."""
    crowd = _check(state, None, seat)
    if crowd is None:
        return paranoid_by_engine(state, seat)
    return crowd.guarantee(seat)


def _settle(table: list[list[float]]) -> tuple[float, list[float], float]:
    """A table of heads I am spared: the heads I take, my mix, and the error of both."""
    best = max(range(len(table)), key=lambda i: min(table[i]))
    least = min(map(max, zip(*table, strict=True)))
    if min(table[best]) >= least:
        return -least, [float(i == best) for i in range(len(table))], 0.0
    solution = solve_floats(table)
    return -solution.value, list(solution.row), solution.gap


def paranoid_by_engine(state: GameState, seat: Seat) -> Guarantee:
    """The same on game states, with any fan cards."""
    known: dict[Key, float] = {}
    errors = [0.0]

    def solve(state: GameState) -> tuple[float, dict[Choice, float]]:
        others = [other for other in state.pending if other != seat]
        against = [
            dict(zip(others, choices, strict=True))
            for choices in product(*(state.pending[other].options for other in others))
        ]
        if seat not in state.pending:
            return max(value(state, choices) for choices in against), {}
        mine = state.pending[seat].options
        # I am the row player and want few heads, so rows count heads I am spared.
        table = [[-value(state, {seat: choice} | theirs) for theirs in against] for choice in mine]
        heads, mix, error = _settle(table)
        errors[0] = max(errors[0], error)
        return heads, dict(zip(mine, mix, strict=True))

    def value(state: GameState, choices: Mapping[Seat, Choice]) -> float:
        next_state, events = state.choose(choices)
        now = _heads(events, seat)
        if next_state.is_past_round(state.round):
            return float(now)
        key = _key(next_state)
        if key not in known:
            known[key] = solve(next_state)[0]
        return now + known[key]

    heads, strategy = solve(state)
    turns = max(len(hand) for hand in state.hands) + 1
    return Guarantee(seat, heads, strategy, turns * errors[0], _caveat(state))


def _classic(state: GameState) -> Classic:
    if not isinstance(state.game, Classic):
        raise RulesError("solver.solver_plays_classic", got=state.game.name)
    return state.game


def _check(state: GameState, policies: Sequence[Policy] | None, seat: Seat | None = None) -> _Crowd | _MidTurn | None:
    """Refuse what cannot be answered; the position for the compiled core, if that can answer."""
    game = _classic(state)
    if type(game) not in (Classic, Advanced):
        raise RulesError("solver.solver_plays_classic", got=game.name)
    if not state.rows:
        raise PositionError("solver.draft_not_over")
    if state.is_over or not (any(state.hands) or state.queue):
        raise PositionError("solver.nothing_left")
    if seat is not None and not 0 <= seat < game.players:
        raise RulesError("solver.there_no_seat", who=shown(seat), most=game.players - 1)
    if policies is not None and len(policies) != game.players:
        raise RulesError("solver.policies_players", count=len(policies), players=game.players)
    known = all(_kind(policy) is not None for other, policy in enumerate(policies or ()) if other != seat)
    crowd = _for_core(state) if known else None
    limit = MOST_BY_ENGINE if crowd is None else MOST_TURNS
    if (turns := turns_to_play(state)) > limit:
        raise RulesError("solver.up_turns_would", most=f"{turns:,}", limit=f"{limit:,}")
    return crowd


def _joint(
    state: GameState, policies: Sequence[Policy], pending: Mapping[Seat, Decision]
) -> list[tuple[Fraction, dict[Seat, Choice]]]:
    """All ways these seats may choose together, with their chances."""
    mixes = []
    for seat, decision in pending.items():
        mix = policies[seat](state, seat)
        if sum(mix.values()) != 1 or any(chance < 0 for chance in mix.values()):
            raise RulesError("solver.chances_s_policy", who=seat_letter(seat))
        if any(choice not in decision.options for choice in mix):
            raise RulesError("solver.s_policy_chooses", who=seat_letter(seat))
        mixes.append([(seat, choice, chance) for choice, chance in mix.items() if chance])
    return [
        (prod((chance for _, _, chance in parts), start=Fraction(1)), {seat: choice for seat, choice, _ in parts})
        for parts in product(*mixes)
    ]


def _follow(
    state: GameState, choices: Mapping[Seat, Choice], after: Callable[[GameState], tuple[Fraction, ...]]
) -> tuple[Fraction, ...]:
    next_state, events = state.choose(choices)
    now = [Fraction(_heads(events, seat)) for seat in range(state.game.players)]
    if next_state.is_past_round(state.round):
        return tuple(now)
    return tuple(heads + later for heads, later in zip(now, after(next_state), strict=True))


def _heads(events: Sequence[Event], seat: Seat) -> int:
    return sum(event.heads for event in events if isinstance(event, RowTaken) and event.seat == seat)


def _key(state: GameState) -> Key:
    return state.rows, state.hands, state.extra, state.queue
