"""Home and Play without a browser: legal options, saved tables and invalid messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Buffalo, Classic, Record
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue
from nimmt_lab.screens.course import CourseScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import SCREENS, HomeScreen
from nimmt_lab.screens.memory import FILE, Memory
from nimmt_lab.screens.play import PlayScreen
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.rules import forms, game_of
from nimmt_lab.screens.table import TableScreen
from nimmt_lab.screens.words import PACKAGE


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_of_the_screens_agree(lang: str) -> None:
    english, said = own_catalogue(PACKAGE, "en").messages, own_catalogue(PACKAGE, lang).messages
    assert set(said) == set(english) and all(text.strip() for text in said.values())
    assert {key for key in english if ("{" in english[key]) != ("{" in said[key])} == set()
    assert {f"home.{name}" for name in SCREENS} <= set(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_value_that_a_form_offers_can_be_played(lang: str) -> None:
    offered: Any = forms(lang)
    assert [form["name"] for form in offered] == list(all_games())
    for form in offered:
        assert form["players"][0] <= form["usual"] <= form["players"][1]
        for option in form["options"]:
            assert option["label"]
            values = [one["value"] for one in option.get("choices", [])] or [option["usual"]]
            for value in values:
                game = game_of({"game": form["name"], "players": form["usual"], "options": {option["name"]: value}})
                assert game.name == form["name"]
            assert all(one["label"] for one in option.get("choices", [])), option


@pytest.mark.parametrize(
    "setup",
    [
        {"game": "chess", "players": 2},
        {"game": "classic", "players": 99},
        {"game": "classic", "players": 2, "options": {"moon": 1}},
        {"game": "classic", "players": 2, "seed": "x"},
        {"game": "classic", "players": 2, "seats": [{"level": "level-1"}, {"level": "level-1"}]},
        {"game": "classic", "players": 2, "seats": [{"level": "level-99"}]},
    ],
)
def test_what_cannot_be_played_is_refused_in_words(setup: Any) -> None:
    play = PlayScreen(Desk(None))
    heard: list[Any] = []
    play.listen(heard.append)
    play.handle({"path": [], "message": {"type": "start", "setup": setup}})
    assert heard[-1]["message"]["type"] == "refused" and play.data["mode"] == "setup" and not play.parts


def test_a_running_game_continues_after_a_reload(tmp_path: Path) -> None:
    home = HomeScreen(Desk(tmp_path))
    home.open("play")
    play = home.parts["screen"]
    assert isinstance(play, PlayScreen)
    play.start({"game": "classic", "players": 3, "hints": True})
    for _ in range(3):
        options = play.table.record.final.pending[play.table.asked or 0].options
        play.table.play(play.table.record.final.pending[play.table.asked or 0].write(options[0]))
    again = HomeScreen(Desk(tmp_path)).parts["screen"]
    assert isinstance(again, PlayScreen) and again.table.record == play.table.record
    scenes: list[Any] = [one.table.data["scene"] for one in (play, again)]
    told = scenes[0]["log"] + [{"text": frame["text"]} for frame in scenes[0]["frames"] if frame["text"]]
    assert [line["text"] for line in scenes[1]["log"]] == [line["text"] for line in told], "the log is the same"
    again.leave()
    fresh = HomeScreen(Desk(tmp_path)).parts["screen"]
    assert isinstance(fresh, PlayScreen) and fresh.data["mode"] == "setup"


def test_deals_are_fresh_unless_a_number_is_asked_for() -> None:
    play = PlayScreen(Desk(None))
    seeds = set()
    for _ in range(3):
        play.start({"game": "classic", "players": 2})
        seeds.add(play.table.record.seed)
    play.start({"game": "classic", "players": 2, "seed": 7})
    assert len(seeds) == 3 and play.table.record.seed == 7
    play.receive({"type": "again"})
    assert play.table.record.seed != 7


def test_let_it_run_stops_before_a_card_that_takes() -> None:
    start = "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 19 80 83 ; B: 71 81 84 ; buffalo: 65 90 91 ; specials: stop push"
    record = Record(Buffalo(players=2), start=start)
    table = TableScreen(record, lambda view: view.hand[0] if view.seat >= 0 else view.decision.default, asks=True)
    table.play("80")
    assert table.asked == TEAM
    asked = len(table.record.choices)
    table.receive({"type": "run", "ply": asked})
    steps = table.record.steps[asked:]
    assert len(steps) >= 1 and not any(isinstance(event, RowTaken) for step in steps[1:] for event in step.events)


def test_what_leaves_no_choice_passes_by_itself_and_is_not_what_undo_takes_back() -> None:
    table = TableScreen(Record(Classic(players=2, rounds=1, hand_size=2), seed=1), "lowest")
    while not table.record.final.is_over:
        decision = table.record.final.pending[table.asked or 0]
        assert len(decision.options) > 1
        table.play(decision.write(decision.options[0]))
    table.undo()
    assert not table.record.final.is_over and table.asked is not None
    assert len(table.record.final.pending[table.asked].options) > 1


def test_a_memory_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    memory = Memory(tmp_path)
    assert memory.get("play") == {} and (tmp_path / f"{FILE}.unreadable").is_file()
    memory.put("play", {"a": 1})
    assert Memory(tmp_path).get("play") == {"a": 1}


def over(game: str) -> tuple[HomeScreen, PlayScreen]:
    """A game among three, played to its end with whatever comes first."""
    home = HomeScreen(Desk(None))
    home.open("play")
    play = home.parts["screen"]
    assert isinstance(play, PlayScreen)
    setup: Any = {"game": game, "players": 3, "seed": 7, "options": {"rounds": 1} if game == "classic" else {}}
    play.start({**setup, "seats": [{"level": "person"}, {"level": "level-1"}, {"level": "level-1"}]})
    while not (state := play.table.record.final).is_over:
        decision = state.pending[play.table.asked or 0]
        play.table.play(decision.write(decision.options[0]))
    play.receive({"type": "finish"})
    return home, play


@pytest.mark.parametrize("game", ["classic", "board"])
def test_the_winner_is_listed_first_in_every_game(game: str) -> None:
    _, play = over(game)
    end: Any = play.data["end"]
    points = [row["points"] for row in end["rows"]]
    assert len(set(points)) == 3 and end["rows"][0]["won"]
    assert points == sorted(points, reverse=play.table.record.game.more_is_better)


def test_who_shares_a_win_is_called_you() -> None:
    for seed in range(30):
        home = HomeScreen(Desk(None))
        home.open("play")
        play: Any = home.parts["screen"]
        setup: Any = {"game": "classic", "players": 4, "seed": seed, "options": {"rounds": 1, "hand_size": 1}}
        play.start({**setup, "seats": [{"level": "person"}, *[{"level": "level-1"}] * 3]})
        while not (state := play.table.record.final).is_over:
            decision = state.pending[play.table.asked or 0]
            play.table.play(decision.write(decision.options[0]))
        assert state.outcome is not None
        if 0 in state.outcome.winners and len(state.outcome.winners) > 1:
            break
    play.receive({"type": "finish"})
    title = play.data["end"]["title"]
    assert "You" in title and play.say("play.somebody") not in title


def test_a_replay_of_your_game_calls_you_you() -> None:
    _, play = over("classic")
    play.receive({"type": "replay"})
    replay = play.parts["replay"]
    assert isinstance(replay, ReplayScreen)
    assert [seat["you"] for seat in replay.scene["seats"]] == [True, False, False]


def test_a_review_of_your_own_play_takes_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(
        CourseScreen, "receive", lambda self, message: asked.append((self.data["seat"], message["type"]))
    )
    home, play = over("classic")
    play.receive({"type": "review"})
    analyse: Any = home.parts["screen"]
    assert analyse.record == play.table.record
    assert asked == [(0, "run")]


def test_what_one_person_has_chosen_outlives_a_reload(tmp_path: Path) -> None:
    home = HomeScreen(Desk(tmp_path))
    home.open("play")
    play = home.parts["screen"]
    assert isinstance(play, PlayScreen)
    play.start({"game": "classic", "players": 3, "seed": 4, "seats": [{"level": "person"}] * 2})
    chosen = str(play.table.record.final.pending[0].options[3])
    play.table.play(chosen)
    assert play.table.asked == 1 and play.table.given == {"A": chosen}
    again = HomeScreen(Desk(tmp_path)).parts["screen"]
    assert isinstance(again, PlayScreen)
    assert (again.table.asked, again.table.given) == (1, {"A": chosen})
    again.table.play(str(again.table.record.final.pending[1].options[0]))
    assert str(again.table.record.steps[0].choices[0]) == chosen


@pytest.mark.parametrize("given", [{"A": "999"}, {"Z": "1"}, {"A": "", "B": "x"}, {"?": "?"}])
def test_a_kept_choice_that_cannot_be_read_is_asked_again(tmp_path: Path, given: dict[str, str]) -> None:
    home = HomeScreen(Desk(tmp_path))
    home.open("play")
    play = home.parts["screen"]
    assert isinstance(play, PlayScreen)
    play.start({"game": "classic", "players": 3, "seed": 4, "seats": [{"level": "person"}] * 2})
    play.table.give(given)
    assert play.table.asked == 0 and play.table.given == {}


def prompts(players: int, seed: int, *, asks: bool) -> tuple[int, int]:
    """How often a team that never uses a special card is asked in a game, and how often there was a question."""
    asked = 0
    table = TableScreen(Record(Buffalo(players=players), seed=seed), "lowest", asks=asks)
    while not (state := table.record.final).is_over:
        seat = table.asked
        assert seat is not None
        decision = state.pending[seat]
        asked += seat == TEAM
        table.play(decision.write(decision.options[0] if decision.default is None else decision.default))
    return asked, sum(TEAM in step.before.pending for step in table.record.steps)


def test_special_cards_are_asked_about_where_one_changes_the_turn() -> None:
    (few, questions), (every, _) = prompts(3, 1, asks=False), prompts(3, 1, asks=True)
    assert every == questions > 2 * few > 0


def test_undo_goes_back_to_a_question_that_was_asked() -> None:
    table = TableScreen(Record(Buffalo(players=3), seed=1), "lowest")
    for _ in range(6):
        seat = table.asked
        assert seat is not None
        decision = table.record.final.pending[seat]
        before = (table.record, seat)
        table.play(decision.write(decision.options[0] if decision.default is None else decision.default))
        table.undo()
        assert (table.record, table.asked) == before
        table.play(decision.write(decision.options[0] if decision.default is None else decision.default))
