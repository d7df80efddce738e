"""Variants as people write them in a notebook: a few lines change a number or a method, and everything else adapts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from nimmt_lab import Advanced, Classic, Game, Record
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import record as play_game
from nimmt_lab.engine import registry
from nimmt_lab.engine.errors import PositionError, RulesError, Unsupported
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import HasRows
from nimmt_lab.explain import assess, explain, narrate, report, turns
from nimmt_lab.games import NumberTwister
from nimmt_lab.native.kernel import kernel_of
from nimmt_lab.solver import odds, solve
from nimmt_lab.study import review, simulate
from nimmt_lab.widgets import Replay
from tests.support import refused


@dataclass(frozen=True, repr=False)
class Upside(Classic):
    """Five rows, and a card goes to the *farthest* row with a lower end."""

    name: ClassVar[str] = "upside"
    rows: int = 5

    def row_for(self, table: HasRows, value: int) -> int | None:
        lower = [(cards[-1], row) for row, cards in enumerate(table.rows) if cards[-1] < value]
        return min(lower)[1] if lower else None


@dataclass(frozen=True, repr=False)
class Wide(Advanced):
    """Only numbers change."""

    name: ClassVar[str] = "wide"
    for_players: ClassVar[tuple[int, int]] = (2, 3)
    rows: int = 6
    row_limit: int = 3
    hand_size: int = 4


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    for kind in (Upside, Wide):
        registry.register(kind)
    yield
    for kind in (Upside, Wide):
        del registry._GAMES[kind.name]


GAMES = [Upside(players=3, rounds=1), Wide(players=2, rounds=1)]
each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def played(game: Game) -> Record:
    return play_game(game, [bot("random")] * game.players, 5)


def at_cards(game: Game) -> Record:
    """A game in which everybody chooses a card."""
    record = Record(game, seed=3)
    while not record.final.rows or len(record.final.pending) < game.players:
        record = record.then({seat: asked.options[0] for seat, asked in record.final.pending.items()})
    return record


@each
def test_it_plays_replays_and_is_kept(game: Game, tmp_path: Path) -> None:
    record = played(game)
    assert record.outcome is not None and len(record.final.rows) == game.rows  # type: ignore[attr-defined]
    path = tmp_path / "game.nimmt"
    record.save(path)
    for read in (Record.load(path), Record.from_text(record.to_text()), Record.from_json(record.to_json())):
        assert read == record and type(read.game) is type(game) and read.events_text() == record.events_text()
    assert f"system: {game.name}" in record.to_text() or game.name in record.to_text().splitlines()[1]
    state = at_cards(game).final
    assert game.from_position(str(state.position)).rows == state.rows
    assert game.name in repr(state)


@each
def test_it_is_told_and_shown(game: Game) -> None:
    record = played(game)
    for lang in ("en", "pl", "cs"):
        assert "{" not in " ".join(sentence for step in record.steps for sentence in narrate(step, lang))
        assert "{" not in report(record).to_text(lang)
    assert all(placement.text() for turn in turns(record) for placement in explain(turn))
    assert Replay(record, at=-1).to_svg().startswith("<svg")


@each
def test_the_engine_simulates_it_and_no_kernel_does(game: Game) -> None:
    assert kernel_of(game) is None, "a kernel plays the rules it was written for"
    totals = simulate(game, rounds=6, progress=False).totals
    assert totals.rounds == 6


@each
def test_the_general_bot_searches_it_and_a_review_judges_it(game: Game) -> None:
    state = at_cards(game).final
    view = state.view(0)
    for name in ("best:playouts=8", "flat:playouts=8", "closest-safe", "level-8"):
        assert bot(name).choose(view, Rng.from_seed(1)) in state.pending[0].options
    assert len(bot("best:playouts=8").advise(view)) > 0
    text = review(played(game), playouts=4, seconds=0.01, progress=False).to_text()
    assert text and "classic" not in text


@each
def test_errors_call_it_by_its_name(game: Game) -> None:
    state = at_cards(game).final
    with refused(Unsupported, "engine.no_face", name=game.name, face_name="hints"):
        assess(state, 0)
    with refused(Unsupported, "solver.odds_known_classic", game=game.name):
        odds(state.view(0))
    with refused(Unsupported, "solver.solver_plays_classic", got=game.name):
        solve(state, seconds=1)
    with refused(RulesError, "engine.for_players", name=game.name, got=11):
        type(game)(players=11)
    with refused(PositionError, "shared.card_rows", name=game.name, rows=len(state.rows), got=2):
        game.from_position("1 | 2 ; A: 3 ; B: 4" + (" ; C: 5" if game.players == 3 else ""))


def test_the_changed_method_decides() -> None:
    state = Upside(players=2).from_position("10 | 20 | 30 | 40 | 90 ; A: 45 5 99 ; B: 50 4 98")
    assert [state.game.home_row(state, card) for card in (5, 45, 99)] == [None, 0, 0]
    state, _ = state.choose({0: 45, 1: 50})
    assert state.rows == ((10, 45), (20, 50), (30,), (40,), (90,))
    state, _ = state.choose({0: 5, 1: 4})
    assert state.pending[1].options == (0, 1, 2, 3, 4)
    state, _ = state.choose({1: 4})
    assert state.rows[4] == (4, 5), "the fifth row is taken by a low card"


class Unnamed(Classic):
    """Changes a rule but keeps the name."""

    def row_for(self, table: HasRows, value: int) -> int | None:
        return None


@pytest.mark.parametrize("name", ["game.nimmt", "game.json"])
def test_a_variant_without_a_name_is_not_saved_as_another_game(name: str, tmp_path: Path) -> None:
    record = played(Unnamed(players=2, rounds=1))
    with refused(RulesError, "engine.variant_name", kind="Unnamed", game="'classic'"):
        record.save(tmp_path / name)
    with refused(RulesError, "engine.variant_name"):
        record.save_new(tmp_path)
    assert not list(tmp_path.iterdir())


class Undecorated(Classic):
    rows = 5


class UndecoratedToo(Classic):
    rows: int = 5


@dataclass(frozen=True, repr=False)
class Untyped(Classic):
    rows = 5


class UndecoratedChild(Upside):
    row_limit = 6


@dataclass(frozen=True)
class Twister(NumberTwister):
    comes_back = "game"


@pytest.mark.parametrize(("make", "option", "got"), [
    (lambda: Undecorated(players=2), "rows", "5"), (lambda: UndecoratedToo(players=2), "rows", "5"),
    (lambda: Untyped(players=2), "rows", "5"), (lambda: UndecoratedChild(players=2), "row_limit", "6"),
    (lambda: Undecorated(players=2, rows=4), "rows", "5"), (Twister, "comes_back", "'game'"),
])  # fmt: skip
def test_a_default_without_effect_is_refused(make: Callable[[], object], option: str, got: str) -> None:
    for _ in range(2):
        with refused(RulesError, "engine.ignored_default", option=option, got=got):
            make()


def test_a_variant_that_sets_no_default_needs_no_decorator() -> None:
    assert len(Unnamed(players=2, rows=5).deal(1).rows) == 5


@dataclass(frozen=True, repr=False)
class Patient(Classic):
    """Rows hold one more card while they end below 50."""

    name: ClassVar[str] = "patient"

    def is_full(self, table: HasRows, row: int) -> bool:
        return len(table.rows[row]) >= self.row_limit + (table.rows[row][-1] < 50)


def test_a_full_row_is_what_the_variant_says() -> None:
    state = Patient(players=2).from_position("10 11 12 13 14 | 20 | 60 61 62 63 64 | 90 ; A: 15 1 ; B: 65 2")
    state, _ = state.choose({0: 15, 1: 65})
    assert state.rows[0] == (10, 11, 12, 13, 14, 15) and state.rows[2] == (65,)
