"""``solve``: the public two-player solver.

>>> from nimmt_lab import Advanced
>>> state = Advanced(players=2).from_position("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
>>> solution = solve(state)
>>> solution.value, solution.fraction, solution.exact, solution.gap
(4.8, Fraction(24, 5), True, 0.0)
>>> solution.best(0)
12
"""

from __future__ import annotations

import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from nimmt_lab.engine.asked import open_state
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_seconds
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.estimate import ERRORS
from nimmt_lab.solver.exact import DETAILS, Progress, Report, RootProof, Searcher, TurnTable
from nimmt_lab.solver.matrix import column_values, row_values, solve_matrix
from nimmt_lab.solver.open_position import OpenPosition, heads_difference, two_player_game
from nimmt_lab.solver.proof import ExactTurn, Prover, TooMuchWork, choices_of
from nimmt_lab.solver.solution import SUPPORT, Bounds, LineStep, Solution, Unfinished, Worth

#: Cards a hand up to which the turn's whole table, or all regrets, are computed by default.
FULL_UP_TO, REGRETS_UP_TO = 7, 8
#: Largest hands whose value is proved as a fraction, and positions that may take (about a third of a second).
FRACTIONS_UP_TO, MOST_PROVED = 7, 300


def solve(
    position: GameState | Position | str,
    *,
    players: int | None = None,
    game: Game | str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    threads: int = 1,
    detail: str | None = None,
    progress: bool = False,
    searcher: Searcher | None = None,
) -> Solution:
    """Solve an open two-player position exactly, or as far as time allows.

    ``position`` is a state of the classic game or advanced mode (both hands are used, hidden or not), or the text of a
    position with both hands (of the classic game unless ``game`` says otherwise). It may be in mid-turn with a pending
    row choice, and may have one kind of fan card.

    ``seconds`` limits the search; it always answers, and ``exact`` says if the answer is final. An interrupt also gives
    an answer, and `Solution.search_on` continues from either. ``nodes`` limits the positions searched after the
    estimate: with one thread, that gives the same answer on every machine. ``memory`` bounds the tables, in bytes.
    ``threads`` share one table. ``detail`` is ``"bounds"``, ``"regrets"`` or ``"full"``: how much of the turn's table
    to make exact (by default as much as is cheap).
    ``searcher`` keeps tables between calls.

    >>> solution = solve("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8")
    >>> solution.value, solution.strategies
    (0.0, {0: {17: 1.0}, 1: {8: 1.0}})
    """
    state = open_state(position, players=players, game=game)
    check_seconds(seconds)
    if detail is not None and detail not in DETAILS:
        raise RulesError("shared.must_one_of", what="detail", known=", ".join(DETAILS), got=shown(detail))
    two_player_game(state)
    if state.is_over or not (any(state.hands) or state.queue):
        raise PositionError("solver.nothing_left")
    if nodes is not None and not (type(nodes) is int and nodes > 0):
        raise RulesError("solver.nodes", got=shown(nodes))
    used = searcher or Searcher(memory, threads)
    solution = _shown_solution(_Work(used, seconds, detail, nodes), state, progress)
    if solution.exact:
        return solution
    # A caller's searcher is the caller's to keep.
    return replace(solution, unfinished=Unfinished(weakref.ref(searcher) if searcher else lambda: used, detail))


def _shown_solution(work: _Work, state: GameState, progress: bool) -> Solution:
    if not progress:
        return work.solve(state, None)
    with _Bar() as bar:
        return work.solve(state, bar)


def search_on(solution: Solution, seconds: float | None, nodes: int | None, progress: bool) -> Solution:
    """The answer after searching further (see `Solution.search_on`)."""
    if solution.exact:
        return solution
    unfinished = solution.unfinished
    searcher = None if unfinished is None else unfinished.searcher()
    if unfinished is None or searcher is None:
        fresh = searcher = Searcher()
        unfinished = Unfinished(lambda: fresh, None if unfinished is None else unfinished.detail)
        if not solution.state.queue:
            searcher.remember(OpenPosition.of(solution.state), solution.bounds)
    later = _shown_solution(_Work(searcher, seconds, unfinished.detail, nodes), solution.state, progress)
    return replace(later, seconds=solution.seconds + later.seconds, unfinished=None if later.exact else unfinished)


def likely_line(solution: Solution, searcher: Searcher | None, seconds: float | None) -> tuple[LineStep, ...]:
    """The most likely play from a solved position (see `Solution.line`)."""
    work = _Work(searcher or Searcher(), seconds, "bounds")
    state, steps = solution.state, list[LineStep]()
    while True:
        best = {seat: solution.best(seat) for seat in solution.strategies}
        choices: Mapping[Seat, Choice] = {seat: choice for seat, choice in best.items() if choice is not None}
        if len(choices) < len(best):  # no supported choice: the line ends
            return tuple(steps)
        chance = prod(solution.strategies[seat][choice] for seat, choice in choices.items())
        after, events = state.choose(choices)
        heads = heads_difference(events)
        steps.append(LineStep(choices, chance, heads, solution.value, solution.exact))
        if after.is_past_round(state.round):
            return tuple(steps)
        state = after
        solution = work.solve(state, None)


class _Work:
    """Solves a series of positions on shared tables."""

    def __init__(self, searcher: Searcher, seconds: float | None, detail: str | None, nodes: int | None = None) -> None:
        self._searcher, self._seconds, self._detail, self._nodes = searcher, seconds, detail, nodes
        self._prover = Prover(searcher)

    def _with_share(self, parts: int) -> _Work:
        """The same with one of several equal parts of the limits."""
        seconds = None if self._seconds is None else self._seconds / parts
        return _Work(self._searcher, seconds, self._detail, None if self._nodes is None else -(-self._nodes // parts))

    def solve(self, state: GameState, report: Report | None) -> Solution:
        return self._row_choice(state, report) if state.queue else self._turn(state, report)

    def _turn(self, state: GameState, report: Report | None) -> Solution:
        opened = OpenPosition.of(state)
        detail = self._detail
        if detail is None:
            k = opened.cards_each
            detail = "full" if k <= FULL_UP_TO else "regrets" if k <= REGRETS_UP_TO else "bounds"
        started = time.monotonic()
        proof = self._searcher.prove(opened, seconds=self._seconds, nodes=self._nodes, detail=detail, report=report)
        exact = None
        if proof.complete and opened.cards_each <= FRACTIONS_UP_TO:
            self._prover.allow(MOST_PROVED, None if self._seconds is None else started + self._seconds)
            try:
                exact = self._in_fractions(state, proof.turn, detail)
            except KeyboardInterrupt:  # the value is valid; also report the interruption
                proof = replace(proof, interrupted=True)
        solution = _solution(state, proof, exact, time.monotonic() - started)
        # The mixes of an unfinished search may prove slightly more than the search itself; keep that.
        self._searcher.remember(opened, (solution.bounds.lo, solution.bounds.hi))
        return solution

    def _in_fractions(self, state: GameState, table: TurnTable, detail: str) -> ExactTurn | None:
        """The turn in fractions, if cheap relative to the search."""
        exact = None
        with suppress(TooMuchWork):
            exact = self._prover.turn(state, table)
            if detail == "full":
                self._prover.complete(state, table, exact)
        return exact

    def _row_choice(self, state: GameState, report: Report | None) -> Solution:
        """A low card: solve each row and pick the best for its player."""
        ((seat, decision),) = state.pending.items()
        sign = 1 if seat == 0 else -1
        worth: dict[Choice, tuple[Fraction, Fraction]] = {}
        now_and_then: dict[Choice, float] = {}
        estimated: dict[Choice, Worth] = {}
        solved: list[Solution] = []
        for option in decision.options:
            after, events = state.choose({seat: option})
            now = heads_difference(events)
            if after.is_past_round(state.round):
                worth[option] = Fraction(now), Fraction(now)
                now_and_then[option] = float(now)
                estimated[option] = Worth(Bounds.around(*worth[option]), float(now), 0.0)
                continue
            solution = self._with_share(len(decision.options)).solve(after, report)
            solved.append(solution)
            known = solution.fraction
            lo, hi = map(Fraction, solution.bounds) if known is None else (known, known)
            worth[option] = now + lo, now + hi
            within = Bounds.around(*worth[option])
            now_and_then[option] = about = min(max(now + solution.value, within.lo), within.hi)
            error = min(within.width, solution.estimate_error or 0.0)
            has_estimate = solution.exact or solution.estimate is not None
            estimated[option] = Worth(within, about, error) if has_estimate else Worth(within, None)
        best = max(worth, key=lambda option: sign * now_and_then[option])
        pick = max if sign > 0 else min
        lo, hi = pick(lo for lo, _ in worth.values()), pick(hi for _, hi in worth.values())
        bounds = Bounds.around(lo, hi)
        exact = all(solution.exact for solution in solved)
        value = float((lo + hi) / 2) if exact else min(max(now_and_then[best], bounds.lo), bounds.hi)
        has_estimate = not exact and all(about.estimate is not None for about in estimated.values())
        sure = worth[best][0 if sign > 0 else 1]
        weakest = max((SUPPORT.index(rests) for s in solved for rests in s.support.values()), default=0)
        return Solution(
            position=str(state.position),
            value=value,
            bounds=bounds,
            exact=exact,
            fraction=lo if exact and lo == hi else None,
            interrupted=any(solution.interrupted for solution in solved),
            strategies={seat: {option: float(option == best) for option in worth}},
            payoffs={option: {option: Bounds.around(*w)} for option, w in worth.items()},
            regrets={
                seat: {
                    option: _regret(lo - w[1], hi - w[0]) if sign > 0 else _regret(w[0] - hi, w[1] - lo)
                    for option, w in worth.items()
                }
            },
            gap=float(hi - lo),
            states=sum(solution.states for solution in solved),
            nodes=sum(solution.nodes for solution in solved),
            seconds=sum(solution.seconds for solution in solved),
            memory=self._searcher.memory,
            state=state,
            estimate=value if has_estimate else None,
            estimate_error=estimated[best].error if has_estimate else None,
            worth={seat: estimated},
            guarantees={seat: Bounds.around(sure, sure)[0 if sign > 0 else 1]},
            support={seat: SUPPORT[0 if exact else weakest]},
        )


def _solution(state: GameState, proof: RootProof, exact: ExactTurn | None, seconds: float) -> Solution:
    table = proof.turn
    choices = choices_of(state, table)
    rows, columns = range(len(choices[0])), range(len(choices[1]))
    lo, hi = Fraction(proof.lo), Fraction(proof.hi)
    if exact is None:
        x, y = ([Fraction(chance) for chance in mix] for mix in table.mixes)
    else:
        lo = hi = exact.value
        x, y = (
            [mix.get(at, Fraction(0)) for at in part] for mix, part in zip(exact.mixes, (rows, columns), strict=True)
        )
    known: dict[tuple[int, int], Fraction] = {} if exact is None else exact.entries
    lows, highs = (
        [[known[i, j] if (i, j) in known else Fraction(part[i][j]) for j in columns] for i in rows]
        for part in (table.lows, table.highs)
    )
    guessed = None if proof.guessed is None else _Guessed.within(proof.guessed, lows, highs)
    support = ["exact", "exact"]
    if not proof.complete:
        shown = _shown(proof, lows, highs, guessed)
        x, y, support = list(shown[0].mix), list(shown[1].mix), [strategy.rests_on for strategy in shown]
        lo, hi = max(lo, shown[0].proved), min(hi, shown[1].proved)
    # Least and greatest payoff of each choice against the other's mix.
    earns_a = list(zip(row_values(lows, y), row_values(highs, y), strict=True))
    earns_b = list(zip(column_values(lows, x), column_values(highs, x), strict=True))
    gap = float(max(hi for _, hi in earns_a) - min(lo for lo, _ in earns_b))
    bounds = Bounds.around(lo, hi)
    value = float((lo + hi) / 2)
    estimate = None if guessed is None else min(max(float(guessed.value), bounds.lo), bounds.hi)
    if not proof.complete and estimate is not None:
        value = estimate
    worth = _worth(choices, (earns_a, earns_b), guessed, (x, y), typical_error(state, proof)[1])
    sure = min(lo for lo, _ in earns_b), max(hi for _, hi in earns_a)
    return Solution(
        position=str(state.position),
        value=value,
        bounds=bounds,
        exact=proof.complete and gap <= MOST_GAP,
        fraction=None if exact is None else exact.value,
        interrupted=proof.interrupted,
        strategies={seat: dict(zip(choices[seat], map(float, mix), strict=True)) for seat, mix in ((0, x), (1, y))},
        payoffs={
            a: {b: Bounds.around(lows[i][j], highs[i][j]) for j, b in enumerate(choices[1])}
            for i, a in enumerate(choices[0])
        },
        regrets={
            0: {a: _regret(lo - earns_a[i][1], hi - earns_a[i][0]) for i, a in enumerate(choices[0])},
            1: {b: _regret(earns_b[j][0] - hi, earns_b[j][1] - lo) for j, b in enumerate(choices[1])},
        },
        gap=max(gap, 0.0),
        states=proof.states,
        nodes=proof.nodes,
        seconds=seconds,
        memory=proof.memory,
        state=state,
        estimate=estimate,
        estimate_error=None if estimate is None else min(typical_error(state, proof)[0], bounds.width),
        worth=worth,
        guarantees={0: Bounds.around(sure[0], sure[0]).lo, 1: Bounds.around(sure[1], sure[1]).hi},
        support=dict(enumerate(support)),
    )


@dataclass(frozen=True)
class _Guessed:
    """The estimated matrix game of a turn within everything certain, and its solution.

    It is solved again, so that the mixes fit the entries: no choice is worth more than those the mix plays.
    """

    entries: list[list[Fraction]]
    value: Fraction
    mixes: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]

    @classmethod
    def within(cls, table: TurnTable, lows: list[list[Fraction]], highs: list[list[Fraction]]) -> _Guessed:
        entries = [
            [min(max(Fraction(guess), lo), hi) for guess, lo, hi in zip(*row, strict=True)]
            for row in zip(table.lows, lows, highs, strict=True)
        ]
        solved = solve_matrix(entries)
        return cls(entries, solved.value, (solved.row, solved.column))


def _worth(
    choices: Sequence[Sequence[Choice]],
    earns: tuple[list[tuple[Fraction, Fraction]], list[tuple[Fraction, Fraction]]],
    guessed: _Guessed | None,
    mixes: tuple[list[Fraction], list[Fraction]],
    error: float,
) -> dict[Seat, dict[Choice, Worth]]:
    """What each choice of A and B earns against the other's mix: certain bounds, and an estimate inside them."""
    guesses: tuple[Sequence[Fraction | None], Sequence[Fraction | None]]
    guesses = [None] * len(choices[0]), [None] * len(choices[1])
    if guessed is not None:
        guesses = row_values(guessed.entries, mixes[1]), column_values(guessed.entries, mixes[0])
    worth: dict[Seat, dict[Choice, Worth]] = {}
    for seat in (0, 1):
        worth[seat] = {}
        for choice, (lo, hi), guess in zip(choices[seat], earns[seat], guesses[seat], strict=True):
            bounds = Bounds.around(lo, hi)
            if guess is None:
                worth[seat][choice] = Worth(bounds, None)
            else:
                about = min(max(float(guess), bounds.lo), bounds.hi)
                worth[seat][choice] = Worth(bounds, about, min(error, bounds.width))
    return worth


def typical_error(state: GameState, proof: RootProof) -> tuple[float, float]:
    """The mean error of estimates such as this one: of the position and of a choice, in heads."""
    return (0.0, 0.0) if proof.cut is None else ERRORS[len(state.hands[0]), proof.cut]


@dataclass(frozen=True)
class _Shown:
    """A strategy for an unsolved turn, the best guarantee of any mix, and its support."""

    mix: tuple[Fraction, ...]
    proved: Fraction
    rests_on: str


#: A mix counts as certified if no other can guarantee this many heads more.
CLOSE = 1


def _shown(
    proof: RootProof, lows: list[list[Fraction]], highs: list[list[Fraction]], guessed: _Guessed | None
) -> tuple[_Shown, _Shown]:
    """For A and B: the mix whose guarantee is close to the best possible, or the estimate's."""
    # The worst case, so guaranteeing it means nothing.
    nothing = min(min(row) for row in lows), max(max(row) for row in highs)
    chosen = []
    for seat in (0, 1):
        sign = 1 if seat == 0 else -1

        def guarantee(mix: Sequence[Fraction], seat: int = seat) -> Fraction:
            return min(column_values(lows, mix)) if seat == 0 else max(row_values(highs, mix))

        best: tuple[Fraction, ...] = ()
        proved = nothing[seat]
        for candidate in [*proof.candidates[seat], proof.turn.mixes[seat]]:
            mix = _whole(candidate)
            sure = guarantee(mix)
            if not best or sign * sure > sign * proved:
                best, proved = mix, sure
        other_end = Fraction(proof.hi if seat == 0 else proof.lo)
        if sign * (other_end - proved) > CLOSE and guessed is not None:
            mix = guessed.mixes[seat]
            chosen.append(_Shown(mix, sign * max(sign * proved, sign * guarantee(mix)), "estimate"))
        else:
            chosen.append(_Shown(best, proved, "certified" if sign * proved > sign * nothing[seat] else "nothing"))
    return chosen[0], chosen[1]


def _whole(mix: Sequence[float]) -> tuple[Fraction, ...]:
    """Rescale probabilities to sum to exactly 1."""
    chances = [Fraction(chance) for chance in mix]
    total = sum(chances, Fraction(0))
    return tuple(chance / total for chance in chances)


#: Largest gap between the best replies of a result called exact.
MOST_GAP = 2e-6


def _regret(least: Fraction, most: Fraction) -> Bounds:
    return Bounds.around(max(Fraction(0), least), max(Fraction(0), most))


def _told(progress: Progress) -> str:
    lo, hi = progress.bounds
    about = "" if progress.estimate is None else f"about {min(max(progress.estimate, lo), hi):+.2f}, "
    return f"{about}value in [{lo:+.3f}, {hi:+.3f}]"


class _Bar:
    """A progress bar in a notebook or terminal if tqdm is installed; otherwise a line on standard error."""

    def __enter__(self) -> Report:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
            return self._print
        self._bar = tqdm(unit=" positions", unit_scale=True)
        return self._show

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _show(self, progress: Progress) -> None:
        assert self._bar is not None
        self._bar.n = progress.states
        self._bar.set_postfix_str(_told(progress))

    def _print(self, progress: Progress) -> None:
        if progress.seconds >= getattr(self, "_next", 10.0):
            self._next = progress.seconds + 10.0
            print(f"{progress.seconds:.0f} s, {progress.states:,} positions, {_told(progress)}", file=sys.stderr)
