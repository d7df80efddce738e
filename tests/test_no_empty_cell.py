"""Every rule system supports everything that one can do with a game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nimmt_lab import Advanced, Classic, Game, Record
from nimmt_lab.bots import Bot, bot, levels, play
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain import LANGUAGES, assess, report
from nimmt_lab.lessons import generate
from nimmt_lab.study import review, simulate
from nimmt_lab.study.ladders import is_team
from nimmt_lab.widgets import Table, kinds_of
from tests.support import GAMES, random_record


def begun(game: Game, steps: int = 5) -> Record:
    """A game of some steps, after the draft if there is one."""
    return random_record(game, 1, choices=steps + (len(game.deck) - 4 if isinstance(game, Advanced) else 0))


def is_played(game: Game) -> None:
    table = Table(game, [bot("random")] * (game.players - 1), seed=1)
    seat, decision = next(iter(table.record.final.pending.items()))
    assert seat <= 0
    table.play(decision.write(decision.options[0]))
    assert table.record.choices


def is_recorded(game: Game) -> None:
    record = begun(game)
    assert Record.from_text(record.to_text()) == Record.from_json(record.to_json()) == record


def is_reported(game: Game) -> None:
    assert len({report(begun(game)).to_text(lang) for lang in LANGUAGES}) == 3


def is_assessed(game: Game) -> None:
    """Every option of every decision has a text."""
    assessed = 0
    for step in begun(game, 4).steps:
        for seat, decision in step.before.pending.items():
            try:
                found = assess(step.before.view(seat))
            except PositionError:
                assert step.before.queue or not step.before.rows  # the classic family: cards only, before the reveal
                continue
            assert set(found) <= set(decision.options) and found
            for one in found.values():
                assert all(one.text(lang) and "{" not in one.text(lang) for lang in LANGUAGES)
            assessed += 1
    assert assessed


def is_asked_about(game: Game) -> None:
    assert kinds_of(game)
    for kind in kinds_of(game):
        question = generate(game, kind, seed=2)
        assert question.right


def is_simulated(game: Game) -> None:
    found = simulate(game, rounds=5, seed=1, progress=False)
    assert found.totals.rounds == 5 and found.is_complete


def is_reviewed(game: Game) -> None:
    found = review(begun(game, 3), playouts=6, seconds=60, method="search", progress=False)
    assert found.is_complete and found.judgements and found.to_json()["moments"]


def has_a_bot_above_random(game: Game) -> None:
    """The best bot, with little time, is ahead of random players on average."""
    one = begun_as_one_round(game)
    ahead = 0.0
    for seed in range(8):
        if is_team(one):
            ahead += margin(one, [bot("best:playouts=300")] * one.players, seed)
            ahead -= margin(one, [bot("random")] * one.players, seed)
        else:
            seat = seed % one.players
            ahead += margin(
                one,
                [bot("best:playouts=300") if at == seat else bot("random") for at in range(one.players)],
                seed,
                seat,
            )
    assert ahead > 0


def begun_as_one_round(game: Game) -> Game:
    if isinstance(game, Advanced):
        return Advanced(players=game.players, rounds=1)
    if isinstance(game, Classic):
        cards = game.fan_cards
        return Classic(players=game.players, rounds=1, fan_cards=cards, combine_fan_cards=game.combine_fan_cards)
    return game


def margin(game: Game, bots: list[Bot], seed: int, seat: int = 0) -> float:
    outcome = play(game, bots, seed).outcome
    assert outcome is not None
    side = game.pile_of(seat)
    others = [total for at, total in enumerate(outcome.totals) if at != side]
    ahead = outcome.totals[side] - sum(others) / len(others)
    return ahead if game.more_is_better else -ahead


def has_levels(game: Game) -> None:
    state = begun(game).final
    seat, decision = next(iter(state.pending.items()))
    for level in levels():
        if level.number < 8:  # the eighth is the best bot itself
            assert level.bot().choose(state.view(seat), Rng.from_seed(1)) in decision.options
        assert bot(level.plays(game))


CELLS: dict[str, Callable[[Game], None]] = {
    "play": is_played,
    "record": is_recorded,
    "report": is_reported,
    "assess": is_assessed,
    "exercise": is_asked_about,
    "simulate": is_simulated,
    "review": is_reviewed,
    "bot above random": has_a_bot_above_random,
    "level choice": has_levels,
}


def test_fifteen_systems() -> None:
    assert len(GAMES) == 15 and len({repr(game) for game in GAMES.values()}) == 15


@pytest.mark.exhaustive
@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("name", GAMES)
def test_no_empty_cell(name: str, cell: str) -> None:
    CELLS[cell](GAMES[name])
