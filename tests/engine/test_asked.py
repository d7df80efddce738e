"""One text, one table: odds, advice, solutions, panels and commands read positions in the same way."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from nimmt_lab import Advanced, Buffalo, Classic, advise, odds, solve
from nimmt_lab.cli import main
from nimmt_lab.engine.asked import cards_named, open_state, state_of, view_of
from nimmt_lab.engine.errors import NimmtError, NotationError, PositionError, RulesError
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain import assess
from tests.support import refused

TEXT = "12 14 | 37 | 43 44 | 58 ; A: 21 26 77"
OPEN = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"


def test_hands_that_are_not_there_are_hidden_and_mean_nothing() -> None:
    view = view_of(TEXT, players=5, seen="1 2,3")
    assert view.hands == ((21, 26, 77), None, None, None, None) and view.hand_sizes == (3,) * 5
    assert set(view.unseen) == set(range(1, 105)) - {12, 14, 37, 43, 44, 58, 21, 26, 77, 1, 2, 3}
    assert view.seen == (1, 2, 3) and str(view).endswith("E (0 heads): ? ? ?")
    for seed in range(20):  # no seen card is ever in a hand
        state = guess(view, Rng.from_seed(seed))
        assert not {1, 2, 3}.intersection(*state.hands) and not {1, 2, 3} & {c for hand in state.hands for c in hand}


def test_another_deal_of_the_hidden_hands_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    here = view_of(TEXT, players=3)
    real = Rng.from_seed
    monkeypatch.setattr("nimmt_lab.engine.asked.Rng.from_seed", staticmethod(lambda seed, *rest: real(99, *rest)))
    assert view_of(TEXT, players=3) == here


def test_the_only_hand_given_asks() -> None:
    assert view_of("12 | 37 | 43 | 58 ; C: 14 20", players=4).seat == 2
    assert view_of(TEXT + " ; B: 1 2 3", players=2, seat="B").hand == (1, 2, 3)
    assert view_of(TEXT + " ; B: 1 2 3").hands == ((21, 26, 77), None)  # in a game with hidden hands
    state = Classic(players=2).from_position(TEXT + " ; B: 1 2 3")
    assert view_of(state, seat="B") == state.view(1) == view_of(state.view(1))


def test_the_classic_game_unless_somebody_says_otherwise() -> None:
    assert type(state_of(TEXT, players=3)[0].game) is Classic
    assert type(open_state(OPEN).game) is Classic and type(open_state(OPEN, game="advanced").game) is Advanced
    rules = Classic(players=3, fan_cards=("even_odd",))
    assert view_of(TEXT, game=Buffalo(players=2)).game == Buffalo(players=2)
    assert view_of(f"{rules.position(rules.deal(1))}", game=rules).game == rules


@pytest.mark.parametrize(
    ("text", "options", "kind", "key"),
    [
        (TEXT, {}, PositionError, "engine.how_many"),
        (TEXT, {"players": 3, "opponents": 3}, RulesError, "engine.players_differ"),
        (TEXT, {"opponents": -1}, PositionError, "shared.must_whole_0"),
        (TEXT, {"players": 99}, RulesError, "engine.for_players"),
        (TEXT, {"players": 3, "game": Classic(players=4)}, RulesError, "engine.game_players"),
        (TEXT, {"players": 3, "game": "chess"}, NimmtError, "shared.no_game"),
        (TEXT, {"players": 3, "seat": "B"}, PositionError, "engine.hand_unknown"),
        (TEXT, {"players": 3, "seat": "D"}, RulesError, "shared.no_seat_to"),
        (TEXT, {"players": 3, "seen": [21]}, PositionError, "engine.seen_in_hand"),
        (TEXT, {"players": 3, "seen": [105]}, PositionError, "engine.seen_not_in_deck"),
        (TEXT, {"players": 3, "seen": "x"}, NotationError, "engine.number"),
        (TEXT, {"players": 3, "seen": range(60, 77)}, PositionError, ""),
        (TEXT, {"players": 10, "seen": [*range(27, 37), *range(38, 43), *range(45, 58), *range(59, 77), *range(78, 105)]}, PositionError, "engine.hands_hidden"),
        ("12 | 37 | 43 | 58", {"players": 3}, PositionError, "engine.no_hand"),
        ("12 | 37 | 43 | 58 ; A: 14 x", {"players": 3}, NotationError, "engine.number"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(text: str, options: dict[str, Any], kind: type[NimmtError], key: str) -> None:
    if not key:  # enough cards are left
        assert view_of(text, **options).seen == tuple(range(60, 77))
        return
    with refused(kind, key):
        view_of(text, **options)


def test_a_solution_needs_every_hand() -> None:
    for text in (TEXT, TEXT + " ; C: 1 2 3"):
        with refused(PositionError, "engine.hand_not_given", who="B"):
            open_state(text, players=2 if text == TEXT else 3)
    with refused(PositionError, "engine.hand_not_given", who="B"):
        solve(TEXT)
    with refused(PositionError, "engine.view_hides"):
        solve(Classic(players=2).deal(1).view(0))  # type: ignore[arg-type]
    with refused(RulesError, "engine.says_itself", option="players"):
        solve(open_state(OPEN), players=2)


def test_cards_are_read_from_lists_and_texts() -> None:
    assert cards_named("3 17, 40") == cards_named([3, 17, 40]) == (3, 17, 40)
    with refused(PositionError, "engine.holds_numbers_cards"):
        cards_named(["3"])  # type: ignore[list-item]


def test_every_call_reads_the_same_table(capsys: pytest.CaptureFixture[str]) -> None:
    view = view_of(TEXT, players=4, seen=[1, 2])
    found = odds(TEXT, players=4, seen=[1, 2])
    assert found == odds(view) == odds(TEXT, opponents=3, seen="1 2") and found.view == view
    assert assess(TEXT, players=4).keys() == {21, 26, 77}
    told = advise(TEXT, players=4, seen=[1, 2], playouts=100)
    assert told.view == view and told == advise(view, playouts=100)
    assert main(["odds", TEXT, "--players", "4", "--seen", "1 2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["opponents"] == 3 and printed["cards"]["77"]["p_take"] == float(found[77].p_take)
    assert main(["advise", TEXT, "--opponents", "3", "--seen", "1 2", "--playouts", "100", "--json"]) == 0
    options = json.loads(capsys.readouterr().out)["options"]
    assert [option["points"] for option in options] == [promise.points for promise in told]
    assert main(["solve", OPEN, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == solve(OPEN).value == solve(OPEN, game="advanced").value


def test_the_panel_takes_what_the_solver_takes() -> None:
    from nimmt_lab.screens.solver_panel import SolverScreen

    state = Classic(players=2).from_position(OPEN)
    said = [SolverScreen(what, progress=False).scene["solver"][0]["expected"][2] for what in (OPEN, state)]
    assert said == ["+4.80", "+4.80"]
    with refused(PositionError, "engine.hand_not_given"):
        SolverScreen(TEXT, progress=False)


def test_an_interrupt_returns_the_advice_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt_lab.bots import BestBot

    real, asked = BestBot.advise, list[int]()

    def advised(self: BestBot, view: Any, **options: Any) -> Any:
        asked.append(1)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return real(self, view, **options)

    whole = advise(TEXT, players=3, playouts=2000)
    monkeypatch.setattr(BestBot, "advise", advised)
    some = advise(TEXT, players=3, playouts=2000)
    assert whole.is_complete and not some.is_complete and some.of(77).playouts == 3 * whole.of(77).playouts // 20
    assert "stopped early" in str(some)
    asked[:] = [1, 1, 1]
    with pytest.raises(KeyboardInterrupt):
        advise(TEXT, players=3, playouts=2000)


def test_more_playouts_narrow_the_intervals() -> None:
    short, long = (advise(TEXT, players=3, playouts=playouts) for playouts in (200, 20_000))
    assert long.of(21).points_error < short.of(21).points_error
    assert abs(long.of(21).points - short.of(21).points) < 5 * short.of(21).points_error
    best = advise(TEXT, players=3, playouts=2000, goal="win")
    assert best.promises == tuple(
        sorted(best.promises, key=lambda one: (one.wins or 0) - 0.005 * one.points, reverse=True)
    )


def test_seen_cards_count_for_equality_of_views() -> None:
    view = view_of(TEXT, players=3)
    assert replace(view, seen=(1,)) != view and view_of(view, seen=[1]).seen == (1,)
