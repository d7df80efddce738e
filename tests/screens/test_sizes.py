"""Cards are large enough on every screen, and a table is one screen: nothing to scroll, targets for a thumb."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.screens import assets
from tools.browser import Stage

from .conftest import Walker

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]

WIDTHS = """(selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length)
  .map((node) => node.offsetWidth)"""


def table(visit: Visit, folder: Path, size: tuple[int, int], **setup: Any) -> Walker:
    walker = visit(folder, width=size[0])
    walker.page.set_viewport_size({"width": size[0], "height": size[1]})
    walker.home.screen.open("play")
    walker.home.screen.parts["screen"].start({"game": "classic", "players": 4, "seed": 3, "hints": True, **setup})
    walker.settle()
    return walker


def scrolls(walker: Walker) -> tuple[bool, bool]:
    """Whether the page scrolls sideways, and down."""
    root = "document.documentElement"
    found: list[bool] = walker.page.evaluate(f"[{root}.scrollWidth > innerWidth, {root}.scrollHeight > innerHeight]")
    return found[0], found[1]


def least(walker: Walker, selector: str) -> float:
    widths: list[float] = walker.page.evaluate(WIDTHS, selector)
    assert widths, selector
    return min(widths)


@pytest.mark.parametrize(
    ("size", "row", "hand", "scrolling"),
    [
        ((1366, 768), 68, 72, False),
        ((1366, 625), 56, 59, False),
        ((1920, 1080), 96, 101, False),
        ((390, 844), 46, 58, True),
        ((360, 640), 42, 53, True),
    ],
    ids=str,
)
def test_cards_are_as_large_as_the_screen_allows(
    visit: Visit, tmp_path: Path, size: tuple[int, int], row: int, hand: int, scrolling: bool
) -> None:
    walker = table(visit, tmp_path, size)
    assert least(walker, ".nl-rows .nl-card") >= row
    assert least(walker, ".nl-mine .nl-card") >= hand
    assert scrolls(walker) in {(False, False), (False, scrolling)}
    assert least(walker, ".nl-mine .nl-option") >= 44


@pytest.mark.parametrize(("game", "players"), [("classic", 10), ("board", 3), ("buffalo", 3), ("baron", 4)])
def test_every_table_is_one_screen(visit: Visit, tmp_path: Path, game: str, players: int) -> None:
    walker = table(visit, tmp_path, (1366, 768), game=game, players=players)
    assert scrolls(walker) == (False, False)
    walker.in_sight(".nl-lane", ".nl-mine .nl-option", ".nl-hand", ".nl-tools")
    if game == "board":
        assert walker.count(".nl-lane") == 10 and least(walker, ".nl-lane .nl-slot") >= 44
        # A tile covers its field and nothing else.
        overlaps = """() => [...document.querySelectorAll(".nl-lane .nl-card")].filter((card) => {
          const a = card.getBoundingClientRect();
          return [...document.querySelectorAll(".nl-lane .nl-field")].some((field) => {
            const b = field.getBoundingClientRect();
            return b.width && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
          });
        }).length"""
        assert walker.page.evaluate(overlaps) == 0


def test_rows_to_choose_beside_a_high_board_leave_the_tools_in_sight(visit: Visit, tmp_path: Path) -> None:
    options = {"mode": "advanced", "luck": True}
    walker = table(visit, tmp_path, (1366, 768), game="board", players=3, options=options)
    shown = walker.home.screen.parts["screen"].table
    decision = shown.record.final.pending[0]
    while not (isinstance(decision, ChooseRow) and len(decision.options) > 6):
        shown.play(decision.write(decision.options[0]))
        decision = shown.record.final.pending[shown.asked]
    walker.until(lambda: walker.count(".nl-choice-rows") == 1)
    walker.in_sight(".nl-tools", ".nl-mine .nl-option", ".nl-mine .nl-card")
    assert len({node.bounding_box()["height"] for node in walker.find(".nl-mine .nl-option").all()}) == 1  # type: ignore[index]


def test_the_cards_of_the_last_turn_stay_when_the_game_is_over(visit: Visit, tmp_path: Path) -> None:
    walker = table(visit, tmp_path, (1366, 768), options={"rounds": 1, "hand_size": 2}, hints=False)
    walker.click(".nl-mine .nl-option")
    shown = walker.home.screen.parts["screen"].table
    while not shown.record.final.is_over:
        decision = shown.record.final.pending[shown.asked]
        shown.play(decision.write(decision.options[0]))
    walker.until(lambda: walker.count("[data-do='finish']") == 1)
    assert walker.count(".nl-queue .nl-placed") == 4


@pytest.mark.parametrize("name", ["learn", "play", "practise", "analyse", "odds", "box", "notebooks"])
def test_every_page_opens_as_one_screen(visit: Visit, tmp_path: Path, name: str) -> None:
    walker = visit(tmp_path)
    walker.page.set_viewport_size({"width": 1366, "height": 768})
    walker.go(name)
    walker.settle()
    assert scrolls(walker) == (False, False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("lang", ["en", "pl"])
def test_a_question_without_a_table_is_one_screen_after_its_experiment(visit: Visit, tmp_path: Path, lang: str) -> None:
    """Lesson p8: the numbers, the answer with its explanation, and both drawings of the experiment."""
    walker = visit(tmp_path)
    walker.page.locator("select").first.select_option(lang)
    walker.settle()
    walker.open_lesson("p8")
    tried = 0
    while not walker.count("[data-do='download'], .nl-hand-in"):
        if walker.count("[data-times='1000']"):
            walker.click("[data-times='1000']")
            for said in ("0.01", "0.02", "0.03"):
                walker.fill(".nl-answer", said)
            assert walker.count(".nl-feedback.nl-wrong") == 1 and walker.count(".nl-watched") == 2
            walker.opened.laid_out()
            assert scrolls(walker) == (False, False), walker.text(".nl-prompt")
            tried += 1
        elif walker.count(".nl-answer"):
            for said in ("0.01", "0.02", "0.03"):
                walker.fill(".nl-answer", said)
        elif walker.count("[data-choice]"):
            walker.click(f"[data-choice='{lesson_board(walker).problem.answer}']")
        walker.click(".nl-lesson .nl-foot [data-do='next']")
    assert tried == 3


def lesson_board(walker: Walker) -> Any:
    return walker.home.screen.parts["screen"].parts["lesson"].board


def test_a_replay_is_one_screen_and_hears_the_arrows_wherever_the_focus_is(visit: Visit, tmp_path: Path) -> None:
    walker = table(visit, tmp_path, (1366, 768), options={"rounds": 1, "hand_size": 1}, hints=False)
    walker.click("[data-do='replay']")
    assert scrolls(walker) == (False, False) and least(walker, ".nl-rows .nl-card") >= 68
    walker.find("[data-door='play']").focus()
    walker.press("ArrowRight", "ArrowRight")
    assert walker.text(".nl-place").startswith("3/")


def test_a_table_is_left_on_purpose_and_can_be_had_back(visit: Visit, tmp_path: Path) -> None:
    walker = table(visit, tmp_path, (1366, 768), hints=False)
    walker.click(".nl-mine .nl-option")
    play = walker.home.screen.parts["screen"]
    record = play.table.record
    walker.click("[data-do='leave']")
    assert walker.page.evaluate("document.activeElement.dataset.do") == "dialog-no"
    walker.press("Escape")
    assert walker.count(".nl-dialog") == 0 and play.data["mode"] == "table"
    walker.click("[data-do='leave']")
    walker.click("[data-do='dialog-yes']")
    assert play.data["mode"] == "setup"
    walker.click("[data-do='return']")
    assert play.data["mode"] == "table" and play.table.record == record


def test_one_tap_starts_a_quick_game(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("play")
    walker.click("[data-do='quick']")
    record = walker.home.screen.parts["screen"].table.record
    assert (record.game.name, record.game.players, record.game.rounds) == ("classic", 4, 1)


def test_a_name_outlives_a_change_of_level(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("play")
    name = walker.find(".nl-seat-name").nth(1)
    name.fill("Zoe")
    walker.find("select[data-seat='1']").select_option("level-5")
    assert walker.find(".nl-seat-name").nth(1).input_value() == "Zoe"


# A browser writes selectors in one way. A token's value it keeps as it was written, blanks included.
RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const told = (rule) => rule.selectorText && !rule.cssRules?.length
    ? `${rule.selectorText} { ${rule.style.cssText.replace(/\\s+/g, "")} }`
    : [rule.cssText.split("{")[0], ...[...(rule.cssRules ?? [])].map(told)].join(" | ");
  return [...sheet.cssRules].map(told);
}"""


def test_the_styles_sent_mean_what_the_files_say(only_page: Stage) -> None:
    folder = Path(assets.__file__).parent / "css"
    files = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.css")))
    written: list[str] = only_page.page.evaluate(RULES, files)
    assert len(written) > 500
    assert only_page.page.evaluate(RULES, assets.styles()) == written


def test_what_a_page_gets_is_small() -> None:
    sent = len(assets.bundle("page").encode()) + len(assets.styles().encode())
    assert sent <= 350_000
