"""Hints at the table: proofs and the best bot's estimates, from the player's view only."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab import Record
from nimmt_lab.bots import bot
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.screens.table import HINT_PLAYOUTS, TableScreen
from tests.catalogue import on_board
from tests.support import GAMES, dig, random_record


def hints_of(record: Record, lang: str = "en") -> dict[str, dict[str, Any]]:
    table = TableScreen(record, "random", people=range(record.game.players), hints=True, lang=lang)
    table.receive({"type": "ready"})
    found: dict[str, dict[str, Any]] = dig(table.data, "scene", "hints")
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in GAMES if name != "advanced"])
def test_a_card_has_what_the_advice_promises(name: str) -> None:
    record = random_record(GAMES[name], 3, choices=0)
    seat, decision = next(iter(record.final.pending.items()))
    advice = bot(f"best:playouts={HINT_PLAYOUTS},goal=heads").advise(record.final.view(seat))
    found = hints_of(record)
    if len(decision.options) > 12:
        return
    key = "promise_more" if record.game.more_is_better else "promise_less"
    for promise in advice:
        text = found[decision.write(promise.option)]["text"]
        assert f"{promise.points:.1f}".replace("-", "−") in text
        assert on_board(key).search(text)
    assert on_board(key, "pl").search(next(iter(hints_of(record, "pl").values()))["text"])


def test_a_row_to_take_has_a_promise_where_nothing_is_proved() -> None:
    game = GAMES["classic"]
    seed = next(
        seed
        for seed in range(50)
        if any(isinstance(one, ChooseRow) for one in random_record(game, seed, choices=1).final.pending.values())
    )
    record = random_record(game, seed, choices=1)
    found = hints_of(record)
    assert len(found) == 4 and {one["part"] for one in found.values()} >= {0, 1}
    best = min(found.values(), key=lambda one: one["mean"])
    assert best["part"] == 0 and all("safe" not in one["text"] for one in found.values())


def test_no_promise_knows_a_hidden_card() -> None:
    record = random_record(GAMES["classic"], 3, choices=4)
    seat = next(iter(record.final.pending))
    table = TableScreen(record, "random", people=range(4), hints=True)
    known = table._promises(seat)
    twin = guess(record.final.view(seat), Rng.from_seed(4))
    assert known and twin != record.final
    advice = bot(f"best:playouts={HINT_PLAYOUTS},goal=heads").advise(twin.view(seat))
    assert {str(one.option): one.points for one in advice} == {option: mean for option, (mean, _) in known.items()}
