"""`advise`: what should this seat choose now, with the other hands hidden?

>>> found = advise("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38", players=3, playouts=400)
>>> found.best, found.seat, found.until
(38, 0, 'round')
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

from nimmt_lab.engine import asked
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_count, check_seconds
from nimmt_lab.engine.rng import Rng, check_seed

from .advice import Advice, Promise
from .base import needed
from .search import GOALS, MOST_PLAYOUTS
from .second import BestBot

#: Playouts for each option, and searches that share them: after each, an interrupt or the clock may end the call.
PLAYOUTS = 20_000
SLICES = 20


def advise(
    table: asked.Table,
    *,
    players: int | None = None,
    opponents: int | None = None,
    seen: Iterable[Card] | str = (),
    seat: Seat | str | None = None,
    game: Game | str | None = None,
    goal: str = "heads",
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    seed: int = 0,
) -> Advice:
    """Evaluate every option of a seat by search, from what it can see. Hands that are not in the text are hidden.

    `table`: the text of a position (see `nimmt_lab.engine.asked` for its game and players), a state or a view.
    `seen`: cards in nobody's hand now, such as those of rows taken earlier; `opponents` is `players` - 1.
    `goal`: rank by expected `heads` of the round, or by the chance to `win` it.
    `playouts`: for each option. `seconds`: a time limit. An interrupt, too, returns what is known by then, with wider
    intervals; before the first slice is done, it propagates.
    """
    if goal not in GOALS:
        raise RulesError("shared.must_one_of", what="goal", known=", ".join(GOALS), got=shown(goal))
    check_count(playouts, "playouts", 1, MOST_PLAYOUTS)
    check_seconds(seconds)
    check_seed(seed)
    view = asked.view_of(
        table, seat=seat, players=players, opponents=opponents, seen=asked.cards_named(seen), game=game
    )
    needed(view)
    count = min(SLICES, max(1, playouts // 100))
    bot = BestBot(max(1, playouts // count), goal)
    slices: list[Advice] = []
    ends = None if seconds is None else time.monotonic() + seconds
    try:
        for at in range(count):
            also = tuple(promise.option for promise in slices[0]) if slices else ()
            slices.append(bot.advise(view, seed=Rng.from_seed(seed, at).state, also=also))
            if slices[-1].is_exact or (ends is not None and time.monotonic() >= ends):
                break
    except KeyboardInterrupt:
        if not slices:
            raise
    found = _together(slices, bot)
    return replace(found, view=view, is_complete=len(slices) == count or found.is_exact)


def _together(slices: list[Advice], bot: BestBot) -> Advice:
    """The mean of several searches of one view, best option first."""
    first = slices[0]
    if len(slices) == 1:
        return first
    by_option: dict[Choice, list[Promise]] = {}
    for advice in slices:
        for promise in advice:
            by_option.setdefault(promise.option, []).append(promise)
    promises = [_mean(promises) for promises in by_option.values()]
    sign = -1 if first.game.more_is_better else 1

    def worth(promise: Promise) -> float:
        return (promise.wins or 0.0) - 0.005 * sign * promise.points if bot.goal == "win" else -sign * promise.points

    return replace(first, promises=tuple(sorted(promises, key=worth, reverse=True)))


def _mean(promises: list[Promise]) -> Promise:
    """Independent estimates of one option, together; each rests on as many playouts as the others."""
    count = len(promises)
    wins = [promise.wins for promise in promises if promise.wins is not None]
    wins_errors = [promise.wins_error for promise in promises if promise.wins_error is not None]
    return Promise(
        promises[0].option,
        sum(promise.points for promise in promises) / count,
        sqrt(sum(promise.points_error**2 for promise in promises)) / count,
        sum(wins) / count if len(wins) == count else None,
        sqrt(sum(error**2 for error in wins_errors)) / count if len(wins_errors) == count else None,
        sum(promise.playouts for promise in promises),
    )
