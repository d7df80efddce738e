"""`.venv` grows purpose by purpose: nothing is installed twice or removed, and no unfinished step is recorded as done."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import environment

CLANG = "clang-format==23.1.3\n"


class Installer:
    """Records what would be run, and fails on request."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.fails = False

    def __call__(self, command: Sequence[str], expected: int = 0) -> None:
        if self.fails:
            raise SystemExit("no network")
        self.commands.append(list(command))

    @property
    def locked(self) -> list[str]:
        """The locked files that were installed so far."""
        return [Path(line[line.index("-r") + 1]).name for line in self.commands if "-r" in line]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    """An empty checkout, without access to a network."""
    installer = Installer()
    (tmp_path / "requirements").mkdir()
    for purpose in environment.PURPOSES:
        (tmp_path / "requirements" / f"{purpose}.txt").write_text(CLANG)
    for name in ("pyproject.toml", "setup.py"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "run", installer)
    monkeypatch.setattr(shutil, "which", lambda name: None)

    def venv(command: Sequence[str], check: bool) -> None:
        environment.python().parent.mkdir(parents=True, exist_ok=True)
        environment.python().touch()

    monkeypatch.setattr(subprocess, "run", venv)
    return installer


def test_the_second_time_there_is_nothing_to_do(checkout: Installer, capsys: pytest.CaptureFixture[str]) -> None:
    assert environment.main(["lab"]) == 0
    assert checkout.locked == ["lab.txt"]
    (first, project) = checkout.commands
    assert "--require-hashes" in first
    assert {"--no-deps", "--no-build-isolation"} <= set(project)
    assert "about" in capsys.readouterr().out
    assert environment.main(["lab"]) == 0
    assert len(checkout.commands) == 2
    assert capsys.readouterr().out == ""


def test_a_smaller_purpose_after_a_larger_one_installs_nothing(checkout: Installer) -> None:
    environment.main(["test"])
    environment.main(["lab"])
    assert checkout.locked == ["test.txt"]
    environment.main(["docs"])  # is not part of `test`
    environment.main(["test"])  # and has not removed it
    assert checkout.locked == ["test.txt", "docs.txt"]


def test_a_changed_lock_is_installed_again(checkout: Installer) -> None:
    environment.main(["test"])
    for name in ("lab", "test"):
        (environment.ROOT / "requirements" / f"{name}.txt").write_text("clang-format==24.0.0\n")
    environment.main(["lab"])
    assert checkout.locked == ["test.txt", "lab.txt"]


def test_a_changed_project_is_installed_again(checkout: Installer) -> None:
    environment.main(["lab"])
    (environment.ROOT / "pyproject.toml").write_text("[project]\n")
    environment.main(["lab"])
    assert checkout.locked == ["lab.txt"]
    assert [line[-2:] for line in checkout.commands].count(["-e", str(environment.ROOT)]) == 2


def test_what_failed_or_was_interrupted_is_tried_again(checkout: Installer) -> None:
    checkout.fails = True
    with pytest.raises(SystemExit):
        environment.main(["lab"])
    checkout.fails = False
    environment.main(["lab"])
    assert checkout.locked == ["lab.txt"]


def test_another_python_gets_another_environment(checkout: Installer, monkeypatch: pytest.MonkeyPatch) -> None:
    environment.main(["lab"])
    monkeypatch.setattr(sys, "version", "3.99")
    environment.main(["lab"])
    assert checkout.locked == ["lab.txt", "lab.txt"]


def test_uv_is_used_where_it_is_installed(checkout: Installer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "uv")
    environment.main(["lab"])
    assert checkout.commands[0][:5] == ["uv", "pip", "install", "--python", str(environment.python())]


def test_a_compiler_alone_does_not_install_the_project(checkout: Installer) -> None:
    environment.main(["compiler"])
    assert checkout.locked == ["compiler.txt"]
    assert len(checkout.commands) == 1


@pytest.mark.parametrize("arguments", [[], ["labs"], ["lab", "test"]])
def test_unknown_purposes_are_answered_with_the_known_ones(
    checkout: Installer, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert environment.main(arguments) == 2
    assert str(environment.__doc__).splitlines()[2] in capsys.readouterr().err
    assert checkout.commands == []
    assert not environment.VENV.exists()


def test_an_old_python_is_refused(
    checkout: Installer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10))
    assert environment.main(["lab"]) == 1
    assert "3.11" in capsys.readouterr().err
    assert not environment.VENV.exists()


def test_a_log_gets_a_line_now_and_then_and_the_cause_of_a_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    script = tmp_path / "pip.py"
    script.write_text("for n in range(45): print('Collecting', n)\nprint('ERROR: no disk'); raise SystemExit(1)")
    with pytest.raises(SystemExit, match="continues"):
        environment.run([sys.executable, str(script)], 45)
    said = capfd.readouterr()
    assert said.out.splitlines() == ["  20 of about 45 packages …", "  40 of about 45 packages …"]
    assert "no disk" in said.err
