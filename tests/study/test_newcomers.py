"""A fan card and small related games, added through the public hooks, with bots, records and studies: right or refused.

`tests/explain/test_newcomers.py` tests their narration, `tests/widgets/test_newcomers.py` their drawings.
"""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from nimmt_lab import Advanced, Classic, Game, Record
from nimmt_lab.bots import bot, bot_names, play, record
from nimmt_lab.engine import registry
from nimmt_lab.engine.errors import RecordError, Unsupported
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.registry import from_options, register
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic import fan_card
from nimmt_lab.games.classic.fan_card import register_fan_card
from nimmt_lab.games.jumping_cow.rules import JumpingCow
from nimmt_lab.solver import odds, solve
from nimmt_lab.study import review, simulate, tournament
from nimmt_lab.study.rounds import Simulator
from tests.explain.test_newcomers import Fence, FirstRow, FourTakes, Slide, Towers
from tests.support import random_record, refused

GAMES: dict[str, Game] = {
    "fence": Classic(players=2, rounds=1, fan_cards=(Fence(),)),
    "slide": Classic(players=2, rounds=1, fan_cards=(Slide(),)),
    "four_takes": FourTakes(players=2, rounds=1),
    "first_row": FirstRow(players=2, rounds=1),
    "towers": Towers(players=2),
}
#: The solver's errors, with the fan card or game that it doesn't support.
UNSOLVED = {
    "fence": ("solver.solver_does_not", "card"),
    "slide": ("solver.solver_does_not", "card"),
    "four_takes": ("solver.solver_plays_classic", "got"),
    "first_row": ("solver.solver_plays_classic", "got"),
    "towers": ("solver.solver_plays_classic", "got"),
}
each = pytest.mark.parametrize("name", GAMES)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their names are registered for one test, so that tests of all registered games don't meet them."""
    monkeypatch.setattr(registry, "_GAMES", dict(registry._GAMES))
    monkeypatch.setattr(registry, "_CHAPTERS", dict(registry._CHAPTERS))
    monkeypatch.setattr(fan_card, "_FAN_CARDS", dict(fan_card._FAN_CARDS))
    for kind in (FourTakes, FirstRow, Towers):
        register(kind)
    for card in (Fence, Slide):
        register_fan_card(card)


@each
def test_it_is_kept(name: str, tmp_path: Path) -> None:
    game = GAMES[name]
    assert from_options(game.to_json()) == game
    played = random_record(game, seed=3, choices=12)
    for ending in ("nimmt", "json"):
        played.save(tmp_path / f"one.{ending}")
        again = Record.load(tmp_path / f"one.{ending}")
        assert again == played and again.events_text() == played.events_text()
    for thing in (game, played, played.final, played.steps[-1]):
        assert pickle.loads(pickle.dumps(thing)) == copy.deepcopy(thing) == thing


def test_a_record_of_a_game_that_is_not_there_names_it(tmp_path: Path) -> None:
    played = random_record(GAMES["four_takes"], seed=3, choices=2)
    played.save(tmp_path / "one.nimmt")
    registry._GAMES.pop("four_takes")
    with refused(RecordError, "shared.inner"):
        Record.load(tmp_path / "one.nimmt")


@pytest.mark.exhaustive
@each
@pytest.mark.parametrize("player", bot_names())
def test_every_bot_plays_it(name: str, player: str) -> None:
    game = GAMES[name]
    searches = player in ("flat", "second-thoughts") or player.startswith("best")
    one = bot(f"{player}:playouts=10" if searches else player)
    played = record(game, [one, bot("random")], seed=2)
    assert played.outcome is not None and played.final == play(game, [one, bot("random")], seed=2)


@each
def test_it_is_guessed_and_advised(name: str) -> None:
    game = GAMES[name]
    view = game.deal(seed=5).view(0)
    advice = bot("best:playouts=40").advise(view)
    assert {promise.option for promise in advice} == set(view.hand) and not advice.is_exact
    guessed = guess(view, Rng.from_seed(4))
    assert guessed.view(0) == view and guessed.hands != game.deal(seed=5).hands


def test_the_search_minds_the_fence() -> None:
    """70 would join row 2 without the fence; with it, 70 takes a row, now or in the last turn."""
    game = GAMES["fence"]
    start = "80 | 40 | 90 | 100 ; A: 41 70 ; B: 81 99 ; fence: 2"
    advice = bot("best:playouts=200,goal=heads").advise(game.from_position(start).view(0))
    assert advice.of(70).points > 0.9
    twin = Classic(players=2, rounds=1).from_position(start.partition(" ; fence")[0])
    assert bot("best:playouts=200,goal=heads").advise(twin.view(0)).of(70).points < advice.of(70).points


@each
def test_it_is_simulated_by_the_engine(name: str) -> None:
    game = GAMES[name]
    plan = Simulator.of(game)
    assert not plan.compiled, "no kernel knows these rules, that of the game it builds on neither"
    totals = simulate(game, rounds=4, seed=2, progress=False).totals
    assert totals.rounds == 4 and totals == plan.count(2, 0, 4)


def test_a_simulated_sibling_takes_more() -> None:
    """Rows of three are taken more often than rows of five: the kernel of the classic game ignores that."""
    classic, four = (
        simulate(game, rounds=60, seed=1, progress=False).totals.full_rows
        for game in (Classic(players=2, rounds=1), GAMES["four_takes"])
    )
    assert sum(four) > 1.5 * sum(classic)


@each
def test_it_is_reviewed_by_search(name: str) -> None:
    played = random_record(GAMES[name], seed=4, choices=3)
    found = review(played, playouts=10, progress=False)
    assert found.method == "search" and found.is_complete and len(found.judgements) >= 3
    for lang in ("en", "pl", "cs"):
        assert "{" not in found.to_text(lang)


@each
def test_it_has_tournaments(name: str) -> None:
    found = tournament(GAMES[name], ["lowest", "random"], deals=2, progress=False)
    assert len(found.summary) == 2


@each
def test_nothing_exact_is_claimed(name: str) -> None:
    state = GAMES[name].deal(seed=1)
    with pytest.raises(Unsupported):
        odds(state.view(0))
    key, field = UNSOLVED[name]
    with refused(Unsupported, key, **{field: name}):
        solve(state)


@dataclass(frozen=True)
class Calf(JumpingCow):
    """Like the jumping cow, but moves by itself."""

    name: ClassVar[str] = "calf"


def test_a_card_that_builds_on_a_known_one_is_not_taken_for_it() -> None:
    cow, calf = (Advanced(players=2, fan_cards=(card,)) for card in (JumpingCow(), Calf()))
    position = "4 | 5 | 9 10 18 | 20 23 24 ; A: 17 22 ; B: 1 8"
    assert solve(cow.from_position(f"{position} ; jumping_cow: 2")).value is not None
    with refused(Unsupported, "solver.solver_does_not", card="calf"):
        solve(calf.from_position(f"{position} ; calf: 2"))
