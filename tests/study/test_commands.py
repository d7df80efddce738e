"""`nimmt-lab simulate`, `odds`, `tournament` and `review`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nimmt_lab import Classic, all_games, charts
from nimmt_lab.bots import bot, record
from nimmt_lab.cli import main
from nimmt_lab.engine.sentences import Phrase, sentence
from nimmt_lab.explain import words
from nimmt_lab.solver.turn_odds import odds
from nimmt_lab.study import review, simulate
from tests.catalogue import printed


def test_simulate_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", "--players", "3", "--rounds", "2000", "--seed", "4", "--low-card", "random", "--json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    expected = simulate(Classic(players=3), rounds=2000, seed=4, low_card="random", progress=False).totals
    assert data["mean_heads"] == list(expected.mean_heads)
    assert data["rounds"] == 2000 and data["seconds"] >= 0


def test_simulate_text_and_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = 'fan_cards=["mountain"]'
    command = [
        "simulate",
        "--rules",
        rules,
        "--players",
        "2",
        "--policy",
        "lowest,highest",
        "--rounds",
        "50",
        "--folder",
        str(tmp_path),
    ]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert printed("out.rounds").match(out) and out.startswith("50 ") and "A  lowest" in out and "B  highest" in out
    assert len(list(tmp_path.glob("*.parquet"))) == 1
    assert main(["simulate", "--rounds", "0"]) == 0


@pytest.mark.parametrize("name", all_games())
def test_every_game_can_be_simulated(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--game", name, "--players", "2", "--rounds", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["rounds"] == 3 and data["seed"] == 0
    per_side = ["mean_heads", "error_heads", "full_rows", "low_cards", "win_credit"]
    assert list(data) == [*per_side, "rounds", "seed", "seconds"]
    game = all_games()[name](players=2)
    assert {len(data[key]) for key in per_side} == {len(game.pile_seats)}
    same = simulate(game, rounds=3, progress=False)
    assert data["mean_heads"] == list(same.totals.mean_heads)
    for chart in (charts.heads_distribution(same), charts.heads_ecdf(same), charts.mean_heads({name: same})):
        assert any(rows for rows in chart.to_dict()["datasets"].values())
    assert charts.convergence(same).to_dict()["title"]["text"]
    assert main(["simulate", "--game", name, "--players", "2", "--rounds", "3"]) == 0
    assert "3 rounds" in capsys.readouterr().out


def test_odds_json(capsys: pytest.CaptureFixture[str]) -> None:
    position = "12 14 15 | 37 | 43 44 47 48 49 | 58 61 ; A: 5 45 50"
    assert main(["odds", position, "--opponents", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    exact = odds([(12, 14, 15), (37,), (43, 44, 47, 48, 49), (58, 61)], [5, 45, 50], 3)
    assert list(data["cards"]) == ["5", "45", "50"]
    for card, one in exact.items():
        shown = data["cards"][str(card)]
        assert shown["p_take"] == float(one.p_take) and shown["expected_heads"] == float(one.expected_heads)
        assert shown["distribution"] == {str(v): float(p) for v, p in one.distribution.items()}


def test_odds_given_and_seen(capsys: pytest.CaptureFixture[str]) -> None:
    position = "12 | 37 | 43 | 58 ; A: 5"
    assert main(["odds", position, "--opponents", "3", "--above", "19"]) == 0
    assert "takes 100.00%" in capsys.readouterr().out
    assert main(["odds", position, "--opponents", "3", "--seen", "1, 2 3 4"]) == 0
    assert "takes 100.00%" in capsys.readouterr().out


def test_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "lowest", "random", "--deals", "4", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["deals"] == 4 and {s["bot"] for s in data["standings"]} == {"lowest", "random"}
    assert main(["tournament", "lowest", "random", "--game", "buffalo", "--deals", "2"]) == 0
    out = capsys.readouterr().out
    assert printed("out.deals", game="buffalo").match(out) and out.startswith("2 ")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["odds", "12 | 37 | 43 | 58", "--opponents", "3"], Phrase("engine.no_hand")),
        (
            ["odds", "12 | 37 | 43 | 58 ; A: 5", "--opponents", "3", "--seen", "x"],
            Phrase("engine.number", got="'x'"),
        ),
        (
            ["odds", "12 | 37 | 43 | 58 ; A: 12", "--opponents", "3"],
            Phrase(
                "engine.lies_twice",
                card=12,
                first=Phrase("shared.place_row", row=1),
                second=Phrase("shared.place_hand", who="A"),
            ),
        ),
        (
            ["simulate", "--policy", "clever"],
            Phrase("study.no_such", what=Phrase("study.policy"), name="'clever'", known=""),
        ),
        (["simulate", "--rounds", "-5"], Phrase("shared.must_whole_0", what="rounds", got="-5")),
        (["simulate", "--seed", "-5"], Phrase("engine.seed_range", got="-5")),
        (["tournament", "nobody", "random"], Phrase("bots.no_bot", name="'nobody'", known="")),
    ],
    ids=str,
)
def test_wrong_input(command: list[str], reason: Phrase, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command) == 2
    assert str(reason) in capsys.readouterr().err


def test_review(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    played = record(Classic(players=3, rounds=1), [bot("random")] * 3, seed=2)
    played.save(tmp_path / "one.nimmt")
    command = ["review", str(tmp_path / "one.nimmt"), "--playouts", "40", "--seat", "b"]
    expected = review(played, seat=1, playouts=40, progress=False)
    for lang in ("en", "pl"):
        assert main([*command, "--lang", lang]) == 0
        assert capsys.readouterr().out == expected.to_text(lang) + "\n"
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == expected.to_json()
    assert main([*command, "--seconds", "0"]) == 0
    assert words("en")("review.time_is_up", turn="1/1") in capsys.readouterr().out
    assert main([*command[:-1], "q"]) == 2
    assert sentence("commands.no_seat_of", {"who": "'q'", "known": "a, b, c, team"}) in capsys.readouterr().err
