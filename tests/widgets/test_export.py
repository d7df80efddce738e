"""Boards as files and as still pictures, and forbidden content of the shipped scripts."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbconvert
import nbformat
import pytest
from playwright.sync_api import Browser

from nimmt_lab import Classic, Record
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.shapes import BACKS, ICONS
from nimmt_lab.screens import assets
from nimmt_lab.widgets import Exercise, NumberLine, Replay, Table
from nimmt_lab.widgets.base import Board
from tests.catalogue import on_board
from tests.support import refused

from .games import SYSTEMS, recorded

EVIL = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
JS = Path(assets.__file__).parent / "js"
MODULES = sorted(path.relative_to(JS).with_suffix("").as_posix() for path in JS.rglob("*.js"))
ENTRIES = ("replay", "table", "exercise", "number_line")


def evil_record() -> Record:
    state = Classic(players=2, rounds=1).deal(seed=1)
    choices = ({seat: hand[0] for seat, hand in enumerate(state.hands)},)
    return Record(state.game, choices, 1, tags={"A": EVIL, "B": "Bo & Co"})


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_has_a_picture(name: str) -> None:
    replay = Replay(recorded(name), at=len(recorded(name).steps))
    root = ET.fromstring(replay.to_svg())
    assert root.tag.endswith("svg") and root.attrib["role"] == "img"
    texts = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    scene = replay.scene
    shown = {str(card) for at in scene["frames"][replay.at]["rows"] for card in scene["pool"][at]["cards"] if card}
    assert shown and shown <= texts
    # What it names has a drawing.
    named = re.findall(r'"icon": "(\w+)"', json.dumps(scene))
    assert named and set(named) <= set(ICONS)
    assert {*scene["faces"].get("backs", {}).values(), scene["faces"].get("shape", "card")} <= set(BACKS)


def test_a_picture_shows_no_hidden_hand() -> None:
    table = Table(Classic(players=3), lambda view: view.hand[0], seed=1)
    final = table.record.final
    # Numbers up to 10 also stand for rows, places and turns.
    hidden = {str(card) for hand in final.hands[1:] for card in hand if card > 10}
    root = ET.fromstring(table.to_svg())
    texts = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert not hidden & texts
    assert {str(card) for card in final.hands[0]} <= texts


def test_saving_as_svg_png_and_html(tmp_path: Path) -> None:
    replay = Replay(recorded("classic"), at=12)
    for name in ("board.svg", "board.png", "board.html"):
        replay.save(tmp_path / name)
    assert (tmp_path / "board.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == replay.to_svg()
    with refused(RulesError, "widgets.board_saved_svg", got="'board.gif'"):
        replay.save(tmp_path / "board.gif")


@pytest.mark.smoke
@pytest.mark.browser
@pytest.mark.parametrize("kind", ENTRIES)
def test_a_saved_page_works_from_a_file(browser: Browser, tmp_path: Path, kind: str) -> None:
    made: dict[str, Callable[[], Board]] = {
        "replay": lambda: Replay(evil_record()),
        "table": lambda: Table(Classic(players=2), lambda view: view.hand[0], names={1: EVIL}),
        "exercise": lambda: Exercise(Classic(players=2), seed=1, names={0: EVIL}),
        "number_line": lambda: NumberLine(Classic(players=2).deal(seed=1)),
    }
    widget = made[kind]()
    path = tmp_path / "board.html"
    widget.save(path)
    context = browser.new_context(offline=True, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector(".nl")
    if kind == "replay":
        page.locator(".nl-replay").focus()
        page.keyboard.press("End")
        assert page.locator(".nl-log [aria-current]").get_attribute("data-at") == str(len(widget.screen.frames) - 1)
        page.locator("[data-do=what-if]").click()
        assert on_board("no_kernel").search(page.locator(".nl-ask").inner_text())
    if kind == "table":
        page.locator(".nl-option").first.click()
        assert on_board("no_kernel").search(page.locator(".nl-say").inner_text())
    assert page.evaluate("window.hacked") is None
    assert errors == [] and requests == [path.as_uri()]
    context.close()


def test_a_notebook_without_a_kernel_shows_the_picture_and_the_story() -> None:
    replay = Replay(evil_record())
    replay.at = len(replay.scene["frames"]) - 1
    data, _ = replay._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    html = data["text/html"]
    assert "<svg" in html and "<script" not in html and "<img" not in html
    assert "&lt;/script&gt;" in html and "Bo &amp; Co" in html
    assert len(html) < 60_000


def test_nbconvert_falls_back_to_the_picture() -> None:
    data, metadata = Replay(recorded("classic"))._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data=json.loads(json.dumps(data)), metadata=metadata)
    cell = nbformat.v4.new_code_cell("Replay(record)", outputs=[output])
    body, _ = nbconvert.HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert 'class="nimmt-fallback"' in body


# The scripts ---------------------------------------------------------------------------------------------


def test_each_module_can_be_read_in_one_sitting() -> None:
    lengths = {name: len(assets.source(name).splitlines()) for name in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines > 500} == {}


@pytest.mark.parametrize("name", MODULES)
def test_scripts_parse_no_markup_and_name_no_address(name: str) -> None:
    text = assets.source(name)
    banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|createContextualFragment"
    assert re.findall(banned, text) == []
    # The second isn't a real address: the page itself answers all requests to it (host/worker.js).
    assert set(re.findall(r"https?://[^\"']+", text)) <= {"http://www.w3.org/2000/svg", "https://nimmt-lab.invalid/"}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_bundle_declares_each_name_once(name: str) -> None:
    bundle = assets.board_bundle(name)
    names = re.findall(r"^const (m_\d+)=\(\(\)=>\{", bundle, re.MULTILINE)
    assert len(set(names)) == len(names) >= len({*assets.order(name), "carry"})
    assert len(re.findall("^export ", bundle, re.MULTILINE)) == 1
    assert bundle.endswith(f"export default {names[-1]}.default;\n")
    assert not re.search(r"^import ", bundle, re.MULTILINE)


def test_every_module_is_part_of_some_widget_or_of_the_site() -> None:
    used: set[str] = {"host/worker", "host/offline"}  # scripts of their own, which the site's page starts
    for name in MODULES:
        if re.search(r"export default (?:{ (?:render|start) };|carry\()", assets.source(name)):
            used.update(assets.order(name))
    assert used == set(MODULES)


def test_styles_name_no_address() -> None:
    """Pictures are inside the stylesheet itself, and name nothing but the language they are written in."""
    written = re.sub(r"url\(\"data:image/svg\+xml,[^\"]*\"\)", "", assets.styles())
    assert not re.search(r"url\(|@import|https?:", written)
    assert set(re.findall(r"https?:[^\"' ]*", assets.styles())) == {"http://www.w3.org/2000/svg"}


def test_widgets_send_their_styles_and_script() -> None:
    replay: Any = Replay(recorded("classic"))
    assert replay._css == assets.styles() and replay._esm == assets.board_bundle("replay")
