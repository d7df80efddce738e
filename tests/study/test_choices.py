"""Puzzles with hidden hands: asked only where the search is sure, and equal for states that a seat cannot distinguish."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import bot
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.lessons import words
from nimmt_lab.lessons.puzzle import best_choice
from nimmt_lab.study import as_clear_choice, clear_choices
from tests.support import GAMES, refused


@pytest.mark.parametrize("name", ["classic", "number_twister", "baron", "board game"])
def test_puzzles_ask_only_what_the_search_can_tell(name: str) -> None:
    found = clear_choices(GAMES[name], 2, seed=3, playouts=150, progress=False)
    assert len(found) == 2
    for one in found:
        assert one.lead >= 1 and one.lead > one.error > 0
        assert one.best in one.state.pending[one.seat].options
        first, *others = one.advice.promises
        better = max if one.state.game.more_is_better else min
        assert all(better(first.points, other.points) == first.points for other in others)
    again = clear_choices(GAMES[name], 2, seed=3, playouts=150, progress=False)
    assert [one.advice.promises for one in again] == [one.advice.promises for one in found]


def test_what_is_hidden_does_not_matter() -> None:
    (one,) = clear_choices(Classic(players=4), 1, seed=5, playouts=200, progress=False)
    for stream in range(3):
        other = guess(one.state.view(one.seat), Rng.from_seed(1, stream))
        same = as_clear_choice(other, one.seat, adviser=bot("best:playouts=200,goal=heads"), seed=5)
        assert same is not None and same.advice.promises == one.advice.promises


def test_what_is_close_or_not_asked_makes_no_puzzle() -> None:
    game = Classic(players=2)
    twins = game.from_position("12 | 37 | 43 | 58 ; A: 59 60 ; B: 1 2")
    assert as_clear_choice(twins, 0, adviser="best:playouts=200,goal=heads") is None
    one = game.from_position("12 | 37 | 43 | 58 ; A: 59 ; B: 1")
    assert as_clear_choice(one, 0) is None
    with refused(RulesError, "study.only_such_puzzles", count=0, wanted=1, positions=400, margin=99):
        clear_choices(Classic(players=2, hand_size=2, deck_size=20), 1, playouts=2, margin=99, progress=False)
    with refused(RulesError, "study.count_must_whole", got="0"):
        clear_choices(game, count=0)
    with refused(RulesError, "shared.more_than_0", name="margin", got="0"):
        clear_choices(game, margin=0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tutor_says_what_a_choice_costs(lang: str) -> None:
    (puzzle,) = clear_choices(Classic(players=3), 1, seed=2, playouts=100, progress=False)
    question, say = best_choice(puzzle), words(lang)
    assert question.right == {puzzle.advice.decision.write(puzzle.best)} and question.open == ()
    assert len(question.choices) == len(puzzle.advice) > 1
    told = {
        said: question.why(said, say) if said in question.right else question.refute(said, say).said
        for said in question.choices
    }
    named = {said.removeprefix("@"): text for said, text in told.items()}  # rows by number, as the boards name them
    assert all(name in text for name, text in named.items()) and "@" not in "".join(told.values())
    assert len({text.replace(name, "") for name, text in named.items()}) == len(told)
    assert question.prompt(say) and question.hint(say)
