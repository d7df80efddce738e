"""What a strategist and a researcher do in a notebook, each in as few lines as a person would guess.

A task is a text, so that its lines can be counted: user code, imports aside.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import nimmt_lab
from nimmt_lab import Classic, Record, review
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


FENCE = """
class FenceRule(Rule):
    SETUP = ("fence.setup",)
@dataclass(frozen=True)
class Fence(FanCard):
    name, order, marker, setup_rule = "fence", 9, Marker, FenceRule.SETUP
    def setup(self, table, last_round, edition):
        return Marker()
    def closes(self, marker, row, value):  # nobody may play above 60 in the first row
        return row == 0 and value > 60
    def read(self, text, table):
        return Marker()
game = Classic(players=3, rounds=1, fan_cards=(Fence(),))
s = simulate(game, rounds=20, progress=False)
final = play(game, ["random", "lowest", "closest-safe"], seed=1)
"""


def test_a_fan_card_of_mine() -> None:
    from dataclasses import dataclass

    from nimmt_lab.engine.rule import Rule
    from nimmt_lab.games.classic.fan_card import FanCard, Marker

    # A class made by `exec` looks its module up: give it one.
    given = {"dataclass": dataclass, "Rule": Rule, "FanCard": FanCard, "Marker": Marker, "__name__": __name__}
    names = done(FENCE, 15, **given)
    assert names["s"].totals.rounds == 20 and names["final"].is_over
    state = names["game"].from_position("12 | 37 | 43 | 58 ; A: 70 ; B: 11 ; C: 12 ; fence: ".replace("C: 12", "C: 13"))
    assert [names["game"].row_for(state, card) for card in (13, 30)] == [0, 0] and max(names["final"].rows[0]) <= 60


def test_a_tournament_on_dask_takes_the_client_or_its_executor() -> None:
    from concurrent.futures import ThreadPoolExecutor

    class Client:
        def __init__(self, pool: ThreadPoolExecutor) -> None:
            self.get_executor = lambda: pool

        def submit(self, *_: object) -> object:
            raise AssertionError("its futures are of another kind")

    task = "t = tournament(Classic(players=2, rounds=1), ['random', 'lowest'], 2, executor=client, progress=False)"
    with ThreadPoolExecutor(1) as pool:
        made = [done(task, 1, client=given)["t"].results for given in (Client(pool), pool)]
    assert made[0] == made[1]


@pytest.mark.slow
@pytest.mark.native
def test_train_a_small_policy_and_place_it() -> None:
    """A policy that was trained for longer comes with the package: it is ahead of level 3."""
    from nimmt_lab.rl.gradient import PolicyBot, kept_policy, train

    task = "policy, curve = train(iterations=1, games=20, every=1)\n"
    task += "l = ladder(bot=PolicyBot(kept_policy()), levels=[3], deals=60, progress=False)"
    names = done(task, 25, train=train, PolicyBot=PolicyBot, kept_policy=kept_policy)
    (step,) = names["l"].steps
    assert len(names["curve"]) == 2 and step.ahead > 0


def test_a_log_a_link_and_a_folder(tmp_path: Path) -> None:
    log = "Players: Ann, Bob\nRows: 12 37 43 58\nAnn plays 14\nBob plays 2\nBob takes row 3"
    task = "game = Record.from_log(log)\nlink = share(game, site='https://example.org/')\ngame.save(folder / 'a.nimmt')"
    names = done(task, 3, log=log, folder=tmp_path)
    from nimmt_lab.study import habits, review_games

    task = "h = habits(folder)\nm = review_games(folder, playouts=10, executor=1, progress=False)"
    found = done(task, 2, folder=tmp_path, habits=habits, review_games=review_games)
    assert review(names["link"], progress=False).record == names["game"] and found["m"].is_complete
    ((name, why),) = found["m"].problems  # the round has only begun: nobody's hand is known
    assert name.endswith("a.nimmt") and why and found["h"] == {}
