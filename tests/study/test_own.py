"""A folder of one's games: mistakes by kind, puzzles from one's own mistakes, and notes among the files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nimmt_lab import Classic, Record, review
from nimmt_lab.bots import BestBot, record
from nimmt_lab.engine.record import Step
from nimmt_lab.study import kinds_of_mistakes, mistakes, own_puzzles, review_games
from nimmt_lab.study.mistakes import Judged
from nimmt_lab.study.own import KINDS, TITLES, _kind
from nimmt_lab.study.reviews import ReviewedStep
from nimmt_lab.study.searched import search_choice

pytestmark = pytest.mark.native
SIXTH = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"


@pytest.mark.parametrize(("kind", "card"), [("sixth_card", 19), ("low_card", 2), ("high_card", 80), ("other", 45)])
def test_choices_have_kinds(kind: str, card: int) -> None:
    """By where the card goes: to a full row, nowhere, above every row, or between two rows."""
    state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 61 ; A: 2 19 45 80 ; B: 3 4 5 6")
    step = Step.of(state, {0: card, 1: 3})
    searched = search_choice(step, 0, 0, BestBot(40, "heads"), seed=1)
    judgement = replace(searched.judgement(step, 0), best=step.before.pending[0].write(card))
    assert _kind(Judged.of(ReviewedStep(0, step, searched={0: searched}), judgement)) == kind


def test_mistakes_are_the_costly_choices() -> None:
    found = review(Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=SIXTH), seat="A", progress=False)
    assert [(one.kind, one.judged.choice) for one in mistakes(found, "A")] == [("sixth_card", "19")]
    assert mistakes(found, "B") == ()


def test_a_bad_row_is_a_kind_of_its_own() -> None:
    start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 3 104 ; B: 70 103 ; C: 71 102"
    game = Record(Classic(players=3), start=start).play("A3@1 B70 C71")
    found = mistakes(review(game, seat="A", method="search", progress=False), "A")
    assert "row" in [one.kind for one in found] and set(KINDS) >= {one.kind for one in found}


def test_mistakes_become_puzzles_and_counts() -> None:
    found = review(Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=SIXTH), seat="A", progress=False)
    (puzzle,) = own_puzzles(found, "A", playouts=400)
    assert puzzle.best == 104 and puzzle.seat == 0
    counted = kinds_of_mistakes([(found, "A"), (found, 0)])
    assert counted.games == 2 and counted.counts["sixth_card"][0] == 2 and TITLES["sixth_card"] in str(counted)
    assert own_puzzles(found, "B") == ()


def test_a_folder_may_have_notes_in_it(tmp_path: Path) -> None:
    played = record(Classic(players=2, rounds=1, hand_size=3), ["random", "lowest"], seed=1)
    played.save(tmp_path / "a.nimmt")
    rows = " ".join(str(row[0]) for row in played.opening[0].rows)
    turns = [line.partition(" #")[0] for line in played.to_text().splitlines() if line[:1].isdigit()]
    notes = "\n".join(["rules: hand_size=3", "players: Ann, Bob", f"rows: {rows}", *turns])
    (tmp_path / "b.notes").write_text(notes, encoding="utf-8")
    found = review_games(tmp_path, seat="A", playouts=20, progress=False)
    assert [line.player for line in found.lines] == ["A", "Ann"] and found.is_complete
    assert found.lines[0].result == found.lines[1].result and "2 games reviewed" in str(found)
