"""The solver panel: true numbers with words, usable by mouse and keyboard, readable without colour or kernel."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic, Record
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.explain import LANGUAGES
from nimmt_lab.screens.solver_panel import STATUS, SolverScreen
from nimmt_lab.solver import solve
from nimmt_lab.solver.deals import random_state
from nimmt_lab.widgets import SolverPanel
from tests.catalogue import on_board
from tests.support import refused
from tools.browser import Stage

from .conftest import Open

GAME = Advanced(players=2, rounds=1)
MIXED = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
#: The lead changes hands here; there are low cards of both.
START = "20 | 3 9 12 | 19 22 | 2 4 ; A: 6 8 18 24 ; B: 1 5 10 13"
CHOICES: tuple[dict[int, Any], ...] = (
    {0: 24, 1: 10}, {0: 8, 1: 13}, {0: 3}, {0: 6, 1: 1}, {1: 1}, {0: 18, 1: 5}, {1: 0},
)  # fmt: skip


@pytest.fixture(scope="module")
def record() -> Record:
    return Record(GAME, CHOICES, start=START, tags={"A": "Ola"})


def panel_of(what: Any, **options: Any) -> SolverPanel:
    return SolverPanel(what, seconds=None, progress=False, **options)


def numbers(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))


# What Python says ----------------------------------------------------------------------------------------


def test_the_numbers_are_the_solvers() -> None:
    state = GAME.from_position(MIXED)
    (moment,) = panel_of(state).scene["solver"]
    solution = solve(state, detail="full")
    matrix = moment["matrix"]
    assert (matrix["rows"], matrix["columns"]) == (["12", "16", "20"], ["1", "2", "18"])
    for a, row in zip(matrix["rows"], matrix["cells"], strict=True):
        for b, cell in zip(matrix["columns"], row, strict=True):
            entry = solution.payoffs[int(a)][int(b)].middle
            assert numbers(cell["text"]) == pytest.approx(entry, abs=0.006)
            assert cell["text"][0] in "+−" or numbers(cell["text"]) == 0
            assert (cell["heat"] > 0) == (entry > solution.value + 1e-3) and -1 <= cell["heat"] <= 1
            assert cell["mixed"] == (solution.strategies[0][int(a)] * solution.strategies[1][int(b)] > 0)
    for seat in moment["seats"]:
        for option in seat["options"]:
            card = int(option["text"])
            assert option["chance"] == solution.strategies[seat["seat"]][card] and option["card"] == card
            assert (numbers(option["regret"]) if option["regret"] else 0.0) == pytest.approx(
                solution.regrets[seat["seat"]][card].hi, abs=0.006
            )
    assert moment["exact"] and moment["expected"][2] == "+4.80"


def test_results_count_the_piles() -> None:
    plain = GAME.from_position("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8")
    ahead = GAME.from_position("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8 ; B+: 5 10 11")
    (before,), (after,) = panel_of(plain).scene["solver"], panel_of(ahead).scene["solver"]
    heads = GAME.heads_in((5, 10, 11))
    assert before["expected"][0] + heads == after["expected"][0] == numbers(after["matrix"]["cells"][0][0]["text"])
    say = board_words("en")
    assert before["text"].startswith(f"{say('solver_level')} {say('solver_plays', who='A', card=17)}")
    assert after["text"].startswith(say("solver_ahead", who="A", heads=f"{heads}.00"))


def test_a_record_is_walked_decision_by_decision(record: Record) -> None:
    panel = panel_of(record, at=-1)
    moments = panel.scene["solver"]
    assert panel.at == 6 == len(moments) - 1 == len(panel.scene["frames"]) - 1
    assert [moment["label"] for moment in moments] == ["1/7", "1/8", "1/8", "1/9", "1/9", "1/10", "1/10"]
    assert [moment["turning"] for moment in moments] == [False, True, True, False, True, False, True]
    assert [moment["matrix"] is None for moment in moments] == [False, False, True, False, True, False, True]
    assert [cell["text"] for row in moments[0]["matrix"]["cells"] for cell in row if cell["chosen"]] == ["+3.57"]
    rows = {option["text"]: (option["chosen"], option["regret"]) for option in moments[2]["seats"][0]["options"]}
    assert rows["@4"] == (True, "2.00") and rows["@1"] == (False, "")
    assert moments[0]["text"].startswith(board_words("en")("solver_ahead", who="Ola", heads="3.00"))


def test_an_unfinished_game_ends_with_what_to_choose_now(record: Record) -> None:
    short = Record(GAME, record.choices[:1], start=START)
    moments = panel_of(short).scene["solver"]
    assert len(moments) == 2 and not any(option["chosen"] for seat in moments[1]["seats"] for option in seat["options"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language(lang: str, record: Record) -> None:
    panel = panel_of(record, lang=lang)
    texts = [moment["text"] for moment in panel.scene["solver"]]
    assert not any("{" in text for text in texts)
    assert ("3,00" in texts[0]) == (lang != "en")


def test_what_was_not_solved_is_shown_as_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimmt_lab.solver.estimate.CUTS", {})  # as if nothing had been learned
    (moment,) = SolverPanel(random_state(GAME, 10, 3), seconds=1e-4).scene["solver"]
    assert not moment["exact"] and on_board("solver_open", who="A").match(moment["text"])
    assert " … " in moment["expected"][2] and moment["estimate"] is None
    assert on_board("solver_nothing", who="A").search(moment["text"])
    assert not on_board("solver_might").search(moment["text"])
    assert all(one["percent"] == "" for seat in moment["seats"] for one in seat["options"])


def test_an_estimate_is_shown_as_one_and_a_guarantee_with_it() -> None:
    """With eight cards a hand the first slice of work is enough for the estimate, and not for the value."""
    (moment,) = SolverPanel(random_state(GAME, 8, 3), seconds=1e-4).scene["solver"]
    assert not moment["exact"]
    lo, hi, _ = moment["expected"]
    assert lo <= moment["estimate"] <= hi
    for key in ("solver_about", "solver_might", "solver_at_least"):
        assert on_board(key, who="A").search(moment["text"]), key
    assert {seat["support"] for seat in moment["seats"]} <= {"certified", "estimate"}


@pytest.mark.exhaustive
def test_it_narrows_while_one_looks_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It advances step by step, as a kernel lets it between two clicks; the fifth slice is long enough."""
    module, works, slices = importlib.import_module("nimmt_lab.study"), list[Any](), list[float]()
    real = module.solve_position

    def look(state: Any, *, seconds: float, searcher: Any) -> Any:
        slices.append(seconds)
        return real(state, seconds=None if len(slices) == 5 else 1e-3, searcher=searcher)

    monkeypatch.setattr(module, "solve_position", look)
    screen = SolverScreen(random_state(GAME, 8, 3), seconds=30, progress=False)
    screen.listen(lambda said: None, works.append)

    def bounds(stopped: bool = False) -> tuple[float, float]:
        scene: Any = screen.data["scene"]
        lo, hi, _ = scene["solver"][0]["expected"]
        assert scene["frames"][0]["text"] == scene["solver"][0]["text"]
        text = scene["solver"][0]["text"]
        if screen.data["more"]:
            assert on_board("solver_about", who="A").search(text)
            assert on_board("solver_halted" if stopped else "solver_running").match(text)
        return lo, hi

    assert screen.data["more"] and not screen.data["running"]
    first = bounds()
    screen.search()
    screen.search()  # it is at it already
    assert len(works) == 1 and screen.data["running"] and bounds() == first
    next(works[0])
    next(works[0])
    second = bounds()
    assert len(slices) == 2 and first[0] <= second[0] <= second[1] <= first[1]
    screen.handle({"path": [], "message": {"type": "stop"}})
    assert not screen.data["running"] and screen.data["more"] and bounds(stopped=True) == second
    assert next(works[0], "ended") == "ended", "what was stopped does not go on by itself"
    screen.handle({"path": [], "message": {"type": "search"}})
    assert len(works) == 2
    for _ in works[-1]:
        lo, hi = bounds()
        assert second[0] <= lo <= hi <= second[1], "from where it was"
    assert len(slices) == 5 and not screen.data["running"] and not screen.data["more"]
    assert second[0] < bounds()[0] and bounds()[1] < second[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_says_why_it_is_not_solved(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody stopped it, in the panel or with the interrupt key, or its time was over: never one for the other."""
    module = importlib.import_module("nimmt_lab.study")
    real, interrupted = module.solve_position, [False]

    def look(state: Any, *, seconds: float, searcher: Any) -> Any:
        found = real(state, seconds=1e-3, searcher=searcher)
        return replace(found, interrupted=interrupted[0])

    monkeypatch.setattr(module, "solve_position", look)
    stopped, over, running = (on_board(STATUS[why], lang) for why in ("stopped", "time", "running"))
    endless = SolverScreen(random_state(GAME, 8, 3), seconds=None, progress=False, lang=lang)
    assert running.match(endless.scene["solver"][0]["text"])
    screen = SolverScreen(random_state(GAME, 8, 3), seconds=0.5, progress=False, lang=lang)
    works = list[Any]()
    screen.listen(lambda said: None, works.append)

    def text() -> str:
        return str(screen.scene["solver"][0]["text"])

    assert running.match(text()), "after the first search"
    screen.search()
    list(works[-1])
    assert over.match(text())
    screen.search()
    screen.handle({"path": [], "message": {"type": "stop"}})
    assert stopped.match(text()) and "{" not in text()
    screen.search()
    assert running.match(text()), "it continues"
    interrupted[0] = True
    list(works[-1])
    assert stopped.match(text())


def test_what_is_known_needs_no_search() -> None:
    screen = SolverScreen(GAME.from_position(MIXED), progress=False)
    works: list[Any] = []
    screen.listen(lambda said: None, works.append)
    screen.search()
    assert not works and screen.data["more"] is False and screen.data["running"] is False
    heard: list[Any] = []
    screen.listen(heard.append)
    screen.handle({"path": [], "message": {"type": "dance"}})
    assert heard[0]["message"]["type"] == "refused"


@pytest.mark.exhaustive
def test_the_time_given_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look counts towards the time; continuing later gives the full time again."""
    module, given = importlib.import_module("nimmt_lab.study"), []
    real = module.solve_position

    def look(state: Any, *, seconds: float, searcher: Any) -> Any:
        given.append(seconds)
        return real(state, seconds=1e-4, searcher=searcher)

    monkeypatch.setattr(module, "solve_position", look)
    panel = SolverPanel(random_state(GAME, 10, 3), seconds=1.7)
    assert given == pytest.approx([0.3, 0.5, 0.5, 0.4])
    given.clear()
    panel.search()
    assert given == pytest.approx([0.5, 0.5, 0.5, 0.2])


def test_what_was_not_looked_at_is_said(monkeypatch: pytest.MonkeyPatch, record: Record) -> None:
    module = importlib.import_module("nimmt_lab.study.reviews")
    real, calls = module.solve, []

    def interrupted(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*args, **options)

    monkeypatch.setattr(module, "solve", interrupted)
    moments = panel_of(record).scene["solver"]
    assert [moment["expected"] is None for moment in moments] == [True] * 5 + [False] * 2
    assert moments[0]["text"] == board_words("en")("solver_not_looked_at")


def test_what_cannot_be_solved_is_refused() -> None:
    with refused(PositionError, "engine.view_hides"):
        panel_of(Classic(players=2).deal(seed=1).view(0))
    with refused(PositionError, "engine.hand_not_given", who="B"):
        panel_of("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20")
    with refused(PositionError, "solver.draft"):
        panel_of(GAME.deal(seed=1))


def test_open_hands_of_a_game_with_hidden_hands_are_solved() -> None:
    (moment,) = panel_of(Classic(players=2, rounds=1).from_position(MIXED)).scene["solver"]
    (same,) = panel_of(GAME.from_position(MIXED)).scene["solver"]
    assert moment["matrix"] == same["matrix"]


def test_without_a_kernel_the_numbers_are_there(record: Record, tmp_path: Any) -> None:
    panel = panel_of(record)
    html = panel._repr_mimebundle_()[0]["text/html"]
    say = board_words("en")
    ahead = say("solver_ahead", who="Ola", heads="3.00")
    assert "<svg" in html and "<td>+3.57</td>" in html and ahead in html
    assert say("solver_loses", heads="1.13") in html
    for suffix in ("svg", "html"):
        panel.save(tmp_path / f"panel.{suffix}")
        assert "3.00" in (tmp_path / f"panel.{suffix}").read_text(encoding="utf-8")


# In the browser ------------------------------------------------------------------------------------------


@pytest.mark.smoke
@pytest.mark.browser
def test_the_panel_shows_table_mixes_and_regrets(stage: Open) -> None:
    page = stage(panel_of(GAME.from_position(MIXED))).page
    assert on_board("solver_ahead", who="A", heads="4.80").match(page.locator(".nl-sentence").inner_text())
    cells = page.locator(".nl-cell")
    assert cells.count() == 9
    assert all(text.strip()[0] in "+−0" for text in cells.all_inner_texts())
    tints = {cell.evaluate("node => getComputedStyle(node).backgroundColor") for cell in cells.all()}
    assert len(tints) > 2
    assert page.locator('.nl-mix[data-seat="0"] li[data-option="12"]').inner_text().split() == ["12", "60%"]
    width = page.locator('.nl-mix[data-seat="0"] li[data-option="12"] .nl-mix-bar')
    bar = width.locator("i").bounding_box()
    whole = width.bounding_box()
    assert bar is not None and whole is not None and bar["width"] / whole["width"] == pytest.approx(0.6, abs=0.05)
    assert page.locator('.nl-hand [data-card="16"] .nl-regret').inner_text() == "−7.11"
    label = page.locator('.nl-hand [data-card="16"]').get_attribute("aria-label", timeout=1000)
    assert label is not None and label.endswith(f", {board_words('en')('solver_loses', heads='7.11')}")
    assert page.locator('.nl-hand [data-card="20"] .nl-regret').inner_text() == "40%"
    assert page.locator(".nl-controls").is_hidden() and page.locator(".nl-evaluation svg").count() == 0


def running(shown: Stage, is_so: bool) -> None:
    shown.widget.show(running=is_so)
    shown.settle()


def at(shown: Stage) -> int:
    """The decision on show, as Python has heard it."""
    shown.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    number: int = shown.widget.at
    return number


@pytest.mark.browser
def test_a_button_searches_on_and_the_table_keeps_the_focus(stage: Open) -> None:
    """Outside of a kernel all of the work is done at once: from a first look to the exact answer in one click."""
    panel = SolverPanel(random_state(GAME, 8, 3), seconds=1e-4, progress=False)
    shown = stage(panel)
    page = shown.page
    search, say = page.locator('[data-do="search"]'), board_words("en")
    assert search.is_visible() and search.inner_text() == say("solver_go_on")
    first, (moment,) = page.locator(".nl-sentence").inner_text(), panel.scene["solver"]
    assert moment["estimate"] is not None
    assert re.match(f"{on_board('solver_no_time').pattern} {on_board('solver_about', who='A').pattern}", first)
    running(shown, True)
    search.click()
    shown.hear(1)
    assert shown.clicks == [{"type": "stop"}]
    running(shown, True)
    assert search.inner_text() == say("solver_stop")
    assert page.locator(".nl-searching").inner_text() == say("solver_running")
    running(shown, False)
    page.locator(".nl-cell").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    said = page.evaluate("document.activeElement.getAttribute('aria-label')").split(":")[0]
    panel._left = None
    page.evaluate("document.querySelector('[data-do=search]').click()")  # which leaves the focus where it is
    shown.hear(2)
    assert shown.clicks[1] == {"type": "search"} and page.locator(".nl-search").is_hidden()
    assert re.match(
        "|".join(on_board(key).pattern for key in ("solver_ahead", "solver_level")),
        page.locator(".nl-sentence").inner_text(),
    )
    assert " … " not in page.locator('.nl-mix[data-seat="0"]').inner_text()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").split(":")[0] == said
    assert page.locator('.nl-cell[tabindex="0"]').count() == 1


@pytest.mark.browser
def test_keys_walk_the_decisions_and_the_table(stage: Open, record: Record) -> None:
    shown = stage(panel_of(record))
    page = shown.page
    page.locator(".nl-solver").focus()
    say = board_words("en")
    assert page.locator(".nl-place").inner_text() == f"{say('solver_values', at=1, all=7)} (1/7)"
    assert page.locator(".nl-say").get_attribute("aria-live") == "polite"
    page.keyboard.press("ArrowRight")
    place = f"{say('solver_values', at=2, all=7)} (1/8) · ◆ {say('solver_turning')}"
    assert page.locator(".nl-place").inner_text() == place
    assert "3.57" in page.locator(".nl-sentence").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator(".nl-matrix").count() == 0  # a row is chosen
    assert f"● {say('solver_chosen')}" in page.locator('.nl-mix li[data-option="@4"]').inner_text()
    page.keyboard.press("End")
    assert at(shown) == 6
    page.keyboard.press("Home")
    assert at(shown) == 0
    page.locator('.nl-cell[tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    told = page.locator(".nl-told").inner_text()
    assert on_board("solver_cell", a="Ola 8", b="B 5").match(told)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == told
    assert page.locator('.nl-cell[tabindex="0"]').count() == 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # the table ends here
    page.keyboard.press("ArrowRight")
    assert page.locator(".nl-told").inner_text() == (
        f"{say('solver_cell', a='Ola 24', b='B 10', value='+3.57')}, {say('solver_chosen')}"
    )
    page.keyboard.press("End")
    assert at(shown) == 6
    page.keyboard.press("ArrowLeft")  # the cell is gone, the keys still work
    assert at(shown) == 5


@pytest.mark.browser
def test_the_mouse_goes_along_the_evaluation(stage: Open, record: Record) -> None:
    shown = stage(panel_of(record, at=2))
    page = shown.page
    points = page.locator(".nl-point")
    assert points.count() == 7 and page.locator(".nl-point.nl-now").get_attribute("data-at") == "2"
    assert [text[:1] for text in points.all_text_contents()] == ["●", "◆", "◆", "●", "◆", "●", "◆"]
    points.nth(4).click()
    assert at(shown) == 4 and page.locator(".nl-point.nl-now").count() == 1
    assert "1/8: 0.00" in str(page.locator(".nl-evaluation svg").get_attribute("aria-label"))
    page.locator('[data-do="previous"]').click()
    assert at(shown) == 3
    # Regrets belong to the decision on show: none is left behind from another one.
    assert page.locator(".nl-regret").count() == 4
    page.locator('[data-do="previous"]').click()  # a row is chosen, with the same cards in B's hand
    assert page.locator(".nl-regret").count() == 0
    assert page.locator(".nl-hand .nl-hint-safe, .nl-hand .nl-hint-risk").count() == 0
    shown.widget.at = 6
    shown.settle()
    assert page.locator(".nl-point.nl-now").get_attribute("data-at") == "6"
    assert page.locator('[data-do="next"]').is_disabled()
    page.evaluate("cleanup()")
    assert page.evaluate("model.count()") == 0 and page.locator(".nl").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_panel_fits_a_narrow_cell_and_can_be_read(stage: Open, record: Record, theme: str) -> None:
    page = stage(panel_of(record, lang="cs"), theme=theme, width=380).page
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    worst = page.evaluate(
        """() => {
          const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const rgb = (colour) => {
            paint.clearRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
            return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
          };
          const light = (colour) => {
            const [r, g, b] = rgb(colour).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ratios = [...document.querySelectorAll(".nl-cell")].map((cell) => {
            const style = getComputedStyle(cell);
            const [high, low] = [light(style.color), light(style.backgroundColor)].sort((a, b) => b - a);
            return (high + 0.05) / (low + 0.05);
          });
          return Math.min(...ratios);
        }"""
    )
    assert worst >= 4.5
