"""The value of an open two-player position, the reasons for it, and how it changed during a game."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film, film_of
from nimmt_lab.engine.asked import open_state
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.record import Choices, Record
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.judgement import NOTHING, number

from .base import Work
from .board import BoardScreen, frame_number

if TYPE_CHECKING:
    from nimmt_lab.study import Solution

#: Seconds of the first search, whose result is shown at once, and of each later slice; memory of the solver's tables.
FIRST: Final = 0.3
SLICE: Final = 0.5
MEMORY: Final = 1 << 29
#: The message for an unsolved position: its search is running, was stopped, or ran out of time.
UNSOLVED: Final = {"running": "solver_so_far", "stopped": "solver_stopped", "time": "solver_open"}
#: The same before a sentence that has an estimate.
STATUS: Final = {"running": "solver_running", "stopped": "solver_halted", "time": "solver_no_time"}


class SolverScreen(BoardScreen):
    """The payoff matrix of the turn, both optimal mixes, the regret of each choice, and the expected result.

    Give a state, the text of a position, or a record to step through its decisions. `seconds` is the time limit for
    one position; what is not solved by then is shown as bounds. An unfinished game is searched while it is on show:
    after a short first search, `search` narrows the bounds in slices. Stopping keeps the bounds, and a later search
    continues from them.
    """

    module: ClassVar[str] = "solver_panel"
    settable: ClassVar[tuple[str, ...]] = ("at",)

    def __init__(
        self,
        what: Record | GameState | Position | str,
        *,
        at: int = 0,
        players: int | None = None,
        game: Game | str | None = None,
        seconds: float | None = 10.0,
        names: Mapping[Seat, str] | None = None,
        lang: str = "en",
        progress: bool = True,
    ) -> None:
        # Imported late: the solver is compiled.
        from nimmt_lab.solver.exact import Searcher
        from nimmt_lab.study import review

        self._seconds, self._searcher = seconds, Searcher(MEMORY)
        self._open: GameState | None = None
        #: Seconds left for the next search; the first one has spent `FIRST` already.
        self._left = seconds if seconds is None or seconds <= FIRST else seconds - FIRST
        shown: list[tuple[GameState, Choices, Solution | None, bool]] = []
        if isinstance(what, Record):
            film = film_of(what, lang=lang, names=names)
            judged = review(what, method="solver", seconds=seconds, progress=progress)
            turning = {reviewed.ply for reviewed in judged.turning_points}
            shown += [(m.step.before, m.step.choices, m.solution, m.ply in turning) for m in judged.steps]
            plies = [reviewed.ply for reviewed in judged.steps]
            state, ply = what.final, len(what.steps)
        else:
            state = open_state(what, players=players, game=game)
            film = Film(state.game, lang=lang, names=names)
            film.position(state)
            plies, ply = [], 0
        if (state.rows and not state.is_over) or not shown:  # an unfinished game: what to choose now
            self._open = state
            shown.append((state, {}, self._look(FIRST if seconds is None else min(FIRST, seconds)), False))
            plies.append(ply)
        self._tell = tell = Teller(film.words)
        scene = film.scene()
        frames = {frame["ply"]: frame for frame in film.frames if isinstance(frame, dict) and "ply" in frame}
        moments = [tell.moment(*one) for one in shown]
        has_more_time = seconds is None or seconds > FIRST
        if self._open is not None and has_more_time:
            moments[-1] = tell.moment(*shown[-1], "running")
        self._last = shown[-1][2]
        scene["frames"] = [
            {**frames[ply], "text": moment["text"], "rule_name": "", "focus": None, "trap": None}
            for ply, moment in zip(plies, moments, strict=True)
        ]
        scene["solver"] = [*moments]
        at, more = frame_number(at, len(moments)), self._is_open(shown[-1][2])
        super().__init__(scene=scene, at=at, live=True, running=False, more=more)
        if self._emit is not None and has_more_time:  # already on show, in a notebook's cell
            self.search()

    @property
    def running(self) -> bool:
        return self.data["running"] is True

    @property
    def more(self) -> bool:
        """Whether a search could narrow the bounds further."""
        return self.data["more"] is True

    def _look(self, seconds: float) -> Solution:
        from nimmt_lab.study import solve_position

        assert self._open is not None
        return solve_position(self._open, seconds=seconds, searcher=self._searcher)

    def _is_open(self, solution: Solution | None) -> bool:
        return self._open is not None and solution is not None and not solution.exact

    def receive(self, message: Obj) -> None:
        """`search` or `stop`."""
        if message.get("type") == "stop":
            self.stop()
            self._show_last(running=False, stopped=True)
        elif message.get("type") == "search":
            self.search()
        else:
            super().receive(message)

    def search(self) -> None:
        """Search for another `seconds`, unless a search is running or the position is solved."""
        if self.more and not self.running:
            self._show_last(running=True)
            self.work(self._narrow())

    def _narrow(self) -> Work:
        left, self._left = self._left, self._seconds
        yield
        while left is None or left > 0:
            solution = self._look(SLICE if left is None else min(SLICE, left))
            left = None if left is None else left - SLICE
            going = not solution.exact and not solution.interrupted and (left is None or left > 0)
            self._show_last(solution, running=going)
            if not going:
                return
            yield

    def _show_last(self, solution: Solution | None = None, *, running: bool, stopped: bool = False) -> None:
        """Show the open position as it is known now; `stopped`: by a person, not by the clock."""
        self._last = solution = solution or self._last
        assert self._open is not None
        ended = "running" if running else "stopped" if stopped else "time"
        moment = self._tell.moment(self._open, {}, solution, False, ended)
        frames: list[Json] = [*self.frames[:-1], {**self.frames[-1], "text": moment["text"]}]
        scene: Obj = {**self.scene, "frames": frames, "solver": [*self.scene["solver"][:-1], moment]}
        self.show(scene=scene, running=running, more=self._is_open(solution))


class Teller:
    """Solutions as plain JSON, with their sentences."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def percent(self, chance: float) -> str:
        return written(chance, ".0%", self.words.lang)

    def number(self, lo: float, hi: float, *, sign: bool = False) -> str:
        if hi - lo >= NOTHING:
            return f"{self.number(lo, lo, sign=sign)} … {self.number(hi, hi, sign=sign)}"
        shown = number((lo + hi) / 2, self.words)
        return f"+{shown}" if sign and not shown.startswith("−") and (lo + hi) / 2 >= NOTHING else shown

    def moment(
        self, state: GameState, chosen: Choices, solution: Solution | None, turning: bool, ended: str = "time"
    ) -> dict[str, Any]:
        """One decision; `ended` is the reason why it is not solved (a key of `UNSOLVED`)."""
        label = f"{state.round + 1}/{state.turn + 1}"
        if solution is None:
            return {
                "label": label, "text": self.words("solver_not_looked_at"), "exact": False, "expected": None,
                "estimate": None, "turning": False, "seats": [], "matrix": None,
            }  # fmt: skip
        taken = state.game.heads_in(state.piles[1]) - state.game.heads_in(state.piles[0])
        lo, hi = taken + solution.bounds.lo, taken + solution.bounds.hi
        return {
            "label": label,
            "text": self._sentence(lo, hi, solution, ended),
            "exact": solution.exact,
            "expected": [lo, hi, self.number(lo, hi, sign=True)],
            "estimate": None if solution.estimate is None else taken + solution.value,
            "turning": turning,
            "seats": [self._seat(seat, state, chosen.get(seat), solution) for seat in solution.strategies],
            "matrix": None if state.queue else self._matrix(solution, chosen, taken),
        }

    def _sentence(self, lo: float, hi: float, solution: Solution, ended: str) -> str:
        words = self.words
        if not solution.exact:
            least, most = number(lo, self.words), number(hi, self.words)
            if solution.interrupted and ended == "time":
                ended = "stopped"
            if solution.estimate is None or solution.estimate_error is None:
                said = [words(UNSOLVED[ended], who=words.who(0), least=least, most=most)]
            else:
                about = number((lo - solution.bounds.lo) + solution.estimate, words)
                error = number(solution.estimate_error, words)
                sure = words("solver_about", who=words.who(0), least=least, most=most, heads=about, error=error)
                said = [words(STATUS[ended]), sure]
        elif abs(lo + hi) / 2 < NOTHING:
            said = [words("solver_level")]
        else:
            who = words.who(0 if lo + hi > 0 else 1)
            said = [words("solver_ahead", who=who, heads=number(abs(lo + hi) / 2, self.words))]
        for seat, mix in solution.strategies.items():
            parts = [(solution.name(choice), chance) for choice, chance in mix.items() if chance >= NOTHING]
            mixed = ", ".join(f"{name} ({self.percent(chance)})" for name, chance in parts)
            support = solution.support.get(seat, "exact")
            if support == "nothing":
                said.append(words("solver_nothing", who=words.who(seat)))
            elif not solution.exact:
                sure = number((lo - solution.bounds.lo) + solution.guarantees[seat], self.words)
                said.append(words("solver_might", who=words.who(seat), mix=mixed))
                said.append(words("solver_rests_on_estimate") if support == "estimate" else "")
                said.append(words("solver_at_least" if seat == 0 else "solver_at_most", who=words.who(0), heads=sure))
                if (better := solution.better_by_estimate(seat)) is not None:
                    gain = number(solution.gain_by_estimate(seat), self.words)
                    said.append(words("solver_better", card=solution.name(better), heads=gain))
            elif len(parts) == 1:
                said.append(words("solver_plays", who=words.who(seat), card=parts[0][0]))
            else:
                said.append(words("solver_mixes", who=words.who(seat), mix=mixed))
        return " ".join(filter(None, said))

    def _seat(self, seat: Seat, state: GameState, chosen: Choice | None, solution: Solution) -> Json:
        options: list[Json] = []
        for choice, chance in solution.strategies[seat].items():
            regret = solution.regrets[seat][choice]
            loses = "" if regret.hi < NOTHING else self.number(*regret)
            options.append(
                {
                    "text": solution.name(choice),
                    "card": None if state.queue or not isinstance(choice, int) else choice,
                    "chance": chance,
                    "percent": "" if solution.support.get(seat) == "nothing" else self.percent(chance),
                    "regret": loses,
                    "loses": self.words("solver_loses", heads=loses) if loses else "",
                    "chosen": choice == chosen,
                }
            )
        support = solution.support.get(seat, "exact")
        return {"seat": seat, "who": self.words.who(seat), "support": support, "options": options}

    def _matrix(self, solution: Solution, chosen: Choices, taken: int) -> Json:
        """The payoffs as results of the round; `heat` is from -1 (best for B) to 1 (best for A)."""
        payoffs = solution.payoffs
        off = [abs(entry.middle - solution.value) for row in payoffs.values() for entry in row.values()]
        most = max(max(off), NOTHING)
        cells: list[Json] = [
            [
                {
                    "text": self.number(taken + entry.lo, taken + entry.hi, sign=True),
                    "heat": round((entry.middle - solution.value) / most, 3),
                    "mixed": min(solution.strategies[0][a], solution.strategies[1][b]) >= NOTHING,
                    "chosen": chosen.get(0) == a and chosen.get(1) == b,
                }
                for b, entry in row.items()
            ]
            for a, row in payoffs.items()
        ]
        rows: list[Json] = [solution.name(a) for a in payoffs]
        columns: list[Json] = [solution.name(b) for b in solution.strategies[1]]
        caption = self.words("solver_matrix", a=self.words.who(0), b=self.words.who(1))
        return {"rows": rows, "columns": columns, "cells": cells, "caption": caption}


def tables(moment: Mapping[str, Any]) -> str:
    """The figures of a decision as plain HTML."""

    def table(caption: str, lines: list[list[str]]) -> str:
        cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines)
        return f"<table><caption>{escape(caption)}</caption>{cells}</table>"

    matrix = moment["matrix"]
    parts = [f"<p>{escape(moment['text'])}</p>"]
    if matrix:
        lines = [["", *matrix["columns"]]]
        for name, row in zip(matrix["rows"], matrix["cells"], strict=True):
            lines.append([name, *(cell["text"] for cell in row)])
        parts.append(table(matrix["caption"], lines))
    for seat in moment["seats"]:
        parts.append(table(seat["who"], [[one["text"], one["percent"], one["loses"]] for one in seat["options"]]))
    return f'<div class="nimmt-fallback">{"".join(parts)}</div>'
