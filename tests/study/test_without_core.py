"""Claims about an installation without the compiled core: which numbers stay the same, and which don't."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from nimmt_lab.native import build

ROOT = Path(__file__).parents[2]

#: Computes some of everything, with the core or without it.
COMPUTE = """
import json, warnings
warnings.simplefilter("ignore")
from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic
from nimmt_lab.bots import bot, levels, record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import core
from nimmt_lab.native.kernel import POLICIES
from nimmt_lab.solver import solve
from nimmt_lab.solver.draft import estimate_picks
from nimmt_lab.solver.turn_odds import odds
from nimmt_lab.study import review
from nimmt_lab.study.rounds import Simulator

GAMES = {
    "classic": Classic(players=3, rounds=1), "mountain": Classic(players=3, rounds=1, fan_cards=("mountain",)),
    "advanced": Advanced(players=2, rounds=1), "baron": Baron(players=3), "board": BoardGame(players=3),
    "buffalo": Buffalo(players=3),
}
found = {"core": core() is not None}

def chosen(bots, games=GAMES):
    def one(player, game, seed):
        state = game.deal(seed=seed)
        while not state.rows:
            state, _ = state.choose({seat: decision.options[0] for seat, decision in state.pending.items()})
        seat = next(iter(state.pending))
        return repr(player.choose(state.view(seat), Rng.from_seed(seed)))
    return [one(player, game, seed) for player in bots for game in games.values() for seed in range(4)]

found["deals"] = [repr(game.deal(seed=1)) for game in GAMES.values()]
found["rounds"] = [repr(Simulator.of(game, policy).count(1, 0, 5)) for game in GAMES.values() for policy in POLICIES]
found["plain bots"] = chosen([bot(name) for name in (
    "random", "lowest", "highest", "closest-safe", "least-risk", "edges-first", "odds", "turn")])
found["levels 1 to 5"] = chosen([level.bot() for level in levels() if level.number <= 5])
found["odds"] = repr(odds([(12, 14), (37,), (43,), (58,)], (21, 45), 2))
small = Advanced(players=2, rounds=1, hand_size=3)
solution = solve("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
found["solved"] = repr((solution.value, solution.strategies, solution.regrets))
found["draft"] = repr(estimate_picks(small.deal(seed=1), seed=1))
by_solver = review(record(small, [bot("random"), bot("lowest")], seed=1), playouts=100, progress=False)
found["review, solved"] = repr([(step.solution.value, step.solution.regrets) for step in by_solver.steps])
found["review, luck"] = repr(by_solver.splits)
played = record(GAMES["classic"], [bot("closest-safe"), bot("random"), bot("lowest")], seed=1)
by_search = review(played, playouts=100, progress=False)
found["review, searched"] = repr([step.searched for step in by_search.steps])
family = {name: GAMES[name] for name in ("classic", "mountain")}
found["learned bot"] = chosen([bot("trained")], {"classic": GAMES["classic"]})
found["searching bots"] = chosen([bot("flat:playouts=50"), bot("best-1:playouts=50"), bot("best:playouts=50")], family)
print(json.dumps(found))
"""
SAME = ["deals", "rounds", "plain bots", "levels 1 to 5", "odds", "solved", "draft", "review, solved"]
OTHER = ["review, luck", "review, searched", "searching bots", "learned bot"]


@cache
def computed(native: str) -> dict[str, object]:
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH", "")) if part)
    environment = {**os.environ, "PYTHONPATH": path, "NIMMT_NATIVE": native}
    done = subprocess.run([sys.executable, "-c", COMPUTE], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.exhaustive
@pytest.mark.native
def test_the_list_is_whole() -> None:
    with_core, without = computed(os.environ.get("NIMMT_NATIVE", "")), computed("off")
    assert (with_core["core"], without["core"]) == (True, False)
    assert set(with_core) == {"core", *SAME, *OTHER}


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize("what", SAME)
def test_the_same_without_the_core(what: str) -> None:
    assert computed(os.environ.get("NIMMT_NATIVE", ""))[what] == computed("off")[what]


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize("what", OTHER)
def test_other_numbers_without_the_core(what: str) -> None:
    """If these become equal, the texts can promise more."""
    assert computed(os.environ.get("NIMMT_NATIVE", ""))[what] != computed("off")[what]


def test_every_text_says_so() -> None:
    """No text promises equal numbers for everything, and the README draws the line at the same levels as the message."""
    for name in ("setup.py", "README.md", "nimmt_lab/native/build.py", "nimmt_lab/native/loader.py"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "same rules and numbers" not in text and "slower, same" not in text, name
        assert "slower and with the same numbers" not in text, name
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    line_drawn = re.findall(r"\(levels \d to \d\)", build.WITHOUT)
    assert len(line_drawn) == 2 and re.findall(r"\(levels \d to \d\)", readme) == line_drawn
    assert "give the same numbers" in readme and "give different numbers" in readme
    done = subprocess.run(
        [sys.executable, "-c", "from nimmt_lab.native import core; core()"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT), "NIMMT_NATIVE": "off"}, check=False,
    )  # fmt: skip
    assert build.WITHOUT in done.stderr
