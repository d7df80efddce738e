"""Records of format 1 are read and converted."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from nimmt_lab import BoardGame, Buffalo, Record
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.errors import RecordError
from nimmt_lab.engine.record_text import Chain
from nimmt_lab.games.board_game.uses import PASS
from nimmt_lab.games.buffalo.uses import Pass, Swap
from tests.support import refused

SWAP = "5 10 | 30 | 60 | 95 ; A: 25 80 4 ; B: 61 99 90 ; buffalo: 35 72 73 ; specials: swap sort"
#: A cannot use its only action card, because both markers are on the table.
USELESS = "50 | 70 | 20 | 60 | | | | | | ; A: 1 3 ; B: 2 4 ; place: A25 B71 ; actions: A stop ; stops: 1 2"


def text_of(game: str, rules: str, start: str, *play: str) -> str:
    """A record in format 1, with its checksums."""
    chain = Chain()
    head = ["nimmt-game/1", f"game: {game}", f"rules: {rules}", "seed: 0", f"start: {start}"]
    checks = [chain.add(line) for line in head]
    lines = [line if line.startswith("{") else f"{line} #{check}" for line in play for check in [chain.add(line)]]
    return "\n".join([*head, f"check: {checks[-1]}", "", *lines, ""])


def json_of(game: Mapping[str, object], start: str, *turns: Mapping[str, object], end: str = "*") -> str:
    chain = Chain()

    def checked(part: Mapping[str, object]) -> dict[str, object]:
        plain = json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return {**part, "check": chain.add(plain)}

    head = checked({"format": "nimmt-record/1", "game": game, "seed": 0, "start": start, "tags": {}})
    return json.dumps(head | {"turns": [checked(turn) for turn in turns], "end": checked({"result": end})})


def swapped() -> Record:
    record = Record(Buffalo(players=2), start=SWAP)
    for choices in ({0: 25, 1: 61}, {TEAM: Swap(1)}, {1: 99}):
        record = record.then(choices)
    return record


def test_a_swap_in_one_word() -> None:
    whole = text_of("buffalo", "players=2", SWAP, "8. A25 B61 T25!swap:B99 ...", "*")
    assert Record.from_text(whole) == swapped()
    turn = {"turn": "8", "choices": [{"A": "25", "B": "61"}, {"T": "25!swap:B99"}]}
    assert Record.from_json(json_of({"system": "buffalo", "players": 2}, SWAP, turn)) == swapped()


def test_a_swap_that_follows_passes_and_is_followed_by_a_row() -> None:
    # B's 3 fits nowhere: format 1 wrote the row after the card, before the card swapped in.
    start = SWAP.replace("B: 61 99 90", "B: 61 3 90")
    line = "8. A25 B61@2 T35!swap:B3 T61!pass ..."
    record = Record.from_text(text_of("buffalo", "players=2", start, line.replace(" T61!pass", ""), "*"))
    expected = Record(Buffalo(players=2), start=start)
    for choices in ({0: 25, 1: 61}, {TEAM: Pass()}, {TEAM: Swap(1)}, {1: 3}, {1: 1}):
        expected = expected.then(choices)
    assert record == expected and record.final.rows[1][0] == 3


def test_a_swap_waits_for_its_moment() -> None:
    # Because of the Stop!, the team decides before the cards are chosen; the swap comes later.
    start = SWAP.replace("swap sort", "swap ; stop: 4")
    record = Record.from_text(text_of("buffalo", "players=2", start, "8. A25 B61 T35!swap:B99 ...", "*"))
    assert record.choices[:2] == ({TEAM: Pass()}, {0: 25, 1: 61}) and record.final.hands[1] == (61, 90)


@pytest.mark.parametrize("word", ["25!swap:B77", "25!swap:C99", "99!swap:B99", "25!swap:B61"])
def test_a_swap_that_could_not_be_is_refused(word: str) -> None:
    text = text_of("buffalo", "players=2", SWAP, f"8. A25 B61 T{word} ...", "*")
    with pytest.raises(RecordError) as caught:
        Record.from_text(text)
    assert caught.value.line == 8
    turn = {"turn": "8", "choices": [{"A": "25", "B": "61"}, {"T": word}, {"T": "25!pass"}]}
    with pytest.raises(RecordError):
        Record.from_json(json_of({"system": "buffalo", "players": 2}, SWAP, turn))


def test_the_last_card_of_a_hand_is_swapped_without_a_question() -> None:
    start = "5 10 | 30 | 60 | 95 ; A: 25 80 ; B: 61 99 ; buffalo: 35 72 ; specials: swap sort"
    record = Record.from_text(text_of("buffalo", "players=2", start, "9. A25 B61 T25!swap:B99 ...", "*"))
    assert len(record.choices) == 2 and record.final.rows[3] == (95, 99)
    with pytest.raises(RecordError):
        Record.from_text(text_of("buffalo", "players=2", start, "9. A25 B61 T25!swap:B98 ...", "*"))


def test_what_was_not_asked_is_passed_and_notes_stay_with_their_lines() -> None:
    board = {"system": "board", "players": 2, "mode": "advanced"}
    note = "nothing could be done"
    text = text_of("board", 'players=2 mode="advanced"', USELESS, "2. A1 B2 ...", "{ " + note + " }", "*")
    turn = {"turn": "2", "choices": [{"A": "1", "B": "2"}], "comment": note}
    records = Record.from_text(text), Record.from_json(json_of(board, USELESS, turn))
    for record in records:
        # 25 and 71 are placed first: A passes before 25, and B has no card. Then A also passes before 1.
        game = BoardGame(players=2, mode="advanced")
        expected = Record(game, ({0: PASS}, {0: 1, 1: 2}, {0: PASS}), start=USELESS, comments={1: note})
        assert record == expected
        assert not record.final.queue and record.final.turn == 2
        assert Record.from_text(record.to_text()) == record and Record.from_json(record.to_json()) == record


def test_what_format_1_left_out_must_be_said_in_format_2() -> None:
    record = Record(BoardGame(players=2, mode="advanced"), ({0: PASS}, {0: 1, 1: 2}), start=USELESS)
    lines = record.to_json().splitlines()
    assert sum('"choices": [{"A": "!25:pass"}]' in line for line in lines) == 1
    again = Record.from_text(record.to_text())
    assert again == record and again.final.queue, "A is asked before 1 is placed"


@pytest.mark.parametrize("number", ["0", "00", "-1", "x", ""])
def test_unknown_formats_are_rejected(number: str) -> None:
    record = swapped()
    with refused(RecordError, "shared.record_format", format="nimmt-game/2"):
        Record.from_text(record.to_text().replace("nimmt-game/2", f"nimmt-game/{number}"))
    with refused(RecordError, "shared.expected_format", format="nimmt-record/2"):
        Record.from_json(record.to_json().replace("nimmt-record/2", f"nimmt-record/{number}"))
