"""Moments: every event with the state after it."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.engine.errors import IllegalChoice, NotationError, Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.sentences import Phrase
from tests.support import GAMES, random_record, refused

EVERY_GAME = [pytest.param(game, id=name) for name, game in GAMES.items()]


def test_every_registered_game_is_among_them() -> None:
    assert {game.name for game in GAMES.values()} == set(all_games())


@pytest.mark.parametrize("game", EVERY_GAME)
def test_moments_are_the_events_and_end_in_the_state_after(game: Game) -> None:
    record = random_record(game, seed=3, choices=60)
    dealt = record.opening_moments
    assert tuple(moment.event for moment in dealt if moment.event) == record.opening[1]
    assert dealt[-1].state == record.opening[0]
    for step in record.steps:
        moments = step.moments
        assert tuple(moment.event for moment in moments if moment.event) == step.events
        assert moments[-1].state == step.state
        # Only the last moment has pending decisions.
        assert not any(moment.state.pending for moment in moments[:-1])


def test_a_choice_of_which_nothing_comes_is_one_moment_without_an_event() -> None:
    quiet = [step for step in random_record(GAMES["buffalo"], seed=2).steps if not step.events]
    quiet += [step for step in random_record(GAMES["buffalo"], seed=1).steps if not step.events]
    assert quiet, "the team passes, and its next choice is asked"
    for step in quiet:
        (moment,) = step.moments
        assert moment.event is None and moment.state == step.state != step.before


def test_the_table_between_a_take_and_the_card_that_starts_the_row_again() -> None:
    state = Classic(players=2).from_position("12 | 20 | 41 | 35 36 38 40 42 ; A: 45 98 ; B: 44 60")
    step = Step.of(state, {0: 45, 1: 60})
    revealed, taken, started, placed = step.moments
    assert revealed.state.rows == state.rows and [play.card for play in revealed.state.queue] == [45, 60]
    assert taken.state.rows[3] == () and taken.state.piles[0] == (35, 36, 38, 40, 42)
    assert started.state.rows[3] == (45,) and placed.state.rows[3] == (45, 60)


def test_a_position_precedes_its_events() -> None:
    start = "12 | 20 | 41 | 35 ; A: 98 ; B: 60 ; place: A45 B70"
    record = Record(Classic(players=2), start=start)
    laid, first, second = record.opening_moments
    assert laid.event is None and len(laid.state.queue) == 2
    assert first.state.rows[2] == (41, 45) and second.state == record.opening[0]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_each_transition_runs_once_when_a_record_is_read(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    record = random_record(game, seed=5, choices=30)
    runs = 0
    real = type(game).answer

    def counted(self: Game, *arguments: Any) -> None:
        nonlocal runs
        runs += 1
        real(self, *arguments)

    monkeypatch.setattr(type(game), "answer", counted)
    for text, read in ((record.to_text(), Record.from_text), (record.to_json(), Record.from_json)):
        runs = 0
        again = read(text)
        assert runs == len(record.steps)
        assert again == record
        runs = 0
        assert [step.moments[-1].state for step in again.steps] == [step.state for step in record.steps]
        assert [len(step.moments) for step in again.steps] and runs == len(record.steps)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_rules_states_records_and_steps_pickle_and_copy(game: Game) -> None:
    record = random_record(game, seed=2, choices=20)
    for thing in (game, record.final, record, record.steps[-1], record.final.view(0)):
        for again in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            assert again == thing
    after = pickle.loads(pickle.dumps(record)).final
    assert dict(after.pending) == dict(record.final.pending)
    with pytest.raises(TypeError):
        after.pending[0] = None


def test_choices_of_a_record_cannot_be_edited_in_place() -> None:
    record = Record(Classic(players=2), start="12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30").play("A14 B15")
    with pytest.raises(TypeError):
        record.choices[0][0] = 20  # type: ignore[index]
    assert record.choices == ({0: 14, 1: 15},)


def test_seats_are_numbers_or_letters() -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    assert (
        state.choose({"A": 14, "b": 15})
        == state.choose({0: 14, 1: 15})
        == state.play("A14 B15")
        == state.play("b15, a14")
    )
    with refused(IllegalChoice, "engine.no_choice_all"):
        state.choose({"A": 14})
    with refused(IllegalChoice, "engine.not_asked_now", who=Phrase("shared.seat", who="'AB'")):
        state.choose({"A": 14, "AB": 15})
    with refused(IllegalChoice, "engine.chose_twice", who=Phrase("shared.seat")):
        state.choose([(0, 14), (0, 20)])
    with refused(NotationError, "engine.no_choice", who="B"):
        state.play("A14")
    with refused(NotationError, "engine.not_asked_for", who="C"):
        state.play("A14 B15 C3")
    with refused(IllegalChoice, "engine.cannot_play", who="A", who_too="A", options="14 20"):
        state.play("A15 B14")


def test_a_record_prints_as_its_text() -> None:
    record = Record(Classic(players=2), start="12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30").play("A14 B15")
    assert str(record) == record.to_text()
    assert repr(record).startswith("<Record of Classic")


def test_what_no_chapter_brings_is_refused_by_name() -> None:
    from nimmt_lab.engine.capability import Capability

    wish: Capability[int] = Capability("wishes", face="wish")
    with refused(Unsupported, "engine.no_face", name="classic", face_name="wishes", face="wish"):
        wish.of(Classic(players=2))
    wish.provide(Game, 7)
    assert wish.of(Classic) == 7
