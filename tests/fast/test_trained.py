"""The learned way to play: its chances are exact, its numbers the same with and without numba, and it has learned."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Classic
from nimmt_lab.bots import TrainedBot
from nimmt_lab.bots.search import Playouts
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.fast import kernels as k
from nimmt_lab.fast import trained as t
from nimmt_lab.fast.learn import learn, main
from nimmt_lab.fast.playouts import TRAINED, deal_out
from nimmt_lab.fast.table import lay_table


def rows_asked(state: GameState) -> dict[int, ChooseRow]:
    return {seat: decision for seat, decision in state.pending.items() if isinstance(decision, ChooseRow)}


class Stacked:
    """A stream that brings certain cards to the top."""

    def __init__(self, top: list[int]) -> None:
        self.top = top

    def shuffled(self, cards: tuple[int, ...]) -> tuple[tuple[int, ...], Rng]:
        return (*self.top, *[card for card in cards if card not in self.top]), Rng.from_seed(1)


CARDS = st.sets(st.integers(1, 104))


@given(CARDS, st.integers(1, 104))
def test_lower_cards(cards: set[int], card: int) -> None:
    masks = t.mask_memory(2)
    for one in cards:
        t.add_card(masks, 2, one)
    assert t.lower_cards(masks, 2, card) == sum(one < card for one in cards)
    t.drop_card(masks, 2, card)
    assert t.lower_cards(masks, 2, 105) == len(cards - {card})
    assert not masks[0] and not masks[1]  # another seat's set


@pytest.mark.parametrize("others", [1, 3, 6])
def test_chances_are_counted_right(others: int) -> None:
    """Against every choice of the others' cards, played out: a row of `count`, and so many cards that fit before mine."""
    unseen = 9
    table = t.chances(others, unseen, 1)
    ways = list(combinations(range(unseen), others))
    for gap in range(unseen + 1):
        for count in range(6):
            due = 0
            for cards in ways:
                before = sum(card < gap for card in cards)
                length = count
                for _ in range(before):
                    length = 1 if length == 5 else length + 1
                due += before == 0 if count == 0 else length == 5
            assert table[t.PER_TURN + gap * 8 + count] == 4096 * due // len(ways)


def test_chances_of_later_turns_know_that_cards_were_seen() -> None:
    now, later = t.chances(3, 90, 10), t.chances(3, 87, 9)
    assert list(now[9 * t.PER_TURN : 10 * t.PER_TURN]) == list(later[9 * t.PER_TURN : 10 * t.PER_TURN])


def test_there_is_a_network_for_every_player_count() -> None:
    for players in range(2, 11):
        assert len(t.trained_weights(players)) == t.LINES * t.UNITS


PLAYOUTS = """
from nimmt_lab import Advanced, Classic
from nimmt_lab.bots.search import BestBot
from nimmt_lab.engine.rng import Rng
for game in (Classic(players=4), Classic(players=2, hand_size=4, deck_size=30), Advanced(players=3, hand_size=5)):
    state = game.deal(seed=3)
    while not state.rows:
        state, _ = state.choose({seat: decision.options[0] for seat, decision in state.pending.items()})
    view = state.view(0)
    for one in BestBot(12).estimates(view, view.decision, Rng.from_seed(5)):
        print(one)
"""


def test_the_same_playouts_without_numba() -> None:
    plain = "import sys; sys.modules['numba'] = sys.modules['numpy'] = None\n" + PLAYOUTS
    results = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for code in (PLAYOUTS, plain)
    ]
    assert all(not result.returncode for result in results), results
    assert results[0].stdout == results[1].stdout
    assert len(results[0].stdout.splitlines()) > 4


def test_learning_learns_and_repeats_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "trained.json"
    main(["--players", "4", "--rounds", "200000", str(file)])
    heads = float(capsys.readouterr().out.split(":")[-1].split()[0])
    assert heads < 7  # random play takes 12.2, the least-risk rule of thumb about 8
    lines = json.loads(file.read_text(encoding="utf-8"))["players"]["4"]
    assert [number for line in lines for number in line] == learn(4, 200_000, 0.15, 1, report=False)
    assert len(lines) == t.LINES


def test_learning_is_for_two_to_ten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--players", "11", str(tmp_path / "x.json")])
    assert "from 2 to 10" in capsys.readouterr().err


def test_without_a_network_it_weighs_the_turn() -> None:
    """Two full rows and nothing unseen between: 19 takes nine heads for certain, 60 takes twenty, 38 nothing."""
    m, _ = k.memory(2)
    for row, (end, count, heads) in enumerate([(18, 5, 9), (37, 1, 1), (43, 2, 6), (59, 5, 20)]):
        m[row], m[k.COUNT + row], m[k.SUM + row] = end, count, heads
    hand = [19, 60, 38]
    m[k.DECK : k.DECK + 3] = hand
    masks, notes = t.mask_memory(1), k.zeros(t.NOTES)
    for card in (1, 2, 100, 101, 102, 103):
        t.add_card(masks, 0, card)
    nothing, sums = t.to_weights([0] * t.LINES * t.UNITS), t.to_weights([0] * t.UNITS)
    pick = t.choose_trained(m, k.DECK, k.DECK + 3, masks, 0, t.chances(1, 6, 3), nothing, notes, sums)
    assert hand[pick - k.DECK] == 38
    assert list(notes[t.NOW : t.NOW + 3]) == [9 * 1024, 20 * 1024, 0]


def test_an_unseen_card_between_makes_the_row_uncertain() -> None:
    m, _ = k.memory(2)
    for row, (end, count, heads) in enumerate([(18, 5, 9), (37, 1, 1), (43, 2, 6), (59, 4, 20)]):
        m[row], m[k.COUNT + row], m[k.SUM + row] = end, count, heads
    m[k.DECK : k.DECK + 3] = [22, 70, 5]
    masks, notes = t.mask_memory(1), k.zeros(t.NOTES)
    for card in (2, 20, 65, 100):
        t.add_card(masks, 0, card)
    t.note(m, k.DECK, k.DECK + 3, masks, 0, t.chances(1, 4, 3), notes)
    # 22: unless B plays 20. 70: only if B plays 65, which joins the row (13/8 heads). 5, low: unless B plays 2.
    assert list(notes[t.NOW : t.NOW + 3]) == [9 * 1024 * 3 // 4, (8 * 20 + 13) * 1024 >> 5, 1024 * 3 // 4]


def chosen_place(state: GameState, seat: int, hand: list[int]) -> int:
    """Which card of the hand is chosen. Cards that look the same to the network are equals: the first one is."""
    view, m, masks = state.view(seat), k.zeros(k.MEMORY), t.mask_memory(1)
    lay_table(m, view.rows, view.extra, 3)
    m[k.DECK : k.DECK + len(hand)] = hand
    for card in view.unseen:
        t.add_card(masks, 0, card)
    chance, sums = t.chances(2, len(view.unseen), len(hand)), t.to_weights([0] * t.UNITS)
    at = t.choose_trained(m, k.DECK, k.DECK + len(hand), masks, 0, chance, t.trained_weights(3), k.zeros(t.NOTES), sums)
    return int(at) - k.DECK


def test_the_bot_plays_as_it_learned_to() -> None:
    state = Classic(players=3, rounds=1).deal(seed=4)
    for seat in range(3):
        view = state.view(seat)
        assert TrainedBot().choose(view, Rng.from_seed(1)) == view.hand[chosen_place(state, seat, list(view.hand))]


@pytest.mark.parametrize("seat", [0, 2])
def test_playouts_are_what_the_engine_plays(seat: int) -> None:
    """One playout at a time: the hands it deals out, played by the engine, with my cards chosen one by one."""
    game = Classic(players=3, rounds=1)
    state = game.deal(seed=11)
    for _ in range(4):
        while any(isinstance(decision, ChooseRow) for decision in state.pending.values()):
            state, _ = state.choose({s: state.game.cheapest_row(state) for s in rows_asked(state)})
        state, _ = state.choose({s: decision.options[0] for s, decision in state.pending.items()})
    while rows_asked(state):
        state, _ = state.choose({s: state.game.cheapest_row(state) for s in rows_asked(state)})
    view = state.view(seat)
    turns, others = len(view.hand), [s for s in range(3) if s != seat]
    kinds = set()
    for number in range(40):
        playouts = Playouts(view, k.CLASSIC, Rng.from_seed(number), TRAINED)
        option = view.hand[number % turns]
        (estimate,) = playouts.run([option], 1)
        hands, rng = playouts.hands, k.memory(3)[1]
        k.start_stream(rng, playouts.key, 0)
        deal_out(3, turns, playouts.pool, 0, hands, rng)
        orders = {s: [int(c) for c in hands[turns * (i + 1) : turns * (i + 2)]] for i, s in enumerate(others)}
        now = guess(view, Stacked([card for s in others for card in orders[s]]))  # type: ignore[arg-type]
        assert all(set(now.hands[s]) == set(orders[s]) for s in others)
        mine = [option, *[int(card) for card in hands[:turns] if card != option]]
        for turn in range(turns):
            if turn > 0:
                pick = turn + chosen_place(now, seat, mine[turn:])
                mine[turn], mine[pick] = mine[pick], mine[turn]
            now, _ = now.choose({seat: mine[turn], **{s: orders[s][turn] for s in others}})
            while rows_asked(now):
                now, _ = now.choose({s: now.game.cheapest_row(now) for s in rows_asked(now)})
        assert now.is_over
        taken = now.totals[seat] - view.totals[seat] - game.heads_in(view.piles[seat])
        assert estimate.heads == taken
        kinds.add(taken)
    assert len(kinds) > 5
