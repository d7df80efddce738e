"""States as plain text for terminals, and the frame of a drawing.

Cards are drawn by `pieces`, whole tables by `nimmt_lab.boards.picture`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING

from .cards import cards_text, seat_letter
from .inflect import Listing, fill
from .sentences import Phrase, counted

if TYPE_CHECKING:
    from .play import Play
    from .state import GameState
    from .view import View

__all__ = [
    "frame", "label_svg", "plural", "row_label", "table_text", "text", "view_text", "when_text",
]  # fmt: skip


CARD_WIDTH = 40
CARD_HEIGHT = 56
GAP = 6
LABEL = 64


def plural(count: int, word: str, lang: str = "en", package: str = "nimmt_lab.engine") -> str:
    """A count with its noun, a counted word of that package.

    >>> plural(2, "heads"), plural(1, "points", "cs")
    ('2 heads', '1\xa0bod')
    """
    return fill(f"{{n:{word}}}", {"n": count}, lang, counted(package, lang))


def label_svg(x: float, y: float, text: str, *, size: int = 12, anchor: str = "start") -> str:
    """A line of text in the colour of the surrounding page."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
    )


def frame(parts: Iterable[str], width: float, height: float, description: str) -> str:
    """A complete drawing that scales down with its container, with `description` for screen readers."""
    words = "; ".join(description.splitlines())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'style="max-width:100%;height:auto;color:var(--jp-content-font-color1,#1b1f23)" role="img" '
        f'aria-label="{escape(words)}" font-family="system-ui, -apple-system, Segoe UI, sans-serif">'
        f"{''.join(parts)}</svg>"
    )


def text(state: GameState, lang: str = "en") -> str:
    """A state for the terminal, one line per row and hand."""
    game = state.game
    when = when_text(state, lang, game.turns)
    lines = [Phrase("drawn.title", game=game.name, round=state.round + 1, when=when).translate(lang)]
    lines += [_row_text(state, row, lang) for row in range(len(state.rows))]
    lines += [f"{key}: {body}" for key, body in game.write_sections(state).items()]
    if game.open_stock and state.stock:
        lines.append(Phrase("drawn.to_pick_from", cards=cards_text(state.stock)).translate(lang))
    for seat, hand in enumerate(state.hands):
        pile = game.pile_of(seat)
        points = state.totals[pile] + (0 if state.is_over else game.heads_in(state.piles[pile]))
        held = cards_text(hand) or Phrase("drawn.no_cards").translate(lang)
        lines.append(f"{seat_letter(seat)} ({plural(points, 'heads', lang)}): {held}")
    return table_text(state, lines, lang)


def view_text(view: View, lang: str = "en") -> str:
    """A view for the terminal, with `?` for each hidden card.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 | 37 | 43 | 58 ; A: 20 60 ; B: 30 31")
    >>> print(view_text(state.view(0)))
    classic, round 1, turn 9 of 10
    row 1   12  14
    row 2   37
    row 3   43
    row 4   58
    A (0 heads): 20 60
    B (0 heads): ? ?
    """
    game = view.game
    when = when_text(view, lang, game.turns)
    lines = [Phrase("drawn.title", game=game.name, round=view.round + 1, when=when).translate(lang)]
    lines += [
        f"{row_label(row, lang)} {''.join(f'{card or 0:>4}' if card else '   .' for card in cards)}"
        for row, cards in enumerate(view.rows)
    ]
    if view.stock:
        lines.append(Phrase("drawn.to_pick_from", cards=cards_text(view.stock)).translate(lang))
    if view.queue:
        lines.append(Phrase("drawn.to_place", plays=" ".join(map(repr, view.queue))).translate(lang))
    for seat, (hand, size) in enumerate(zip(view.hands, view.hand_sizes, strict=True)):
        pile = game.pile_of(seat)
        points = view.totals[pile] + (0 if view.is_over else view.pile_heads[pile])
        held = " ".join("?" * size) if hand is None else cards_text(hand)
        lines.append(
            f"{seat_letter(seat)} ({plural(points, 'heads', lang)}): {held or Phrase('drawn.no_cards').translate(lang)}"
        )
    return "\n".join(lines)


def when_text(state: GameState | View, lang: str, turns: int | None = None) -> str:
    """The turn, out of `turns` if given, or that the game is over."""
    if state.is_over:
        return Phrase("drawn.over").translate(lang)
    if turns is None:
        return Phrase("drawn.turn", turn=state.turn + 1).translate(lang)
    return Phrase("drawn.turn_of", turn=state.turn + 1, turns=turns).translate(lang)


def row_label(row: int, lang: str) -> str:
    """The label of a row, counted from 1."""
    return Phrase("drawn.row", row=row + 1).translate(lang)


def _row_text(state: GameState, row: int, lang: str) -> str:
    """`row 1   12  14  15   .   . |6   3 heads`."""
    game, cards = state.game, state.rows[row]
    places = game.places(state, row)
    shown = "".join([f"{card:>4}" for card in cards] + ["   ."] * (places - len(cards))) + f" |{places + 1}"
    heads = plural(game.heads_in(cards), "heads", lang)
    notes = "".join(f"  {note}" for note in game.row_notes(state, row, lang))
    return f"{row_label(row, lang)} {shown:<{4 * game.places_in_row + 3}}  {heads}{notes}"


def table_text(state: GameState, lines: list[str], lang: str, play_text: Callable[[Play], str] = repr) -> str:
    """`lines`, followed by the cards to place, the winners, and the options of a seat that chooses alone."""
    lines = list(lines)
    if state.queue:
        lines.append(Phrase("drawn.to_place", plays=" ".join(map(play_text, state.queue))).translate(lang))
    if state.outcome:
        winners = Listing(map(seat_letter, state.outcome.winners))
        won = Phrase("drawn.wins", who=winners) if winners else Phrase("drawn.nobody_wins")
        lines.append(won.translate(lang))
    if len(state.pending) == 1:
        ((seat, decision),) = state.pending.items()
        options = ", ".join(map(decision.write, decision.options[:24]))
        lines.append(Phrase("drawn.chooses", who=seat_letter(seat), options=options).translate(lang))
    return "\n".join(lines)
