"""The kinds of questions that can be asked of every game: the engine plays the turn, its events have the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from nimmt_lab.engine.cards import Seat, seat_letter, seat_of_letter
from nimmt_lab.engine.decisions import Choice, ChooseRow
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, RowTaken
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.teller import unit

from .question import Kind, Option, Question, Spot, general, play_turn, worth

#: An answer that names nobody and nothing.
NOTHING = "-"


def on_show(steps: tuple[Step, ...]) -> GameState:
    """The table with everybody's card turned up and none placed, where the turn begins with that."""
    first = steps[0].moments[0]
    return first.state if isinstance(first.event, CardsRevealed) else steps[0].before


def happened(steps: Iterable[Step]) -> Iterable[Event]:
    """Every event of some steps."""
    return (event for step in steps for event in step.events)


def rows_of(state: GameState, also: Iterable[int] = ()) -> tuple[Option, ...]:
    """The rows that have cards (and some others) as answers."""
    rows = {row for row, cards in enumerate(state.rows) if cards} | {*also}
    return tuple(Option(str(row + 1), row=row) for row in sorted(rows))


@general
class Row(Kind):
    """Which row does a card go to?"""

    name: ClassVar[str] = "row"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        shown = on_show(steps)
        for event in happened(steps):
            if isinstance(event, CardPlaced) and event.card == spot.card:
                # A card may start a row that was empty.
                options = rows_of(shown, also=(event.row,))
                right = frozenset({str(event.row + 1)})
                return Question(self, shown, event.seat, options, right, spot.card, steps)
        raise PositionError(f"{spot.card} is not placed before something else is asked")

    def spot(self, state: GameState, choices: Mapping[Seat, Choice], pick: int) -> Spot:
        placed = [event.card for event in state.choose(choices)[1] if isinstance(event, CardPlaced)]
        if not placed:
            raise PositionError("a choice comes before the first card lies")
        return Spot(state, choices, card=placed[pick % len(placed)])


@general
class Takes(Kind):
    """Who takes a row first, and how much is that?"""

    name: ClassVar[str] = "takes"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        shown = on_show(steps)
        takes = [event for event in happened(steps) if isinstance(event, RowTaken)]
        if steps[-1].state.pending and steps[-1].state.queue:
            raise PositionError("something is asked before all cards lie, so who takes is not settled")
        right = f"{seat_letter(takes[0].seat)} {takes[0].heads}" if takes else NOTHING
        # The wrong answers are what it would be if another card took, or another row were taken.
        seats = [play.seat for play in shown.queue]
        if not seats:
            raise PositionError("no card waits to be placed")
        heads = sorted({shown.game.heads_in(row) for row in shown.rows if row})
        near = [f"{seat_letter(seat)} {takes[0].heads if takes else heads[-1]}" for seat in seats]
        near += [f"{seat_letter(takes[0].seat if takes else seats[0])} {count}" for count in heads]
        wrong = list(dict.fromkeys(text for text in near if text != right))[:4]
        options = tuple(map(Option, [*sorted({right, *wrong} - {NOTHING}, key=_by_seat_and_heads), NOTHING]))
        return Question(self, shown, seats[0], options, frozenset({right}), proof=steps)

    def label(self, question: Question, option: Option, say: Words) -> str:
        if option.text == NOTHING:
            return say("label.nobody")
        letter, heads = option.text.split()
        return say(
            "label.who_heads",
            who=say.who(seat_of_letter(letter)),
            heads=say.count(unit(question.state.game), int(heads)),
        )


def _by_seat_and_heads(text: str) -> tuple[str, int]:
    letter, heads = text.split()
    return letter, int(heads)


@general
class Best(Kind):
    """Which card (way to play it, use of a special card, row to take) costs least, the others' choices given?"""

    name: ClassVar[str] = "best"

    def ask(self, spot: Spot) -> Question:
        state = spot.state
        decision = state.pending[spot.seat]
        texts = spot.options or tuple(decision.write(option) for option in decision.options[:24])
        turns: dict[str, tuple[Step, ...]] = {}
        options = []
        for text in texts:
            choice = decision.read(text)
            turns[text] = play_turn(state, {**spot.choices, spot.seat: choice})
            number = choice if isinstance(choice, int) else None
            is_row = isinstance(decision, ChooseRow)
            options.append(Option(text, number if is_row else None, None if is_row else number, choice))
        gained = {text: worth(steps, spot.seat) for text, steps in turns.items()}
        best = max(gained.values())
        right = frozenset(text for text, gain in gained.items() if gain == best)
        if len(right) == len(texts):
            raise PositionError("every answer is as good as the others")
        proof = turns[next(text for text in texts if text in right)]
        return Question(self, state, spot.seat, tuple(options), right, spot.card, proof)


@general
class Heads(Kind):
    """How many heads are on a seat's cards? (Boards count up rows by themselves.)"""

    name: ClassVar[str] = "heads"

    def ask(self, spot: Spot) -> Question:
        cards = spot.state.hands[spot.seat]
        right = spot.state.game.heads_in(cards)
        return Question(self, spot.state, spot.seat, numbers(right, len(cards)), frozenset({str(right)}))


@general
class Score(Kind):
    """How many points does a seat gain or lose this turn?"""

    name: ClassVar[str] = "score"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        right = worth(steps, spot.seat)
        options = numbers(right, 0, -right)
        return Question(self, on_show(steps), spot.seat, options, frozenset({str(right)}), proof=steps)


def numbers(right: int, *near: int) -> tuple[Option, ...]:
    """A number among others that come to mind."""
    found = {right, *near}
    for further in (right + 1, right - 1, right + 2, right - 2):
        if len(found) < 4 and (right < 0 or further >= 0):
            found.add(further)
    return tuple(Option(str(number)) for number in sorted(found))


@general
class Winner(Kind):
    """Who wins when this last turn is over?"""

    name: ClassVar[str] = "winner"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        outcome = steps[-1].state.outcome
        if outcome is None:
            raise PositionError("the game is not over")
        right = " ".join(map(seat_letter, outcome.winners)) or NOTHING
        options = tuple(map(Option, dict.fromkeys(self.sides(spot.state))))
        return Question(self, on_show(steps), 0, options, frozenset({right}), proof=steps)

    def sides(self, state: GameState) -> list[str]:
        """Who may win, alone or together."""
        players = [seat_letter(seat) for seat in range(state.game.players)]
        return [*players, " ".join(players)]

    def hint(self, question: Question, say: Words) -> str:
        return say("hint.over") if question.state.game.more_is_better else super().hint(question, say)

    def label(self, question: Question, option: Option, say: Words) -> str:
        if option.text == NOTHING:
            return say("label.nobody")
        who = " ".join(say.who(seat_of_letter(letter)) for letter in option.text.split())
        return say("label.everybody", who=who) if " " in option.text else who


@general
class GoesOn(Kind):
    """Is the game over when this last turn of the round is over?"""

    name: ClassVar[str] = "over"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        right = "yes" if steps[-1].state.is_over else "no"
        return Question(self, on_show(steps), 0, (Option("yes"), Option("no")), frozenset({right}), proof=steps)

    def label(self, question: Question, option: Option, say: Words) -> str:
        return say(f"choice.{option.text}")
