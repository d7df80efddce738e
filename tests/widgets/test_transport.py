"""One connection for every widget: the same board in a cell, inside Home, and in a notebook whose kernel is gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbconvert
import nbformat
import pytest
from playwright.sync_api import Browser

from nimmt_lab import Advanced, Classic
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.widgets import Exercise, Home, NumberLine, Replay, SolverPanel, Table
from nimmt_lab.widgets.base import Board, ScreenWidget
from tests.catalogue import on_board
from tools.browser import MODEL, Stage

from .conftest import Open
from .games import recorded

POSITION = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"


BOARDS: dict[str, Callable[[], Board]] = {
    "replay": lambda: Replay(recorded("classic")),
    "table": lambda: Table(Classic(players=3, rounds=1), "lowest", seed=2),
    "exercise": lambda: Exercise(Classic(players=4), kinds=["row"], seed=5),
    "solver": lambda: SolverPanel(Advanced(players=2).from_position(POSITION)),
    "number-line": lambda: NumberLine(Classic(players=2).deal(seed=1)),
}
NAMES = tuple(BOARDS)


def saved(widget: ScreenWidget) -> dict[str, Any]:
    """The state that is written into a notebook."""
    state: dict[str, Any] = json.loads(json.dumps(widget.get_state(("page", "version"))))
    return state


def drawn_without_a_kernel(stage: Stage, widget: Board, state: dict[str, Any]) -> None:
    """Draw saved state as a notebook does that is opened without a kernel: nothing ever answers."""
    page = stage.page
    page.set_content("<!doctype html><html><body style='margin: 0'><div id='holder'></div></body></html>")
    page.add_style_tag(content=str(widget._css))
    page.evaluate(MODEL)
    page.evaluate(
        """async ([state, source]) => {
          window.toPython = () => {};
          const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          window.model = makeModel(state);
          const module = await import(url);
          module.default.render({ model, el: document.getElementById("holder") });
        }""",
        [state, str(widget._esm)],
    )
    stage.laid_out()


@pytest.mark.browser
@pytest.mark.parametrize("name", NAMES)
def test_a_board_in_a_bare_page_says_hello_and_is_answered(stage: Open, name: str) -> None:
    opened = stage(BOARDS[name]())
    assert opened.received[0]["type"] == "hello"
    assert opened.page.locator(f".nl .nl-{name}").count() == 1
    assert opened.page.locator(".nl-offline:visible").count() == 0


@pytest.mark.parametrize("name", NAMES)
def test_until_a_browser_connects_the_saved_state_follows(name: str) -> None:
    widget = BOARDS[name]()
    sent: list[Any] = []
    widget.send = lambda content, buffers=None: sent.append(content)
    before = saved(widget)
    assert before["page"] == json.loads(json.dumps(widget.screen.whole()))
    widget.screen.show(mark=1)
    after = saved(widget)
    assert after["page"]["data"]["mark"] == 1 and after["version"] == before["version"] + 1 and sent == []
    # From now on the browser keeps its own copy, so the large state is not synced again.
    widget._handle_custom_msg({"type": "hello", "version": after["version"]}, [])
    widget.screen.show(mark=2)
    assert [message.get("type") for message in sent] == ["here", None] and sent[1]["data"] == {"mark": 2}
    assert saved(widget) == after


def test_a_browser_that_missed_a_change_hears_the_whole_page() -> None:
    table = Table(Classic(players=3, rounds=1), "lowest", seed=2)
    sent: list[Any] = []
    table.send = lambda content, buffers=None: sent.append(content)
    old = table.version
    table.play(str(table.record.final.hands[0][0]))
    table._handle_custom_msg({"type": "hello", "version": old}, [])
    assert sent[0]["screen"] == table.whole()


@pytest.mark.browser
@pytest.mark.parametrize("name", NAMES)
def test_saved_state_is_drawn_without_a_kernel(stage: Open, browser: Browser, name: str) -> None:
    widget = BOARDS[name]()
    if isinstance(widget, Table):
        widget.play(str(widget.record.final.hands[0][0]))  # in a later cell, with no browser there
    shown = stage(widget).page.locator(f".nl-{name}").inner_text()
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 900, "height": 900})
    try:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        alone = Stage(page)
        drawn_without_a_kernel(alone, widget, saved(BOARDS[name]()) if not isinstance(widget, Table) else saved(widget))
        assert page.locator(f".nl-{name}").inner_text() == shown
        page.wait_for_selector(".nl-offline:visible")
        assert on_board("no_kernel").fullmatch(page.locator(".nl-offline").inner_text())
        assert errors == [] and alone.errors == []
    finally:
        context.close()


@pytest.mark.browser
def test_the_browser_keeps_its_copy_current_for_saving(stage: Open) -> None:
    table = Table(Classic(players=3, rounds=1), "lowest", seed=2)
    opened = stage(table)
    opened.page.locator(".nl-option").first.click()
    opened.hear(1)
    kept = opened.page.evaluate("[model.get('page'), model.get('version')]")
    assert kept == [json.loads(json.dumps(table.whole())), table._connection.version]


@pytest.mark.browser
def test_the_same_board_inside_home(stage: Open, tmp_path: Path) -> None:
    record = recorded("classic")
    alone = stage(Replay(record)).page
    cards = [node.get_attribute("data-card") for node in alone.locator(".nl-rows [data-card]").all()]
    home = Home(folder=tmp_path)
    home.screen.open("analyse", record)
    opened = stage(home, width=1366)
    inside = opened.page.locator(".nl-page .nl-replay")
    assert [node.get_attribute("data-card") for node in inside.locator(".nl-rows [data-card]").all()] == cards
    inside.focus()
    opened.page.keyboard.press("ArrowRight")
    screen = home.screen.parts["screen"]
    assert isinstance(screen, AnalyseScreen)
    opened.until(lambda: screen.replay.at == 1)
    assert opened.received[-1] == {"path": ["screen", "board"], "data": {"at": 1}}


@pytest.mark.exhaustive
def test_nbconvert_keeps_the_state_of_a_widget() -> None:
    """As `jupyter nbconvert --execute` writes it: the page as the last cell left it."""
    replay = Replay(recorded("classic"))
    replay.at = 7
    data, metadata = replay._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data=json.loads(json.dumps(data)), metadata=metadata)
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("replay", outputs=[output])])
    entry = {"model_name": "AnyModel", "model_module": "anywidget", "state": saved(replay)}
    book.metadata["widgets"] = {
        "application/vnd.jupyter.widget-state+json": {
            "version_major": 2,
            "version_minor": 0,
            "state": {replay.model_id or "replay": entry},
        }
    }
    body, _ = nbconvert.HTMLExporter().from_notebook_node(book)
    assert '"at": 7' in body
