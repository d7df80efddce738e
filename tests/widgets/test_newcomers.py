"""A fan card and games with rules only, on boards: drawn plainly, replayed, played, asked about, never explained
wrongly."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from nimmt_lab import Classic, Game, Record
from nimmt_lab.boards.describe import BOARD, Describer, describer
from nimmt_lab.boards.film import film_of
from nimmt_lab.boards.words import board_words
from nimmt_lab.bots.base import needed
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain import LANGUAGES
from nimmt_lab.games.classic.describe import LOOK
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.lessons import Spot, ask, generate, words
from nimmt_lab.widgets import Exercise, NumberLine, Replay, Table, kinds_of
from tests.catalogue import on_board
from tests.explain.test_newcomers import FENCED, SITUATION, FirstRow, FourTakes, Slide, Towers
from tests.support import random_record, refused

from .conftest import Open

SLIDE = Classic(players=2, rounds=1, fan_cards=(Slide(),))
GAMES: dict[str, Game] = {
    "fence": FENCED,
    "slide": SLIDE,
    "four_takes": FourTakes(players=2, rounds=1),
    "first_row": FirstRow(players=2, rounds=1),
    "towers": Towers(players=2),
}
each = pytest.mark.parametrize("name", GAMES)


def pool(scene: dict[str, Any], frame: dict[str, Any], what: str) -> list[Any]:
    return [scene["pool"][at] for at in frame[what]]


@each
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_record_is_replayed_event_by_event(name: str, lang: str) -> None:
    record = random_record(GAMES[name], seed=4, choices=30)
    scene: dict[str, Any] = film_of(record, lang=lang).scene()
    assert json.loads(json.dumps(scene)) == scene and "{" not in scene["game"]["title"]
    events = [event for step in record.steps for event in step.events]
    told = [frame for frame in scene["frames"] if frame.get("focus")][-len(events) :]
    assert all(frame["rule_name"] for frame in told)
    assert all(
        frame["text"] for event, frame in zip(events, told, strict=True) if isinstance(event, (CardPlaced, RowTaken))
    )
    rows = pool(scene, scene["frames"][-1], "rows")
    assert [row["cards"] for row in rows] == [list(row) for row in record.final.rows]
    picture = Replay(record, at=-1, lang=lang).to_svg()
    assert picture.startswith("<svg") and "{" not in picture
    assert lang == "en" or not re.search(r"<title>\d+, \d+ heads?</title>", picture)


@each
def test_what_a_lane_holds_is_what_the_rules_say(name: str) -> None:
    game = GAMES[name]
    say = describer(game, board_words("en"))
    for step in random_record(game, seed=5, choices=30).steps:
        state = step.before
        for row in range(len(state.rows)):
            shown: dict[str, Any] = say.row(state, row)
            assert shown["places"] == game.places(state, row)
            assert shown["takes"] == shown["places"] + len(shown["lost"]) + 1
            assert shown["heads"] == game.heads_in(state.rows[row])


def test_a_fan_card_without_a_look_is_drawn_from_its_rules() -> None:
    state = SLIDE.from_position("10 | 20 19 | 60 | 80 ; A: 15 98 ; B: 81 99 ; slide: 2")
    say = describer(SLIDE, board_words("pl"))
    rows: list[Any] = [say.row(state, row) for row in range(4)]
    assert say.title() == f"{board_words('pl')('title.classic')} · slide"
    assert [row["down"] for row in rows] == [False, True, False, False]
    assert [(row["places"], len(row["lost"]), row["takes"]) for row in rows[:2]] == [(5, 0, 6), (2, 3, 6)]
    assert {"sign": "▪", "text": "slide"} in rows[1]["lost"]
    # Below 19 the row that goes down is closest from 15 on (10 and 20 are as far), and below 10 it is alone.
    assert say.zones(state) == [[1, 9, 1], [10, 14, 0], [15, 19, 1], [20, 59, 0], [60, 79, 2], [80, 104, 3]]


def test_the_number_line_follows_a_fan_card_that_nobody_described() -> None:
    state = FENCED.from_position(SITUATION)
    assert NumberLine(state).scene["frames"]
    zones = describer(FENCED, board_words("en")).zones(state)
    assert [40, 60, 1] in zones and [61, 79, -1] in zones, "the fenced row is closed to cards above 60"


def test_no_number_line_where_numbers_do_not_decide() -> None:
    with refused(RulesError, "widgets.no_number_line", game="towers"):
        NumberLine(Towers(players=2).deal(seed=1))


@pytest.mark.exhaustive
@each
def test_it_is_played_at_the_table(name: str) -> None:
    table = Table(GAMES[name], [lambda view: needed(view).options[0]], seed=2, hints=True, lang="cs")
    assert all("mean" in hint for hint in table.scene["hints"].values()), "a hint is what a search expects"
    lengths = [0]
    for _ in range(3):  # the shortest of these games asks so often: its fourth turn is forced and passes by itself
        state = table.record.final
        assert not state.is_over
        table.play(state.pending[0].write(state.pending[0].options[0]))
        lengths.append(len(table.record.choices))
    assert lengths == sorted(set(lengths)), "every choice was played"
    table.undo()
    assert len(table.record.choices) == lengths[-2] and not table.record.final.is_over
    while not table.record.final.is_over:
        decision = table.record.final.pending[0]
        table.play(decision.write(decision.options[-1]))
    assert table.scene["frames"] and Record.from_play(table.record.game, 2, table.record.choices) == table.record


@each
def test_what_can_be_proved_is_asked(name: str) -> None:
    game = GAMES[name]
    assert kinds_of(game) == (("row", "takes") if name == "towers" else ("row", "takes", "chance"))
    for kind in kinds_of(game):
        question = generate(game, kind, seed=3)
        for lang in LANGUAGES:
            say = words(lang)
            shown = question.shown(describer(game, board_words(lang)), say)
            said = [question.prompt(say), question.hint(say), json.dumps(shown, ensure_ascii=False)]
            assert all(said) and "{who" not in "".join(said)
        if kind == "row":
            step = question.proof[0]
            placed = next(e for e in step.events if isinstance(e, CardPlaced) and e.card == question.card)
            assert question.right == {str(placed.row + 1)}


def test_what_cannot_be_proved_is_refused() -> None:
    with refused(Unsupported, "engine.no_face", name="fence"):
        ask("safe", Spot(FENCED.from_position(SITUATION)))
    with refused(RulesError, "lessons.no_exercise", game="towers", kind="'safe'"):
        ask("safe", Spot(Towers(players=2).deal(seed=1)))
    with refused(RulesError, "lessons.no_exercise", game="towers", kind="'match'"):
        generate(Towers(players=2), "match", seed=1)


def test_a_hint_speaks_of_the_closest_end_only_where_that_decides() -> None:
    closest = words("en")("hint.row_closest")
    hints = {name: generate(game, "row", seed=3).hint(words("en")) for name, game in GAMES.items()}
    assert {name for name, hint in hints.items() if hint == closest} == {"four_takes"}
    assert generate(Classic(players=2), "row", seed=3).hint(words("en")) == closest


def test_every_chapter_of_ours_brings_its_board_and_every_fan_card_its_look() -> None:
    for game in all_games().values():
        assert BOARD.find(game) not in (None, Describer)
    for card in fan_cards().values():
        assert LOOK.find(card) is not None


@pytest.mark.browser
@each
def test_the_browser_draws_it(stage: Open, name: str) -> None:
    record = random_record(GAMES[name], seed=4, choices=20)
    opened = stage(Replay(record, at=-1))
    assert opened.page.locator(".nl-lane").count() == len(record.final.rows)
    exercise = Exercise(GAMES[name], kinds=["row"], seed=3)
    opened = stage(exercise)
    opened.page.locator(f"[data-option='{next(iter(exercise.question.right))}']").click()
    opened.hear(1)
    assert on_board("right").match(opened.page.locator(".nl-feedback").inner_text())


@pytest.mark.browser
def test_the_reason_is_given_only_where_it_is_the_reason(stage: Open) -> None:
    """13 is closer to 12, but goes to row 1 by a rule that nobody has told."""
    said = {}
    for game in (FirstRow(players=2), Classic(players=2)):
        page = stage(Replay(game.from_position("10 | 12 | 60 | 80 ; A: 13 98 ; B: 81 99"))).page
        page.locator(".nl-hand[data-seat='0'] [data-card='13']").hover()
        said[game.name] = page.locator(".nl-aim-text").inner_text()
    say = board_words("en")
    assert said["first_row"] == say("aim_to", card=13, row=1, place=2)
    assert said["classic"] == f"{say('aim_to', card=13, row=2, place=2)} · {say('aim', end=12, difference=1)}"
