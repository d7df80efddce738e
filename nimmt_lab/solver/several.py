"""Three to six players with open hands: exact answers without a "value".

With three or more players most positions have many equilibria with different payoffs, and some have none in pure
strategies. So nothing here is *the* value. Exact are:

* :func:`paranoid`: the most heads I take on average with best play if **all others play against me**, even secretly
  agreeing on their cards. A guarantee, and usually far too pessimistic.
* :func:`best_response`: the fewest heads I can take on average against **given policies** of the others.
* :func:`exploitability`: for a profile (a policy for each seat), how many heads each player could save by a best
  response. The sum is 0 in a Nash equilibrium and measures the distance from one.

Everything counts a player's own heads to the end of the round, so *less is better*. The work grows with the product of
the hands over the remaining turns; :func:`turns_to_play` counts it, and more than ``MOST_TURNS`` raises an error.

The compiled core answers for `uniform`, `lowest` and united opponents, with at most one of the four fan cards, also in
mid-turn. Custom policies are Python functions with arbitrary denominators, where the core counts in integers, so the
engine plays those turns, up to ``MOST_BY_ENGINE``. (Half of that work is calling the policies and multiplying
fractions, which compiled turns would not save.) The same applies to two fan cards at once.

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
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.native import core as native_core
from nimmt_lab.solver.core import LOWEST, MINE, UNIFORM, UNITED, CrowdAnswer, CrowdQuestion
from nimmt_lab.solver.matrix import solve_floats
from nimmt_lab.solver.open_position import action_of, fan_card_of

__all__ = [
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


#: The probability of each choice of a seat, preferably as fractions, for exact results. It is called once per position,
#: however that was reached, and may use rows, hands, markers and cards to be placed.
Policy = Callable[[GameState, Seat], Mapping[Choice, Fraction]]
Key = tuple[object, ...]
Number = TypeVar("Number", Fraction, float)

#: Enough for 3 players with 5 cards, 4 and 5 with 4, 6 with 3: seconds, or half a minute for a guarantee.
MOST_TURNS = 20_000_000
#: The same for engine states (two fan cards, custom policies), at a few thousand turns a second.
MOST_BY_ENGINE = 4_000_000


def uniform(state: GameState, seat: Seat) -> Mapping[Choice, Fraction]:
    """A uniformly random card; a low card takes the cheapest row (R-C4)."""
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
    """The core's number of a policy, if it knows it."""
    return UNIFORM if policy is uniform else LOWEST if policy is lowest else None


#: Cards in all hands together that the core accepts.
MOST_CARDS = 20


@dataclass(frozen=True)
class _Crowd:
    """A position that fits the core: between turns, at most one fan card, not too many cards."""

    state: GameState
    fan: tuple[int, int]

    @classmethod
    def of(cls, state: GameState) -> _Crowd | None:
        """The position, or None if it doesn't fit or there is no core."""
        game = _classic(state)
        sizes = {len(hand) for hand in state.hands}
        if native_core() is None or len(sizes) != 1 or game.players > 6:
            return None
        if len(state.rows) != 4 or game.row_limit != 5 or sum(map(len, state.hands)) > MOST_CARDS:
            return None
        try:
            return cls(state, fan_card_of(game, state))
        except Unsupported:  # for example, two fan cards: the engine plays them
            return None

    @property
    def cards_each(self) -> int:
        return len(self.state.hands[0])

    def _ask(self, seat: Seat, kinds: Sequence[int]) -> CrowdAnswer:
        game, core = _classic(self.state), native_core()
        assert core is not None
        heads = (0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1)))
        hands = tuple(tuple(sorted(hand)) for hand in self.state.hands)
        log2 = 19 if self.cards_each > 3 else 14  # positions with one card a hand are not stored
        return CrowdQuestion(self.state.rows, hands, heads, seat, tuple(kinds), self.fan).answer(core, log2)

    def _named(self, seat: Seat, results: Sequence[Number]) -> dict[Choice, Number]:
        """Map the core's results to choices, in the game's order."""
        options = self.state.pending[seat].options
        by_action = dict(zip(sorted(action_of(option, seat) for option in options), results, strict=True))
        return {option: by_action[action_of(option, seat)] for option in options}

    def response(self, seat: Seat, kinds: Sequence[int]) -> dict[Choice, Fraction]:
        """Expected heads of a seat for each choice, if everybody plays by ``kinds``."""
        answer = self._ask(seat, kinds)
        return self._named(seat, [Fraction(total, answer.ways) for total in answer.cards])

    def expected(self, seat: Seat, kinds: Sequence[int]) -> Fraction:
        """Expected heads of a seat if everybody plays by ``kinds``."""
        choices = self.response(seat, kinds)
        if kinds[seat] == LOWEST:
            return next(iter(choices.values()))
        return sum(choices.values(), Fraction(0)) / len(choices)

    def best(self, seat: Seat, kinds: Sequence[int]) -> Response:
        """A seat's best response if the others play by ``kinds``."""
        choices = self.response(seat, [MINE if other == seat else kind for other, kind in enumerate(kinds)])
        return Response(seat, min(choices.values()), choices, _caveat(self.state))

    def guarantee(self, seat: Seat) -> Guarantee:
        """Most heads a seat takes on average against all others united."""
        kinds = [MINE if other == seat else UNITED for other in range(len(self.state.hands))]
        answer = self._ask(seat, kinds)
        mix = self._named(seat, answer.mix)
        return Guarantee(seat, answer.heads, mix, (self.cards_each + 1) * answer.error, _caveat(self.state))


@dataclass(frozen=True)
class _MidTurn:
    """A position in which someone takes a row: the engine finishes the turn, the core answers for the rest."""

    state: GameState
    asked: Seat
    #: By row: heads of every seat in the rest of the turn, and the next position (None at the end of the round).
    rows: Mapping[Choice, tuple[tuple[int, ...], _Crowd | _MidTurn | None]]

    @classmethod
    def of(cls, state: GameState) -> _MidTurn | None:
        """The position, or None if the core can't continue from it."""
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
        """Every kind takes the cheapest row (R-C4)."""
        now, later = self.rows[_classic(self.state).cheapest_row(self.state)]
        return now[seat] + (later.expected(seat, kinds) if later else Fraction(0))

    def best(self, seat: Seat, kinds: Sequence[int]) -> Response:
        """A seat's best response if the others play by ``kinds``."""
        cheapest = _classic(self.state).cheapest_row(self.state)
        heads = {
            row: now[seat] + (later.best(seat, kinds).heads if later else Fraction(0))
            for row, (now, later) in self.rows.items()
            if seat == self.asked or row == cheapest
        }
        return Response(seat, min(heads.values()), heads if seat == self.asked else {}, _caveat(self.state))

    def guarantee(self, seat: Seat) -> Guarantee:
        """The best row for the seat, or the worst if another seat takes it."""
        later_on = {row: later.guarantee(seat) if later else None for row, (_, later) in self.rows.items()}
        heads = {
            row: now[seat] + (after.heads if after else 0.0)
            for (row, (now, _)), after in zip(self.rows.items(), later_on.values(), strict=True)
        }
        taken = (min if seat == self.asked else max)(heads, key=lambda row: heads[row])
        mix = {row: float(row == taken) for row in heads} if seat == self.asked else {}
        error = max((after.error for after in later_on.values() if after), default=0.0)
        return Guarantee(seat, heads[taken], mix, error, _caveat(self.state))


def _for_core(state: GameState) -> _Crowd | _MidTurn | None:
    return _MidTurn.of(state) if state.queue else _Crowd.of(state)


#: Caveat of every answer for three or more players.
NOT_UNIQUE = (
    "with three or more players equilibria are not unique, and worth different things to different players: "
    "no number here is the value of the position"
)


def _caveat(state: GameState) -> str:
    """The caveat, empty for two players, whose positions do have a value."""
    return NOT_UNIQUE if state.game.players > 2 else ""


@dataclass(frozen=True)
class Response:
    """A best response: expected own heads, overall and by choice. ``caveat``: equilibria are not unique."""

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
    """The paranoid answer: at most ``heads`` heads on average with this mix; ``error`` bounds rounding."""

    seat: Seat
    heads: float
    strategy: Mapping[Choice, float]
    error: float
    caveat: str = ""


@dataclass(frozen=True)
class Exploitability:
    """Expected heads of each seat under a profile, and with its best response."""

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
    """Upper bound on the turns to play: the product of the ways to play all hands, without row choices."""
    game = _classic(state)
    special = [0] * game.players
    if game.fan_cards:
        for seat, hand in enumerate(state.hands):
            special[seat] = len(game.special_plays(state, seat, hand))
    sizes = [len(hand) for hand in state.hands]

    def lines(size: int, ways: int, turns: int) -> int:
        """Orders of `size` cards, one of which may be played in its other way."""
        orders = perm(size, turns)
        return orders + orders * turns * ways // size if size else 1

    return sum(
        prod(lines(size, ways, min(turns, size)) for size, ways in zip(sizes, special, strict=True))
        for turns in range(1, max(sizes, default=0) + 1)
    )


def expected_heads(state: GameState, policies: Sequence[Policy]) -> tuple[Fraction, ...]:
    """Expected heads of every seat to the end of the round under these policies.

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
    """The same on engine states, for any policies."""
    known: dict[Key, tuple[Fraction, ...]] = {}

    def after(state: GameState) -> tuple[Fraction, ...]:
        key = _key(state)
        if key not in known:
            totals = [Fraction(0)] * state.game.players
            for chance, choices in _joint(state, policies, state.pending):
                next_state, events = state.choose(choices)
                over = next_state.is_past_round(state.round)
                later = [Fraction(0)] * len(totals) if over else after(next_state)
                for seat in range(len(totals)):
                    totals[seat] += chance * (_heads(events, seat) + later[seat])
            known[key] = tuple(totals)
        return known[key]

    return after(state)


def best_response(state: GameState, seat: Seat, policies: Sequence[Policy]) -> Response:
    """The fewest heads a seat can take on average against the others' policies (its own entry is ignored)."""
    crowd = _check(state, policies, seat)
    if crowd is not None:
        return crowd.best(seat, [_kind(policy) or UNIFORM for policy in policies])
    return response_by_engine(state, seat, policies)


def response_by_engine(state: GameState, seat: Seat, policies: Sequence[Policy]) -> Response:
    """The same on engine states, for any policies."""
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
    """How much each seat could save by a best response to the others' policies."""
    heads = expected_heads(state, policies)
    best = tuple(best_response(state, s, policies).heads for s in range(len(heads)))
    return Exploitability(heads, best, _caveat(state))


def paranoid(state: GameState, seat: Seat) -> Guarantee:
    """The most heads a seat takes, on average, with best play against all others united."""
    crowd = _check(state, None, seat)
    if crowd is None:
        return paranoid_by_engine(state, seat)
    return crowd.guarantee(seat)


def _settle(table: list[list[float]]) -> tuple[float, list[float], float]:
    """Solve a table of negative heads: my heads, my mix, and the error of both."""
    best = max(range(len(table)), key=lambda i: min(table[i]))
    least = min(map(max, zip(*table, strict=True)))
    if min(table[best]) >= least:
        return -least, [float(i == best) for i in range(len(table))], 0.0
    solution = solve_floats(table)
    return -solution.value, list(solution.row), solution.gap


def paranoid_by_engine(state: GameState, seat: Seat) -> Guarantee:
    """The same on engine states, with any fan cards."""
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
        # I am the row player and want few heads, so entries are negative heads.
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
    """Reject unanswerable questions; return the position for the core if that can answer."""
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
        raise RulesError("solver.up_turns_would", most=Figure(turns), limit=Figure(limit))
    return crowd


def _joint(
    state: GameState, policies: Sequence[Policy], pending: Mapping[Seat, Decision]
) -> list[tuple[Fraction, dict[Seat, Choice]]]:
    """All joint choices of these seats, with probabilities."""
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


def _heads(events: Sequence[Event], seat: Seat) -> int:
    return sum(event.heads for event in events if isinstance(event, RowTaken) and event.seat == seat)


def _key(state: GameState) -> Key:
    return state.rows, state.hands, state.extra, state.queue
