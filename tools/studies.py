"""Play the long simulations behind the strategy studies and save their sums in nimmt_lab/study/data.

    python tools/studies.py                  # all of them: some minutes
    python tools/studies.py low_cards        # one of them

Every study is counted in blocks of deals with seeds of their own, so that a test can recount the first block and
compare the sums. Each line stores a count, a sum and a sum of squares. Studies of the classic game are in
`plain_studies.py`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import nimmt_lab.study
from nimmt_lab import Classic
from nimmt_lab.bots import Bot, bot, play
from nimmt_lab.bots.base import ask
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.files import make_folder, write_file
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.baron.deck import BARONS, LETTERS, SAMPLE_DECK, BaronDeck
from nimmt_lab.games.baron.kernel import cost
from nimmt_lab.games.baron.rules import Baron, DrawPiles
from nimmt_lab.games.board_game.events import FieldActed, PointsScored
from nimmt_lab.games.board_game.policy import sensible
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.parts import Special
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.rl.small import SmallBot
from tools.plain_studies import PLAIN_STUDIES, Block, Values, sums
from tools.strong_players import strong_players

FOLDER = Path(nimmt_lab.study.__file__).parent / "data"

CAREFUL = bot("closest-safe")


def finish(state: GameState, bots: Sequence[Bot], seed: int) -> GameState:
    """Play on from a state. Random numbers are separate from the deal's, and the same whatever else differs."""
    step = 0
    while not state.is_over:
        step += 1
        state, _ = state.choose(ask(state, bots, seed, 16 * step))
    return state


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


#: Decks of random colours.
DECKS = range(1, 7)


class BaronBot(Bot):
    """The careful rule, but with a habit for Barons: `first` or `last`."""

    name = "baron-habits"

    def __init__(self, barons: str) -> None:
        self.barons = barons

    def choose(self, view: View, rng: Rng) -> Choice:
        decision, game = view.decision, view.game
        assert isinstance(game, Baron)
        if isinstance(decision, ChooseCard):
            mine = [card for card in view.hand if card in BARONS]
            others = [card for card in view.hand if card not in BARONS]
            if mine and self.barons == "first":
                return mine[0]
            if mine and others and self.barons == "last":
                return min(others, key=lambda card: cost(view, game, "closest-safe", card))
        return CAREFUL.choose(view, rng)


def baron_keeping(block: int) -> Values:
    """Bulls of A in games in which A gets a Baron: played at once, or as the last card of its hand; and the difference
    in the same deal."""
    return _keeping(Baron(players=4), block)


def baron_decks(block: int) -> Values:
    """The same difference with decks of other colours, and with all of them together."""
    found = {str(deck): _keeping(Baron(players=4, deck=recoloured(deck)), block)["first-last"] for deck in DECKS}
    return found | {"all": [bulls for deck in found.values() for bulls in deck]}


def recoloured(number: int) -> BaronDeck:
    """Our sample deck with the colours of its bulls drawn at random; Barons keep theirs."""
    rng, bulls = Rng.from_seed(16, number), dict[str, str]()
    for card in SAMPLE_DECK:
        letters = SAMPLE_DECK.letters(card)
        drawn = ""
        for _ in letters:
            at, rng = rng.below(len(LETTERS))
            drawn += LETTERS[at]
        bulls[str(card)] = letters if card in BARONS else drawn
    return BaronDeck.of(bulls, title=f"random colours {number}")


def _keeping(game: Baron, block: int) -> dict[str, list[float]]:
    found = defaultdict[str, list[float]](list)
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


# All of them ---------------------------------------------------------------------------------------------

#: Each study, with its number of blocks.
STUDIES: dict[str, tuple[int, Block]] = {
    **PLAIN_STUDIES,
    "buffalo_cards": (40, buffalo_cards),
    "baron_keeping": (60, baron_keeping),
    "baron_decks": (20, baron_decks),
    "board_fields": (20, board_fields),
    "small_player": (40, small_player),
    "strong_players": (40, strong_players),
}


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
