"""``solve``: the two-player solver as people use it.

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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.limits import check_seconds
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.solver.exact import DETAILS, Progress, Report, RootProof, Searcher, TurnTable
from nimmt_lab.solver.matrix import column_values, row_values
from nimmt_lab.solver.open_position import OpenPosition, heads_difference, two_player_game
from nimmt_lab.solver.proof import ExactTurn, Prover, TooMuchWork, choices_of
from nimmt_lab.solver.solution import SUPPORT, Bounds, LineStep, Solution, Worth

#: Cards a hand up to which the whole table of the turn, or all regrets, are worked out unless said otherwise.
FULL_UP_TO, REGRETS_UP_TO = 7, 8
#: Cards a hand up to which the value is proved as a fraction, and how many positions that may take: a third of a
#: second or so. (`Prover` goes on for as long as it takes.)
FRACTIONS_UP_TO, MOST_PROVED = 7, 300


def solve(
    position: GameState | str,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    detail: str | None = None,
    progress: bool = False,
    searcher: Searcher | None = None,
) -> Solution:
    """Solve an open two-player position exactly, or as far as the time given allows.

    ``position`` is a state of the classic game or advanced mode (both hands are used, hidden or not), or position
    text, which is read as advanced mode. It may be in the middle of a turn, with a low card's row to be chosen, and
    may have one kind of fan card.

    ``seconds`` limits the search: it always answers, and says in ``exact`` whether it is the whole truth. Pressing
    the interrupt key gives an answer, too. ``memory`` bounds the tables, in bytes. ``threads`` share one table.
    ``detail`` is ``"bounds"``, ``"regrets"`` or ``"full"``: how much of the turn's table is made exact (as much as is
    cheap, unless said). ``searcher`` keeps tables from one call to the next.

    >>> solution = solve("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8")
    >>> solution.value, solution.strategies
    (0.0, {0: {17: 1.0}, 1: {8: 1.0}})
    """
    state = Advanced(players=2).from_position(position) if isinstance(position, str) else position
    check_seconds(seconds)
    if detail is not None and detail not in DETAILS:
        raise RulesError("shared.must_one_of", what="detail", known=", ".join(DETAILS), got=shown(detail))
    two_player_game(state)
    if state.is_over or not (any(state.hands) or state.queue):
        raise PositionError("solver.nothing_left")
    work = _Work(searcher or Searcher(memory, threads), seconds, detail)
    if not progress:
        return work.solve(state, None)
    with _Bar() as bar:
        return work.solve(state, bar)


def likely_line(solution: Solution, searcher: Searcher | None, seconds: float | None) -> tuple[LineStep, ...]:
    """The most likely play by both from a solved position on (see `Solution.line`)."""
    work = _Work(searcher or Searcher(), seconds, "bounds")
    state, steps = solution.state, list[LineStep]()
    while True:
        best = {seat: solution.best(seat) for seat in solution.strategies}
        choices: Mapping[Seat, Choice] = {seat: choice for seat, choice in best.items() if choice is not None}
        if len(choices) < len(best):  # nothing supports any choice here: the line ends
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
    """Solves positions one after the other on one set of tables."""

    def __init__(self, searcher: Searcher, seconds: float | None, detail: str | None) -> None:
        self._searcher, self._seconds, self._detail = searcher, seconds, detail
        self._prover = Prover(searcher)

    def solve(self, state: GameState, report: Report | None) -> Solution:
        return self._row_choice(state, report) if state.queue else self._turn(state, report)

    def _turn(self, state: GameState, report: Report | None) -> Solution:
        opened = OpenPosition.of(state)
        detail = self._detail
        if detail is None:
            k = opened.cards_each
            detail = "full" if k <= FULL_UP_TO else "regrets" if k <= REGRETS_UP_TO else "bounds"
        started = time.monotonic()
        proof = self._searcher.prove(opened, seconds=self._seconds, detail=detail, report=report)
        exact = None
        if proof.complete and opened.cards_each <= FRACTIONS_UP_TO:
            self._prover.allow(MOST_PROVED, None if self._seconds is None else started + self._seconds)
            try:
                exact = self._in_fractions(state, proof.turn, detail)
            except KeyboardInterrupt:  # the value stands; that somebody wanted to stop is said, too
                proof = replace(proof, interrupted=True)
        solution = _solution(state, proof, exact, time.monotonic() - started)
        # The mixes of an unfinished search may prove a little more than the search itself: nothing of it is lost.
        self._searcher.remember(opened, (solution.bounds.lo, solution.bounds.hi))
        return solution

    def _in_fractions(self, state: GameState, table: TurnTable, detail: str) -> ExactTurn | None:
        """The turn in fractions, if that is little work beside the search."""
        exact = None
        with suppress(TooMuchWork):
            exact = self._prover.turn(state, table)
            if detail == "full":
                self._prover.complete(state, table, exact)
        return exact

    def _row_choice(self, state: GameState, report: Report | None) -> Solution:
        """A card that fits nowhere: each row in turn, then what follows; the best one for its player."""
        ((seat, decision),) = state.pending.items()
        sign = 1 if seat == 0 else -1
        worth: dict[Choice, tuple[Fraction, Fraction]] = {}
        now_and_then: dict[Choice, float] = {}
        solved: list[Solution] = []
        for option in decision.options:
            after, events = state.choose({seat: option})
            now = heads_difference(events)
            if after.is_past_round(state.round):
                worth[option] = Fraction(now), Fraction(now)
                now_and_then[option] = float(now)
                continue
            share = None if self._seconds is None else self._seconds / len(decision.options)
            solution = _Work(self._searcher, share, self._detail).solve(after, report)
            solved.append(solution)
            known = solution.fraction
            lo, hi = map(Fraction, solution.bounds) if known is None else (known, known)
            worth[option] = now + lo, now + hi
            now_and_then[option] = now + solution.value
        best = max(worth, key=lambda option: sign * now_and_then[option])
        pick = max if sign > 0 else min
        lo, hi = pick(lo for lo, _ in worth.values()), pick(hi for _, hi in worth.values())
        bounds = Bounds.around(lo, hi)
        exact = all(solution.exact for solution in solved)
        values = {option: now_and_then[option] for option in worth}
        value = float((lo + hi) / 2) if exact else min(max(values[best], bounds.lo), bounds.hi)
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
            estimate=None if exact or any(s.estimate is None and not s.exact for s in solved) else value,
            worth={seat: {o: Worth(Bounds.around(*w), now_and_then[o]) for o, w in worth.items()}},
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
    support = ["exact", "exact"]
    if not proof.complete:
        shown = _shown(proof, lows, highs)
        x, y, support = list(shown[0].mix), list(shown[1].mix), [one.rests_on for one in shown]
        lo, hi = max(lo, shown[0].proved), min(hi, shown[1].proved)
    # What each choice earns at least and at most against the other's mix.
    earns_a = list(zip(row_values(lows, y), row_values(highs, y), strict=True))
    earns_b = list(zip(column_values(lows, x), column_values(highs, x), strict=True))
    gap = float(max(hi for _, hi in earns_a) - min(lo for lo, _ in earns_b))
    bounds = Bounds.around(lo, hi)
    value = float((lo + hi) / 2)
    if not proof.complete and proof.estimate is not None:
        value = min(max(proof.estimate, bounds.lo), bounds.hi)
    guessed = [[None] * len(rows), [None] * len(columns)] if proof.guessed is None else _guessed(proof.guessed)
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
        estimate=proof.estimate,
        worth={
            seat: {
                choice: Worth(Bounds.around(*earns[at]), guessed[seat][at]) for at, choice in enumerate(choices[seat])
            }
            for seat, earns in ((0, earns_a), (1, earns_b))
        },
        guarantees={0: Bounds.around(sure[0], sure[0]).lo, 1: Bounds.around(sure[1], sure[1]).hi},
        support=dict(enumerate(support)),
    )


@dataclass(frozen=True)
class _Shown:
    """A strategy to show for a turn that is not solved, the most that any mix proved, and what it rests on."""

    mix: tuple[Fraction, ...]
    proved: Fraction
    rests_on: str


#: A mix is shown on the strength of what it guarantees if no other strategy can guarantee so many heads more.
CLOSE = 1


def _shown(proof: RootProof, lows: list[list[Fraction]], highs: list[list[Fraction]]) -> tuple[_Shown, _Shown]:
    """For A and for B: the mix whose guarantee is close to the best possible, or the one that the estimate suggests."""
    # No more can be lost than that, so to guarantee it is to guarantee nothing.
    nothing = min(min(row) for row in lows), max(max(row) for row in highs)
    found = []
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
        if sign * (other_end - proved) > CLOSE and proof.guessed is not None:
            found.append(_Shown(_whole(proof.guessed.mixes[seat]), proved, "estimate"))
        else:
            found.append(_Shown(best, proved, "certified" if sign * proved > sign * nothing[seat] else "nothing"))
    return found[0], found[1]


def _whole(mix: Sequence[float]) -> tuple[Fraction, ...]:
    """Chances that add up to one exactly."""
    chances = [Fraction(chance) for chance in mix]
    total = sum(chances, Fraction(0))
    return tuple(chance / total for chance in chances)


def _guessed(table: TurnTable) -> list[list[float | None]]:
    """What each choice of A and of B is worth by the estimate, against the other's mix of it."""
    middle = [
        [(lo + hi) / 2 for lo, hi in zip(*rows, strict=True)] for rows in zip(table.lows, table.highs, strict=True)
    ]
    x, y = table.mixes
    return [list(row_values(middle, y)), list(column_values(middle, x))]


#: A result is called exact only if the best replies to both strategies are so close.
MOST_GAP = 2e-6


def _regret(least: Fraction, most: Fraction) -> Bounds:
    return Bounds.around(max(Fraction(0), least), max(Fraction(0), most))


def _told(progress: Progress) -> str:
    lo, hi = progress.bounds
    about = "" if progress.estimate is None else f"about {min(max(progress.estimate, lo), hi):+.2f}, "
    return f"{about}value in [{lo:+.3f}, {hi:+.3f}]"


class _Bar:
    """A progress bar in a notebook or a terminal, where tqdm is installed; otherwise a line on standard error."""

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
