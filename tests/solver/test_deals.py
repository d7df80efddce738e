"""The solved deals of the package: every number in the file follows from its positions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.cli import main as nimmt_lab
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import RecordError
from nimmt_lab.engine.sentences import Phrase, sentence
from nimmt_lab.solver import deals
from nimmt_lab.solver.deals import main, random_deal, read_deals, solved_deals
from nimmt_lab.solver.exact import Progress, RootProof, Searcher
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.two_players import solve
from tests.catalogue import printed
from tests.support import refused

from .positions import known_values


def test_lines_are_played_by_the_engine() -> None:
    deals = solved_deals()
    assert deals
    for deal in deals:
        assert str(deal.state.position) == str(random_deal(deal.seed, deal.cards).position)
        assert deal.exact
        for step, following in zip(deal.line, [*deal.line[1:], None], strict=True):
            assert step.bounds[0] <= step.value <= step.bounds[1] <= step.bounds[0] + 1e-6
            assert set(step.strategies) == set(step.chosen) == set(step.state.pending)
            for seat, mix in step.strategies.items():
                assert sum(mix.values()) == pytest.approx(1, abs=1e-9)
                assert mix[step.chosen[seat]] == max(mix.values())
            choices = {seat: step.state.pending[seat].read(text) for seat, text in step.chosen.items()}
            after, _ = step.state.choose(choices)
            if following is None:
                assert after.is_over
            else:
                assert (after.rows, after.hands) == (following.state.rows, following.state.hands)


@pytest.mark.exhaustive
def test_the_ends_of_the_lines_are_solved_again() -> None:
    for deal in solved_deals():
        for step in deal.line:
            if len(step.state.hands[0]) <= 6:
                assert solve(step.state, detail="bounds").value == pytest.approx(step.value, abs=1e-6)


@pytest.mark.slow
def test_small_deals_are_solved_again() -> None:
    for deal in solved_deals():
        if deal.cards <= 8:
            assert solve(deal.state, detail="bounds").value == pytest.approx(deal.value, abs=1e-6)


#: The first complete deal of all.
TEN_CARDS = next(deal for deal in solved_deals() if (deal.cards, deal.seed) == (10, 1))


class Pressed(Searcher):
    """Simulates the interrupt key at the first look at the search."""

    def prove(self, position: OpenPosition, **options: Any) -> RootProof:
        def press(progress: Progress) -> None:
            raise KeyboardInterrupt

        return super().prove(position, **{**options, "report": press})


@pytest.mark.native  # ten cards a hand
def test_an_interrupted_deal_keeps_its_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nimmt_lab.solver.exact.Searcher", Pressed)
    file = tmp_path / "deals.json"
    main(["--cards", "10", "--seed", "1", "--gigabytes", "0.01", str(file)])
    (deal,) = read_deals(file.read_text(encoding="utf-8"))
    assert not deal.exact and len(deal.line) == 1
    assert deal.line[0].bounds[0] <= TEN_CARDS.value <= deal.line[0].bounds[1]
    assert "not solved" in capsys.readouterr().out


@pytest.mark.exhaustive
@pytest.mark.native
def test_the_solve_command_says_what_is_not_exact(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    position = str(random_deal(1).position)
    assert nimmt_lab(["solve", position, "--seconds", "0.05", "--memory", "0.01", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["exact"] is False and answer["fraction"] is None and answer["memory"] <= 0.01 * (1 << 30)
    assert answer["bounds"][0] < TEN_CARDS.value < answer["bounds"][1]
    assert answer["estimate"] is not None
    # A ten-card hand has an estimate before anything else; without one, no card is recommended.
    assert nimmt_lab(["solve", position, "--seconds", "0.05", "--memory", "0.01"]) == 0
    assert printed("solved.might_at_least", who="A").search(capsys.readouterr().out)
    monkeypatch.setattr("nimmt_lab.solver.estimate.CUTS", {})
    assert nimmt_lab(["solve", position, "--seconds", "0.05", "--memory", "0.01"]) == 0
    text = capsys.readouterr().out
    assert say("solved.no_time") in text and say("solved.nothing", who="A") in text
    assert not printed("solved.might_at_least").search(text)
    monkeypatch.setattr("nimmt_lab.solver.two_players.Searcher", Pressed)
    assert nimmt_lab(["solve", position, "--memory", "0.01"]) == 130
    assert f"({say('out.interrupted')})" in capsys.readouterr().out


def test_the_command_adds_and_replaces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deals.json"
    for seed in ("4", "3", "4"):
        main(["--cards", "4", "--seed", seed, str(file)])
    assert [deal.seed for deal in read_deals(file.read_text(encoding="utf-8"))] == [3, 4]
    assert "exact" in capsys.readouterr().out


def test_several_deals_are_solved_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Solved deals are not solved again, and the command resumes a series."""
    file = tmp_path / "deals.json"
    main(["--cards", "3", "--seed", "6", str(file)])
    kept = read_deals(file.read_text(encoding="utf-8"))[0]
    main(["--cards", "3", "--seeds", "5-8", str(file)])
    deals = read_deals(file.read_text(encoding="utf-8"))
    assert [deal.seed for deal in deals] == [5, 6, 7, 8] and all(deal.exact and deal.complete for deal in deals)
    assert deals[1] == kept, "not solved again"
    told = capsys.readouterr().out
    assert told.count("exact") == 5 and told.endswith("4 of 4 deals with 3 cards a hand solved\n")
    for wrong in ("8-5", "x", "3-", "1-2-3"):
        with pytest.raises(SystemExit):
            main(["--cards", "3", "--seeds", wrong, str(file)])


@pytest.mark.native  # nine cards a hand
def test_an_interrupt_ends_the_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nimmt_lab.solver.exact.Searcher", Pressed)
    file = tmp_path / "deals.json"
    main(["--cards", "9", "--seeds", "1-3", "--gigabytes", "0.01", str(file)])
    (deal,) = read_deals(file.read_text(encoding="utf-8"))
    assert deal.seed == 1 and not deal.complete
    assert capsys.readouterr().out.endswith("0 of 3 deals with 9 cards a hand solved\n")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other", "deals": []}', '{"format": "nimmt-deals/1"}'])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(RecordError):
        read_deals(text)


def test_the_solve_command_on_the_shared_positions(capsys: pytest.CaptureFixture[str]) -> None:
    for position, value in known_values("conformance"):
        assert nimmt_lab(["solve", position, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert Fraction(answer["fraction"]) == value
        assert answer["value"] == float(value) and answer["exact"] is True and answer["gap"] == 0
        assert answer["bounds"][0] <= value <= answer["bounds"][1]


def test_the_solve_command(capsys: pytest.CaptureFixture[str]) -> None:
    position = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
    assert nimmt_lab(["solve", position, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["value"] == 4.8
    assert answer["exact"] is True
    assert answer["bounds"][0] <= 4.8 <= answer["bounds"][1]
    assert sum(answer["strategies"]["A"].values()) == pytest.approx(1)
    assert answer["states"] >= 1 and answer["seconds"] >= 0
    assert nimmt_lab(["solve", position, "--line"]) == 0
    text = capsys.readouterr().out
    assert "value +4.8" in text and "likely: " in text
    assert nimmt_lab(["solve", "5 | 6 | 7 | 8 9 ; A: 20 ; B: 21 ; place: A1 B10", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["strategies"]["A"]) <= {"@1", "@2", "@3", "@4"}
    assert nimmt_lab(["solve", "nonsense"]) == 2


def test_a_deal_that_another_process_solved_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solving takes long, so the content of the file at the end counts, not its earlier content."""
    file = tmp_path / "deals.json"
    real, asked = deals.Deal.solve, []

    def slow(deal: deals.Deal, *rest: Any) -> dict[str, Any]:
        asked.append(deal)
        if len(asked) == 1:
            main(["--cards", "4", "--seed", "4", str(file)])
        return real(deal, *rest)

    monkeypatch.setattr(deals.Deal, "solve", slow)
    main(["--cards", "4", "--seed", "3", str(file)])
    assert [deal.seed for deal in read_deals(file.read_text(encoding="utf-8"))] == [3, 4]


def test_a_file_that_cannot_be_used_is_known_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_given: object, **_named: object) -> dict[str, object]:
        raise AssertionError("half an hour for nothing")

    monkeypatch.setattr(deals.Deal, "solve", never)
    missing = tmp_path / "no" / "deals.json"
    reason = Phrase("shared.cannot_write", path=missing, problem=Phrase("os.no_such_file"))
    for file, why in (
        (missing, str(reason)),
        (tmp_path / "other.json", sentence("solver.not_file_solved", {"problem": ""})),
    ):
        (tmp_path / "other.json").write_text("{}")
        with pytest.raises(SystemExit):
            main(["--seed", "1", str(file)])
        assert why in capsys.readouterr().err
    for amount in ("nan", "inf", "-1", "0"):
        with pytest.raises(SystemExit):
            main(["--seed", "1", "--gigabytes", amount, str(tmp_path / "deals.json")])
    assert (tmp_path / "other.json").read_text() == "{}" and not (tmp_path / "deals.json").exists()


def _solved(seed: int, cards: int = 2) -> dict[str, Any]:
    return deals.Deal(seed, cards).solve(1 << 20, 1, False)


@pytest.mark.parametrize(("name", "value"), [
    ("seed", "1"), ("seed", -1), ("seed", True), ("cards", 2.0), ("cards", 10**9), ("exact", 1), ("complete", "yes"),
    ("states", "9"), ("seconds", "1"), ("line", []), ("line", None),
])  # fmt: skip
def test_a_deal_of_other_kinds_is_refused(name: str, value: object) -> None:
    entry = _solved(1)
    assert read_deals(json.dumps({"format": deals.FORMAT, "deals": [entry]}))
    with pytest.raises(RecordError):
        read_deals(json.dumps({"format": deals.FORMAT, "deals": [{**entry, name: value}]}))


@pytest.mark.parametrize(
    ("name", "value"), [("value", "1"), ("bounds", ["0", "1"]), ("bounds", [0]), ("chosen", {"A": 7})]
)
def test_so_is_a_step(name: str, value: object) -> None:
    entry = _solved(1)
    entry["line"][0][name] = value
    with pytest.raises(RecordError):
        read_deals(json.dumps({"format": deals.FORMAT, "deals": [entry]}))


def test_a_deal_resumes_only_from_its_own_line() -> None:
    """The file may have been edited, so its line is replayed before anything is added."""
    whole, other = _solved(1), _solved(2)
    begun = {**whole, "complete": False, "line": whole["line"][:1]}
    assert deals.Deal(1, 2, json.loads(json.dumps(begun))).solve(1 << 20, 1, False)["line"] == whole["line"]
    for line in (other["line"][:1], [*whole["line"], whole["line"][0]], [{**whole["line"][0], "chosen": {}}]):
        with refused(RecordError, "solver.deal_line_file", entry=1):
            deals.Deal(1, 2, {**begun, "line": line}).solve(1 << 20, 1, False)
