"""Which questions with a usual answer are worth asking: those where another answer changes what the turn costs."""

from __future__ import annotations

from collections.abc import Iterator

from nimmt_lab.boards.describe import Describer
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.state import GameState


def worth_asking(state: GameState, seat: Seat, describe: Describer) -> bool:
    """Whether an answer other than the usual one could leave its side better off after this turn, and couldn't be
    given later in the turn.

    >>> from nimmt_lab import Buffalo
    >>> from nimmt_lab.boards.describe import describer
    >>> from nimmt_lab.boards.words import board_words
    >>> from nimmt_lab.engine.cards import TEAM
    >>> game = Buffalo(players=2)
    >>> state = game.from_position("10 | 20 | 30 | 40 ; A: 55 1 ; B: 68 2 ; buffalo: 72 3 ; specials: stop push")
    >>> state, _ = state.choose({0: 55, 1: 68})
    >>> worth_asking(state, TEAM, describer(game, board_words("en")))  # nobody will take a row
    False
    """
    ahead = _Ahead(state, seat, describe)
    here, *later = _usual_course(state)
    best, open_here = ahead.found(here)
    if best == ahead.usual and not open_here:
        return False
    for other in later:
        if seat in other.pending:
            best_later, open_later = ahead.found(other)
            if best_later >= best:
                best = ahead.usual
            open_here -= open_later
    return best > ahead.usual or bool(open_here)


def _usual_course(state: GameState) -> list[GameState]:
    """The states of the turn from here on, as long as every question has its usual answer."""
    course, turn = [state], (state.round, state.turn)
    while (state.round, state.turn) == turn and state.pending:
        usual: dict[Seat, Choice] = {
            seat: decision.default for seat, decision in state.pending.items() if decision.default is not None
        }
        if len(usual) < len(state.pending):
            break
        state, _ = state.choose(usual)
        course.append(state)
    return course


class _Ahead:
    """By how much the side of a seat is ahead of where the usual course leads."""

    def __init__(self, state: GameState, seat: Seat, describe: Describer) -> None:
        self.seat, self.describe = seat, describe
        self.turn = (state.round, state.turn)
        self.now = self._lead(state)
        self.usual = self.after(state)

    def _lead(self, state: GameState) -> int:
        points = {seat: self.describe.points(state, seat, state.is_over) or 0 for seat in self.describe.seats()}
        own = points.pop(self.seat, 0)
        behind = sum(points.values()) - own
        return -behind if state.game.more_is_better else behind

    def after(self, state: GameState) -> int:
        return self._lead(_usual_course(state)[-1])

    def found(self, state: GameState) -> tuple[int, set[str]]:
        """The best that another answer leads to, and the answers of which nobody knows yet what they lead to."""
        best, unknown = self.usual, set[str]()
        for option in self._others(state):
            course = _usual_course(state.choose({self.seat: option})[0])
            last = course[-1]
            if (last.round, last.turn) == self.turn and self.seat not in last.pending and last.pending:
                # Somebody has to answer first: that matters where the usual course costs anything.
                if self.usual != self.now:
                    unknown.add(str(option))
            else:
                best = max(best, self._lead(last))
        return best, unknown

    def _others(self, state: GameState) -> Iterator[Choice]:
        decision = state.pending[self.seat]
        return (option for option in self.describe.listed(decision) if option != decision.default)
