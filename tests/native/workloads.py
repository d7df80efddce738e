"""Small workloads that call everything in the core, for every game with a kernel, including new ones."""

from __future__ import annotations

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic
from nimmt_lab.bots import bot, record
from nimmt_lab.bots.company import company_of
from nimmt_lab.bots.yardstick import average, undealt, worths
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.baron import kernel as baron
from nimmt_lab.games.board_game.kernel import SENSIBLE, workspace
from nimmt_lab.games.buffalo import kernel as buffalo
from nimmt_lab.games.classic.kernel import ClassicKernel
from nimmt_lab.native import core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, STEPS, compiled_tries, kernel_of
from nimmt_lab.native.loader import Core
from nimmt_lab.native.seating import SEATING
from nimmt_lab.native.work import Workspace
from nimmt_lab.rl.actions import Actions
from nimmt_lab.rl.match import Match
from nimmt_lab.rl.observe import Observer
from nimmt_lab.solver import solve
from nimmt_lab.study.rounds import Simulator
from nimmt_lab.study.tables import Tables

from ..support import GAMES

COMPILED = {name: game for name, game in GAMES.items() if kernel_of(game)}


def rounds() -> None:
    for game in [*COMPILED.values(), *(Classic(players=n) for n in range(2, 11)), Advanced(players=6)]:
        for policy in POLICIES:
            for low in LOW_CARDS:
                plan = Simulator.of(game, policy, low)
                plan.play(seed=2**63 + 5, first=2**40, rounds=4).totals()
                plan.count(seed=7, first=0, rounds=4)


def choices() -> None:
    """Rounds choice by choice, by every quick player."""
    for players in (2, 4, 10):
        Tables(players, (*POLICIES, "level-1", "level-2", "level-3"), seed=2**63 + 5).play(0, 12)


def turns() -> None:
    """Rounds of the classic family turn by turn, and the board game step by step."""
    for game in COMPILED.values():
        kernel, found = kernel_of(game), core()
        assert kernel and found
        if isinstance(game, Classic):
            assert isinstance(kernel, ClassicKernel)
            work = Workspace(found, "nl_classic")
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

        elif isinstance(game, Baron):
            table = baron.workspace(found, game, [POLICIES["least-risk"]] * game.players, [1] * game.players)
            for _ in range(3):
                table.call("nl_baron_deal")
                while not table.one("over"):
                    table.call("nl_baron_turn")
        elif isinstance(game, Buffalo):
            against_the_buffalo(found, game)


def against_the_buffalo(found: Core, game: Buffalo) -> None:
    """Rounds step by step, with special cards by the team's policy, and the result of every use."""
    work = buffalo.workspace(found, game, ["least-risk"] * game.players, ["cheapest"] * game.players)
    work.set("me", TEAM)
    for _ in range(6):
        work.call("nl_buffalo_deal")
        while any(work.get("held")):
            work.set("plays", work.get("hand")[::10])
            work.call("nl_buffalo_reveal")
            while work.one("n_queue"):
                use = work.call("nl_buffalo_team")
                work.call("nl_buffalo_legal", use)
                work.call("nl_buffalo_use", use)
                found.ask("nl_buffalo_swap", work.memory, work.get("hand")[10 * (work.one("swapping") % 6)])
                if not work.one("n_queue"):
                    break
                for row in range(4):  # a row that the seat may not take is an error
                    if found.ask("nl_buffalo_place", work.memory, row) == 0:
                        break
    state, rng = game.deal(seed=1), Rng.from_seed(1)
    while TEAM not in state.pending:
        made, rng = random_choices(state, rng)
        state, _ = state.choose(made)
    tries = compiled_tries(state.view(TEAM), rng, skilled=True)
    assert tries and tries.promising(state.pending[TEAM].options, 5)


def steps() -> None:
    """Vectorised games of every chapter that has them: random actions, and sometimes an illegal one."""
    found = core()
    assert found is not None
    for game in COMPILED.values():
        stepping = STEPS.find(game)
        if stepping is None:
            continue
        for wins in (False, True):
            several = stepping.games(found, game, wins)
            seats, width = len(Match(game).seats), Actions(game).count
            size, words = Observer(game).size, -(-width // 64)
            games, actions, rewards, ends, masks, bits, seen = (
                found.memory(3 * room)
                for room in (several.record.size, 2 * seats, 4 * seats, 1, seats * width, 8 * seats * words, 4 * size)
            )
            active, finals = found.memory(3), found.memory(games.size)
            active.write("B", [1, 0, 1])
            names = list(several.policies)
            several.start(games, 2**40 + 7)
            for number in range(70):
                several.bound_masks(games, masks, (0, seats), packed=False)()
                several.bound_masks(games, bits, (0, seats), packed=True)()
                several.bound_observe(games, seen, (number % seats, number % seats + 1), compact=number % 2 == 0)()
                several.bound_sample(games, actions)()
                several.set_policy(0, names[number % len(names)])
                several.bound_choose(games, actions, active, 1)()
                assert several.check(games)
                if number % 20 == 19:
                    actions.write("h", [number])
                listed, kept = active if number % 3 == 2 else None, finals if number % 2 else None
                several.bound_step(games, actions, rewards, ends, listed, kept)()
                rewards.get(0, rewards.size)
            games.get(0, games.size)


def bots() -> None:
    for game in COMPILED.values():
        state, rng = game.deal(seed=4), Rng.from_seed(4)
        for step in range(26):  # after the draft, if there is one
            if state.is_over:
                break
            for seat in state.pending if step % 9 == 0 else ():
                for name in ("trained", "ahead", "second-thoughts:playouts=8", "best:playouts=30", "flat:playouts=20"):
                    bot(name).choose(state.view(seat), Rng.from_seed(3))
            made, rng = random_choices(state, rng)
            state, _ = state.choose(made)
    bot("best:playouts=30").choose(Buffalo(players=1).deal(seed=4).view(0), Rng.from_seed(3))
    played = record(Classic(players=3, rounds=1), [bot("trained"), bot("closest-safe"), bot("random")], seed=1)
    company = company_of(played)
    assert company is not None
    worths(played.steps[len(played.steps) // 2].before.view(2), [None], 20, 1, company)
    for game in filter(SEATING.find, COMPILED.values()):
        played = record(game, [bot("closest-safe"), *[bot("random")] * (game.players - 1)], seed=2)
        company, asked = company_of(played), played.steps[2 * len(played.steps) // 3]
        assert company is not None
        worths(asked.before.view(next(iter(asked.choices))), [None], 20, 1, company)
        begun = next(step.before for step in played.steps if step.before.rows and 1 in step.choices)  # after a draft
        _ = average(game, 1, company, 20) or undealt(begun.view(1), company, 20)


def solving() -> None:
    game = Classic(players=2)
    solve(game.from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 60 77 ; B: 30 36 41 59 90"))
    cow = Classic(players=2, fan_cards=("jumping_cow",))
    solve(cow.from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 ; B: 30 36 41 ; jumping_cow: 1"))
