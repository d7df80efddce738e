"""`nimmt-lab class` and `nimmt-lab pool` at the command line: what they refuse, and what they print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.lessons.class_list import ClassList
from nimmt_lab.live import start
from nimmt_lab.live.found import Found
from nimmt_lab.live.sheets import pool_sheets
from tests.catalogue import in_error


def refused(capsys: pytest.CaptureFixture[str], key: str, *words: str, **values: object) -> None:
    assert main(["class", *words]) == 2
    said = capsys.readouterr().err
    assert in_error(key, **values).search(said) and "Traceback" not in said, said


def test_a_class_that_cannot_start_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ["--folder", str(tmp_path / "there"), "--port", "1"]
    refused(capsys, "live.no_port", "--port", "0", got=0)
    (tmp_path / "names.txt").write_text("\n \n")
    monkeypatch.setattr("nimmt_lab.live.server.bind", lambda port, lan: [])
    refused(capsys, "live.no_names", str(tmp_path / "names.txt"), *place, file="names.txt")
    for lesson in ("p99", "99"):  # the number alone will do
        assert main(["class", "--lesson", lesson, *place]) == 2
        assert f"'{lesson}'" in capsys.readouterr().err
    monkeypatch.setattr(start, "lan_addresses", list)
    refused(capsys, "live.no_network", "--lan", *place)
    assert not (tmp_path / "there").exists()
    monkeypatch.setattr("nimmt_lab.live.journal.os.write", _full)
    refused(capsys, "live.disk_full", *place, folder=str(tmp_path / "there" / "class-tables"))


def _full(file: int, content: bytes) -> int:
    raise OSError


def test_a_new_class_keeps_the_old_one(tmp_path: Path) -> None:
    options = start.Options(folder=tmp_path, lesson="p2")
    session, journal, resumed = start.begin(options)
    journal.close()
    assert not resumed
    again, journal, resumed = start.begin(options)
    journal.close()
    assert resumed and (again.code, again.wall) == (session.code, session.wall)
    fresh, journal, resumed = start.begin(start.Options(folder=tmp_path, lesson="p2", new=True))
    journal.close()
    assert not resumed and fresh.wall != session.wall
    assert sorted(path.name for path in tmp_path.iterdir()) == ["class-p2", "class-p2-before-1"]
    assert start.delete(options) and not start.delete(options)


def test_only_answers_to_the_same_question_are_pooled() -> None:
    """Every sheet of p4 has its own turns of one table, but question 6 asks for another standard error on each."""
    of_lesson = {one.key: one for one in pool_sheets(ClassList(7, {f"P{at}": 7000 + at for at in range(1, 13)}), 4)}
    estimate, exact, need = (of_lesson[f"p4.{name}"].sheets for name in ("estimate", "exact", "need"))
    assert estimate is not None and exact is not None and need is None
    # An interval that takes the mean for normal needs more than a few results, and results that differ.
    assert len(estimate.dots) == 12 and estimate.margin is not None and exact.margin is None
    few = pool_sheets(ClassList(7, {"Ann": 7001, "Bob": 7002}), 4)[0].sheets
    assert few is not None and len({*few.dots}) == 2 and few.margin is None


def test_pooling_sheets_and_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "names.txt").write_text("Ann\nBob\nCyd\n")
    listed = str(tmp_path / "class.csv")
    assert main(["class-list", str(tmp_path / "names.txt"), "--seed", "7", "--out", listed]) == 0
    capsys.readouterr()
    code = Found(2, 40, 11, 11).code()
    assert main(["pool", listed, "--lesson", "4", "--codes", code, code, "--json"]) == 0
    estimate, exact, *_ = json.loads(capsys.readouterr().out)
    assert len(estimate["sheets"]["dots"]) == 3 and estimate["found"] is None
    assert exact["found"]["runs"] == 40 and exact["found"]["mean"] == 11 / 40  # the same code counts once
    assert main(["pool", listed, "--lesson", "4", "--codes", "ABCDE"]) == 2
    assert in_error("live.no_result_code", text="'ABCDE'").search(capsys.readouterr().err)
    for lang in ("en", "pl", "cs"):
        assert main(["pool", listed, "--lesson", "p4", "--lang", lang]) == 0
        assert len(capsys.readouterr().out.splitlines()) >= 6
