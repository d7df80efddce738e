"""The board game's material as data: boards, tiles and cards (rules: board-game, R-P1).

Layouts, clovers, the heads of each tile and the counts of the cards are pictures in the rulebook, so what comes
with the package are stand-ins, and they say so. Who owns the game can write empty files (`write_board_template`,
`write_pieces_template`), fill them in, load them (`Board.load`, `Pieces.load`) and compare the drawing.

>>> stand_in_board("basic").rows[0]
('.', 'g', 'rr', 'take')
>>> stand_in_pieces().heads(22)
3
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar, Final, NoReturn

from nimmt_lab.engine.cards import Card
from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import name_of, parse_toml, read_text, shown, write_file
from nimmt_lab.engine.options import LARGEST_MATERIAL, OptionData, check_title
from nimmt_lab.engine.sentences import Phrase

from .cards import Action, Luck

#: The fields as files and vectors write them.
PLAIN: Final = "."
TWO: Final = "two"
TAKE: Final = "take"
TAKE_TILES: Final = "take-tiles"
DRAW_TILE: Final = "tile"
DRAW_ACTION: Final = "action"
#: How often a field with heads counts those of the tile placed.
HEADS: Final = {"g": 1, "gg": 2, "r": -1, "rr": -2}
#: Fields that only the advanced side has.
NEW_FIELDS: Final = (TAKE_TILES, DRAW_TILE, DRAW_ACTION)
TAKES: Final = (TAKE, TAKE_TILES)
_POINTS = re.compile(r"[+-][1-9][0-9]?")

SIDES: Final = ("basic", "advanced")
ACTIVE_ROWS: Final = 4
TILES: Final = 100
#: A board has no more rows, and a row no more fields, than there are tiles to lie on them.
MOST_ROWS: Final = TILES
MOST_FIELDS: Final = TILES + 1
#: No more heads on a tile, and no more cards of a kind.
MOST_HEADS: Final = 99
MOST_CARDS: Final = 999
#: The score track ends here, on both sides.
TRACK: Final = 44


def points_of(field: str, heads: int) -> int | None:
    """What a field gives for a tile with that many heads; None where it does something else, or nothing.

    >>> points_of("gg", 3), points_of("-7", 3), points_of("two", 3)
    (6, -7, None)
    """
    if field in HEADS:
        return HEADS[field] * heads
    return int(field) if field[0] in "+-" else None


@dataclass(frozen=True, repr=False)
class Board(OptionData):
    """One side of a board: its rows of fields, top row first, and the score track's clovers."""

    title: str
    side: str
    rows: tuple[tuple[str, ...], ...]
    clovers: tuple[int, ...] = ()
    #: Whether the layout is ours instead of the printed one.
    stand_in: bool = False

    what: ClassVar[str] = "board"

    def __post_init__(self) -> None:
        check_title(self.title, self.what)
        if self.side not in SIDES:
            raise RulesError("board_game.board_side", sides=" or ".join(SIDES), got=shown(self.side))
        if not ACTIVE_ROWS <= len(self.rows) <= MOST_ROWS:
            raise RulesError.of(wrong_rows(len(self.rows)))
        for number, fields in enumerate(self.rows, start=1):
            wrong = wrong_row(fields, self.side)
            if wrong:
                raise RulesError("board_game.row_wrong", row=number, wrong=wrong)
        for clover in self.clovers:
            if not is_whole(clover) or not -TRACK <= clover <= TRACK:
                raise RulesError("board_game.clover_lies_track", least=-TRACK, most=TRACK, got=shown(clover))
        object.__setattr__(self, "clovers", tuple(sorted(set(self.clovers))))

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def to_json(self) -> dict[str, Json]:
        """The board as plain data, as its file has it."""
        rows: list[Json] = [" ".join(fields) for fields in self.rows]
        data: dict[str, Json] = {"title": self.title, "stand_in": self.stand_in, "side": self.side}
        return data | {"clovers": list(self.clovers), "rows": rows}

    @classmethod
    def made(cls, source: object) -> Board:
        """A board, the path of its TOML file, or its plain data, as a board."""
        if isinstance(source, cls):
            return source
        return _read_board(_material(source, "board"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Board:
        """Read a board's TOML file; errors name the file, the line and what was expected."""
        return cls.made(path)

    @classmethod
    def shipped(cls) -> Mapping[str, Board]:
        return {f"board_{side}_stand_in": stand_in_board(side) for side in SIDES}

    @classmethod
    def parse(cls, text: str, source: str = "board") -> Board:
        """The board that the text of a TOML file describes."""
        return _read_board(_Material.parse(text, source))


def wrong_rows(count: int) -> Phrase:
    """R-P7: with fewer rows a new row could find none empty; with more there are more rows than tiles."""
    if count > MOST_ROWS:
        return Phrase("board_game.rows_most", most=MOST_ROWS, got=count)
    return Phrase("board_game.rows_least", least=ACTIVE_ROWS, got=count)


def is_whole(number: object) -> bool:
    """Whether it is a whole number: true and false are none."""
    return isinstance(number, int) and not isinstance(number, bool)


def wrong_row(fields: Sequence[object], side: str) -> Phrase | None:
    """What is wrong with a row of fields, if anything."""
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
        return Phrase("board_game.field_last", takes=" or ".join(TAKES), got=repr(fields[-1]))
    if fields[0] in TAKES:
        return Phrase("board_game.field_first", field=repr(fields[0]))
    return None


@dataclass(frozen=True, repr=False)
class Pieces(OptionData):
    """The tiles' heads (tile 1 first) and how many cards of each kind there are."""

    title: str
    tile_heads: tuple[int, ...]
    #: In the order of `Action` and of `Luck`.
    action_cards: tuple[int, ...] = (4,) * len(Action)
    luck_cards: tuple[int, ...] = (6,) * len(Luck)
    #: Whether heads and counts are ours instead of the printed ones.
    stand_in: bool = False

    what: ClassVar[str] = "set of pieces"

    def __post_init__(self) -> None:
        check_title(self.title, self.what)
        heads = self.tile_heads
        if len(heads) != TILES or not all(is_whole(count) and 1 <= count <= MOST_HEADS for count in heads):
            raise RulesError("board_game.tiles_heads", tiles=TILES, most=MOST_HEADS)
        for counts, kinds in ((self.action_cards, Action), (self.luck_cards, Luck)):
            whole = all(is_whole(count) and 0 <= count <= MOST_CARDS for count in counts)
            if len(counts) != len(kinds) or not whole:
                raise RulesError(
                    "board_game.expected_count_each", kinds=", ".join(kind.value for kind in kinds), most=MOST_CARDS
                )

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def heads(self, tile: Card) -> int:
        """The heads on a tile."""
        return self.tile_heads[tile - 1]

    def cards(self) -> dict[str, int]:
        """How many cards there are of each kind."""
        counts = zip((*Action, *Luck), self.action_cards + self.luck_cards, strict=True)
        return {kind.value: count for kind, count in counts}

    def to_json(self) -> dict[str, Json]:
        """The pieces as plain data, as their file has them."""
        tiles: dict[str, Json] = {}
        for heads in sorted({*TILE_HEADS, *self.tile_heads}):
            tiles[str(heads)] = [tile for tile in range(1, TILES + 1) if self.heads(tile) == heads]
        return {
            "title": self.title,
            "stand_in": self.stand_in,
            "tiles": tiles,
            "action_cards": {kind.value: count for kind, count in zip(Action, self.action_cards, strict=True)},
            "luck_cards": {kind.value: count for kind, count in zip(Luck, self.luck_cards, strict=True)},
        }

    @classmethod
    def made(cls, source: object) -> Pieces:
        """Pieces, the path of their TOML file, or their plain data, as pieces."""
        if isinstance(source, cls):
            return source
        return _read_pieces(_material(source, "pieces"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Pieces:
        """Read the pieces' TOML file; errors name the file, the line and what was expected."""
        return cls.made(path)

    @classmethod
    def shipped(cls) -> Mapping[str, Pieces]:
        return {"board_pieces_stand_in": stand_in_pieces()}

    @classmethod
    def parse(cls, text: str, source: str = "pieces") -> Pieces:
        """The pieces that the text of a TOML file describes."""
        return _read_pieces(_Material.parse(text, source))


#: The numbers of heads that tiles have.
TILE_HEADS: Final = (1, 2, 3, 5)


# Reading ---------------------------------------------------------------------------------------------------


class _Material:
    """Data from a file (or a record), with the means to say where something stands in it. A file describes the
    printed game, so what is known of that is checked, too; a record may hold any board that can be played on."""

    def __init__(self, data: Mapping[str, object], source: str = "", text: str = "") -> None:
        self.data = data
        self.source = source
        self.text = text

    @classmethod
    def parse(cls, text: str, source: str) -> _Material:
        return cls(parse_toml(text, source=source, error=DataError), source, text)

    def fail(self, key: str, /, *path: str | int, **fields: object) -> NoReturn:
        line = self.line(*path) if self.text else None
        raise DataError.of(Phrase(key, **fields), line=line, source=self.source)

    def line(self, *path: str | int) -> int:
        """The line that holds a key (a text) or the n-th item of a list: tomllib does not say."""
        at = 0
        for part in path:
            if isinstance(part, str):
                key = re.escape(part)
                found = re.compile(rf"^[ \t]*(?:\[[ \t]*{key}[ \t]*\]|[\"']?{key}[\"']?[ \t]*=)", re.MULTILINE)
                match = found.search(self.text, at)
                at = match.end() if match else at
            else:
                items = [item.start() for item in _ITEM.finditer(self.text, at) if item.group()[0] != "#"]
                at = items[part] if part < len(items) else at
        return self.text.count("\n", 0, at) + 1

    def only(self, *known: str) -> None:
        for key in self.data:
            if key not in known:
                self.fail("board_game.unknown_entry_expected", key, key=shown(key), known=", ".join(known))

    def get(self, key: str, kind: type, words: str) -> object:
        found = self.data.get(key)
        if key not in self.data:
            self.fail("board_game.no_expected", key=shown(key), words=words)
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            self.fail("shared.expected_got", key, key=shown(key), words=words, got=shown(found))
        return found

    def title(self) -> tuple[str, bool]:
        title = self.get("title", str, "a text that names it")
        try:
            check_title(title, "file")
        except RulesError:
            self.fail("board_game.title_expected_text", "title", got=shown(title))
        stand_in = self.get("stand_in", bool, "true or false") if "stand_in" in self.data else False
        return str(title), bool(stand_in)


#: A comment, a text, or a number or other word.
_ITEM = re.compile(r"""\#[^\n]*|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|[^\s,\[\]{}="'\#]+""")


def _material(source: object, what: str) -> _Material:
    if isinstance(source, (str, os.PathLike)):
        text = read_text(source, largest=LARGEST_MATERIAL, error=DataError, what="a TOML file")
        return _Material.parse(text, name_of(source))
    if isinstance(source, Mapping) and all(isinstance(key, str) for key in source):
        return _Material(source, what)
    raise RulesError("board_game.expected_path_toml", what=what, got=shown(source))


def _read_board(data: _Material) -> Board:
    data.only("title", "stand_in", "side", "clovers", "rows")
    title, stand_in = data.title()
    side = data.get("side", str, " or ".join(SIDES))
    if side not in SIDES:
        data.fail("board_game.side_expected_got", "side", sides=" or ".join(SIDES), got=shown(side))
    clovers = data.get("clovers", list, "a list of places on the score track")
    assert isinstance(clovers, list)
    for at, clover in enumerate(clovers):
        if not is_whole(clover) or not -TRACK <= clover <= TRACK:
            data.fail("board_game.expected_clovers_place", "clovers", at, least=-TRACK, most=TRACK, got=shown(clover))
        if clover in clovers[:at]:
            data.fail("board_game.clover_at_there", "clovers", at, clover=clover)
    rows = data.get("rows", list, "a list with a text of fields for each row")
    assert isinstance(rows, list)
    read: list[tuple[str, ...]] = []
    for at, row in enumerate(rows):
        if not isinstance(row, str):
            data.fail("board_game.row_expected_text", "rows", at, at=at + 1, got=shown(row))
        fields = tuple(row.split())
        wrong = wrong_row(fields, str(side))
        if wrong is None and data.text and any(field in TAKES for field in fields[:-1]):
            wrong = Phrase("board_game.field_before")
        if wrong:
            data.fail("board_game.row_wrong", "rows", at, row=at + 1, wrong=wrong)
        read.append(fields)
    if not ACTIVE_ROWS <= len(read) <= MOST_ROWS:
        many = wrong_rows(len(read))
        data.fail(many.key, "rows", **many.fields)
    return Board(title, str(side), tuple(read), tuple(clovers), stand_in)


def _read_pieces(data: _Material) -> Pieces:
    data.only("title", "stand_in", "tiles", "action_cards", "luck_cards")
    title, stand_in = data.title()
    heads: dict[Card, int] = {}
    tiles = data.get("tiles", dict, "a table: under each number of heads the tiles that have it")
    assert isinstance(tiles, dict)
    for key, numbers in tiles.items():
        if key not in map(str, TILE_HEADS) and (data.text or not re.fullmatch(r"[1-9][0-9]?", key)):
            data.fail(
                "board_game.tiles_have_heads", "tiles", key, tile_heads=", ".join(map(str, TILE_HEADS)), got=shown(key)
            )
        if not isinstance(numbers, list):
            data.fail("board_game.expected_list_tiles", "tiles", key, key=key, got=shown(numbers))
        for at, tile in enumerate(numbers):
            if not is_whole(tile) or not 1 <= tile <= TILES:
                data.fail("board_game.expected_tile_from", "tiles", key, at, most=TILES, got=shown(tile))
            if tile in heads:
                data.fail("board_game.tile_there_twice", "tiles", key, at, tile=tile, heads=heads[tile])
            heads[tile] = int(key)
    missing = [tile for tile in range(1, TILES + 1) if tile not in heads]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        data.fail("board_game.tile_missing_expected", "tiles", missing=missing[0], more=more, most=TILES)
    return Pieces(
        title,
        tuple(heads[tile] for tile in range(1, TILES + 1)),
        _counts(data, "action_cards", [kind.value for kind in Action], 24),
        _counts(data, "luck_cards", [kind.value for kind in Luck], 12),
        stand_in,
    )


def _counts(data: _Material, key: str, kinds: Sequence[str], total: int) -> tuple[int, ...]:
    counts = data.get(key, dict, f"a table with a count for each of {', '.join(kinds)}")
    assert isinstance(counts, dict)
    for kind, count in counts.items():
        if kind not in kinds:
            data.fail("board_game.unknown_kind_card", key, kind, kind=shown(kind), kinds=", ".join(kinds))
        if not is_whole(count) or not 0 <= count <= MOST_CARDS:
            data.fail("board_game.expected_how_many", key, kind, kind=kind, got=shown(count), most=MOST_CARDS)
    for kind in kinds:
        if kind not in counts:
            data.fail("board_game.no_count_expected", key, kind=kind, kinds=", ".join(kinds))
    if data.text and sum(counts.values()) != total:
        data.fail("board_game.expected_cards_all", key, total=total, got=sum(counts.values()))
    return tuple(counts[kind] for kind in kinds)


def entries(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The names of a TOML file's entries: a board has rows, pieces have tiles."""
    return tuple(_material(os.fspath(path), "a file").data)


# What comes with the package -------------------------------------------------------------------------------


def _shipped(name: str) -> _Material:
    return _Material.parse(resources.files(__package__).joinpath(f"data/{name}").read_text(encoding="utf-8"), name)


@cache
def stand_in_board(side: str) -> Board:
    """Our own board for a side; it says that it is a stand-in."""
    return _read_board(_shipped(f"board_{side}_stand_in.toml"))


@cache
def stand_in_pieces() -> Pieces:
    """Our own heads of the tiles and counts of the cards; they say that they are stand-ins."""
    return _read_pieces(_shipped("board_pieces_stand_in.toml"))


# Templates -------------------------------------------------------------------------------------------------

LEGEND: Final = """\
# Fields, separated by spaces:
#   .            a plain field
#   g  gg        green heads: plus the heads of the tile placed (gg: twice)
#   r  rr        red heads: minus the heads of the tile placed (rr: twice)
#   +5  -7       points
#   two          play two tiles
#   take         take the row (heads), the last field of a row
#   take-tiles   take the row (tiles), the last field of a row (advanced side)
#   tile         draw a tile (advanced side)
#   action       draw an action card (advanced side)
"""


def write_board_template(path: str | os.PathLike[str], side: str = "basic") -> None:
    """Write an empty board file to fill in from the printed board."""
    if side not in SIDES:
        raise RulesError("board_game.board_side", sides=" or ".join(SIDES), got=shown(side))
    rows = "".join(f'    "",  # row {number}\n' for number in range(1, 11))
    write_file(
        path,
        f"# A board, top row first. Fill in the rows and the clovers, then draw it and compare.\n{LEGEND}\n"
        f'title = "my board, {side} side"\nside = "{side}"\n'
        f"# The places of the score track (from {-TRACK} to {TRACK}) that show a clover.\nclovers = []\n"
        f"rows = [\n{rows}]\n",
    )


def write_pieces_template(path: str | os.PathLike[str]) -> None:
    """Write an empty file of tiles and cards to fill in from the printed ones."""
    tiles = "".join(f"{heads} = []\n" for heads in TILE_HEADS)
    actions = "".join(f"{kind.value} = 0\n" for kind in Action)
    luck = "".join(f"{kind.value} = 0\n" for kind in Luck)
    write_file(
        path,
        "# The tiles and cards of the board game. Fill in from the printed ones.\n"
        'title = "my tiles and cards"\n\n'
        f"# Under each number of heads, the tiles from 1 to {TILES} that have it.\n[tiles]\n{tiles}\n"
        f"# How many there are of each kind: 24 action cards, 12 luck cards.\n[action_cards]\n{actions}\n"
        f"[luck_cards]\n{luck}",
    )
