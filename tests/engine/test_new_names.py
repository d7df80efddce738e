"""New file names: a hundred concurrent writers make a hundred complete files."""

from __future__ import annotations

import errno
import os
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.engine.errors import CannotWrite, NotationError
from nimmt_lab.engine.files import folder_in, leads_out, read_text, write_file, write_new
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.play import GAMES, PlayScreen
from tests.catalogue import on_screen
from tests.support import refused


def _play(folder: Path, seed: int) -> PlayScreen:
    play = PlayScreen(Desk(folder))
    play.start({"game": "classic", "players": 2, "seed": seed})
    return play


def _in_threads(work: list[Callable[[], object]]) -> None:
    start = threading.Barrier(len(work))

    def run(one: Callable[[], object]) -> None:
        start.wait()
        one()

    threads = [threading.Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _whole(folder: Path, seeds: range) -> None:
    """There is one complete game for every seed, and no other file."""
    games = sorted(folder.iterdir())
    assert sorted(Record.load(path).seed for path in games) == list(seeds)
    assert {path.name for path in games} == {f"classic-{number}.nimmt" for number in range(1, len(seeds) + 1)}


@pytest.mark.exhaustive
def test_a_hundred_pages_that_save_at_once_save_a_hundred_games(tmp_path: Path) -> None:
    tables = [_play(tmp_path, seed) for seed in range(100)]
    answers: list[str] = []
    _in_threads([lambda table=table: answers.append(table.save()) for table in tables])  # type: ignore[misc]
    assert len(set(answers)) == 100
    assert all(on_screen("play.saved").fullmatch(answer) and "games/classic-" in answer for answer in answers)
    _whole(tmp_path / GAMES, range(100))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("links", [True, False])
def test_so_do_ten_processes(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without hard links (USB sticks, web pages)."""
    if not links:

        def refuse(*_names: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    records = [Record(Classic(players=2), seed=seed) for seed in range(100)]
    children = []
    for first in range(0, 100, 10):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for record in records[first : first + 10]:
                    record.save_new(tmp_path)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        children.append(child)
    assert {os.waitpid(child, 0)[1] for child in children} == {0}
    _whole(tmp_path, range(100))


def test_a_folder_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with refused(CannotWrite, "shared.cannot_write", problem=Phrase("os.no_space")):
        write_new(tmp_path, "classic", ".nimmt", "x")
    with refused(CannotWrite, "shared.cannot_write", problem=Phrase("os.no_such_file")):
        write_new(tmp_path / "nowhere", "classic", ".nimmt", "x")
    assert not list(tmp_path.iterdir())


def test_a_temporary_file_that_others_swept_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.chmod
    swept: list[str] = []

    def sweep_first(path: str, mode: int) -> None:
        if len(swept) < 4:
            swept.append(path)
            os.unlink(path)
        real(path, mode)

    monkeypatch.setattr(os, "chmod", sweep_first)
    assert write_new(tmp_path, "x", ".txt", "1").read_text() == "1"
    assert len(swept) == 4 and [path.name for path in tmp_path.iterdir()] == ["x-1.txt"]


def test_used_names_are_skipped_even_as_broken_links(tmp_path: Path) -> None:
    (tmp_path / "x-1.txt").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "x-2.txt").mkdir()
    assert write_new(tmp_path, "x", ".txt", "1") == tmp_path / "x-3.txt"
    assert not (tmp_path / "elsewhere").exists()


# Links ---------------------------------------------------------------------------------------------------


def test_a_link_is_followed_only_where_that_is_wanted(tmp_path: Path) -> None:
    other, link = tmp_path / "other", tmp_path / "link"
    other.write_text("before")
    link.symlink_to(other)
    write_file(link, "through")
    assert link.is_symlink() and other.read_text() == "through"
    with refused(NotationError, "shared.is_link"):
        read_text(link, follow=False)
    write_file(link, "itself", follow=False)
    assert not link.is_symlink() and link.read_text() == "itself" and other.read_text() == "through"
    assert read_text(link, follow=False) == "itself"


def test_a_folder_below_ours_stays_below_it(tmp_path: Path) -> None:
    ours, other = tmp_path / "ours", tmp_path / "other"
    ours.mkdir()
    other.mkdir()
    assert folder_in(ours, "games") == ours / "games" and not leads_out(ours, ours / "games" / "x")
    (ours / "hand-in").symlink_to(other)
    assert leads_out(ours, ours / "hand-in") and leads_out(ours, ours / "hand-in" / "x")
    with refused(CannotWrite, "shared.cannot_write", problem=Phrase("shared.it_is_link")):
        folder_in(ours, "hand-in")
    # The learner's folder itself may be a link.
    (tmp_path / "link").symlink_to(ours)
    assert folder_in(tmp_path / "link", "games").is_dir()
