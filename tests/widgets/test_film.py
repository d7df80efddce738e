"""Frames: one per event, exact, small, and without anything a viewer may not see."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nimmt_lab import Classic, Record, all_games
from nimmt_lab.boards.describe import Describer, describer
from nimmt_lab.boards.film import Film, film_of
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import EMPTY
from nimmt_lab.engine.events import CardPlaced, RoundEnded, RowTaken
from nimmt_lab.explain import words

from .games import SYSTEMS, recorded


def frames_of(name: str, **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    scene: dict[str, Any] = film_of(recorded(name), **options).scene()
    return scene, scene["frames"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_moments_are_the_engines_own_events_and_states(name: str) -> None:
    record = recorded(name)
    moments = record.opening_moments
    assert tuple(moment.event for moment in moments) == record.opening[1]
    assert moments[-1].state == record.opening[0]
    for step in record.steps:
        moments = step.moments
        assert tuple(moment.event for moment in moments if moment.event) == step.events
        assert moments[-1].state == step.state


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_event_has_a_frame_that_shows_it(name: str) -> None:
    for step in recorded(name).steps:
        for moment in step.moments:
            event = moment.event
            if isinstance(event, CardPlaced):
                assert moment.state.rows[event.row][event.slot] == event.card
            elif isinstance(event, RowTaken):
                assert not set(event.cards) & set(moment.state.rows[event.row])


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_scene_is_plain_json_and_its_last_frame_is_the_final_state(name: str) -> None:
    record = recorded(name)
    scene, frames = frames_of(name)
    assert json.loads(json.dumps(scene)) == scene
    final, last = record.final, frames[-1]
    rows = [scene["pool"][at]["cards"] for at in last["rows"]]
    assert rows == [list(row) for row in final.rows]
    assert last["over"] is True
    assert last["winners"] == list(final.outcome.winners if final.outcome else ())
    for seat, at in zip(scene["seats"], last["seats"], strict=True):
        if seat["seat"] in record.game.pile_seats:
            assert scene["pool"][at]["points"] == final.totals[record.game.pile_of(seat["seat"])]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("lang", ["en", "pl", "cs"])
def test_every_event_that_the_tutor_tells_has_its_sentence_and_rule(name: str, lang: str) -> None:
    _, frames = frames_of(name, lang=lang)
    told = [frame for frame in frames if frame.get("focus")]
    assert all(frame["rule_name"] for frame in told)
    placed = [frame for frame in told if frame["focus"]["kind"] in ("place", "take", "reveal")]
    assert placed and all(frame["text"] for frame in placed)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_decision_of_the_game_can_be_asked_about(name: str) -> None:
    record = recorded(name)
    scene, frames = frames_of(name)
    asked = [frame for frame in frames if "ply" in frame]
    assert [frame["ply"] for frame in asked] == list(range(len(record.choices) + 1))
    for step, frame in zip(record.steps, asked, strict=False):
        questions = scene["pool"][frame["asked"]]
        assert [question["seat"] for question in questions] == list(step.before.pending)
        for question in questions:
            decision = step.before.pending[question["seat"]]
            assert decision.read(question["chosen"]) == step.choices[question["seat"]]
            usual = decision.default if decision.default is not None else decision.options[0]
            assert decision.read(question["first"]) == usual  # where the focus begins: what may be left undone
            for option in question["options"]:
                assert decision.read(option["text"]) in decision.options
                assert {"card", "row", "label"} & option.keys()
            if not question["options"]:
                assert question["composers"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_frame_says_which_round_and_turn_it_is(name: str) -> None:
    record = recorded(name)
    moments = [*record.opening_moments, *(moment for step in record.steps for moment in step.moments)]
    _, frames = frames_of(name)
    counted = [(frame["round"], frame["turn"]) for frame in frames]
    assert counted == [(moment.state.round + 1, moment.state.turn + 1) for moment in moments]
    assert (1, 1) in counted


@pytest.mark.parametrize("name", [name for name in SYSTEMS if SYSTEMS[name].hidden_hands])
def test_a_seat_is_shown_what_it_is_asked_and_what_its_team_is(name: str) -> None:
    record = recorded(name)
    scene, frames = frames_of(name, seats=[0])
    asked = [frame for frame in frames if "ply" in frame]
    for step, frame in zip(record.steps, asked, strict=False):
        questions = [question["seat"] for question in scene["pool"][frame["asked"]]]
        assert questions == [seat for seat in step.before.pending if seat <= 0]


def test_face_down_cards_stay_hidden_from_everybody() -> None:
    """The buffalo's cards and its pile (R-B18 and the rulebook): nobody looks at them, even with open hands."""
    record = recorded("buffalo")
    scene, frames = frames_of("buffalo", seats=range(record.game.players + record.game.extra_seats))
    say = Film(record.game).describe
    hidden = [at for at, seat in enumerate(scene["seats"]) if say.face_down(seat["seat"])]
    assert len(hidden) == 1
    shown = [scene["pool"][frame["seats"][hidden[0]]] for frame in frames]
    assert all(one["hand"] is None and set(one["pile"]) <= {EMPTY} for one in shown)
    assert max(one["count"] for one in shown) == 10 and any(one["pile"] for one in shown)


@pytest.mark.parametrize("name", ["classic", "even_odd", "mountain", "buffalo"])
def test_the_number_line_is_that_of_the_frames_own_table(name: str) -> None:
    """Also where a marker has moved and no card has."""
    record = recorded(name)
    moments = [*record.opening_moments, *(moment for step in record.steps for moment in step.moments)]
    scene, frames = frames_of(name)
    say = describer(record.game, board_words("en"))
    lines = [
        (say.zones(moment.state), scene["pool"][frame["zones"]]) for moment, frame in zip(moments, frames, strict=True)
    ]
    assert sum(bool(line) for line, _ in lines) > len(lines) // 2
    assert all(shown == line for line, shown in lines if line)


def composed(composer: dict[str, Any]) -> str:
    cards = composer["cards"][: composer["count"]]
    return str(composer["before"] + composer["join"].join(map(str, reversed(cards))))


def test_what_is_put_together_from_cards_can_be_read() -> None:
    seen = set()
    for name in ("buffalo", "board-basic", "board-advanced-luck"):
        for step in recorded(name).steps:
            for seat, decision in step.before.pending.items():
                film = Film(step.before.game)
                for composer in film.describe.composers(decision):
                    assert isinstance(composer, dict)
                    assert decision.accept(seat, decision.read(composed(composer))) in decision.options
                    seen.add(type(decision).__name__)
    assert "ChooseTiles" in seen


def hidden_cards(record: Record, seat: int) -> list[set[int]]:
    """By step: what `seat` has never seen up to then."""
    found = []
    for step in record.steps:
        found.append({card for card in step.before.view(seat).unseen if card != EMPTY})
    return found


@pytest.mark.parametrize("name", [name for name in SYSTEMS if SYSTEMS[name].hidden_hands])
def test_a_hidden_hand_is_not_in_the_frames(name: str) -> None:
    record = recorded(name)
    scene, frames = frames_of(name, seats=[0])
    asked = [frame for frame in frames if "ply" in frame]
    for frame, unseen in zip(asked, hidden_cards(record, 0), strict=False):
        shown = {
            seat["seat"]: scene["pool"][at]["hand"] for seat, at in zip(scene["seats"], frame["seats"], strict=True)
        }
        assert all(hand is None or not hand for seat, hand in shown.items() if seat > 0)
        assert {question["seat"] for question in scene["pool"][frame["asked"]]} <= {0, -1}
        lying = {card for at in frame["rows"] for card in scene["pool"][at]["cards"]}
        lying |= {play["card"] for play in scene["pool"][frame["queue"]]} | set(shown[0] or ())
        assert not lying & unseen


def test_frames_share_what_does_not_change() -> None:
    scene, frames = frames_of("classic-10")
    assert len(scene["pool"]) < 10 * len(frames)
    assert len(json.dumps(scene)) < 400_000


def test_zones_say_where_the_engine_would_put_each_card() -> None:
    game = Classic(players=2)
    state = game.from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    zones = describer(game, board_words("en")).zones(state)
    assert zones == [[1, 11, -1], [12, 36, 0], [37, 42, 1], [43, 57, 2], [58, 104, 3]]


def test_zones_show_parity_and_the_mountain() -> None:
    odd = Classic(players=2, fan_cards=("even_odd",)).from_position(
        "20 | 40 | 60 | 85 ; A: 90 ; B: 99 ; even_odd: 4 odd", ordered=False
    )
    zones = describer(odd.game, board_words("en")).zones(odd)
    assert [86, 86, 2] in zones and [87, 87, 3] in zones
    down = Classic(players=2, fan_cards=("mountain",)).from_position(
        "2 | 8 12 | 70 | 30 26 ; A: 21 ; B: 95 ; mountain: 4 up", ordered=False
    )
    assert [19, 26, 3] in describer(down.game, board_words("en")).zones(down)


def test_traps_that_somebody_met_are_marked_with_the_tutors_story() -> None:
    start = "50 57 61 | 70 | 83 | 35 36 38 40 45 ; A: 62 99 ; B: 29 98"
    record = Record(Classic(players=2, hand_size=2), ({0: 62, 1: 29}, {1: 0}), start=start)
    scene: dict[str, Any] = film_of(record).scene()
    (trapped,) = [frame for frame in scene["frames"] if frame.get("trap")]
    assert trapped["focus"]["type"] == "RowTaken"
    assert words("en")("why.taken_away", card=62, row=1, by="29 (B)") in trapped["text"]


def test_each_registered_game_has_a_describer_of_its_own() -> None:
    for name, kind in all_games().items():
        game = next(game for game in SYSTEMS.values() if isinstance(game, kind))
        assert type(describer(game, board_words("en"))) is not Describer, name


@pytest.mark.parametrize("name", SYSTEMS)
def test_points_count_a_rounds_pile_once(name: str) -> None:
    """During a round they are the totals plus the heads taken since; at its end the totals include those."""
    record = recorded(name)
    game = record.game
    scene, frames = frames_of(name)
    shown = [
        {seat["seat"]: scene["pool"][at]["points"] for seat, at in zip(scene["seats"], frame["seats"], strict=True)}
        for frame in frames
    ]
    moments = [*record.opening_moments, *(moment for step in record.steps for moment in step.moments)]
    ends = 0
    for points, moment in zip(shown, moments, strict=True):
        state, event = moment.state, moment.event
        for place, seat in enumerate(game.pile_seats):
            if isinstance(event, RoundEnded):
                ends += 1
                assert points[seat] == event.totals[place]
            elif not state.is_over:
                taken = 0 if game.name == "board" else game.heads_in(state.piles[place])
                assert points[seat] == state.totals[place] + taken
    assert ends or game.name == "board"
