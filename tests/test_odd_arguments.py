"""Every subcommand with unsuitable files and numbers: a one-line error, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimmt_lab import Classic
from nimmt_lab.cli import main
from nimmt_lab.commands.words import say
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.games.baron.deck import SAMPLE_DECK
from tests.support import random_record, refused

POSITION = "1 | 2 | 3 | 4 ; A: 5 7 ; B: 6 8"
TABLE = "12 14 | 37 | 43 | 58 ; A: 21 45"
LONG = "9" * 5000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of broken files and a few good ones."""
    place = tmp_path_factory.mktemp("odd")
    random_record(Classic(players=2, rounds=1), seed=1).save(place / "good.nimmt")
    good = (place / "good.nimmt").read_bytes()
    made: dict[str, bytes] = {
        "bom.nimmt": b"\xef\xbb\xbf" + good,
        "crlf.nimmt": good.replace(b"\n", b"\r\n"),
        "cr.nimmt": good.replace(b"\n", b"\r"),
        "nul.nimmt": b"\0" + good,
        "utf16.nimmt": good.decode().encode("utf-16"),
        "latin.nimmt": "Místo".encode("latin-1"),
        "blanks.nimmt": b" " * 2_000_000,
        "line.nimmt": b"1. " + b"A14 " * 500_000,
        "path.nimmt": b"game: baron\nrules: players=2 deck=/etc/passwd\nseed: 1\n",
        "huge.nimmt": b"x" * 5_000_000,
        "deep.json": b"[" * 1_000_000,
        "deeper.json": b'{"a":' * 300_000,
        "number.json": b'{"format":' + b"9" * 100_000 + b"}",
        "power.json": b'{"format": 1e3000000000}',
        "half.json": b'{"format": "\\ud800"}',
        "empty": b"", "empty.nimmt": b"", "empty.json": b"", "empty.csv": b"", "empty.toml": b"",
    }  # fmt: skip
    for name, content in made.items():
        (place / name).write_bytes(content)
    (place / "good.csv").write_text(SAMPLE_DECK.to_csv(), encoding="utf-8")
    (place / "names.txt").write_text("Ann\nBob\n", encoding="utf-8")
    (place / "folder.json").mkdir()
    (place / "nobody").mkdir()
    if hasattr(os, "mkfifo"):
        for name in ("pipe", "pipe.json", "pipe.csv", "pipe.toml", "pipe.nimmt"):
            os.mkfifo(place / name)
        os.symlink("/dev/zero", place / "zero.nimmt")
        os.symlink("round", place / "round")
    here = Path.cwd()
    os.chdir(place)
    yield place
    os.chdir(here)


def _line(words: list[str]) -> str:
    """Run a command; return its last line if it refused."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as error:  # argparse
            code = int(error.code or 0)
    assert code in (0, 1, 2), words
    if code != 2:
        return ""
    last = err.getvalue().splitlines()[-1]
    assert last.startswith("nimmt-lab") and len(last) < 1200 and "Traceback" not in err.getvalue(), (words, last[:200])
    return last


ELSEWHERE = ["/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/mem", "/proc/self/environ", "a\0b", "x" * 300,
             "x" * 5000, "", "~nobody/x", "\udcff", "\ud800", "a/b/c", "good.nimmt/x", "C:\\x", "a\nb"]  # fmt: skip


@pytest.mark.exhaustive
def test_odd_files_are_refused_by_every_command_that_reads_one(folder: Path) -> None:
    good = {"good.nimmt", "bom.nimmt", "crlf.nimmt", "cr.nimmt"}
    for name in [*sorted(path.name for path in folder.iterdir()), *ELSEWHERE]:
        for words in (["show", name], ["explain", name]):
            refused = _line(words)
            assert bool(refused) != (name in good), (words, refused)
        assert _line(["check", name])
        assert bool(_line(["box", "show", name])) != (name == "good.csv")
        _line(["gradebook", name])
        assert _line(["gradebook", "nobody", "--class-list", name]) and _line(
            ["worksheet", "--lesson", "1", "--class-list", name, "--out", "x"]
        )
        assert _line(["show", POSITION, "--game", name])
    assert "path.nimmt, line 2: " in (said := _line(["show", "path.nimmt"])) and "root:" not in said


def test_odd_places_are_refused_by_every_command_that_writes(folder: Path) -> None:
    before = {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}
    ladder = ["ladder", "--deals", "1", "--levels", "1", "2", "--players", "2", "--rules", "rounds=1"]
    for name in ("pipe", "zero.nimmt", "round", "good.csv/x", "/dev/zero", "/proc/self/x", "a\0b", "x" * 300, "\ud800"):
        assert _line(["box", "template", name, "--kind", "baron"]), name
        assert _line(["gradebook", "nobody", "--out", name]), name
        assert _line(["simulate", "--rounds", "3", "--folder", name]), name
        assert _line(["lab", "--copy-only", "--folder", name]), name
        assert _line(["worksheet", "--lesson", "1", "--out", name]), name
        assert _line(["class-list", "names.txt", "--out", name]), name
        assert _line([*ladder, "--file", name]), name
    after = {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}
    assert after == before


NUMBERS = [
    "0",
    "-1",
    "nan",
    "inf",
    "-inf",
    "1e3000000000",
    "-1e-3000000000",
    LONG,
    "9" * 40,
    "٣",
    "１",
    "0x10",
    "1.5",
    "",
    "x",
    " 1",
]


@pytest.mark.parametrize("value", NUMBERS)
def test_odd_numbers(value: str, folder: Path) -> None:
    odds, rounds = ["odds", TABLE, "--opponents"], ["simulate", "--rounds", "3"]
    few, ladder = ["random", "lowest", "--deals", "1"], ["ladder", "--deals", "1", "--levels", "1", "2"]
    for words in (
        ["show", "good.nimmt", "--turn", value], ["explain", "good.nimmt", "--turn", value], [*odds, value],
        [*odds, "2", "--above", value], [*odds, "2", "--below", value], [*odds, "2", "--seen", value],
        ["solve", POSITION, "--seconds", value], ["solve", POSITION, "--memory", value],
        ["solve", POSITION, "--threads", value], ["solve", POSITION, "--rules", f"hand_size={value}"], ["solve", value],
        [*rounds, "--seed", value], [*rounds, "--players", value], [*rounds, "--policy", value],
        [*rounds, "--rules", f"limit={value}"], ["tournament", *few, "--seed", value],
        ["tournament", *few, "--players", value], ["tournament", f"flat:playouts={value}", "random", "--deals", "1"],
        [*ladder, "--seed", value], [*ladder, "--players", value], ["ladder", "--deals", "1", "--levels", value],
        ["worksheet", "--lesson", value, "--out", "sheets"], ["class-list", "names.txt", "--seed", value, "--out", "class.csv"], ["gradebook", "nobody", "--seed", value], [value],
        ["worksheet", "--lesson", "1", "--pupils", value, "--out", "sheets"], ["explain", "good.nimmt", "--lang", value],
    ):  # fmt: skip
        said = _line(words)
        assert said or value not in (LONG, "nan", "x", "1e3000000000") or words[:1] == ["gradebook"], words


def test_what_only_calls_itself_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's log looks like a regular file, but has no data yet instead of an end."""

    class Waiting(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            return None  # type: ignore[return-value]

    (tmp_path / "log").touch()
    monkeypatch.setattr(os, "fdopen", lambda *_given, **_options: Waiting())
    with refused(NotationError, "engine.not_regular"):
        files.read_bytes(tmp_path / "log")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_errors_are_reported() -> None:
    """Output to a full disk, or to a closed pipe."""
    command = [sys.executable, "-m", "nimmt_lab.cli", "games"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"nimmt-lab games: {say('out.no_output', why=os.strerror(errno.ENOSPC))}\n"
    closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (0, "")


def test_no_memory_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def none(_args: object) -> int:
        raise MemoryError

    monkeypatch.setattr("nimmt_lab.commands.games.run", none)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == f"nimmt-lab games: {say('out.no_memory')}\n"
