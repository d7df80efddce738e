"""The check of the JavaScript installs the lock file's versions, reports what it left out, and fails when something
fails."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools import check_js

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
LOCK = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))


def test_without_node_it_says_so_and_fails_only_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    assert check_js.main() == 0
    monkeypatch.setenv("CI", "true")
    assert check_js.main() == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == second and check_js.missing() in first


@pytest.mark.parametrize(("said", "enough"), [("v19.9.0", False), ("v20.0.0", True), ("v101.2.3", True), ("", False)])
def test_an_old_node_is_not_enough(monkeypatch: pytest.MonkeyPatch, said: str, enough: bool) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0, said, ""))
    assert (check_js.missing() == "") is enough
    assert said in check_js.missing() or enough


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The commands that would run, in a checkout with only a lock file; those named in `fails` fail."""
    found: list[str] = []

    def run(command: list[object], root: Path, *, quietly: bool = False) -> int:
        words = " ".join(map(str, command))
        found.append(words)
        if "npm" in str(command[0]):
            (root / "node_modules").mkdir(exist_ok=True)
        return int((root / "fails").read_text() in words) if (root / "fails").exists() else 0

    (tmp_path / "package-lock.json").write_text("one")
    monkeypatch.setattr(check_js, "run", run)
    monkeypatch.setattr(check_js, "missing", lambda: "")
    monkeypatch.setattr(shutil, "which", lambda name: name)
    return found


def test_tools_are_installed_once_for_each_lock_file(commands: list[str], tmp_path: Path) -> None:
    assert check_js.main(tmp_path) == 0
    assert commands[0].startswith("npm ci") and len(commands) == 4
    commands.clear()
    assert check_js.main(tmp_path) == 0
    assert len(commands) == 3 and "npm" not in commands[0]
    (tmp_path / "package-lock.json").write_text("two")
    commands.clear()
    assert check_js.main(tmp_path) == 0
    assert commands[0].startswith("npm ci")


def test_an_install_that_failed_is_tried_again(commands: list[str], tmp_path: Path) -> None:
    (tmp_path / "fails").write_text("npm")
    assert check_js.main(tmp_path) == 1 and len(commands) == 1
    (tmp_path / "fails").unlink()
    assert check_js.main(tmp_path) == 0 and commands[1].startswith("npm ci")


@pytest.mark.parametrize("tool", ["biome", "tsc", "--test"])
def test_one_failure_fails_it_all_and_the_others_still_run(
    commands: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], tool: str
) -> None:
    (tmp_path / "fails").write_text(tool)
    assert check_js.main(tmp_path) == 1
    assert len(commands) == 4
    assert re.search(rf"failed: (node )?{tool}\.$", capsys.readouterr().out.strip())


# The files ---------------------------------------------------------------------------------------------------


def test_every_tool_has_one_version_and_nothing_is_shipped() -> None:
    assert PACKAGE["private"] is True and "dependencies" not in PACKAGE
    assert all(re.fullmatch(r"[\d.]+", version) for version in PACKAGE["devDependencies"].values())
    assert LOCK["packages"][""]["devDependencies"] == PACKAGE["devDependencies"]
    for name, version in PACKAGE["devDependencies"].items():
        assert LOCK["packages"][f"node_modules/{name}"]["version"] == version


def test_the_lock_file_has_hashes_for_every_platform_and_names_no_registry() -> None:
    packages = {path: one for path, one in LOCK["packages"].items() if path}
    assert all("resolved" not in one and one["integrity"].startswith("sha512-") for one in packages.values())
    # A platform that is missing here makes `npm ci` fail everywhere.
    for one in packages.values():
        assert {f"node_modules/{name}" for name in one.get("optionalDependencies", {})} <= packages.keys()
    addresses = re.findall(r"https?://([^/\"]+)", json.dumps(LOCK))
    assert not [host for host in addresses if "npm" in host or "registry" in host or "yarn" in host]
