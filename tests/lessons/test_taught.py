"""What the rules lessons say beyond their questions is recomputed here: figures, what is watched, which rulings are met."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.events import CardPlaced, Event, RoundEnded, RowTaken
from nimmt_lab.engine.registry import from_options
from nimmt_lab.explain import narrate
from nimmt_lab.games.baron.rules import Baron, HandsRefilled
from nimmt_lab.games.board_game.cards import Action, Luck
from nimmt_lab.games.board_game.events import FieldActed, PointsScored
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.parts import FACE_UP, SPECIALS_IN_PLAY, BuffaloTable, Special
from nimmt_lab.games.mountain.rules import MountainMoved
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.rules import LessonStep, question_of, rules_lesson, rules_lessons
from nimmt_lab.lessons.words import LANGUAGES, words

#: The rulings that a step teaches by name, and where.
TAUGHT = {
    "R-A2": {"advanced.deck"},
    "R-B1": {"buffalo.draw"},
    "R-B11": {"buffalo_cards.full_row"},
    "R-B12": {"buffalo_cards.lift"},
    "R-B16": {"buffalo_cards.full_row"},
    "R-B18": {"buffalo.specials"},
    "R-C1": {"scoring.shared"},
    "R-C3": {"scoring.edition"},
    "R-C5": {"first_turn.see", "traps.vanished"},
    "R-F1": {"even_odd.nowhere"},
    "R-F2": {"number_twister.not_all"},
    "R-F3": {"number_twister.once"},
    "R-O1": {"baron.draw"},
    "R-O2": {"baron.see"},
    "R-P1": {"board.see", "board_cards.clovers"},
    "R-P5": {"board_cards.clovers"},
    "R-P12": {"board.left"},
}

#: The rules that no step of a lesson shows happening, and why.
NOT_SHOWN = {
    # A lesson's tables are laid already; how they are dealt is said in words.
    *("AdvancedRule.KNOWN_CARDS", "BaronRule.SETUP", "BoardRule.SETUP", "BuffaloRule.SETUP", "EvenOddRule.SETUP"),
    *("JumpingCowRule.SETUP", "MountainRule.SETUP"),
    # They say what may not be: nothing happens by them. Questions ask about the row they leave.
    *("ClassicRule.ASCENDING", "EvenOddRule.PARITY", "JumpingCowRule.COUNTS", "MountainRule.DESCENDING"),
    *("BoardRule.PLAY_TWO_FIELD", "BoardRule.BEFORE_PLACING"),
    # Ends that other ends are taught for, and a tie that is shared.
    *("BaronRule.SCORING", "BaronRule.ALL_PLAYED", "BaronRule.NOTHING_FITS", "BoardRule.ALL_PLAYED"),
    *("ClassicRule.ROUNDS", "ClassicRule.TIE"),
    # Not taught yet.
    "BuffaloRule.EMPTY_ROW",
}


def step(lesson: str, name: str) -> LessonStep:
    return next(found for found in rules_lesson(lesson).steps if found.name == name)


def asked(lesson: str, name: str) -> Question:
    return question_of(step(lesson, name), lesson)


def right(lesson: str, name: str) -> str:
    (text,) = asked(lesson, name).right
    return text


def proof(lesson: str, name: str) -> list[Event]:
    return [event for played in asked(lesson, name).proof for event in played.events]


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def said(lesson: str, name: str) -> list[str]:
    return [words(lang)(f"{lesson}.{name}") for lang in LANGUAGES]


def test_how_many_lessons_there_are() -> None:
    root = Path(nimmt_lab.__file__).parent.parent
    for page, says in (
        ("README.md", "fourteen lessons about the rules"),
        ("tutorials/README.md", "fourteen short lessons"),
    ):
        assert says in (root / page).read_text(encoding="utf-8") and len(rules_lessons()) == 14, page


def test_which_rulings_are_taught_where() -> None:
    found: dict[str, set[str]] = {}
    for lesson in rules_lessons():
        for one in lesson.steps:
            for ruling in one.rulings:
                found.setdefault(ruling, set()).add(f"{lesson.name}.{one.name}")
    assert found == TAUGHT


def test_which_rules_are_not_shown() -> None:
    met = {event.rule for lesson in rules_lessons() for one in lesson.steps for event in one.record.events}
    for lesson in rules_lessons():
        for one in lesson.questions:
            met |= {event.rule for event in proof(lesson.name, one.name)}
    known = {rule for kind in {type(rule) for rule in met} for rule in kind}
    assert {f"{type(rule).__name__}.{rule.name}" for rule in known - met} == NOT_SHOWN


def test_the_first_table_is_a_whole_deal() -> None:
    start = step("first_turn", "see").record.steps[0].before
    assert [len(hand) for hand in start.hands] == [10] * 4 and [len(row) for row in start.rows] == [1] * 4


def test_the_row_that_vanishes_sends_the_card_to_a_full_one() -> None:
    takes = [event for event in proof("traps", "vanished") if isinstance(event, RowTaken)]
    assert [(event.seat, event.row) for event in takes] == [(1, 0), (0, 3)]
    assert asked("traps", "vanished").state.rows[0][-1] < 63, "it would have fitted there"


def test_editions_differ_at_66_and_equal_totals_share() -> None:
    more = step("scoring", "edition")
    (ended,) = [event for event in proof("scoring", "edition") if isinstance(event, RoundEnded)]
    assert ended.totals[0] == 66 and right("scoring", "edition") == "no"
    other = replace(more, game=from_options({"system": "classic", "players": 2, "edition": "000"}))
    assert question_of(other).right == {"yes"}
    assert right("scoring", "shared") == "A B"
    assert all({56, 63} <= {*numbers(text)} for text in said("scoring", "shared"))
    assert step("scoring", "shared").state.totals == (56, 63)


def test_how_many_cards_advanced_mode_has() -> None:
    deck = step("advanced", "deck")
    for players in range(2, 7):
        assert len(from_options({"system": "advanced", "players": players}).deck) == 10 * players + 4
    assert max(deck.game.deck) == 34 and all(numbers(text)[-2:] == [34, 1] for text in said("advanced", "deck"))
    assert all("10·n + 4" in text for text in said("advanced", "deck"))
    assert [row[0] for row in deck.state.rows] == sorted(row[0] for row in deck.state.rows)


def test_parity_alone_keeps_a_card_out() -> None:
    nowhere = step("even_odd", "nowhere")
    plain = replace(nowhere, game=from_options({"system": "classic", "players": 2, "rounds": 1}))
    plain = replace(plain, position=nowhere.position.split(" ; even_odd")[0], plays=())
    _, events = plain.state.choose({0: 21, 1: 90})
    assert any(isinstance(event, CardPlaced) and (event.card, event.row) == (21, 0) for event in events)
    assert right("even_odd", "nowhere") == "@3"


def test_the_mountain_wins_ties_and_turns_round() -> None:
    rows = step("mountain", "tie").state.rows
    assert 50 - rows[1][-1] == rows[3][-1] - 50 and right("mountain", "tie") == "4"
    moved = [event for event in step("mountain", "turn").record.events if isinstance(event, MountainMoved)]
    assert [(event.row, event.turned) for event in moved] == [(0, True), (1, False)]


def test_the_cow_jumps_on() -> None:
    takes = [event for event in proof("jumping_cow", "chain") if isinstance(event, RowTaken)]
    assert [(event.seat, event.row, len(event.cards)) for event in takes] == [(0, 1, 4), (0, 2, 4)]
    assert right("jumping_cow", "chain") == "2"


def test_the_twisted_card_goes_first_and_some_cannot_be_twisted() -> None:
    placed = [event for event in proof("number_twister", "same") if isinstance(event, CardPlaced)]
    assert [event.card for event in placed] == [24, 42] and right("number_twister", "same") == "2"
    for card in range(1, 105):
        position = f"5 | 30 | 40 | 60 ; A: {card} ; B: {97 if card == 98 else 98}"
        if card in (5, 30, 40, 60):
            continue
        decision = step("number_twister", "same").game.from_position(position).pending[0]
        assert (len(decision.options) == 2) == (10 <= card <= 99), card
    assert all({100, 104, 1, 9} <= {*numbers(text)} for text in said("number_twister", "not_all"))


def test_a_used_twister_comes_back_but_not_in_every_edition() -> None:
    once = step("number_twister", "once")
    assert once.state.round == 1 and once.state.position.sections["number_twister"] == "B"
    options = {"system": "classic", "players": 2, "rounds": 2, "fan_cards": ["number_twister"], "edition": "000"}
    usual = replace(once, game=from_options(options))
    assert len(usual.state.pending[0].options) > 10 == len(once.state.pending[0].options), "with it, cards go two ways"
    told = [" ".join(narrate(found.record.steps[-1])) for found in (once, usual)]
    assert "A Number Twister is left to: B." in told[0] and "Everybody has" not in told[0]
    assert "Everybody has a Number Twister." in told[1]


def test_special_cards_by_players() -> None:
    watched = step("buffalo", "specials")
    counts = [SPECIALS_IN_PLAY[players] for players in range(1, 7)]
    for text in said("buffalo", "specials"):
        assert numbers(text) == [1, 6, *counts]
    start, end = BuffaloTable.of(watched.record.steps[0].before), BuffaloTable.of(watched.state)
    assert len(start.up) + len(start.special_deck) == SPECIALS_IN_PLAY[watched.game.players]
    assert len(start.up) == len(end.up) == FACE_UP == 2 and Special.SWAP in {*end.up} - {*start.up}


def test_equal_heads_are_a_draw() -> None:
    assert right("buffalo", "draw") == "-"


def test_insert_into_a_full_row_and_cards_that_are_not_for_the_buffalo() -> None:
    (take,) = [event for event in step("buffalo_cards", "full_row").record.events if isinstance(event, RowTaken)]
    assert take.seat == TEAM and take.cards == (5, 10, 11, 20, 25)
    # The buffalo's 20 is next: what may be done then is nothing to its own card.
    game = from_options({"system": "buffalo", "players": 2})
    for kind in Special:
        state = game.from_position(
            f"10 12 | 30 32 | 60 | 70 ; A: 61 1 ; B: 71 2 ; buffalo: 20 4 ; specials: {kind.value}"
        )
        state, _ = state.choose({0: 61, 1: 71})
        uses = [state.pending[TEAM].write(use) for use in state.pending[TEAM].options]
        named = {use.partition(f"{kind.value}:")[2] for use in uses}
        if kind in (Special.SWAP, Special.FIRST, Special.LAST):
            assert named == {"", "A", "B"}, kind
        elif kind is Special.INSERT:
            assert named == {""}, kind


def test_stop_is_lifted_to_make_the_buffalo_take() -> None:
    assert right("buffalo_cards", "lift") == "29!lift@2"
    assert Special.STOP in BuffaloTable.of(asked("buffalo_cards", "lift").proof[-1].state).used


def test_the_baron_fits_everywhere_and_all_draw_when_four_are_played() -> None:
    every = step("baron", "every_colour")
    assert isinstance(every.game, Baron)
    for baron in (52, 104):
        assert every.game.deck.bulls_in((baron,)) == 6
    assert asked("baron", "every_colour").choices == ("@1", "@2", "@3", "@4", "@5")
    (drawn,) = [event for event in step("baron", "draw").record.events if isinstance(event, HandsRefilled)]
    assert drawn.counts == (4, 4)


def test_bulls_in_hand_count_against_their_owner() -> None:
    end = asked("baron", "good_end").proof[-1].state
    assert end.outcome is not None and end.outcome.winners == (0,) and end.hands == ((), (39,))
    game = end.game
    assert game.heads_in(end.piles[1]) > game.heads_in(end.piles[0]), "B would win but for the card in hand"
    assert end.totals[1] == game.heads_in(end.piles[1]) - game.heads_in((39,))


def test_the_score_stops_at_44() -> None:
    (scored,) = [e for e in proof("board", "limit") if isinstance(e, PointsScored) and e.seat == 0]
    assert (scored.points, scored.before, scored.after) == (3, 42, 44) and right("board", "limit") == "2"
    assert all(numbers(text)[:3] == [44, 44, 42] for text in said("board", "limit"))


def test_two_ends_of_the_board_game() -> None:
    first = step("board", "refill")
    assert right("board", "refill") == "no" and first.state.turn + 1 == 12
    assert [len(hand) for hand in asked("board", "refill").proof[-1].state.hands] == [12, 12]
    end = asked("board", "left").proof[-1].state
    # B: a head on the green field, minus the five of tile 2, plus one for the card.
    assert end.is_over and end.totals == (0, 1 - 5 + 1)


def test_two_tiles_are_played_while_such_a_field_is_open() -> None:
    watched = step("board", "two")
    assert isinstance(watched.game, BoardGame)
    (row,) = [at for at, fields in enumerate(watched.game.layout.rows) if watched.state.rows[at] and "two" in fields]
    assert row + 1 == 6 and all(numbers(text) == [6] for text in said("board", "two"))
    placed = [event.card for event in watched.record.events if isinstance(event, CardPlaced)]
    assert placed == sorted(placed) and len(placed) == 4


def test_tiles_that_are_taken_are_played_again() -> None:
    watched = step("board_cards", "take_tiles")
    (take,) = [event for event in watched.record.events if isinstance(event, RowTaken)]
    assert {*take.cards} <= {*watched.state.hands[0]} and watched.state.totals[0] == 0
    assert "stops" in watched.record.steps[0].before.position.sections
    assert "stops" not in watched.state.position.sections and watched.state.rows[6] == (14,)


def test_a_card_without_a_colour_goes_under_the_pile() -> None:
    watched = step("baron", "under")
    assert watched.state.position.sections["draw"] == "A 26"
    assert not [event for event in watched.record.events if isinstance(event, RowTaken)]


def test_clovers_give_luck_cards() -> None:
    scored = [event for event in step("board_cards", "clovers").record.events if isinstance(event, PointsScored)]
    lost = scored[0]
    assert (lost.before, lost.after, {*lost.clovers}) == (-2, -12, {-6, -12})
    assert all(numbers(text)[:4] == [2, 12, 6, 12] for text in said("board_cards", "clovers"))


def test_every_action_and_luck_card_is_asked_about() -> None:
    held = set()
    for name in ("board", "board_cards"):
        for one in rules_lesson(name).questions:
            if one.ask == "best":
                held |= {text for option in asked(name, one.name).choices for text in re.findall(r"[a-z_]{4,}", option)}
    assert held - {"pass"} == {card.value for card in (*Action, *Luck)}


@pytest.mark.parametrize("name", ["skip", "swap", "ascending", "start", "play_two"])
def test_a_tile_left_alone_would_cover_minus_seven(name: str) -> None:
    """Said in each of them; `start` only shows it."""
    lesson = "board" if name == "skip" else "board_cards"
    state = step(lesson, name).state
    _, events = state.choose({0: state.pending[0].read("!57:pass")})
    assert any(isinstance(event, FieldActed) and (event.tile, event.field) == (57, "-7") for event in events)


@pytest.mark.parametrize("name", ["baron", "board", "board_cards"])
def test_lessons_on_stand_in_material_say_so(name: str) -> None:
    lesson = rules_lesson(name)
    for one in lesson.steps:
        game = one.game
        assert isinstance(game, Baron | BoardGame)
        # A board game without pieces of its own plays with the stand-in ones.
        assert game.deck.stand_in if isinstance(game, Baron) else game.layout.stand_in and game.pieces is None
    for lang, word in (("en", "stand-ins"), ("pl", "zastępcze"), ("cs", "náhradní")):
        assert word in words(lang)(f"{name}.{lesson.steps[0].name}"), lang
