"""The kinds of questions for every game: the engine plays the turn, and its events give the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from nimmt_lab.boards.describe import describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import Card, Seat, heads, seat_letter, seat_of_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, GameEnded, RoundEnded, RowTaken
from nimmt_lab.engine.inflect import signed
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import narrate
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.rows import RowOption, RowReader, comparing
from nimmt_lab.explain.teller import rule_text, unit

from .question import Kind, Option, PlayedOut, Question, Spot, general, moments, option_of, play_turn, worth

#: The answer "nobody" or "nothing".
NOTHING = "-"


def on_show(steps: tuple[Step, ...]) -> GameState:
    """The table with all cards revealed and none placed, if the turn starts with a reveal."""
    first = steps[0].moments[0]
    return first.state if isinstance(first.event, CardsRevealed) else steps[0].before


def happened(steps: Iterable[Step]) -> Iterable[Event]:
    return (event for step in steps for event in step.events)


def rows_of(state: GameState, also: Iterable[int] = ()) -> tuple[Option, ...]:
    """The rows that have cards, and some others, as options."""
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
                # A card may start an empty row.
                options = rows_of(shown, also=(event.row,))
                right = frozenset({str(event.row + 1)})
                return Question(self, shown, event.seat, options, right, spot.card, steps)
        raise PositionError("lessons.not_placed_before", card=spot.card)

    def spot(self, state: GameState, choices: Mapping[Seat, Choice], pick: int) -> Spot:
        placed = [event.card for event in state.choose(choices)[1] if isinstance(event, CardPlaced)]
        if not placed:
            raise PositionError("lessons.choice_comes_before")
        return Spot(state, choices, card=placed[pick % len(placed)])

    def settled(self, question: Question) -> int | None:
        # The first event of the card: it may take a row before starting it again.
        for at, moment in enumerate(moments(question.proof)):
            if isinstance(moment.event, (CardPlaced, RowTaken)) and moment.event.card == question.card:
                return at
        return None

    def _rows(self, question: Question) -> tuple[GameState, int, RowReader | None, tuple[RowOption, ...]]:
        """The table when the card is placed, its value, and the rows as the game reads them then."""
        at = self.settled(question)
        before = moments(question.proof)[at - 1].state if at else question.proof[0].before
        value = next((play.value for play in before.queue if play.card == question.card), question.card)
        reader = comparing(question.state.game)
        if reader is None:
            return before, value, None, ()
        return before, value, reader, reader.options(before, value)

    def rule_hint(self, question: Question, say: Words) -> str:
        """A full row is chosen like any other: by the smallest difference."""
        _, _, reader, options = self._rows(question)
        if reader is not None and reader.nearest and any(option.difference is not None for option in options):
            return rule_text(reader.nearest, say, question.state.game)
        return super().rule_hint(question, say)

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        """Place the cards before it, then look at the row that was named."""
        at = self.settled(question)
        before, value, reader, options = self._rows(question)
        if reader is None:
            return PlayedOut(question.proof, at, question.rule, say("wrong.other_row"))
        named = next((option for option in options if option.row == int(answer) - 1), None)
        # What counts is the number in play: a twisted 61 is 16.
        parts = {"row": answer, "card": value, "end": named.end if named else 0}
        if all(option.difference is None for option in options):
            return PlayedOut(question.proof, at, question.rule, say("wrong.fits_nowhere", **parts))
        if named is None:
            return PlayedOut(question.proof, at, question.rule, say("wrong.empty_row", **parts))
        if named.difference is not None:
            least = min(option.difference for option in options if option.difference is not None)
            key = "wrong.not_closest" if least < named.difference else "wrong.tie"
            text = say(key, **parts, difference=named.difference)
        elif named.looks_open:
            text = say(reader.closed(before, value, named), **parts)
        else:
            text = say("wrong.not_open", **parts)
        return PlayedOut(question.proof, at, reader.forbids(before, value, named), text)


@general
class Takes(Kind):
    """Who takes a row first, and how many heads are in it?"""

    name: ClassVar[str] = "takes"

    def prompt(self, question: Question, say: Words) -> str:
        own = f"ask.takes_{unit(question.state.game)}"
        return say(own) if say.has(own) else super().prompt(question, say)

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        shown = on_show(steps)
        takes = [event for event in happened(steps) if isinstance(event, RowTaken)]
        if steps[-1].state.pending and steps[-1].state.queue:
            raise PositionError("lessons.something_asked_before")
        right = f"{seat_letter(takes[0].seat)} {takes[0].heads}" if takes else NOTHING
        # Wrong answers: another card takes, or another row is taken.
        seats = [play.seat for play in shown.queue]
        if not seats:
            raise PositionError("lessons.no_card_waits")
        costs = sorted({shown.game.heads_in(row) for row in shown.rows if row})
        near = [f"{seat_letter(seat)} {takes[0].heads if takes else costs[-1]}" for seat in seats]
        near += [f"{seat_letter(takes[0].seat if takes else seats[0])} {count}" for count in costs]
        wrong = list(dict.fromkeys(text for text in near if text != right))[:4]
        options = tuple(
            map(Option, [*sorted({right, *wrong} - {NOTHING}, key=lambda text: (text[0], int(text[2:]))), NOTHING])
        )
        return Question(self, shown, seats[0], options, frozenset({right}), proof=steps)

    def label(self, question: Question, option: Option, say: Words) -> str:
        if option.text == NOTHING:
            return say("label.nobody")
        letter, count = option.text.split()
        return say(
            "label.who_heads",
            who=say.who(seat_of_letter(letter)),
            heads=say.count(unit(question.state.game), int(count)),
        )

    def why(self, question: Question, answer: str, say: Words) -> str:
        """Only a turn without a take needs words of its own: nothing on the board happens then."""
        return say("wrong.nobody_takes") if answer == NOTHING else ""

    def settled(self, question: Question) -> int | None:
        played = moments(question.proof)
        take = next((at for at, moment in enumerate(played) if isinstance(moment.event, RowTaken)), None)
        return super().settled(question) if take is None else take

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        """Show a card that is placed without taking a row, or play up to the first take."""
        played, at = moments(question.proof), self.settled(question)
        take = next((moment.event for moment in played if isinstance(moment.event, RowTaken)), None)
        if answer == NOTHING:
            return PlayedOut(question.proof, at, question.rule, say("wrong.somebody_takes"))
        letter = answer.split()[0]
        seat = seat_of_letter(letter)
        if take is not None and take.seat == seat:
            return PlayedOut(question.proof, at, question.rule, say("wrong.heads_of_row", who=say.who(seat)))
        narrated = [text for step in question.proof for text in narrate(step, lang=say.lang, names=say.names)]
        events = [moment.event for moment in played if moment.event is not None]
        for place, moment in enumerate(played if take is None else played[:at]):
            event = moment.event
            if isinstance(event, CardPlaced) and event.seat == seat:
                text = say("wrong.takes_nothing", who=say.who(seat), told=narrated[events.index(event)])
                return PlayedOut(question.proof, place + 1, event.rule, text)
        if take is None:
            text = say("wrong.takes_nothing", who=say.who(seat), told="").strip()
            return PlayedOut(question.proof, None, question.rule, text)
        return PlayedOut(question.proof, at, question.rule, say("wrong.not_first", who=say.who(seat)))


@general
class Best(Kind):
    """Which card, row or use of a special card is best, given the others' choices?"""

    name: ClassVar[str] = "best"

    def ask(self, spot: Spot) -> Question:
        state = spot.state
        if spot.seat not in state.pending:
            raise PositionError("lessons.not_asked_anything", who=seat_letter(spot.seat))
        decision = state.pending[spot.seat]
        texts = spot.options or tuple(decision.write(option) for option in decision.options[:24])
        turns: dict[str, tuple[Step, ...]] = {}
        options = []
        for text in texts:
            choice = decision.read(text)
            turns[text] = play_turn(state, {**spot.choices, spot.seat: choice})
            options.append(option_of(decision, choice, text))
        gained = {text: worth(steps, spot.seat) for text, steps in turns.items()}
        best = max(gained.values())
        right = frozenset(text for text, gain in gained.items() if gain == best)
        if len(right) == len(texts):
            raise PositionError("lessons.every_answer_good")
        proof = turns[next(text for text in texts if text in right)]
        given = {seat: choice for seat, choice in spot.choices.items() if seat != spot.seat}
        return Question(self, state, spot.seat, tuple(options), right, spot.card, proof, lines=turns, given=given)

    def prompt(self, question: Question, say: Words) -> str:
        state, game = question.state, question.state.game
        asked = say(self.sought(question))
        if question.given:
            others = [
                say("label.plays", who=say.who(seat), card=state.pending[seat].write(choice))
                for seat, choice in question.given.items()
            ]
            return " ".join([*others, asked])
        describe = describer(game, board_words(say.lang, say.names))
        return f"{describe.prompt(state, question.seat, state.pending[question.seat])} {asked}"

    def sought(self, question: Question) -> str:
        """The message that asks for the best."""
        game = question.state.game
        return "ask.best_most" if game.heads_are_good or game.more_is_better else "ask.best"

    def why(self, question: Question, answer: str, say: Words) -> str:
        """The value of the choice, which no other one exceeds."""
        points, unit_ = worth(question.lines[answer], question.seat), self._cost_unit(question)
        if unit_ is None:
            return say("wrong.best_worth", points=self._points(points, say))
        return say("wrong.best_costs", heads=say.count(unit_, -points)) if points else say("wrong.best_free")

    @staticmethod
    def _points(points: int, say: Words) -> str:
        """A gain or loss with its word: +1 point, −7 points."""
        return f"{signed(points)[: points != 0]}{say.count('points', abs(points))}"

    def _cost_unit(self, question: Question) -> str | None:
        """The counted word for what a choice costs, where a turn can only cost its player something."""
        game = question.state.game
        return None if question.seat < 0 or game.heads_are_good or game.more_is_better else unit(game)

    def settled(self, question: Question) -> int | None:
        """The first event that the choice causes."""
        played = moments(question.proof)
        events = [(at, moment.event) for at, moment in enumerate(played) if moment.event is not None]
        return next((at for at, event in events if self._follows(question, event)), events[0][0] if events else None)

    def _follows(self, question: Question, event: Event) -> bool:
        """Whether an event is more than the choice itself and the reveal."""
        if isinstance(event, (RowTaken, CardPlaced)):
            return True
        return not isinstance(event, CardsRevealed) and event.rule is not question.state.pending[question.seat].rule

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        """Play the choice to the end of the turn and say what it was worth."""
        steps = question.lines[answer]
        biting: list[Event] = [event for event in happened(steps) if isinstance(event, RowTaken)]
        biting = biting or [event for event in happened(steps) if self._follows(question, event)]
        points, unit_ = worth(steps, question.seat), self._cost_unit(question)
        if unit_ is None:
            text = say("wrong.worth", points=self._points(points, say))
        else:
            text = say("wrong.costs", heads=say.count(unit_, -points))
        return PlayedOut(steps, None, biting[0].rule if biting else None, text)

    def nearly(self, question: Question, say: Words) -> str:
        if len(question.options) > 2:
            return super().nearly(question, say)
        (wrong,) = [option for option in question.options if option.text not in question.right]
        other, points = self.worded(question, wrong, say), worth(question.lines[wrong.text], question.seat)
        if (unit_ := self._cost_unit(question)) is not None:
            return say("hint.cost_of", other=other, heads=say.count(unit_, -points))
        return say("hint.worth_of", other=other, points=self._points(points, say))


@general
class Heads(Kind):
    """How many heads are on a seat's cards? (Boards count the heads of rows themselves.)"""

    name: ClassVar[str] = "heads"

    def ask(self, spot: Spot) -> Question:
        cards = spot.state.hands[spot.seat]
        right = spot.state.game.heads_in(cards)
        return Question(self, spot.state, spot.seat, numbers(right, len(cards)), frozenset({str(right)}))

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        most = int(answer) > int(min(question.right))
        return PlayedOut(said=say("wrong.too_many" if most else "wrong.too_few"))

    def rule_hint(self, question: Question, say: Words) -> str:
        """The heads of a card, if these are cards of the classic deck."""
        game = question.state.game
        classic = all(game.heads_in((card,)) == heads(card) for card in question.state.hands[question.seat])
        return say("sheet.heads") if classic else ""

    def nearly(self, question: Question, say: Words) -> str:
        """All cards but the last, with their heads."""
        *most, (last, _) = self._one_by_one(question)
        return say("hint.all_but", cards=_listed(most), card=last)

    def why(self, question: Question, answer: str, say: Words) -> str:
        """Every card with its heads, and the sum."""
        cards = self._one_by_one(question)
        return say("wrong.together", cards=_listed(cards), sum=sum(heads for _, heads in cards))

    def _one_by_one(self, question: Question) -> list[tuple[Card, int]]:
        game = question.state.game
        return [(card, game.heads_in((card,))) for card in question.state.hands[question.seat]]


def _listed(cards: Sequence[tuple[Card, int]]) -> str:
    return "; ".join(f"{card}: {heads}" for card, heads in cards)


@general
class Score(Kind):
    """How many points does a seat gain or lose this turn?"""

    name: ClassVar[str] = "score"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        right = worth(steps, spot.seat)
        options = numbers(right, 0, -right)
        return Question(self, on_show(steps), spot.seat, options, frozenset({str(right)}), proof=steps)

    def label(self, question: Question, option: Option, say: Words) -> str:
        return signed(int(option.text))

    def settled(self, question: Question) -> int | None:
        before = question.proof[0].before.totals[question.seat]
        for at, moment in enumerate(moments(question.proof)):
            if moment.event is not None and moment.state.totals[question.seat] != before:
                return at
        return super().settled(question)

    def why(self, question: Question, answer: str, say: Words) -> str:
        """Every gain and loss of the seat, one after the other."""
        total, told = question.proof[0].before.totals[question.seat], []
        for at, moment in enumerate(moments(question.proof)):
            if moment.event is not None and moment.state.totals[question.seat] != total:
                total = moment.state.totals[question.seat]
                told.append(_said_at(question, at, say))
        return " ".join(told)

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        most = int(answer) > int(min(question.right))
        text = say("wrong.too_many_points" if most else "wrong.too_few_points")
        return PlayedOut(question.proof, self.settled(question), question.rule, text)


def numbers(right: int, *near: int) -> tuple[Option, ...]:
    """The right number among plausible ones."""
    offered = {right, *near}
    for further in (right + 1, right - 1, right + 2, right - 2):
        if len(offered) < 4 and (right < 0 or further >= 0):
            offered.add(further)
    return tuple(Option(str(number)) for number in sorted(offered))


class AtTheEnd(Kind):
    """A question that the totals after the turn settle."""

    def settled(self, question: Question) -> int | None:
        return ends_at(question)

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        return PlayedOut(question.proof, self.settled(question), question.rule, say("wrong.add_up"))

    def why(self, question: Question, answer: str, say: Words) -> str:
        """Everybody's totals, and what they lead to."""
        return f"{say('wrong.totals', totals=_totals(question, say))} {_said_at(question, self.settled(question), say)}"

    def nearly(self, question: Question, say: Words) -> str:
        return totals_then(question, say)


@general
class Winner(AtTheEnd):
    """Who wins after this last turn?"""

    name: ClassVar[str] = "winner"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        outcome = steps[-1].state.outcome
        if outcome is None:
            raise PositionError("lessons.game_not_over")
        right = " ".join(map(seat_letter, outcome.winners)) or NOTHING
        options = tuple(map(Option, dict.fromkeys(self.sides(spot.state))))
        return Question(self, on_show(steps), 0, options, frozenset({right}), proof=steps)

    def sides(self, state: GameState) -> list[str]:
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
class Over(AtTheEnd):
    """Is the game over after this last turn of the round?"""

    name: ClassVar[str] = "over"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        right = "yes" if steps[-1].state.is_over else "no"
        return Question(self, on_show(steps), 0, (Option("yes"), Option("no")), frozenset({right}), proof=steps)

    def label(self, question: Question, option: Option, say: Words) -> str:
        return say(f"choice.{option.text}")


def ends_at(question: Question) -> int | None:
    """The moment at which the game ends, otherwise the end of the round, otherwise the last one."""
    played = moments(question.proof)
    for kind in (GameEnded, RoundEnded):
        for at, moment in enumerate(played):
            if isinstance(moment.event, kind):
                return at
    return max((at for at, moment in enumerate(played) if moment.event is not None), default=None)


def totals_then(question: Question, say: Words) -> str:
    """Everybody's totals after the turn: one step from the answer."""
    return say("hint.totals", totals=_totals(question, say))


def _totals(question: Question, say: Words) -> str:
    state = question.proof[-1].state
    return "; ".join(
        f"{say.who(seat)}: {signed(total) if total < 0 else total}"
        for seat, total in zip(state.game.pile_seats, state.totals, strict=True)
    )


def _said_at(question: Question, at: int | None, say: Words) -> str:
    """The tutor's sentence about one moment of the proof."""
    played = moments(question.proof)
    if at is None or played[at].event is None:
        return ""
    sentences = [text for step in question.proof for text in narrate(step, lang=say.lang, names=say.names)]
    return sentences[sum(moment.event is not None for moment in played[:at])]
