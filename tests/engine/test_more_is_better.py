"""`more_is_better` decides for every game whether the most or the fewest points win."""

from __future__ import annotations

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game
from tests.support import random_record

GAMES: tuple[Game, ...] = (
    Classic(players=3, rounds=1),
    Advanced(players=2, rounds=1),
    Baron(players=3),
    Baron(players=3, variant="bulls_are_good"),
    Baron(players=3, variant="colour_counts"),
    BoardGame(players=3),
    Buffalo(players=2),
)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_winners_have_most_or_fewest(game: Game) -> None:
    for seed in range(5):
        outcome = random_record(game, seed).outcome
        assert outcome is not None
        if not outcome.winners:
            continue
        won = outcome.totals[game.pile_of(outcome.winners[0])]
        if len(set(outcome.totals)) > 1:
            assert won == (max if game.more_is_better else min)(outcome.totals)
            assert won != (min if game.more_is_better else max)(outcome.totals)
