"""My games in Analyse: the same figures as in a notebook, kept until a game changes, and puzzles from one's mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Buffalo, Classic, Record, review
from nimmt_lab.bots import record
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.screens import course, my_games
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.my_games import MyGamesScreen
from nimmt_lab.screens.practise import OWN, OWN_PAGE, PractiseScreen
from nimmt_lab.screens.words import screen_words
from nimmt_lab.study import mistakes
from tests.support import refused

from .conftest import Walker

pytestmark = pytest.mark.native
GAME = Classic(players=3, rounds=1, hand_size=4)
NAMES = {"A": "Ann", "B": "Bob"}


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for the mistakes of a player who always plays the lowest card."""
    monkeypatch.setattr(course, "PLAYOUTS", 300)
    monkeypatch.setattr(my_games, "PLAYOUTS", 300)
    monkeypatch.setattr("nimmt_lab.screens.practise.OWN_PLAYOUTS", 300)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    for number, seed in enumerate((3, 12, 26)):  # with mistakes beyond doubt
        played = record(GAME, ["lowest", "highest", "random"], seed).noted(NAMES, {})
        played.save(tmp_path / "games" / f"{number}.nimmt")
    (tmp_path / "games" / "broken.nimmt").write_text("no game\n", encoding="utf-8")
    return tmp_path


def opened(folder: Path, lang: str = "en") -> tuple[AnalyseScreen, Any]:
    analyse = AnalyseScreen(Desk(folder, lang=lang))
    analyse.receive({"type": "my_games"})
    return analyse, analyse.parts["editor"]


def test_the_figures_are_those_of_a_notebook(folder: Path) -> None:
    analyse, mine = opened(folder)
    assert analyse.data["mode"] == "my_games" and mine.data["names"] == [["Ann", 3], ["Bob", 3]]
    assert mine.data["lines"] == [] and mine.data["unread"] and mine.data["habits"][0][:3] == ["Ann", "3", "100%"]
    mine.receive({"type": "run"})
    lines, kinds = mine.data["lines"], dict(mine.data["kinds"])
    assert [line["file"] for line in lines] == ["0.nimmt", "1.nimmt", "2.nimmt"] and not mine.data["running"]
    for line in lines:
        alone = review(folder / "games" / line["file"], seat="A", playouts=300, progress=False)
        assert line["accuracy"] == alone.accuracy("A") and line["mistakes"] == len(mistakes(alone, "A"))
    assert sum(kinds.values()) == sum(line["mistakes"] for line in lines) > 0
    assert mine.data["told"].startswith("Accuracy ")


def test_results_are_kept_until_a_game_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, mine = opened(folder)
    mine.receive({"type": "run"})
    before = mine.data["lines"]
    looked: list[Record] = []
    real = MyGamesScreen._look

    def counted(self: MyGamesScreen, game: Record, seat: int) -> Any:
        looked.append(game)
        return real(self, game, seat)

    monkeypatch.setattr(MyGamesScreen, "_look", counted)
    _, again = opened(folder)
    assert again.data["lines"] == before
    again.receive({"type": "run"})
    assert looked == []
    record(GAME, ["lowest", "random", "random"], 9).noted(NAMES, {}).save(folder / "games" / "1.nimmt")
    _, again = opened(folder)
    again.receive({"type": "run"})
    assert len(looked) == 1 and len(again.data["lines"]) == 3
    assert AnalyseScreen(Desk(folder)).data["mode"] == "my_games"  # after a reload
    again.receive({"type": "who", "who": "Bob"})
    assert again.data["lines"] == [] and again.data["habits"][0][0] == "Bob"


def test_mistakes_become_puzzles(folder: Path) -> None:
    home = HomeScreen(Desk(folder))
    home.open("analyse")
    analyse: Any = home.parts["screen"]
    analyse.receive({"type": "my_games"})
    mine = analyse.parts["editor"]
    with refused(RulesError, "screens.none_own"):
        mine.receive({"type": "practise"})
    mine.receive({"type": "run"})
    assert mine.data["puzzles"] > 0
    mine.receive({"type": "practise"})
    practise: Any = home.parts["screen"]
    assert home.data["now"] == "practise" and practise.task["kind"] == OWN
    seen = set()
    for _ in range(mine.data["puzzles"]):
        question = practise.exercise.question
        assert question.state.game == GAME and question.seat == 0 and len(question.right) == 1
        seen.add(str(question.state.position))
        assert practise.exercise.answer(min(question.right))
        practise.next()
    assert len(seen) == mine.data["puzzles"]
    assert PractiseScreen(Desk(folder)).data["own"] == mine.data["puzzles"]


@pytest.mark.parametrize("task", [{}, {"position": 3, "seat": 0}, {"position": "12 | x", "seat": 0}])
def test_a_damaged_puzzle_is_refused_and_the_rest_goes_on(folder: Path, task: Any) -> None:
    desk = Desk(folder)
    desk.memory.put(OWN_PAGE, {"tasks": [{"game": "classic", "players": 3, "options": {}, "kind": OWN, **task}]})
    practise = PractiseScreen(desk)
    with pytest.raises((NotationError, RulesError)):
        practise.own()
    practise.receive({"type": "start", "setup": {"game": "classic", "players": 4}, "kind": "row", "difficulty": 1})
    assert practise.exercise.question.right


@pytest.mark.parametrize("lang", LANGUAGES)
def test_games_of_nobody_and_of_a_team(tmp_path: Path, lang: str) -> None:
    (tmp_path / "games").mkdir()
    _, mine = opened(tmp_path, lang)
    assert mine.data["names"] == [] and mine.data["labels"]["none"]
    record(Buffalo(players=2), ["random"] * 2, 1).noted(NAMES, {}).save(tmp_path / "games" / "b.nimmt")
    _, mine = opened(tmp_path, lang)
    mine.receive({"type": "run"})
    assert len(mine.data["lines"]) == 1
    with refused(NotationError, "screens.no_saved"):
        mine.receive({"type": "go", "file": "../b.nimmt"})


def test_a_game_opens_with_its_review(folder: Path) -> None:
    analyse, mine = opened(folder)
    mine.receive({"type": "go", "file": "1.nimmt"})
    assert analyse.data["mode"] == "game" and analyse.record == Record.load(folder / "games" / "1.nimmt")


@pytest.mark.browser
def test_the_way_from_my_games_to_a_puzzle(visit: Callable[..., Walker], folder: Path) -> None:
    walker = visit(folder)
    walker.go("analyse")
    walker.click("[data-do='my-games']")
    walker.click("[data-do='run']")
    walker.until(lambda: walker.count(".nl-my-games [data-do='practise']") == 1)
    assert walker.count(".nl-my-table") == 3 and screen_words("en")("my_games.kind_sixth_card") in walker.text(
        ".nl-my-games"
    )
    walker.click("[data-do='practise']")
    walker.until(lambda: walker.count(".nl-practise-task .nl-option") > 1)
