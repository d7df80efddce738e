"""What a strategist and a researcher do in a notebook, each in as few lines as a person would guess.

A task is a text, so that its lines can be counted: user code, imports aside.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import nimmt_lab
from nimmt_lab import Classic, Record
from nimmt_lab.bots import record
from nimmt_lab.games.baron.deck import SAMPLE_DECK

TOP = ("bot", "play", "solve", "odds", "advise", "review", "simulate", "tournament", "ladder", "View")


def dealt() -> tuple[str, Record]:
    """Notes of a round, and the round itself."""
    played = record(Classic(players=4, rounds=1), ["random"] * 4, seed=3)
    turns = [re.sub(r"#.*", "", line) for line in played.to_text().splitlines() if line[:1].isdigit()]
    return "\n".join([f"rows: {' '.join(str(row[0]) for row in played.opening[0].rows)}", *turns]), played


def done(task: str, lines: int, **given: object) -> dict[str, Any]:
    """Run a task of that many lines with everything that the top level offers; the names it made."""
    assert len([line for line in task.strip().splitlines() if line.strip()]) <= lines
    names: dict[str, Any] = {name: getattr(nimmt_lab, name) for name in nimmt_lab.__all__} | given
    exec(task, names)
    return names


def test_everything_needed_is_at_the_top() -> None:
    assert set(TOP) <= set(nimmt_lab.__all__) <= set(dir(nimmt_lab))
    with pytest.raises(AttributeError):
        nimmt_lab.nothing  # noqa: B018


def test_my_own_game_from_notes() -> None:
    notes, played = dealt()
    found = done("game = Record.from_notes(notes, players=4)", 1, notes=notes)["game"]
    assert found.final.totals == played.final.totals and found.opening[0].hands == played.opening[0].hands


@pytest.mark.native
def test_my_worst_mistake_and_why() -> None:
    notes, _ = dealt()
    found = done("worst = review(notes, seat='A', playouts=300, progress=False).worst()", 1, notes=notes)["worst"]
    assert found.choice != found.best and found.options[0].loss <= found.options[-1].loss
    assert {found.choice, found.best} <= {option.choice for option in found.options}
    assert "was better by" in str(found) and any(reason.startswith(f"{found.choice}: ") for reason in found.reasons)


def test_odds_of_a_hand_in_the_middle_of_a_round() -> None:
    found = done("o = odds('12 14 | 37 | 43 44 | 58 ; A: 21 26 77', players=5, seen=[1, 2, 3])", 1)["o"]
    rows = [[12, 14], [37], [43, 44], [58]]
    assert found == nimmt_lab.odds(rows, [21, 26, 77], opponents=4, seen=[1, 2, 3])


@pytest.mark.native
def test_what_now_with_hidden_opponents() -> None:
    found = done("a = advise('12 14 | 37 | 43 44 | 58 ; A: 21 26 77', players=5, playouts=2000)", 1)["a"]
    assert sorted(promise.option for promise in found) == [21, 26, 77] and found.view.hand_sizes == (3,) * 5


def test_solve_the_mix_and_what_if() -> None:
    task = "s = solve('3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18')\n"
    names = done(task + "m = s.mix('A')\nw = s.what_if('A', 16)", 3)
    assert names["m"] == pytest.approx({12: 0.6, 20: 0.4}) and names["w"].loses.hi == pytest.approx(7.1143, abs=1e-4)


def test_a_bot_is_a_function() -> None:
    task = "def mine(view):\n    return min(view.hand)\nl = ladder(bot=mine, deals=4, levels=[1, 4], progress=False)"
    found = done(task, 3)["l"]
    assert [(step.level, step.below) for step in found.steps] == [(0, 1), (0, 4)] and "mine" in str(found)


def test_a_million_rounds_to_polars() -> None:
    task = "r = simulate(Classic(players=4), rounds=2000, progress=False)\nf = r.frame\ns = r.summary"
    names = done(task, 3)
    assert names["f"].height == 8000 and names["s"].height == 4


def test_five_rows_and_a_seventh_card() -> None:
    found = done("s = simulate(Classic(players=4, rows=5, row_limit=6), rounds=200, progress=False)", 1)["s"]
    assert found.totals.rounds == 200 and len(Classic(players=4, rows=5, row_limit=6).deal(seed=1).rows) == 5


def test_baron_with_my_deck(tmp_path: Path) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(SAMPLE_DECK.to_csv().replace("# sample", "# title: mine"), encoding="utf-8")
    game = done("game = Baron(players=4, deck=path)", 1, path=str(path))["game"]
    assert [game.deck.letters(card) for card in range(1, 111)] == [SAMPLE_DECK.letters(card) for card in range(1, 111)]
