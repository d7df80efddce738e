"""After the turn: every placement explained. Where the card was meant to go, where it went, by which rule and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nimmt_lab.engine.cards import LAST_CARD, Card, Seat
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, GameEnded, RoundEnded, RoundStarted, RowTaken
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.baron.rules import CardTucked, HandsRefilled
from nimmt_lab.games.board_game.events import ActionPlayed, LuckPlayed
from nimmt_lab.games.buffalo.parts import BuffaloRule, SpecialUsed, StopLifted
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowJumped, JumpingCowRule
from nimmt_lab.games.number_twister.rules import CardTwisted

from .catalogue import words
from .follow import Follow, RowOption
from .teller import Teller
from .traps import Trap, trap_of, verdict_key


class Turn(NamedTuple):
    """One turn of a game: its steps (the reveal, then whatever had to be chosen), its round and number from 0."""

    round: int
    turn: int
    steps: tuple[Step, ...]

    @property
    def before(self) -> GameState:
        """The state in which the cards were chosen."""
        return self.steps[0].before

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened in it."""
        return tuple(event for step in self.steps for event in step.events)


def turns(record: Record) -> tuple[Turn, ...]:
    """The turns of a record, in order; picks of a draft are in none of them.

    >>> from nimmt_lab import Classic, Record
    >>> start = Classic(players=2, hand_size=2, rounds=1).deal(seed=1)
    >>> record = Record.from_play(start.game, 1, [{0: start.hands[0][0], 1: start.hands[1][0]}])
    >>> [(turn.turn, len(turn.steps)) for turn in turns(record)]
    [(0, 1)]
    """
    found: list[Turn] = []
    for step in record.steps:
        reveals = any(isinstance(event, CardsRevealed) for event in step.events)
        if reveals or (step.before.queue and not found):
            found.append(Turn(step.before.round, step.before.turn, (step,)))
        elif found and found[-1].steps[-1].state.queue:
            found[-1] = found[-1]._replace(steps=(*found[-1].steps, step))
    return tuple(found)


class Change(NamedTuple):
    """What an earlier card of the turn did to a row: was added to it, or took it and started it again."""

    seat: Seat
    card: Card
    row: int
    took: bool


@dataclass(frozen=True)
class Placement:
    """One placed card, explained. Rows count from 0."""

    seat: Seat
    card: Card
    #: What it counted as while it was placed.
    value: int
    #: Where it lies; None for a card that went under its player's draw pile.
    row: int | None
    #: The rule that decided.
    rule: Rule
    #: Where it would have gone on the table on which it was chosen; None if nowhere (or where rows are chosen).
    row_now: int | None
    #: Every row as the card found it when it was placed.
    options: tuple[RowOption, ...]
    #: What earlier cards of the turn did to the row now and to the actual row.
    changes: tuple[Change, ...]
    #: The cards its player took because of it, and their heads.
    taken: tuple[Card, ...]
    heads: int
    #: What taking would have cost had it been placed first: 0 for a card with room.
    heads_now: int
    #: The trap it met or got past.
    trap: Trap | None
    #: Everything that happened with it: special cards before it, its take, its place, what moved after it.
    events: tuple[Event, ...]
    #: What is to be told: the reasons (a message and its parts each), and the table before it.
    _reasons: tuple[tuple[str, Mapping[str, object]], ...]
    _table: Follow
    _values: Mapping[Card, int]
    #: How many of the events came before the card was placed.
    _first: int

    @property
    def alternatives(self) -> tuple[RowOption, ...]:
        """The other rows that could have received the card."""
        return tuple(
            option for option in self.options if option.difference is not None and option.row != self.row
        )

    @property
    def met(self) -> bool:
        """Whether it met the trap: it took cards."""
        return self.trap is not None and bool(self.taken)

    @property
    def avoided(self) -> bool:
        """Whether it got past the trap."""
        return self.trap is not None and not self.taken

    @property
    def luck(self) -> int:
        """Heads saved (or, below 0, lost) against what the table promised when the card was chosen."""
        return self.heads_now - self.heads if self._table.compares_ends() else 0

    def text(self, lang: str = "en", names: Mapping[Seat, str] | None = None) -> str:
        """The explanation in words."""
        say = words(lang, names)
        table = _copy(self._table)
        teller = Teller(say, table)
        teller.values = dict(self._values)
        sentences = [teller.tell(event) for event in self.events[: self._first]]
        sentences += [self._reason(key, parts, teller) for key, parts in self._reasons]
        sentences += [teller.tell(event) for event in self.events[self._first :]]
        if self.trap is not None:
            sentences.append(say(verdict_key(self.trap, met=self.met), trap=say(f"trap.{self.trap.value}")))
        return " ".join(sentence for sentence in sentences if sentence)

    def _reason(self, key: str, parts: Mapping[str, object], teller: Teller) -> str:
        told = {
            name: teller.card(part.seat, part.card) if isinstance(part, Change) else part
            for name, part in parts.items()
        }
        return teller.say(key, **told)


def explain(turn: Turn | Step | Sequence[Step]) -> tuple[Placement, ...]:
    """Every placement of a turn, in the order placed. A turn may span several steps: give all of them (see `turns`).

    >>> from nimmt_lab import Classic, Record
    >>> game = Classic(players=2, hand_size=2)
    >>> start = "50 57 61 | 70 | 83 | 35 36 38 40 45 ; A: 62 99 ; B: 29 98"
    >>> record = Record(game, ({0: 62, 1: 29}, {1: 0}), start=start)
    >>> low, card = explain(turns(record)[0])
    >>> card.row_now, card.row, card.trap, card.met
    (0, 3, <Trap.VANISHED_ROW: 'vanished_row'>, True)
    >>> print(card.text())  # doctest: +NORMALIZE_WHITESPACE
    62 was meant for row 1, but 29 (B) took that row. 62 (A) goes to row 4: 45 is closer than 29.
    Sixth card: A takes 9 heads. 62 starts row 4. Trap: vanished row.
    """
    steps = (turn,) if isinstance(turn, Step) else turn.steps if isinstance(turn, Turn) else tuple(turn)
    before = steps[0].before
    values = {play.card: play.value for play in before.queue}
    history = _History(Follow(before), Follow(before), [], set(), values)
    return tuple(history.explained(group) for group in _groups((e for step in steps for e in step.events), values))


#: What begins the story of the next card, although nothing has been placed yet.
_BEFORE_PLACING = (SpecialUsed, StopLifted, LuckPlayed, ActionPlayed)
#: What is no card's doing.
_NOT_PLACING = (CardsRevealed, CardTwisted, RoundEnded, RoundStarted, GameEnded, HandsRefilled)


def _groups(events: Iterable[Event], values: dict[Card, int]) -> list[list[Event]]:
    """The events of a turn, card by card. What the cards count as is noted on the way."""
    groups: list[list[Event]] = []
    placed: Card | None = None
    over = False
    for event in events:
        if isinstance(event, CardsRevealed):
            values.update((play.card, play.value) for play in event.plays)
        over = over or isinstance(event, (RoundEnded, GameEnded, HandsRefilled))
        if over or isinstance(event, _NOT_PLACING):
            continue
        card = event.card if isinstance(event, (CardPlaced, CardTucked)) else None
        low = isinstance(event, RowTaken) and event.rule not in _LATER_TAKES and event.card != placed
        next_card = low or isinstance(event, _BEFORE_PLACING) or card not in (None, placed)
        if not groups or (placed is not None and next_card):
            groups.append([])
            placed = None
        groups[-1].append(event)
        placed = card or placed
    # A turn that is not over may end in what was done before a card.
    return [group for group in groups if any(isinstance(event, (CardPlaced, CardTucked)) for event in group)]


#: Takes that are not the played card's own: they belong to the story they stand in.
_LATER_TAKES = (JumpingCowRule.MAKES_SIX, BuffaloRule.FULL_ROW)


@dataclass
class _History:
    """What has happened in the turn so far."""

    #: The table on which the cards were chosen, and the table now.
    chosen: Follow
    table: Follow
    changes: list[Change]
    #: The rows the cow has jumped into this turn.
    cow_rows: set[int]
    values: Mapping[Card, int]

    def explained(self, group: Sequence[Event]) -> Placement:
        """The story of one card; then it is history."""
        put = next(event for event in group if isinstance(event, (CardPlaced, CardTucked)))
        placing = (CardPlaced, CardTucked, RowTaken)
        at = next(i for i, event in enumerate(group) if isinstance(event, placing) and event.card == put.card)
        start = _copy(self.table)
        for event in group[:at]:
            self._happened(event)
        placement = self._placement(put, group, at, start)
        for event in group[at:]:
            self._happened(event)
        return placement

    def _happened(self, event: Event) -> None:
        if isinstance(event, RowTaken):
            self.changes.append(Change(event.seat, event.card, event.row, True))
        elif isinstance(event, CardPlaced) and event.slot:
            self.changes.append(Change(event.seat, event.card, event.row, False))
        elif isinstance(event, CowJumped):
            self.cow_rows.add(event.row)
        self.table.move_on(event)

    def _placement(self, put: CardPlaced | CardTucked, group: Sequence[Event], at: int, start: Follow) -> Placement:
        card = put.card
        value = self.values.get(card, card)
        takes = [event for event in group[at:] if isinstance(event, RowTaken) and event.card == card]
        game = self.table.game
        options = self.table.options(value)
        row_now = self.chosen.row_for(value)
        row = put.row if isinstance(put, CardPlaced) else None
        fits = any(option.row == row and option.difference is not None for option in options)
        trap, heads_now = None, 0
        if isinstance(game, (Classic, Buffalo)):
            first = self.chosen.options(value)
            was_full = any(option.full for option in first if option.row == row_now)
            trap = trap_of(
                row_now=row_now,
                was_full=was_full,
                tempted=any(option.looks_open and not option.full and option.row != row_now for option in first),
                row=row if fits else None,
                took=bool(takes),
                only_the_cow=bool(takes) and takes[0].rule is JumpingCowRule.MAKES_SIX,
                taken_before=any(change.took and change.row == row_now for change in self.changes),
                still_open=any(option.row == row_now and option.difference is not None for option in options),
            )
            heads_now = _heads_now(game, self.chosen, row_now, was_full)
        changes = tuple(change for change in self.changes if change.row in (row_now, row))
        return Placement(
            seat=put.seat,
            card=card,
            value=value,
            row=row,
            rule=takes[0].rule if takes and takes[0].rule not in _LATER_TAKES else put.rule,
            row_now=row_now,
            options=options,
            changes=changes,
            taken=tuple(taken for event in takes for taken in event.cards),
            heads=sum(event.heads for event in takes),
            heads_now=heads_now,
            trap=trap,
            events=tuple(group),
            _reasons=tuple(self._reasons(card, value, row, row_now, fits, trap, options)),
            _table=start,
            _values=self.values,
            _first=at,
        )

    def _reasons(
        self,
        card: Card,
        value: int,
        row: int | None,
        row_now: int | None,
        fits: bool,
        trap: Trap | None,
        options: Sequence[RowOption],
    ) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Why the card did not go where it was meant to, or took."""
        if row is None or not isinstance(self.table.game, (Classic, Buffalo)):
            return
        closed = self._closed(value, row if fits else None, options)
        takers = [change for change in self.changes if change.took and change.row == row_now]
        meant: dict[str, object] = {"card": card, "row": 0 if row_now is None else row_now + 1}
        if row_now is None:
            started = [change for change in self.changes if change.row == row]
            if fits and started:
                yield "why.started", {"card": card, "row": row + 1, "by": started[-1]}
        elif row != row_now or not fits:
            if takers:
                yield "why.taken_away", meant | {"by": takers[-1]}
            elif trap is Trap.DIVERTED:
                yield "why.diverted", meant | {"other": row + 1}
            elif row_now not in closed:
                yield "why.closed", meant
        elif trap is Trap.FILLED_ROW:
            added = [change.card for change in self.changes if change.row == row_now and not change.took]
            if added:
                yield "why.filled", {"row": row + 1, "cards": ", ".join(map(str, added))}
            if row in self.cow_rows:
                yield "why.cow_came", {"row": row + 1}
        elif trap is Trap.CLOSEST_ROW and takers:
            yield "why.taken_first", {"row": row + 1, "by": takers[-1]}
        yield from closed.values()

    def _closed(
        self, value: int, row: int | None, options: Sequence[RowOption]
    ) -> dict[int, tuple[str, Mapping[str, object]]]:
        """Rows that look closer than its own (or as if the card fitted, which it does not), but are closed."""
        found: dict[int, tuple[str, Mapping[str, object]]] = {}
        mine = next((abs(value - option.end) for option in options if option.row == row), LAST_CARD)
        markers = self.table.extra
        parity = markers.find(EvenOddMarker) if isinstance(markers, Markers) else None
        for option in options:
            if not option.looks_open or option.difference is not None or abs(value - option.end) > mine:
                continue
            parts = {"row": option.row + 1, "end": option.end}
            if parity is None:
                found[option.row] = "why.stopped", parts
            else:
                found[option.row] = ("why.only_odd" if parity.side == "odd" else "why.only_even"), parts
        return found


def _heads_now(game: Classic | Buffalo, chosen: Follow, row_now: int | None, was_full: bool) -> int:
    """What a card would have cost its player had it been placed first; a low card's row is the cheapest (R-C4)."""
    if row_now is None:
        costs = [game.heads_in(chosen.rows[row]) for row in game.rows_to_take(chosen)]  # type: ignore[arg-type]
        return min(costs, default=0)
    return game.heads_in(chosen.rows[row_now]) if was_full else 0


def _copy(table: Follow) -> Follow:
    copy = object.__new__(Follow)
    copy.game, copy.rows, copy.extra = table.game, list(table.rows), table.extra
    return copy
