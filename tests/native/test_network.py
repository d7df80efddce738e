"""The trained policy: its probabilities are exact, it uses the right features, and training helped."""

from __future__ import annotations

import json
import re
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import TrainedBot
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.classic import network as t
from nimmt_lab.games.classic.kernel import CLASSIC
from nimmt_lab.games.classic.network import TRAINED
from nimmt_lab.games.classic.search import Playouts, SkilledPlayouts
from nimmt_lab.native import core
from nimmt_lab.native.work import Workspace, card_set
from tools.train_policy import AGAINST, RUN_SIZE, TrainingRun, go_on, learn, main, teach


def rows_asked(state: GameState) -> dict[int, ChooseRow]:
    return {seat: decision for seat, decision in state.pending.items() if isinstance(decision, ChooseRow)}


class Stacked:
    """A stream that brings certain cards to the top."""

    def __init__(self, top: list[int]) -> None:
        self.top = top

    def shuffled(self, cards: tuple[int, ...]) -> tuple[tuple[int, ...], Rng]:
        return (*self.top, *[card for card in cards if card not in self.top]), Rng.from_seed(1)


@pytest.mark.parametrize("others", [1, 3, 6])
def test_chances_are_counted_right(others: int) -> None:
    """Compare with an enumeration of the others' cards: a row of `count`, and the number of cards that fit before mine."""
    unseen = 9
    table = array("i", t.chances(others, unseen, 1))
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
    assert now[36 * t.PER_TURN : 40 * t.PER_TURN] == later[36 * t.PER_TURN : 40 * t.PER_TURN]


@pytest.mark.exhaustive
def test_there_is_a_network_for_every_player_count() -> None:
    for players in range(2, 11):
        for against in AGAINST:
            assert len(t.weights(players, against)) == 4 * t.WEIGHTS
    assert t.weights(4) == t.weights(4, "itself") != t.weights(4, "random")


@pytest.mark.exhaustive
@pytest.mark.native
def test_learning_learns_and_repeats_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "trained.json"
    main(["--players", "4", "--rounds", "200000", "--against", "random", str(file)])
    heads = float(capsys.readouterr().out.split(":")[-1].split()[0])
    assert heads < 7  # random play takes 12.2, the least-risk rule of thumb about 8
    lines = json.loads(file.read_text(encoding="utf-8"))["players"]["4"]
    assert [number for line in lines for number in line] == learn(4, 200_000, 0.15, 1, "random")
    assert len(lines) == t.LINES


@pytest.mark.native
def test_training_can_be_split() -> None:
    """Training gives the same numbers when split into parts or run on several threads."""
    runs = [TrainingRun(players, 240, seed=3, block=20) for players in (2, 3)]
    whole = [go_on(run, run.blocks) for run in runs]
    assert all(run.is_over and run.heads is not None for run in whole)
    told: list[TrainingRun] = []
    with ThreadPoolExecutor(2) as pool:
        assert teach(runs, executor=pool, each=told.append, stage=5) == whole
    for run, ended in zip(runs, whole, strict=True):
        mine = [one for one in told if one.players == run.players]
        assert [one.done for one in mine] == [5, 10, 13] and mine[-1] == ended
        assert go_on(run.after(mine[0].to_bytes()), 99) == ended


@pytest.mark.native
def test_training_resumes_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.train_policy.BLOCK", 20)
    alone, file = tmp_path / "alone.json", tmp_path / "numbers.json"
    words = ["--players", "2,3", "--rounds", "420"]
    main([*words, str(alone)])

    class Stopping(ThreadPoolExecutor):
        asked = 0

        def submit(self, *args: Any, **options: Any) -> Any:
            self.asked += 1
            if self.asked > 3:
                raise KeyboardInterrupt
            return super().submit(*args, **options)

    with Stopping(1) as pool:
        main([*words, str(file)], pool)
    *_, stopped = capsys.readouterr().out.splitlines()
    assert stopped and not stopped[0].isdigit(), "after the lines of progress, which start with the number of players"
    assert not file.exists()
    assert list(tmp_path.glob("*.checkpoint"))
    with pytest.raises(ValueError, match=r"2\.checkpoint: .*rounds: 420, not 440"):
        main(["--players", "2", "--rounds", "440", str(file)])
    main([*words, str(file)])
    assert file.read_bytes() == alone.read_bytes() and not list(tmp_path.glob("*.checkpoint"))
    assert re.search(r"^3 .*\b420\b.*\b420\b.*\d", capsys.readouterr().out, re.MULTILINE)


def test_a_broken_lesson_is_refused() -> None:
    whole = replace(TrainingRun(2, 40, block=20), done=1, state=bytes(RUN_SIZE)).to_bytes()
    for broken in (whole[:-1], whole[:-1] + b"x", b"{}\n", whole.replace(b'"done": 1', b'"done": 9'), b""):
        with pytest.raises((DataError, ValueError)):
            TrainingRun(2, 40, block=20).after(broken)


def test_learning_is_for_two_to_ten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--players", "11", str(tmp_path / "x.json")])
    assert re.search(r"\b2\b.*\b10\b", capsys.readouterr().err)


def judged(rows: str, hand: list[int], unseen: list[int], players: int, weights: bytes) -> int:
    """The card played by a network with those weights."""
    found = core()
    assert found is not None
    work, memory = Workspace(found, "nl_classic"), found.memory(4 * (t.CHANCES + t.WEIGHTS))
    table = Classic(players=players).from_position(f"{rows} ; A: {hand[0]} ; B: 104", ordered=False)
    CLASSIC.lay(work, table.game, table.rows, table.extra)
    work.set("turns", len(hand))
    work.set("cards", hand)
    work.set("unseen", card_set(unseen))
    memory.put(0, t.chances(players - 1, len(unseen), len(hand)))
    memory.put(4 * t.CHANCES, weights)
    return hand[work.call("nl_classic_judge", memory)]


@pytest.mark.native
def test_among_equals_the_lowest_is_played() -> None:
    """The order of the hand doesn't matter: playouts, whose hands are in any order, must play like the bot."""
    for hand in ([21, 38, 60], [60, 21, 38], [38, 60, 21]):
        assert judged("12 | 37 | 43 | 58", hand, [], 2, bytes(4 * t.WEIGHTS)) == 21


@pytest.mark.native
def test_without_a_network_it_weighs_the_turn() -> None:
    """Two full rows and no unseen card between: 19 takes its row for certain, 60 another, 38 nothing."""
    nothing = bytes(4 * t.WEIGHTS)
    rows, unseen = "12 14 15 16 18 | 37 | 43 44 | 51 52 53 55 59", [1, 2, 100, 101, 102, 103]
    assert judged(rows, [19, 60, 38], unseen, 2, nothing) == 38
    assert judged(rows, [19, 60], unseen, 2, nothing) == 19  # six heads, not eleven
    # A card that may come between makes the take uncertain: with one chance in six 60 is spared.
    assert judged(rows, [60, 19], [1, 2, 17, 100, 101, 102], 2, nothing) == 19


@pytest.mark.native
def test_what_was_learned_matters() -> None:
    """Every feature of a card counts: a cost on cards left in the hand, in the last place."""
    rows, unseen = "12 | 37 | 43 | 59", [1, 2, 100, 101]
    assert judged(rows, [20, 38], unseen, 2, bytes(4 * t.WEIGHTS)) == 20
    weights = array("i", bytes(4 * t.WEIGHTS))
    # 38 would be the second card of the row of 37, with no unseen card between: its feature as a card held.
    line = ((2 * 6 + 1) * 12 + 0) * t.UNITS
    weights[line] = 5 * t.SCALE
    assert judged(rows, [20, 38], unseen, 2, weights.tobytes()) == 38


def chosen_place(state: GameState, seat: int, hand: list[int], against: str = "itself") -> int:
    """The card chosen from the hand. Cards that look the same to the network are equal: the first one is played."""
    view, found = state.view(seat), core()
    assert found is not None
    work = Workspace(found, "nl_classic")
    CLASSIC.lay(work, view.game, view.rows, view.extra)
    work.set("turns", len(hand))
    work.set("cards", hand)
    work.set("unseen", card_set(view.unseen))
    return work.call("nl_classic_judge", CLASSIC.network(work, 3, len(view.unseen), len(hand), against))


@pytest.mark.native
def test_the_bot_plays_as_it_learned_to() -> None:
    state = Classic(players=3, rounds=1).deal(seed=4)
    for seat in range(3):
        view = state.view(seat)
        assert TrainedBot().choose(view, Rng.from_seed(1)) == view.hand[chosen_place(state, seat, list(view.hand))]


@pytest.mark.native
@pytest.mark.parametrize("skilled", [False, True])
@pytest.mark.parametrize("seat", [0, 2])
def test_playouts_are_what_the_engine_plays(seat: int, skilled: bool) -> None:
    """One playout at a time: the engine plays the hands dealt in it, with my cards chosen one by one; if everybody
    plays by the network, with everybody's, each from its own unseen cards."""
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
        found = core()
        assert found is not None
        playouts = Playouts(view, found, CLASSIC, Rng.from_seed(number), TRAINED)
        if skilled:
            playouts = SkilledPlayouts(view, found, CLASSIC, Rng.from_seed(number))
            playouts.work.set("odds", [part for s in range(3) for part in (0, 0, 0, int(s != seat))])
            playouts.network = CLASSIC.network(playouts.work, 3, len(view.unseen), turns)
        against = "itself" if skilled else "random"
        option = view.hand[number % turns]
        (estimate,) = playouts.run([option], 1)
        # The arrangement left behind by this one playout is the one it played.
        hands = playouts.work.get("cards")
        orders = {s: [int(c) for c in hands[turns * (i + 1) : turns * (i + 2)]] for i, s in enumerate(others)}
        now = guess(view, Stacked([card for s in others for card in orders[s]]))  # type: ignore[arg-type]
        assert all(set(now.hands[s]) == set(orders[s]) for s in others)
        mine = [option, *[int(card) for card in hands[:turns] if card != option]]
        for turn in range(turns):
            if turn > 0:
                pick = turn + chosen_place(now, seat, mine[turn:], against)
                mine[turn], mine[pick] = mine[pick], mine[turn]
            for s in others if skilled else []:
                pick = turn + chosen_place(now, s, orders[s][turn:])
                orders[s][turn], orders[s][pick] = orders[s][pick], orders[s][turn]
            now, _ = now.choose({seat: mine[turn], **{s: orders[s][turn] for s in others}})
            while rows_asked(now):
                now, _ = now.choose({s: now.game.cheapest_row(now) for s in rows_asked(now)})
        assert now.is_over
        taken = now.totals[seat] - view.totals[seat] - game.heads_in(view.piles[seat])
        assert estimate.heads == taken
        kinds.add(taken)
    assert len(kinds) > 5


@pytest.mark.exhaustive
@pytest.mark.native
def test_learning_against_itself_is_not_learning_against_random_players() -> None:
    mild, hard = (learn(3, 50_000, 0.15, 1, against) for against in ("random", "itself"))
    assert mild != hard and len(mild) == len(hard) == t.WEIGHTS
