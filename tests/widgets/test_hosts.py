"""A board looks the same wherever it is shown: in cells, light and dark, under JupyterLab's rules, and as a file."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic
from nimmt_lab.widgets import Replay, Table
from tools.browser import Stage

from .conftest import Open
from .games import recorded

pytestmark = pytest.mark.browser

WIDTH = 900
#: What JupyterLab says of everybody's buttons (4.5).
JUPYTERLAB = """
.jp-ThemedContainer button { border-radius: 0; }
.jp-ThemedContainer button:focus-visible { outline: 1px solid red; outline-offset: -1px; }
"""
PARTS = """
.nl-felt .nl-rows .nl-lane .nl-tag .nl-slot .nl-notch .nl-stake .nl-rows~.nl-tray .nl-queue .nl-caption .nl-play
.nl-play-who .nl-card .nl-say .nl-rule .nl-title .nl-signs-button .nl-control .nl-scrub .nl-hand .nl-avatar .nl-name
.nl-points .nl-log .nl-log-line .nl-strip .nl-legend-row .nl-button .nl-option
"""
LOOK = """(parts) => Object.fromEntries(parts.flatMap((part) => [...document.querySelectorAll(part)].map((node, at) => {
  const { width, height } = node.getBoundingClientRect();
  const told = getComputedStyle(node);
  const names = ["borderRadius", "borderTopWidth", "fontSize", "fontWeight", "lineHeight", "padding", "margin"];
  const shape = [Math.round(width * 10), Math.round(height * 10), ...names.map((name) => told[name])];
  return [`${part} ${at}`, [shape, [told.color, told.backgroundColor, told.boxShadow]]];
})))"""
Look = dict[str, tuple[list[object], list[str]]]


def look(opened: Stage) -> Look:
    opened.laid_out()
    seen: Look = opened.page.evaluate(LOOK, PARTS.split())
    return seen


@pytest.mark.parametrize("name", ["classic", "board-basic"])
def test_a_replay_looks_the_same_everywhere(stage: Open, name: str) -> None:
    record = recorded(name)
    at = min(16, len(record.steps))
    opened = stage(Replay(record, at=at), width=WIDTH)
    cell = look(opened)
    assert len(cell) > 100
    opened.page.add_style_tag(content=JUPYTERLAB)
    opened.page.evaluate("document.body.classList.add('jp-ThemedContainer')")
    assert look(opened) == cell
    dark = look(stage(Replay(record, at=at), width=WIDTH, theme="dark"))
    assert {part: shape for part, (shape, _) in dark.items()} == {part: shape for part, (shape, _) in cell.items()}
    felt = ".nl-felt 0"
    assert dark[felt][1] != cell[felt][1] and dark[".nl-tag 0"] != cell[".nl-tag 0"]
    opened.page.set_content(Replay(record, at=at).to_html())
    opened.page.add_style_tag(content=f"#board {{ width: {WIDTH}px; }}")
    opened.page.wait_for_selector(".nl-replay")
    assert look(opened) == cell


def test_the_log_of_a_cell_finds_its_line_once_the_cell_is_seen(stage: Open) -> None:
    record = recorded("classic")
    opened = stage(Replay(record, at=0), width=WIDTH)
    for display in ("none", "block"):
        opened.page.evaluate(f"document.getElementById('holder').style.display = '{display}'")
        opened.page.evaluate(
            "document.querySelector('.nl-replay').dispatchEvent(new KeyboardEvent('keydown', {key: 'End'}))"
        )
        opened.laid_out()
    inside = """() => {
      const [log, line] = [".nl-log", ".nl-log-line[aria-current]"].map((one) => document.querySelector(one));
      const [box, here] = [log, line].map((one) => one.getBoundingClientRect());
      return log.scrollTop > 0 && here.top >= box.top && here.bottom <= box.bottom + 1;
    }"""
    assert opened.page.evaluate(inside)


def test_a_table_keeps_its_buttons_in_jupyterlab(stage: Open) -> None:
    opened = stage(Table(Classic(players=4), "lowest", seed=3), width=WIDTH)
    cell = look(opened)
    assert ".nl-option 9" in cell
    opened.page.add_style_tag(content=JUPYTERLAB)
    opened.page.evaluate("document.body.classList.add('jp-ThemedContainer')")
    assert look(opened) == cell
    opened.page.locator(".nl-option").first.focus()
    opened.page.keyboard.press("ArrowRight")
    assert opened.page.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"
