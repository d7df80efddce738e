"""Drawing the board: fields with symbols, tiles on them, what lies beside. Text for terminals, SVG for notebooks.

Every field says with a sign what its colour says. Where the board or the pieces are stand-ins, every drawing says so.

>>> from nimmt_lab.games.board_game.material import stand_in_board
>>> print(board_text(stand_in_board("basic")).splitlines()[1])
row 1   [    ][+h  ][-2h ][TAKE]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from nimmt_lab.engine.cards import EMPTY, Cards, cards_text, seat_letter
from nimmt_lab.engine.draw import GAP, LABEL, card_svg, frame, label_svg, plural

from .cards import BoardExtra
from .material import DRAW_ACTION, DRAW_TILE, PLAIN, TAKE, TAKE_TILES, TRACK, TWO, Board

if TYPE_CHECKING:
    from nimmt_lab.engine.state import GameState

    from .rules import BoardGame

WIDTH: Final = 44
HEIGHT: Final = 60


class FieldStyle(NamedTuple):
    """How a field is drawn: its sign, what it says in words, and its colours (contrast at least 4.5)."""

    sign: str
    words: str
    ink: str
    tint: str


#: Ink and tint.
_GREEN = ("#0b5a2f", "#e3f4e8")
_RED = ("#9a1f12", "#fde8e4")
_GREY = ("#3b5563", "#f7f9fa")
_AMBER = ("#7a4100", "#fff0d6")
_BLUE = ("#00497a", "#e6f1fa")

_STYLES: Final = {
    PLAIN: FieldStyle("", "plain field", *_GREY),
    "g": FieldStyle("+h", "plus the tile's heads", *_GREEN),
    "gg": FieldStyle("+2h", "plus twice the tile's heads", *_GREEN),
    "r": FieldStyle("-h", "minus the tile's heads", *_RED),
    "rr": FieldStyle("-2h", "minus twice the tile's heads", *_RED),
    TWO: FieldStyle("x2", "everybody plays two tiles", *_BLUE),
    TAKE: FieldStyle("TAKE", "take the row: minus its heads", *_AMBER),
    TAKE_TILES: FieldStyle("GET", "take the row: its tiles", *_AMBER),
    DRAW_TILE: FieldStyle("tile", "draw a tile", *_BLUE),
    DRAW_ACTION: FieldStyle("card", "draw an action card", *_BLUE),
}


def field_style(field: str) -> FieldStyle:
    """How a field is drawn.

    >>> field_style("-7").words
    'minus 7 points'
    """
    if field in _STYLES:
        return _STYLES[field]
    words = "plus" if field[0] == "+" else "minus"
    return FieldStyle(field, f"{words} {field[1:]} points", *(_GREEN if field[0] == "+" else _RED))


# Text ------------------------------------------------------------------------------------------------------


def board_text(board: Board, rows: tuple[Cards, ...] = (), stops: tuple[int, ...] = ()) -> str:
    """A board in the terminal, with the tiles on it, to compare with the printed one."""
    lines = [_titled(board.title, board.stand_in)]
    for row, fields in enumerate(board.rows):
        tiles = rows[row] if rows else ()
        cells = []
        for slot, field in enumerate(fields):
            covered = slot < len(tiles) and tiles[slot] != EMPTY
            stopped = row in stops and slot == len(tiles)
            cells.append(f"{tiles[slot]:^4}" if covered else "STOP" if stopped else f"{field_style(field).sign:<4}")
        lines.append(f"row {row + 1:<3} [{']['.join(cells)}]")
    if not rows:
        lines.append(f"clovers: {' '.join(map(str, board.clovers)) or 'none'}")
    return "\n".join(lines)


def text(state: GameState, game: BoardGame) -> str:
    """A state for the terminal."""
    extra = BoardExtra.of(state)
    lines = [title(state, game), board_text(game.layout, state.rows, extra.stops)]
    for seat, hand in enumerate(state.hands):
        lines.append(f"{seat_letter(seat)} ({_seat_words(state, seat)}): {cards_text(hand) or 'no tiles'}")
    lines += [words for words in (_beside(state, game),) if words]
    if state.queue:
        lines.append("to place: " + " ".join(map(repr, state.queue)))
    if state.outcome:
        winners = " and ".join(seat_letter(seat) for seat in state.outcome.winners)
        lines.append(f"{winners} {'win' if len(state.outcome.winners) > 1 else 'wins'}")
    if len(state.pending) == 1:
        for seat, decision in state.pending.items():
            lines.append(f"{seat_letter(seat)} chooses: {', '.join(map(decision.write, decision.options[:24]))}")
    return "\n".join(lines)


def title(state: GameState, game: BoardGame) -> str:
    """`board, advanced with luck cards, turn 3; stand-in tiles and cards (not the printed ones)`."""
    when = "the game is over" if state.is_over else f"turn {state.turn + 1}"
    luck = " with luck cards" if game.luck else ""
    return f"{game.name}, {game.mode}{luck}, {when}; {_titled(game.box.title, game.box.stand_in)}"


def _titled(title: str, stand_in: bool) -> str:
    return title if not stand_in or "stand-in" in title.lower() else f"{title} (stand-in)"


def _seat_words(state: GameState, seat: int) -> str:
    extra = BoardExtra.of(state)
    cards = [*map(str, extra.actions[seat]), *map(str, extra.luck[seat])]
    return ", ".join([plural(state.totals[seat], "point"), *cards])


def _beside(state: GameState, game: BoardGame) -> str:
    """What lies beside the board, in words."""
    extra = BoardExtra.of(state)
    words = [plural(len(state.stock), "tile") + " in the stock"] if state.stock else []
    if game.advanced:
        words.append(f"{plural(len(extra.action_deck), 'action card')}, {len(extra.discards)} discarded")
    if game.luck:
        words.append(f"luck cards: {extra.luck_stacks[0]} plus_five, {extra.luck_stacks[1]} positive_heads")
    return "; ".join(words)


# SVG -------------------------------------------------------------------------------------------------------


def _field_svg(field: str, x: float, y: float) -> str:
    style = field_style(field)
    return (
        f'<g transform="translate({x:g} {y:g})"><title>{style.words}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{style.tint}" stroke="{style.ink}" '
        f'stroke-width="{2.4 if field in (TAKE, TAKE_TILES) else 1}"/>'
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT / 2 + 5:g}" text-anchor="middle" font-size="14" font-weight="600" '
        f'fill="{style.ink}">{style.sign}</text></g>'
    )


def _stop_svg(x: float, y: float) -> str:
    return (
        f'<g transform="translate({x:g} {y:g})"><title>Stop! marker: nothing may be added here</title>'
        f'<circle cx="{WIDTH / 2:g}" cy="{HEIGHT / 2:g}" r="19" fill="#9a1f12"/>'
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT / 2 + 4:g}" text-anchor="middle" font-size="11" font-weight="700" '
        f'fill="#ffffff">STOP</text></g>'
    )


def _rows_svg(
    board: Board, y: float, game: BoardGame | None = None, rows: tuple[Cards, ...] = (), stops: tuple[int, ...] = ()
) -> list[str]:
    parts = []
    for row, fields in enumerate(board.rows):
        tiles = rows[row] if rows else ()
        parts.append(label_svg(0, y + HEIGHT / 2 + 4, f"row {row + 1}", size=13))
        for slot, field in enumerate(fields):
            x = LABEL + slot * (WIDTH + GAP)
            parts.append(_field_svg(field, x, y))
            if slot < len(tiles) and tiles[slot] != EMPTY:
                heads = game.box.heads(tiles[slot]) if game else None
                parts.append(card_svg(tiles[slot], x + 2, y + 2, count=heads))
            elif row in stops and slot == len(tiles):
                parts.append(_stop_svg(x, y))
        y += HEIGHT + GAP
    return parts


def _width(board: Board) -> float:
    return LABEL + max(map(len, board.rows)) * (WIDTH + GAP) + 4


def _track_svg(board: Board, scores: tuple[int, ...], width: float, y: float) -> list[str]:
    """The score track with its clovers (♣) and the seats' letters."""

    def x_of(points: int) -> float:
        return 8 + (points + TRACK) / (2 * TRACK) * (width - 24)

    parts = [
        f'<line x1="{x_of(-TRACK):g}" y1="{y:g}" x2="{x_of(TRACK):g}" y2="{y:g}" stroke="currentColor"/>',
        *(label_svg(x_of(points), y + 16, str(points), size=11, anchor="middle") for points in (-TRACK, 0, TRACK)),
        *(label_svg(x_of(points), y + 5, "♣", size=13, anchor="middle") for points in board.clovers),
    ]
    for seat, points in enumerate(scores):
        rank = sum(other == points for other in scores[:seat])
        parts.append(label_svg(x_of(points), y - 6 - 12 * rank, seat_letter(seat), size=12, anchor="middle"))
    return parts


def board_svg(board: Board) -> str:
    """A board and its track as one SVG drawing, to compare with the printed one."""
    width = _width(board)
    bottom = 24 + len(board.rows) * (HEIGHT + GAP)
    parts = [label_svg(0, 12, _titled(board.title, board.stand_in), size=13), *_rows_svg(board, 20)]
    parts += _track_svg(board, (), width, bottom + 10)
    return frame(parts, width, bottom + 30, board_text(board))


def html(state: GameState, game: BoardGame) -> str:
    """A state for a notebook cell."""
    board, extra = game.layout, BoardExtra.of(state)
    most = max(len(hand) for hand in state.hands)
    width = max(_width(board), most * (WIDTH + GAP), 640)
    parts = [
        label_svg(0, 12, title(state, game), size=13),
        label_svg(0, 28, _titled(board.title, board.stand_in), size=12),
        *_rows_svg(board, 36, game, state.rows, extra.stops),
    ]
    y = 36 + len(board.rows) * (HEIGHT + GAP) + 84
    parts += _track_svg(board, state.totals, width, y - 24)
    y += 12
    for seat, hand in enumerate(state.hands):
        parts.append(label_svg(0, y + 12, f"{seat_letter(seat)}: {_seat_words(state, seat)}", size=13))
        parts += [
            card_svg(tile, at * (WIDTH + GAP), y + 18, count=game.box.heads(tile)) for at, tile in enumerate(hand)
        ]
        y += HEIGHT + 24
    waiting = "to place: " + " ".join(map(repr, state.queue)) if state.queue else ""
    for line in (_beside(state, game), waiting):
        parts.append(label_svg(0, y + 10, line, size=12))
        y += 18
    drawing = frame(parts, width, y + 4, text(state, game))
    return f'<div class="nimmt-state" style="overflow-x:auto">{drawing}</div>'
