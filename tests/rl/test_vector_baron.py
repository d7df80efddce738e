"""Vectorised Bull Baron equals the engine's game: every variant, field by field and placement by placement."""

from __future__ import annotations

from array import array

import numpy as np
import pytest

from nimmt_lab import Baron
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.events import CardPlaced, Event, RoundEnded, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.rule import Rule
from nimmt_lab.games.baron.deck import COLOURS, LETTERS, BaronDeck
from nimmt_lab.games.baron.kernel import PARTS
from nimmt_lab.games.baron.rules import VARIANTS, BaronRule, CardTucked, DrawPiles
from nimmt_lab.native import NativeError, core
from nimmt_lab.native.kernel import STEPS
from nimmt_lab.rl import vector
from nimmt_lab.rl.match import ILLEGAL_REWARD, Match, Rewards
from nimmt_lab.rl.observe import Observer
from nimmt_lab.rl.vector import VectorEnv
from tests.support import refused

from .in_step import ends_alone, follow

pytestmark = pytest.mark.native

#: The effects of a placement, as in `log`.
HOW: dict[Rule, int] = {
    BaronRule.COLOUR: 0,
    BaronRule.SIXTH_CARD: 1,
    BaronRule.SIX_OF_A_COLOUR: 2,
    BaronRule.NO_COLOUR: 3,
}
#: Few colours and many bulls, so that colours fill up and cards fit nowhere; one deck with far too many bulls; and one
#: with
#: one bull per card, whose rows grow long where a sixth card takes nothing.
NARROW = BaronDeck.of({str(n): LETTERS[n % 6] * (1 + n % 5) for n in range(1, 111)}, title="narrow")
CROWDED = BaronDeck.of({str(n): LETTERS[n % 6] * (1 + 90 * (n % 7 == 0)) for n in range(1, 111)}, title="crowded")
LONG = BaronDeck.of({str(n): LETTERS[n % 6] for n in range(1, 111)}, title="long", other="b")
PLAYED: dict[str, Baron] = {
    **{f"{variant} {n}": Baron(players=n, variant=variant) for variant in VARIANTS for n in (2, 3, 4, 7, 10)},
    **{
        f"{variant} narrow": Baron(players=3, variant=variant, deck=NARROW, draw_pile=9, games=3)
        for variant in VARIANTS
    },
    **{
        f"{variant} crowded": Baron(players=2, variant=variant, deck=CROWDED, draw_pile=6, games=2)
        for variant in VARIANTS
    },
    **{f"{variant} long": Baron(players=5, variant=variant, deck=LONG, draw_pile=7, games=2) for variant in VARIANTS},
    **{f"{variant} all cards": Baron(players=2, variant=variant, draw_pile=52) for variant in VARIANTS},
    **{f"{variant} one card": Baron(players=2, variant=variant, draw_pile=1, games=4) for variant in VARIANTS},
    "standard three cards": Baron(players=6, draw_pile=3, games=2),
}


def question(env: VectorEnv, at: int, match: Match) -> None:
    """The record of a game contains the engine's state."""
    state, game = match.state, env.game
    assert isinstance(game, Baron)
    seen = {name: part[at] for name, part in env.games.items()}
    n, piles = game.players, DrawPiles.of(state).piles
    for seat in range(n):
        cards = state.hands[seat]
        assert tuple(seen["hands"][seat]) == cards + (0,) * (4 - len(cards))
        assert (seen["held"][seat], seen["draw"][seat]) == (len(cards), len(piles[seat]))
        assert list(seen["options"][seat][: seen["counts"][seat]]) == match.allowed(seat)
    for row, cards in enumerate(state.rows):
        assert tuple(seen["rows"][row]) == cards + (0,) * (30 - len(cards))
        assert (seen["end"][row], seen["count"][row], seen["sum"][row]) == (cards[-1], len(cards), game.heads_in(cards))
        for bit, colour in enumerate(COLOURS):
            assert min(6, seen["colours"][row][bit]) == min(6, sum(game.deck.bulls_of(card, colour) for card in cards))
    assert tuple(seen["totals"]) == state.totals
    assert [game.heads_in(pile) for pile in state.piles] == list(seen["taken"])
    assert (seen["round"], seen["turn"]) == (state.round, state.turn)
    decision = next(iter(state.pending.values()), None)
    if isinstance(decision, ChooseRow):
        assert seen["phase"] == 1 and [int(seen["asked"])] == list(state.pending)
        assert seen["queue"][seen["placed"]] == decision.card
    else:
        assert (seen["phase"], seen["asked"], seen["queued"]) == (0 if decision else 3, 255, 0)
    left = slice(int(seen["placed"]), int(seen["queued"]))
    waiting = list(zip(seen["queue_seats"][left].tolist(), seen["queue"][left].tolist(), strict=True))
    assert waiting == [(play.seat, play.card) for play in state.queue]
    view = state.view(0)
    last = {
        play.card: (play.seat + 1, turn.number)
        for turn in view.history
        for play in turn.plays
        if turn.round == state.round
    }
    lies = {card: 1 + row for row, cards in enumerate(state.rows) for card in cards}
    lies |= {card: 6 + seat for seat, cards in enumerate(state.piles) for card in cards}
    lies |= {play.card: 26 for play in state.queue}
    for card in range(111):
        assert (seen["played_by"][card], seen["played_at"][card]) == last.get(card, (0, 0))
        # A played card that is nowhere else is under its player's draw pile (and may be in hand again).
        assert seen["lies"][card] == lies.get(card, 15 + last[card][0] if card in last else 0)


def lines(events: tuple[Event, ...]) -> list[list[int]]:
    found, taken = [], 0
    for event in events:
        if isinstance(event, RowTaken):
            taken = event.heads
        elif isinstance(event, CardPlaced):
            found.append([event.seat, event.card, event.row, HOW[event.rule], taken])
            taken = 0
        elif isinstance(event, CardTucked):
            found.append([event.seat, event.card, -1, 4, 0])
    return found


def happened(env: VectorEnv, at: int, match: Match) -> None:
    assert env.games["log"][at, : env.games["logged"][at]].tolist() == lines(match.events)


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", PLAYED)
def test_it_is_the_engines_game(label: str) -> None:
    game = PLAYED[label]
    env = VectorEnv(game, games=3, keep_final=True)
    # Later choices included: a game has about two decisions per turn.
    ended, _ = follow(env, seed=60, steps=60 + 4 * game.pile_size * game.games, question=question, happened=happened)
    assert ended


@pytest.mark.exhaustive
@pytest.mark.parametrize("rewards", ["heads", "win"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_not_allowed_ends_a_game_as_the_engine_has_it(variant: str, rewards: Rewards) -> None:
    env = VectorEnv(Baron(players=3, variant=variant, draw_pile=6, games=2), games=12, rewards=rewards, keep_final=True)
    ended, spoilt = follow(env, seed=5, steps=150, question=question, happened=happened, rewards=rewards, wrong=60)
    assert ended > 5 and spoilt > 20


@pytest.mark.exhaustive
def test_all_that_can_happen_was_met() -> None:
    met: dict[str, set[int]] = {variant: set() for variant in VARIANTS}
    longest = dict.fromkeys(VARIANTS, 0)
    for game in PLAYED.values():
        env = VectorEnv(game, games=200)
        env.reset(seed=1)
        for _ in range(80):
            env.step(env.sample())
            log, logged = env.games["log"], env.games["logged"]
            met[game.variant].update(np.unique(log[np.arange(log.shape[1]) < logged[:, None]][:, 3]).tolist())
            longest[game.variant] = max(longest[game.variant], int(env.games["count"].max()))
    assert met == {"standard": {0, 1, 2, 3}, "colour_counts": {0, 2, 3}, "bulls_are_good": {0, 1, 2, 4}}
    assert longest["standard"] == longest["bulls_are_good"] == 5 and longest["colour_counts"] > 10


@pytest.mark.parametrize("wrong", [0, 111, 115, 116, 300, -1, -32768, 32767])
def test_an_action_that_is_not_allowed_ends_its_game_alone(wrong: int) -> None:
    ends_alone(VectorEnv("baron", games=3, players=3), wrong)


def test_a_row_that_does_not_fit_is_not_allowed() -> None:
    env = VectorEnv("baron", games=100, players=2)
    env.reset(seed=1)
    while not ((env.games["phase"] == 1) & (env.games["counts"].max(axis=1) < 5)).any():
        env.step(env.sample())
    at = int(np.flatnonzero((env.games["phase"] == 1) & (env.games["counts"].max(axis=1) < 5))[0])
    seat = int(env.games["asked"][at])
    missing = next(row for row in range(111, 116) if row not in env.games["options"][at, seat])
    env.sample()
    env.actions[at, seat] = missing
    rewards, ends = env.step()
    assert ends[at] == 2 and rewards[at, seat] == ILLEGAL_REWARD


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", VARIANTS)
def test_wins_are_shared_at_the_end(variant: str) -> None:
    game = Baron(players=2, variant=variant, draw_pile=2, deck=NARROW)
    env = VectorEnv(game, games=60, rewards="win", keep_final=True)
    ended, _ = follow(env, seed=3, steps=20, question=question, happened=happened, rewards="win")
    assert ended > 60
    seen = set()
    for _ in range(20):
        waiting = env.games["phase"] == 3
        rewards, ends = env.step(env.sample())
        assert not rewards[ends == 0].any() and (rewards[(ends == 1) & ~waiting].sum(axis=1) == 1).all()
        seen.update(rewards[ends == 1].ravel().tolist())
    assert seen == {0.0, 0.5, 1.0}


@pytest.mark.exhaustive
def test_a_deal_in_which_nothing_fits_is_over_when_everybody_has_waited() -> None:
    """R-O5: the engine has no decision there, and no step could get a reward."""
    game = Baron(players=2, variant="bulls_are_good", draw_pile=1, deck=LONG)
    stuck, dealt = next((seed, first) for seed in range(300) if game.deal(first := Rng.from_seed(seed).state).is_over)
    for rewards in ("heads", "win"):
        env = VectorEnv(game, games=2, rewards=rewards)
        env.reset(seed=stuck)
        assert env.games["phase"][0] == 3 and not env.sample()[0].any() and env.masks()[0].sum() == 2
        assert tuple(env.games["totals"][0]) == game.deal(dealt).totals
        got, ends = env.step()
        assert ends[0] == 1 and not got[0].any() and env.games["seed"][0] == Rng.from_seed(stuck, 2).state
        env.reset(seed=stuck)
        env.sample()
        env.actions[0, 1] = 1
        got, ends = env.step()
        assert ends[0] == 2 and got[0].tolist() == [0, ILLEGAL_REWARD]
    # Rounds of a longer game can also be over at once, and count in the step before.
    several = Baron(players=2, variant="bulls_are_good", draw_pile=1, deck=LONG, games=4)
    env = VectorEnv(several, games=40, keep_final=True)
    follow(env, seed=1, steps=30, question=question, happened=happened)
    match, skipped = Match(several), 0
    for seed in range(40):
        match.start(seed)
        while not match.is_over:
            match.step({seat: match.allowed(seat)[0] for seat in match.asked})
            skipped += sum(isinstance(event, RoundEnded) for event in match.events) > 1
    assert skipped


def observed(env: VectorEnv, at: int, seat: int) -> array[float]:
    """`rl.observe`, computed only from the fields that the table in `nimmt_lab.rl.vector` allows a seat to see."""
    game, observer = env.game, Observer(env.game)
    own = ("hands", "options", "counts")
    seen = {name: part[at][seat] if name in own else part[at] for name, part in env.games.items() if name != "seed"}
    n, cards = game.players, np.arange(1, 111)
    found = np.zeros(observer.size, np.float32)

    def step(other: int) -> int:
        return (other - seat) % n

    def plane(name: str, at: int = 0) -> slice:
        return observer.layout[name if not at else f"{name} +{at}"]

    found[plane("hand")][seen["hands"][seen["hands"] > 0] - 1] = 1
    for row in range(5):
        for slot, card in enumerate(seen["rows"][row][: seen["count"][row]], start=1):
            found[plane(f"row {row + 1}")][card - 1] = slot / 5
    for place, which in enumerate(range(int(seen["placed"]), int(seen["queued"])), start=1):
        found[plane("next", step(int(seen["queue_seats"][which])))][seen["queue"][which] - 1] = place / 16
    lies, by = seen["lies"][1:], seen["played_by"][1:]
    for other in range(n):
        found[plane(f"pile {step(other) + 1}")][lies == 6 + other] = 1
        mine = by == other + 1
        found[plane("played", step(other))][mine] = (seen["played_at"][1:][mine] + 1) / np.float64(game.turns)
    found[plane("unseen")] = ((lies == 0) | (lies >= 16) & (lies < 26)) & ~np.isin(cards, seen["hands"])
    around = [(seat + one) % n for one in range(n)]
    asked = [seen["phase"] == 0 or (seen["phase"] == 1 and seen["asked"] == other) for other in around]
    found[plane("seats")] = [*(seen["held"][around] / 10), *asked, 0, *(other == seat for other in range(n))]
    found[plane("piles")] = [*(seen["taken"][around] / 100), *(seen["totals"][around] / 100)]
    mine_now = asked[0]
    found[plane("table")] = [
        seen["round"] / 10,
        seen["turn"] / game.turns,
        (
            110
            - int(seen["count"].sum() + seen["held"].sum() + seen["draw"].sum() + seen["queued"] - seen["placed"])
            - int(((lies >= 6) & (lies < 16)).sum())
        )
        / 110,
        seen["phase"] == 3,
        mine_now and seen["phase"] == 0,
        mine_now and seen["phase"] == 1,
        0,
    ]
    found[plane("beside")] = seen["draw"][around] / 24
    return array("f", found.tolist())


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_seat_may_look_at_makes_the_same_observation(variant: str) -> None:
    """The fields contain everything that a view shows; nothing hidden is needed."""

    def looks(env: VectorEnv, at: int, match: Match) -> None:
        for seat in match.seats:
            assert observed(env, at, seat) == match.observe(seat)

    env = VectorEnv(Baron(players=3, variant=variant, draw_pile=9, games=2, deck=NARROW), games=2, keep_final=True)
    follow(env, seed=8, steps=70, question=looks, happened=happened)


def test_draw_piles_are_not_shown_and_all_that_is_is_told() -> None:
    """The number of its cards is all that anybody may know."""
    assert {field for field, _ in PARTS.values()}.isdisjoint({"pile", "start", "rng"})
    told = vector.__doc__
    assert told is not None and [name for name in PARTS if f"`{name}`" not in told and name != "seed"] == []


def test_other_games_and_spoilt_memory_are_refused() -> None:
    class Other(Baron):
        pass

    found = core()
    assert found is not None
    with refused(Unsupported, "shared.core_cannot_play", game="Other(players=2)"):
        STEPS.of(Baron(players=2)).games(found, Other(players=2), wins=False)
    env = VectorEnv("baron", games=2, players=2)
    env._dealt = True  # as if dealt: the core checks for itself
    with pytest.raises(NativeError):  # nothing was dealt
        env.step()
