"""Results as a sheet: a title, the table they are about, and figures with bars; as text and as HTML from one source.

>>> sheet = Sheet("Odds", [Figures(("card", "takes"), [Figure(("14", "25%"), 0.25), Figure(("15", "50%"), 0.5)])])
>>> print(sheet.to_text())
Odds
card  takes
  14    25%
  15    50%

The HTML needs no style sheet and takes the colours of the page around it, so that it reads well in light and dark
notebooks, and where styles are removed. What a bar shows is also written beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, ClassVar, TypeVar

from .cards import Card

if TYPE_CHECKING:
    from .game import Game
    from .state import GameState
    from .view import View

__all__ = ["Figure", "Figures", "Several", "Sheet", "Shown"]

S = TypeVar("S", bound="Shown")

#: Legible on white and on black; the best line also has a mark and bold type.
_BAR = "#3a8f5f"
_FONT = "font-family:system-ui,DejaVu Sans,sans-serif;font-size:13px;line-height:1.5"
_CELL = "text-align:{align};padding:2px 10px 2px 0;vertical-align:middle;background:none;color:inherit"
_TABLE = "border-collapse:collapse;color:inherit;background:none;margin:4px 0;font:inherit"
_CAPTION = "text-align:left;font-weight:600;padding-top:6px;color:inherit"
_LINE = "border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)"
_BAR_WIDTH = 140
#: The mark of the best line.
BEST = "★"
#: A cell with more letters is a sentence: it wraps.
LONG = 40


@dataclass(frozen=True)
class Figure:
    """One line of figures. `bar` is its length, from 0 to 1, and `spread` the ends of its interval."""

    cells: tuple[str, ...]
    bar: float | None = None
    spread: tuple[float, float] | None = None
    best: bool = False
    #: The card of the line, drawn beside it.
    card: Card | None = None


@dataclass(frozen=True)
class Figures:
    """A table of figures. The first column is the name of each line."""

    columns: tuple[str, ...]
    lines: Sequence[Figure]
    caption: str = ""


@dataclass(frozen=True)
class Sheet:
    """A result, ready to be shown."""

    title: str
    parts: Sequence[Figures] = ()
    #: Sentences below the title, and below the figures.
    lead: Sequence[str] = ()
    notes: Sequence[str] = ()
    #: The table that it is about.
    table: GameState | View | None = None
    #: The game whose cards are drawn; that of the table if None.
    game: Game | None = None
    #: Text that stands before the figures in a terminal, such as the table.
    above: str = field(default="")

    #: Draws a table and a card as HTML; the package's front door sets them, because pictures are made above the engine.
    table_painter: ClassVar[Callable[[GameState | View], str] | None] = None
    card_painter: ClassVar[Callable[[Game, Card], str] | None] = None

    def to_text(self) -> str:
        """The sheet for a terminal."""
        lines = [self.title, *self.lead, *filter(None, [self.above])]
        for part in self.parts:
            lines += filter(None, [part.caption])
            lines += _aligned(part)
        return "\n".join([*lines, *self.notes])

    def to_html(self) -> str:
        """The sheet for a notebook."""
        game = self.game if self.table is None else self.table.game
        parts = [f'<div style="font-weight:700;font-size:15px">{escape(self.title)}</div>']
        parts += [f"<div>{escape(line)}</div>" for line in self.lead]
        if self.table is not None and Sheet.table_painter is not None:
            parts.append(Sheet.table_painter(self.table))
        parts += [_html(part, game) for part in self.parts]
        parts += [f'<div style="opacity:.8">{escape(line)}</div>' for line in self.notes]
        return f'<div style="{_FONT};color:inherit;max-width:100%;overflow-x:auto">{"".join(parts)}</div>'


def _aligned(part: Figures) -> list[str]:
    rows = [tuple(part.columns), *(line.cells for line in part.lines)]
    if not any(part.columns):
        rows = rows[1:]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    signs = ["<" if width > LONG else ">" for width in widths]
    return [
        "  ".join(f"{cell:{sign}{width}}" for cell, sign, width in zip(row, signs, widths, strict=True)).rstrip()
        for row in rows
    ]


def _html(part: Figures, game: Game | None) -> str:
    has_bars = any(line.bar is not None for line in part.lines)
    styles = [f"{_CELL.format(align='left' if at == 0 else 'right')};{_LINE};font-weight:600" for at in (0, 1)]
    titles = [*part.columns, *([""] if has_bars else [])]
    head = "".join(f'<th style="{styles[min(at, 1)]}">{escape(title)}</th>' for at, title in enumerate(titles))
    shown = [f'<table style="{_TABLE}">']
    shown += [f'<caption style="{_CAPTION}">{escape(part.caption)}</caption>'] if part.caption else []
    shown += [f"<thead><tr>{head}</tr></thead>"] if any(part.columns) else []
    return f"{''.join(shown)}<tbody>{''.join(_row(line, game, has_bars) for line in part.lines)}</tbody></table>"


def _row(line: Figure, game: Game | None, has_bars: bool) -> str:
    weight = "700" if line.best else "400"
    cells = []
    for at, cell in enumerate(line.cells):
        text = escape(cell)
        if at == 0:
            drawn = line.card is not None and game is not None and Sheet.card_painter is not None
            text = Sheet.card_painter(game, line.card) if drawn else text  # type: ignore[misc, arg-type]
            text += f' <span aria-label="best" title="best">{BEST}</span>' if line.best else ""
        align = "left" if at == 0 or len(cell) > LONG else "right"
        style = f"{_CELL.format(align=align)};font-weight:{weight}{'' if len(cell) > LONG else ';white-space:nowrap'}"
        cells.append(f'<td style="{style}">{text}</td>')
    if has_bars:
        cells.append(f'<td style="{_CELL.format(align="left")}">{_bar(line)}</td>')
    return f'<tr style="background:none">{"".join(cells)}</tr>'


def _bar(line: Figure) -> str:
    if line.bar is None:
        return ""
    width = _BAR_WIDTH * min(1.0, max(0.0, line.bar))
    drawn = f'<rect x="0" y="3" width="{width:.1f}" height="10" rx="2" fill="{_BAR}"/>'
    if line.spread is not None:
        low, high = (_BAR_WIDTH * min(1.0, max(0.0, end)) for end in line.spread)
        drawn += (
            f'<path d="M{low:.1f} 8 H{high:.1f} M{low:.1f} 4 v8 M{high:.1f} 4 v8" stroke="currentColor" fill="none"/>'
        )
    return f'<svg width="{_BAR_WIDTH + 2}" height="16" aria-hidden="true" style="display:block">{drawn}</svg>'


class Shown:
    """Base of results with a display of their own: HTML in notebooks, text elsewhere."""

    __slots__ = ()

    def sheet(self) -> Sheet:
        """The result as a sheet."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.sheet().to_text()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.sheet().to_html()}


class Several(tuple[S, ...]):
    """Some results in order, displayed one below the other."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n\n".join(map(str, self)) or "()"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        drawn = "<hr>".join(each.sheet().to_html() for each in self)
        return {"text/plain": repr(self), "text/html": drawn or "<div>()</div>"}
