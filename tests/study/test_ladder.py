"""The ladder: the ranking, how a deal counts, and resuming from a file."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nimmt_lab import Buffalo, Classic, Game
from nimmt_lab.bots import bot, levels, play
from nimmt_lab.cli import main
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain.catalogue import words
from nimmt_lab.study import ladder, ladders
from nimmt_lab.study.findings import PACKAGE
from tests.support import GAMES, refused

PAIR = Classic(players=2, rounds=1)


@pytest.mark.exhaustive
def test_steps_are_in_order_where_they_are_large() -> None:
    result = ladder(Classic(players=4, rounds=1), deals=16, levels=[1, 2, 4, 7], progress=False)
    assert [(step.below, step.level) for step in result.steps] == [(1, 2), (2, 4), (4, 7)]
    assert result.is_complete
    assert all(step.ahead > step.ahead_margin and step.win_credit > step.chance for step in result.steps)
    assert result.frame["is_above"].to_list() == [step.win_credit - step.margin > 0.25 for step in result.steps]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["baron", "board game", "jumping_cow"])
def test_other_games_have_steps_too(name: str) -> None:
    (step,) = ladder(GAMES[name], deals=12, levels=[1, 5], progress=False).steps
    assert step.is_above and step.ahead > 0


def test_a_deal_is_played_from_every_seat() -> None:
    (step,) = ladder(PAIR, deals=3, levels=[1, 4], seed=5, progress=False).steps
    credit = ahead = 0.0
    for deal in range(3):
        for seat in range(2):
            table = [bot("level-4"), bot("level-1")]
            outcome = play(PAIR, table if seat == 0 else table[::-1], Rng.from_seed(5, deal).state).outcome
            assert outcome is not None
            credit += outcome.credit(seat) / 6
            ahead += (outcome.totals[1 - seat] - outcome.totals[seat]) / 6
    assert (step.win_credit, step.ahead) == pytest.approx((credit, ahead)) and step.chance == 0.5


def test_a_team_is_compared_with_a_team() -> None:
    game: Game = Buffalo(players=2)
    (step,) = ladder(game, deals=4, levels=[1, 2], progress=False).steps

    def wins(name: str) -> float:
        found = [play(game, [bot(name)] * 2, Rng.from_seed(0, deal).state).outcome for deal in range(4)]
        return sum(outcome.credit(0) for outcome in found if outcome) / 4

    assert (step.win_credit, step.chance) == pytest.approx((wins("level-2"), wins("level-1")))


def test_it_resumes_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ladder.jsonl"
    whole = ladder(PAIR, deals=6, levels=[1, 4], progress=False)
    ladder(PAIR, deals=4, levels=[1, 4], file=path, progress=False)
    played: list[ladders.Portion] = []
    real = ladders._play

    def counted(game: Game, seed: int, portion: ladders.Portion) -> ladders.DealResult:
        played.append(portion)
        return real(game, seed, portion)

    monkeypatch.setattr(ladders, "_play", counted)
    with ThreadPoolExecutor(2) as threads:
        again = ladder(PAIR, deals=6, levels=[1, 4], file=path, executor=threads, progress=False)
    assert again.steps == whole.steps
    assert sorted(portion.deal for portion in played) == [4, 5]
    with refused(NotationError, "study.ladder_other"):
        ladder(PAIR, deals=6, seed=1, levels=[1, 4], file=path, progress=False)
    path.write_text(path.read_text() + "[1, 2]\n")
    with refused(NotationError, "study.not_deal_ladder", line=8, source=str(path)):
        ladder(PAIR, deals=6, levels=[1, 4], file=path, progress=False)
    path.write_text(path.read_text().replace("[1, 2]", "[1, 2"))
    with refused(NotationError, "shared.cut_json", line=8, source=str(path)):
        ladder(PAIR, deals=6, levels=[1, 4], file=path, progress=False)


def test_two_ladders_on_one_file_keep_both_their_deals(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    one, other = (ladders._File(path, PAIR, 0) for _ in range(2))
    one.keep(ladders.Portion(4, 1, 0), ladders.DealResult(1.0, 0.5, 2.0))
    one.write()
    other.keep(ladders.Portion(4, 1, 1), ladders.DealResult(0.0, 0.5, -1.0))
    other.write()
    assert sorted(portion.deal for portion in ladders._File(path, PAIR, 0).done) == [0, 1]


@pytest.mark.exhaustive
def test_a_long_ladder_resumes_too(tmp_path: Path) -> None:
    """More deals than letters that a given file may have."""
    path = tmp_path / "ladder.jsonl"
    kept = ladders._File(path, PAIR, 0)
    for deal in range(150_000):
        kept.done[ladders.Portion(4, 1, deal)] = ladders.DealResult(1.0, 0.5, 2.25)
    kept.write()
    assert path.stat().st_size > files.LARGEST
    kept.write()
    assert len(ladders._File(path, PAIR, 0).done) == 150_000


def test_an_interrupt_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ladder.jsonl"
    real = ladders._play

    def interrupted(game: Game, seed: int, portion: ladders.Portion) -> ladders.DealResult:
        if portion.deal == 2:
            raise KeyboardInterrupt
        return real(game, seed, portion)

    monkeypatch.setattr(ladders, "_play", interrupted)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    cut = ladder(PAIR, deals=6, levels=[1, 4], file=path, progress=False)
    assert not cut.is_complete and cut.steps[0].deals == 2
    assert len(path.read_text().splitlines()) == 3


def test_wrong_wishes_are_named() -> None:
    for wrong in ([1], [1, 1], [0, 1], [8, 9]):
        with refused(RulesError, "study.ladder_levels", most=8):
            ladder(PAIR, levels=wrong)
    with refused(RulesError, "shared.must_whole_from", what="deals", least=1, got="0"):
        ladder(PAIR, deals=0)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ladder", "--players", "2", "--deals", "4", "--levels", "1", "4"]
    assert main([*arguments, "--json"]) == 0
    (step,) = json.loads(capsys.readouterr().out)["steps"]
    assert (step["level"], step["below"], step["deals"]) == (4, 1, 4)
    assert main(arguments) == 0
    assert re.search(r"^ +4\b.*\b1\b.*\d\.\d{3} ± ", capsys.readouterr().out, re.MULTILINE)
    assert main([*arguments, "--lang", "cs"]) == 0
    text = capsys.readouterr().out
    assert words("cs", package=PACKAGE)("ladder.title", game="classic", players=2) in text
    assert re.search(r"\d,\d{3} ± ", text) and not re.search(r"\d\.\d|among|win credit|deals", text)
    assert main([*arguments, "--markdown", "--lang", "pl"]) == 0
    table = capsys.readouterr().out
    assert levels()[3].title("pl") in table and len(table.splitlines()) == 4
    assert table.startswith("| poziom |") and re.search(r"\d,\d\d ± ", table) and not re.search(r"\d\.\d", table)
