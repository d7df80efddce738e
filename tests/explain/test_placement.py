"""Check the story of a turn against the engine, and the tips of the rulebooks."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic, Game, Record
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.inflect import Listing
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.rule import Rule
from nimmt_lab.explain import LANGUAGES, Placement, RowTrap, Turn, explain, narrate, turns, words
from nimmt_lab.explain.rows import ROWS, closest
from nimmt_lab.games import Baron, BoardGame, Buffalo
from nimmt_lab.games.baron.rules import BaronRule, CardTucked
from nimmt_lab.games.board_game.events import BoardRule
from nimmt_lab.games.buffalo.parts import BuffaloRule
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.games.jumping_cow.rules import JumpingCowRule
from nimmt_lab.games.jumping_cow.tell import CowTrap
from tests.support import FAN_CARDS, random_record

SYSTEMS: dict[str, Game] = {
    "classic": Classic(players=4),
    "classic-10": Classic(players=10),
    **{kind: Classic(players=5, fan_cards=(kind,)) for kind in FAN_CARDS},
    "all-fan-cards": Classic(players=4, fan_cards=FAN_CARDS, combine_fan_cards=True),
    "advanced": Advanced(players=3),
    "buffalo": Buffalo(players=4),
    "baron": Baron(players=4),
    "baron-colour": Baron(players=4, variant="colour_counts"),
    "baron-good": Baron(players=4, variant="bulls_are_good"),
    "board": BoardGame(players=4, luck=True),
    "board-advanced": BoardGame(players=4, mode="advanced", luck=True),
}
#: One of these messages is in the text when a rule decided.
SAYS = {
    ClassicRule.SMALLEST_DIFFERENCE: ("placed.closer", "placed.only", "placed.tie", "fan.wins_ties"),
    ClassicRule.FULL_ROW: ("taken.sixth", "taken.with_cow"),
    ClassicRule.LOW_CARD: ("taken.low",),
    BuffaloRule.LOW_CARD: ("taken.low",),
    BuffaloRule.BUFFALOS_LOW_CARD: ("taken.buffalos_low",),
    BuffaloRule.SEVEN_TAKES: ("taken.seventh",),
    BuffaloRule.INSERT: ("placed.inserted",),
    BuffaloRule.EMPTY_ROW: ("placed.empty_row",),
    BaronRule.COLOUR: ("placed.colour",),
    BaronRule.SIXTH_CARD: ("taken.sixth",),
    BaronRule.SIX_OF_A_COLOUR: ("taken.six_of_a_colour",),
    BaronRule.NO_COLOUR: ("taken.no_colour",),
    BaronRule.UNDER_THE_PILE: ("baron.tucked",),
}


def pattern(key: str, lang: str = "en") -> str:
    """A regular expression for a message with any values."""
    parts = string.Formatter().parse(words(lang).catalogue.message(key))
    return "".join(re.escape(text) + (".+?" if name is not None else "") for text, name, _, _ in parts)


def told(*messages: tuple[str, dict[str, object]], lang: str = "en") -> str:
    """These messages, one after the other."""
    say = words(lang)
    return " ".join(say(key, **parts) for key, parts in messages)


LATER = (JumpingCowRule.MAKES_SIX, BuffaloRule.FULL_ROW)


def engine_says(events: tuple[Event, ...]) -> list[tuple[int, int, int | None, Rule]]:
    """Seat, card, row and rule of every placement, from the events."""
    found: list[tuple[int, int, int | None, Rule]] = []
    takes: dict[int, Rule] = {}
    for event in events:
        if isinstance(event, RowTaken) and event.rule not in LATER:
            if isinstance(event.rule, BoardRule):  # a field acts after the tile is on it
                found[-1] = (*found[-1][:3], event.rule)
            else:
                takes[event.card] = event.rule
        elif isinstance(event, CardPlaced) and event.rule is not BoardRule.NEW_ROW:
            # In the board game a tile that was taken from a row may be placed twice in a turn.
            found.append((event.seat, event.card, event.row, takes.pop(event.card, event.rule)))
        elif isinstance(event, CardTucked):
            found.append((event.seat, event.card, None, event.rule))
    return found


def check_turn(turn: Turn, game: Game) -> int:
    """Check the whole story of a turn; return the number of placements."""
    placements = explain(turn)
    assert [(p.seat, p.card, p.row, p.rule) for p in placements] == engine_says(turn.events)
    events = turn.events
    told = [place for placement in placements for place in placement.places]
    assert told == sorted(set(told)), "each event is in one story, in its order"
    for placement in placements:
        assert [events[place] for place in placement.places] == list(placement.events)
        shown = events[placement.shown_at]
        assert isinstance(shown, (RowTaken, CardPlaced, CardTucked)) and shown.card == placement.card
    for placement in placements:
        check_placement(placement, game)
    for step in turn.steps:
        for lang in LANGUAGES:
            assert len(narrate(step, lang)) == len(narrate(step.events, lang)) == len(step.events)
    return len(placements)


def check_placement(placement: Placement, game: Game) -> None:
    if isinstance(game, (Classic, Buffalo)) and placement.rule not in (BuffaloRule.INSERT, BuffaloRule.EMPTY_ROW):
        # The row follows from what is said about the rows alone.
        fits = closest(placement.options)
        low = placement.rule in (ClassicRule.LOW_CARD, BuffaloRule.LOW_CARD, BuffaloRule.BUFFALOS_LOW_CARD)
        assert fits == (None if low else placement.row)
        if fits is not None:
            full = next(option.full for option in placement.options if option.row == fits)
            assert full == (placement.rule is not ClassicRule.SMALLEST_DIFFERENCE)
        assert bool(placement.taken) or placement.rule is ClassicRule.SMALLEST_DIFFERENCE
    texts = {lang: placement.text(lang) for lang in LANGUAGES}
    for text in texts.values():
        assert str(placement.card) in text and "{" not in text
        assert placement.row is None or f" {placement.row + 1}" in text
    for lang, text in texts.items():
        # Without the other events the story is the same and ends with the verdict.
        short, at = placement.text(lang, whole=False), placement.places.index(placement.shown_at)
        others = (*placement.events[:at], *placement.events[at + 1 :])
        assert len(short) <= len(text) and (short == text) == (not any(narrate(others, lang)))
    if placement.rule in SAYS:
        assert any(re.search(pattern(key), texts["en"]) for key in SAYS[placement.rule]), texts["en"]


def play_turns(game: Game, number: int, seed: int = 0) -> None:
    done = 0
    while done < number:
        seed += 1
        rng = Rng.from_seed(seed, stream=2)
        record = Record(game, seed=seed)
        steps: list[Step] = []
        state = record.final
        while state.pending and done < number:
            choices, rng = random_choices(state, rng)
            after, events = state.choose(choices)
            steps.append(Step(state, choices, events, after))
            state = after
            if not state.queue and steps:
                done += turn_over(steps, game)
                steps = []


def turn_over(steps: list[Step], game: Game) -> int:
    """Explain the steps of a turn, if cards were placed in them."""
    turn = Turn(steps[0].before.round, steps[0].before.turn, tuple(steps))
    if not any(isinstance(event, (CardPlaced, CardTucked)) for event in turn.events):
        return 0
    return 1 if check_turn(turn, game) else 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SYSTEMS)
def test_explanations_agree_with_the_engine(name: str) -> None:
    play_turns(SYSTEMS[name], 120)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_explanations_agree_with_the_engine_for_20000_turns(name: str) -> None:
    play_turns(SYSTEMS[name], 20_000, seed=1000)


@pytest.mark.parametrize("name", SYSTEMS)
def test_turns_of_a_record_hold_every_placement(name: str) -> None:
    record = random_record(SYSTEMS[name], seed=4, choices=150)
    found = [placement.card for turn in turns(record) for placement in explain(turn)]
    placed = [
        event.card
        for step in record.steps
        for event in step.events
        if isinstance(event, CardTucked) or (isinstance(event, CardPlaced) and event.rule.key != "board.new-row")
    ]
    assert found == placed
    labels = [(turn.round, turn.turn) for turn in turns(record)]
    assert labels == sorted(set(labels))


# The rulebooks' tips -------------------------------------------------------------------------------------


def default_of(decision: Decision) -> Choice:
    assert decision.default is not None
    return decision.default


def one_turn(position: str, *choices: dict[int, int], players: int = 2, **options: Any) -> dict[int, Placement]:
    game = Classic(players=players, **options)
    (turn,) = turns(Record(game, choices, start=position))
    return {placement.card: placement for placement in explain(turn)}


TIP_1 = "1 | 20 | 40 41 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99"
TIP_2 = "50 57 61 | 70 | 83 | 30 36 38 40 45 ; A: 62 99 ; B: 29 98"


def test_tip_1() -> None:
    card = one_turn(TIP_1, {0: 45, 1: 50})[45]
    assert (card.trap, card.met, card.row_now, card.row, card.rule) == (
        RowTrap.CLOSEST_ROW, True, 3, 3, ClassicRule.FULL_ROW,
    )  # fmt: skip
    assert [option.end for option in card.alternatives] == [1, 20, 41]
    for lang in LANGUAGES:
        say = words(lang)
        assert card.text(lang) == told(
            ("placed.closer", {"card": "45 (A)", "row": 4, "end": 42, "other": 41}),
            ("taken.sixth", {"who": "A", "heads": say.count("heads", 6)}),
            ("placed.starts", {"card": 45, "row": 4}),
            ("why.met", {"trap": say("trap.closest_row")}),
            lang=lang,
        )


@pytest.mark.parametrize(
    "position",
    [
        "1 | 20 | 40 41 | 36 37 38 42 ; A: 45 98 ; B: 50 99",  # row 4 is not full
        "1 | 20 | 40 43 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99",  # the other row is closer
        "46 | 47 | 6 7 8 9 41 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99",  # no row tempts
        "46 | 47 | 48 | 35 36 37 38 42 ; A: 45 98 ; B: 50 99",
    ],
)
def test_near_misses_of_tip_1(position: str) -> None:
    card = one_turn(position, {0: 45, 1: 50})[45]
    assert card.trap is None and not card.met


def test_tip_1_escaped() -> None:
    card = one_turn(TIP_1.replace("B: 50", "B: 44"), {0: 45, 1: 44})[45]
    assert (card.trap, card.met, card.luck) == (RowTrap.CLOSEST_ROW, False, 6)
    assert card.text().startswith(told(("why.taken_first", {"row": 4, "by": "44 (B)"})))


def test_tip_2() -> None:
    card = one_turn(TIP_2, {0: 62, 1: 29}, {1: 0})[62]
    assert (card.trap, card.met, card.row_now, card.row, card.rule) == (
        RowTrap.VANISHED_ROW, True, 0, 3, ClassicRule.FULL_ROW,
    )  # fmt: skip
    assert [(change.card, change.row, change.took) for change in card.changes] == [(29, 0, True)]
    for lang in LANGUAGES:
        say = words(lang)
        assert card.text(lang) == told(
            ("why.taken_away", {"card": 62, "row": 1, "by": "29 (B)"}),
            ("placed.closer", {"card": "62 (A)", "row": 4, "end": 45, "other": 29}),
            ("taken.sixth", {"who": "A", "heads": say.count("heads", 10)}),
            ("placed.starts", {"card": 62, "row": 4}),
            ("why.met", {"trap": say("trap.vanished_row")}),
            lang=lang,
        )


@pytest.mark.parametrize(
    ("position", "choices"),
    [
        ("50 57 61 | 70 | 83 | 36 38 40 45 ; A: 62 99 ; B: 29 98", [{0: 62, 1: 29}, {1: 0}]),  # row 4 not full
        ("50 57 61 | 70 | 52 54 | 30 36 38 40 45 ; A: 62 99 ; B: 29 98", [{0: 62, 1: 29}, {1: 0}]),  # closer row
        (TIP_2, [{0: 62, 1: 29}, {1: 1}]),  # the low card took another row
        ("50 57 61 | 70 | 1 | 30 36 38 40 45 ; A: 62 99 ; B: 29 98", [{0: 62, 1: 29}]),  # 29 is not low
        (TIP_2.replace("29", "63"), [{0: 62, 1: 63}]),  # no lower card at all
    ],
)
def test_near_misses_of_tip_2(position: str, choices: list[dict[int, int]]) -> None:
    assert not any(placement.met for placement in one_turn(position, *choices).values())


def test_filled_row() -> None:
    cards = one_turn("1 | 20 | 90 | 37 38 41 42 ; A: 45 98 ; B: 44 99", {0: 45, 1: 44})
    assert (cards[45].trap, cards[45].met, cards[44].trap) == (RowTrap.FILLED_ROW, True, None)
    assert cards[45].text("cs").startswith(told(("why.filled", {"row": 4, "cards": Listing([44])}), lang="cs"))


def test_diverted_to_its_good() -> None:
    """5 fits nowhere, but the lower 3 has started a row: luck, not a trap."""
    cards = one_turn("20 | 30 | 40 | 50 ; A: 5 98 ; B: 3 99", {0: 5, 1: 3}, {1: 2})
    assert (cards[5].trap, cards[5].met) == (RowTrap.DIVERTED, False)
    assert cards[5].text().endswith(told(("why.lucky", {"trap": words("en")("trap.diverted")})))
    assert cards[5].luck == 3  # every row had 3 heads


def test_marker_that_closes_the_row_now() -> None:
    """26 takes row 1, so the Mountain leaves row 4: 45 may no longer go down there, and row 3 takes it or has room."""
    position = "21 22 23 24 25 | 20 | {row} | 50 ; A: 45 98 ; B: 26 99 ; mountain: 4 up"
    for row, met in (("60", False), ("56 57 58 59 60", True)):
        card = one_turn(position.format(row=row), {0: 45, 1: 26}, fan_cards=("mountain",))[45]
        assert (card.row_now, card.row, card.trap, card.met) == (3, 2, RowTrap.CLOSED_ROW, met)
        assert card.text().startswith(told(("why.closed", {"card": 45, "row": 4})))


def test_even_odd_example() -> None:
    position = "31 | 40 44 48 50 52 | 92 | 85 ; A: 90 99 ; B: 95 98 ; even_odd: 4 odd"
    card = one_turn(position, {0: 90, 1: 95}, fan_cards=("even_odd",))[90]
    say = words("en")
    assert card.text() == told(
        ("why.only_odd", {"row": 4, "end": 85}),
        ("placed.closer", {"card": "90 (A)", "row": 2, "end": 52, "other": 31}),
        ("taken.sixth", {"who": "A", "heads": say.count("heads", 13)}),
        ("placed.starts", {"card": 90, "row": 2}),
        ("fan.even_odd_moved_odd", {"row": 1, "end": 31}),
        ("why.met", {"trap": say("trap.closest_row")}),
    )


def test_cow_that_makes_six() -> None:
    position = "3 | 20 21 22 23 24 | 101 | 50 53 ; A: 5 77 ; B: 103 99 ; jumping_cow: 1"
    card = one_turn(position, {0: 5, 1: 103}, fan_cards=("jumping_cow",))[5]
    assert (card.trap, card.met, card.rule, card.heads) == (CowTrap.COW_JUMP, True, ClassicRule.SMALLEST_DIFFERENCE, 10)
    assert told(("taken.cow", {"row": 2, "who": "A", "heads": words("en").count("heads", 10)})) in card.text()


def test_names_are_used_as_given() -> None:
    step = Record(Classic(players=2), ({0: 45, 1: 50},), start=TIP_1).steps[0]
    say = words("pl")
    assert narrate(step, "pl", {0: "Ola", 1: "Jan"})[:2] == (
        say("table.revealed", turn=9, plays="Ola 45, Jan 50"),
        told(
            ("placed.closer", {"card": "45 (Ola)", "row": 4, "end": 42, "other": 41}),
            ("taken.sixth", {"who": "Ola", "heads": say.count("heads", 6)}),
            lang="pl",
        ),
    )


def test_buffalo_and_team_have_names() -> None:
    from nimmt_lab.engine.cards import TEAM
    from nimmt_lab.games.buffalo.uses import Pass, Stop

    position = "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; buffalo: 25 90 ; specials: stop push"
    state = Buffalo(players=2).from_position(position)
    steps = []
    made: list[dict[int, Choice]] = [{0: 61, 1: 71}, {TEAM: Stop(row=1)}, {TEAM: Pass()}]
    for choices in made:
        steps.append(Step.of(state, choices))
        state = steps[-1].state
    first = explain(steps)[0]
    say = words("en")
    assert first.text() == told(
        ("buffalo.used", {"card": 25, "kind": say("special.stop")}),
        ("buffalo.stopped", {"row": 2}),
        ("why.stopped", {"row": 2, "end": 22}),
        ("placed.only", {"card": "25 (Buffalo)", "row": 1, "end": 18}),
        ("taken.sixth", {"who": "Buffalo", "heads": say.count("heads", 7)}),
        ("placed.starts", {"card": 25, "row": 1}),
        ("why.met", {"trap": say("trap.closed_row")}),
    )


def test_a_row_that_7_takes_has_left_is_taken_by_its_sixth_card_again() -> None:
    """All in one turn: 16 takes row 1 as its seventh card, 17 to 20 fill it, and 21 is its sixth card."""
    position = (
        "10 11 12 13 14 15 | 100 | 101 | 102 ; A: 16 30 ; B: 17 31 ; C: 18 32 ; D: 19 33 ; E: 20 34 ; F: 21 35 ; "
        "buffalo: 90 91 ; seven_takes: 1"
    )
    state = Buffalo(players=6).from_position(position)
    steps = [Step.of(state, dict(enumerate(range(16, 22))))]
    while steps[-1].state.queue:
        state = steps[-1].state
        steps.append(Step.of(state, {seat: default_of(asked) for seat, asked in state.pending.items()}))
    cards = {placement.card: placement for placement in explain(steps)}
    assert cards[16].rule is BuffaloRule.SEVEN_TAKES and re.search(pattern("taken.seventh"), cards[16].text())
    assert not cards[20].options[0].full and cards[21].options[0].full
    assert cards[21].rule is ClassicRule.FULL_ROW and re.search(pattern("taken.sixth"), cards[21].text())
    assert (cards[21].trap, cards[21].row_now) == (RowTrap.FILLED_ROW, 0)


def test_the_cow_is_named_only_where_she_has_come_to_take_up_a_place() -> None:
    """5 joins the cow, which jumps to row 2 with its four cards, so 30 finds no room. If another card had sent the cow
    on from there, cards alone would fill the row."""
    position = "3 | 20 21 22 23 | 101 | 90 ; A: 5 77 ; B: 30 99 ; jumping_cow: 1"
    card = one_turn(position, {0: 5, 1: 30}, fan_cards=("jumping_cow",))[30]
    assert (card.trap, card.met) == (RowTrap.FILLED_ROW, True)
    assert card.text().startswith(
        told(
            ("why.cow_came", {"row": 2}),
            ("placed.closer", {"card": "30 (B)", "row": 2, "end": 23, "other": 5}),
            ("taken.with_cow", {"who": "B", "heads": words("en").count("heads", card.heads)}),
        )
    )
    position = "3 | 20 21 22 | 101 | 90 ; A: 5 77 ; B: 24 99 ; C: 25 78 ; D: 30 79 ; jumping_cow: 1"
    state = Classic(players=4, fan_cards=("jumping_cow",)).from_position(position)
    cards = {placement.card: placement for placement in explain(Step.of(state, {0: 5, 1: 24, 2: 25, 3: 30}))}
    assert cards[30].trap is RowTrap.FILLED_ROW and "cow" not in cards[30].text().partition("30 (D)")[0]
    assert cards[30].text().startswith(told(("why.filled", {"row": 2, "cards": "24, 25"})) + " 30 (D)")


def test_a_cow_that_stood_there_before_has_not_come() -> None:
    game = Classic(players=2, fan_cards=("jumping_cow",))
    here, there = (
        game.from_position(f"3 | 20 21 22 23 | 101 | 90 ; A: 5 77 ; B: 30 99 ; jumping_cow: {row}") for row in (1, 2)
    )
    filled = ROWS.of(game).filled
    assert list(filled(here, there, 1)) == ["why.cow_came"] and list(filled(there, there, 1)) == []


def test_a_special_card_belongs_to_the_card_it_was_used_before() -> None:
    from nimmt_lab.engine.cards import TEAM
    from nimmt_lab.games.buffalo.uses import Stop

    position = "10 | 40 42 | 60 | 70 ; A: 11 80 ; B: 71 81 ; buffalo: 45 90 ; specials: stop push"
    state = Buffalo(players=2).from_position(position)
    steps = [Step.of(state, {0: 11, 1: 71})]
    while steps[-1].state.queue:
        state = steps[-1].state
        use = Stop(row=1) if state.queue[0].card == 45 and len(steps) == 2 else default_of(state.pending[TEAM])
        steps.append(Step.of(state, {TEAM: use}))
    first, second, _ = explain(steps)
    assert first.text() == told(("placed.only", {"card": "11 (A)", "row": 1, "end": 10}))
    assert second.text().startswith(told(("buffalo.used", {"card": 45, "kind": words("en")("special.stop")})))
