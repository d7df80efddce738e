"""`make release` refuses with reasons, builds what it tags, and leaves nothing behind if it fails."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import badges
from tools import release as tool
from tools.release import REASONS, Refused, Steps, main, notes, reasons_against

from .test_project_files import ROOT

CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 1.3.0\n\n- Faster.\n\n## 1.2.0 (2030-01-31)\n\n- First.\n"


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project that has released 1.2.0 and is ready to release 1.3.0."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-config"))
    root = tmp_path / "project"
    (root / "nimmt_lab").mkdir(parents=True)
    (root / "nimmt_lab" / "__init__.py").write_text('"""A package."""\n\n__version__ = "1.2.0"\n', encoding="utf-8")
    (root / "nimmt_lab" / "py.typed").touch()
    (root / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    (root / "CITATION.cff").write_text("cff-version: 1.2.0\ntitle: t\nversion: 1.2.0\n", encoding="utf-8")
    (root / "README.md").write_text("# t\n\n![version: 1.2.0](docs/badges/version.svg) ![b](c.svg)\n", encoding="utf-8")
    (root / ".gitignore").write_text("dist/\n", encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", root)
    badges.write(root)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Begin")
    git(root, "tag", "--annotate", "v1.2.0", "--message", "1.2.0")
    return root


def commit(root: Path, **files: str) -> None:
    for name, text in files.items():
        (root / name.replace("_md", ".md")).write_text(text, encoding="utf-8")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Change")


def everything(root: Path) -> dict[str, object]:
    """Everything that a failed release must leave unchanged."""
    files = {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}
    return {"head": git(root, "rev-parse", "main"), "tags": git(root, "tag"), "files": files,
            "status": git(root, "status", "--porcelain", "--ignored")}  # fmt: skip


def built(source: Path, folder: Path) -> None:
    """Pretends to build: the wheel contains the version that the sources state."""
    version = tool.present_version(source)
    (folder / f"nimmt_lab-{version}-py3-none-any.whl").write_text(version, encoding="utf-8")
    (folder / f"nimmt_lab-{version}.tar.gz").write_text(version, encoding="utf-8")


def fine(wheel: Path, version: str) -> None:
    assert wheel.read_text(encoding="utf-8") == version


STEPS = Steps(build=built, try_out=fine)


def test_a_release_is_one_commit_a_tag_and_two_packages(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = git(repository, "rev-parse", "HEAD")
    assert main(["1.3.0"], repository, STEPS) == 0
    assert git(repository, "rev-parse", "HEAD^") == before
    assert git(repository, "rev-parse", "v1.3.0^{commit}") == git(repository, "rev-parse", "main")
    assert git(repository, "cat-file", "-t", "v1.3.0") == "tag"
    assert git(repository, "tag", "--list", "--format=%(contents)", "v1.3.0") == "nimmt_lab 1.3.0\n\n- Faster."
    assert git(repository, "status", "--porcelain") == ""
    for name in (*tool.STATED, "docs/badges/version.svg"):
        text = git(repository, "show", f"v1.3.0:{name}")
        assert "1.3.0" in text
        assert "1.2.0" not in text.replace("cff-version: 1.2.0", "")
    names = ["nimmt_lab-1.3.0-py3-none-any.whl", "nimmt_lab-1.3.0.tar.gz"]
    assert sorted(path.name for path in (repository / "dist").iterdir()) == names
    out = capsys.readouterr().out
    assert "git push --atomic origin main v1.3.0" in out and all(f"dist/{name}" in out for name in names)


def test_the_version_may_be_written_already(repository: Path) -> None:
    """Before the first release there is nothing to commit, and the tag names the last commit."""
    tool.set_version(repository, "1.3.0")
    commit(repository)
    head = git(repository, "rev-parse", "HEAD")
    assert main(["1.3.0"], repository, STEPS) == 0
    assert git(repository, "rev-parse", "v1.3.0^{commit}") == head == git(repository, "rev-parse", "main")


def test_a_dry_run_does_everything_but_change(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []
    before = everything(repository)
    steps = Steps(build=built, try_out=lambda wheel, version: seen.append(version))
    assert main(["1.3.0", "--dry-run"], repository, steps) == 0
    assert seen == ["1.3.0"] and everything(repository) == before
    out = capsys.readouterr().out
    assert "1.3.0" in out.splitlines()[-1] and "git push" not in out


def test_what_is_built_is_the_last_commit(repository: Path) -> None:
    """Files that git ignores, such as compiled leftovers, don't take part in the build."""
    (repository / "dist").mkdir()
    (repository / "dist" / "left.txt").write_text("old", encoding="utf-8")

    def build(source: Path, folder: Path) -> None:
        assert not (source / "dist").exists() and (source / "CHANGELOG.md").exists()
        built(source, folder)

    assert main(["1.3.0"], repository, Steps(build, fine)) == 0
    assert (repository / "dist" / "left.txt").exists()


def never(*_: object) -> None:
    raise AssertionError("it must not come to this")


def dirty(root: Path) -> None:
    (root / "CHANGELOG.md").write_text(f"{CHANGELOG}\n", encoding="utf-8")


def untracked(root: Path) -> None:
    (root / "new.py").touch()


def elsewhere(root: Path) -> None:
    git(root, "checkout", "--quiet", "-b", "idea")


def detached(root: Path) -> None:
    git(root, "checkout", "--quiet", "--detach")


def tagged(root: Path) -> None:
    git(root, "tag", "v1.3.0")


def untold(root: Path) -> None:
    commit(root, CHANGELOG_md=CHANGELOG.replace("- Faster.", ""))


def unnamed(root: Path) -> None:
    commit(root, CHANGELOG_md=CHANGELOG.replace("## 1.3.0", "## 1.3.0rc1"))


@pytest.mark.parametrize(
    ("change", "version", "reason", "fields"),
    [
        (dirty, "1.3.0", "changes", {"names": "CHANGELOG.md"}),
        (untracked, "1.3.0", "changes", {"names": "new.py"}),
        (elsewhere, "1.3.0", "branch", {"branch": "main", "here": "idea"}),
        (detached, "1.3.0", "branch", {"branch": "main", "here": "a detached HEAD"}),
        (tagged, "1.3.0", "tagged", {}),
        (untold, "1.3.0", "changelog", {}),
        (unnamed, "1.3.0", "changelog", {}),
        (None, "1.2.0", "tagged", {}),
        (None, "1.1.9", "older", {"last": "1.2.0"}),
        (None, "1.1.9", "older_than_stated", {"last": "1.2.0"}),
        (None, "1.3", "version", {}),
        (None, "v1.3.0", "version", {}),
        (None, "1.03.0", "version", {}),
    ],
)
def test_it_refuses_and_says_why(
    change: Callable[[Path], None] | None,
    version: str,
    reason: str,
    fields: dict[str, str],
    repository: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if change:
        change(repository)
    before = everything(repository)
    assert main([version], repository, Steps(never, never)) == 1
    assert REASONS[reason].format(version=version, **fields) in capsys.readouterr().err
    assert everything(repository) == before


def test_every_reason_is_given_at_once(repository: Path) -> None:
    elsewhere(repository)
    untracked(repository)
    assert len(reasons_against(repository, "1.1.0")) == 5


def test_versions_are_compared_as_numbers(repository: Path) -> None:
    commit(repository, CHANGELOG_md=CHANGELOG.replace("1.3.0", "1.10.0"))
    assert reasons_against(repository, "1.10.0") == []


def test_without_a_version_it_asks_for_one(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], repository, Steps(never, never)) == 2
    assert "make release VERSION=" in capsys.readouterr().err


def fails(*_: object) -> None:
    raise Refused("no luck")


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def only_a_wheel(source: Path, folder: Path) -> None:
    built(source, folder)
    (folder / "nimmt_lab-1.3.0.tar.gz").unlink()


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        (Steps(fails, never), 1),
        (Steps(built, fails), 1),
        (Steps(only_a_wheel, never), 1),
        (Steps(interrupted, never), 130),
        (Steps(built, interrupted), 130),
    ],
)
def test_a_failed_build_leaves_nothing_behind(steps: Steps, code: int, repository: Path) -> None:
    before = everything(repository)
    assert main(["1.3.0"], repository, steps) == code
    assert everything(repository) == before


@pytest.mark.parametrize("at", ["commit", "tag", "after the tag"])
@pytest.mark.parametrize(("error", "code"), [(Refused("no"), 1), (KeyboardInterrupt(), 130)])
def test_what_fails_at_the_very_end_is_undone(
    at: str, error: BaseException, code: int, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packages with the same names from an earlier build stay unchanged, too."""
    (repository / "dist").mkdir()
    (repository / "dist" / "nimmt_lab-1.3.0.tar.gz").write_text("of make wheel", encoding="utf-8")
    before, run = everything(repository), tool._git

    def failing(root: Path, *arguments: str) -> str:
        if arguments[0] == at:
            raise error
        done = run(root, *arguments)
        if at == "after the tag" and arguments[:2] == ("tag", "--annotate"):
            raise error
        return done

    monkeypatch.setattr(tool, "_git", failing)
    if at == "tag":  # the same command lists and deletes it
        monkeypatch.setattr(
            tool, "_git", lambda root, *rest: failing(root, *rest) if "--annotate" in rest else run(root, *rest)
        )
    assert main(["1.3.0"], repository, STEPS) == code
    monkeypatch.undo()
    assert everything(repository) == before


def test_a_commit_made_meanwhile_stops_it(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def slow(source: Path, folder: Path) -> None:
        built(source, folder)
        commit(repository, CHANGELOG_md=CHANGELOG + "\n- More.\n")

    assert main(["1.3.0"], repository, Steps(slow, fine)) == 1
    assert REASONS["moved"] in capsys.readouterr().err
    assert git(repository, "tag") == "v1.2.0"


def test_notes_end_where_the_next_version_begins() -> None:
    assert notes(CHANGELOG, "1.2.0") == "- First." and notes(CHANGELOG, "1.3.0") == "- Faster."
    assert notes(CHANGELOG, "2.0.0") == notes(CHANGELOG, "1.2") == ""


def test_our_own_files_state_the_version_where_a_release_writes_it(tmp_path: Path) -> None:
    """In a copy of the real files each version is in exactly one place, and nothing else changes."""
    for name in [*tool.STATED, "pyproject.toml", "nimmt_lab/py.typed"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    present = tool.present_version(ROOT)
    tool.set_version(tmp_path, present)
    assert all((tmp_path / name).read_bytes() == (ROOT / name).read_bytes() for name in tool.STATED)
    tool.set_version(tmp_path, "98.7.6")
    for name in tool.STATED:
        assert (tmp_path / name).read_text(encoding="utf-8").count("98.7.6") == 1
