"""Positions as one line of text.

    12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36

Sections are separated by `;`: first the rows (separated by `|`, top row first), then named ones: the hand of a seat
(`A: …`), its pile (`A+: …`, cards taken this round), revealed cards to place (`place: A3 B9`, next first; `B24=42`
counts as 42), `stock:`, `totals:`, `round:`, `turn:`, and the sections of a chapter. The reader is lenient (commas,
lower case, extra spaces and separators); the writer is strict, and its text reads back as the same position.

>>> str(Position.parse("12,14 15|37 |43 44| 58 61; b:30 36; a: 26 21 ;"))
'12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from .cards import EMPTY, TEAM, Cards, Seat, cards_text, seat_letter, seat_of_letter
from .errors import NotationError, PositionError
from .files import shown
from .limits import LARGEST_NUMBER, is_whole
from .play import Play
from .sentences import Phrase

if TYPE_CHECKING:
    from .state import GameState
    from .table import LiveTable

__all__ = ["LARGEST_NUMBER", "LONGEST", "Position", "read_by_seat", "write_by_seat", "write_play"]


_WORD = re.compile(r"[^\s,]+")
_PLAY = re.compile(r"([A-Za-z])([0-9]{1,6})(?:=([0-9]{1,6}))?")
_SEAT = re.compile(r"([A-Za-z])(\+?)")


#: The longest text of a position.
LONGEST = 20_000
_NAMES = ("place", "stock", "totals", "round", "turn")


@dataclass(frozen=True)
class Position:
    """A table in notation. Seats without a section have no cards. Empty parts are dropped and hands sorted, and parts
    that can't be written raise an error, so that every position reads back from its text."""

    rows: tuple[Cards, ...]
    hands: Mapping[Seat, Cards] = field(default_factory=dict)
    piles: Mapping[Seat, Cards] = field(default_factory=dict)
    queue: tuple[Play, ...] = ()
    stock: Cards = ()
    totals: tuple[int, ...] = ()
    round: int = 0
    turn: int | None = None
    sections: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = tuple(_cards(row, "a row", EMPTY) for row in self.rows)
        totals = tuple(self.totals)
        if not all(is_whole(total, -LARGEST_NUMBER) for total in totals):
            raise PositionError("engine.totals_numbers_got", got=shown(totals))
        if not is_whole(self.round, 0) or not (self.turn is None or is_whole(self.turn, 0)):
            raise PositionError("engine.no_round_no", round=shown(self.round), turn=shown(self.turn))
        fields = {
            "rows": rows if len(rows) > 1 or any(rows) else (),
            "hands": {seat: tuple(sorted(cards)) for seat, cards in _by_seat(self.hands, "a hand").items()},
            "piles": _by_seat(self.piles, "a pile"),
            "queue": tuple(_play(play) for play in self.queue),
            "stock": _cards(self.stock, "the stock"),
            "totals": totals if any(totals) else (),
            "sections": _sections(self.sections),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Parse position text; errors name the column."""
        if not isinstance(text, str):
            raise NotationError("engine.position_text_got", got=shown(text))
        if len(text) > LONGEST:
            raise NotationError("engine.position_text", most=LONGEST, got=len(text))
        return _Reader(text).position()

    @classmethod
    def of(cls, state: GameState, sections: Mapping[str, str]) -> Position:
        """The position of a state, with the sections of its chapter."""
        usual = state.game.usual_turn(state)
        return cls(
            rows=state.rows,
            hands={seat: hand for seat, hand in enumerate(state.hands) if hand},
            piles={seat: pile for seat, pile in zip(state.game.pile_seats, state.piles, strict=True) if pile},
            queue=state.queue,
            stock=state.stock if state.game.open_stock else (),
            totals=state.totals,
            round=state.round,
            turn=None if state.turn == usual else state.turn,
            sections=sections,
        )

    def lay(self, table: LiveTable) -> None:
        """Set up an empty table."""
        game = table.game
        for what, seats, known in (
            ("a hand", self.hands, range(game.players)),
            ("a pile", self.piles, game.pile_seats),
        ):
            for seat in seats:
                if seat not in known:
                    raise PositionError(
                        "engine.has_but", who=seat_letter(seat), what=what, game=game.name, players=game.players
                    )
        for play in self.queue:
            if play.seat not in range(game.players + game.extra_seats):
                raise PositionError("engine.place_there_no", play=repr(play), who=seat_letter(play.seat))
        if self.totals and len(self.totals) != len(table.totals):
            raise PositionError("engine.totals_players", count=len(self.totals), players=game.players)
        table.rows = list(self.rows)
        table.hands = [game.sort_hand(self.hands.get(seat, ())) for seat in range(game.players)]
        table.piles = [self.piles.get(seat, ()) for seat in game.pile_seats]
        table.queue = list(self.queue)
        table.stock = self.stock
        table.totals = self.totals or table.totals
        table.round = self.round

    def __str__(self) -> str:
        parts = [" | ".join(cards_text(row) for row in self.rows)]
        parts += [f"{seat_letter(seat)}: {cards_text(sorted(cards))}" for seat, cards in sorted(self.hands.items())]
        parts += [f"{seat_letter(seat)}+: {cards_text(cards)}" for seat, cards in sorted(self.piles.items())]
        if self.queue:
            parts.append("place: " + " ".join(write_play(play) for play in self.queue))
        if self.stock:
            parts.append("stock: " + cards_text(self.stock))
        if self.totals:
            parts.append("totals: " + " ".join(map(str, self.totals)))
        if self.round:
            parts.append(f"round: {self.round + 1}")
        if self.turn is not None:
            parts.append(f"turn: {self.turn + 1}")
        parts += [f"{key}: {text}" for key, text in self.sections.items()]
        return " ".join(" ; ".join(parts).split())


def _cards(cards: Iterable[object], place: str, least: int = 1) -> Cards:
    numbers = []
    for card in cards:
        if not is_whole(card, least):
            raise PositionError("engine.holds_numbers_cards", place=place, got=shown(card))
        numbers.append(card)
    return tuple(numbers)


def _by_seat(lists: Mapping[Seat, Iterable[object]], place: str) -> dict[Seat, Cards]:
    for seat in lists:
        if not is_whole(seat, TEAM) or seat_letter(seat) > "Z" or seat_of_letter(seat_letter(seat)) != seat:
            raise PositionError("engine.no_seat", place=place, who=shown(seat))
    return {seat: held for seat, cards in lists.items() if (held := _cards(cards, place))}


def _play(play: object) -> Play:
    numbers = isinstance(play, Play) and all(is_whole(number, 1) for number in (play.card, play.value))
    if not isinstance(play, Play) or not numbers or (play.plain and play.value != play.card):
        raise PositionError("engine.cards_place_plays", got=shown(play))
    _by_seat({play.seat: ()}, "a card to place")
    return play


def _sections(sections: Mapping[str, str]) -> dict[str, str]:
    checked = {}
    for given, text in sections.items():
        key = " ".join(given.split()) if isinstance(given, str) else ""
        taken = key in _NAMES or _SEAT.fullmatch(key) or key != key.lower()
        body = " ".join(text.split()) if isinstance(text, str) else "\0"
        if not key or taken or not (key + body).isprintable() or any(mark in key for mark in ";:") or ";" in body:
            raise PositionError("engine.no_section_position", given=shown(given), text=shown(text))
        checked[key] = body
    return checked


def write_by_seat(lists: Sequence[Iterable[object]]) -> str:
    """Items by seat as one section: `A 70 71 B 72`; seats without items are left out.

    >>> write_by_seat([(70, 71), (), (72,)])
    'A 70 71 C 72'
    """
    words = []
    for seat, items in enumerate(lists):
        own = [str(item) for item in items]
        words += [seat_letter(seat), *own] if own else []
    return " ".join(words)


def read_by_seat(text: str, section: str, players: int) -> list[list[str]]:
    """The words of each seat in a section by seat.

    >>> read_by_seat("A 70 71 C 72", "draw", 3)
    [['70', '71'], [], ['72']]
    """
    lists: list[list[str]] = [[] for _ in range(players)]
    seat = None
    for word in text.replace(",", " ").split():
        if len(word) == 1 and word.isascii() and word.isalpha():
            seat = ord(word.upper()) - ord("A")
            if seat >= players:
                raise NotationError("engine.section_seat", section=section, who=word.upper())
        elif seat is None:
            raise NotationError("engine.section_letter", section=section, word=shown(word))
        else:
            lists[seat].append(word)
    return lists


def write_play(play: Play) -> str:
    """`A3`, or `B24=42` for a card that counts as another number."""
    return f"{seat_letter(play.seat)}{play.card}" + ("" if play.plain else f"={play.value}")


class _Reader:
    """Reads one position; errors name the column."""

    def __init__(self, text: str) -> None:
        self.text = text

    def fail(self, key: str, at: int, /, **fields: object) -> NoReturn:
        raise NotationError.of(Phrase(key, **fields), column=at + 1)

    def position(self) -> Position:
        hands: dict[Seat, Cards] = {}
        piles: dict[Seat, Cards] = {}
        sections: dict[str, str] = {}
        queue: tuple[Play, ...] = ()
        stock: Cards = ()
        totals: tuple[int, ...] = ()
        round_ = 0
        turn: int | None = None
        seen: set[str] = set()
        pieces = list(self.pieces(";", 0, len(self.text)))
        rows = self.rows(*pieces[0])
        for start, end in pieces[1:]:
            piece = self.text[start:end]
            if not piece.strip():
                continue
            if ":" not in piece:
                self.fail("engine.section_form", start, got=shown(piece.strip()))
            name, _, body = piece.partition(":")
            key = " ".join(name.split())
            body_at = start + len(name) + 1
            seat = _SEAT.fullmatch(key)
            key = key.upper() if seat else key.lower()
            if key in seen:
                self.fail("engine.section_twice", start, key=shown(key))
            seen.add(key)
            if seat:
                into = piles if seat.group(2) else hands
                into[seat_of_letter(seat.group(1).upper())] = self.cards(body_at, end)
            elif key == "place":
                queue = tuple(self.play(match.group(), body_at + match.start()) for match in _WORD.finditer(body))
            elif key == "stock":
                stock = self.cards(body_at, end)
            elif key == "totals":
                totals = tuple(self.number(m.group(), body_at + m.start(), signed=True) for m in _WORD.finditer(body))
            elif key == "round":
                round_ = self.counted(body, body_at)
            elif key == "turn":
                turn = self.counted(body, body_at)
            elif not key:
                self.fail("engine.section_name", start)
            else:
                sections[key] = " ".join(body.split())
        try:
            return Position(rows, hands, piles, queue, stock, totals, round_, turn, sections)
        except PositionError as error:
            raise NotationError.of(error) from None

    def pieces(self, mark: str, start: int, end: int) -> list[tuple[int, int]]:
        """The stretches of text[start:end] between marks."""
        pieces = []
        while (at := self.text.find(mark, start, end)) >= 0:
            pieces.append((start, at))
            start = at + 1
        return [*pieces, (start, end)]

    def rows(self, start: int, end: int) -> tuple[Cards, ...]:
        if not _WORD.search(self.text, start, end):
            return ()
        if ":" in self.text[start:end]:
            self.fail("engine.rows_first", start)
        return tuple(self.cards(*piece, empty=True) for piece in self.pieces("|", start, end))

    def cards(self, start: int, end: int, *, empty: bool = False) -> Cards:
        cards = []
        for match in _WORD.finditer(self.text, start, end):
            if empty and match.group() == "-":
                cards.append(EMPTY)
            else:
                cards.append(self.number(match.group(), match.start()))
                if cards[-1] == 0:
                    self.fail("engine.card_0", match.start())
        return tuple(cards)

    def number(self, word: str, at: int, *, signed: bool = False) -> int:
        digits = word[1:] if signed and word[:1] == "-" else word
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
            self.fail("engine.number", at, got=shown(word))
        return int(word)

    def counted(self, body: str, at: int) -> int:
        """A number counted from 1."""
        value = self.number(body.strip(), at)
        if value < 1:
            self.fail("engine.from_1", at)
        return value - 1

    def play(self, word: str, at: int) -> Play:
        match = _PLAY.fullmatch(word)
        if not match or int(match.group(2)) == 0:
            self.fail("engine.seat_card", at, got=shown(word))
        seat = seat_of_letter(match.group(1).upper())
        card = int(match.group(2))
        value = match.group(3)
        return Play.of(seat, card) if value is None else Play(int(value), False, seat, card)
