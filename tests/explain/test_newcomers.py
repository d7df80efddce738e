"""A fan card and games without sentences or a second reading are described plainly, and nothing about them is proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import pytest

from nimmt_lab import Classic, Game, Record
from nimmt_lab.boards.tell import foretold
from nimmt_lab.engine.cards import Cards, Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.events import CardPlaced, Event, GameEnded, RoundStarted, RowTaken
from nimmt_lab.engine.outcome import Outcome
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import HasRows
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.explain import LANGUAGES, assess, explain, narrate, report, rule_name, turns, words
from nimmt_lab.explain.plain import plain
from nimmt_lab.explain.teller import Teller
from nimmt_lab.games import EvenOdd
from nimmt_lab.games.classic.fan_card import FanCard, Marker, Move, RowEnds
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.lessons import generate
from tests.catalogue import explained
from tests.support import random_record, refused

from .test_placement import SYSTEMS


class FenceRule(Rule):
    SETUP = ("fence.setup",)
    MOVE = ("fence.move",)


@dataclass(frozen=True, slots=True)
class FenceMarker(Marker):
    row: int


@value
class FenceMoved(Event):
    old_row: int
    row: int


@dataclass(frozen=True)
class Fence(FanCard[FenceMarker]):
    """Nothing higher than 60 may be added to the fenced row; each take moves the fence to the next row."""

    name: ClassVar[str] = "fence"
    marker: ClassVar[type[FenceMarker]] = FenceMarker
    setup_rule: ClassVar[Rule] = FenceRule.SETUP

    def setup(self, table: LiveTable, last_round: Marker | None, edition: str) -> FenceMarker:
        return FenceMarker(1)

    def closes(self, marker: FenceMarker, row: int, value: int) -> bool:
        return row == marker.row and value > 60

    def moves(self, marker: FenceMarker, table: RowEnds, row: int, *, took: bool) -> Move[FenceMarker] | None:
        return Move(FenceMarker((marker.row + 1) % len(table.ends))) if took else None

    def moved(self, old: FenceMarker, new: FenceMarker, table: RowEnds, row: int, *, took: bool) -> Event:
        return FenceMoved(FenceRule.MOVE, old.row, new.row)

    def read(self, text: str, table: LiveTable) -> FenceMarker:
        (word,) = self.read_words(text, "a row")
        return FenceMarker(self.read_row(word, table))


FENCED = Classic(players=2, fan_cards=(Fence(),))
#: Row 2 is fenced, so 70 fits nowhere: A takes a row, although 40 looks right.
SITUATION = "80 | 40 | 90 | 100 ; A: 70 98 ; B: 81 99 ; fence: 2"


def test_a_fan_card_without_sentences_is_told_plainly() -> None:
    opening = Record(FENCED, seed=1).opening[1]
    for lang in LANGUAGES:
        say = words(lang)
        parts = say.list(("fence", say("part.row", it=2)))
        laid = say("plain.event", kind=say("event.FanCardLaid"), rule="fence.setup", parts=parts)
        assert narrate(opening, lang)[-1] == laid
    record = Record(FENCED, ({0: 70, 1: 81}, {0: 0}), start=SITUATION)
    told = {lang: " ".join(sentence for step in record.steps for sentence in narrate(step, lang)) for lang in LANGUAGES}
    for lang in LANGUAGES:
        say = words(lang)
        assert say("taken.low", card=70, who="A", row=1, heads=say.count("heads", 3)) in told[lang]
        kind = say("plain.kind", kind="Fence moved")
        parts = say.list((say("part.old_row", it=2), say("part.row", it=3)))
        assert say("plain.event", kind=kind, rule="fence.move", parts=parts) in told[lang]


def test_what_it_closes_is_explained_in_general_words() -> None:
    record = Record(FENCED, ({0: 70, 1: 81}, {0: 0}), start=SITUATION)
    card = next(placement for placement in explain(turns(record)[0]) if placement.card == 70)
    assert card.text().startswith(words("en")("fan.closed", row=2, end=40) + " 70 ")
    assert card.row_now is None and card.options[1].looks_open and card.options[1].difference is None
    for lang in LANGUAGES:
        assert "{" not in report(record).to_text(lang)


@pytest.mark.parametrize("cards", [(Fence(),), (EvenOdd(), Fence())], ids=["alone", "mixed"])
def test_nothing_is_proved_about_it(cards: tuple[FanCard[Marker], ...]) -> None:
    """A second reading without the fence would call 70 safe, since row 2 seems to have room."""
    assert assess(Classic(players=2).from_position(SITUATION.partition(" ; fence")[0]), 0)[70].verdict.value == "safe"
    state = Classic(players=2, fan_cards=cards, combine_fan_cards=True).from_position(SITUATION)
    with refused(Unsupported, "engine.no_face", name="fence", face_name="hints"):
        assess(state, 0)
    assert foretold(state, 0, words("en", package="nimmt_lab.boards")) == {}


@dataclass(frozen=True)
class StrictEvenOdd(EvenOdd):
    """Builds on a card that has a second reading, but closes more rows."""

    def closes(self, marker: Marker, row: int, value: int) -> bool:
        return row == 0


def test_a_proof_is_not_inherited() -> None:
    state = Classic(players=2, fan_cards=(StrictEvenOdd(),)).from_position("1 | 20 | 30 | 40 ; A: 2 98 ; B: 50 99")
    with refused(Unsupported, "engine.no_face", name="even_odd", face_name="hints"):
        assess(state, 0)


# Games ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class FourTakes(Classic):
    """The classic game with rows of three."""

    name: ClassVar[str] = "four_takes"
    row_limit: int = 3


def test_a_sibling_is_told_by_its_own_rules_and_not_assessed() -> None:
    state = FourTakes(players=2).from_position("10 11 12 | 40 | 60 | 80 ; A: 13 98 ; B: 41 99")
    record = Record(state.game, ({0: 13, 1: 41},), start=str(state.position))
    card = explain(turns(record)[0])[0]
    for lang in LANGUAGES:
        say = words(lang)
        assert card.text(lang) == " ".join(
            (
                say("placed.only", card="13 (A)", row=1, end=12),
                say("taken.one_too_many", number=4, who="A", heads=say.count("heads", 9)),
                say("placed.starts", card=13, row=1),
            )
        )
    with refused(Unsupported, "engine.no_face", name="four_takes", face_name="hints"):
        assess(state, 0)
    assert foretold(state, 0, words("en", package="nimmt_lab.boards")) == {}
    losses = f"{words('en')('rule.classic.3')} 9"
    assert words("en")("report.lost", who="A", losses=losses) in report(record).to_text()


class FirstRowRule(Rule):
    FIRST = ("first_row.first",)


@dataclass(frozen=True, repr=False)
class FirstRow(Classic):
    """Every card that fits somewhere goes to the first row with a lower end."""

    name: ClassVar[str] = "first_row"
    joining_rule: ClassVar[Rule] = FirstRowRule.FIRST

    def row_for(self, table: HasRows, value: int) -> int | None:
        return next((row for row, cards in enumerate(table.rows) if cards[-1] < value), None)


def test_a_reason_is_given_only_where_it_is_the_reason() -> None:
    """13 is closer to 12, but goes to row 1 by a rule without words: the text must not claim that it is closest."""
    step = Step.of(FirstRow(players=2).from_position("10 | 12 | 60 | 80 ; A: 13 98 ; B: 81 99"), {0: 13, 1: 81})
    say = words("en")
    assert narrate(step)[1:] == (
        say("placed.difference", card="13 (A)", row=1, difference=3),
        say("placed.difference", card="81 (B)", row=1, difference=68),
    )
    assert {event.rule for event in step.events if isinstance(event, CardPlaced)} == {FirstRowRule.FIRST}


def test_a_game_that_finds_rows_in_another_way_has_no_closer_rows() -> None:
    """55 was meant for row 2, but 5 restarts row 1. Row 1 is not closer now, so nothing may say so or call it luck."""
    start = "60 | 12 | 50 | 80 ; A: 5 98 ; B: 55 99"
    record = Record(FirstRow(players=2), ({0: 5, 1: 55}, {0: 0}), start=start)
    card = next(placement for placement in explain(turns(record)[0]) if placement.card == 55)
    assert card.row == 0 and card.trap is None and card.luck == 0 and card.rule is FirstRowRule.FIRST
    assert card.text() == words("en")("placed.difference", card="55 (B)", row=1, difference=50)
    for row in report(record).rows:
        assert row.trap is None and row.kept == ()
    say = words("en", package="nimmt_lab.lessons")
    question = generate(FirstRow(players=2), "row", seed=1)
    wrong = [question.refute(text, say) for text in question.choices if text not in question.right]
    assert {out.said for out in wrong} == {say("wrong.other_row")}
    assert {out.rule for out in wrong} <= {FirstRowRule.FIRST, ClassicRule.FULL_ROW, ClassicRule.LOW_CARD}


@dataclass(frozen=True)
class Slide(Fence):
    """The marked row goes down."""

    name: ClassVar[str] = "slide"
    keeps_rows_ascending: ClassVar[bool] = False

    def closes(self, marker: FenceMarker, row: int, value: int) -> bool:
        return False

    def descends(self, marker: FenceMarker, row: int) -> bool:
        return row == marker.row

    def occupies(self, marker: FenceMarker, row: int) -> int:
        return 3 if row == marker.row else 0


def test_rows_that_it_turns_or_fills_are_told_in_general_words() -> None:
    game = Classic(players=2, fan_cards=(Slide(),))
    state = game.from_position("10 | 20 | 60 | 80 ; A: 15 98 ; B: 81 99 ; slide: 2")
    say = words("en")
    assert narrate(Step.of(state, {0: 15, 1: 81}))[1] == say("fan.wins_ties", card="15 (A)", row=2, end=20, other=10)
    state = game.from_position("10 | 20 19 | 60 | 80 ; A: 15 98 ; B: 81 99 ; slide: 2")
    closer = say("placed.closer", card="15 (A)", row=2, end=19, other=10)
    full = say("fan.full", who="A", heads=say.count("heads", 4))
    assert narrate(Step.of(state, {0: 15, 1: 81}))[1] == f"{closer} {full}"


class TowerRule(Rule):
    SETUP = ("towers.setup",)
    SHORTEST = ("towers.shortest",)
    TALL = ("towers.tall",)
    END = ("towers.end",)


@value
class TowerPraised(Event):
    """An event that only this game has."""

    seat: Seat
    row: int
    cards: Cards
    loudly: bool
    by: tuple[Seat, ...]


@dataclass(frozen=True, repr=False)
class Towers(Game):
    """A game without describe.py: a card goes onto the lower of two towers; the player who makes one three high takes
    it, and that is good."""

    name: ClassVar[str] = "towers"
    for_players: ClassVar[tuple[int, int]] = (2, 4)
    players: int

    @property
    def deck(self) -> Sequence[int]:
        return range(1, 41)

    @property
    def turns(self) -> int:
        return 4

    @property
    def places_in_row(self) -> int:
        return 3

    def heads_in(self, cards: Cards) -> int:
        return len(cards)

    def start_round(self, table: LiveTable) -> None:
        cards, table.rng = table.rng.shuffled(self.deck)
        table.hands = [self.sort_hand(cards[4 * seat : 4 * seat + 4]) for seat in range(self.players)]
        table.rows, table.stock = [(cards[30],), (cards[31],)], cards[32:]
        table.emit(RoundStarted(TowerRule.SETUP, 0, tuple(table.rows)))

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        table.reveal([Play.of(seat, card) for seat, card in answers.items() if isinstance(card, int)], TowerRule.SETUP)

    def go_on(self, table: LiveTable) -> None:
        while table.queue:
            play = table.queue.pop(0)
            row = min((0, 1), key=lambda row: len(table.rows[row]))
            table.put(play, row, TowerRule.SHORTEST)
            table.emit(
                TowerPraised(TowerRule.SHORTEST, play.seat, row, table.rows[row], len(table.rows[row]) > 2, (0, 1))
            )
            if len(table.rows[row]) >= self.places_in_row:
                table.take(play.seat, play.card, row, TowerRule.TALL, keep=(play.card,))
        if any(table.hands):
            for seat, hand in enumerate(table.hands):
                table.ask(seat, ChooseCard(TowerRule.SETUP, hand))
        else:
            table.totals = tuple(map(len, table.piles))
            table.outcome = Outcome.of(table.totals, max(table.totals), TowerRule.END, 1)
            table.emit(GameEnded(TowerRule.END, table.outcome))


def test_a_game_of_rules_alone_narrates_explains_and_reports() -> None:
    record = random_record(Towers(players=2), seed=3)
    assert record.outcome is not None
    summary = report(record)
    for lang in LANGUAGES:
        text = " ".join(sentence for step in record.steps for sentence in narrate(step, lang))
        assert "{" not in text and "{" not in summary.to_text(lang) and "towers.tall" in summary.to_text(lang)
    for step in record.steps:
        for event, sentence in zip(step.events, narrate(step), strict=True):
            if isinstance(event, TowerPraised):
                say = words("en")
                cards = ", ".join(map(str, event.cards))
                parts = ["AB"[event.seat], say("part.row", it=event.row + 1), say("part.cards", it=cards)]
                parts += ["loudly"] * event.loudly + ["by A, B"]
                told = {"kind": "Tower praised", "rule": "towers.shortest", "parts": ", ".join(parts)}
                assert sentence == say("plain.event", **told)
            elif isinstance(event, RowTaken):
                heads = words("en").count("heads", 2)
                taken = {"who": "AB"[event.seat], "row": event.row + 1, "heads": heads}
                assert sentence == words("en")("taken.field", cards=2, **taken)
    # The game does not say whether taking is good or bad, so the report lists it without calling it a loss.
    assert explained("report.took", who="A", losses="towers.tall 4").search(summary.to_text())
    assert not explained("report.lost").search(summary.to_text())
    assert len(summary.rows) == 8 and all(row.trap is None and row.luck == 0 for row in summary.rows)
    with pytest.raises(Unsupported, check=lambda error: error.key == "engine.no_face"):
        assess(record.opening[0], 0)


def test_a_rule_without_a_name_is_called_by_its_key() -> None:
    assert [rule_name(TowerRule.TALL, words(lang)) for lang in LANGUAGES] == ["towers.tall"] * 3


@pytest.mark.parametrize("name", SYSTEMS)
def test_plain_sentences_say_what_events_say(name: str) -> None:
    """Every event of every game has a plain sentence, with rows and seats as people count them and every place filled."""
    record = random_record(SYSTEMS[name], seed=2, choices=60)
    for lang in LANGUAGES:
        teller = Teller(words(lang), record.game)
        for event in record.events:
            sentence = plain(teller, event)
            assert sentence.endswith(".") and "{" not in sentence and "None" not in sentence
            assert rule_name(event.rule, teller.say) in sentence
            for part in fields(event):
                what = getattr(event, part.name)
                if part.name in ("row", "old_row", "taken_row") and what is not None:
                    assert f" {what + 1}" in sentence
                elif part.name == "seat":
                    assert f"{teller.who(what)}" in sentence
                elif part.name == "card":
                    assert f" {what}" in sentence
