"""Odds without a browser: the numbers are those of `study` and of the charts, for any slices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import play
from nimmt_lab.charts import heads_distribution, mean_heads
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import all_games, from_options
from nimmt_lab.screens import odds as module
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.odds import BotRounds, OddsScreen, Setting
from nimmt_lab.screens.setup import completed
from nimmt_lab.solver.turn_odds import odds
from nimmt_lab.study import simulate


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3000)
    monkeypatch.setattr(module, "MOST_SLOW", 8)


def data(screen: Any, name: str) -> Any:
    return screen.data[name]


def ask(screen: OddsScreen, **message: Any) -> None:
    screen.receive(message)


@pytest.mark.parametrize("name", all_games())
def test_rounds_are_those_of_a_simulation(name: str) -> None:
    players = max(2, all_games()[name].for_players[0])
    form: Any = {"game": name, "players": players, "options": {}}
    setting = Setting(form, "lowest", "random")
    for _ in range(7):
        setting.play(9)
    assert setting.totals is not None and setting.totals.rounds >= 500
    game = from_options({"system": name, "players": players})
    policies = ["lowest", *["random"] * (players - 1)]
    found = simulate(game, policies, rounds=setting.totals.rounds, seed=9, progress=False)
    assert found.totals == setting.totals
    assert setting.path[-1] == [found.totals.rounds, found.totals.mean_heads[0], found.totals.error_heads[0]]


def test_what_is_drawn_is_what_the_charts_draw() -> None:
    screen = OddsScreen(Desk(None))
    ask(screen, type="form", at=0, form={"game": "classic", "players": 3, "mine": "edges-first"})
    ask(screen, type="seed", seed=4)
    ask(screen, type="run")
    (result,) = data(screen, "results")
    assert result["rounds"] == 3000 and data(screen, "running") is False and result["unit"] == "heads"
    simulation = simulate(Classic(players=3), ["edges-first", "random", "random"], rounds=3000, seed=4, progress=False)
    chart: Any = heads_distribution(simulation).to_dict()
    (rows,) = chart["datasets"].values()
    shares = {row["heads"]: row["share"] for row in rows if row["share"]}
    count = sum(number for _, number in result["all"])
    assert {heads: number / count for heads, number in result["all"]} == pytest.approx(shares)
    chart = mean_heads(simulation).to_dict()
    (rows,) = chart["datasets"].values()
    for row, seat in zip(rows, result["seats"], strict=True):
        assert row["mean_heads"] == pytest.approx(seat["mean"])
        assert row["high"] == pytest.approx(seat["mean"] + 1.96 * seat["error"])
    assert simulation.summary["win_credit"].to_list() == pytest.approx([seat["wins"] for seat in result["seats"]])


def test_levels_play_the_games_that_bots_play() -> None:
    game = Classic(players=2, rounds=1)
    found = BotRounds(game, ["level-1", "level-4"]).count(20, 0, 6)
    bots = [bot("level-1"), bot("level-4")]
    ends = [play(game, bots, 20 + number) for number in range(6)]
    assert found.heads == tuple(sum(end.totals[seat] for end in ends) for seat in (0, 1))
    wins = [
        sum((seat in end.outcome.winners) / len(end.outcome.winners) for end in ends if end.outcome) for seat in (0, 1)
    ]
    assert found.win_credit == pytest.approx([won / 6 for won in wins])
    parts = BotRounds(game, ["level-1", "level-4"])
    assert parts.count(20, 0, 2) + parts.count(20, 2, 4) == found


def test_rounds_of_bots_do_not_flood_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots play round by round; a message for each would keep a slow browser from hearing a click on Stop."""
    monkeypatch.setattr(module, "MOST_SLOW", 400)
    screen = OddsScreen(Desk(None))
    sent: list[Any] = []
    screen.listen(sent.append)
    ask(screen, type="form", at=0, form={"players": 2, "mine": "level-1", "others": "level-1"})
    sent.clear()
    ask(screen, type="run")
    (result,) = data(screen, "results")
    assert result["rounds"] == 400 and data(screen, "running") is False
    # Each of the first hundred rounds is one part in a hundred or more; later ones wait for each other.
    assert 200 < len(sent) < 270


def test_a_stopped_search_keeps_its_results_and_resumes() -> None:
    screen = OddsScreen(Desk(None))
    works: list[Any] = []
    screen.listen(lambda said: None, works.append)
    ask(screen, type="run")
    for _ in range(4):
        next(works[0])
    ask(screen, type="stop")
    (before,) = data(screen, "results")
    assert before["rounds"] == 300 and data(screen, "running") is False
    assert next(works[0], "over") == "over"
    ask(screen, type="run")
    for _ in works[1]:
        pass
    (after,) = data(screen, "results")
    assert after["rounds"] == 3000
    whole = simulate(Classic(players=4), rounds=3000, seed=1, progress=False).totals
    assert [seat["mean"] for seat in after["seats"]] == list(whole.mean_heads)


def test_two_settings_are_compared_and_kept(tmp_path: Path) -> None:
    screen = OddsScreen(Desk(tmp_path))
    ask(screen, type="compare", on=True)
    ask(screen, type="form", at=1, form={"mine": "level-2", "others": "level-1", "players": 2})
    ask(screen, type="run")
    first, second = data(screen, "results")
    assert (first["rounds"], second["rounds"]) == (3000, 8) and len(second["seats"]) == 2
    again = OddsScreen(Desk(tmp_path))
    assert again.forms == screen.forms and data(again, "results") == []
    ask(again, type="compare", on=False)
    assert len(again.forms) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"type": "form", "at": 7},
        {"type": "form", "at": 0, "form": {"mine": "level-1"}},
        {"type": "form", "at": 0, "form": {"game": "whist"}},
        {"type": "form", "at": 0, "form": {"mine": "clever", "others": "clever"}},
        {"type": "seed", "seed": -1},
        {"type": "seed", "seed": True},
        {"type": "mode", "mode": "x"},
        {"type": "dance"},
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(message: dict[str, Any]) -> None:
    screen = OddsScreen(Desk(None))
    before, heard = screen.whole(), list[Any]()
    screen.listen(heard.append)
    screen.handle({"path": [], "message": message})
    assert heard[-1]["message"]["type"] == "refused" and screen.whole() == before


def test_unreadable_state_is_ignored(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.memory.put("odds", {"forms": [{"game": "whist"}, 7], "seed": "x", "mode": "odds"})
    desk.memory.put("odds table", {"text": "a | b", "setup": {"game": 3}})
    screen = OddsScreen(desk)
    assert screen.seed == 1 and all(form["game"] in all_games() for form in screen.forms)


def test_odds_of_a_hand_on_a_table_with_unknown_others(tmp_path: Path) -> None:
    screen = OddsScreen(Desk(tmp_path))
    ask(screen, type="mode", mode="odds")
    editor: Any = screen.parts["editor"]
    text = "12 14 15 | 37 | 41 | 35 36 38 40 42 ; A: 43 45 104"
    editor.receive({"type": "text", "text": text})
    assert "B, C, D" in editor.data["hidden"]
    editor.receive({"type": "done"})
    exact = odds([(12, 14, 15), (37,), (41,), (35, 36, 38, 40, 42)], [43, 45, 104], opponents=3)
    lines: Any = screen.parts["judge"].data["lines"]
    assert [line["size"] for line in lines] == [float(one.expected_heads) for one in exact.values()]
    again = OddsScreen(Desk(tmp_path))
    assert data(again.parts["editor"], "text") == text
    ask(again, type="mode", mode="rounds")
    assert "editor" not in again.parts


def test_only_hands_that_nobody_entered_are_completed() -> None:
    game = Classic(players=3)
    whole = Position.parse("12 | 37 | 43 | 58 ; A: 14 ; B: 15 ; C: 16")
    assert completed(game, whole) == (whole, ())
    empty = Position.parse("12 | 37 | 43 | 58")
    assert completed(game, empty) == (empty, ())
    found, unknown = completed(game, Position.parse("12 | 37 | 43 | 58 ; B: 14 20 ; A+: 1 2 3"))
    assert unknown == (0, 2) and not {1, 2, 3, 12, 14, 20} & {*found.hands[0], *found.hands[2]}
    found, unknown = completed(game, Position.parse("12 | 37 | 43 | 58 ; A: 14 20 21 ; B: 30 31"))
    assert unknown == (2,) and len(found.hands[2]) == 3, "as many as the largest hand"
