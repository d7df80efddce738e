"""Bounds of games: no game exceeds them, from a deal or from any of its positions, and some games reach them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, GameState
from nimmt_lab.engine.decisions import Choice, PickCard
from nimmt_lab.engine.encode import ENCODING, Bounds
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.board_game.material import TAKE_TILES, TWO, Board, sample_board
from nimmt_lab.rl.match import acting_seats
from tests.support import SHOWN, play

SMALL: dict[str, Game] = {
    "a hand of three": Classic(players=3, hand_size=3, rounds=2),
    "a low limit": Classic(players=2, limit=5),
    "a maximum of rounds": Classic(players=5, most_rounds=2),
    "edition 002": Classic(players=3, edition="002", limit=20),
    "three rows of two": Classic(players=2, rounds=1, rows=3, row_limit=2, fan_cards=("jumping_cow",)),
    "a short draft": Advanced(players=3, hand_size=2, rounds=3),
    "buffalo alone": Buffalo(players=1),
    "buffalo for two": Buffalo(players=2),
    "buffalo for six": Buffalo(players=6, between_turns=True),
    "baron for ten": Baron(players=10),
    "baron, good, short": Baron(players=2, variant="bulls_are_good", draw_pile=5, games=2),
    "board game for two": BoardGame(players=2, luck=True),
}


def bounds(game: Game, start: GameState | None = None) -> Bounds:
    return ENCODING.of(game).bounds(game, start)


def random_states(game: Game, seed: int) -> list[GameState]:
    """All states of a random game."""
    states, rng = [game.deal(seed)], Rng.from_seed(seed, stream=1)
    while states[-1].pending:
        made, rng = random_choices(states[-1], rng)
        states.append(play(states[-1], made))
    return states


def check(limits: Bounds, states: list[GameState]) -> None:
    game, start, end = states[0].game, states[0], states[-1]
    standing = ENCODING.of(game).standing
    gained = [standing(end, seat) - standing(start, seat) for seat in acting_seats(game)]
    assert limits.gain[0] <= min(gained) and max(gained) <= limits.gain[1]
    assert limits.sum[0] <= sum(gained) <= limits.sum[1]
    assert limits.decisions is None or len(states) - 1 <= limits.decisions


@pytest.mark.parametrize("label", [*SHOWN, *SMALL])
def test_no_game_exceeds_its_bounds(label: str) -> None:
    game = (SHOWN | SMALL)[label]
    for seed in range(3):
        states = random_states(game, seed)
        check(bounds(game), states)
        for at in range(0, len(states) - 1, 7):
            # The totals of a table from notation are the same, and so is everything else that bounds need.
            try:
                start = game.from_position(str(states[at].position))
            except NimmtError:
                start = states[at]
            check(bounds(game, start), states[at:])


def all_ends(state: GameState, depth: int = 0) -> Iterator[tuple[int, GameState]]:
    """Every end of a game from here, with the number of decisions."""
    if not state.pending:
        yield depth, state
        return
    for options in product(*(decision.options for decision in state.pending.values())):
        yield from all_ends(play(state, dict(zip(state.pending, options, strict=True))), depth + 1)


#: Ascending cards, and rows with higher ends: A plays a low card in every turn.
LONGEST = "91 | 92 | 93 | 94 ; A: 1 2 3 4 5 6 7 8 9 10 ; B: 95 96 97 98 99 100 101 102 103 104"


def test_the_longest_round_is_reached() -> None:
    game = Classic(players=2, rounds=1)
    state, decisions = game.from_position(LONGEST), 0
    assert bounds(game).decisions == bounds(game, state).decisions == 20
    while state.pending:
        low = {seat: decision.options[-1 if seat == 0 else 0] for seat, decision in state.pending.items()}
        state, decisions = play(state, low), decisions + 1
    assert decisions == 20


def test_the_longest_round_of_advanced_mode_is_reached() -> None:
    """A drafts 1 to 10 and B 11 to 20; then A always plays its highest card, which is low."""
    game = Advanced(players=2, rounds=1)
    state, decisions = game.deal(0), 0
    while state.pending:
        made: dict[int, Choice] = {}
        for seat, decision in state.pending.items():
            options = decision.options
            if isinstance(decision, PickCard):
                made[seat] = next(card for card in decision.options if (card > 10) == (seat == 1))
            else:
                made[seat] = options[-1] if seat == 0 else options[0]
        state, decisions = play(state, made), decisions + 1
    assert decisions == bounds(game).decisions == 40


@pytest.mark.parametrize(
    "game",
    [
        Classic(players=2, rounds=1, hand_size=1, deck_size=6, rows=2, row_limit=2),
        Classic(players=2, rounds=1, hand_size=2, deck_size=6, rows=2, row_limit=2),
    ],
)
def test_small_classic_tables_reach_their_bounds(game: Classic) -> None:
    """Every deal and every way to play it."""
    limits, standing = bounds(game), ENCODING.of(game).standing
    ends: set[tuple[int, int, int]] = set()
    for rows in combinations(game.deck, game.rows):
        left = [card for card in game.deck if card not in rows]
        for first in combinations(left, game.hand_size):
            for second in combinations([card for card in left if card not in first], game.hand_size):
                hands = [" ".join(map(str, cards)) for cards in (first, second)]
                table = " | ".join(map(str, rows))
                start = game.from_position(f"{table} ; A: {hands[0]} ; B: {hands[1]}")
                ends |= {(depth, standing(end, 0), standing(end, 1)) for depth, end in all_ends(start)}
    gains = [gain for _, *both in ends for gain in both]
    assert (min(gains), max(gains)) == limits.gain
    assert min(a + b for _, a, b in ends) == limits.sum[0]
    assert max(a - b for _, a, b in ends) == -limits.gain[0]  # a margin: one seat takes everything, the other nothing
    assert max(depth for depth, *_ in ends) == limits.decisions


@pytest.mark.parametrize(
    ("game", "seed", "reached"),
    [
        (Classic(players=4, rounds=1), 5, "most"),
        (Advanced(players=2, rounds=1), 12, "most"),
        (Baron(players=10), 1, "most"),
        (Baron(players=2), 6, "length"),
        (BoardGame(players=2), 1, "least"),
    ],
)
def test_random_games_reach_a_bound(game: Game, seed: int, reached: str) -> None:
    states, limits = random_states(game, seed), bounds(game)
    gained = [ENCODING.of(game).standing(states[-1], seat) for seat in acting_seats(game)]
    here = {"most": max(gained), "least": min(gained), "length": len(states) - 1}[reached]
    assert here == {"most": limits.gain[1], "least": limits.gain[0], "length": limits.decisions}[reached]


@pytest.mark.parametrize(
    ("position", "length", "heads"),
    [
        # A seat takes at most one row, of five cards: at worst 55, the three tens and 15.
        ("12 13 14 15 16 | 55 | 60 | 70 ; A: 17 ; B: 80", 2, 7 + 3 * 3 + 2),
        ("11 | 22 | 33 | 44 ; A: 5 10 ; B: 66 99", 4, 4 * 5),
    ],
)
def test_bounds_of_positions(position: str, length: int, heads: int) -> None:
    game = Classic(players=2, rounds=1)
    start = game.from_position(position)
    limits = bounds(game, start)
    ends = list(all_ends(start))
    standing = ENCODING.of(game).standing
    assert limits.decisions == length >= max(depth for depth, _ in ends)
    worst = min(standing(end, seat) for _, end in ends for seat in range(2))
    assert limits.gain == (-heads, 0) and -heads <= worst < 0


def test_every_end_of_small_games_is_within_bounds_and_some_reach_the_length() -> None:
    game = Classic(players=2, rounds=1, hand_size=2, deck_size=8, rows=2, row_limit=2)
    longest = 0
    for seed in range(40):
        for depth, end in all_ends(game.deal(seed)):
            longest = max(longest, depth)
            check(Bounds(bounds(game).gain, bounds(game).sum, None), [game.deal(seed), end])
    assert longest == bounds(game).decisions == 4


def test_a_loss_at_the_track_and_turns_of_the_board_game_are_exact() -> None:
    sample = sample_board("basic")
    rows = tuple(tuple("." if field == TWO else field for field in row) for row in sample.rows)
    game = BoardGame(players=2, board=Board("one tile at a time", "basic", rows))
    assert bounds(game) == bounds(BoardGame(players=2)) == Bounds((-44, 44), (-88, 88), 24)
    assert len(random_states(game, 1)) - 1 == 24
    start = game.from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2 ; totals: 10 -40")
    assert bounds(game, start).gain == (-54, 84)


def test_games_without_end_say_so() -> None:
    assert bounds(Classic(players=2, hand_size=2)).decisions is None  # nobody needs to take a row
    assert bounds(Classic(players=2, hand_size=2, most_rounds=3)).decisions == 12
    assert bounds(BoardGame(players=2, mode="advanced")).decisions is None
    sample = sample_board("advanced")
    rows = tuple(tuple("take" if field == TAKE_TILES else field for field in row) for row in sample.rows)
    ending = BoardGame(players=3, mode="advanced", luck=True, board=Board("no tiles come back", "advanced", rows))
    assert bounds(ending).decisions is not None
    for seed in range(3):
        check(bounds(ending), random_states(ending, seed))


@pytest.mark.parametrize("players", [2, 3, 5, 8, 10])
def test_a_game_to_66_has_as_many_rounds_as_the_surplus_allows(players: int) -> None:
    """20 places for 10n + 4 cards: at least 10n - 16 heads are taken in a round, and nobody has 66 before the last one."""
    rounds = 65 * players // (10 * players - 16) + 1
    assert bounds(Classic(players=players)).decisions == 20 * rounds
