"""The table between two events of a step: rows and markers, kept up to date event by event.

States exist only where something is asked. Whoever explains a placement needs the table at that very moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.events import CardPlaced, Event, RoundStarted, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import Extra, GameState
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.buffalo.effects import row_limit
from nimmt_lab.games.buffalo.parts import (
    BuffaloTable,
    CardPushed,
    RowStopped,
    SevenTakesLaid,
    SevenTakesLeft,
    StopLifted,
)
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.games.classic.fan_card import FanCardLaid, Marker, Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.games.even_odd.rules import EvenOddMarker, EvenOddMoved
from nimmt_lab.games.jumping_cow.rules import CowJumped, CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker, MountainMoved
from nimmt_lab.games.number_twister.rules import CardTwisted, TwisterMarker


class RowOption(NamedTuple):
    """A row as a card finds it. `difference` is None where the row may not receive the card; `looks_open` says that
    its end alone would let it (the marker or the Stop! closes it)."""

    row: int
    end: Card
    difference: int | None
    full: bool
    looks_open: bool


class Follow:
    """A table that is moved on by events."""

    def __init__(self, state: GameState) -> None:
        self.game: Game = state.game
        self.rows: list[Cards] = list(state.rows)
        self.extra: Extra = state.extra

    def move_on(self, event: Event) -> None:
        """Let an event happen."""
        rows = self.rows
        match event:
            case CardPlaced(row=row, slot=slot, card=card):
                while len(rows) <= row:
                    rows.append(())
                rows[row] = rows[row][:slot] + (card,) + rows[row][slot:]
            case RowTaken(row=row, cards=cards):
                rows[row] = tuple(card for card in rows[row] if card not in cards)
            case CardPushed(card=card, old_row=old_row, row=row, slot=slot):
                rows[old_row] = tuple(other for other in rows[old_row] if other != card)
                rows[row] = rows[row][:slot] + (card,) + rows[row][slot:]
            case RoundStarted():
                self.rows = list(event.rows)
                if isinstance(self.game, Classic) and self.game.fan_cards:
                    self.extra = Markers()
            case FanCardLaid(marker=marker):
                self.extra = Markers((*Markers.of(self).all, marker))
            case EvenOddMoved(row=row, side=side):
                self._marker(EvenOddMarker(row, side))
            case MountainMoved(row=row, arrows=arrows):
                self._marker(MountainMarker(row, arrows))
            case CowJumped(row=row):
                self._marker(CowMarker(row))
            case CardTwisted(seat=seat):
                unused = Markers.of(self)[TwisterMarker].unused
                self._marker(TwisterMarker(tuple(other for other in unused if other != seat)))
            case RowStopped(row=row):
                extra = BuffaloTable.of(self)
                self.extra = replace(extra, stopped=(*extra.stopped, row))
            case StopLifted(row=row):
                extra = BuffaloTable.of(self)
                self.extra = replace(extra, stopped=tuple(other for other in extra.stopped if other != row))
            case SevenTakesLaid(row=row):
                extra = BuffaloTable.of(self)
                self.extra = replace(extra, seven_takes=(*extra.seven_takes, row))
            case SevenTakesLeft(row=row):
                extra = BuffaloTable.of(self)
                self.extra = replace(extra, seven_takes=tuple(other for other in extra.seven_takes if other != row))
            case _:
                pass

    def _marker(self, marker: Marker) -> None:
        self.extra = Markers.of(self).moved(marker)

    def has_choice_of_rows(self) -> bool:
        """Whether this game's rows are compared at all (the board game's fields are told as they act)."""
        return isinstance(self.game, (Classic, Buffalo, Baron))

    def compares_ends(self) -> bool:
        """Whether rule 2, the smallest difference, decides here."""
        return isinstance(self.game, (Classic, Buffalo))

    def options(self, value: int) -> tuple[RowOption, ...]:
        """Every row as a card of that value finds it now."""
        game = self.game
        found = []
        for row, cards in enumerate(self.rows):
            if not cards:
                continue
            end = cards[-1]
            if isinstance(game, Classic):
                goes_down = game.descends(self, row)
                option = RowOption(
                    row,
                    end,
                    game.difference(self, row, value),
                    game.is_full(self, row),
                    value < end if goes_down else value > end,
                )
            elif isinstance(game, Buffalo):
                extra = BuffaloTable.of(self)
                lower = end < value
                full = len(cards) >= row_limit(extra, row, game.places_in_row)
                option = RowOption(row, end, value - end if lower and row not in extra.stopped else None, full, lower)
            elif isinstance(game, Baron):
                matches = bool(game.deck.share(value, end))
                full = len(cards) >= game.row_limit and game.variant != "colour_counts"
                full = full or game.deck.reaches_six(cards, value)
                option = RowOption(row, end, 0 if matches else None, full, matches)
            else:
                continue
            found.append(option)
        return tuple(found)

    def row_for(self, value: int) -> int | None:
        """Where a card of that value goes now, if one row is the right one."""
        return closest(self.options(value), self.goes_down()) if not isinstance(self.game, Baron) else None

    def goes_down(self) -> int | None:
        """The row that descends, if any."""
        game = self.game
        if not isinstance(game, Classic):
            return None
        return next((row for row in range(len(self.rows)) if game.descends(self, row)), None)


def closest(options: Sequence[RowOption], goes_down: int | None = None) -> int | None:
    """Rule 2: of the rows that may receive the card, the one of the smallest difference; the Mountain's on a tie."""
    open_rows = [option for option in options if option.difference is not None]
    if not open_rows:
        return None
    return min(open_rows, key=lambda option: (option.difference, option.row != goes_down)).row
