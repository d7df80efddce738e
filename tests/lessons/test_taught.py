"""Recompute the statements of the rules lessons: figures, steps to watch, rulings taught."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab.engine.cards import EMPTY, TEAM
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, RoundEnded, RowTaken
from nimmt_lab.engine.habits import usual_choice
from nimmt_lab.engine.registry import all_games, from_options
from nimmt_lab.engine.rule import Rule
from nimmt_lab.explain import narrate
from nimmt_lab.games.baron.rules import Baron, HandsRefilled
from nimmt_lab.games.board_game.events import FieldActed, PointsScored
from nimmt_lab.games.board_game.parts import Action, Luck
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.parts import FACE_UP, SPECIALS_IN_PLAY, BuffaloTable, Special
from nimmt_lab.games.mountain.rules import MountainMoved
from nimmt_lab.lessons.classroom import CLASSROOM, find
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.reply import film_for
from nimmt_lab.lessons.rules import LessonStep, question_of, rules_lesson, rules_lessons
from nimmt_lab.lessons.words import LANGUAGES, words

#: Every ruling of the rules pages, and every step that teaches it by name. Those without a step have a reason.
TAUGHT: dict[str, set[str] | str] = {
    "R-A1": {"advanced.see"},
    "R-A2": {"advanced.deck"},
    "R-A3": "an option of its own: nothing new happens when fan cards are used in advanced mode",
    "R-B1": {"buffalo.draw"},
    "R-B2": {"buffalo_rows.one_each"},
    "R-B3": {"buffalo_rows.low_stopped", "buffalo_rows.buffalo_stopped"},
    "R-B4": {"buffalo_order.swap_see"},
    "R-B5": {"buffalo_order.first_see"},
    "R-B6": {"buffalo_rows.two_empty"},
    "R-B7": {"buffalo_cards.insert_see"},
    "R-B8": {"buffalo_rows.seven_insert"},
    "R-B9": {"buffalo_cards.insert_see"},
    "R-B10": {"buffalo_rows.one_each"},
    "R-B11": {"buffalo_cards.full_row", "buffalo_rows.push_end"},
    "R-B12": {"buffalo_cards.lift"},
    "R-B13": {"buffalo_rows.emptied"},
    "R-B14": {"buffalo_rows.low_stopped"},
    "R-B15": {"buffalo_rows.emptied"},
    "R-B16": {"buffalo_cards.insert_see"},
    "R-B17": {"buffalo_rows.second"},
    "R-B18": {"buffalo.specials"},
    "R-B19": {"buffalo_rows.two_empty"},
    "R-B20": {"buffalo_rows.two_empty"},
    "R-B21": "both editions play the same, so there is nothing to show",
    "R-C1": {"scoring.shared"},
    "R-C2": "a slip of one rulebook's wording: the cards show their heads",
    "R-C3": {"experts_classic.edition"},
    "R-C4": "what bots and odds assume, not a rule",
    "R-C5": {"first_turn.see", "traps.vanished"},
    "R-F0": "several kinds at once are only played when asked for",
    "R-F1": {"even_odd.nowhere"},
    "R-F2": {"number_twister.not_all"},
    "R-F3": {"experts_classic.once"},
    "R-F4": {"number_twister.equal"},
    "R-F5": {"experts_classic.double"},
    "R-F6": "several kinds at once are only played when asked for",
    "R-O1": {"baron_deck.draw"},
    "R-O2": {"baron.see", "baron_deck.every_colour"},
    "R-O3": "no card of the sample deck has six bulls of a colour",
    "R-O4": {"experts_board.few"},
    "R-O5": {"experts_board.stuck"},
    "R-O6": "no card of the sample deck has six bulls of a colour",
    "R-P1": {"board.see", "board_luck.clovers", "board_advanced.draw_tile", "board_cards.skip_see"},
    "R-P2": {"board.too_low"},
    "R-P3": {"experts_board.no_tile"},
    "R-P4": {"board_cards.stop"},
    "R-P5": {"board_luck.clovers"},
    "R-P6": {"board_cards.skip"},
    "R-P7": "cannot happen in a game: such a board is refused when it is read",
    "R-P8": {"experts_board.few_tiles"},
    "R-P9": {"board.first_field"},
    "R-P10": {"experts_board.skipped_two"},
    "R-P11": {"experts_board.empty_stack", "board_advanced.draw_action"},
    "R-P12": {"board_advanced.left"},
    "R-P13": {"board_cards.start"},
    "R-P14": {"board_cards.start"},
    "R-P15": {"experts_board.two_skips"},
    "R-P16": {"experts_board.luck_start"},
    "R-P17": {"board_cards.stop"},
    "R-P18": {"board_cards.swap"},
    "R-P19": "about who is asked: a lesson asks its learner alone",
    "R-P20": "the board shows it beside every stock",
}

#: How many rulings the rules pages have, by letter; their numbers run through (the classic game's and the fan cards' too).
RULINGS = {"A": range(1, 4), "B": range(1, 22), "C": range(1, 6), "F": range(7), "O": range(1, 7), "P": range(1, 21)}

#: The rules that no step of a lesson shows happening, and why.
NOT_SHOWN = {
    # A lesson's tables are laid already; how they are dealt is said in words.
    *("AdvancedRule.KNOWN_CARDS", "BaronRule.SETUP", "BoardRule.SETUP", "BuffaloRule.SETUP", "EvenOddRule.SETUP"),
    *("JumpingCowRule.SETUP", "MountainRule.SETUP"),
    # They say what may not be: nothing happens by them. Questions ask about the row they leave.
    *("ClassicRule.ASCENDING", "EvenOddRule.PARITY", "JumpingCowRule.COUNTS", "MountainRule.DESCENDING"),
    *("BoardRule.PLAY_TWO_FIELD", "BoardRule.BEFORE_PLACING"),
    # Ends that other ends are taught for, and a tie that is shared.
    *("ClassicRule.ROUNDS", "ClassicRule.TIE"),
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
        ("README.md", "twenty-two lessons about the rules and nine about probability"),
        ("tutorials/README.md", "twenty-two short lessons"),
        ("tutorials/README.md", "nine classroom lessons of 40 to 45 minutes"),
    ):
        assert says in (root / page).read_text(encoding="utf-8"), page
    assert len(rules_lessons()) == 22 and len(CLASSROOM) == 9
    lengths = {sum(plan.minutes) for number in CLASSROOM if (plan := find(number).plan) is not None}
    assert (min(lengths), max(lengths)) == (40, 45)


def test_which_rulings_are_taught_where() -> None:
    found: dict[str, set[str]] = {}
    for lesson in rules_lessons():
        for one in lesson.steps:
            for ruling in one.rulings:
                found.setdefault(ruling, set()).add(f"{lesson.name}.{one.name}")
    assert found == {ruling: steps for ruling, steps in TAUGHT.items() if isinstance(steps, set)}


def test_every_ruling_is_taught_or_has_a_reason() -> None:
    assert list(TAUGHT) == [f"R-{letter}{number}" for letter, numbers in RULINGS.items() for number in numbers]
    known = {ruling for game in all_games().values() for ruling in rulings_of(game)}
    assert known <= set(TAUGHT), "what the rules cite is on the list"


def rulings_of(game: type) -> set[str]:
    """The rulings that the rules of a game's chapter cite."""
    module = sys.modules[game.__module__]
    rules = [
        rule for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Rule) for rule in kind
    ]
    return {ruling for rule in rules for ruling in rule.rulings}


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
    more = step("experts_classic", "edition")
    (ended,) = [event for event in proof("experts_classic", "edition") if isinstance(event, RoundEnded)]
    assert ended.totals[0] == 66 and right("experts_classic", "edition") == "no"
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
    ten_and_four = {"en": ("ten", "four more"), "pl": ("dziesięć", "jeszcze cztery"), "cs": ("deset", "ještě čtyři")}
    for lang, figures in ten_and_four.items():
        assert all(figure in " ".join(words(lang)("advanced.deck").split()) for figure in figures)
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
    once = step("experts_classic", "once")
    assert once.state.round == 1 and once.state.position.sections["number_twister"] == "B"
    options = {"system": "classic", "players": 2, "rounds": 2, "fan_cards": ["number_twister"], "edition": "000"}
    usual = replace(once, game=from_options(options))
    assert len(usual.state.pending[0].options) > 10 == len(once.state.pending[0].options), "with it, cards go two ways"
    told = [" ".join(narrate(found.record.steps[-1])) for found in (once, usual)]
    say = words("en")
    assert say("fan.twisters_left", who="B") in told[0] and say("fan.twisters_dealt") not in told[0]
    assert say("fan.twisters_dealt") in told[1]


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
    every = step("baron_deck", "every_colour")
    assert isinstance(every.game, Baron)
    for baron in (52, 104):
        assert every.game.deck.bulls_in((baron,)) == 6
    assert asked("baron_deck", "every_colour").choices == ("@1", "@2", "@3", "@4", "@5")
    (drawn,) = [event for event in step("baron_deck", "draw").record.events if isinstance(event, HandsRefilled)]
    assert drawn.counts == (4, 4)


def test_bulls_in_hand_count_against_their_owner() -> None:
    end = asked("baron_variants", "good_end").proof[-1].state
    assert end.outcome is not None and end.outcome.winners == (0,) and end.hands == ((), (39,))
    game = end.game
    assert game.heads_in(end.piles[1]) > game.heads_in(end.piles[0]), "B would win but for the card in hand"
    assert end.totals[1] == game.heads_in(end.piles[1]) - game.heads_in((39,))


def test_the_score_stops_at_44() -> None:
    (scored,) = [e for e in proof("board", "limit") if isinstance(e, PointsScored) and e.seat == 0]
    assert (scored.points, scored.before, scored.after) == (3, 42, 44) and right("board", "limit") == "2"
    assert all(numbers(text)[:3] == [44, 44, 42] for text in said("board", "limit"))
    assert words("en")("board.scored_to_the_end", who="A", points="+3", total=44) in narrate(
        asked("board", "limit").proof[0]
    )
    red = question_of(next(one for one in rules_lesson("board").questions if one.name == "red"))
    assert {"−10", "0"} <= {
        str(one["label"]) for one in red.shown(film_for(red).describe, words("en")) if isinstance(one, dict)
    }


def test_two_ends_of_the_board_game() -> None:
    first = step("board", "refill")
    assert right("board", "refill") == "no" and first.state.turn + 1 == 12
    assert [len(hand) for hand in asked("board", "refill").proof[-1].state.hands] == [12, 12]
    end = asked("board_advanced", "left").proof[-1].state
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
    watched = step("board_advanced", "take_tiles")
    (take,) = [event for event in watched.record.events if isinstance(event, RowTaken)]
    assert {*take.cards} <= {*watched.state.hands[0]} and watched.state.totals[0] == 0
    assert "stops" in watched.record.steps[0].before.position.sections
    assert "stops" not in watched.state.position.sections and watched.state.rows[6] == (14,)


def test_a_card_without_a_colour_goes_under_the_pile() -> None:
    watched = step("baron_variants", "under")
    assert watched.state.position.sections["draw"] == "A 26"
    assert not [event for event in watched.record.events if isinstance(event, RowTaken)]


def test_clovers_give_luck_cards() -> None:
    scored = [event for event in step("board_luck", "clovers").record.events if isinstance(event, PointsScored)]
    lost = scored[0]
    assert (lost.before, lost.after, {*lost.clovers}) == (-2, -12, {-6, -12})
    assert all(numbers(text)[:4] == [2, 12, 6, 12] for text in said("board_luck", "clovers"))


def test_every_action_and_luck_card_is_asked_about() -> None:
    held = set()
    for name in ("board", "board_luck", "board_cards"):
        for one in rules_lesson(name).questions:
            if one.ask == "best":
                held |= {text for option in asked(name, one.name).choices for text in re.findall(r"[a-z_]{4,}", option)}
    assert held - {"pass"} == {card.value for card in (*Action, *Luck)}


@pytest.mark.parametrize("name", ["skip", "swap", "ascending", "start", "play_two"])
def test_a_tile_left_alone_would_cover_minus_seven(name: str) -> None:
    """Said in each of them; `start` only shows it."""
    state = step("board_cards", name).state
    _, events = state.choose({0: state.pending[0].read("!57:pass")})
    assert any(isinstance(event, FieldActed) and (event.tile, event.field) == (57, "-7") for event in events)


@pytest.mark.parametrize(
    "name",
    ["baron", "baron_deck", "baron_variants", "board", "board_luck", "board_advanced", "board_cards", "experts_board"],
)
def test_lessons_on_a_sample_deck_or_board_say_so(name: str) -> None:
    lesson = rules_lesson(name)
    for one in lesson.steps:
        game = one.game
        assert isinstance(game, Baron | BoardGame)
        # A board game without pieces of its own uses the sample pieces.
        assert game.deck.is_sample if isinstance(game, Baron) else game.layout.is_sample and game.pieces is None
    for lang, word in (("en", "samples"), ("pl", "przykładowe"), ("cs", "ukázkové")):
        assert word in words(lang)(f"{name}.{lesson.steps[0].name}"), lang


# What the rulings' steps show ----------------------------------------------------------------------------


def test_who_picks_first_moves_on() -> None:
    game = from_options({"system": "advanced", "players": 2, "rounds": 2})
    state = game.deal(1)
    assert list(state.pending) == [0] == list(step("advanced", "see").record.steps[0].before.pending)
    while state.round == 0:
        state, _ = state.choose({seat: usual_choice(state, seat) for seat in state.pending})
    assert list(state.pending) == [1]


def test_stopped_rows_take_nothing_and_are_not_taken() -> None:
    assert asked("buffalo_rows", "low_stopped").choices == ("@2", "@3", "@4")
    rows = asked("buffalo_rows", "buffalo_stopped").state.rows
    assert right("buffalo_rows", "buffalo_stopped") == "4" and rows[0] == (21,), "as cheap, and lower"
    state = asked("buffalo_rows", "one_each").state
    uses = [state.pending[TEAM].write(use) for use in state.pending[TEAM].options]
    assert not any(use.endswith("stop@3") for use in uses), "one Stop! on a row"


def test_how_many_cards_a_row_holds() -> None:
    assert not [event for event in step("buffalo_rows", "seven_insert").record.events if isinstance(event, RowTaken)]
    assert len(step("buffalo_rows", "seven_insert").state.rows[0]) == 6
    (take,) = [event for event in step("buffalo_rows", "push_end").record.events if isinstance(event, RowTaken)]
    assert take.seat == TEAM and len(take.cards) == 5 and step("buffalo_rows", "push_end").state.rows[0][0] == 29


def test_rows_that_were_emptied_are_filled_in_order() -> None:
    (placed, *_) = [event for event in proof("buffalo_rows", "emptied") if isinstance(event, CardPlaced)]
    assert (placed.card, placed.seat, placed.row) == (50, 2, 1)
    end = asked("buffalo_rows", "emptied").proof[-1].state
    assert BuffaloTable.of(end).seven_takes == (1,)
    filled = [event for event in step("buffalo_rows", "two_empty").record.events if isinstance(event, CardPlaced)]
    assert [(event.card, event.row) for event in filled][:2] == [(65, 2), (71, 0)]
    assert step("buffalo_rows", "two_empty").record.steps[2].before.rows[2] == (), "then a Push"


@pytest.mark.parametrize("name", ["swap_see", "first_see", "last_see", "sort_see", "second"])
def test_the_order_that_is_said_is_the_order_that_is_shown(name: str) -> None:
    lesson = "buffalo_rows" if name == "second" else "buffalo_order"
    found = step(lesson, name)
    shown = [event.card for played in found.record.steps for event in played.events if isinstance(event, CardPlaced)]
    told = [number for number in numbers(said(lesson, name)[0]) if number in shown]
    if name in ("sort_see", "second"):
        assert shown[: len(told)] == told and len(told) >= 2
    elif name == "first_see":
        assert shown.index(29) < shown.index(26)
    elif name == "last_see":
        assert found.state.queue[-1].card == 30 or shown.index(32) < shown.index(30)
    else:
        assert shown[0] != 25 and 25 in found.state.hands[0]


def test_nobody_swaps_in_the_last_turn() -> None:
    game = from_options({"system": "buffalo", "players": 2})
    state = game.from_position("5 | 30 | 60 | 95 ; A: 25 ; B: 61 ; buffalo: 35 ; specials: swap swap")
    assert state.choose({0: 25, 1: 61})[0].is_over


def test_equal_is_not_lower_and_equal_digits_change_nothing() -> None:
    assert right("number_twister", "equal") == "2" and step("number_twister", "equal").state.rows[2] == (42,)
    double = step("experts_classic", "double")
    assert question_of(replace(double, reveal={"A": "33", "B": "99"})).right == {right("experts_classic", "double")}


def test_the_deal_against_the_buffalo() -> None:
    start = step("buffalo", "deal").record.steps[0].before
    assert [len(hand) for hand in start.hands] == [10] * 3 and len(start.position.sections["buffalo"].split()) == 10
    assert step("buffalo", "deal").game.turns == 10 and len(BuffaloTable.of(start).up) == 2


def test_variants_of_the_baron() -> None:
    few = [event for event in step("experts_board", "few").record.events if isinstance(event, HandsRefilled)]
    assert [event.counts for event in few] == [(3, 1)]
    end = step("experts_board", "stuck").state
    assert end.is_over and any(end.hands), "cards are left, and the game is over"
    assert right("baron_variants", "colour_six") == "A 7" and right("baron_variants", "colour_counts") == "-"
    assert asked("baron_deck", "check1").choices == ("@1", "@2", "@3", "@4", "@5"), "104 fits every row, too"
    assert right("baron_deck", "check2") == "A B"


def test_fields_of_the_board() -> None:
    scored = [event for event in proof("board", "first_field") if isinstance(event, PointsScored) and event.seat == 0]
    assert [event.points for event in scored][-1] == 1 and len(scored) == 2, "the row, then the new row's first field"
    assert right("board", "red") == "-10"
    few = step("experts_board", "few_tiles")
    assert [len(play.plays) for play in few.record.events if isinstance(play, CardsRevealed)] == [2], "one each"
    row = few.state.rows[5]
    assert isinstance(few.game, BoardGame) and "two" in few.game.layout.rows[5] and row


def test_stacks_and_stocks_that_are_empty() -> None:
    held = step("experts_board", "empty_stack").state.position.sections["luck"]
    assert held.startswith("A positive_heads positive_heads")
    no_tile, tile = step("experts_board", "no_tile").state, step("board_advanced", "draw_tile").state
    assert (len(no_tile.hands[0]), len(tile.hands[0])) == (1, 2)
    assert step("board_advanced", "draw_action").state.position.sections["actions"] == "A skip"


def test_skips_and_starts() -> None:
    skipped = step("experts_board", "skipped_two").record.steps[0]
    assert skipped.before.rows[5][1] == EMPTY and [len(hand) for hand in skipped.state.hands] == [1, 1]
    assert right("experts_board", "two_skips") == "!57:pass"
    (five,) = [
        e for e in step("experts_board", "luck_start").record.events if isinstance(e, PointsScored) and e.seat == 0
    ]
    assert five.points == 5 and step("experts_board", "luck_start").state.rows[1] == (10, 50, 51)
    start = step("board_cards", "start").state
    assert any(start.pending[0].write(use) == "!57:start:4" for use in start.pending[0].options)
