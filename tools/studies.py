"""Play the long simulations behind the strategy studies and save their sums in nimmt_lab/study/data.

    python tools/studies.py                  # all of them: some minutes
    python tools/studies.py low_cards        # one of them

Every study is counted in blocks of deals with seeds of their own, so that a test can recount the first block and
compare the sums. Each line stores a count, a sum and a sum of squares.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import nimmt_lab.study
from nimmt_lab import Classic
from nimmt_lab.bots import Bot, bot, play
from nimmt_lab.bots.base import ask
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.files import make_folder, write_file
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.baron.deck import BARONS
from nimmt_lab.games.baron.kernel import cost
from nimmt_lab.games.baron.rules import Baron, DrawPiles
from nimmt_lab.games.board_game.events import FieldActed, PointsScored
from nimmt_lab.games.board_game.policy import sensible
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.parts import Special
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.rl.small import SmallBot
from nimmt_lab.study import simulate

FOLDER = Path(nimmt_lab.study.__file__).parent / "data"

Values = Mapping[str, Sequence[float]]
Block = Callable[[int], Values]

CAREFUL = bot("closest-safe")


def finish(state: GameState, bots: Sequence[Bot], seed: int) -> GameState:
    """Play on from a state. Random numbers are separate from the deal's, and the same whatever else differs."""
    step = 0
    while not state.is_over:
        step += 1
        state, _ = state.choose(ask(state, bots, seed, 16 * step))
    return state


# Skill against luck --------------------------------------------------------------------------------------

ROUNDS = (1, 2, 5, 10, 20, 50)


def skill_and_luck(block: int) -> Values:
    """Whether A has fewer heads than B after that many rounds: 1, 0, or a half. Two differences in skill."""
    found: dict[str, list[float]] = {}
    for gap, ways in {
        "careful:random": ("closest-safe", "random", "random", "random"),
        "edges:careful": ("edges-first", "closest-safe", "closest-safe", "closest-safe"),
    }.items():
        frame = simulate(Classic(players=4, rounds=1), ways, rounds=2_000, seed=block, progress=False).frame
        mine, theirs = (frame.filter(frame["seat"] == seat)["heads"].to_list() for seat in "AB")
        for rounds in ROUNDS:
            found[f"{gap}:{rounds}"] = [
                compare(sum(mine[at : at + rounds]), sum(theirs[at : at + rounds])) for at in range(0, 2_000, rounds)
            ]
    return found


def compare(mine: int, theirs: int) -> float:
    """1 if mine is lower, a half if they are equal."""
    return float(mine < theirs) + float(mine == theirs) / 2


# When to shed low cards -----------------------------------------------------------------------------------------


class ShedBot(Bot):
    """Plays its lowest card in one turn, and follows the careful rule before and after."""

    name = "shed"

    def __init__(self, turn: int) -> None:
        self.turn = turn

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = view.decision
        if not isinstance(decision, ChooseCard):
            return CAREFUL.choose(view, rng)
        lowest = min(view.hand)
        if view.turn + 1 == self.turn:
            return lowest
        if view.turn + 1 > self.turn:
            return CAREFUL.choose(view, rng)
        return min((card for card in view.hand if card != lowest), key=lambda card: CAREFUL._cost(view, card, card))  # type: ignore[attr-defined]


def low_cards(block: int) -> Values:
    """Heads of A in a round whose lowest card fits nowhere at the start, by the turn in which A plays it."""
    game, found = Classic(players=4, rounds=1), defaultdict[str, list[float]](list)
    for seed in range(200 * block, 200 * (block + 1)):
        start = game.deal(seed)
        if min(start.hands[0]) > min(row[-1] for row in start.rows):
            continue
        for turn in range(1, 11):
            end = finish(start, [ShedBot(turn), CAREFUL, CAREFUL, CAREFUL], seed)
            found[str(turn)].append(float(end.totals[0]))
        found["10-1"].append(found["10"][-1] - found["1"][-1])
        found["5-1"].append(found["5"][-1] - found["1"][-1])
    return found


# Rules of thumb ------------------------------------------------------------------------------------------


class RuleBot(Bot):
    """Plays the first card by some rule of thumb; takes the cheapest row."""

    name = "rule"

    def __init__(self, order: Callable[[View, int], tuple[float, ...]]) -> None:
        self.order = order

    def choose(self, view: View, rng: Rng) -> Choice:
        if isinstance(view.decision, ChooseCard):
            return min(view.hand, key=lambda card: (*self.order(view, card), card))
        return CAREFUL.choose(view, rng)


def rules() -> dict[str, Bot]:
    """The rules of thumb to compare, by name."""

    def heads(view: View, card: int) -> int:
        return view.game.heads_in((card,))

    return {
        "random": bot("random"),
        "lowest": bot("lowest"),
        "highest": bot("highest"),
        "dear_first": RuleBot(lambda view, card: (-heads(view, card),)),
        "cheap_first": RuleBot(lambda view, card: (heads(view, card),)),
        "middle_first": RuleBot(lambda view, card: (abs(card - 52.5),)),
        "closest": CAREFUL,
        "least_risk": bot("least-risk"),
        "edges_first": bot("edges-first"),
    }


def rules_of_thumb(block: int) -> Values:
    """Heads of A by rule, minus those of a random A in the same deal; the others follow the careful rule."""
    game, found = Classic(players=4, rounds=1), defaultdict[str, list[float]](list)
    for seed in range(100 * block, 100 * (block + 1)):
        start = game.deal(seed)
        others = [CAREFUL] * 3
        heads = {name: finish(start, [rule, *others], seed).totals[0] for name, rule in rules().items()}
        for name, count in heads.items():
            found[name].append(float(count - heads["random"]))
    return found


# Towards 66 ----------------------------------------------------------------------------------------------

OTHERS = (20, 40, 60)
LEADS = (20, 10, 0, -10, -20)


def towards_66(block: int) -> Values:
    """A's share of the win from that many heads, the other three having `others` each. Rounds are drawn from a pool; A
    follows the same rule as they do, or another."""
    found: dict[str, list[float]] = {}
    for way in ("closest-safe", "edges-first", "highest"):
        ways = (way, "closest-safe", "closest-safe", "closest-safe")
        frame = simulate(Classic(players=4, rounds=1), ways, rounds=2_000, seed=block, progress=False).frame
        columns = [frame.filter(frame["seat"] == seat)["heads"].to_list() for seat in "ABCD"]
        pool = list(zip(*columns, strict=True))
        for others in OTHERS:
            for lead in LEADS:
                if others - lead < 66:
                    rng = Rng.from_seed(block, stream=66)  # the same rounds for each policy, as far as possible
                    found[f"{others}:{lead}:{way}"] = won = []
                    for _ in range(250):
                        share, rng = race(others - lead, others, pool, rng)
                        won.append(share)
    return found


def race(mine: int, others: int, pool: Sequence[Sequence[int]], rng: Rng) -> tuple[float, Rng]:
    """One game from these totals to its end (classic.9: somebody has 66 or more): A's share of the win."""
    totals = [mine, others, others, others]
    while max(totals) < 66:
        at, rng = rng.below(len(pool))
        totals = [total + heads for total, heads in zip(totals, pool[at], strict=True)]
    best = min(totals)
    return (totals[0] == best) / totals.count(best), rng


# What each special card is worth --------------------------------------------------------------------------------


def buffalo_cards(block: int) -> Values:
    """The gain in lead (heads of the buffalo minus the team's) of a team of four with one special card of a kind,
    compared with none, in the same deal."""
    game, found = Buffalo(players=4), defaultdict[str, list[float]](list)
    for seed in range(20 * block, 20 * (block + 1)):
        text = str(game.deal(seed).position).partition(" ; specials:")[0]
        bare = _lead(game, text, seed)
        found["none"].append(float(bare))
        for kind in Special:
            found[kind.value].append(float(_lead(game, f"{text} ; specials: {kind.value}", seed) - bare))
    return found


def _lead(game: Game, text: str, seed: int) -> int:
    end = finish(game.from_position(text), [CAREFUL] * 4, seed)
    team, buffalo = (game.heads_in(pile) for pile in end.piles)
    return buffalo - team


# Bull Baron ----------------------------------------------------------------------------------------------


class BaronBot(Bot):
    """The careful rule, but with a habit for Barons (`first`, `last` or none) and one for the choice of rows."""

    name = "baron-habits"

    def __init__(self, barons: str = "", rows: str = "") -> None:
        self.barons, self.rows = barons, rows

    def choose(self, view: View, rng: Rng) -> Choice:
        decision, game = view.decision, view.game
        assert isinstance(game, Baron)
        if isinstance(decision, ChooseCard) and self.barons:
            mine = [card for card in view.hand if card in BARONS]
            others = [card for card in view.hand if card not in BARONS]
            if mine and self.barons == "first":
                return mine[0]
            if mine and others and self.barons == "last":
                return min(others, key=lambda card: cost(view, game, "closest-safe", card))
        if isinstance(decision, ChooseRow) and self.rows:
            card = view.queue[0].card
            if set(decision.options) == set(game.matching_rows(view, card)):  # otherwise a row must be chosen
                return self._row(view, game, card)
        return CAREFUL.choose(view, rng)

    def _row(self, view: View, game: Baron, card: int) -> Choice:
        rows = {row: view.rows[row] for row in game.matching_rows(view, card)}

        def colour(row: int) -> int:
            """The most bulls the row would then have in one of the card's colours."""
            own = game.deck.letters(card)
            there = [letter for other in (*rows[row], card) for letter in game.deck.letters(other)]
            return max(there.count(letter) for letter in own)

        orders: dict[str, Callable[[int], int]] = {
            "shortest": lambda row: len(rows[row]),
            "longest": lambda row: -len(rows[row]),
            "colour_low": colour,
            "colour_high": lambda row: -colour(row),
        }
        # No rule takes a row if it can avoid it: a row that the card would take comes last.
        takes = {row: len(cards) >= game.places_in_row or colour(row) >= 6 for row, cards in rows.items()}
        return min(rows, key=lambda row: (takes[row], orders[self.rows](row), row))


def baron_keeping(block: int) -> Values:
    """Bulls of A in games in which A gets a Baron: played at once, or as the last card of its hand; and the difference
    in the same deal."""
    game, found = Baron(players=4), defaultdict[str, list[float]](list)
    for seed in range(100 * block, 100 * (block + 1)):
        start = game.deal(seed)
        assert isinstance(start.extra, DrawPiles)
        if not set(BARONS) & {*start.hands[0], *_drawn(start)}:
            continue
        players = {habit: [BaronBot(habit), CAREFUL, CAREFUL, CAREFUL] for habit in ("first", "last")}
        bulls = {habit: finish(start, seats, seed).totals[0] for habit, seats in players.items()}
        for habit, count in bulls.items():
            found[habit].append(float(count))
        found["first-last"].append(float(bulls["first"] - bulls["last"]))
    return found


def _drawn(state: GameState) -> Sequence[int]:
    """The cards A will draw during the game."""
    text = str(state.position).partition("draw: A ")[2]
    return [int(word) for word in text.partition(" B ")[0].split()]


def baron_rows(block: int) -> Values:
    """Bulls of A by how A chooses among matching rows, minus those with the row of the fewest bulls."""
    game, found = Baron(players=4), defaultdict[str, list[float]](list)
    for seed in range(50 * block, 50 * (block + 1)):
        start = game.deal(seed)
        usual = finish(start, [CAREFUL] * 4, seed).totals[0]
        for rows in ("shortest", "longest", "colour_low", "colour_high"):
            bulls = finish(start, [BaronBot(rows=rows), CAREFUL, CAREFUL, CAREFUL], seed).totals[0]
            found[rows].append(float(bulls - usual))
    return found


# The board game ------------------------------------------------------------------------------------------


class SensibleBot(Bot):
    """Plays the board like the search's own playouts."""

    name = "sensible"

    def choose(self, view: View, rng: Rng) -> Choice:
        assert view.decision is not None
        return sensible(view, view.seat, view.decision)


def board_fields(block: int) -> Values:
    """Points of a tile by the field it covers: the mean of a game, four players, basic side, our sample; and how often
    a player meets the fields whose points depend on the tile."""
    game, found = BoardGame(players=4), defaultdict[str, list[float]](list)
    for seed in range(50 * block, 50 * (block + 1)):
        state, step = game.deal(seed), 0
        scored = defaultdict[str, list[int]](list)
        while not state.is_over:
            step += 1
            state, events = state.choose(ask(state, [SensibleBot()] * 4, seed, 16 * step))
            field = ""
            for event in events:
                if isinstance(event, FieldActed):
                    field = event.field
                    scored[field].append(0)
                elif isinstance(event, PointsScored) and field:
                    scored[field][-1] += event.points
        for name, points in scored.items():
            found[name].append(sum(points) / len(points))
        for name in ("g", "gg", "r", "rr", "take"):
            found[f"times {name}"].append(len(scored[name]) / 4)
    return found


# All of them ---------------------------------------------------------------------------------------------

#: Each study, with its number of blocks.
# How far a small player gets ------------------------------------------------------------------------------------

#: Deals per block among three players of each level; the higher ones search, which is slow.
AMONG = {1: 25, 2: 25, 3: 25, 4: 25, 5: 25, 6: 5, 7: 3}


def small_player(block: int) -> Values:
    """The small player's lead over three players of a level, on average over the three."""
    game, found = Classic(players=4, rounds=1), dict[str, list[float]]()
    for level, deals in AMONG.items():
        bots: list[Bot] = [SmallBot(), *[bot(f"level-{level}")] * 3]
        ends = [play(game, bots, seed).totals for seed in range(deals * block, deals * (block + 1))]
        found[str(level)] = [sum(heads[1:]) / 3 - heads[0] for heads in ends]
    return found


STUDIES: dict[str, tuple[int, Block]] = {
    "skill_and_luck": (20, skill_and_luck),
    "low_cards": (30, low_cards),
    "rules_of_thumb": (30, rules_of_thumb),
    "towards_66": (40, towards_66),
    "buffalo_cards": (40, buffalo_cards),
    "baron_keeping": (60, baron_keeping),
    "baron_rows": (40, baron_rows),
    "board_fields": (20, board_fields),
    "small_player": (40, small_player),
}


def sums(values: Values) -> dict[str, list[float]]:
    """For each line the count, the sum, and the sum of squares."""
    return {label: [len(line), sum(line), sum(one * one for one in line)] for label, line in values.items()}


def add(one: Mapping[str, Sequence[float]], other: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Two blocks together."""
    zero = (0, 0.0, 0.0)
    return {
        label: [a + b for a, b in zip(one.get(label, zero), other.get(label, zero), strict=True)]
        for label in {**one, **other}
    }


def main(names: Sequence[str]) -> int:
    """Count the studies of these names, or all."""
    make_folder(FOLDER)
    for name in names or STUDIES:
        blocks, count = STUDIES[name]
        first = total = sums(count(0))
        for block in range(1, blocks):
            print(f"{name}: {block} of {blocks}", end="\r", file=sys.stderr, flush=True)
            total = add(total, sums(count(block)))
        data = {"format": "nimmt-study/1", "study": name, "blocks": blocks, "first": first, "all": total}
        write_file(FOLDER / f"{name}.json", json.dumps(data, indent=1) + "\n")
        print(f"{name}: {blocks} blocks", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
