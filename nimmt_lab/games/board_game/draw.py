"""The board game in the terminal, and a board as SVG to compare with the printed one.

Every field has a sign with the same meaning as its colour.

>>> from nimmt_lab.games.board_game.material import sample_board
>>> print(board_text(sample_board("basic")).splitlines()[1])
row 1   [    ][+h  ][-2h ][TAKE]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from nimmt_lab.engine.cards import EMPTY, Cards, cards_text, seat_letter
from nimmt_lab.engine.draw import GAP, LABEL, frame, label_svg, plural, row_label, table_text, when_text
from nimmt_lab.engine.inflect import Listing
from nimmt_lab.engine.pieces import field_svg
from nimmt_lab.engine.sentences import Phrase, sentences

from .material import DRAW_ACTION, DRAW_TILE, HEADS, PLAIN, TAKE, TAKE_TILES, TRACK, TWO, Board, field_key
from .parts import BoardExtra, Kind, Luck

if TYPE_CHECKING:
    from nimmt_lab.engine.state import GameState

    from .rules import BoardGame

CHAPTER: Final = __package__
WIDTH: Final = 46


class FieldStyle(NamedTuple):
    """How a field is shown: its sign in text, its meaning in words; drawn, its kind, a number and a pictogram."""

    sign: str
    words: str
    kind: str
    before: str = ""
    icon: str = ""


#: Kind, number and pictogram by field; those with points have their number alone.
FACES: Final = {
    PLAIN: ("plain", "", ""),
    **{
        name: ("good" if times > 0 else "bad", f"{times:+d}".replace("1", "").replace("-", "−"), "bull")
        for name, times in HEADS.items()
    },
    TAKE: ("take", "", "take"),
    TAKE_TILES: ("take", "", "take_tiles"),
    TWO: ("draw", "2×", "tile"),
    DRAW_TILE: ("draw", "+", "tile"),
    DRAW_ACTION: ("draw", "+", "star"),
}
_SIGNS: Final = {
    TAKE: Phrase("board_game.sign_take"),
    TAKE_TILES: Phrase("board_game.sign_take_tiles"),
    DRAW_TILE: Phrase("board_game.sign_tile"),
    DRAW_ACTION: Phrase("board_game.sign_action"),
}


def field_style(field: str, lang: str = "en") -> FieldStyle:
    """How a field is drawn.

    >>> field_style("-7").words
    'minus 7'
    """
    words = sentences(CHAPTER, lang)["look.board"]
    if field not in FACES:
        name, kind = ("field_plus", "good") if field[0] == "+" else ("field_minus", "bad")
        return FieldStyle(field, words[name].format(points=field[1:]), kind, field.replace("-", "−"))
    if field in HEADS:
        sign = f"{HEADS[field]:+d}".replace("1", "") + Phrase("board_game.sign_heads").translate(lang)
    else:
        sign = _SIGNS[field].translate(lang) if field in _SIGNS else "x2" if field == TWO else ""
    return FieldStyle(sign, words[f"field_{field_key(field)}"], *FACES[field])


# Text ------------------------------------------------------------------------------------------------------


def board_text(board: Board, rows: tuple[Cards, ...] = (), stops: tuple[int, ...] = (), lang: str = "en") -> str:
    """A board for the terminal, with the tiles on it."""
    lines = [board.title_in(lang)]
    wide = len(row_label(99, lang))
    for row, fields in enumerate(board.rows):
        tiles = rows[row] if rows else ()
        cells = []
        for slot, field in enumerate(fields):
            covered = slot < len(tiles) and tiles[slot] != EMPTY
            stopped = row in stops and slot == len(tiles)
            sign = field_style(field, lang).sign
            cells.append(f"{tiles[slot]:^4}" if covered else "STOP" if stopped else f"{sign:<4}")
        lines.append(f"{row_label(row, lang):<{wide}} [{']['.join(cells)}]")
    if not rows:
        clovers = " ".join(map(str, board.clovers)) or Phrase("board_game.no_clovers").translate(lang)
        lines.append(Phrase("board_game.clovers", clovers=clovers).translate(lang))
    return "\n".join(lines)


def card_name(kind: Kind | None, lang: str) -> str:
    """The name of an action or luck card; a question mark if it is hidden."""
    if kind is None:
        return "?"
    return sentences(CHAPTER, lang)["luck" if isinstance(kind, Luck) else "action"][kind.value]


def text(state: GameState, game: BoardGame, lang: str) -> str:
    extra = BoardExtra.of(state)
    mode = sentences(CHAPTER, lang)["option"][f"board.mode.{game.mode}"]
    title = Phrase(
        "board_game.title_luck" if game.luck else "board_game.title",
        game=game.name,
        mode=mode,
        when=when_text(state, lang),
    )
    lines = [
        f"{title.translate(lang)}; {game.box.title_in(lang)}",
        board_text(game.layout, state.rows, extra.stops, lang),
    ]
    for seat, hand in enumerate(state.hands):
        cards = [card_name(kind, lang) for kind in (*extra.actions[seat], *extra.luck[seat])]
        held = ", ".join([plural(state.totals[seat], "points", lang), *cards])
        tiles = cards_text(hand) or Phrase("board_game.no_tiles").translate(lang)
        lines.append(f"{seat_letter(seat)} ({held}): {tiles}")
    stacks = [Phrase("board_game.in_stock", count=len(state.stock))] if state.stock else []
    if game.advanced:
        discards = len(extra.discards)
        stacks.append(Phrase("board_game.action_cards", count=len(extra.action_deck), discards=discards))
    if game.luck:
        left = zip(Luck, extra.luck_stacks, strict=True)
        stack = Listing(f"{count} × {card_name(kind, lang)}" for kind, count in left)
        stacks.append(Phrase("board_game.luck_cards", cards=stack))
    if stacks:
        lines.append("; ".join(stack.translate(lang) for stack in stacks))
    return table_text(state, lines, lang)


# SVG -------------------------------------------------------------------------------------------------------


def _field_svg(field: str, x: float, y: float, lang: str) -> str:
    style = field_style(field, lang)
    return field_svg(style.kind, style.icon, style.before, x, y, width=WIDTH, title=style.words)


def board_svg(board: Board, lang: str = "en") -> str:
    """A board and its score track as one SVG drawing, to compare with the printed one."""
    width = LABEL + max(map(len, board.rows)) * (WIDTH + GAP) + 4
    parts = [label_svg(0, 12, board.title_in(lang), size=13)]
    y = 20.0
    for row, fields in enumerate(board.rows):
        parts.append(label_svg(0, y + WIDTH / 2 + 4, row_label(row, lang), size=13))
        parts += [_field_svg(field, LABEL + slot * (WIDTH + GAP), y, lang) for slot, field in enumerate(fields)]
        y += WIDTH + GAP
    return frame([*parts, *_track_svg(board, width, y + 14)], width, y + 34, board_text(board, lang=lang))


def _track_svg(board: Board, width: float, y: float) -> list[str]:
    """The score track with its clovers (♣)."""

    def x_of(points: int) -> float:
        return 8 + (points + TRACK) / (2 * TRACK) * (width - 24)

    return [
        f'<line x1="{x_of(-TRACK):g}" y1="{y:g}" x2="{x_of(TRACK):g}" y2="{y:g}" stroke="currentColor"/>',
        *(label_svg(x_of(points), y + 16, str(points), size=11, anchor="middle") for points in (-TRACK, 0, TRACK)),
        *(label_svg(x_of(points), y + 5, "♣", size=13, anchor="middle") for points in board.clovers),
    ]
