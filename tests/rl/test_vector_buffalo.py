"""Vectorised Beat the Buffalo equals the engine's game: the same decisions of players and team, with all special cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from nimmt_lab import Buffalo
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.buffalo.kernel import KINDS, NOBODY
from nimmt_lab.games.buffalo.parts import BuffaloRule, BuffaloTable, CardPushed, CardSwapped
from nimmt_lab.games.buffalo.uses import ChooseSwap, First, Last, Push, Sort, UseSpecials
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.native import NativeError, loader
from nimmt_lab.native.kernel import STEPS
from nimmt_lab.rl import vector
from nimmt_lab.rl.match import ILLEGAL_REWARD, Match
from nimmt_lab.rl.vector import VectorEnv
from tests.support import refused

from .in_step import follow

pytestmark = pytest.mark.native

PLAYED = [
    *(Buffalo(players=players) for players in range(1, 7)),
    Buffalo(players=2, tie="loss", edition="003"),
    Buffalo(players=4, between_turns=True, tie="loss"),
    Buffalo(players=5, edition="003"),
    Buffalo(players=6, edition="003", between_turns=True),
    Buffalo(players=1, hand_size=1, deck_size=6),
    Buffalo(players=3, hand_size=5, deck_size=40),
    Buffalo(players=6, hand_size=4, deck_size=32, between_turns=True),
]
#: Random teams win only short games.
SHORT = [
    Buffalo(players=1, hand_size=2),
    Buffalo(players=2, hand_size=2, deck_size=20, tie="loss"),
    Buffalo(players=3, hand_size=2, deck_size=14),
]
#: How a card got to its place, as in a line of the log.
HOW = {
    ClassicRule.SMALLEST_DIFFERENCE: 0,
    ClassicRule.FULL_ROW: 4,
    BuffaloRule.SEVEN_TAKES: 4,
    BuffaloRule.LOW_CARD: 8,
    BuffaloRule.BUFFALOS_LOW_CARD: 8,
    BuffaloRule.EMPTY_ROW: 16,
    BuffaloRule.INSERT: 32,
}
PUSHED, SWAPPED = 64, 128


def phase(decision: Decision) -> int:
    match decision:
        case ChooseSwap():
            return 5
        case UseSpecials():
            return 4
        case ChooseRow():
            return 1
    assert isinstance(decision, ChooseCard)
    return 0


def padded(listed: Sequence[int], size: int, nothing: int = 0) -> list[int]:
    return [*listed, *[nothing] * (size - len(listed))]


def check_question(env: VectorEnv, at: int, match: Match) -> None:
    """Every field matches the engine's state."""
    game, state, extra = env.game, match.state, BuffaloTable.of(match.state)
    seen = {name: part[at].tolist() for name, part in env.games.items()}
    players = game.players
    (asked, decision), *_ = state.pending.items()
    expected: dict[str, object] = {
        "turn": state.turn,
        "phase": phase(decision),
        "asked": NOBODY if phase(decision) == 0 else players if asked == TEAM else asked,
        "hands": [padded(hand, 10) for hand in state.hands],
        "rows": [padded(row, 8) for row in state.rows],
        "end": [row[-1] if row else 0 for row in state.rows],
        "count": [len(row) for row in state.rows],
        "sum": [game.heads_in(row) for row in state.rows],
        "taken": [game.heads_in(pile) for pile in state.piles],
        "sizes": [len(pile) for pile in state.piles],
        "pile": [int(card in state.piles[0]) for card in range(1, 105)],
        "queue": padded([play.card for play in state.queue], players + 1),
        "queue_seats": padded([play.seat for play in state.queue], players + 1, NOBODY),
        "n_queue": len(state.queue),
        "seven": sum(1 << row for row in extra.seven_takes),
        "stopped": sum(1 << row for row in extra.stopped),
        "empty": padded(extra.empty, 4, NOBODY),
        "n_empty": len(extra.empty),
        "up": padded([KINDS.index(kind) for kind in extra.up], 2, NOBODY),
        "n_up": len(extra.up),
        "n_deck": len(extra.special_deck),
        "used": [extra.used.count(kind) for kind in KINDS],
        "first_card": extra.first or 0,
        "last_card": extra.last or 0,
        "passed": int(extra.passed),
        "swapping": NOBODY if extra.swapping is None else extra.swapping,
    }
    played = [[0] * (players + 1) for _ in range(10)]
    for turn in state.history:
        for play in turn.plays:
            played[turn.number][play.seat] = play.card
    expected["played"] = played
    for name, value in expected.items():
        assert seen[name] == value, name
    assert set(seen) - set(expected) == {"seed", "log", "logged", "options", "counts"}
    for column, seat in enumerate(match.seats):
        first, count = seen["options"][column], seen["counts"][column]
        allowed = list(range(first[0], first[0] + count)) if seat == TEAM else first[:count]
        assert allowed == match.allowed(seat)


def lines(events: tuple[Event, ...]) -> list[list[int]]:
    """The lines of the log for these events."""
    found: list[list[int]] = []
    heads = 0
    for event in events:
        match event:
            case RowTaken(seat=seat) if seat == TEAM:  # by the card that was just inserted or pushed
                found[-1][4] = event.heads
            case RowTaken():
                heads = event.heads
            case CardPlaced():
                found.append([event.seat, event.card, event.row, HOW[event.rule], heads])
                heads = 0
            case CardPushed():
                found.append([NOBODY, event.card, event.row, PUSHED, 0])
            case CardSwapped():
                found.append([event.seat, event.card, NOBODY, SWAPPED, 0])
    return found


def check_log(env: VectorEnv, at: int, match: Match) -> None:
    if match.is_over:  # another game has started in its place
        return
    assert env.games["log"][at, : env.games["logged"][at]].tolist() == lines(match.events)


class Uses:
    """Choose every kind of use equally often, with occasional passes, and count them; random actions would mostly sort."""

    def __init__(self) -> None:
        self.rng = Rng.from_seed(5)
        self.met: Counter[str] = Counter()

    def __call__(self, env: VectorEnv, at: int, match: Match) -> None:
        decision = match.state.pending.get(TEAM)
        if not isinstance(decision, UseSpecials):
            self.met[type(next(iter(match.state.pending.values()))).__name__] += 1
            return
        parts, starts = decision.options.parts, [0]
        for part in parts:
            starts.append(starts[-1] + len(part))
        passes, self.rng = self.rng.below(3)
        which, self.rng = self.rng.below(len(parts))
        number, self.rng = self.rng.below(len(parts[which]))
        chosen = 0 if passes else starts[which] + number
        # Two special cards of a kind in one turn are rare: this is done wherever possible, and aimed at.
        for kind in (First, Last):
            listed = [
                (start + n, part[n])
                for part, start in zip(parts, starts, strict=False)
                for n in range(min(len(part), 99))
            ]
            both = BuffaloTable.of(match.state).up.count(kind.kind) == 2
            seconds = [n for n, use in listed if isinstance(use, kind) and use.second]
            wanted = seconds or [n for n, use in listed if both and isinstance(use, kind)]
            if wanted:
                chosen = wanted[number % len(wanted)]
        use = decision.options[chosen]
        self.met[type(use).__name__ + ("+" if isinstance(use, (First, Last)) and use.second else "")] += 1
        env.actions[at, -1] = env.actions_of.first_way + chosen


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", PLAYED, ids=repr)
def test_it_is_the_engines_game(game: Buffalo) -> None:
    env = VectorEnv(game, games=4, keep_final=True)
    assert env.seats == (*range(game.players), TEAM) and env.rewards.shape == (4, game.players + 1)
    ended, spoilt = follow(env, seed=40, steps=140, question=check_question, happened=check_log, other=Uses())
    assert ended >= 4 and not spoilt


@pytest.mark.exhaustive
def test_every_use_is_met() -> None:
    """And its consequences: rows that are emptied, and rows taken by Insert and Push."""
    env, uses = VectorEnv(Buffalo(players=6, between_turns=True), games=6, keep_final=True), Uses()

    def happened(env: VectorEnv, at: int, match: Match) -> None:
        check_log(env, at, match)
        for line in lines(match.events):
            uses.met[f"how {line[3]}{' takes' * bool(line[4])}"] += 1

    follow(env, seed=90, steps=450, question=check_question, happened=happened, other=uses)
    ways = {
        "Pass",
        "LiftStop",
        "SevenTakes",
        "Stop",
        "Swap",
        "Insert",
        "Push",
        "First",
        "Last",
        "Sort",
        "First+",
        "Last+",
    }
    asked = {"ChooseCard", "ChooseRow", "ChooseSwap"}
    how = {
        "how 0",
        "how 4 takes",
        "how 8 takes",
        "how 16",
        "how 32",
        "how 32 takes",
        "how 64",
        "how 64 takes",
        "how 128",
    }
    assert set(uses.met) == ways | asked | how


@pytest.mark.exhaustive
def test_every_number_is_the_use_that_the_engine_lists_there() -> None:
    """From positions of a game, play each of the team's actions in a copy, and compare with the engine."""
    game = Buffalo(players=4, between_turns=True)
    env, tried = VectorEnv(game, games=1, keep_final=True), Counter[type]()

    def question(env: VectorEnv, at: int, match: Match) -> None:
        decision = match.state.pending.get(TEAM)
        if not isinstance(decision, UseSpecials):
            return
        copies = VectorEnv(game, games=len(decision.options))
        copies.reset(seed=0)
        copies._games.put(0, env._games.get(0, env._games.size) * len(decision.options))
        copies.actions[:] = 0
        copies.actions[:, -1] = np.arange(len(decision.options)) + env.actions_of.first_way
        _, ends = copies.step()
        for number, option in enumerate(decision.options):
            other = Match(game)
            other.start(0)
            other.state, other.events = match.state.choose({TEAM: option})
            assert ends[number] == other.is_over
            if not other.is_over:
                check_question(copies, number, other)
                check_log(copies, number, other)
            tried[type(option)] += 1

    follow(env, seed=7, steps=300, question=question, happened=check_log, other=Uses())
    assert len(tried) == 10 and tried[Sort] >= 120 and tried[Push] > 50


@pytest.mark.parametrize(
    "game", [Buffalo(players=1), Buffalo(players=3, between_turns=True), Buffalo(players=6)], ids=repr
)
def test_who_does_what_is_not_allowed_ends_the_game(game: Buffalo) -> None:
    """Any seat, including the team's, with any number."""
    env, who = VectorEnv(game, games=8, keep_final=True), Counter[int]()

    def question(env: VectorEnv, at: int, match: Match) -> None:
        who.update(np.flatnonzero((env.rewards == ILLEGAL_REWARD).any(axis=0)).tolist())
        check_question(env, at, match)

    _, spoilt = follow(
        env, seed=3, steps=150, question=question, happened=check_log, other=Uses(), wrong=8 * (game.players + 1)
    )
    assert spoilt > 50 and set(who) == set(range(game.players + 1))


@pytest.mark.parametrize("wrong", [0, 1, 104, 108, -1, 2**15 - 1, -(2**15)])
def test_the_team_has_the_actions_it_has(wrong: int) -> None:
    """Below the first action or above the last only the team's own check helps; a player who acts for it ends the game,
    too."""
    env = VectorEnv("buffalo", games=1, players=4)

    def ended(seat: int, behind: int | None) -> list[float]:
        """What happens to a seat with that action, or with one so far after the team's first."""
        env.reset(seed=1)
        while env.games["phase"][0] != 4:
            env.step(env.sample())
        first, count = int(env.games["options"][0, 4, 0]), int(env.games["counts"][0, 4])
        assert first == env.actions_of.first_way == 109 and count > 1
        env.sample()
        env.actions[0, seat] = wrong if behind is None else first + behind * count
        rewards, ends = env.step()
        assert ends[0] == 2
        return [float(reward) for reward in rewards[0]]

    assert ended(4, None) == ended(4, 1) == [0, 0, 0, 0, ILLEGAL_REWARD]
    assert ended(2, 0) == [0, 0, ILLEGAL_REWARD, 0, 0]


def test_a_low_card_takes_no_stopped_row() -> None:
    """R-B3."""
    env = VectorEnv("buffalo", games=2000, players=5)
    env.reset(seed=4)
    while not (found := np.flatnonzero((env.games["phase"] == 1) & (env.games["stopped"] > 0))).size:
        env.step(env.sample())
    at = int(found[0])
    seat, stopped = int(env.games["asked"][at]), int(env.games["stopped"][at])
    rows = [env.actions_of.first_row + row for row in range(4)]
    allowed = env.games["options"][at, seat, : env.games["counts"][at, seat]].tolist()
    assert allowed == [action for row, action in enumerate(rows) if not stopped >> row & 1]
    env.sample()
    env.actions[at, seat] = next(action for action in rows if action not in allowed)
    rewards, ends = env.step()
    assert ends[at] == 2 and rewards[at, seat] == ILLEGAL_REWARD


def test_chance_does_all_that_is_allowed() -> None:
    env, done = VectorEnv("buffalo", games=3000, players=4), Counter[tuple[int, int, int]]()
    env.reset(seed=2)
    for _ in range(25):
        env.sample()
        for seat in range(5):
            counts, options = env.games["counts"][:, seat], env.games["options"][:, seat]
            first = options[:, 0] if seat == 4 else (options == env.actions[:, [seat]]).argmax(axis=1)
            chosen = env.actions[:, seat] - first if seat == 4 else first
            done.update((seat // 4, int(count), int(at)) for count, at in zip(counts, chosen, strict=True))
        env.step()
    for team in (0, 1):
        sizes = Counter({count: 0 for which, count, _ in done if which == team})
        for (which, count, _), times in done.items():
            sizes[count] += times * (which == team)
        for count, times in sizes.items():
            if times > 40 * count:  # by then each of them has come up
                assert {at for which, size, at in done if (which, size) == (team, count)} == set(range(count))
    assert len(done) > 200


@pytest.mark.parametrize("game", SHORT, ids=repr)
def test_a_team_wins_together(game: Buffalo) -> None:
    env, seen = VectorEnv(game, games=20, rewards="win", keep_final=True), Counter[float]()

    def question(env: VectorEnv, at: int, match: Match) -> None:
        assert len(set(env.rewards[at].tolist())) == 1
        seen.update(env.rewards[at].tolist())

    ended, _ = follow(env, seed=5, steps=90, question=question, happened=check_log, other=Uses(), rewards="win")
    assert ended > 20 and set(seen) == {0.0, 1.0}


def test_face_down_cards_are_not_shown() -> None:
    """Neither the buffalo's cards nor its pile nor the face-down special cards; and no hand of the team."""
    env = VectorEnv("buffalo", games=2, players=3)
    assert not {"cards", "deck", "hand", "held", "rng"} & set(env.games)
    assert env.games["hands"].shape == (2, 3, 10) and env.games["options"].shape == (2, 4, 10)


def test_masks_are_made_when_they_are_asked_for() -> None:
    """Six players have 5,280 actions, most of them orders: a game has a few hundred bytes, its masks many thousand."""
    env = VectorEnv("buffalo", games=50_000, players=6)
    env.reset(seed=1)
    assert env._core.record.size < 600 and not env._arrays and env.actions_of.count == 5280
    env.step(env.sample())
    with refused(
        Unsupported, "rl.array_games_bytes", what="masks", count=60000, room=2217600000, most_bytes=2147483647
    ):
        many = VectorEnv("buffalo", games=60_000, players=6)
        many.reset()
        many.masks()


def test_what_cannot_be_is_refused() -> None:
    class Other(Buffalo):
        pass

    with refused(Unsupported, "engine.no_face", name="buffalo", face_name=STEPS.name, face="kernel"):
        VectorEnv(Other(players=2), games=1)
    env = VectorEnv("buffalo", games=2, players=2)
    env._dealt = True  # as if dealt: the core checks for itself
    for call in (env.step, env.sample, env.masks):
        with pytest.raises(NativeError):  # nothing was dealt
            call()
    env.reset(seed=1)
    env.step(env.sample())
    env._games.put(8 + 8, bytes([105]))  # a card that doesn't exist
    with pytest.raises(NativeError, match=f": {loader.ERRORS[-2]}$"):
        env.step(env.sample())


def test_every_field_is_told() -> None:
    told = set(re.findall(r"`(\w+)`", str(vector.__doc__))) | {"seed"}
    assert set(VectorEnv("buffalo", games=1, players=2).games) <= told
