"""Notes of a game as people write them at the table: the first card of each row, and what was played each turn.

    rows: 12 37 43 58
    14 15 44 61
    2@3 9 68 83
    hand A: 21 26 77

A line of play has a card for each player, in the order of the seats, or with their letters (`A14 B15 C44 D61`). A
player who takes a row with a low card says which: `2@3`. Turn numbers may stand before (`1.`), comments after `//`. A
new line `rows` begins the next round. `hand` adds a hand that is known, also before the rows of its round. `players`
gives names, which may replace the letters (`Ann 14 Bob 15`, `hand Ann: 21 26 77`); `game` and `rules` another game.

Hands are inferred: at the end of a round everybody has played every card. Until then they are unknown, except for what
was played or given; the record says whose (`Record.hidden`), and nobody judges those choices.

>>> (first,) = read_notes("rows: 12 37 43 58\\n14 15\\n2@3 9", players=2)
>>> first.final.rows, sorted(first.hidden)
(((12, 14, 15), (37,), (2, 9), (58,)), [0, 1])
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .asked import only_for_text, usual_game
from .cards import Seat, seat_letter, seat_number
from .decisions import Choice, Decision
from .errors import NimmtError, NotationError, RecordError, RulesError
from .files import name_of, read_text, shown
from .game import Game
from .inflect import Figure
from .notes import Notes, cards_of
from .record import HIDDEN, Record
from .record_text import FORMAT, LONGEST_LINE, read_rules, split_line, unsaid, used_up
from .registry import game_named
from .share import is_shared, read_shared

__all__ = ["Plays", "is_notes", "notes_of_csv", "plays_of_csv", "read_notes", "read_plays", "record_of", "text_of"]

_KEY: Final = re.compile(
    r"(rows|players|game|rules|hand\s+[A-Za-z](?=[\s:])|hand\s+[^\W\d][^:]*(?=:))\s*[: ]\s*(.*)", re.IGNORECASE
)
_LABEL: Final = re.compile(r"[0-9]{1,3}\s*[.)]\s*")
#: The name of a file, as people give it.
_FILE: Final = re.compile(r"[^\n,;]{1,200}\.[A-Za-z]{2,6}")
LONGEST: Final = 200_000
#: The columns of plays in CSV; `round` and `row` may be missing.
COLUMNS: Final = ("round", "turn", "player", "card", "row")


@dataclass
class Plays:
    """Notes that were made from another text: each line with the number of the line that it came from."""

    lines: list[tuple[str, int]] = field(default_factory=list)

    def add(self, line: str, source: int) -> None:
        self.lines.append((line, source))

    def __str__(self) -> str:
        return "\n".join(line for line, _ in self.lines)


def read_plays(
    plays: Plays, *, names: Sequence[str] = (), players: int | None = None, game: Game | str | None = None
) -> tuple[Record, ...]:
    """The records of plays that another reader found. Errors name the line of its text; rows that nobody had to choose
    are left out."""
    reader = _Reader(players, game)
    reader.names, reader.sources, reader.lenient = [*names], [source for _, source in plays.lines], True
    return reader.read(str(plays))


def read_notes(text: str, *, players: int | None = None, game: Game | str | None = None) -> tuple[Record, ...]:
    """The records of all rounds in the notes, each starting with the totals of those before. Errors name the line."""
    if len(text) > LONGEST:
        raise NotationError("engine.too_many_letters", count=Figure(len(text)), most=Figure(LONGEST))
    return _Reader(players, game).read(text)


class _Reader:
    """Reads notes line by line."""

    def __init__(self, players: int | None, game: Game | str | None) -> None:
        self.players, self.given = players, game
        self.system, self.options = "", ""
        self.names: list[str] = []
        self.notes: Notes | None = None
        self.done: list[Record] = []
        #: How many cards the first turn has.
        self.seats = 0
        #: For each line the number to name in errors, if the notes were made from another text.
        self.sources: list[int] | None = None
        #: Whether rows that nobody had to choose are left out.
        self.lenient = False
        #: Hands that were given before the first rows.
        self.early: list[tuple[str, str]] = []

    def read(self, text: str) -> tuple[Record, ...]:
        last, self.seats = 1, _seats_of(text)
        for at, whole in enumerate(text.splitlines()):
            number = at + 1 if self.sources is None else self.sources[at]
            line = whole.partition("//")[0].strip()
            if not line:
                continue
            last = number
            try:
                self.line(line)
            except NimmtError as error:
                raise NotationError.of(error, line=number) from error
        if self.notes is None:
            raise NotationError("engine.notes_rows", line=last)
        self.end()
        return tuple(self.done)

    def line(self, line: str) -> None:
        key = _KEY.fullmatch(line)
        if key is None:
            self.play(_LABEL.sub("", line, count=1))
            return
        name, body = key[1].lower(), key[2].strip()
        if name == "rows":
            self.rows(body)
        elif name.startswith("hand"):
            self.hand(key[1][len("hand") :].strip(), body)
        elif self.notes is not None:
            raise NotationError("engine.notes_head", key=name)
        elif name == "players":
            self.names = [part.strip() for part in re.split(r"[,;]" if re.search("[,;]", body) else r"\s+", body)]
            if self.players is not None and len(self.names) != self.players:
                raise NotationError("engine.notes_names", count=len(self.names), players=self.players)
        elif name == "game":
            self.system = body
        else:
            self.options = body

    def rules(self, body: str) -> Game:
        """The game: as given or named, with as many players as were named or play in the first turn."""
        if isinstance(self.given, Game):
            if self.players not in (None, self.given.players):
                raise RulesError("engine.game_players", got=shown(self.players), players=self.given.players)
            return self.given
        count = self.players or len(self.names) or self.seats
        if not count:
            raise NotationError("engine.notes_players")
        kind = self.given or self.system or usual_game().name
        if self.options:
            return read_rules(kind, f"players={count} {self.options}")
        return game_named(kind)(players=count)

    def rows(self, body: str) -> None:
        totals: Sequence[int] = ()
        if self.notes is not None:
            totals = self.end(finished=True)
        game = self.rules(body) if self.notes is None else self.notes.game
        self.notes = Notes(game, totals)
        self.notes.names = {seat_letter(seat): name for seat, name in enumerate(self.names)}
        cards = [_card(word) for word in body.replace("|", " ").replace(",", " ").split()]
        if len(cards) != self.notes.wanted_rows:
            raise NotationError("engine.notes_row_count", need=self.notes.wanted_rows, got=len(cards))
        for card in cards:
            self.notes.row(card)
        early, self.early = self.early, []
        for who, hand in early:
            self.hand(who, hand)

    def hand(self, who: str, body: str) -> None:
        if self.notes is None:
            self.early.append((who, body))
            return
        seat = seat_number(self.letters().get(who.casefold(), who), self.notes.game.players)
        self.notes.hand(seat, tuple(map(_card, body.replace(",", " ").split())))

    def letters(self) -> dict[str, str]:
        """The letter of each player by name, written as one word or more; a letter stands for itself."""
        return {name.casefold(): seat_letter(seat) for seat, name in enumerate(self.names) if len(name) > 1}

    def on(self, what: str) -> Notes:
        if self.notes is None:
            raise NotationError("engine.notes_rows_first", what=shown(what))
        return self.notes

    def play(self, line: str) -> None:
        notes = self.on(line)
        texts = self.texts(line, notes)
        while any(texts.values()):
            record = notes.record()
            if record.final.is_over:
                raise NotationError("engine.more_play")
            if self.lenient:
                _drop_rows(notes, texts)
            if any(texts.values()):
                _step(notes, texts)
        for seat, decision in notes.record().final.pending.items():
            if decision.prefix and decision.default is None:  # a low card whose row is missing
                raise unsaid(seat, decision)
        used_up(texts)

    def texts(self, line: str, notes: Notes) -> dict[Seat, deque[str]]:
        words = self.by_letter(line).replace(",", " ").split()
        if any(word[:1].isdigit() for word in words):
            if len(words) != notes.game.players or not all(word[:1].isdigit() for word in words):
                raise NotationError("engine.notes_cards", need=notes.game.players, got=len(words))
            words = [f"{seat_letter(seat)}{word}" for seat, word in enumerate(words)]
        return split_line(" ".join(words))

    def by_letter(self, line: str) -> str:
        """A line of play with letters for the players' names: `A14 B15` for `Ann 14, Bob: 15`."""
        letters = self.letters()
        if not letters:
            return line
        known = "|".join(re.escape(name) for name in sorted(letters, key=len, reverse=True))
        name = re.compile(rf"(?<!\w)({known})\s*:?\s*(?=[0-9@])", re.IGNORECASE)
        return name.sub(lambda found: letters[found[1].casefold()], line)

    def end(self, *, finished: bool = False) -> tuple[int, ...]:
        """Keep the record of the round; return its totals."""
        assert self.notes is not None
        record = self.notes.record()
        if finished and not record.final.is_over:
            raise NotationError("engine.notes_unfinished", round=len(self.done) + 1)
        hidden = {} if record.final.is_over else {HIDDEN: " ".join(map(seat_letter, self.notes.unknown))}
        self.done.append(record.noted({**record.tags, **{key: text for key, text in hidden.items() if text}}, {}))
        return tuple(record.final.totals)


def _seats_of(text: str) -> int:
    """How many cards the first turn of the notes has; 0 without a turn."""
    for whole in text.splitlines():
        line = whole.partition("//")[0].strip()
        if line and _KEY.fullmatch(line) is None:
            return len(_LABEL.sub("", line, count=1).replace(",", " ").split())
    return 0


def _step(notes: Notes, texts: dict[Seat, deque[str]]) -> None:
    """Make one step: the next text of everybody who chooses."""
    pending = notes.record().final.pending
    cards: dict[Seat, tuple[int, ...]] = {}
    for seat, own in texts.items():  # a row that nobody asked for
        if own and own[0].startswith("@") and seat in pending and not pending[seat].prefix:
            used_up({seat: own})
    for seat, decision in pending.items():
        if not texts.get(seat):
            if decision.default is None:
                raise unsaid(seat, decision)
        elif not decision.prefix:
            cards[seat] = cards_of(texts[seat][0])
    pending = notes.holding(cards).pending
    notes.play({seat: _choice(seat, decision, texts) for seat, decision in pending.items()})


def _drop_rows(notes: Notes, texts: dict[Seat, deque[str]]) -> None:
    """Drop the rows of seats that choose none now: logs also tell who takes a row with its sixth card."""
    pending = notes.record().final.pending
    for seat, own in texts.items():
        chooses = seat in pending and bool(pending[seat].prefix)
        while own and own[0].startswith("@") and not chooses:
            own.popleft()


def _choice(seat: Seat, decision: Decision, texts: dict[Seat, deque[str]]) -> Choice:
    own = texts.get(seat)
    if not own:
        assert decision.default is not None
        return decision.default
    if decision.prefix and not own[0].startswith(decision.prefix):
        if decision.default is None:
            raise unsaid(seat, decision)
        return decision.default
    return decision.accept(seat, decision.read(own.popleft()))


def _card(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise NotationError("engine.number", got=shown(word))
    return int(word)


def notes_of_csv(text: str) -> str:
    """Plays in CSV as notes (see `plays_of_csv`).

    >>> print(notes_of_csv("turn,player,card,row\\n0,,12,\\n0,,37,\\n0,,43,\\n0,,58,\\n1,A,14,\\n1,B,2,3\\n"))
    rows: 12 37 43 58
    1. A14 B2@3
    """
    plays, people = plays_of_csv(text)
    return "\n".join([*([f"players: {', '.join(people)}"] if people else []), str(plays)])


def text_of(what: str | os.PathLike[str]) -> str:
    """A text as it is, or the content of a file: a path, or its name if that has an ending and no second line."""
    if isinstance(what, os.PathLike):
        return read_text(what)
    if not isinstance(what, str):
        raise RulesError("engine.not_text", got=shown(what))
    return read_text(what) if _FILE.fullmatch(what) else what


def plays_of_csv(text: str) -> tuple[Plays, tuple[str, ...]]:
    """Plays in CSV as notes: a line for each play with the columns `turn`, `player` (letter or name) and `card`, and if
    they occur `round` and `row` (which a low card takes). Turn 0 has the rows, in order, in the column `card`. Also
    the players' names, unless they are letters.
    """
    if len(text) > LONGEST_LINE:  # a quoted field may go over many lines
        raise NotationError("engine.too_many_letters", count=Figure(len(text)), most=Figure(LONGEST_LINE))
    text = "\n".join(text.splitlines())
    try:
        sample = text[:2000]
        dialect = csv.Sniffer().sniff(sample.partition("\n")[0], ",;\t")
    except csv.Error:
        dialect = csv.excel
    reader = csv.DictReader(io.StringIO(text), dialect=dialect)
    try:
        table = [(reader.line_num, raw) for raw in reader]
    except csv.Error as error:  # a cell of a hundred thousand letters
        raise NotationError("engine.csv_table", error=error, line=reader.line_num) from None
    fields = [(name or "").strip().lower() for name in reader.fieldnames or ()]
    missing = [name for name in COLUMNS[1:4] if name not in fields]
    if missing:
        raise NotationError("engine.csv_columns", missing=", ".join(missing), known=", ".join(COLUMNS), line=1)
    lines: dict[tuple[int, int], list[str]] = {}
    last: dict[tuple[int, int], int] = {}
    people: list[str] = []
    for number, raw in table:
        row = {
            (name or "").strip().lower(): (value or "").strip()
            for name, value in raw.items()
            if isinstance(value, str | None)
        }
        if not any(row.values()):
            continue
        try:
            when = _card(row.get("round") or "1"), _card(row["turn"])
            card = str(_card(row["card"]))
            if when[1]:
                who, taken = row["player"], row.get("row", "")
                if who not in people:
                    people.append(who)
                card = f"{who}\0{card}" + (f"@{_card(taken)}" if taken else "")
        except NimmtError as error:
            raise NotationError.of(error, line=number) from error
        lines.setdefault(when, []).append(card)
        last[when] = number
    letters = _letters(people)
    named = bool(people) and letters != {who: who.upper() for who in people}
    written = Plays()
    for (number, turn), words in sorted(lines.items()):
        if turn == 0:
            written.add(f"rows: {' '.join(words)}", last[number, turn])
        else:
            plays = [word.partition("\0") for word in words]
            line = " ".join(sorted(letters[who] + play for who, _, play in plays))
            written.add(f"{turn}. {line}", last[number, turn])
    return written, tuple(sorted(people, key=lambda who: letters[who])) if named else ()


def _letters(people: Sequence[str]) -> Mapping[str, str]:
    """Seats by player: letters stand for themselves, names sit in the order in which they occur."""
    if all(len(who) == 1 and who.isascii() and who.isalpha() for who in people):
        return {who: who.upper() for who in people}
    return {who: seat_letter(seat) for seat, who in enumerate(people)}


def record_of(
    what: Record | str | os.PathLike[str], *, players: int | None = None, game: Game | str | None = None
) -> Record:
    """A record, from its file, its text, a link, or notes of one round, for which `players` and `game` are."""
    if isinstance(what, Record):
        only_for_text(players=players, game=game)
        return what
    if isinstance(what, str) and is_shared(what) and not what.lstrip().startswith((FORMAT, "{")):
        only_for_text(players=players, game=game)
        return read_shared(what)
    if isinstance(what, os.PathLike) or (isinstance(what, str) and "\n" not in what):
        path = Path(what)
        text = read_text(path, error=RecordError)
        if not is_notes(text):
            only_for_text(players=players, game=game)
            return Record.load(path)
        try:
            return Record.from_notes(text, players=players, game=game)
        except NotationError as error:
            raise RecordError.of(error, line=error.line, column=error.column, source=name_of(path)) from error
    if not isinstance(what, str):
        raise RulesError("engine.not_record", got=shown(what))
    if is_notes(what):
        return Record.from_notes(what, players=players, game=game)
    only_for_text(players=players, game=game)
    return Record.from_json(what) if what.lstrip().startswith("{") else Record.from_text(what)


def is_notes(text: str) -> bool:
    """Whether a text is notes: a line of rows, and not the beginning of a record."""
    return (
        not text.lstrip().startswith((FORMAT, "{"))
        and re.search(r"^[ \t]*rows\b", text, re.IGNORECASE | re.M) is not None
    )
