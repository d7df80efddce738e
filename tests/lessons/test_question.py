"""The question model: the value of a turn in every game, answers as people write them, one set of kinds."""

from __future__ import annotations

import pytest

from nimmt_lab import Baron, BoardGame, Buffalo, Classic
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.lessons import Spot, ask, generate, kinds_of
from nimmt_lab.lessons.question import kinds, play_turn, worth
from tests.support import random_record, refused

GAMES: tuple[Game, ...] = (
    Classic(players=3, rounds=1),
    Baron(players=3),
    Baron(players=3, variant="bulls_are_good"),
    BoardGame(players=3),
    Buffalo(players=3),
)


def heads_of(steps: tuple[Step, ...], *seats: int) -> int:
    return sum(e.heads for step in steps for e in step.events if isinstance(e, RowTaken) and e.seat in seats)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_what_a_turn_is_worth_has_the_sign_of_its_game(game: Game) -> None:
    """A higher value is better: heads taken are a loss, unless bulls are good; a team gains what the buffalo takes."""
    good = getattr(game, "variant", "") == "bulls_are_good"
    seen = set()
    for step in random_record(game, seed=1).steps:
        for seat in range(game.players):
            gained = worth((step,), seat)
            if game.name == "board":
                assert gained == step.state.totals[seat] - step.before.totals[seat]
            else:
                assert gained == (1 if good else -1) * heads_of((step,), seat)
            seen.add((gained > 0) - (gained < 0))
    assert seen == ({-1, 0, 1} if game.name == "board" else {0, 1} if good else {-1, 0})


def test_a_team_wins_what_the_buffalo_takes() -> None:
    game = Buffalo(players=3)
    signs = set()
    for step in random_record(game, seed=1).steps:
        gained = worth((step,), TEAM)
        assert gained == heads_of((step,), game.buffalo) - heads_of((step,), 0, 1, 2)
        signs.add((gained > 0) - (gained < 0))
    assert signs == {-1, 0, 1}


@pytest.mark.parametrize(("variant", "sign"), [("standard", -1), ("bulls_are_good", 1)])
def test_the_best_card_takes_most_where_bulls_are_good_and_least_elsewhere(variant: str, sign: int) -> None:
    asked = 0
    for step in random_record(Baron(players=2, variant=variant), seed=1).steps:
        state, others = step.before, {1: step.choices.get(1, 0)}
        if set(state.pending) != {0, 1} or len(state.hands[0]) < 2:
            continue
        turns = {str(card): play_turn(state, {**others, 0: card}) for card in state.hands[0]}
        gains = {text: sign * heads_of(turn, 0) for text, turn in turns.items()}
        if len(set(gains.values())) > 1:
            best = {text for text, gain in gains.items() if gain == max(gains.values())}
            assert ask("best", Spot(state, others)).right == best
            asked += 1
    assert asked > 1


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_answers_are_written_as_people_count(game: Game) -> None:
    for kind in kinds_of(game):
        question = generate(game, kind, seed=2)
        assert question.asked == kinds(game)[kind] and question.kind == kind
        for option in question.options:
            if option.row is not None:
                assert option.text == str(option.row + 1)
            elif kind == "takes" and option.text != "-":
                letter, heads = option.text.split()
                assert letter.isalpha() and heads.isdigit()


def test_who_takes_how_much_is_offered_in_order() -> None:
    for seed in range(20):
        *answers, last = generate(Classic(players=4), "takes", seed=seed, difficulty=2).choices
        assert last == "-"
        split = [(letter, int(heads)) for letter, heads in map(str.split, answers)]
        assert split == sorted(split)


def test_the_answer_must_be_on_offer() -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    with refused(PositionError, "classic.no_lies_there", marker="'mountain'"):
        ask("marker", Spot(state, {0: 14, 1: 15}, marker="mountain"))
    with refused(PositionError, "lessons.every_answer_good"):
        ask("best", Spot(state, {1: 15}))
