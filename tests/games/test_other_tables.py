"""Classic tables with other numbers of rows, cards in a row, cards in a hand and cards in the deck."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic, Record
from nimmt_lab.boards.film import film_of
from nimmt_lab.boards.picture import WIDTH
from nimmt_lab.conformance.runner import run_vector
from nimmt_lab.engine.encode import ENCODING
from nimmt_lab.engine.errors import PositionError, RulesError, Unsupported
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.explain import LANGUAGES, narrate, rule_name, rule_text, words
from nimmt_lab.games.advanced.rules import AdvancedRule
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.games.jumping_cow.rules import JumpingCowRule
from nimmt_lab.screens.rules import form, game_of
from nimmt_lab.solver import solve
from nimmt_lab.widgets import Replay
from tests.support import random_record, refused

FIVE = Classic(players=2, rows=5, row_limit=6)


def test_the_fifth_row_can_be_taken_by_a_low_card() -> None:
    state = FIVE.from_position("12 | 37 | 43 | 58 | 90 ; A: 3 20 ; B: 91 30")
    state, _ = state.choose({0: 3, 1: 91})
    assert state.pending[0].options == (0, 1, 2, 3, 4)
    state, _ = state.choose({0: 4})
    assert state.rows == ((12,), (37,), (43,), (58, 91), (3,)) and state.piles[0] == (90,)
    state, _ = state.play("A20 B30")
    assert state.is_past_round(0) and state.totals[0] == 3


def test_the_seventh_card_takes_where_six_fill_a_row() -> None:
    state = FIVE.from_position("1 2 3 4 5 | 37 | 43 | 58 | 90 ; A: 6 20 ; B: 7 30")
    step = Step.of(state, {0: 6, 1: 7})
    assert step.state.rows[0] == (7,) and step.state.piles == ((), (1, 2, 3, 4, 5, 6))
    say = words("en")
    placed = say("placed.only", card="7 (B)", row=1, end=6)
    taken = say("taken.one_too_many", number=7, who="B", heads=say.count("heads", 7))
    assert narrate(step)[2] == f"{placed} {taken}"


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"rows": 0}, {"what": "rows", "got": "0"}),
        ({"rows": 9}, {"what": "rows", "got": "9"}),
        ({"row_limit": 10}, {"what": "row_limit", "got": "10"}),
        ({"row_limit": True}, {"option": "row_limit", "got": "True"}),
        ({"rows": 6, "deck_size": 25}, {"rows": 6, "need": 26, "got": "25"}),
        ({"rows": 1, "fan_cards": ("mountain",)}, {"card": "mountain", "need_rows": 2, "rows": 1}),
        ({"row_limit": 1, "fan_cards": ("jumping_cow",)}, {"card": "jumping_cow", "need_limit": 2, "row_limit": 1}),
    ],
)
def test_unplayable_numbers_are_refused(options: dict[str, Any], fields: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as caught:
        Classic(players=2, **options)
    given = caught.value.fields
    assert {name: str(given[name]) for name in fields} == {name: str(value) for name, value in fields.items()}


def test_the_deck_of_advanced_mode_follows_the_rows() -> None:
    game = Advanced(players=2, rows=6, hand_size=3)
    assert game.deck == range(1, 13)
    with refused(RulesError, "classic.need_deck", players=6, hand_size=10, rows=8, need=68, got="60"):
        Classic(players=6, rows=8, deck_size=60)
    state = game.deal(seed=1)
    while not state.rows:
        state, _ = state.choose({seat: asked.options[0] for seat, asked in state.pending.items()})
    assert len(state.rows) == 6


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("1 | 2 | 3 | 4 ; A: 5 ; B: 6", Phrase("shared.card_rows", name="classic", rows=5, got=4)),
        (
            "1 2 3 4 5 6 7 | 20 | 30 | 40 | 50 ; A: 60 ; B: 61",
            Phrase("shared.row_full", row=1, count=7, row_limit=6),
        ),
    ],
    ids=str,
)
def test_positions_have_the_numbers_of_the_game(position: str, reason: Phrase) -> None:
    with refused(PositionError, reason):
        FIVE.from_position(position)


def test_markers_go_to_the_fifth_row() -> None:
    game = Classic(players=2, rows=5, row_limit=6, fan_cards=("mountain", "even_odd"), combine_fan_cards=True)
    text = "12 | 37 | 43 | 58 | 90 ; A: 3 20 ; B: 30 91 ; even_odd: 5 even ; mountain: 5 up"
    assert str(game.from_position(text).position) == text
    assert game.deal(seed=1).position.sections["mountain"] == "5 up"


def test_observations_show_markers_in_every_row() -> None:
    cards = ("even_odd", "mountain", "jumping_cow")
    game = Classic(players=2, rows=6, fan_cards=cards, combine_fan_cards=True)
    rows = "12 | 37 | 43 | 58 | 90 | 95"
    text = f"{rows} ; A: 3 20 ; B: 30 91 ; even_odd: 5 even ; mountain: 6 up ; jumping_cow: 5"
    beside = ENCODING.of(game).beside(game.from_position(text).view(0))
    fifth, sixth = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    assert list(beside) == [*fifth, 0.0, *sixth, 0.0, *fifth]


def test_rule_texts_say_the_numbers_of_the_game() -> None:
    cow = Classic(players=2, rows=5, row_limit=6, fan_cards=("jumping_cow",))
    for lang in LANGUAGES:
        say = words(lang)
        for rule in (ClassicRule.SETUP, ClassicRule.FULL_ROW, *JumpingCowRule):
            usual, other = rule_text(rule, say), rule_text(rule, say, cow)
            assert rule_text(rule, say, Classic(players=2)) == usual
            assert "{" not in other and (other != usual or rule is JumpingCowRule.SETUP)
        assert "6" in rule_text(ClassicRule.FULL_ROW, say, cow) and "7" in rule_text(ClassicRule.FULL_ROW, say, cow)
        assert "5" in rule_text(ClassicRule.SETUP, say, cow)
        assert rule_name(JumpingCowRule.MAKES_SIX, say, cow) != rule_name(JumpingCowRule.MAKES_SIX, say)
        assert "3" in rule_text(AdvancedRule.DRAFT, say, Advanced(players=2, hand_size=3))


def test_the_cow_in_a_full_row_is_told_without_the_number_six() -> None:
    game = Classic(players=2, rows=5, row_limit=3, fan_cards=("jumping_cow",))
    state = game.from_position("3 | 20 21 22 | 101 | 50 53 | 90 ; A: 5 77 ; B: 103 99 ; jumping_cow: 1")
    step = Step.of(state, {0: 5, 1: 103})
    assert step.state.rows[1] == (22,)
    say = words("en")
    assert say("taken.cow_other", row=2, who="A", heads=say.count("heads", 4)) in narrate(step)
    for lang in LANGUAGES:
        assert not any(
            "six" in sentence or "sześć" in sentence or "šest" in sentence for sentence in narrate(step, lang)
        )


@pytest.mark.parametrize("limit", [1, 6, 9])
def test_boards_and_still_pictures_have_every_row_and_place(limit: int) -> None:
    record = random_record(Classic(players=2, rows=7, row_limit=limit, rounds=1), seed=2)
    film = film_of(record)
    scene: Any = film.scene()
    for row in range(7):
        assert film.describe.row(record.final, row)["places"] == limit
    assert scene["frames"] and all(len(frame["rows"]) == 7 for frame in scene["frames"])
    picture = Replay(record, at=-1).to_svg()
    assert max(float(x) for x in re.findall(r'<(?:rect|text) x="([\d.]+)"', picture)) < WIDTH
    assert len([line for line in str(record.final).splitlines() if "|" in line or "row" in line.lower()]) >= 7


def test_forms_offer_the_numbers() -> None:
    offered: Any = form(Classic, "en")
    numbers = {option["name"]: option for option in offered["options"] if option["kind"] == "number"}
    assert (numbers["rows"]["least"], numbers["rows"]["most"], numbers["rows"]["usual"]) == (1, 8, 4)
    assert (numbers["row_limit"]["least"], numbers["row_limit"]["most"], numbers["row_limit"]["usual"]) == (1, 9, 5)
    assert game_of({"game": "classic", "players": 2, "options": {"rows": 5, "row_limit": 6}}) == FIVE


def test_what_the_solver_does_not_know_it_names() -> None:
    for rows, limit in ((5, 5), (4, 6)):
        game = Advanced(players=2, hand_size=1, rows=rows, row_limit=limit)
        state = game.deal(seed=1)
        while not state.rows:
            state, _ = state.choose({seat: asked.options[0] for seat, asked in state.pending.items()})
        with refused(Unsupported, "solver.table", rows=rows, row_limit=limit):
            solve(state, seconds=1)


def test_records_name_the_numbers() -> None:
    record = random_record(FIVE, seed=4)
    text = record.to_text()
    assert "rows=5" in text and "row_limit=6" in text
    assert Record.from_text(text) == record == Record.from_json(record.to_json())


def test_a_vector_may_have_five_rows() -> None:
    rules = {"system": "classic", "players": 2, "rows": 5, "row_limit": 6}
    vector: Any = {
        "id": "five-rows", "why": "rule 4: any row", "game": rules,
        "given": {"rows": [[12], [37], [43], [58], [90]]},
        "reveal": {"1": 3, "2": 91}, "choices": [{"seat": 1, "row": 5}],
        "expect": {"rows": [[12], [37], [43], [58, 91], [3]], "taken": {"1": [90]}},
    }  # fmt: skip
    assert run_vector(vector) == ()
    assert run_vector({**vector, "expect": {"rows": [[12], [37], [43], [58], [3, 91]]}})
