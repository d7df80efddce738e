"""Analyse without a browser: files to open, saved lines, the cost of choices, positions and notes of a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Record
from nimmt_lab.boards.describe import Obj
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import record as played
from nimmt_lab.engine.errors import NotationError, RulesError, Unsupported
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.notes import Notes, cards_of
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain import words
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.judgement import NOTHING, number
from nimmt_lab.games.baron.rules import VARIANTS
from nimmt_lab.screens.analyse import AnalyseScreen, cell
from nimmt_lab.screens.course import CourseScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.judge import JudgeScreen, Mean
from nimmt_lab.screens.record_game import RecordGameScreen
from nimmt_lab.screens.setup import SetupScreen
from nimmt_lab.solver.turn_odds import odds
from nimmt_lab.study import review
from tests.support import refused

OPEN = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"


def game(seed: int = 5, players: int = 3) -> Record:
    return played(Classic(players=players, rounds=1), [bot("level-3")] * players, seed)


def data(screen: Any, name: str) -> Any:
    return screen.data[name]


def shown(analyse: AnalyseScreen) -> list[str]:
    return [str(line) for line in data(analyse, "lines")]


# Opening ---------------------------------------------------------------------------------------------------


def test_text_json_and_positions_are_opened() -> None:
    record = game()
    analyse = AnalyseScreen(Desk(None))
    for text in (record.to_text(), record.to_json(), f"\n  {record.to_text()}\n"):
        analyse.open(text)
        assert analyse.record == record and data(analyse, "mode") == "game"
    analyse.open(OPEN, {"game": "advanced", "players": 5})
    assert analyse.record.game == Advanced(players=2) and analyse.record.final.hands[0] == (12, 16, 20)
    analyse.open("12 | 37 | 43 | 58 ; A: 14 ; B: 15 ; C: 16", {"game": "classic"})
    assert analyse.record.game.players == 3


@pytest.mark.parametrize("text", ["", "  ", "{", "nimmt-game/99", "12 | x", "1 2 3", "{}", "nimmt-game/2\n"])
def test_what_cannot_be_opened_is_refused_and_nothing_is_lost(text: str) -> None:
    analyse = AnalyseScreen(Desk(None))
    analyse.take(game())
    before = analyse.record
    heard: list[Any] = []
    analyse.listen(heard.append)
    analyse.handle({"path": [], "message": {"type": "open", "text": text, "setup": {"game": "classic"}}})
    assert heard[-1]["message"]["type"] == "refused" and analyse.record is before


def test_saved_games_are_listed_and_loaded_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    game().save(tmp_path / "games" / "classic-1.nimmt")
    (tmp_path / "secret.nimmt").write_text("x")
    analyse = AnalyseScreen(Desk(tmp_path))
    assert data(analyse, "saved") == ["classic-1.nimmt"]
    analyse.load("classic-1.nimmt")
    assert analyse.record == game()
    with pytest.raises(NotationError):
        analyse.load("../secret.nimmt")


@pytest.mark.parametrize("name", all_games())
def test_a_sample_of_every_game_can_be_looked_at(name: str) -> None:
    analyse = AnalyseScreen(Desk(None))
    fewest, most = all_games()[name].for_players
    analyse.setup = {"game": name, "players": max(fewest, min(2, most)), "options": {}}
    analyse.sample(3)
    assert analyse.record.game.name == name and len(analyse.record.choices) > 3
    assert analyse.replay.state == analyse.record.opening[0]


def test_the_end_of_a_table_leads_here() -> None:
    home = HomeScreen(Desk(None))
    home.open("analyse", game())
    assert data(home.parts["screen"], "mode") == "game"


# Lines -----------------------------------------------------------------------------------------------------


def what_if(analyse: AnalyseScreen, ply: int, **choices: str) -> None:
    said: dict[str, Json] = {str(ord(letter) - 65): text for letter, text in choices.items()}
    analyse.replay.receive({"type": "what_if", "ply": ply, "choices": [said]})


def test_what_if_becomes_a_line_that_continues_and_is_saved(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    analyse = AnalyseScreen(desk)
    record = game()
    analyse.take(record)
    hand = record.steps[2].before.hands[0]
    other = next(card for card in hand if card != record.steps[2].choices[0])
    what_if(analyse, 2, A=str(other))
    assert analyse.line == 1 and len(analyse.lines) == 2
    assert analyse.record.choices[:2] == record.choices[:2] and analyse.record.choices[2][0] == other
    assert analyse.record.choices[2][1] == record.choices[2][1], "the others do as they did"
    assert analyse.replay.ply == 3
    pending = analyse.record.final.pending
    what_if(analyse, 3, **{chr(65 + seat): choice.write(choice.options[0]) for seat, choice in pending.items()})
    assert len(analyse.lines) == 2 and len(analyse.record.choices) == 4, "it goes on in the same line"
    what_if(analyse, 2, A=str(other))
    assert len(analyse.lines) == 2 and analyse.line == 1 and len(analyse.record.choices) == 4, "known already"
    analyse.receive({"type": "line", "line": 0})
    what_if(analyse, 2)
    assert analyse.line == 0 and len(analyse.lines) == 2, "what was played is no new line"
    again = AnalyseScreen(Desk(tmp_path))
    assert again.lines == analyse.lines and again.line == 0 and shown(again) == shown(analyse)
    again.receive({"type": "drop", "line": 1})
    assert len(again.lines) == 1
    again.receive({"type": "drop", "line": 0})
    assert again.lines[0][1] == record, "the game itself stays"


def test_a_reload_finds_the_place_and_something_unreadable_is_said(tmp_path: Path) -> None:
    analyse = AnalyseScreen(Desk(tmp_path))
    analyse.take(game())
    analyse.replay.handle({"path": [], "data": {"at": 9}})
    assert data(AnalyseScreen(Desk(tmp_path)).replay, "at") == 9
    desk = Desk(tmp_path)
    desk.memory.put("analyse", {"mode": "game", "lines": [[0, "nonsense"]], "line": 0, "at": 0, "hidden": []})
    lost = AnalyseScreen(desk)
    assert data(lost, "mode") == "open" and data(lost, "told")
    analyse.receive({"type": "back"})
    assert data(AnalyseScreen(Desk(tmp_path)), "mode") == "open"


def test_an_invalid_frame_number_is_clamped() -> None:
    analyse = AnalyseScreen(Desk(None))
    analyse.take(game())
    last = len(analyse.replay.frames) - 1
    for said, kept in ((-5, 0), (10**9, last), ("x", last)):
        analyse.replay.handle({"path": [], "data": {"at": said}})
        assert data(analyse.replay, "at") == kept


# What it cost ----------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_the_course_has_the_figures_of_a_review(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt_lab.screens import course as module

    monkeypatch.setattr(module, "PLAYOUTS", 300)
    record = game()
    course = CourseScreen(record, {}, lambda at: None)
    course.receive({"type": "run"})
    found = review(record, playouts=module.PLAYOUTS, progress=False)
    told = [(one["seat"], one["text"]) for step in data(course, "steps") for one in step["said"]]
    from nimmt_lab.explain import words

    assert told == [(judgement.seat, judgement.text(words("en"))) for judgement in found.judgements]
    assert data(course, "running") is False
    assert set(data(course, "totals")) <= set(found.to_text().splitlines()) and len(data(course, "totals")) == 6
    signs = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
    marks = [one["mark"] for step in data(course, "steps") for one in step["said"]]
    assert marks == [signs.get(judgement.verdict, "") for judgement in found.judgements]
    assert {"?", "??"} & set(marks) and "0.50" in data(course, "legend") and "3.00" in data(course, "legend")
    # A row has a name for people, and its notation is not for them.
    chosen = [(one["choice"], one["best"]) for step in data(course, "steps") for one in step["said"]]
    rows = [names for names in chosen if names[0].startswith("row ") and names[1].startswith("row ")]
    assert len(rows) == sum(judgement.kind == "row" for judgement in found.judgements) > 0
    assert "@" not in json.dumps([data(course, "steps"), data(course, "totals")])


def test_an_open_game_is_judged_by_the_solver_and_a_step_is_shown() -> None:
    gone: list[int] = []
    course = CourseScreen(Record(Advanced(players=2), ({0: 16, 1: 18},), start=OPEN), {0: 7}, gone.append)
    course.receive({"type": "run"})
    (step,) = data(course, "steps")
    assert step["expected"] == pytest.approx([4.8, 4.8]) and "7.11" in step["said"][0]["text"]
    course.receive({"type": "go", "ply": 0})
    assert gone == [7]
    with pytest.raises(NotationError):
        course.receive({"type": "go", "ply": 5})


@pytest.mark.exhaustive
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_review_has_a_picture_to_share(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    from xml.etree import ElementTree

    from nimmt_lab.screens import course as module

    monkeypatch.setattr(module, "PLAYOUTS", 60)
    analyse = AnalyseScreen(Desk(None, lang=lang))
    analyse.open(game(7, 4).to_text())
    course = analyse.parts["course"]
    assert isinstance(course, CourseScreen)
    with refused(NotationError, "screens.nothing_reviewed"):
        course.receive({"type": "picture", "seat": None})
    course.receive({"type": "run"})
    said: list[Obj] = []
    course.listen(lambda message: said.append(message), lambda work: None)
    for seat in (None, 1):
        course.receive({"type": "picture", "seat": seat})
        message = said[-1]["message"]
        assert isinstance(message, dict) and (message["type"], message["name"]) == ("picture", "classic-review.png")
        drawn = ElementTree.fromstring(str(message["text"]))
        written_words = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
        judged = [one for step in course.reviewed.values() for one in step.judgements if seat in (None, one.seat)]
        costly = sorted((one.loss for one in judged if one.verdict in module.MARKS), reverse=True)[:3]
        say = words(lang)
        assert [text for text in written_words if text and text.startswith("−")] == [
            f"−{number(loss, say)}" for loss in costly
        ]
        player = next(one for one in data(course, "players") if one["seat"] == 1)
        assert (str(player["accuracy"]) in written_words) == (seat == 1)
        assert drawn.get("viewBox") == "0 0 1200 630"


def test_a_review_can_be_stopped_and_resumed() -> None:
    course = CourseScreen(game(), {}, lambda at: None)
    works: list[Any] = []
    course.listen(lambda said: None, works.append)
    course.receive({"type": "run"})
    for _ in range(12):
        next(works[0])
    course.receive({"type": "stop"})
    done = len(course.reviewed)
    assert 0 < done < data(course, "all") and data(course, "running") is False
    course.receive({"type": "run"})
    for _ in works[1]:
        pass
    assert len(course.reviewed) == data(course, "all")


def test_hands_nobody_knows_are_judged_by_nobody() -> None:
    course = CourseScreen(game(), {}, lambda at: None, hidden=(1, 2))
    course.receive({"type": "run"})
    assert {one["seat"] for step in data(course, "steps") for one in step["said"]} == {0}
    judge = JudgeScreen(game().opening[0], hidden=(0, 1))
    assert [seat["seat"] for seat in data(judge, "seats")] == [2]


# What options are worth ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_odds_are_the_exact_ones(lang: str) -> None:
    state = Classic(players=4).deal(seed=7)
    judge = JudgeScreen(state, lang=lang)
    judge.receive({"type": "ask", "way": "odds", "seat": 2})
    exact = odds(state.view(2))
    lines = {line["option"]: line for line in data(judge, "lines")}
    assert list(lines) == [str(card) for card in exact]
    for card, one in exact.items():
        take, heads = written(float(one.p_take), ".1%", lang), written(float(one.expected_heads), ".2f", lang)
        assert lines[str(card)]["figures"] == [take, heads]
    best = min(float(one.expected_heads) for one in exact.values())
    for line in lines.values():
        assert line["best"] == (line["size"] - best < 0.005)


def test_a_search_narrows_and_puts_the_better_card_first() -> None:
    state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 2 3")
    judge = JudgeScreen(state)
    works: list[Any] = []
    judge.listen(lambda said: None, works.append)
    judge.receive({"type": "ask", "way": "search", "seat": 0})
    margins = []
    for _ in works[0]:
        if data(judge, "lines"):
            margins.append(float(data(judge, "lines")[0]["figures"][0].split("± ")[1]))
    assert data(judge, "lines")[0]["option"] == "38" and data(judge, "running") is False
    assert margins[-1] <= margins[0]


def test_means_of_equal_runs() -> None:
    mean = Mean()
    for _ in range(4):
        mean.add(2.0, 0.4)
    assert mean.value == 2.0 and mean.error == pytest.approx(0.2)


def test_the_exact_solution_of_an_open_position() -> None:
    judge = JudgeScreen(Advanced(players=2).from_position(OPEN))
    assert data(judge, "ways") == ["search", "solve"]
    judge.receive({"type": "ask", "way": "solve", "seat": 0})
    assert "4.80" in data(judge, "text")
    lines = {line["option"]: line for line in data(judge, "lines")}
    assert lines["A 12"]["best"] and not lines["A 16"]["best"] and "7.11" in lines["A 16"]["figures"][1]
    wrongs: list[Obj] = [{"way": "odds"}, {"way": "solve", "seat": 9}, {"way": None}]
    for wrong in wrongs:
        with pytest.raises(NotationError):
            judge.receive({"type": "ask", **wrong})


# Setting up ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", all_games())
def test_a_dealt_position_of_every_game_can_be_changed_and_taken(name: str) -> None:
    made: list[Any] = []
    fewest, _ = all_games()[name].for_players
    setup = SetupScreen(lambda state, hidden: made.append(state), setup={"game": name, "players": max(2, fewest)})
    setup.receive({"type": "deal"})
    assert data(setup, "told") == ""
    setup.receive({"type": "done"})
    assert str(made[0].game.position(made[0])) == data(setup, "text")
    setup.receive({"type": "text", "text": data(setup, "text")})
    assert data(setup, "told") == ""


def test_a_card_has_one_place_and_errors_appear_at_once() -> None:
    setup = SetupScreen(lambda state, hidden: None, setup={"game": "classic", "players": 2})
    setup.receive({"type": "text", "text": "12 | 37 | 43 | 58 ; A: 14 ; B: 15"})
    setup.receive({"type": "put", "place": "hand 1", "card": 14})
    assert data(setup, "text") == "12 | 37 | 43 | 58 ; B: 14 15" and "of A" in data(setup, "hidden")
    setup.receive({"type": "put", "place": "hand 1", "card": 14})
    setup.receive({"type": "put", "place": "hand 0", "card": 14})
    assert data(setup, "told") == "" and data(setup, "hidden") == ""
    setup.receive({"type": "put", "place": "row 0", "card": 11})
    assert data(setup, "told")
    wrongs: list[Obj] = [
        {"place": "row 9", "card": 1},
        {"place": "row 0", "card": 105},
        {"place": "row 0", "card": True},
    ]
    for wrong in wrongs:
        with pytest.raises(NotationError):
            setup.receive({"type": "put", **wrong})
    with pytest.raises(RulesError):
        setup.receive({"type": "game", "setup": {"game": "whist"}})


def test_rows_show_the_places_they_have() -> None:
    """Five and the sixth that takes; in the board game as many as its row has fields."""
    classic = SetupScreen(lambda state, hidden: None, setup={"game": "classic", "players": 2})
    rows: Any = [place for place in classic.data["places"] if place["key"].startswith("row")]  # type: ignore
    assert [(row["room"], row["takes"]) for row in rows] == [(5, 6)] * 4
    setup: Obj = {"game": "classic", "players": 2, "options": {"rows": 3, "row_limit": 4}}
    classic.receive({"type": "game", "setup": setup})
    rows = [place for place in classic.data["places"] if place["key"].startswith("row")]  # type: ignore
    assert [(row["room"], row["takes"]) for row in rows] == [(4, 5)] * 3


# Recording --------------------------------------------------------------------------------------------------


def test_a_recorded_game_is_the_game_that_was_played(tmp_path: Path) -> None:
    record = game(players=3)
    taken: list[Any] = []
    kept: list[Any] = []
    screen = RecordGameScreen(
        lambda *found: taken.append(found), setup={"game": "classic", "players": 3}, kept=kept.append
    )
    for row in record.opening[0].rows:
        screen.receive({"type": "card", "card": row[0]})
    screen.receive({"type": "name", "letter": "B", "name": " Bob  Brown "})
    for at, step in enumerate(record.steps):
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            text = decision.write(choice)
            if text.isdecimal():
                assert int(text) in data(screen, "cards")
                screen.receive({"type": "card", "card": int(text)})
            else:
                screen.receive({"type": "choose", "choice": text})
        if at == 3:  # a reload in the middle
            again = kept[-1]
            screen = RecordGameScreen(
                lambda *found: taken.append(found), setup=again["setup"], notes=again["notes"], kept=kept.append
            )
            assert screen.notes.unknown == (0, 1, 2)
    screen.receive({"type": "done"})
    found, hidden = taken[0]
    assert found.events_text().splitlines()[-8:] == record.events_text().splitlines()[-8:]
    assert found.final.totals == record.final.totals and hidden == () and found.tags["B"] == "Bob Brown"
    assert [step.choices for step in found.steps] == [step.choices for step in record.steps]


def test_a_card_is_seen_once_and_known_hands_are_held_to() -> None:
    notes = Notes(Classic(players=2))
    for card in (12, 37, 43, 58):
        notes.row(card)
    with pytest.raises(NotationError):
        notes.row(60)
    with pytest.raises(NotationError):
        notes.hand(0, (12,))
    notes.hand(0, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    assert notes.unknown == (1,) and notes.may_play(0) == tuple(range(1, 11)) and 5 not in notes.may_play(1)
    assert 12 not in notes.may_play(1) and 104 in notes.may_play(1)
    assert notes.record().final.hands[0] == tuple(range(1, 11))


def test_undo_goes_back_card_by_card() -> None:
    screen = RecordGameScreen(lambda *found: None, setup={"game": "classic", "players": 2})
    for card in (12, 37, 43, 58, 60, 61, 70):
        screen.receive({"type": "card", "card": card})
    assert len(screen.notes.choices) == 1 and data(screen, "seats")[0]["given"]
    for _ in range(2):
        screen.receive({"type": "undo"})
    assert screen.notes.choices == [] and screen.notes.seen == {12, 37, 43, 58}
    with pytest.raises(NotationError):
        screen.receive({"type": "card", "card": 12})


def test_a_twisted_card_asks_which_number_it_counts_as() -> None:
    setup = {"game": "classic", "players": 2, "options": {"fan_cards": ["number_twister"]}}
    screen = RecordGameScreen(lambda *found: None, setup=setup)
    for card in (12, 37, 43, 58, 24):
        screen.receive({"type": "card", "card": card})
    offered = [option["text"] for option in data(screen, "options")]
    assert offered == ["24", "24~"]
    screen.receive({"type": "choose", "choice": "24~"})
    screen.receive({"type": "card", "card": 104})
    if data(screen, "options"):
        screen.receive({"type": "choose", "choice": "104"})
    assert screen.notes.choices[0][0] == "24~" and screen.notes.played(0) == (24,)


@pytest.mark.parametrize(
    "game",
    [
        Classic(players=4, rounds=1),
        Classic(players=3, rounds=1, fan_cards=("jumping_cow",)),
        *(Baron(players=2, variant=variant) for variant in VARIANTS),
        BoardGame(players=3),
        BoardGame(players=4, luck=True),
    ],
    ids=repr,
)
def test_who_saw_the_table_alone_has_the_whole_game(game: Game) -> None:
    """Row cards and what was played, nothing else: the same rows, piles and points after every step."""
    for seed in range(1):
        state, rng = game.deal(seed), Rng.from_seed(seed, 1)
        notes = Notes(game)
        for row in state.rows:
            if row:
                notes.row(row[0])
        while not state.is_over:
            choices, rng = random_choices(state, rng)
            for seat in choices:
                assert set(cards_of(state.pending[seat].write(choices[seat]))) <= set(notes.may_play(seat))
            notes.play(choices)
            state, _ = state.choose(choices)
            found = notes.record().final
            assert (found.rows, found.totals, found.queue) == (state.rows, state.totals, state.queue)
            assert [len(hand) for hand in found.hands] == [len(hand) for hand in state.hands]
            assert set(notes.unknown) == {seat for seat, hand in enumerate(state.hands) if hand}
        assert found.is_over and found.outcome is not None and state.outcome is not None
        assert found.outcome.winners == state.outcome.winners
        again = Notes(game)
        again.read(notes.to_json())
        assert [step.choices for step in again.record().steps] == [step.choices for step in notes.record().steps]


def test_a_hand_that_is_known_keeps_its_cards_while_others_draw_from_a_stack() -> None:
    notes = Notes(Baron(players=2))
    for card in (44, 25, 69, 85, 53):
        notes.row(card)
    notes.hand(0, (1, 2, 3, 4))
    assert notes.may_play(0) == (1, 2, 3, 4) and not set(notes.may_play(1)) & {1, 2, 3, 4, 44}
    with refused(NotationError, "engine.note_not_in_hand", card=5):
        notes.play({0: 5, 1: 6})
    with refused(NotationError, "engine.seen_before", card=2):
        notes.play({0: 1, 1: 2})
    assert notes.choices == []


def test_two_tiles_are_entered_one_after_the_other() -> None:
    screen = RecordGameScreen(lambda *found: None, setup={"game": "board", "players": 2})
    for card in (50, 70, 20, 56):
        screen.receive({"type": "card", "card": card})
    while "+" not in str(screen.notes.choices[-1:]):
        state = screen.notes.record().final
        assert not state.is_over, "somebody has played two tiles"
        if data(screen, "cards"):
            tiles = [card for card in data(screen, "cards") if card not in data(screen, "picked")]
            screen.receive({"type": "card", "card": tiles[7 * len(screen.notes.choices) % len(tiles)]})
        else:
            screen.receive({"type": "choose", "choice": data(screen, "options")[0]["text"]})
    pairs = [cards_of(text) for text in screen.notes.choices[-1].values() if "+" in text]
    assert pairs and all(len(set(pair)) == 2 and set(pair) <= screen.notes.seen for pair in pairs)


def test_games_with_other_cards_face_down_are_refused_and_an_open_one_begins_with_the_draft() -> None:
    for made in (Buffalo(players=3), BoardGame(players=3, mode="advanced")):
        with pytest.raises(Unsupported):
            Notes(made)
    screen = RecordGameScreen(lambda *found: None, lang="pl")
    with refused(Unsupported, "screens.face_down_here"):
        screen.receive({"type": "game", "setup": {"game": "buffalo", "players": 4, "options": {}}})
    assert data(screen, "setup")["game"] == "classic"
    screen = RecordGameScreen(lambda *found: None, setup={"game": "advanced", "players": 2})
    assert data(screen, "laid") and len(data(screen, "cards")) == 24
    screen.receive({"type": "card", "card": 7})
    assert screen.notes.choices == [{0: "7"}] and 7 not in data(screen, "cards")


# Handing out -----------------------------------------------------------------------------------------------


def test_everything_can_be_exported_and_read_again() -> None:
    analyse = AnalyseScreen(Desk(None))
    record = game()
    analyse.take(record)
    heard: list[Any] = []
    analyse.listen(heard.append)
    files = {}
    for form in ("html", "svg", "png", "cell", "nimmt", "json"):
        analyse.receive({"type": "export", "as": form})
        (files[form],) = [said["message"]["text"] for said in heard if "message" in said][-1:]
    assert Record.from_text(files["nimmt"]) == record == Record.from_json(files["json"])
    assert (
        files["html"].startswith("<!doctype html>") and files["svg"].startswith("<svg") and files["png"] == files["svg"]
    )
    scope: dict[str, Any] = {}
    exec(files["cell"], scope)
    assert scope["record"] == record and files["cell"] == cell(record, 0)
    with pytest.raises(NotationError):
        analyse.export("doc")


def test_the_reason_is_what_odds_and_search_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence: the odds of the turn and the search of the round, both computed here again."""
    from nimmt_lab.screens import course as module

    monkeypatch.setattr(module, "PLAYOUTS", 60)
    record = game()
    course = CourseScreen(record, dict.fromkeys(range(len(record.choices)), 0), lambda at: None)
    course.receive({"type": "run"})
    told = set()
    for ply, reviewed in course.reviewed.items():
        course.receive({"type": "go", "ply": ply, "seat": 0})
        why = str(course.data["why"])
        judged = next((one for one in reviewed.judgements if one.seat == 0), None)
        if judged is None or judged.loss < NOTHING or judged.choice == judged.best:
            assert why == ""
            continue
        searched = reviewed.searched[0]
        played, best = reviewed.step.choices[0], searched.best
        for option in (played, best):
            assert number(searched.advice.of(option).points, words("en")) in why
        if reviewed.step.before.queue:
            told.add("row")
            continue
        cards = odds(reviewed.step.before.view(0))
        assert isinstance(played, int) and isinstance(best, int)
        for card in (played, best):
            assert str(card) in why and number(float(cards[card].expected_heads), words("en")) in why
        later = cards[best].expected_heads >= cards[played].expected_heads
        assert ("comes later" in why) == later
        told.add("later" if later else "now")
    assert told >= {"now", "later"}, "both sentences were met"


def test_a_review_of_one_seat_counts_its_luck_as_a_review_does(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt_lab.screens import course as module

    monkeypatch.setattr(module, "PLAYOUTS", 60)
    course = CourseScreen(game(), {}, lambda at: None)
    course.show(seat=0)
    course.receive({"type": "run"})
    said = str(course.data["luck"])
    assert said and "±" in said
    players = data(course, "players")
    assert [one["seat"] for one in players] == [0, 1, 2] and all(0 <= one["accuracy"] <= 100 for one in players)


def test_a_review_and_the_options_beside_it_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt_lab.screens import course as module

    monkeypatch.setattr(module, "PLAYOUTS", 60)
    analyse = AnalyseScreen(Desk(None))
    analyse.show_sample()
    course, judge = analyse.parts["course"], analyse.parts["judge"]
    assert isinstance(course, CourseScreen) and isinstance(judge, JudgeScreen)
    step = max(
        data(course, "steps"),
        key=lambda step: max((one["lost"] for one in step["said"] if one["seat"] == 0), default=0),
    )
    course.receive({"type": "go", "ply": step["ply"], "seat": 0})
    judge = analyse.parts["judge"]
    searched = course.reviewed[step["ply"]].searched[0]
    lines = data(judge, "lines")
    assert data(judge, "seat") == 0 and len(lines) == len(searched.advice.promises)
    assert [line["size"] for line in lines] == sorted(promise.points for promise in searched.advice.promises)
    assert all(line["error"] > 0 for line in lines)
