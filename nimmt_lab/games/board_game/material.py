"""Boards, tiles and cards of the board game as data (rules: board-game, R-P1).

The rulebook shows layouts, clovers, the heads of each tile and the numbers of cards in pictures only, so the package
comes with samples that say they are samples. Owners of the game can write empty files (`write_board_template`,
`write_pieces_template`), fill them in, load them (`Board.load`, `Pieces.load`) and compare the drawing.

>>> sample_board("basic").rows[0]
('.', 'g', 'rr', 'take')
>>> sample_pieces().heads(22)
3
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar, Final, NoReturn, Self, TypeVar

from nimmt_lab.engine.cards import Card
from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import name_of, parse_toml, read_text, shown, write_file
from nimmt_lab.engine.limits import is_whole
from nimmt_lab.engine.options import LARGEST_MATERIAL, OptionData, check_title
from nimmt_lab.engine.sentences import Phrase

from .parts import Action, Luck

#: Fields as written in files and vectors.
PLAIN: Final = "."
TWO: Final = "two"
TAKE: Final = "take"
TAKE_TILES: Final = "take-tiles"
DRAW_TILE: Final = "tile"
DRAW_ACTION: Final = "action"
#: The factor by which a field with heads counts those of the tile placed.
HEADS: Final = {"g": 1, "gg": 2, "r": -1, "rr": -2}
#: Fields that only the advanced side has.
NEW_FIELDS: Final = (TAKE_TILES, DRAW_TILE, DRAW_ACTION)
TAKES: Final = (TAKE, TAKE_TILES)
_KEYS: Final = {PLAIN: "plain", TAKE_TILES: "take_tiles"}
_POINTS = re.compile(r"[+-][1-9][0-9]?")

SIDES: Final = ("basic", "advanced")
ACTIVE_ROWS: Final = 4
TILES: Final = 100
#: More rows and fields could never be filled.
MOST_ROWS: Final = TILES
MOST_FIELDS: Final = TILES + 1
MOST_HEADS: Final = 99
MOST_CARDS: Final = 999
#: The score track goes from -44 to 44.
TRACK: Final = 44
#: The values of entries, as errors list them.
_SIDES: Final = Phrase("shared.either", first=SIDES[0], second=SIDES[1])
_TAKES: Final = Phrase("shared.either", first=TAKE, second=TAKE_TILES)
_TRUE_OR_FALSE: Final = Phrase("shared.either", first="true", second="false")

T = TypeVar("T")


def points_of(field: str, heads: int) -> int | None:
    """Points that a field gives for a tile with that many heads; None for a field that gives none.

    >>> points_of("gg", 3), points_of("-7", 3), points_of("two", 3)
    (6, -7, None)
    """
    if field in HEADS:
        return HEADS[field] * heads
    return int(field) if field[0] in "+-" else None


class _FileData(OptionData):
    """Material with a TOML file of its own."""

    @classmethod
    def made(cls, source: object) -> Self:
        """Accept the material itself, the path of its TOML file, or its plain data."""
        return source if isinstance(source, cls) else cls.read(_Source.of(source, cls.__name__.lower()))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a TOML file; errors name the file, the line and what was expected."""
        return cls.made(path)

    @classmethod
    def parse(cls, text: str, source: str = "") -> Self:
        """Read the text of a TOML file."""
        return cls.read(_Source.parse(text, source or cls.__name__.lower()))

    @classmethod
    def read(cls, data: _Source) -> Self:
        """Make the material from checked entries."""
        raise NotImplementedError


def field_key(field: str) -> str:
    """The name of a field in the catalogue's keys."""
    return _KEYS.get(field, field)


@dataclass(frozen=True, repr=False)
class Board(_FileData):
    """One side of a board: its rows of fields, top row first, and the clovers of the score track."""

    title: str
    side: str
    rows: tuple[tuple[str, ...], ...]
    clovers: tuple[int, ...] = ()
    is_sample: bool = False

    what: ClassVar[Phrase] = Phrase("board_game.of_board")

    def __post_init__(self) -> None:
        check_title(self.title, self.what)
        problem = _board_problem(self.side, self.rows, self.clovers)
        if problem:
            raise RulesError.of(problem[0])
        object.__setattr__(self, "clovers", tuple(sorted(set(self.clovers))))

    @property
    def our_title(self) -> Phrase:
        return Phrase("board_game.sample_basic" if self.side == SIDES[0] else "board_game.sample_advanced")

    def to_json(self) -> dict[str, Json]:
        """The board as plain data, laid out like its file."""
        rows: list[Json] = [" ".join(fields) for fields in self.rows]
        data: dict[str, Json] = {"title": self.title, "stand_in": self.is_sample, "side": self.side}
        return data | {"clovers": list(self.clovers), "rows": rows}

    @classmethod
    def read(cls, data: _Source) -> Self:
        data.only("title", "stand_in", "side", "clovers", "rows")
        title, is_sample = data.title()
        side = data.get("side", str, _SIDES)
        clovers = data.get("clovers", list, Phrase("board_game.list_of_clovers"))
        lines = data.get("rows", list, Phrase("board_game.list_of_rows"))
        for at, line in enumerate(lines):
            if not isinstance(line, str):
                data.fail("board_game.row_expected_text", "rows", at, at=at + 1, got=shown(line))
        rows = tuple(tuple(line.split()) for line in lines)
        problem = _board_problem(side, rows, clovers)
        if problem:
            data.fail(problem[0].key, *problem[1], **problem[0].fields)
        for at, clover in enumerate(clovers):
            if clover in clovers[:at]:
                data.fail("board_game.clover_at_there", "clovers", at, clover=clover)
        for at, fields in enumerate(rows):
            if data.text and any(field in TAKES for field in fields[:-1]):
                data.fail("board_game.row_wrong", "rows", at, row=at + 1, wrong=Phrase("board_game.field_before"))
        return cls(title, side, rows, tuple(clovers), is_sample)

    @classmethod
    def shipped(cls) -> Mapping[str, Board]:
        return {f"board_{side}_stand_in": sample_board(side) for side in SIDES}


def _board_problem(
    side: object, rows: Sequence[Sequence[object]], clovers: Sequence[object]
) -> tuple[Phrase, tuple[str | int, ...]] | None:
    """The first thing wrong with a board and where its file says so; None for a playable board."""
    if side not in SIDES:
        return Phrase("board_game.board_side", sides=_SIDES, got=shown(side)), ("side",)
    for at, clover in enumerate(clovers):
        if not is_whole(clover, -TRACK, TRACK):
            return Phrase("board_game.clover_lies_track", least=-TRACK, most=TRACK, got=shown(clover)), ("clovers", at)
    for at, fields in enumerate(rows):
        wrong = _row_problem(fields, str(side))
        if wrong:
            return Phrase("board_game.row_wrong", row=at + 1, wrong=wrong), ("rows", at)
    if len(rows) > MOST_ROWS:
        return Phrase("board_game.rows_most", most=MOST_ROWS, got=len(rows)), ("rows",)
    if len(rows) < ACTIVE_ROWS:  # R-P7: a new row could find none empty
        return Phrase("board_game.rows_least", least=ACTIVE_ROWS, got=len(rows)), ("rows",)
    return None


def _row_problem(fields: Sequence[object], side: str) -> Phrase | None:
    if len(fields) < 2:
        return Phrase("board_game.fields_least", count=len(fields), take=TAKE)
    if len(fields) > MOST_FIELDS:
        return Phrase("board_game.fields_most", count=len(fields), most=MOST_FIELDS)
    for at, field in enumerate(fields, start=1):
        if not isinstance(field, str):
            return Phrase("board_game.field_text", field=shown(field), at=at)
        known = field in (PLAIN, TWO, TAKE) or field in HEADS or _POINTS.fullmatch(field) or field in NEW_FIELDS
        if not known:
            legend = f"{PLAIN} {' '.join(HEADS)} +5 -7 {TWO} {TAKE} {' '.join(NEW_FIELDS)}"
            return Phrase("board_game.field_unknown", field=shown(field), at=at, legend=legend)
        if field in NEW_FIELDS and side == "basic":
            return Phrase("board_game.field_advanced", field=repr(field), at=at)
    if fields[-1] not in TAKES:
        return Phrase("board_game.field_last", takes=_TAKES, got=repr(fields[-1]))
    if fields[0] in TAKES:
        return Phrase("board_game.field_first", field=repr(fields[0]))
    return None


@dataclass(frozen=True, repr=False)
class Pieces(_FileData):
    """The heads on each tile (tile 1 first) and the number of cards of each kind."""

    title: str
    tile_heads: tuple[int, ...]
    #: In the order of `Action` and of `Luck`.
    action_cards: tuple[int, ...] = (4,) * len(Action)
    luck_cards: tuple[int, ...] = (6,) * len(Luck)
    is_sample: bool = False

    what: ClassVar[Phrase] = Phrase("board_game.of_pieces")

    def __post_init__(self) -> None:
        check_title(self.title, self.what)
        heads = self.tile_heads
        if len(heads) != TILES or not all(is_whole(count, 1, MOST_HEADS) for count in heads):
            raise RulesError("board_game.tiles_heads", tiles=TILES, most=MOST_HEADS)
        for counts, kinds in ((self.action_cards, Action), (self.luck_cards, Luck)):
            if len(counts) != len(kinds) or not all(is_whole(count, 0, MOST_CARDS) for count in counts):
                raise RulesError(
                    "board_game.expected_count_each", kinds=", ".join(kind.value for kind in kinds), most=MOST_CARDS
                )

    def heads(self, tile: Card) -> int:
        return self.tile_heads[tile - 1]

    def cards(self) -> dict[str, int]:
        """The number of cards of each kind."""
        counts = zip((*Action, *Luck), self.action_cards + self.luck_cards, strict=True)
        return {kind.value: count for kind, count in counts}

    @property
    def our_title(self) -> Phrase:
        return Phrase("board_game.sample_pieces")

    def to_json(self) -> dict[str, Json]:
        """The pieces as plain data, laid out like their file."""
        tiles: dict[str, Json] = {}
        for heads in sorted({*TILE_HEADS, *self.tile_heads}):
            tiles[str(heads)] = [tile for tile in range(1, TILES + 1) if self.heads(tile) == heads]
        return {
            "title": self.title,
            "stand_in": self.is_sample,
            "tiles": tiles,
            "action_cards": {kind.value: count for kind, count in zip(Action, self.action_cards, strict=True)},
            "luck_cards": {kind.value: count for kind, count in zip(Luck, self.luck_cards, strict=True)},
        }

    @classmethod
    def read(cls, data: _Source) -> Self:
        data.only("title", "stand_in", "tiles", "action_cards", "luck_cards")
        title, is_sample = data.title()
        heads: dict[Card, int] = {}
        tiles = data.get("tiles", dict, Phrase("board_game.table_of_tiles"))
        for key, numbers in tiles.items():
            if key not in map(str, TILE_HEADS) and (data.text or not re.fullmatch(r"[1-9][0-9]?", key)):
                data.fail(
                    "board_game.tiles_have_heads",
                    "tiles",
                    key,
                    tile_heads=", ".join(map(str, TILE_HEADS)),
                    got=shown(key),
                )
            if not isinstance(numbers, list):
                data.fail("board_game.expected_list_tiles", "tiles", key, key=key, got=shown(numbers))
            for at, tile in enumerate(numbers):
                if not is_whole(tile, 1, TILES):
                    data.fail("board_game.expected_tile_from", "tiles", key, at, most=TILES, got=shown(tile))
                if tile in heads:
                    data.fail("board_game.tile_there_twice", "tiles", key, at, tile=tile, heads=heads[tile])
                heads[tile] = int(key)
        missing = [tile for tile in range(1, TILES + 1) if tile not in heads]
        if missing:
            if len(missing) == 1:
                data.fail("board_game.tile_missing", "tiles", missing=missing[0], most=TILES)
            data.fail("board_game.tiles_missing", "tiles", missing=missing[0], more=len(missing) - 1, most=TILES)
        return cls(
            title,
            tuple(heads[tile] for tile in range(1, TILES + 1)),
            _counts(data, "action_cards", [kind.value for kind in Action], 24),
            _counts(data, "luck_cards", [kind.value for kind in Luck], 12),
            is_sample,
        )

    @classmethod
    def shipped(cls) -> Mapping[str, Pieces]:
        return {"board_pieces_stand_in": sample_pieces()}


TILE_HEADS: Final = (1, 2, 3, 5)


# Reading ---------------------------------------------------------------------------------------------------


class _Source:
    """Entries of a file or a record, which can name the line of an entry.

    A file describes the printed game, so it is checked against the known facts of that, too; a record may contain any
    playable board.
    """

    def __init__(self, data: Mapping[str, object], source: str = "", text: str = "") -> None:
        self.data = data
        self.source = source
        self.text = text

    @classmethod
    def parse(cls, text: str, source: str) -> _Source:
        return cls(parse_toml(text, source=source, error=DataError), source, text)

    @classmethod
    def of(cls, source: object, what: str) -> _Source:
        if isinstance(source, (str, os.PathLike)):
            text = read_text(source, largest=LARGEST_MATERIAL, error=DataError, what="TOML")
            return cls.parse(text, name_of(source))
        if isinstance(source, Mapping) and all(isinstance(key, str) for key in source):
            return cls(source, what)
        raise RulesError("board_game.expected_path_toml", what=what, got=shown(source))

    def fail(self, key: str, /, *path: str | int, **fields: object) -> NoReturn:
        line = self.line(*path) if self.text else None
        raise DataError.of(Phrase(key, **fields), line=line, source=self.source)

    def line(self, *path: str | int) -> int:
        """The line of a key (a text) or of the n-th item of a list, which tomllib does not report."""
        at = 0
        for part in path:
            if isinstance(part, str):
                key = re.escape(part)
                entry = re.compile(rf"^[ \t]*(?:\[[ \t]*{key}[ \t]*\]|[\"']?{key}[\"']?[ \t]*=)", re.MULTILINE)
                match = entry.search(self.text, at)
                at = match.end() if match else at
            else:
                items = [item.start() for item in _ITEM.finditer(self.text, at) if item.group()[0] != "#"]
                at = items[part] if part < len(items) else at
        return self.text.count("\n", 0, at) + 1

    def only(self, *known: str) -> None:
        for key in self.data:
            if key not in known:
                self.fail("board_game.unknown_entry_expected", key, key=shown(key), known=", ".join(known))

    def get(self, key: str, kind: type[T], words: Phrase) -> T:
        if key not in self.data:
            self.fail("board_game.no_expected", key=shown(key), words=words)
        entry = self.data[key]
        if not isinstance(entry, kind):
            self.fail("shared.expected_got", key, key=shown(key), words=words, got=shown(entry))
        return entry

    def title(self) -> tuple[str, bool]:
        title = self.get("title", str, Phrase("board_game.text_title"))
        try:
            check_title(title, Phrase("engine.of_file"))
        except RulesError:
            self.fail("board_game.title_expected_text", "title", got=shown(title))
        is_sample = self.get("stand_in", bool, _TRUE_OR_FALSE) if "stand_in" in self.data else False
        return title, is_sample


#: A comment, a text, or a number or other word.
_ITEM = re.compile(r"""\#[^\n]*|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|[^\s,\[\]{}="'\#]+""")


def _counts(data: _Source, key: str, kinds: Sequence[str], total: int) -> tuple[int, ...]:
    counts = data.get(key, dict, Phrase("board_game.table_of_counts", kinds=", ".join(kinds)))
    for kind, count in counts.items():
        if kind not in kinds:
            data.fail("board_game.unknown_kind_card", key, kind, kind=shown(kind), kinds=", ".join(kinds))
        if not is_whole(count, 0, MOST_CARDS):
            data.fail("board_game.expected_how_many", key, kind, kind=kind, got=shown(count), most=MOST_CARDS)
    for kind in kinds:
        if kind not in counts:
            data.fail("board_game.no_count_expected", key, kind=kind, kinds=", ".join(kinds))
    if data.text and sum(counts.values()) != total:
        data.fail("board_game.expected_cards_all", key, total=total, got=sum(counts.values()))
    return tuple(counts[kind] for kind in kinds)


def entries(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The names of the entries in a TOML file."""
    return tuple(_Source.of(os.fspath(path), "a file").data)


# Samples ---------------------------------------------------------------------------------------------------


@cache
def sample_board(side: str) -> Board:
    """The sample board for a side."""
    name = f"board_{side}_stand_in.toml"
    return Board.parse(_data_file(name), name)


@cache
def sample_pieces() -> Pieces:
    """The sample tiles and cards."""
    name = "board_pieces_stand_in.toml"
    return Pieces.parse(_data_file(name), name)


def _data_file(name: str) -> str:
    return resources.files(__package__).joinpath(f"data/{name}").read_text(encoding="utf-8")


# Templates -------------------------------------------------------------------------------------------------


def write_board_template(path: str | os.PathLike[str], side: str = "basic") -> None:
    """Write an empty board file to fill in from the printed board."""
    if side not in SIDES:
        raise RulesError("board_game.board_side", sides=_SIDES, got=shown(side))
    write_file(path, _data_file("board_template.toml").replace("SIDE", side))


def write_pieces_template(path: str | os.PathLike[str]) -> None:
    """Write an empty file of tiles and cards to fill in from the printed ones."""
    write_file(path, _data_file("pieces_template.toml"))
