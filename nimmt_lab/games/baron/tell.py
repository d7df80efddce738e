"""Narration and hints for Bull Baron, where colours decide and points are bulls."""

from __future__ import annotations

from typing import cast

from nimmt_lab.engine.cards import Card
from nimmt_lab.engine.decisions import Choice, ChooseRow
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.explain.assess import ASSESSES, Assessment, Verdict, Way
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.report import LOSSES, heads_taken
from nimmt_lab.explain.rows import ROWS, RowOption, RowReader
from nimmt_lab.explain.shared import one_too_many, placed_as, taken_as
from nimmt_lab.explain.teller import UNITS, Part, Teller, rule_name, tells, tells_by_rule

from .deck import COLOURS
from .rules import Baron, BaronRule, CardTucked, HandsRefilled
from .sweep import Colours, Fate, fates

#: All six colours as bits.
EVERY_COLOUR = 0b111111

UNITS.provide(Baron, "bulls")
UNITS.provide(BaronRule, "bulls")


class BaronRows(RowReader):
    """The player chooses among the rows that share a colour."""

    def compares_ends(self, game: Game) -> bool:
        return False

    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        game = cast(Baron, state.game)
        options = []
        for row, cards in enumerate(state.rows):
            matches = bool(game.deck.share(value, cards[-1]))
            full = game.taken_by(cards, value) is not None
            options.append(RowOption(row, cards[-1], 0 if matches else None, full, matches))
        return tuple(options)


ROWS.provide(Baron, BaronRows())
LOSSES.provide(Baron, heads_taken)


def six_of_a_colour(tell: Teller, event: RowTaken) -> str:
    if tell.before is None:
        return taken_as("taken.six_of_a_colour")(tell, event)
    return one_too_many(tell, event, "taken.six_of_a_colour", _where(tell, event))


def _where(tell: Teller, event: RowTaken) -> str:
    return tell.say("placed.colour", card=tell.card(event.seat, event.card), row=event.row + 1)


tells_by_rule(CardPlaced, {BaronRule.COLOUR: placed_as("placed.colour")})
tells_by_rule(
    RowTaken,
    {
        BaronRule.SIXTH_CARD: lambda tell, event: one_too_many(tell, event, path=_where(tell, event)),
        BaronRule.SIX_OF_A_COLOUR: six_of_a_colour,
        BaronRule.NO_COLOUR: taken_as("taken.no_colour"),
    },
)


tells(CardTucked, Part.PLACES)(lambda tell, event: tell.say("baron.tucked", card=tell.card(event.seat, event.card)))


@tells(HandsRefilled, Part.ENDS)
def hands_refilled(tell: Teller, event: HandsRefilled) -> str:
    drawn = [f"{tell.who(seat)} {count}" for seat, count in enumerate(event.counts) if count]
    return tell.say("baron.refilled", drawn=tell.say.list(drawn))


# Hints -------------------------------------------------------------------------------------------------------


@ASSESSES.provides(Baron)
def assessments(view: View) -> dict[Choice, Assessment]:
    """Assess the cards of a hand before the reveal, or the rows to choose from."""
    hints = _Hints(view)
    if isinstance(view.decision, ChooseRow):
        return {row: hints.row(view.decision, row) for row in view.decision.options}
    return {card: hints.card(card, fate) for card, fate in fates(view, view.hand, hints.others).items()}


class _Hints:
    def __init__(self, view: View) -> None:
        self.view, self.game = view, cast(Baron, view.game)
        self.colours = Colours(self.game)
        self.rows = [self.colours.row(row) for row in view.rows]
        self.others = sum(seat != view.seat for seat in view.asked)

    def card(self, card: Card, fate: Fate) -> Assessment:
        """A card before the reveal."""
        fitting = [at for at, row in enumerate(self.rows) if self.colours.fits(row, card)]
        taking = [at for at in fitting if self.colours.takes(self.rows[at], card)]
        put = [at for at in fitting if at not in taking]
        verdict = Verdict.RISK
        if fate.proved and fate.takes is None:
            verdict = Verdict.SAFE
        elif fate.proved and fate.spared is None:
            verdict = Verdict.TAKES
        risks = [fate.takes] if fate.takes is not None and verdict is Verdict.RISK else []
        good = self.game.bulls_are_good

        def own(say: Words) -> str:
            sentences = [say("baron.every")] if self.game.deck.colours(card) == EVERY_COLOUR else []
            if put:
                where = [say("baron.at", row=at + 1, colours=self.fullest(at, card, say)) for at in put]
                sentences.append(say("baron.fits", rows=say.list(where)))
            sentences += [self.taking(at, say) for at in taking]
            if not fitting:
                cheapest = min(range(len(self.rows)), key=lambda at: self.game.heads_in(self.view.rows[at]))
                key = "baron.nowhere_good" if good else "baron.nowhere"
                sentences.append(say(key, bulls=self.bulls(cheapest, say)))
            if good:
                known = {Verdict.TAKES: "baron.good_takes", Verdict.SAFE: "baron.good_nothing"}
                sentences.append(say(known.get(verdict, "baron.good_open")))
            return " ".join(sentences)

        rows = taking or put if good else put or taking
        return Assessment(
            card, card, rows[0] if rows else None, None, not put and bool(taking), (),
            tuple(row.end for row in self.rows), verdict, tuple(Way(None, *way) for way in risks),
            Way(None, *fate.spared) if fate.spared is not None and verdict is Verdict.RISK else None,
            len(self.view.unseen), self.others, fate.proved, _own=own, settled=good,
        )  # fmt: skip

    def row(self, decision: ChooseRow, row: int) -> Assessment:
        """A row for a card that is placed now, with no hidden information."""
        card = decision.card
        fits = self.colours.fits(self.rows[row], card)
        takes = not fits or self.colours.takes(self.rows[row], card)

        def own(say: Words) -> str:
            if not fits:
                return say("baron.takes_row", bulls=self.bulls(row, say))
            if takes:
                return self.taking(row, say)
            return say("baron.put", colours=self.fullest(row, card, say), count=len(self.view.rows[row]) + 1)

        return Assessment(
            card, card, row, None, takes and fits, (), tuple(row.end for row in self.rows),
            Verdict.TAKES if takes else Verdict.SAFE, (), None, 0, 0, _own=own, settled=True,
        )  # fmt: skip

    def taking(self, row: int, say: Words) -> str:
        """Say that a card takes the row, and why."""
        sixth = self.rows[row].length >= self.colours.limit
        rule = rule_name(BaronRule.SIXTH_CARD if sixth else BaronRule.SIX_OF_A_COLOUR, say)
        return say("baron.takes", row=row + 1, rule=rule, bulls=self.bulls(row, say))

    def bulls(self, row: int, say: Words) -> str:
        return say.count("bulls", self.game.heads_in(self.view.rows[row]))

    def fullest(self, row: int, card: Card, say: Words) -> str:
        """The colours of the card with the most bulls in that row, and their number."""
        cards = (*self.view.rows[row], card)
        bulls = {
            colour: sum(self.game.deck.bulls_of(other, letter) for other in cards)
            for letter, colour in COLOURS.items()
            if self.game.deck.bulls_of(card, letter)
        }
        most = max(bulls.values())
        return say.list(f"{say(f'look.baron.colour_{colour}')} {most}" for colour, n in bulls.items() if n == most)
