"""The documentation built by Sphinx: no warnings, no dead links, no network needed."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from nimmt_lab.cli import COMMANDS
from tools.docs import SHOWN, offered, public_modules
from tools.docs_parts import DOCS, NO_FIGURES, NO_SCREENSHOTS, ROOT, rulings

pytestmark = pytest.mark.packaging

#: Attributes that make a page load something. Links are for the reader to follow.
LOADS = {
    ("img", "src"),
    ("script", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
    ("video", "src"),
}


@dataclass
class Read(HTMLParser):
    """What a built page loads, links to, names, and shows."""

    loads: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    without_words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif (tag, name) in LOADS and value:
                self.loads.append(value)
            elif tag == "a" and name == "href" and value:
                self.links.append(value)
        if tag == "img" and not dict(attrs).get("alt"):
            self.without_words.append(dict(attrs).get("src") or "")


def read(path: Path) -> Read:
    found = Read()
    found.feed(path.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The complete documentation without screenshots, live lessons and executed studies; any warning of Sphinx fails."""
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "tools/docs.py", str(folder / "site"), "--no-screens", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def built(site: Path) -> dict[str, Read]:
    return {path.relative_to(site).as_posix(): read(path) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_built(built: dict[str, Read], site: Path) -> None:
    wanted = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")}
    wanted |= {f"api/{room}.html" for room in public_modules()} | {
        f"project/{name.removesuffix('.md')}.html" for name in SHOWN
    }
    wanted |= {f"studies/{path.stem}.html" for path in (DOCS.parent / "notebooks").glob("*.ipynb")}
    assert wanted <= set(built)


def test_no_page_needs_a_network(built: dict[str, Read], site: Path) -> None:
    loaded = {(page, one) for page, found in built.items() for one in found.loads}
    assert len(loaded) > 100
    assert {one for one in loaded if urlsplit(one[1]).scheme not in ("", "data")} == set()
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//|@import\s+['\"](?:https?:)?//", text), sheet.name
    for page in built:  # modules of a page's own scripts
        text = (site / page).read_text(encoding="utf-8")
        assert not re.search(r"(?:import|from|require\()\s*['\"]https?:", text), page


def test_links_lead_somewhere(built: dict[str, Read], site: Path) -> None:
    wrong = []
    for page, found in built.items():
        for link in {*found.links, *found.loads}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (site / page).parent / unquote(parts.path) if parts.path else site / page
            if not target.is_file():
                wrong.append(f"{page}: {link}")
            elif parts.fragment and target.suffix == ".html":
                name = target.resolve().relative_to(site.resolve()).as_posix()
                if unquote(parts.fragment) not in built[name].ids:
                    wrong.append(f"{page}: {link}")
    assert wrong == []
    assert sum(len(found.links) for found in built.values()) > 1000


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="here"><a href="b.html#gone">x</a></p>', encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="there"></p>', encoding="utf-8")
    pages = {name: read(tmp_path / name) for name in ("a.html", "b.html")}
    with pytest.raises(AssertionError, match=r"b\.html#gone"):
        test_links_lead_somewhere(pages, tmp_path)


def test_drawings_say_what_they_show(built: dict[str, Read]) -> None:
    assert [(page, found.without_words) for page, found in built.items() if found.without_words] == []
    drawn = {one.rsplit("/", 1)[-1] for found in built.values() for one in found.loads if "_images/" in one}
    assert len(drawn) > 80


def test_pages_hold_what_the_package_has(site: Path) -> None:
    commands = (site / "commands.html").read_text(encoding="utf-8")
    assert all(f"nimmt-lab {command}" in commands for command in COMMANDS)
    told = (site / "rules" / "rulings.html").read_text(encoding="utf-8")
    assert all(f"{number}." in told for number in rulings())


def test_every_public_name_is_in_the_reference(built: dict[str, Read]) -> None:
    ids = {one for found in built.values() for one in found.ids}
    for room, modules in public_modules().items():
        if room == "nimmt_lab":  # other packages define its names: the page links to them
            continue
        missing = [
            f"{module}.{name}"
            for module in modules
            for name, thing in offered(module).items()
            if callable(thing) and f"{module}.{name}" not in ids
        ]
        elsewhere = {link.rsplit("#", 1)[-1] for link in built[f"api/{room}.html"].links}
        assert [
            one for one in missing if not any(link.endswith("." + one.rsplit(".", 1)[-1]) for link in elsewhere)
        ] == []


def test_every_module_that_readers_import_is_in_the_reference() -> None:
    """Whatever studies, tutorials, pages and the README import is documented, and every module for training players."""
    sources = [
        *ROOT.glob("notebooks/*.ipynb"),
        *ROOT.glob("tutorials/**/*.ipynb"),
        *DOCS.rglob("*.md"),
        ROOT / "README.md",
    ]
    named = {
        name
        for path in sources
        for name in re.findall(r"from (nimmt_lab[\w.]*) import", path.read_text(encoding="utf-8"))
    }
    told = {name for names in public_modules().values() for name in names}
    assert len(named) > 20 and sorted(named - told) == []
    train = {
        f"nimmt_lab.rl.{path.stem}" for path in (ROOT / "nimmt_lab" / "rl").glob("*.py") if path.stem != "__init__"
    }
    assert sorted(train - told) == ["nimmt_lab.rl.rules_text"]  # how to read OpenSpiel's names of our games


def test_pages_say_their_language(site: Path) -> None:
    for page, lang in {"index.html": "en", "pl/learner.html": "pl", "cs/index.html": "cs"}.items():
        said = re.search(r'<html[^>]* lang="(\w+)"', (site / page).read_text(encoding="utf-8"))
        assert said and said[1] == lang


def test_what_is_missing_is_said(site: Path) -> None:
    assert NO_SCREENSHOTS in (site / "gallery.html").read_text(encoding="utf-8")
    assert NO_FIGURES in (site / "studies" / "index.html").read_text(encoding="utf-8")
