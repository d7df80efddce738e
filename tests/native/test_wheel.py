"""The wheel for every platform: installed without a compiler, it has its core at once. For platforms that can't run
here, only the headers of the libraries are checked."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from nimmt_lab.native import build

from ..test_project_files import ROOT, tracked_files

pytestmark = [pytest.mark.slow, pytest.mark.packaging]

#: The first bytes of each platform's library: ELF with its machine, Mach-O with its processor, PE, wasm.
HEADERS = {
    "linux-x86_64": (b"\x7fELF\x02\x01", 18, b"\x3e\x00"),
    "linux-aarch64": (b"\x7fELF\x02\x01", 18, b"\xb7\x00"),
    "macos-x86_64": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
    "macos-aarch64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
    "windows-x86_64": (b"MZ", 0, b"MZ"),
    "wasm32": (b"\0asm", 4, b"\x01\x00\x00\x00"),
}
USE = """
import shutil, sys
assert not any(shutil.which(name) for name in ("cc", "gcc", "clang"))
from nimmt_lab import Classic
from nimmt_lab.bots import bot
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import core
from nimmt_lab.solver import solve
from nimmt_lab.study.rounds import Simulator
game = Classic(players=2).from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 60 77 ; B: 30 36 41 59 90")
import nimmt_lab.__main__  # what `python -m nimmt_lab` runs
print(core().name)
print(solve(game).value)
print(Simulator.of(Classic(players=4)).count(seed=1, first=0, rounds=1000).heads)
print(bot("best").choose(Classic(players=4).deal(seed=1).view(0), Rng.from_seed(1)))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    given = os.environ.get("NIMMT_WHEEL")  # one that `make wheel` has made of these sources
    if given:
        return Path(given)
    for path in tracked_files():
        target = folder / "source" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(folder / "source")],
        check=True, env={**os.environ, "NIMMT_PLATFORMS": "all"},
    )  # fmt: skip
    (made,) = folder.glob("*.whl")
    return made


def test_it_carries_every_platform_and_is_small(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size < 4_000_000
    with zipfile.ZipFile(wheel) as archive:
        told = json.loads(archive.read("nimmt_lab/native/lib/manifest.json"))
        assert told["sources"] == build.fingerprint()
        assert set(told["files"]) == {build.file_name(target) for target in build.TARGETS}
        for target, (start, at, machine) in HEADERS.items():
            data = archive.read(f"nimmt_lab/native/lib/{build.file_name(target)}")
            assert hashlib.sha256(data).hexdigest() == told["files"][build.file_name(target)]
            assert data.startswith(start) and data[at : at + len(machine)] == machine, target
            if target == "windows-x86_64":
                header = int.from_bytes(data[60:64], "little")
                assert data[header : header + 6] == b"PE\0\0\x64\x86"
            if target.startswith("linux"):
                wanted = {word for word in data.replace(b"\0", b" ").split() if word.startswith(b"GLIBC_2.")}
                assert all(int(word.split(b".")[1]) <= 17 for word in wanted), wanted


def test_it_works_where_there_is_no_compiler(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=False)
    python = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin") / "python"
    # Without PYTHONPATH: pip takes a checkout it finds there for an installed package, and installs nothing.
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "NIMMT"))}
    subprocess.run(
        [sys.executable, "-m", "pip", f"--python={python}", "install", "--no-index", "--quiet", str(wheel)],
        check=True, env=environment,
    )  # fmt: skip
    used = subprocess.run(
        [python, "-c", USE], capture_output=True, text=True, cwd=tmp_path, env={**environment, "PATH": ""}
    )
    assert used.returncode == 0 and used.stderr == "", used.stderr
    name, *answers = used.stdout.splitlines()
    assert Path(name).is_relative_to(tmp_path) and Path(name).name == build.file_name(build.platform())
    here = subprocess.run(
        [sys.executable, "-c", USE.replace("assert not any(", "list(")], capture_output=True, text=True, cwd=ROOT
    )
    assert answers == here.stdout.splitlines()[1:], here.stderr
