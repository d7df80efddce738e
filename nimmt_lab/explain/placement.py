"""Explain every placement of a turn: intended row, actual row, rule and reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, cast

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import LAST_CARD, Card, Seat
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, RowTaken
from nimmt_lab.engine.inflect import Listing
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState

from .catalogue import words
from .rows import ROWS, RowOption, RowReader
from .teller import Part, Teller, part_of
from .traps import RowTrap, Trap, trap_of, verdict_key

#: Takes not caused by the played card itself, but part of its story. By rule, the trap for a card that had room.
LATER_TAKES: Final[Capability[Mapping[Rule, Trap | None]]] = Capability("knock-on takes", face="tell")


def is_later_take(rule: Rule) -> bool:
    """Whether a take by that rule has another cause than the played card."""
    return rule in (LATER_TAKES.find(rule) or {})


class Turn(NamedTuple):
    """One turn: its steps (the reveal, then further choices), round and number, from 0."""

    round: int
    turn: int
    steps: tuple[Step, ...]

    @property
    def before(self) -> GameState:
        """The state in which the cards were chosen."""
        return self.steps[0].before

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for step in self.steps for event in step.events)


def turns(record: Record) -> tuple[Turn, ...]:
    """The turns of a record, in order, without the picks of a draft.

    >>> from nimmt_lab import Classic, Record
    >>> start = Classic(players=2, hand_size=2, rounds=1).deal(seed=1)
    >>> record = Record.from_play(start.game, 1, [{0: start.hands[0][0], 1: start.hands[1][0]}])
    >>> [(turn.turn, len(turn.steps)) for turn in turns(record)]
    [(0, 1)]
    """
    turns: list[Turn] = []
    for step in record.steps:
        reveals = any(isinstance(event, CardsRevealed) for event in step.events)
        if reveals or (step.before.queue and not turns):
            turns.append(Turn(step.before.round, step.before.turn, (step,)))
        elif turns and turns[-1].steps[-1].state.queue:
            turns[-1] = turns[-1]._replace(steps=(*turns[-1].steps, step))
    return tuple(turns)


class Change(NamedTuple):
    """An earlier card's effect on a row: it joined the row, or took it and restarted it."""

    seat: Seat
    card: Card
    row: int
    took: bool


@dataclass(frozen=True)
class Placement:
    """An explained placement. Rows count from 0."""

    seat: Seat
    card: Card
    #: Value while it was placed.
    value: int
    #: None for a card that isn't in a row.
    row: int | None
    #: The deciding rule.
    rule: Rule
    #: The row it would have joined when it was chosen; None if it fitted nowhere (or rows are chosen).
    row_now: int | None
    #: Every row at the time of placing; empty if the chapter doesn't say.
    options: tuple[RowOption, ...]
    #: Effects of earlier cards on `row_now` and `row`.
    changes: tuple[Change, ...]
    #: Cards its player took because of it, and their heads.
    taken: tuple[Card, ...]
    heads: int
    #: Heads it would have cost if placed first: 0 for a card with room.
    heads_now: int
    #: Heads saved (negative: lost) relative to the table when the card was chosen.
    luck: int
    #: The trap it met or avoided.
    trap: Trap | None
    #: Its events: preparations, take, placement, and moves after it.
    events: tuple[Event, ...]
    #: Indices of these events in the turn, through all its steps.
    places: tuple[int, ...]
    #: Messages with their fields, and the table before each event.
    _reasons: tuple[tuple[str, Mapping[str, object]], ...]
    _befores: tuple[GameState, ...]
    #: Number of events before the placement.
    _first: int

    @property
    def alternatives(self) -> tuple[RowOption, ...]:
        """The other rows that could have accepted the card."""
        return tuple(option for option in self.options if option.difference is not None and option.row != self.row)

    @property
    def met(self) -> bool:
        """Whether the card met its trap and took cards."""
        return self.trap is not None and bool(self.taken)

    @property
    def shown_at(self) -> int:
        """Index of the event at which a board shows the explanation: the take, or the placement that led to one."""
        return self.places[self._first]

    def text(self, lang: str = "en", names: Mapping[Seat, str] | None = None, *, whole: bool = True) -> str:
        """Explain in words. Unless `whole`, only what happens at `shown_at`; other events have their own sentences."""
        say = words(lang, names)
        teller = Teller(say, self._befores[0].game)
        told = list(zip(self.events, self._befores, strict=True))
        first, last = self._first, len(told) if whole else self._first + 1
        sentences = [teller.tell(event, before) for event, before in told[:first] if whole]
        for key, parts in self._reasons:
            by = {name: teller.card(part.seat, part.card) for name, part in parts.items() if isinstance(part, Change)}
            sentences.append(say(key, **{**parts, **by}))
        sentences += [teller.tell(event, before) for event, before in told[first:last]]
        if self.trap is not None:
            sentences.append(say(verdict_key(self.trap, met=self.met), trap=say(f"trap.{self.trap.value}")))
        return " ".join(sentence for sentence in sentences if sentence)


def explain(turn: Turn | Step | Sequence[Step]) -> tuple[Placement, ...]:
    """Explain every placement of a turn, in order. Pass all steps of the turn (see `turns`).

    >>> from nimmt_lab import Classic, Record
    >>> game = Classic(players=2, hand_size=2)
    >>> start = "50 57 61 | 70 | 83 | 35 36 38 40 45 ; A: 62 99 ; B: 29 98"
    >>> record = Record(game, ({0: 62, 1: 29}, {1: 0}), start=start)
    >>> low, card = explain(turns(record)[0])
    >>> card.row_now, card.row, card.trap, card.met
    (0, 3, <RowTrap.VANISHED_ROW: 'vanished_row'>, True)
    >>> print(card.text())  # doctest: +NORMALIZE_WHITESPACE
    62 was meant for row 1, but 29 (B) took that row first. 62 (A) goes to row 4: 45 is closer than 29.
    That is the sixth card: A takes 9 heads. 62 starts row 4. Trap: vanished row.
    """
    steps = (turn,) if isinstance(turn, Step) else turn.steps if isinstance(turn, Turn) else tuple(turn)
    history = _History(steps[0].before, ROWS.find(steps[0].before.game), [])
    return tuple(history.explained(group) for group in _groups(_scenes(steps)))


class _Scene(NamedTuple):
    """An event with its index and the table before it."""

    event: Event
    place: int
    before: GameState


def _scenes(steps: Iterable[Step]) -> Iterator[_Scene]:
    place = 0
    for step in steps:
        before = step.before
        for moment in step.moments:
            if moment.event is not None:
                yield _Scene(moment.event, place, before)
                place += 1
            before = moment.state


class _Put(Protocol):
    """An event that puts a card in its final place (`Part.PLACES`)."""

    seat: Seat
    card: Card
    rule: Rule


def _put(event: Event) -> _Put | None:
    return cast(_Put, event) if part_of(event) is Part.PLACES else None


def _groups(scenes: Iterable[_Scene]) -> list[list[_Scene]]:
    """Group the events of a turn by card."""
    groups: list[list[_Scene]] = []
    placed: Card | None = None
    for scene in scenes:
        event = scene.event
        part = part_of(event)
        if part is Part.ENDS:
            break
        if part is Part.APART:
            continue
        put = _put(event)
        low = isinstance(event, RowTaken) and not is_later_take(event.rule) and event.card != placed
        next_card = low or part is Part.BEFORE or (put is not None and put.card != placed)
        if not groups or (placed is not None and next_card):
            groups.append([])
            placed = None
        groups[-1].append(scene)
        placed = placed if put is None else put.card
    # An unfinished turn may end in the preparations for a card.
    return [group for group in groups if any(_put(scene.event) for scene in group)]


@dataclass
class _History:
    #: The table when the cards were chosen.
    chosen: GameState
    reader: RowReader | None
    changes: list[Change]

    def explained(self, group: Sequence[_Scene]) -> Placement:
        """Explain one card and add it to the history."""
        put = next(put for scene in group if (put := _put(scene.event)) is not None)
        cards = [
            getattr(s.event, "card", None) if _put(s.event) or isinstance(s.event, RowTaken) else None for s in group
        ]
        at = cards.index(put.card)
        for scene in group[:at]:
            self._happened(scene.event)
        placement = self._placement(put, group, at)
        for scene in group[at:]:
            self._happened(scene.event)
        return placement

    def _happened(self, event: Event) -> None:
        if isinstance(event, RowTaken):
            self.changes.append(Change(event.seat, event.card, event.row, True))
        elif isinstance(event, CardPlaced) and event.slot:
            self.changes.append(Change(event.seat, event.card, event.row, False))

    def _placement(self, put: _Put, group: Sequence[_Scene], at: int) -> Placement:
        card, state, reader = put.card, group[at].before, self.reader
        value = next((play.value for play in state.queue if play.card == card), card)
        takes = [scene.event for scene in group[at:] if isinstance(scene.event, RowTaken) and scene.event.card == card]
        heads = sum(event.heads for event in takes)
        row = put.row if isinstance(put, CardPlaced) else None
        options = () if reader is None else reader.options(state, value)
        row_now, heads_now, luck = None, 0, 0
        trap: Trap | None = None
        reasons: tuple[tuple[str, Mapping[str, object]], ...] = ()
        if reader is not None and reader.compares_ends(state.game):
            row_now = reader.row_for(self.chosen, value)
            fits = any(option.row == row and option.difference is not None for option in options)
            first = reader.options(self.chosen, value)
            was_full = any(option.full for option in first if option.row == row_now)
            trap = trap_of(
                row_now=row_now,
                was_full=was_full,
                tempted=any(option.looks_open and not option.full and option.row != row_now for option in first),
                row=row if fits else None,
                took=bool(takes),
                knock_on=(LATER_TAKES.find(takes[0].rule) or {}).get(takes[0].rule) if takes else None,
                taken_before=any(change.took and change.row == row_now for change in self.changes),
                still_open=any(option.row == row_now and option.difference is not None for option in options),
            )
            heads_now = self._heads_now(row_now, was_full)
            luck = heads_now - heads
            if row is not None:
                reasons = tuple(self._reasons(reader, state, card, value, row, row_now, fits, trap, options))
        return Placement(
            seat=put.seat,
            card=card,
            value=value,
            row=row,
            rule=takes[0].rule if takes and not is_later_take(takes[0].rule) else put.rule,
            row_now=row_now,
            options=options,
            changes=tuple(change for change in self.changes if change.row in (row_now, row)),
            taken=tuple(taken for event in takes for taken in event.cards),
            heads=heads,
            heads_now=heads_now,
            luck=luck,
            trap=trap,
            events=tuple(scene.event for scene in group),
            places=tuple(scene.place for scene in group),
            _reasons=reasons,
            _befores=tuple(scene.before for scene in group),
            _first=at,
        )

    def _heads_now(self, row_now: int | None, was_full: bool) -> int:
        """Heads the card would have cost if placed first; a low card takes the cheapest row (R-C4)."""
        chosen = self.chosen
        row = chosen.game.low_card_row(chosen) if row_now is None else row_now if was_full else None
        return 0 if row is None else chosen.game.heads_in(chosen.rows[row])

    def _reasons(
        self,
        reader: RowReader,
        state: GameState,
        card: Card,
        value: int,
        row: int,
        row_now: int | None,
        fits: bool,
        trap: Trap | None,
        options: Sequence[RowOption],
    ) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Why the card missed its intended row, or took."""
        closed = self._closed(reader, state, value, row if fits else None, options)
        takers = [change for change in self.changes if change.took and change.row == row_now]
        meant: dict[str, object] = {"card": card, "row": 0 if row_now is None else row_now + 1}
        if row_now is None:
            started = [change for change in self.changes if change.took and change.row == row]
            if fits and started:
                yield "why.started", {"card": card, "row": row + 1, "by": started[-1]}
        elif row != row_now or not fits:
            if takers:
                yield "why.taken_away", meant | {"by": takers[-1]}
            elif trap is RowTrap.DIVERTED:
                yield "why.diverted", meant | {"other": row + 1}
            elif row_now not in closed:
                yield "why.closed", meant
        elif trap is RowTrap.FILLED_ROW:
            added = [change.card for change in self.changes if change.row == row_now and not change.took]
            if added:
                yield "why.filled", {"row": row + 1, "cards": Listing(added)}
            for key in reader.filled(self.chosen, state, row):
                yield key, {"row": row + 1}
        elif trap is RowTrap.CLOSEST_ROW and takers:
            yield "why.taken_first", {"row": row + 1, "by": takers[-1]}
        yield from closed.values()

    def _closed(
        self, reader: RowReader, state: GameState, value: int, row: int | None, options: Sequence[RowOption]
    ) -> dict[int, tuple[str, Mapping[str, object]]]:
        """Reasons why rows that look closer, or look open, are closed."""
        mine = next((abs(value - option.end) for option in options if option.row == row), LAST_CARD)
        return {
            option.row: (reader.closed(state, value, option), {"row": option.row + 1, "end": option.end})
            for option in options
            if option.looks_open and option.difference is None and abs(value - option.end) <= mine
        }
