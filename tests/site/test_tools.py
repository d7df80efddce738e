"""Games, practice, analysis, solver and odds in the page, with the same numbers as on a desktop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from nimmt_lab import Classic
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import record as played
from nimmt_lab.conformance import check_files
from nimmt_lab.native import core

from .conftest import PATIENCE, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.native]
VECTORS = Path(__file__).resolve().parents[1] / "conformance"


def act(button: Locator) -> None:
    """Click, and wait until the bots have answered: then the question is drawn again."""
    node = button.element_handle()
    node.click()
    button.page.wait_for_function("(node) => !node.isConnected", arg=node, timeout=PATIENCE)


@pytest.mark.parametrize("game", ["classic", "buffalo", "baron", "board"])
def test_a_game_against_bots(ready: Visitor, game: str) -> None:
    ready.click("[data-door='play']")
    if ready.count("[data-do='leave']"):
        ready.click("[data-do='leave']")
        if ready.count("[data-do='dialog-yes']"):
            ready.click("[data-do='dialog-yes']")
    ready.click(f"[data-game='{game}']")
    expect(ready.page.locator(f"[data-game='{game}']")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    rounds = ready.page.locator("[data-option-name='rounds']")
    if rounds.count():
        ready.click(".nl-more summary")
        rounds.fill("1")
        ready.page.keyboard.press("Tab")
    ready.click("[data-do='start']")
    over = "[data-do='finish'], .nl-end-screen"
    todo = f"{over}, .nl-mine .nl-option:visible, .nl-mine .nl-compose, [data-do='run']"
    for turn in range(200):
        ready.until(todo)
        if ready.count(over):
            break
        if ready.count("[data-do='run']:not(:disabled)") and turn % 3:
            act(ready.page.locator("[data-do='run']").first)
        elif ready.count(".nl-mine .nl-option:not(.nl-compose):visible"):
            options = ready.page.locator(".nl-mine .nl-option:not(.nl-compose):visible")
            act(options.nth(turn * 5 % options.count()))
        else:  # several cards make one choice
            before = ready.count(".nl-log-line")
            at = 0
            while ready.count(".nl-mine .nl-compose:visible") > at and ready.count(".nl-log-line") == before:
                ready.page.locator(".nl-mine .nl-compose:visible").nth(at).click()
                ready.python("None")  # Python has received it
                at += 1
    assert ready.count(over), "the game has come to its end"
    ready.click("[data-do='finish']")
    ready.until(".nl-end-screen .nl-scores")


def test_a_practice_streak(ready: Visitor) -> None:
    """Try the options in order: after the third wrong one the solution is shown and the streak starts again."""
    ready.click("[data-door='practise']")
    ready.click(".nl-choose-task summary")
    ready.page.locator("[data-do='kind']").select_option("row")
    ready.click("[data-do='start']")
    streak = 0
    for _ in range(4):
        ready.until(".nl-exercise .nl-option:not(.nl-was-right)")
        for at in range(ready.count(".nl-exercise .nl-option")):
            ready.page.locator(".nl-exercise .nl-option").nth(at).click()
            ready.python("None")
            if ready.count(".nl-option.nl-was-right"):
                break
        assert ready.count(".nl-option.nl-was-right") >= 1
        missed = ready.count(".nl-option.nl-was-wrong")
        assert missed <= 3 and ready.count(".nl-feedback.nl-right") == (missed < 3)
        streak = 0 if missed else streak + 1
        expect(ready.page.locator(".nl-practise-head .nl-streak")).to_contain_text(str(streak), timeout=PATIENCE)
        ready.click(".nl-exercise [data-do='next']")
        ready.until(".nl-option.nl-was-right", hidden=True)


def test_a_pasted_record_is_analysed(ready: Visitor) -> None:
    record = played(Classic(players=3, rounds=1), [bot("level-2")] * 3, 11)
    ready.click("[data-door='analyse']")
    ready.page.locator("[data-do='paste']").fill(record.to_text())
    ready.click("[data-do='open']")
    ready.click("[data-do='review']")
    expect(ready.page.locator(".nl-course-step")).to_have_count(len(record.choices), timeout=PATIENCE)
    ready.click("[data-way='odds']")
    expect(ready.page.locator(".nl-worth tbody tr")).to_have_count(10, timeout=PATIENCE)


def test_a_million_rounds_are_watched(ready: Visitor) -> None:
    ready.click("[data-do='more']")
    ready.click("[data-door='odds']")
    ready.click("[data-mode='rounds']")
    ready.click("[data-do='run']")
    expect(ready.page.locator(".nl-worth tbody")).to_contain_text("1,000,000", timeout=PATIENCE)
    assert ready.count(".nl-figure svg") == 2


#: Rounds of five kinds, a game between searching bots, an open position of seven cards: plain numbers from seeds.
NUMBERS = """
import json
from nimmt_lab import Classic
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import record
from nimmt_lab.engine.registry import all_games
from nimmt_lab.solver import solve
from nimmt_lab.study.rounds import Simulator

found = {}
for name, game in sorted(all_games().items()):
    players = max(2, game.for_players[0])
    totals = Simulator.of(game(players=players)).count(seed=5, first=0, rounds=20)
    found[name] = [sorted(histogram.items()) for histogram in totals.histograms]
game = record(Classic(players=4, rounds=1), [bot("level-5"), *[bot("level-3")] * 3], 3)
found["played"] = game.to_text()
solution = solve("2 | 7 | 13 | 19 ; A: 1 5 9 12 16 20 23 ; B: 3 6 10 14 17 21 24")
found["solved"] = [str(solution.value), solution.exact]
"""


def test_the_same_numbers_as_on_a_desktop(ready: Visitor) -> None:
    assert core() is not None
    here: dict[str, object] = {}
    exec(NUMBERS, here)
    there = json.loads(ready.python(NUMBERS + "json.dumps(found)"))
    assert there == json.loads(json.dumps(here["found"])) and there["solved"][1] is True


def test_every_rule_vector_holds_in_the_page(ready: Visitor) -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(VECTORS.glob("*.json"))}
    code = f"""
import json, pathlib
from nimmt_lab.conformance import check_files
files = json.loads({json.dumps(files)!r})
place = pathlib.Path("vectors")
place.mkdir(exist_ok=True)
for name, text in files.items():
    _ = (place / name).write_text(text)
checked = check_files([place / name for name in files])
json.dumps([checked.passed, len(checked.failures)])
"""
    here = check_files([VECTORS / name for name in files])
    assert json.loads(ready.python(code)) == [here.passed, 0] and here.passed > 100
