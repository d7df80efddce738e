"""Small pieces of everything that is asked of the core: of every game with a kernel, so that a new one is asked too."""

from __future__ import annotations

from nimmt_lab import Advanced, BoardGame, Classic
from nimmt_lab.bots import bot
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.board_game.kernel import SENSIBLE, workspace
from nimmt_lab.games.classic import learn
from nimmt_lab.native import core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.work import Work
from nimmt_lab.solver import solve
from nimmt_lab.study.rounds import Plan

from ..support import GAMES

COMPILED = {name: game for name, game in GAMES.items() if kernel_of(game)}


def rounds() -> None:
    for game in [*COMPILED.values(), *(Classic(players=n) for n in range(2, 11)), Advanced(players=6)]:
        for policy in POLICIES:
            for low in LOW_CARDS:
                plan = Plan.of(game, policy, low)
                plan.play(seed=2**63 + 5, first=2**40, rounds=4).totals()
                plan.count(seed=7, first=0, rounds=4)


def turns() -> None:
    """Rounds of the classic family turn by turn, and the board game step by step."""
    for game in COMPILED.values():
        kernel, found = kernel_of(game), core()
        assert kernel and found
        if isinstance(game, Classic):
            work = Work(found)
            kernel.prepare(work, game, [POLICIES["closest-safe"]] * game.players, [0] * game.players)
            for _ in range(5):
                work.call("nl_classic_deal")
                for _ in range(game.hand_size):
                    work.call("nl_classic_turn")
        elif isinstance(game, BoardGame):
            board = workspace(found, game, [SENSIBLE] * game.players)
            board.call("nl_board_deal")
            while not board.one("over"):
                board.call("nl_board_choose")
                for seat in [seat for seat, chosen in enumerate(board.get("choices", game.players)) if chosen]:
                    board.call("nl_board_list", seat)
                board.call("nl_board_step")


def bots() -> None:
    for game in COMPILED.values():
        state, rng = game.deal(seed=4), Rng.from_seed(4)
        for step in range(26):  # past the draft, where there is one
            if state.is_over:
                break
            for seat in state.pending if step % 5 == 0 else ():
                for name in ("trained", "best:playouts=30", "flat:playouts=20"):
                    bot(name).choose(state.view(seat), Rng.from_seed(3))
            made, rng = random_choices(state, rng)
            state, _ = state.choose(made)


def learning() -> None:
    """Fractions, too: additions, products and roots in single and double precision."""
    learn.learn(3, 300, 0.15, 1, report=False)


def solving() -> None:
    game = Classic(players=2)
    solve(game.from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 60 77 ; B: 30 36 41 59 90"))
    cow = Classic(players=2, fan_cards=("jumping_cow",))
    solve(cow.from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 ; B: 30 36 41 ; jumping_cow: 1"))
