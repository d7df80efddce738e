"""Check the hints before the reveal against every possible turn."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import LANGUAGES, Assessment, RowTrap, Trap, Verdict, assess, words
from nimmt_lab.games import NumberTwister
from nimmt_lab.games.classic.fan_card import fan_cards as registered
from nimmt_lab.games.classic.tell import INFLUENCES
from nimmt_lab.games.jumping_cow.tell import CowTrap
from nimmt_lab.games.number_twister.rules import Twist

from .oracle import all_turns, fates, few_before, play_of, random_position

KINDS = tuple(name for name, card in registered().items() if INFLUENCES.find(card))
MIXES = [(a, b) for a in KINDS for b in KINDS if a < b] + [KINDS]


def check(state: GameState, seat: int = 0) -> None:
    """Every claim about every card of a hand."""
    found = assess(state, seat)
    assert list(found) == list(state.pending[seat].options)
    assert assess(state.view(seat)) == found
    for option, said in found.items():
        check_verdict(state, seat, option, said)
        check_ways(state, seat, option, said)
        for lang in LANGUAGES:
            assert said.text(lang)


def check_verdict(state: GameState, seat: int, option: Choice, said: Assessment) -> None:
    possible = {took for plays in all_turns(state, seat) for took, _ in fates(state, seat, option, plays)}
    right = Verdict.RISK if len(possible) == 2 else Verdict.TAKES if True in possible else Verdict.SAFE
    assert said.proved
    assert said.verdict is right, f"{state!r}: {option}"
    assert bool(said.risks) == (True in possible) and (said.escape is not None) == (False in possible)


def check_ways(state: GameState, seat: int, option: Choice, said: Assessment) -> None:
    """The smallest sets of cards that make the card take, by trap, and those that save it."""
    mine = play_of(option, seat)
    ways: dict[tuple[bool, Trap | None], dict[int, set[int]]] = {}
    game = state.game
    for plays in few_before(state, seat, mine, game.places_in_row - 1):
        for fate in fates(state, seat, option, plays):
            ways.setdefault(fate, {}).setdefault(len(plays), set()).update(play.card for play in plays)
    takes = {trap: (min(by), tuple(sorted(by[min(by)]))) for (took, trap), by in ways.items() if took}
    if said.verdict is not Verdict.SAFE and takes:
        assert {way.trap: (way.needed, way.cards) for way in said.risks} == takes, f"{state!r}: {option}"
        assert not any(way.as_others for way in said.risks)
    escapes = [by for (took, _), by in ways.items() if not took]
    if said.escape is not None and escapes:
        fewest = min(min(by) for by in escapes)
        cards = {card for by in escapes for card in by.get(fewest, ())}
        assert (said.escape.needed, set(said.escape.cards)) == (fewest, cards), f"{state!r}: {option}"


@pytest.mark.exhaustive
@pytest.mark.parametrize("fan_cards", [(), *((kind,) for kind in KINDS)], ids=lambda kinds: "+".join(kinds) or "plain")
@pytest.mark.parametrize(("players", "deck", "number"), [(2, 24, 20), (3, 24, 12), (4, 24, 4)])
def test_against_every_turn(fan_cards: tuple[str, ...], players: int, deck: int, number: int) -> None:
    game = Classic(players=players, hand_size=2, deck_size=deck, fan_cards=fan_cards)
    rng = Rng.from_seed(5 * players + len(fan_cards))
    for _ in range(number):
        state, rng = random_position(game, 2, rng)
        check(state)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fan_cards", [(), *((kind,) for kind in KINDS)], ids=lambda kinds: "+".join(kinds) or "plain")
@pytest.mark.parametrize(("players", "deck", "low_rows"), [(3, 13, None), (4, 14, None), (4, 22, 13), (3, 26, 16)])
def test_tight_decks_and_low_rows(fan_cards: tuple[str, ...], players: int, deck: int, low_rows: int | None) -> None:
    """So few unseen cards that the others must play low ones; rows so low that most cards are above them."""
    game = Classic(players=players, hand_size=1, deck_size=deck, fan_cards=fan_cards)
    rng = Rng.from_seed(deck)
    for _ in range(20 if low_rows is None else 8):
        state, rng = random_position(game, 1, rng, low_rows)
        check(state)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fan_cards", [(), *((kind,) for kind in KINDS), KINDS], ids=lambda k: "+".join(k) or "plain")
@pytest.mark.parametrize(
    ("rows", "limit", "deck"), [(2, 2, 16), (3, 3, 22), (5, 2, 24), (6, 3, 30), (8, 2, 30), (2, 9, 32)]
)
def test_other_tables(fan_cards: tuple[str, ...], rows: int, limit: int, deck: int) -> None:
    game = replace(
        Classic(players=3, fan_cards=fan_cards, combine_fan_cards=True),
        rows=rows, row_limit=limit, hand_size=2, deck_size=deck,
    )  # fmt: skip
    rng = Rng.from_seed(rows)
    for _ in range(2):
        state, rng = random_position(game, 2, rng)
        check(state)


def test_a_single_row_of_one_card() -> None:
    found = assess(Classic(players=2, rows=1, row_limit=1, hand_size=2).from_position("50 ; A: 60 40 ; B: 1 2"), 0)
    assert {said.verdict for said in found.values()} == {Verdict.TAKES}


@pytest.mark.parametrize("fan_cards", MIXES, ids="+".join)
def test_mixed_fan_cards(fan_cards: tuple[str, ...]) -> None:
    game = Classic(players=3, hand_size=2, deck_size=22, fan_cards=fan_cards, combine_fan_cards=True)
    rng = Rng.from_seed(17)
    for _ in range(4):
        state, rng = random_position(game, 2, rng)
        check(state)


@pytest.mark.parametrize("fan_cards", [(), *((kind,) for kind in KINDS)], ids=lambda kinds: "+".join(kinds) or "plain")
def test_open_hands(fan_cards: tuple[str, ...]) -> None:
    game = Advanced(players=3, hand_size=6, fan_cards=fan_cards)
    rng = Rng.from_seed(3)
    for _ in range(10):
        state, rng = random_position(game, 2, rng)
        check(state)


@pytest.mark.exhaustive
@pytest.mark.parametrize("fan_cards", [(), ("even_odd",), ("mountain",), ("jumping_cow",)])
def test_more_opponents_than_few(fan_cards: tuple[str, ...]) -> None:
    game = Classic(players=6, hand_size=1, deck_size=22, fan_cards=fan_cards)
    rng = Rng.from_seed(9)
    for _ in range(4):
        state, rng = random_position(game, 1, rng)
        check_verdict(state, 0, *next(iter(assess(state, 0).items())))


@pytest.mark.slow
@pytest.mark.parametrize("fan_cards", [(), *((kind,) for kind in KINDS), *MIXES], ids=lambda kinds: "+".join(kinds))
def test_against_every_turn_at_length(fan_cards: tuple[str, ...]) -> None:
    rng = Rng.from_seed(1)
    for players, deck, number in ((2, 30, 300), (3, 26, 150), (4, 26, 40)):
        game = Classic(
            players=players, hand_size=2, deck_size=deck, fan_cards=fan_cards, combine_fan_cards=len(fan_cards) > 1
        )
        for _ in range(number):
            state, rng = random_position(game, 2, rng)
            check(state)


# The rulebooks' tips, and near misses --------------------------------------------------------------------------


def two(position: str, **options: Any) -> dict[Choice, Assessment]:
    return assess(Classic(players=2, **options).from_position(position), 0)


def test_tip_1_before_the_reveal() -> None:
    """Row 3 ends in 41 and has room, row 4 ends in 42 and is full: 45 takes row 4, unless 43 or 44 comes first."""
    said = two("1 | 20 | 40 41 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99")[45]
    assert (said.row_now, said.difference, said.full, said.tempting) == (3, 3, True, (0, 1, 2))
    assert (said.verdict, said.trap, said.needed, said.causes) == (Verdict.RISK, RowTrap.CLOSEST_ROW, 0, ())
    assert said.escape is not None and (said.escape.needed, said.escape.cards) == (1, (43, 44))
    assert two("1 | 20 | 40 41 | 35 36 37 38 42 ; A: 43 98 ; B: 50 99")[43].verdict is Verdict.TAKES


@pytest.mark.parametrize(
    "position",
    [
        "1 | 20 | 40 41 | 36 37 38 42 ; A: 45 98 ; B: 50 99",  # row 4 is not full
        "1 | 20 | 40 43 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99",  # the other row is closer
        "46 | 47 | 48 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99",  # no other row is lower
        "46 | 47 | 6 7 8 9 41 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99",  # the other row is full, too
    ],
)
def test_near_misses_of_tip_1(position: str) -> None:
    assert all(way.trap is not RowTrap.CLOSEST_ROW for way in two(position)[45].risks)


TIP_2 = "50 57 61 | 70 | 83 | 30 36 38 40 45 ; A: 62 99 ; B: 29 98"


def test_tip_2_before_the_reveal() -> None:
    said = two(TIP_2)[62]
    assert (said.row_now, said.full, said.verdict, said.trap) == (0, False, Verdict.RISK, RowTrap.VANISHED_ROW)
    # A card below 45, the lowest end, is low and may take row 1.
    assert (said.needed, said.causes) == (1, tuple(c for c in range(1, 45) if c not in (30, 36, 38, 40)))
    assert said.unseen == 104 - 10 - 2 and said.opponents == 1


@pytest.mark.parametrize(
    "position",
    [
        "50 57 61 | 70 | 83 | 36 38 40 45 ; A: 62 99 ; B: 29 98",  # row 4 is not full
        "50 57 61 | 70 | 52 54 | 30 36 38 40 45 ; A: 62 99 ; B: 29 98",  # a closer row has room
        "50 57 61 | 70 | 1 | 30 36 38 40 45 ; A: 62 99 ; B: 29 98",  # nothing is low
        "50 57 61 | 70 | 83 | 66 67 68 69 71 ; A: 62 99 ; B: 29 98",  # row 4 is higher
    ],
)
def test_near_misses_of_tip_2(position: str) -> None:
    said = two(position)[62]
    assert said.verdict is Verdict.SAFE and said.risks == ()


def test_filled_row() -> None:
    said = assess(Classic(players=3).from_position("1 | 20 | 90 | 37 38 42 ; A: 45 98 ; B: 50 99 ; C: 51 97"), 0)[45]
    assert (said.trap, said.needed, said.causes) == (RowTrap.FILLED_ROW, 2, (43, 44))
    assert two("1 | 20 | 90 | 37 38 42 ; A: 45 98 ; B: 50 99")[45].verdict is Verdict.SAFE


def test_even_odd_closes_the_closest_row() -> None:
    """The page's example: 90 is even, so row 4 (85, odd only) doesn't accept it, and row 2 is full."""
    position = "31 | 40 44 48 50 52 | 92 | 85 ; A: 90 99 ; B: 95 98 ; even_odd: 4 odd"
    said = two(position, fan_cards=("even_odd",))[90]
    assert (said.row_now, said.full, said.trap) == (1, True, RowTrap.CLOSEST_ROW)
    assert said.tempting == (0, 3)


def test_cow_that_makes_six() -> None:
    said = two("3 | 20 21 22 23 24 | 101 | 50 53 ; A: 4 77 ; B: 103 99 ; jumping_cow: 1", fan_cards=("jumping_cow",))[4]
    assert (said.row_now, said.full, said.verdict, said.trap) == (0, False, Verdict.RISK, CowTrap.COW_JUMP)


def test_own_twisted_cards_are_assessed_as_well() -> None:
    found = two("5 | 15 17 19 21 23 | 60 | 38 41 ; A: 24 7 ; B: 99 98", fan_cards=(NumberTwister(),))
    assert list(found) == [7, 24, Twist(24)]
    assert found[24].row_now == 1 and found[24].full
    assert found[Twist(24)].value == 42 and found[Twist(24)].row_now == 3


def test_a_twisted_card_moves_the_closer_row_away() -> None:
    """64 twisted counts as 46 and goes to row 3, which then ends in 64: 50 goes to row 4, and takes it."""
    position = "1 | 2 | 45 | 36 37 38 39 40 ; A: 10 50 ; B: 51 98 ; number_twister: B"
    said = two(position, fan_cards=("number_twister",))[50]
    assert (said.verdict, said.trap, said.needed) == (Verdict.RISK, RowTrap.CLOSED_ROW, 1)
    assert said.causes == () and said.risks[0].as_others == (64,)
    say = words("en")
    way = say("assess.twisted", others=64)
    assert said.text().endswith(say("assess.risk_of", trap=say("trap.closed_row"), way=way))
    nobody = two(position.replace("number_twister: B", "number_twister: -"), fan_cards=("number_twister",))
    assert nobody[50].verdict is Verdict.SAFE


def test_r_f2_a_single_digit_counts_where_it_may_be_twisted() -> None:
    """B's 2 twisted counts as 20 and takes row 3 away. Where single digits can't be twisted, 21 is safe."""
    position = "1 | 4 | 19 | 11 12 13 14 15 ; A: 21 22 ; B: 2 24 ; number_twister: B"
    for single_digits, verdict in ((True, Verdict.RISK), (False, Verdict.SAFE)):
        game = Advanced(players=2, fan_cards=(NumberTwister(single_digits=single_digits),))
        said = assess(game.from_position(position), 0)[21]
        assert said.verdict is verdict
        assert [risk.as_others for risk in said.risks] == ([(2,)] if single_digits else [])


def test_what_is_not_proved_is_not_called_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    position = "1 | 2 | 45 | 36 37 38 39 40 ; A: 10 41 ; B: 51 98 ; number_twister: B"
    monkeypatch.setattr(sys.modules["nimmt_lab.explain.assess"], "STEPS", 100)
    said = two(position, fan_cards=("number_twister",))[41]
    assert not said.proved and said.verdict is Verdict.RISK
    assert said.text().endswith(words("en")("assess.unproved"))


@pytest.mark.exhaustive
def test_a_full_deal_of_ten_players_is_proved() -> None:
    for fan_cards in ((), ("even_odd",), ("mountain",), ("jumping_cow",)):
        found = assess(Classic(players=10, fan_cards=fan_cards).deal(seed=2), 0)
        assert len(found) == 10 and all(said.proved for said in found.values())


# Words and errors ----------------------------------------------------------------------------------------


def test_text() -> None:
    said = two("1 | 20 | 40 41 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99")[45]
    other = two(TIP_2)[62]
    for lang in LANGUAGES:
        say = words(lang)
        way = say("assess.cards", needed=1, cards="43, 44", count=2, unseen=93)
        assert said.text(lang) == " ".join(
            (
                say("assess.tempted", row=4, end=42, difference=3, other=41),
                say("assess.as_it_stands"),
                say("assess.escape", way=way),
            )
        )
        way = say("assess.cards", needed=1, cards="1–29, 31–35, 37, 39, 41–44", count=40, unseen=92)
        assert other.text(lang) == " ".join(
            (
                say("assess.room", row=1, end=61, difference=1),
                say("assess.risk_of", trap=say("trap.vanished_row"), way=way),
            )
        )


def test_errors_say_what_is_wrong() -> None:
    state = Classic(players=2).deal(seed=1)
    with pytest.raises(RulesError, check=lambda error: error.key == "explain.say_whose_hand"):
        assess(state)
    with pytest.raises(PositionError, check=lambda error: error.key == "explain.hands_assessed_while"):
        assess(Advanced(players=2).deal(seed=1), 0)
    with pytest.raises(RulesError, check=lambda error: error.key == "shared.no_language"):
        words("de")
