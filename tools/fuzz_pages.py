"""Messages from browsers, and the files that pages and the lab store, as targets of `tools/fuzz.py`."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

from nimmt_lab import Classic, Record, all_games
from nimmt_lab.boards.describe import Obj
from nimmt_lab.commands.lab import MANIFEST, _read_manifest, _write_manifest, fingerprint
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.files import MARKER, STAGING, alone_in, lay_down
from nimmt_lab.engine.material import Entering
from nimmt_lab.engine.options import materials
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.drafts import blank
from nimmt_lab.screens import memory
from nimmt_lab.screens.base import Screen, Work
from nimmt_lab.screens.desk import MATERIAL_FOLDER, Desk, enterable, own_material
from nimmt_lab.screens.home import SCREENS, HomeScreen
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.notebooks import NotebooksScreen
from nimmt_lab.site.inside import Begin, Inside
from tools.fuzz import Target, as_bytes

ROOT = Path(__file__).resolve().parent.parent

PAGES = '{"format": "nimmt-pages/1", "pages": {"home": {"screen": "play"}, "lesson traps": {"at": 1, "tries": {}}}}'
UNFINISHED = '{"files": ["a", "b"], "gone": ["c"]}'


CODE = code_of(7001)
SITE: list[dict[str, object]] = [
    {"type": "hello", "version": 0},
    {"path": [], "message": {"type": "code", "text": CODE}},
    {"path": [], "message": {"type": "lang", "lang": "pl"}},
    {"path": ["home"], "message": {"type": "go", "to": "play"}},
    {"path": ["home", "screen"], "message": {"type": "open", "lesson": "p2"}},
]


def _site(folder: Path) -> Callable[[str], object]:
    """Messages from a web page to its Python, before and after a class code is entered."""
    folder.mkdir()
    pages = []
    for name in ("door", "inside"):
        (folder / name).mkdir()
        pages.append(Inside(folder / name, json.loads, lambda name: None, begin=Begin("p2", (CODE,))))
    pages[1].hear(json.dumps(SITE[1]))

    def run(text: str) -> object:
        for page in pages:
            page.hear(text)
        return None

    return run


def in_file(path: Path, read: Callable[[Path], object]) -> Callable[[str], object]:
    """A reader of a file with the given content."""

    def run(text: str) -> object:
        # Surrogates become invalid UTF-8.
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_bytes(text))
        return read(path)

    return run


def of_pages(folder: Path, record: Record) -> dict[str, Target]:
    """Files that are read when a page or the lab opens."""
    (folder / "clicked").mkdir()
    screens = {f"screen-{name}": Target(*_screen(name, record)) for name in SCREENS}
    kept = _some_pages(folder / "clicked", record)
    return screens | {
        "site": Target(_site(folder / "site"), [json.dumps(said) for said in SITE]),
        "pages": Target(in_file(folder / memory.FILE, lambda path: _pages_kept(path.parent)), kept),
        "notebook": Target(in_file(folder / "books" / "one.ipynb", _notebook), _some_notebooks()),
        "layout": Target(in_file(folder / "laid" / MANIFEST, _laid_out), [_some_layout(folder)]),
        "own-material": Target(in_file(folder / "own" / MATERIAL_FOLDER / "baron.csv", _own), _some_material()),
        "unfinished": Target(in_file(folder / "set" / STAGING / MARKER, _unfinished), [UNFINISHED]),
    }


#: The messages of browsers to screens with their fields, in the form the screens read.
_KINDS = re.compile(r'(?:kind|\("type"\)) (?:==|!=|in) (\("[^)]*\)|"\w+")')
_FIELDS = re.compile(r'message\.get\("(\w+)"')


def heard() -> tuple[set[str], set[str]]:
    """Every kind of message that some screen understands, and every field."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "nimmt_lab" / "screens").glob("*.py"))
    kinds = {word for found in _KINDS.findall(text) for word in re.findall(r'"(\w+)"', found)}
    return kinds, set(_FIELDS.findall(text)) - {"type"}


def _screen(name: str, record: Record) -> tuple[Callable[[str], object], list[str]]:
    """A screen of Home in use, and messages of every kind to each of its parts."""

    def make() -> HomeScreen:
        home = _clicked(Desk(None), record)
        home.handle({"path": [], "message": {"type": "go", "to": name}})
        return home

    usual: dict[str, object] = {
        "at": 1, "card": 14, "choice": "14", "choices": [{"0": "14"}], "ply": 0, "given": 0, "lang": "pl", "line": 0,
        "lesson": "traps", "letter": "A", "mode": "odds", "name": "Ann", "on": True, "place": 1, "question": 0,
        "seat": 0, "seconds": 1.5, "seed": 7, "setup": {"game": "classic", "players": 2, "options": {"rounds": 1}},
        "times": 10, "text": "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30", "to": name, "as": "svg", "file": "x.nimmt",
        "form": {"players": 3}, "kind": "row", "difficulty": 2, "grid": "bulls", "row": 1, "column": 2, "value": "3",
        "folder": "nowhere", "files": [{"name": "a.json", "text": "{"}], "title": "mine", "way": "odds",
        "draft": {"title": "mine", "language": "en", "steps": [blank()]},
    }  # fmt: skip
    kinds, fields = heard()
    message = {field: usual.get(field, 0) for field in sorted(fields)}
    begun, paths = make(), [[], ["screen"]]
    paths += [["screen", part] for part in begun.parts["screen"].parts]
    seeds = [
        json.dumps({"path": path, "message": {"type": kind, **message}}) for path in paths for kind in sorted(kinds)
    ]
    seeds += [json.dumps({"path": path, "data": {"at": 1, "scene": {}, "mode": "end"}}) for path in paths]
    now, turns = [begun], [0]

    def read(text: str) -> None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = text
        turns[0] += 1
        if turns[0] % 100 == 0 or now[0].data["now"] != name:
            now[0] = make()
        if isinstance(said, dict):
            now[0].handle(said)
            _can_be_said(now[0])

    return read, seeds


def _pages_kept(folder: Path) -> None:
    """Every screen resumes from the stored state, however broken it is."""
    kept = memory.Memory(folder)
    kept.put("sure", {"kept": True})
    assert memory.Memory(folder).get("sure") == {"kept": True}
    desk = Desk(folder)
    home = HomeScreen(desk)
    for name in SCREENS:
        home.handle({"path": [], "message": {"type": "go", "to": name}})
        _can_be_said(home)
    for name in [key.removeprefix("lesson ") for key in kept._kept if key.startswith("lesson ")]:
        with contextlib.suppress(NimmtError):
            page = lesson(name, desk)
            page.results.to_json()
            _can_be_said(page)


def _can_be_said(screen: Screen) -> None:
    """Encode as a notebook does: UTF-8, without NaN."""
    json.dumps(screen.whole(), ensure_ascii=False, allow_nan=False).encode()


def _some_pages(folder: Path, record: Record) -> list[str]:
    """The stored state after some clicks in every screen."""
    home = _clicked(Desk(folder), record)
    for name in SCREENS:
        home.handle({"path": [], "message": {"type": "go", "to": name}})
    return [PAGES, (folder / memory.FILE).read_text(encoding="utf-8")]


def _clicked(desk: Desk, record: Record) -> HomeScreen:
    """Home, with something started in every screen."""
    home = HomeScreen(desk)
    home.listen(lambda said: None, _begin)
    clicks: list[tuple[str, list[Obj]]] = [
        ("learn", [{"type": "open", "lesson": "p2"}]),
        ("play", [{"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}}]),
        ("analyse", [{"type": "open", "text": record.to_text()}]),
        ("odds", [{"type": "mode", "mode": "odds"}, {"type": "mode", "mode": "rounds"}]),
        ("practise", [{"type": "start", "setup": {"game": "classic", "players": 2}, "kind": "row", "difficulty": 1}]),
        ("teach", [{"type": "form", "form": {"lesson": 2, "pupils": 2, "seed": 7}}]),
        ("box", [{"type": "open", "kind": "baron"}, {"type": "begin", "sample": True}]),
    ]
    for screen, messages in clicks:
        home.handle({"path": [], "message": {"type": "go", "to": screen}})
        for message in messages:
            home.handle({"path": ["screen"], "message": message})
    return home


def _begin(work: Work) -> None:
    """The first steps of long work."""
    for _ in islice(work, 3):
        pass


def _own(path: Path) -> None:
    """A deck in the user's folder: used, or reported as unusable."""
    used, wrong = own_material(path.parent.parent)
    assert bool(used) != bool(wrong)


def _some_material() -> list[str]:
    return [text for _, kind, entering in enterable() if kind.name == "baron" for text in [_shipped(entering)]]


def _shipped(entering: Entering) -> str:
    (deck,) = materials(all_games()["baron"])[entering.option].shipped().values()
    return entering.text("mine", entering.filled(deck))


# Files of the lab -----------------------------------------------------------------------------------------------


def _some_notebooks() -> list[str]:
    return [path.read_text(encoding="utf-8")[:3000] for path in sorted((ROOT / "tutorials").rglob("*.ipynb"))[:3]] + [
        '{"cells": [{"cell_type": "markdown", "source": ["# A title\\n", "more"]}]}'
    ]


def _notebook(path: Path) -> None:
    """A notebook in the list, and as a file that we or the learner may have changed."""
    _can_be_said(NotebooksScreen(Desk(path.parent)))
    fingerprint(path.read_bytes().decode(errors="replace"))


def _laid_out(path: Path) -> None:
    _read_manifest(path.parent)


def _some_layout(folder: Path) -> str:
    (folder / "laid").mkdir()
    _write_manifest(folder / "laid", {"index.ipynb": ["0123456789abcdef"], "x/y.ipynb": ["1", "2"]})
    return (folder / "laid" / MANIFEST).read_text(encoding="utf-8")


def _unfinished(path: Path) -> None:
    """A class set whose writer was killed. Nothing outside the folder may change."""
    folder, outside = path.parent.parent, path.parent.parent.parent / "outside"
    outside.write_text("mine")
    (path.parent / "a").write_text("new")
    try:
        with alone_in(folder):
            lay_down(folder, {"b": "newer"})
    finally:
        assert outside.read_text() == "mine"
        path.parent.mkdir(exist_ok=True)


# Boards --------------------------------------------------------------------------------------------------


class Heard(Protocol):
    """A board as a receiver of messages."""

    def _receive(self, widget: object, message: object, buffers: object) -> None: ...


def of_boards(records: Sequence[Record]) -> dict[str, Target]:
    """Messages from a browser to each board."""
    from nimmt_lab.lessons.exercises import generate
    from nimmt_lab.widgets import Exercise, Replay, Table

    questions = [generate(Classic(players=3), "row", seed=seed) for seed in range(3)]
    made: dict[str, tuple[Callable[[], Heard], list[str]]] = {
        "widget-replay": (
            lambda: Replay(records[0]),
            ['{"type": "what_if", "ply": 1, "choices": [{"A": "14", "B": "15"}]}'],
        ),
        "widget-table": (
            lambda: Table(Classic(players=2, rounds=1), seed=1),
            ['{"type": "choose", "ply": 0, "choice": "14"}', '{"type": "undo"}', '{"type": "hints", "on": true}'],
        ),
        "widget-exercise": (
            lambda: Exercise(questions),
            [
                '{"type": "answer", "question": 0, "choice": "1", "seconds": 2.5}',
                '{"type": "hint", "question": 0}',
                '{"type": "show", "question": 0}',
                '{"type": "next"}',
            ],
        ),
    }
    return {name: Target(_hearing(make), seeds) for name, (make, seeds) in made.items()} | _pages()


def _pages() -> dict[str, Target]:
    """Messages from a browser to a page with many screens."""
    from nimmt_lab import Advanced
    from nimmt_lab.widgets import Home, SolverPanel
    from nimmt_lab.widgets.lesson import LessonPage

    position = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 ; B: 1 2"
    state = Advanced(players=2).from_position(position)
    seats = [{"name": "Ann", "level": "person"}, {"name": "", "level": "level-1"}]
    setup = {"game": "classic", "players": 2, "options": {"rounds": 1}, "seats": seats, "hints": True, "seed": 7}

    def to(path: list[str], **message: object) -> str:
        return json.dumps({"path": path, "message": message})

    table, page = ["screen", "table"], ["screen", "lesson"]
    asked = [to(["board"], type="answer", question=0, choice="2"), to(["board"], type="hint", question=0)]
    problem = [to(["board"], type="answer", text="3/14"), to(["board", "experiment"], type="run", times=10)]
    steps = [to([], type="go", at=1), to([], type="lang", lang="cs"), to([], type="restart")]
    steps += [to([], type="save", name="Ann")]
    pages: dict[str, tuple[Callable[[], Heard], list[str]]] = {
        "page-home": (
            lambda: Home(lang="en"),
            [
                to([], type="go", to="play"), to([], type="lang", lang="pl"), to(["screen"], type="start", setup=setup),
                to(["screen"], type="save"), to(["screen"], type="again"), to(table, type="choose", ply=0, choice="14"),
                to(table, type="undo"), to(["screen"], type="open", lesson="traps"), to(page, type="go", at=1),
                '{"path": ["screen"], "data": {"mode": "end"}}', '{"type": "hello", "version": 3}',
            ],
        ),
        "page-lesson": (lambda: LessonPage("first_turn", lang="en"), [*steps, *asked]),
        "page-problem": (lambda: LessonPage("p2", lang="en"), [*steps, *problem, to([], type="sheet", seed=7)]),
        "widget-solver": (lambda: SolverPanel(state), ['{"type": "x"}', '{"path": [], "data": {"at": 0}}']),
    }  # fmt: skip
    return {name: Target(_hearing(make), seeds) for name, (make, seeds) in pages.items()}


def _hearing(make: Callable[[], Heard]) -> Callable[[str], object]:
    boards = [make()]
    heard = [0]

    def run(text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = text
        heard[0] += 1
        if heard[0] % 200 == 0:
            boards[0] = make()
        boards[0]._receive(None, message, None)

    return run
