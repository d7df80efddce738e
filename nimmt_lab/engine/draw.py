"""Our own drawing of cards, rows and hands: SVG for notebooks, plain text for terminals.

The five head counts differ by the shape and number of their pips, by the border's pattern and by colour, so
a greyscale print or a colour-blind reader loses nothing. A row shows its free places as outlines and, behind
them, the notch of the card that takes: the rule can be seen before it bites.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from .cards import Card, Cards, cards_text, heads, seat_letter

if TYPE_CHECKING:
    from .state import GameState

__all__ = [
    "CARD_HEIGHT",
    "CARD_WIDTH",
    "GAP",
    "LABEL",
    "STYLES",
    "HeadStyle",
    "card_svg",
    "cards_parts",
    "frame",
    "html",
    "label_svg",
    "notch_svg",
    "plural",
    "row_parts",
    "slot_svg",
    "svg",
    "text",
    "text_row",
    "title",
]


CARD_WIDTH = 40
CARD_HEIGHT = 56
GAP = 6
LABEL = 64


class HeadStyle(NamedTuple):
    """How a number of heads is drawn."""

    shape: str
    ink: str
    tint: str
    dash: str


#: By number of heads. The inks keep a contrast of at least 4.5 on their tints.
STYLES = {
    1: HeadStyle("circle", "#3b5563", "#f7f9fa", ""),
    2: HeadStyle("diamond", "#00568a", "#e8f3fb", "5 2"),
    3: HeadStyle("triangle", "#8a4b00", "#fff3dc", "2 2"),
    5: HeadStyle("square", "#a3260b", "#ffe9e2", "8 2 2 2"),
    7: HeadStyle("star", "#6a1b7f", "#f7e6fb", "1 1"),
}


def plural(count: int, word: str) -> str:
    """`1 head`, `2 heads`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def _pip(shape: str, x: float, y: float, r: float) -> str:
    if shape == "circle":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"/>'
    if shape == "square":
        return f'<rect x="{x - r:g}" y="{y - r:g}" width="{2 * r:g}" height="{2 * r:g}"/>'
    corners = {"diamond": 4, "triangle": 3, "star": 10}[shape]
    points = []
    for corner in range(corners):
        radius = r * (0.45 if shape == "star" and corner % 2 else 1.2)
        angle = math.tau * corner / corners - math.pi / 2
        points.append(f"{x + radius * math.cos(angle):.1f},{y + radius * math.sin(angle):.1f}")
    return f'<polygon points="{" ".join(points)}"/>'


def card_svg(card: Card, x: float = 0, y: float = 0, *, count: int | None = None) -> str:
    """One card as an SVG group at (x, y). `count` is its number of heads where it is not the printed one.

    >>> "55, 7 heads" in card_svg(55)
    True
    """
    count = heads(card) if count is None else count
    style = STYLES.get(count) or STYLES[1]
    step = min(8.0, (CARD_WIDTH - 6) / max(count, 1))
    left = CARD_WIDTH / 2 - step * (count - 1) / 2
    pips = "".join(_pip(style.shape, left + step * i, 9, min(2.9, step * 0.42)) for i in range(count))
    return (
        f'<g transform="translate({x:g} {y:g})"><title>{card}, {plural(count, "head")}</title>'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="{style.tint}" stroke="{style.ink}" '
        f'stroke-width="1.6" stroke-dasharray="{style.dash}"/>'
        f'<g fill="{style.ink}">{pips}</g>'
        f'<text x="{CARD_WIDTH / 2:g}" y="38" text-anchor="middle" font-size="{20 if card < 100 else 17}" '
        f'font-weight="600" fill="{style.ink}">{card}</text></g>'
    )


def slot_svg(x: float, y: float) -> str:
    """A free place of a row."""
    return (
        f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="5" fill="none" '
        'stroke="currentColor" stroke-opacity=".35" stroke-dasharray="3 4"/>'
    )


def notch_svg(x: float, y: float, number: int) -> str:
    """The place that takes the row: a hazard notch with the number of the card that takes."""
    top, bottom, middle = y + 4, y + CARD_HEIGHT - 4, y + CARD_HEIGHT / 2
    return (
        f"<g><title>card {number} takes the row</title>"
        f'<path d="M{x:g} {top:g} L{x + 14:g} {middle:g} L{x:g} {bottom:g} Z" fill="#fff3dc" stroke="#8a4b00" '
        f'stroke-width="1.4"/><text x="{x + 2:g}" y="{middle + 4:g}" font-size="11" fill="#8a4b00" '
        f'font-weight="700">{number}</text></g>'
    )


def label_svg(x: float, y: float, text: str, *, size: int = 12, anchor: str = "start") -> str:
    """A line of text in the notebook's own colour."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
    )


def frame(parts: Iterable[str], width: float, height: float, description: str) -> str:
    """A complete drawing that scales down with its container and says in words what it shows."""
    words = "; ".join(description.splitlines())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'style="max-width:100%;height:auto;color:var(--jp-content-font-color1,#1b1f23)" role="img" '
        f'aria-label="{escape(words)}" font-family="system-ui, -apple-system, Segoe UI, sans-serif">'
        f"{''.join(parts)}</svg>"
    )


def row_parts(state: GameState, row: int, y: float, places: int) -> list[str]:
    """One row: its label, cards, free places, notch, the heads at stake, and what lies beside it.

    `places` is the width of the lane; a row that holds fewer cards has its notch earlier.
    """
    cards = state.rows[row]
    holds = state.game.places(state, row)
    parts = [label_svg(0, y + CARD_HEIGHT / 2 + 4, f"row {row + 1}", size=13)]
    for place in range(max(holds, len(cards))):
        x = LABEL + place * (CARD_WIDTH + GAP)
        if place < len(cards):
            parts.append(card_svg(cards[place], x, y, count=state.game.heads_in((cards[place],))))
        else:
            parts.append(slot_svg(x, y))
    parts.append(notch_svg(LABEL + max(holds, len(cards)) * (CARD_WIDTH + GAP), y, holds + 1))
    lines = (plural(state.game.heads_in(cards), "head"), *state.game.row_notes(state, row))
    x = LABEL + max(places, len(cards)) * (CARD_WIDTH + GAP) + 24
    top = y + CARD_HEIGHT / 2 + 4 - 8 * (len(lines) - 1)
    parts += [label_svg(x, top + 16 * at, line) for at, line in enumerate(lines)]
    return parts


def cards_parts(state: GameState, cards: Sequence[Card], x: float, y: float) -> list[str]:
    """Some cards side by side."""
    return [
        card_svg(card, x + at * (CARD_WIDTH + GAP), y, count=state.game.heads_in((card,)))
        for at, card in enumerate(cards)
    ]


def svg(state: GameState) -> str:
    """A state of a card game as one SVG drawing: rows, then hands."""
    places = max([state.game.places_in_row, *(state.game.places(state, row) for row in range(len(state.rows)))])
    y = 20.0
    parts = [label_svg(0, 12, title(state), size=13)]
    for row in range(len(state.rows)):
        parts += row_parts(state, row, y, places)
        y += CARD_HEIGHT + GAP
    placing = (f"to place: {' '.join(map(repr, state.queue))}",) if state.queue else ()
    for note in (*state.game.table_notes(state), *placing):
        parts.append(label_svg(0, y + 14, note, size=13))
        y += 18
    if state.game.open_stock and state.stock:
        parts.append(label_svg(0, y + 14, f"{len(state.stock)} cards to pick from", size=13))
        y += 22
        for start in range(0, len(state.stock), 12):
            parts += cards_parts(state, state.stock[start : start + 12], 0, y)
            y += CARD_HEIGHT + GAP
    y += 8
    if state.queue:
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 18, "to place", size=13))
        for at, play in enumerate(state.queue):
            said = seat_letter(play.seat) + ("" if play.plain else f" as {play.value}")
            parts.append(label_svg(LABEL + at * (CARD_WIDTH + GAP), y + 10, said, size=11))
        parts += cards_parts(state, [play.card for play in state.queue], LABEL, y + 14)
        y += CARD_HEIGHT + GAP + 22
    for seat, hand in enumerate(state.hands):
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 - 4, seat_letter(seat), size=15))
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 12, plural(_points(state, seat), "head"), size=11))
        parts += cards_parts(state, hand, LABEL, y)
        y += CARD_HEIGHT + GAP
    noted = any(state.game.row_notes(state, row) for row in range(len(state.rows)))
    spread = 12 if state.stock and state.game.open_stock else 0
    widest = max([places + (4 if noted else 2), *map(len, state.hands), spread, len(state.queue)])
    width = LABEL + widest * (CARD_WIDTH + GAP) + 4
    return frame(parts, width, y, text(state))


def html(state: GameState) -> str:
    """A state for a notebook cell."""
    return f'<div class="nimmt-state" style="overflow-x:auto">{svg(state)}</div>'


def _points(state: GameState, seat: int) -> int:
    """A seat's total so far, this round's pile included (unless the round has been scored already)."""
    pile = state.game.pile_of(seat)
    return state.totals[pile] + (0 if state.is_over else state.game.heads_in(state.piles[pile]))


def title(state: GameState) -> str:
    """`classic, round 1, turn 3 of 10`."""
    where = f"{state.game.name}, round {state.round + 1}"
    return f"{where}, the game is over" if state.is_over else f"{where}, turn {state.turn + 1} of {state.game.turns}"


def text_row(state: GameState, row: int, places: int) -> str:
    """`row 1   12  14  15   .   . |6   3 heads`."""
    cards: Cards = state.rows[row]
    holds = state.game.places(state, row)
    shown = "".join([f"{card:>4}" for card in cards] + ["   ."] * (holds - len(cards))) + f" |{holds + 1}"
    notes = "".join(f"  {note}" for note in state.game.row_notes(state, row))
    return f"row {row + 1} {shown:<{4 * places + 3}}  {plural(state.game.heads_in(cards), 'head')}{notes}"


def text(state: GameState) -> str:
    """A state for the terminal."""
    lines = [title(state)]
    lines += [text_row(state, row, state.game.places_in_row) for row in range(len(state.rows))]
    lines += [f"{key}: {body}" for key, body in state.game.write_sections(state).items()]
    if state.game.open_stock and state.stock:
        lines.append(f"to pick from: {cards_text(state.stock)}")
    for seat, hand in enumerate(state.hands):
        points = plural(_points(state, seat), "head")
        lines.append(f"{seat_letter(seat)} ({points}): {cards_text(hand) or 'no cards'}")
    if state.queue:
        lines.append("to place: " + " ".join(map(repr, state.queue)))
    if state.outcome:
        winners = " and ".join(seat_letter(seat) for seat in state.outcome.winners)
        lines.append(f"{winners} {'win' if len(state.outcome.winners) > 1 else 'wins'}" if winners else "nobody wins")
    for seat, decision in state.pending.items():
        if len(state.pending) == 1:
            lines.append(f"{seat_letter(seat)} chooses: {', '.join(decision.write(o) for o in decision.options[:24])}")
    return "\n".join(lines)
