"""Exercises of the classic game: safe cards, probabilities, and moves of fan cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final, cast

from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import random_choices, usual_choice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Verdict, assess
from nimmt_lab.explain.assess import HINTS
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.rows import comparing
from nimmt_lab.explain.teller import rule_text
from nimmt_lab.lessons.kinds import Row, on_show, rows_of
from nimmt_lab.lessons.question import ASKS, Asks, Kind, Option, PlayedOut, Question, Spot, moments, play_turn

from .rules import Classic, ClassicRule
from .tell import INFLUENCES

#: Deals sampled for an example in which a card takes.
TRIES: Final = 200


class ClassicRow(Row):
    """Which row does a card go to? Without variants only the closest lower end matters."""

    def hint(self, question: Question, say: Words) -> str:
        # A fan card may close or reverse a row, and a derived game may find rows differently.
        game = cast(Classic, question.state.game)
        closest = not game.fan_cards and comparing(game) is not None
        return say("hint.row_closest") if closest else super().hint(question, say)


class OfHand(Kind):
    """Questions about the cards in a hand, which take longer to settle than playing a turn."""

    open_hand: ClassVar[bool] = True
    tries: ClassVar[int] = 60

    def spot(self, state: GameState, choices: Mapping[Seat, Choice], pick: int) -> Spot:
        seat = pick % state.game.players
        hand = state.hands[seat]
        return Spot(state, seat=seat, card=hand[pick // 7 % len(hand)])

    def level(self, state: GameState, choices: Mapping[Seat, Choice]) -> int:
        full = sum(len(row) >= state.game.places_in_row - 1 for row in state.rows)
        return 1 + min(2, full)

    def rule_hint(self, question: Question, say: Words) -> str:
        return rule_text(ClassicRule.FULL_ROW, say, question.state.game)


class Safe(OfHand):
    """Which card of this hand takes nothing, whatever the others play?"""

    name: ClassVar[str] = "safe"

    def ask(self, spot: Spot) -> Question:
        assessed = assess(spot.state.view(spot.seat))
        cards = {choice: card for choice, card in assessed.items() if isinstance(choice, int)}
        if spot.state.queue or not all(card.proved for card in cards.values()):
            raise PositionError("classic.what_asked_must")
        right = frozenset(str(choice) for choice, card in cards.items() if card.verdict is Verdict.SAFE)
        if not right or len(right) == len(cards):
            raise PositionError("classic.some_cards_must")
        return Question(self, spot.state, spot.seat, tuple(Option(str(card), card=card) for card in cards), right)

    def why(self, question: Question, said: str, say: Words) -> str:
        return assess(question.state.view(question.seat))[int(said)].text(say.lang)

    def refute(self, question: Question, said: str, say: Words) -> PlayedOut:
        """Play a turn with cards of the others that make the card take."""
        told = self.why(question, said, say)
        view, rng = question.state.view(question.seat), Rng.from_seed(int(said), stream=8)
        for _ in range(TRIES):
            choice, rng = rng.below(1 << 30)
            state = guess(view, Rng.from_seed(choice))
            choices, rng = random_choices(state, rng)
            steps = play_turn(state, {**choices, question.seat: int(said)})
            takes = [event for step in steps for event in step.events if isinstance(event, RowTaken)]
            bite = next((event for event in takes if event.card == int(said)), None)
            if bite is not None:
                return PlayedOut(steps, None, bite.rule, f"{told} {say('wrong.may_happen')}")
        return PlayedOut(said=told)


class Chance(OfHand):
    """Two players: among the cards the other one may play, how many make a seat take a row with its card?"""

    name: ClassVar[str] = "chance"

    def ask(self, spot: Spot) -> Question:
        state = spot.state
        if state.game.players != 2 or not state.game.hidden_hands:
            raise RulesError("classic.chance_one_hidden")
        unseen = state.view(spot.seat).unseen
        causes = tuple(unknown for unknown in unseen if _takes(state, spot.seat, spot.card, unknown))
        count, most = len(causes), len(unseen)
        spread = {count, 0, most, most - count, count // 2, (count + most) // 2, min(count + 3, most)}
        near = sorted(spread, key=lambda number: (number != count, abs(number - count), number))[:5]
        options = tuple(Option(str(number)) for number in sorted(near))
        return Question(self, state, spot.seat, options, frozenset({str(count)}), spot.card, cards=causes)

    def prompt(self, question: Question, say: Words) -> str:
        who, unseen = say.who(question.seat), len(question.state.view(question.seat).unseen)
        return say("ask.chance", card=question.card, who=who, all=unseen)

    def why(self, question: Question, said: str, say: Words) -> str:
        if said not in question.right or not question.cards:
            return ""
        return say("label.with_cards", cards=say.list(question.cards))

    def refute(self, question: Question, said: str, say: Words) -> PlayedOut:
        """Play the turn with one of the cards left out or wrongly included."""
        state, seat = question.state, question.seat
        few = int(said) < len(question.cards)
        others = [card for card in state.view(seat).unseen if card not in question.cards]
        card = min(question.cards if few else others, key=lambda card: (abs(card - question.card), card))
        turn = play_turn(*_with(state, seat, question.card, card))
        takes = [event for step in turn for event in step.events if isinstance(event, RowTaken) and event.seat == seat]
        text = say("wrong.too_few_cards" if few else "wrong.too_many_cards", card=card, who=say.who(seat))
        return PlayedOut(turn, None, takes[0].rule if takes else None, text)

    def label(self, question: Question, option: Option, say: Words) -> str:
        unseen = len(question.state.view(question.seat).unseen)
        return say("label.chance_of", count=option.text, all=unseen)


def _with(state: GameState, seat: Seat, card: Card, unknown: Card) -> tuple[GameState, dict[Seat, Choice]]:
    """Give that card to the other player and play both."""
    other = 1 - seat
    hands = list(state.hands)
    hands[other] = tuple(sorted((*hands[other][1:], unknown)))
    decision = state.pending[other]
    assert isinstance(decision, ChooseCard)
    pending = {**state.pending, other: replace(decision, options=hands[other])}
    return replace(state, hands=tuple(hands), pending=pending), {seat: card, other: unknown}


def _takes(state: GameState, seat: Seat, card: Card, unknown: Card) -> bool:
    """Whether `seat` takes a row if the other player plays this card. A low card always takes."""
    held, choices = _with(state, seat, card, unknown)
    after, events = held.choose(choices)
    while True:
        if any(isinstance(event, RowTaken) and event.seat == seat for event in events):
            return True
        if not after.queue:
            return False
        (asked,) = after.pending
        if asked == seat:
            return True
        after, events = after.choose({asked: usual_choice(after, asked)})


class MarkerRow(Kind):
    """Beside which row does a fan card lie after the turn?"""

    name: ClassVar[str] = "marker"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        shown = on_show(steps)
        sections = steps[-1].state.position.sections
        if spot.marker not in sections:
            raise PositionError(
                "classic.no_lies_there", marker=repr(spot.marker), known=", ".join(sections) or "nothing"
            )
        right = frozenset({sections[spot.marker].split()[0]})
        asks, hints = (f"ask.marker_{spot.marker}",), (f"hint.marker_{spot.marker}",)
        return Question(self, shown, spot.seat, rows_of(shown), right, proof=steps, asks=asks, hints=hints)

    def why(self, question: Question, answer: str, say: Words) -> str:
        """Only a card that stays needs words of its own: there is no event about it."""
        moved = any(moment.state.extra != question.proof[0].before.extra for moment in moments(question.proof))
        return "" if moved else say("wrong.marker_stays", row=answer)

    def settled(self, question: Question) -> int | None:
        """The last change of the markers."""
        before, at = question.proof[0].before.extra, None
        for place, moment in enumerate(moments(question.proof)):
            if moment.event is not None and moment.state.extra != before:
                before, at = moment.state.extra, place
        return super().settled(question) if at is None else at


def exercises(game: Game) -> tuple[str, ...]:
    """Safe cards if the tutor can prove them, probabilities if one hidden card decides."""
    kinds = ["row", "takes"]
    proved = HINTS.find(game) is not None
    if proved and all(INFLUENCES.find(card) is not None for card in cast(Classic, game).fan_cards):
        kinds.append("safe")
    if game.players == 2 and game.hidden_hands:
        kinds.append("chance")
    return tuple(kinds)


ASKS.provide(Classic, Asks((ClassicRow(), Safe(), Chance(), MarkerRow()), exercises))
