"""A hundred lines of typical user code: the engine, a bot, the solver, a review and training.

It uses nothing but the public API, and no cast and no ignored error. `test_user_script.py` runs it, and lets mypy and
pyright check it as strictly as they can, against the installed package.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from nimmt_lab import Advanced, Baron, Classic, Game, GameState, Record, all_games, game_named
from nimmt_lab.bots import Bot, bot, levels, play, record
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.rl import aec_env, parallel_env
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.solver import odds, solve, solve_matrix
from nimmt_lab.study import review, simulate

ENDGAME = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"


@dataclass
class Tally:
    """What happened to every seat in one game."""

    placed: int = 0
    taken: int = 0


class Cautious(Bot):
    """A bot of our own: it plays the card that costs least this turn."""

    name = "cautious"

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = view.decision
        if not isinstance(decision, ChooseCard):
            return bot("lowest").choose(view, rng)
        risks = odds(view.rows, hand=view.hand, opponents=view.game.players - 1)
        return min(view.hand, key=lambda card: (risks[card].expected_heads, card))


def first_turn(game: Game, path: Path) -> Record:
    """Deal, let everybody play their highest card, and keep the game in a file."""
    state: GameState = game.deal(seed=7)
    cards = {seat: decision.options[-1] for seat, decision in state.pending.items()}
    state, events = state.choose(cards)
    tallies = [Tally() for _ in range(game.players)]
    for event in events:
        if isinstance(event, CardPlaced):
            tallies[event.seat].placed += 1
        elif isinstance(event, RowTaken):
            tallies[event.seat].taken += event.heads
    assert sum(tally.placed for tally in tallies) <= game.players
    Record.from_play(game, seed=7, choices=[cards]).save(path)
    kept = Record.load(path)
    assert kept.steps[0].events == events
    return kept


def value_of_endgame() -> Fraction:
    """Solve an open position; the value is a proved fraction."""
    solution = solve(ENDGAME)
    best: Choice | None = solution.best(0)
    assert best == 12 and solution.exact and solution.fraction is not None
    pennies = solve_matrix([[1, -1], [-1, 1]])
    assert pennies.value == 0
    return solution.fraction


def train(name: str, steps: int) -> dict[str, float]:
    """Random agents in both kinds of environment, and many games at once; returns the rewards of the first kind."""
    env = parallel_env(name, players=3, rounds=1)
    seen, _ = env.reset(seed=7)
    totals = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
        seen, rewards, _over, _cut, _infos = env.step(actions)
        totals = {agent: totals[agent] + reward for agent, reward in rewards.items()}
    turns = aec_env(Classic(players=2, rounds=1))
    turns.reset(seed=1)
    legal = turns.observe(turns.agent_selection)["action_mask"]
    turns.step(int(legal.argmax()))
    games = VectorEnv(name, games=8, players=3, rounds=1)
    games.reset(seed=7)
    for _ in range(steps):
        won, _ends = games.step(games.masks().argmax(axis=2))
        assert won.shape == (8, 3)
    return totals


def main() -> None:
    fan = Classic(players=4, fan_cards=("even_odd",))
    assert [card.name for card in replace(fan, rounds=1).fan_cards] == ["even_odd"]
    assert len(all_games()) >= 5 and game_named("classic")(players=2) == Classic(players=2)
    assert Baron(players=2).deck.title
    with TemporaryDirectory() as folder:
        kept = first_turn(fan, Path(folder) / "first.nimmt")
    assert kept.game == fan
    final = play(Classic(players=2, rounds=1), [Cautious(), levels()[0].bot()], seed=4)
    assert final.outcome is not None and final.outcome.winners
    print("winners", final.outcome.winners, "endgame", value_of_endgame())
    game = record(Advanced(players=2), [bot("lowest"), bot("random")], seed=1)
    reviewed = review(Record(game.game, ({0: 16, 1: 18},), start=ENDGAME), progress=False)
    print("lost by A", round(reviewed.lost(0).middle, 2), [judged.best for judged in reviewed.judgements])
    print("heads", simulate(Classic(players=3), rounds=20, seed=1, progress=False).summary["mean_heads"].to_list())
    print("rewards", train("classic", steps=3))


if __name__ == "__main__":
    main()
