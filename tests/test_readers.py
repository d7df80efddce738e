"""Every reader and the command line: no repeated keys, options of the right type, one-line errors."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.cli import main
from nimmt_lab.conformance import check_files
from nimmt_lab.conformance.runner import FORMAT
from nimmt_lab.engine.errors import NimmtError, RulesError
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.lessons import progress
from nimmt_lab.lessons.results import Results
from nimmt_lab.solver.deals import read_deals
from nimmt_lab.study import simulate
from tests.support import refused


def _progress(folder: Path, text: str) -> None:
    """An unreadable progress file is set aside and a new one started, so nothing is read from it."""
    (folder / progress.FILE).write_text(text, encoding="utf-8")
    if progress.load(folder).name == "":
        raise RulesError("engine.key_twice", key="'name'")


def _simulation(folder: Path, text: str) -> None:
    (folder / "simulation.json").write_text(text, encoding="utf-8")
    simulate(Classic(players=2), rounds=10, seed=1, progress=False, folder=folder)


def _vectors(folder: Path, text: str) -> None:
    (folder / "v.json").write_text(text, encoding="utf-8")
    check_files([folder / "v.json"])


def _note(folder: Path) -> str:
    simulate(Classic(players=2), rounds=10, seed=1, progress=False, folder=folder / "first")
    return (folder / "first" / "simulation.json").read_text(encoding="utf-8")


#: Valid text for each reader, and how it is read (in its own folder).
JSON_READERS: dict[str, tuple[Callable[[Path], str], Callable[[Path, str], object]]] = {
    "record": (lambda _: Record(Classic(players=2), seed=1).to_json(), lambda _, text: Record.from_json(text)),
    "results": (
        lambda _: Results("Ann", "p2", 7, {"p2.one": ("1",)}).to_json(),
        lambda _, text: Results.from_json(text),
    ),
    "progress": (
        lambda _: '{"format": "nimmt-progress/1", "lang": "en", "name": "Ann", "done": {"x": [1, 2]}}',
        _progress,
    ),
    "deals": (lambda _: '{"format": "nimmt-deals/1", "deals": []}', lambda _, text: read_deals(text)),
    "vectors": (lambda _: json.dumps({"format": FORMAT, "vectors": []}), _vectors),
    "simulation": (_note, _simulation),
    "rules": (
        lambda _: '[{"name": "number_twister", "comes_back": "game"}]',
        lambda _, text: read_rules("classic", f"players=2 fan_cards={text.replace(' ', '')}"),
    ),
}


#: A broken progress file is set aside silently; rules that aren't JSON count as text, which is invalid there.
KEYS = {"rules": "engine.option_must", "vectors": "shared.inner"}


@pytest.mark.parametrize("name", JSON_READERS)
def test_duplicate_keys_are_rejected(name: str, tmp_path: Path) -> None:
    """Each key in turn is written twice, with the same value: two readers could use different ones."""
    make, read = JSON_READERS[name]
    text = make(tmp_path)
    read(tmp_path, text)
    keys = list(re.finditer(r'(?<=[{,\[])\s*("(\w+)":\s*)', text))
    assert keys
    count = 0
    for match in keys:
        value, end = json.JSONDecoder().raw_decode(text, match.end())
        with refused(NimmtError, KEYS.get(name, "engine.key_twice")):
            read(tmp_path, f"{text[:end]}, {match[1]}{json.dumps(value)}{text[end:]}")
        count += 1
    assert count == len(keys)


TABLE = "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36"


@pytest.mark.parametrize("rules", [
    "hand_size=x", "hand_size=2.0", "hand_size=true", "hand_size=[]", "fan_cards=1", "fan_cards=mountain", "fan_cards=[[]]",
    "edition=[]", "edition=2", "limit=1e3", f"limit={'9' * 5000}", "limit=" + "[" * 3000, "players=x",
    "players=2.0", "players=", "hand_size=NaN", "hand_size=Infinity", "deck_size=-1", "combine_fan_cards=1", "limit=\"66\"",
    'fan_cards=[{"name":1}]', 'fan_cards=[{"name":"mountain","comes_back":7}]', "hand_size=2 hand_size=2", "=", "=1",
    "hand_size", "x" * 100_000, "limit=٦٦",
])  # fmt: skip
@pytest.mark.parametrize("command", ["show", "solve"])
def test_options_are_checked_on_the_command_line(command: str, rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line that says what is wrong, and nothing else; never a traceback."""
    try:
        code = main([command, TABLE, "--rules", rules])
    except SystemExit as error:  # argparse, which names the option
        code = int(error.code or 0)
    caught = capsys.readouterr()
    assert code == 2 and not caught.out
    said = caught.err.splitlines()[-1]
    assert said.startswith(f"nimmt-lab {command}: ") and len(said) < 1000


def test_without_the_picture_library_boards_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nimmt_lab.widgets import Replay

    monkeypatch.setitem(sys.modules, "vl_convert", None)
    board = Replay(Record(Classic(players=2), seed=1))
    with refused(RulesError, "widgets.png_needs_vl"):
        board.save(tmp_path / "x.png")
    assert not list(tmp_path.iterdir())
    board.save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_failed_picture_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt_lab.engine.errors import CannotWrite
    from nimmt_lab.widgets import Replay

    board = Replay(Record(Classic(players=2), seed=1))
    monkeypatch.setattr(board, "to_png", lambda: b"new" * 1000)
    (tmp_path / "x.png").write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with refused(CannotWrite, "shared.cannot_write", path=str(tmp_path / "x.png")):
        board.save(tmp_path / "x.png")
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"] and (tmp_path / "x.png").read_bytes() == b"old"
