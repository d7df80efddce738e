"""A table's log, read with a file of phrases; and the lines that errors name, there and in CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.bots import record
from nimmt_lab.cli import main
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.logs import FOLDER, Phrases, phrase_files, read_log
from tests.support import refused

NAMES = ("Ann", "Bob Lee", "Žofie")
WORDS = {
    "table-en": ("Players", "Rows", "Turn {}", "plays", "takes row"),
    "table-pl": ("Gracze", "Rzędy", "Tura {}", "zagrywa", "zbiera rząd"),
    "table-cs": ("Hráči", "Řady", "{}. kolo", "hraje", "bere řadu"),
}
SHORT = "Players: Ann, Bob\nRows: 12 37 43 58\nAnn plays 14\nBob plays 2\nBob takes row 3"


def log_of(played: Record, name: str, *, turns: bool = True, sixth: bool = True) -> str:
    """A log of a round as our phrases have it. `sixth`: it also tells who takes a row with a sixth card."""
    players, rows, turn, plays, takes = WORDS[name]
    lines = [
        f"{players}: {', '.join(NAMES)}",
        f"{rows}: {', '.join(str(row[0]) for row in played.opening[0].rows)}",
    ]
    for step in played.steps:
        cards = {seat: choice for seat, choice in step.choices.items() if not step.before.pending[seat].prefix}
        if turns and cards:
            lines.append(turn.format(step.before.turn + 1))
        lines += [f"[12:0{seat}] {NAMES[seat]} {plays} {card}" for seat, card in cards.items()]
        for event in step.events:
            if isinstance(event, RowTaken) and (sixth or event.rule.key == "classic.4"):
                lines.append(f"{NAMES[event.seat]} {takes} {event.row + 1}")
    return "\n".join(lines)


@pytest.mark.parametrize("sixth", [True, False])
@pytest.mark.parametrize("name", phrase_files())
def test_our_logs_are_read_back(name: str, sixth: bool) -> None:
    for seed in range(4):
        played = record(Classic(players=3, rounds=1), ["random"] * 3, seed)
        for turns in (True, False):
            found = Record.from_log(log_of(played, name, turns=turns, sixth=sixth), name)
            assert found.final.totals == played.final.totals and found.opening[0].hands == played.opening[0].hands
            assert found.names == dict(enumerate(NAMES))
    rules = {event.rule.key for event in played.events if isinstance(event, RowTaken)}
    assert "classic.4" in rules and len(rules) > 1


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'format = "nimmt-phrases/1"\nunknown = "ignore"\n[phrases]\n'
        'rows = "Start of row {row} is {card}"\nplay = "{card} by {player}"\ntakes = "row {row} for {player}"\n',
        encoding="utf-8",
    )
    log = "\n".join(f"Start of row {at} is {card}" for at, card in enumerate((12, 37, 43, 58), 1))
    log += "\nhello!\n14 by Ann\n2 by Bob\nrow 3 for Bob\n15 by Ann\n16 by Bob"
    found = Record.from_log(log, tmp_path / "mine.toml")
    assert found.final.rows == ((12, 14, 15, 16), (37,), (2,), (58,)) and found.names == {0: "Ann", 1: "Bob"}


def test_several_rounds_in_a_log() -> None:
    first, second = (record(Classic(players=3, rounds=1), ["random"] * 3, seed) for seed in (1, 2))
    log = log_of(first, "table-en") + "\nRound 2\n" + log_of(second, "table-en").partition("\n")[2]
    one, two = read_log(log, "table-en")
    assert one.final.totals == first.final.totals
    assert two.final.totals == tuple(a + b for a, b in zip(first.final.totals, second.final.totals, strict=True))
    with refused(NotationError, "engine.notes_rounds"):
        Record.from_log(log)


@pytest.mark.parametrize(
    ("log", "key", "line"),
    [
        (SHORT.replace("Bob plays 2", "Bob puts 2"), "engine.log_line", 4),
        (SHORT.replace("Bob plays 2", "Rob plays 2"), "engine.log_player", 4),
        (SHORT.replace("Bob plays 2", "Bob plays 14"), "", 4),
        (SHORT.replace("Bob plays 2", "Bob plays 200"), "engine.note_no_card", 4),
        (SHORT.replace("\nBob takes row 3", ""), "engine.row_unsaid", 4),
        (SHORT.replace("row 3", "row 9"), "", 4),
        (SHORT.replace("Bob plays 2\n", ""), "engine.log_takes", 4),
        (SHORT.replace("12 37 43 58", "12 37 43"), "engine.notes_row_count", 2),
        (SHORT + "\nPlayers: Bob, Ann", "engine.log_players", 6),
        (SHORT + "\nAnn plays 15", "engine.no_choice", 6),
        ("Players: Ann, Bob", "engine.notes_rows", 1),
    ],
)
def test_a_mistake_in_a_log_is_named_with_its_line(log: str, key: str, line: int) -> None:
    with pytest.raises(NotationError) as caught:
        Record.from_log(log)
    assert caught.value.line == line and (not key or caught.value.key == key)


@pytest.mark.parametrize(
    ("line", "key", "at"),
    [("1,B,14,", "engine.cannot_play", 8), ("1,B,x,", "engine.number", 8), ("1,B,2,", "engine.row_unsaid", 8)],
)
def test_a_mistake_in_csv_is_named_with_its_line(line: str, key: str, at: int) -> None:
    with pytest.raises(NotationError) as caught:
        Record.from_csv(f"turn,player,card,row\n0,,12,\n0,,37,\n0,,43,\n0,,58,\n\n1,A,14,\n{line}\n")
    assert (caught.value.key, caught.value.line) == (key, at)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("nimmt-phrases/1", "nimmt-phrases/2"), "engine.phrases_format"),
        (('"refuse"', '"skip"'), "engine.phrases_unknown"),
        (("takes =", "takse ="), "engine.phrases_kind"),
        (("play =", "skip2 ="), "engine.phrases_kind"),
        (("{player} plays {card}.", "{player} plays."), "engine.phrase_needs"),
        (("Rows: {cards}", "Rows"), "engine.phrase_needs"),
        (("{player} plays {card}.", "{player} plays {card} {card}."), "engine.phrase_place"),
        (("{player} plays {card}.", "{player} plays {card} {colour}"), "engine.phrase_place"),
        (("Turn {number}", ""), "engine.phrases_list"),
    ],
)
def test_what_is_wrong_with_a_file_of_phrases_is_said(change: tuple[str, str], key: str) -> None:
    text = (FOLDER / "table-en.toml").read_text(encoding="utf-8")
    assert change[0] in text
    with refused(NotationError, key):
        Phrases.parse(text.replace(*change))


def test_all_files_say_that_they_are_examples() -> None:
    said = {"en": "no site's log has been tried", "pl": "nie wypróbowano", "cs": "nebyl vyzkoušen"}
    for name in phrase_files():
        assert said[name[-2:]] in (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def test_the_command_reviews_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = record(Classic(players=3, rounds=1), ["random"] * 3, 1)
    (tmp_path / "table.log").write_text(log_of(played, "table-pl"), encoding="utf-8")
    given = ["review", str(tmp_path / "table.log"), "--phrases", "table-pl", "--seat", "A", "--playouts", "20"]
    assert main(given) == 0 and "Ann" in capsys.readouterr().out
