"""The report of a game, and the command that prints it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.cli import main
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.explain import LANGUAGES, RowTrap, report, words
from nimmt_lab.games.board_game.events import PointsScored
from nimmt_lab.games.classic.rules import ClassicRule
from tests.catalogue import explained
from tests.support import random_record

from .test_placement import SYSTEMS

TIPS = "50 57 61 | 70 | 83 | 30 36 38 40 45 ; A: 62 46 ; B: 29 98"


@pytest.mark.parametrize("name", SYSTEMS)
def test_report_of_every_system(name: str) -> None:
    record = random_record(SYSTEMS[name], seed=6, choices=120)
    found = report(record)
    for lang in LANGUAGES:
        text = found.to_text(lang)
        assert text.count("\n") >= len(found.rows) and "{" not in text
    if isinstance(record.game, Classic):
        taken = [event for event in record.events if isinstance(event, RowTaken)]
        assert sum(sum(rules.values()) for rules in found.lost.values()) == sum(event.heads for event in taken)
        assert sum(row.heads for row in found.rows) == sum(event.heads for event in taken)
        best = max(row.luck for row in found.rows)
        assert (found.luckiest.luck if found.luckiest else 0) == max(best, 0)


def test_report_counts_traps_rules_and_luck() -> None:
    record = Record(Classic(players=2), ({0: 62, 1: 29}, {1: 0}), start=TIPS, tags={"A": "Ola"})
    found = report(record)
    assert found.met(0) == {RowTrap.VANISHED_ROW: 1} and found.avoided(0) == {} == found.met(1)
    assert found.lost == {0: {ClassicRule.FULL_ROW: 10}, 1: {ClassicRule.LOW_CARD: 5}}
    low, high = found.rows
    assert (high.luck, high.heads, high.kept) == (-10, 10, ())
    assert (low.luck, low.heads) == (-4, 5)  # row 3 would have cost 1
    assert found.luckiest is None and found.unluckiest == high
    for lang in LANGUAGES:
        say = words(lang)
        low_card, full_row = say("rule.classic.4"), say("rule.classic.3")
        five, ten = say.count("heads", 5), say.count("heads", 10)
        line = say("report.line_heads", turn="1/9", card="62 (Ola)", row=4, rule=full_row, heads=ten)
        assert found.to_text(lang).splitlines() == [
            say("report.title"),
            say("report.line_heads", turn="1/9", card="29 (B)", row=1, rule=low_card, heads=five),
            f"{line} {say('why.met', trap=say('trap.vanished_row'))}",
            say("report.lost", who="Ola", losses=f"{full_row} 10"),
            say("report.lost", who="B", losses=f"{low_card} 5"),
            say("report.unluckiest", turn="1/9", card="62 (Ola)", heads=ten),
        ]


def test_cards_kept_out_of_a_closest_row_trap() -> None:
    start = "1 | 20 | 40 41 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99"
    found = report(Record(Classic(players=2), ({0: 98, 1: 99},), start=start))
    assert {row.seat: row.kept for row in found.rows} == {0: (45,), 1: (50,)}


def saved(tmp_path: Path) -> str:
    path = tmp_path / "game.nimmt"
    Record(Classic(players=2), ({0: 62, 1: 29}, {1: 0}), start=TIPS, tags={"A": "Ola"}).save(path)
    return str(path)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", saved(tmp_path)]) == 0
    out = capsys.readouterr().out
    say = words("en")
    low = say("taken.low", card=29, who="B", row=1, heads=say.count("heads", 5))
    assert out.startswith(f"{say('table.revealed', turn=9, plays='B 29, Ola 62')}\n  {low}")
    assert f"{say('why.met', trap=say('trap.vanished_row'))}\n\n{say('report.title')}\n" in out


@pytest.mark.parametrize(("lang", "word"), [("pl", "Pułapka: znikający rząd."), ("cs", "Past: zmizelá řada.")])
def test_command_in_other_languages(lang: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", saved(tmp_path), "--lang", lang, "--turn", "1"]) == 0
    out = capsys.readouterr().out
    assert word in out and len(out.splitlines()) == 3


def test_command_tells_the_end_of_a_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = random_record(Classic(players=2, hand_size=2, rounds=2), seed=3)
    record.save(tmp_path / "game.json")
    assert main(["explain", str(tmp_path / "game.json")]) == 0
    marks = {
        **{f"round {number}": explained("table.round", round=number) for number in (1, 2)},
        **{f"turn {number}": explained("table.revealed", turn=number) for number in (1, 2)},
        **{f"end of round {number}": explained("table.round_over", round=number) for number in (1, 2)},
        "end": re.compile("|".join(explained(f"table.{end}").pattern for end in ("won", "shared", "draw"))),
        "summary": explained("report.title"),
    }
    lines = capsys.readouterr().out.splitlines()
    assert [name for line in lines for name, mark in marks.items() if mark.match(line)] == [
        "turn 1", "turn 2", "end of round 1", "round 2", "turn 1", "turn 2", "end of round 2", "end",
        "summary",
    ]  # fmt: skip


def test_command_with_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", saved(tmp_path), "--turn", "2"]) == 2
    assert sentence("commands.no_turn", {"turn": 2, "count": 1}) in capsys.readouterr().err
    assert main(["explain", str(tmp_path / "nothing")]) == 2
    with pytest.raises(SystemExit):
        main(["explain", saved(tmp_path), "--lang", "de"])


def test_each_game_says_what_is_lost() -> None:
    """Good bulls are no loss; on the board, lost points are, and tiles taken by themselves are not."""
    assert report(random_record(SYSTEMS["baron"], seed=6, choices=60)).lost
    good = report(random_record(SYSTEMS["baron-good"], seed=6, choices=60))
    assert any(row.heads for row in good.rows) and good.lost == {}
    assert "bulls" in good.to_text() and "head" not in good.to_text()
    record = random_record(SYSTEMS["board"], seed=6, choices=80)
    lost: dict[int, int] = {}
    for event in record.events:
        if isinstance(event, PointsScored) and event.after < event.before:
            lost[event.seat] = lost.get(event.seat, 0) + event.before - event.after
    assert {seat: sum(rules.values()) for seat, rules in report(record).lost.items()} == lost != {}
