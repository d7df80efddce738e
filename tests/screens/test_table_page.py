"""A table in every state: readable, within a thumb's reach, in three languages, and moving in the order of the rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.events import CardPlaced
from nimmt_lab.screens.play import PlayScreen
from nimmt_lab.screens.table import TableScreen
from nimmt_lab.widgets import Table

from .conftest import Open, Walker
from .test_pages import problems, sideways
from .test_sizes import scrolls

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]
LAPTOP, PHONE, SMALL_PHONE = (1366, 768), (390, 844), (360, 640)


def play_of(walker: Walker) -> PlayScreen:
    play = walker.home.screen.parts["screen"]
    assert isinstance(play, PlayScreen)
    return play


def sit(visit: Visit, folder: Path, size: tuple[int, int] = LAPTOP, *, theme: str = "light", **setup: Any) -> Walker:
    walker = visit(folder, width=size[0], theme=theme)
    walker.page.set_viewport_size({"width": size[0], "height": size[1]})
    again(walker, **setup)
    return walker


def again(walker: Walker, **setup: Any) -> None:
    """Another game at the same page."""
    walker.home.screen.open("play")
    play_of(walker).start({"game": "classic", "players": 4, "seed": 3, "hints": True, **setup})
    walker.settle()


def play_on(walker: Walker, turns: int = 1) -> None:
    table: TableScreen = play_of(walker).table
    for _ in range(turns):
        seat = table.asked
        assert seat is not None
        decision = table.record.final.pending[seat]
        table.play(decision.write(decision.options[0]))
        walker.settle()


def to_round_end(walker: Walker) -> None:
    while walker.count("[data-do='next-round']") == 0:
        play_on(walker)


def to_result(walker: Walker) -> None:
    while not play_of(walker).table.record.final.is_over:
        play_on(walker)
    walker.click("[data-do='finish']")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state_of_a_table(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = sit(visit, tmp_path, theme=theme, options={"hand_size": 3})
    play_on(walker)
    walker.find(".nl-mine .nl-option").nth(1).hover()
    assert problems(walker) == [], "a card is aimed"
    walker.click("[data-do='log']")
    walker.click("[data-do='line']")
    assert problems(walker) == [], "log and number line are open"
    walker.click("[data-do='leave']")
    assert problems(walker) == [], "leaving is asked about"
    walker.press("Escape")
    to_round_end(walker)
    assert problems(walker) == [], "a round is over"
    again(walker, options={"rounds": 1, "hand_size": 2})
    to_result(walker)
    assert problems(walker) == [], "the game is over"
    walker.click("[data-do='replay']")
    walker.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert problems(walker) == [], "it is watched again"
    again(walker, game="buffalo", players=3)
    while walker.count(".nl-choice-group") == 0:
        play_on(walker)
    walker.click(".nl-choice-group > summary")
    assert problems(walker) == [], "a special card is open"


#: Buttons and fields that a thumb of 44 pixels would miss.
TOO_SMALL = """() => [...document.querySelectorAll("button, select, summary, input, [role='radio']")].filter((node) => {
  const box = node.getBoundingClientRect();
  if (!node.checkVisibility({ visibilityProperty: true })) return false;
  if (!box.width || !box.height || node.closest(".nl-door, .nl-scrub") || node.type === "range") return false;
  if (node.type === "checkbox") return node.parentElement.getBoundingClientRect().height < 43.5;
  if (box.height >= 43.5) return false;
  node.scrollIntoView({ block: "center" }); // it may lie at the edge of the window
  const seen = node.getBoundingClientRect();
  const [x, y] = [seen.left + seen.width / 2, seen.top + seen.height / 2];
  return ![-20, 20].every((apart) => node.contains(document.elementFromPoint(x, y + apart)));
}).map((node) => node.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=str)
def test_whatever_can_be_pressed_is_as_large_as_a_thumb(visit: Visit, tmp_path: Path, size: tuple[int, int]) -> None:
    walker = sit(visit, tmp_path, size, options={"hand_size": 2})
    assert walker.page.evaluate(TOO_SMALL) == []
    to_round_end(walker)
    assert walker.page.evaluate(TOO_SMALL) == []
    again(walker, options={"rounds": 1, "hand_size": 2})
    to_result(walker)
    assert walker.page.evaluate(TOO_SMALL) == []
    play_of(walker).leave()
    walker.settle()
    assert walker.page.evaluate(TOO_SMALL) == []


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE], ids=str)
@pytest.mark.parametrize("players", [4, 10])
def test_rows_and_hand_share_a_phone(visit: Visit, tmp_path: Path, size: tuple[int, int], players: int) -> None:
    """Nobody scrolls between the rows and the cards to choose from."""
    walker = sit(visit, tmp_path, size, players=players)
    height = size[1]
    hand = walker.find(".nl-mine").bounding_box()
    rows = [lane.bounding_box() for lane in walker.find(".nl-lane").all()]
    assert hand is not None and hand["y"] + hand["height"] <= height and len(rows) == 4
    assert all(row is not None and row["y"] + row["height"] <= hand["y"] + 1 for row in rows)
    assert not scrolls(walker)[0]


#: Words that do not fit where they stand.
CLIPPED = """() => [...document.querySelectorAll(".nl-tool span, .nl-prompt, .nl-title, .nl-name, .nl-note-line, "
  + ".nl-stake, .nl-last-where, .nl-play-who small, .nl-button, .nl-sum, .nl-gained, .nl-moments b")]
  .filter((node) => node.getClientRects().length && !node.classList.contains("nl-heard"))
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline")
  .map((node) => node.className + ": " + node.textContent)"""


@pytest.mark.parametrize("lang", ["en", "pl", "cs"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=str)
def test_words_fit_in_every_language(visit: Visit, tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    walker = sit(visit, tmp_path, size, options={"hand_size": 3})
    walker.home.screen.receive({"type": "lang", "lang": lang})
    walker.settle()
    play_on(walker)
    assert walker.page.evaluate(CLIPPED) == [] and not sideways(walker)
    if size == LAPTOP:
        assert scrolls(walker) == (False, False)
    to_round_end(walker)
    assert walker.page.evaluate(CLIPPED) == [] and not sideways(walker)


def test_at_twice_the_size_nothing_is_out_of_reach(visit: Visit, tmp_path: Path) -> None:
    """What a page of 1366 by 768 shows at 200%."""
    walker = sit(visit, tmp_path, (683, 384))
    assert not sideways(walker)
    rows, hand = walker.find(".nl-rows").bounding_box(), walker.find(".nl-mine").bounding_box()
    assert rows is not None and hand is not None and rows["y"] + rows["height"] <= hand["y"]
    walker.click(".nl-mine .nl-option")
    assert len(play_of(walker).table.record.choices) == 1
    walker.click("[data-do='undo']")
    assert len(play_of(walker).table.record.choices) == 0


@pytest.mark.parametrize("width", [640, 900, 1080])
def test_a_cell_of_a_notebook_shows_the_rows_first(stage: Open, width: int) -> None:
    table = Table(Classic(players=4), seed=3, hints=True)
    opened = stage(table, width=width)
    opened.page.locator(".nl-mine .nl-option").nth(3).click()
    opened.hear(1)
    line = opened.page.locator(".nl-title-line").bounding_box()
    felt = opened.page.locator(".nl-felt").bounding_box()
    assert line is not None and line["height"] < 90
    assert felt is not None and felt["y"] < 190


def test_forced_colours_keep_what_colours_say(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path)
    walker.page.emulate_media(forced_colors="active")
    walker.find(".nl-mine .nl-option").first.focus()
    look = "getComputedStyle(document.querySelector('.nl-target')).outlineStyle"
    assert walker.page.evaluate(look) == "solid", "the row that is aimed at"
    edges = "[...document.querySelectorAll('.nl-slot, .nl-notch')].map((one) => getComputedStyle(one).borderTopWidth)"
    assert set(walker.page.evaluate(edges)) == {"1px", "2px"}, "places are seen without their colour"
    walker.page.emulate_media(forced_colors="none")


def test_a_hint_never_paints_the_worst_card_like_the_best(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path)
    hints: Any = play_of(walker).table.data["scene"]["hints"]  # type: ignore[index, call-overload]
    worst, best = max(hints, key=lambda card: hints[card]["mean"]), min(hints, key=lambda card: hints[card]["mean"])
    look = "(card) => document.querySelector(`.nl-hinted:has([data-option='${card}']) .nl-hint`).className"
    assert "nl-hint-high" in walker.page.evaluate(look, worst) and "nl-hint-low" in walker.page.evaluate(look, best)
    width = "(card) => document.querySelector(`.nl-hinted:has([data-option='${card}']) .nl-meter > i`).offsetWidth"
    assert walker.page.evaluate(width, best) < walker.page.evaluate(width, worst)


def test_the_last_card_is_seen_and_the_scores_wait(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path, options={"hand_size": 2})
    walker.click(".nl-mine .nl-option")
    table = play_of(walker).table
    assert table.record.final.round == 1, "the last card left no choice"
    assert walker.count(".nl-scoreboard") == 1 and walker.count(".nl-mine .nl-option") == 0
    played = [event.card for step in table.record.steps for event in step.events if isinstance(event, CardPlaced)]
    told = [int(text) for text in walker.find(".nl-last-list .nl-mini").all_inner_texts()]
    assert told and set(told) <= set(played[-4:])
    assert walker.page.evaluate("document.activeElement.dataset.do") == "next-round"
    walker.press("Enter")
    assert walker.count(".nl-scoreboard") == 0 and walker.count(".nl-mine .nl-option") == 2


def test_a_game_ends_on_a_podium_with_the_review_in_front(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path, options={"rounds": 1, "hand_size": 2})
    to_result(walker)
    assert walker.count(".nl-podium li") == 3
    rows: Any = play_of(walker).data["end"]
    points = sorted(row["points"] for row in rows["rows"])
    steps = sorted(int(text.split()[0]) for text in walker.find(".nl-podium .nl-step").all_inner_texts())
    assert steps == [1 + points.index(point) for point in points[:3]], "equal results stand on the same step"
    assert points[0] == points[1], "this deal has equal results"
    [main] = walker.find(".nl-end-screen .nl-primary").all()
    assert main.get_attribute("data-do") == "review"
    walker.click("[data-do='again']")
    assert play_of(walker).data["mode"] == "table"


def test_special_cards_are_the_buttons_to_use_them(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path, game="buffalo", players=3, hints=False)
    assert walker.count(".nl-panel-specials .nl-item-special") == 2
    while walker.count(".nl-choice-group") == 0:
        play_on(walker)
    assert walker.count(".nl-panel-specials") == 0, "they do not lie there twice"
    assert scrolls(walker) == (False, False)
    first, second = walker.find(".nl-choice-group > summary").all()[:2]
    first.click()
    second.click()
    assert walker.count(".nl-choice-sheet") == 1, "one at a time is open"
    plies = len(play_of(walker).table.record.choices)
    walker.click(".nl-choice-sheet .nl-option")
    assert len(play_of(walker).table.record.choices) > plies
    play_of(walker).table.undo()
    walker.settle()
    table = play_of(walker).table
    while table.asked != 0:
        play_on(walker)
    walker.click("[data-do='asks']")
    assert walker.find("[data-do='asks']").get_attribute("aria-pressed") == "true"
    play_on(walker)
    assert table.asked is not None and table.asked < 0, "asked before the first card"


#: Notes every animation: what moves, for how long, after how long.
WATCH = """() => {
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const kind = this.classList.contains("nl-flying") ? "take" : JSON.stringify(frames).includes("rotateY") ? "flip" : "place";
    window.moves.push([kind, how.duration, how.delay ?? 0]);
    return animate.call(this, frames, how);
  };
}"""


def test_cards_move_in_the_order_of_the_rules_and_a_key_skips(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path, motion=True)
    walker.page.evaluate(WATCH)
    again(walker, hints=False, seed=5)
    table = play_of(walker).table
    walker.click(".nl-mine .nl-option")
    walker.until(lambda: "place" in [move[0] for move in walker.page.evaluate("window.moves")])
    kinds = [move[0] for move in walker.page.evaluate("window.moves")]
    assert kinds.index("flip") < len(kinds) and len(table.record.choices) >= 1
    walker.press("Escape")
    walker.until(lambda: walker.count(".nl-mine .nl-option") > 0)
    while not any(move[0] == "take" for move in walker.page.evaluate("window.moves")):
        walker.click(".nl-mine .nl-option")
        walker.until(lambda: walker.count("[data-do='skip']") == 0)
    moves = {(kind, duration, delay) for kind, duration, delay in walker.page.evaluate("window.moves")}
    assert moves == {("flip", 250, 0), ("place", 320, 0), ("take", 500, 400)}


def test_a_nameless_player_is_not_a_letter(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path, hints=False)
    play_on(walker, 2)
    walker.click("[data-do='log']")
    log = walker.text(".nl-log")
    assert "Player 1" in log and "(A)" not in log
