"""Drawing Bull Baron: cards whose bulls are coloured pips, each with the letter of its colour.

The letter says what the colour says, so nothing is lost in print or to a colour-blind reader. Where the deck is a
stand-in, every drawing says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nimmt_lab.engine.cards import Card, seat_letter
from nimmt_lab.engine.draw import CARD_HEIGHT, CARD_WIDTH, GAP, LABEL, frame, label_svg, notch_svg, plural, slot_svg

from .deck import COLOURS

if TYPE_CHECKING:
    from nimmt_lab.engine.state import GameState

    from .rules import Baron

#: Fill and ink of a colour's pips: the letter keeps a contrast of at least 4.5 on its pip.
PIPS: Final = {
    "b": ("#0057a8", "#ffffff"),
    "y": ("#f5d000", "#1b1f23"),
    "g": ("#0b6e3b", "#ffffff"),
    "r": ("#b3261e", "#ffffff"),
    "k": ("#1b1f23", "#ffffff"),
    "w": ("#ffffff", "#1b1f23"),
}


def card_svg(game: Baron, card: Card, x: float, y: float) -> str:
    """One card at (x, y): its number, and a lettered pip for each bull."""
    letters = game.deck.letters(card)
    words = " ".join(f"{letters.count(letter)} {name}" for letter, name in COLOURS.items() if letter in letters)
    parts = [
        f'<g transform="translate({x:g} {y:g})"><title>{card}: {words}</title>'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="#f7f9fa" stroke="#3b5563" stroke-width="1.4"/>'
        f'<text x="{CARD_WIDTH / 2:g}" y="18" text-anchor="middle" font-size="15" font-weight="600" '
        f'fill="#1b1f23">{card}</text>'
    ]
    for at, letter in enumerate(letters[:9]):
        cx, cy = 8.5 + 11.5 * (at % 3), 28 + 11 * (at // 3)
        fill, ink = PIPS[letter]
        parts.append(
            f'<circle cx="{cx:g}" cy="{cy:g}" r="5" fill="{fill}" stroke="#1b1f23" stroke-width=".7"/>'
            f'<text x="{cx:g}" y="{cy + 2.6:g}" text-anchor="middle" font-size="7.5" font-weight="700" '
            f'fill="{ink}">{letter}</text>'
        )
    return "".join(parts) + "</g>"


def html(state: GameState, game: Baron) -> str:
    """A state for a notebook cell."""
    step = CARD_WIDTH + GAP
    places = max([game.row_limit, *map(len, state.rows)])
    takes = game.variant != "colour_counts"
    parts = [label_svg(0, 12, title(state, game), size=13)]
    y = 20.0
    for row, cards in enumerate(state.rows):
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 4, f"row {row + 1}", size=13))
        parts += [card_svg(game, card, LABEL + at * step, y) for at, card in enumerate(cards)]
        x = LABEL + max(places if takes else len(cards), len(cards)) * step
        if takes:
            parts += [slot_svg(LABEL + at * step, y) for at in range(len(cards), places)]
            parts.append(notch_svg(x, y, game.row_limit + 1))
        parts.append(label_svg(x + 24, y + CARD_HEIGHT / 2 + 4, plural(game.heads_in(cards), "bull")))
        y += CARD_HEIGHT + GAP
    y += 8
    for seat, hand in enumerate(state.hands):
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 - 4, seat_letter(seat), size=15))
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 12, _points(state, game, seat), size=11))
        parts += [card_svg(game, card, LABEL + at * step, y) for at, card in enumerate(hand)]
        behind = _behind(state, game, seat)
        if behind:
            parts.append(label_svg(LABEL + len(hand) * step + 4, y + CARD_HEIGHT / 2 + 4, f"+ {behind} to draw"))
        y += CARD_HEIGHT + GAP
    if state.queue:
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 4, "to place", size=13))
        for at, play in enumerate(state.queue):
            parts.append(label_svg(LABEL + at * step, y - 2 + 12, seat_letter(play.seat), size=12))
            parts.append(card_svg(game, play.card, LABEL + at * step, y + 14))
        places = max(places, len(state.queue) - 2)
        y += CARD_HEIGHT + GAP + 14
    drawing = frame(parts, LABEL + (places + 2) * step + 40, y, text(state, game))
    return f'<div class="nimmt-state" style="overflow-x:auto">{drawing}</div>'


def title(state: GameState, game: Baron) -> str:
    """`baron, game 1 of 1, turn 3; stand-in deck (not the printed bulls)`."""
    when = "the game is over" if state.is_over else f"turn {state.turn + 1}"
    variant = "" if game.variant == "standard" else f" ({game.variant.replace('_', ' ')})"
    return f"{game.name}{variant}, game {state.round + 1} of {game.games}, {when}; {deck_title(game)}"


def deck_title(game: Baron) -> str:
    """The deck's title, which says so where the deck is a stand-in."""
    title = game.deck.title
    return title if not game.deck.stand_in or "stand-in" in title.lower() else f"{title} (stand-in)"


def text(state: GameState, game: Baron) -> str:
    """A state for the terminal: each card with one letter a bull."""
    lines = [title(state, game)]
    for row, cards in enumerate(state.rows):
        shown = " ".join(_card(game, card) for card in cards)
        lines.append(f"row {row + 1}  {shown}  {plural(game.heads_in(cards), 'bull')}")
    for seat, hand in enumerate(state.hands):
        shown = " ".join(_card(game, card) for card in hand) or "no cards"
        behind = _behind(state, game, seat)
        to_draw = f" + {behind} to draw" if behind else ""
        lines.append(f"{seat_letter(seat)} ({_points(state, game, seat)}): {shown}{to_draw}")
    if state.queue:
        shown = " ".join(f"{seat_letter(play.seat)}{_card(game, play.card)}" for play in state.queue)
        lines.append(f"to place: {shown}")
    if state.outcome:
        winners = " and ".join(seat_letter(seat) for seat in state.outcome.winners)
        lines.append(f"{winners} {'win' if len(state.outcome.winners) > 1 else 'wins'}")
    if len(state.pending) == 1:
        for seat, decision in state.pending.items():
            lines.append(f"{seat_letter(seat)} chooses: {', '.join(map(decision.write, decision.options))}")
    return "\n".join(lines)


def _card(game: Baron, card: Card) -> str:
    return f"{card}:{game.deck.letters(card)}"


def _behind(state: GameState, game: Baron, seat: int) -> int:
    return len(game.left(state)[seat]) - len(state.hands[seat])


def _points(state: GameState, game: Baron, seat: int) -> str:
    """A seat's bulls so far; the bulls left over count only at the end."""
    points = state.totals[seat] + (0 if state.is_over else game.heads_in(state.piles[seat]))
    return plural(points, "point" if game.bulls_are_good else "bull")
