"""What the players of a folder of games tend to do: your opponents' habits, and your own.

Nothing is judged here: habits are counts of what was played, each out of the times it could have been. Choices from
hands that are unknown, and forced ones, are left out.

>>> from nimmt_lab import Classic
>>> from nimmt_lab.bots import record
>>> found = habits([record(Classic(players=3, rounds=1), ["lowest", "highest", "random"], seed=1)])
>>> found["A"].lowest, found["B"].highest, found["A"].cards
(1.0, 1.0, 9)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.notes_text import record_of
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.engine.view import View

from .many import game_files

__all__ = ["Habit", "Habits", "habits"]


@dataclass
class Habit:
    """One player's counts over all games."""

    games: int = 0
    #: Cards chosen from two or more, and how many of them were the lowest and the highest of the hand.
    cards: int = 0
    lowest_cards: int = 0
    highest_cards: int = 0
    #: Cards lower than every row, and cards for a full row, as the table was when they were chosen.
    low_cards: int = 0
    sixth_cards: int = 0
    #: Rows chosen for low cards, and how many of them had the fewest heads.
    rows: int = 0
    cheapest_rows: int = 0
    #: First cards of rounds, and their sum.
    openings: int = 0
    opening_sum: int = 0

    @property
    def lowest(self) -> float | None:
        return _share(self.lowest_cards, self.cards)

    @property
    def highest(self) -> float | None:
        return _share(self.highest_cards, self.cards)

    @property
    def low(self) -> float | None:
        return _share(self.low_cards, self.cards)

    @property
    def sixth(self) -> float | None:
        return _share(self.sixth_cards, self.cards)

    @property
    def cheapest(self) -> float | None:
        return _share(self.cheapest_rows, self.rows)

    @property
    def opening(self) -> float | None:
        return _share(self.opening_sum, self.openings)

    def add(self, view: View, choice: object) -> None:
        """Count a choice that was not forced."""
        decision = view.decision
        if isinstance(decision, ChooseRow) and isinstance(choice, int):
            heads = {row: view.game.heads_in(view.rows[row]) for row in decision.options if row < len(view.rows)}
            if choice in heads:
                self.rows += 1
                self.cheapest_rows += heads[choice] == min(heads.values())
        if isinstance(decision, ChooseCard) and isinstance(choice, int) and view.rows and choice in view.hand:
            self.cards += 1
            self.lowest_cards += choice == min(view.hand)
            self.highest_cards += choice == max(view.hand)
            home = view.game.home_row(view, choice)
            self.low_cards += home is None
            self.sixth_cards += home is not None and len(view.rows[home]) >= view.game.places_in_row
            if view.turn == 0:
                self.openings += 1
                self.opening_sum += choice


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


class Habits(Shown, dict[str, Habit]):
    """Habits by player's name (the seat's letter without one)."""

    #: Files of a folder that could not be read, with the reason.
    problems: tuple[tuple[str, str], ...] = ()

    def sheet(self) -> Sheet:
        columns = ("", "games", "lowest card", "highest card", "low card", "full row", "cheapest row", "first card")
        lines = []
        for name, one in self.items():
            shares = (one.lowest, one.highest, one.low, one.sixth, one.cheapest)
            shown = ("" if share is None else f"{share:.0%}" for share in shares)
            lines.append(Figure((name, str(one.games), *shown, "" if one.opening is None else f"{one.opening:.0f}")))
        note = "How often each player chose such a card or row, out of all choices that were not forced."
        return Sheet(
            "Habits", [Figures(columns, lines)], notes=[note, *(f"{name}: {why}" for name, why in self.problems)]
        )

    __str__ = Shown.__str__
    __repr__ = Shown.__str__


def habits(games: str | os.PathLike[str] | Iterable[Record | str | os.PathLike[str]]) -> Habits:
    """Count what each player of a folder of games, or of some records or files, tends to do."""
    found, problems = Habits(), list[tuple[str, str]]()
    for record in records_of(games, problems):
        counted: set[str] = set()
        for step in record.steps:
            for seat, choice in step.choices.items():
                if seat >= 0 and seat not in record.hidden:
                    name = player_name(record, seat)
                    mine = found.setdefault(name, Habit())
                    mine.games += name not in counted
                    counted.add(name)
                    decision = step.before.pending[seat]
                    if len(decision.options) > 1:
                        mine.add(step.before.view(seat), choice)
    found.problems = tuple(problems)
    return found


def player_name(record: Record, seat: Seat) -> str:
    """The name of a seat's player: its letter without one."""
    return record.names.get(seat, seat_letter(seat))


def records_of(
    games: str | os.PathLike[str] | Iterable[Record | str | os.PathLike[str]], problems: list[tuple[str, str]]
) -> Iterator[Record]:
    """The records; unreadable files of a folder become problems, as one of them shouldn't hide all the others."""
    if isinstance(games, str | os.PathLike):
        for path in game_files(games):
            try:
                record = record_of(Path(path))
            except NimmtError as error:
                problems.append((Path(path).name, str(error)))
            else:
                yield record
    else:
        for game in games:
            yield game if isinstance(game, Record) else record_of(Path(game))
