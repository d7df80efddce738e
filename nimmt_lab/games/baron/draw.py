"""Bull Baron in the terminal: every card with one letter per bull."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import Cards, seat_letter
from nimmt_lab.engine.draw import plural, row_label, table_text, when_text
from nimmt_lab.engine.sentences import Phrase, sentences

if TYPE_CHECKING:
    from nimmt_lab.engine.state import GameState

    from .rules import Baron

CHAPTER = __package__


def text(state: GameState, game: Baron, lang: str) -> str:
    def write(cards: Cards) -> str:
        return " ".join(f"{card}:{game.deck.letters(card)}" for card in cards)

    name = game.name
    if game.variant != "standard":
        name += f" ({sentences(CHAPTER, lang)['option'][f'baron.variant.{game.variant}']})"
    title = Phrase("baron.title", game=name, number=state.round + 1, games=game.games, when=when_text(state, lang))
    lines = [f"{title.translate(lang)}; {game.deck.title_in(lang)}"]
    for row, cards in enumerate(state.rows):
        bulls = plural(game.heads_in(cards), "bulls", lang, CHAPTER)
        lines.append(f"{row_label(row, lang)}  {write(cards)}  {bulls}")
    for seat, hand in enumerate(state.hands):
        # Bulls left over count at the end only.
        points = state.totals[seat] + (0 if state.is_over else game.heads_in(state.piles[seat]))
        unit = plural(points, "points", lang) if game.bulls_are_good else plural(points, "bulls", lang, CHAPTER)
        to_draw = len(game.left(state)[seat]) - len(hand)
        tail = f" + {Phrase('baron.to_draw', count=to_draw).translate(lang)}" if to_draw else ""
        held = write(hand) or Phrase("drawn.no_cards").translate(lang)
        lines.append(f"{seat_letter(seat)} ({unit}): {held}{tail}")
    return table_text(state, lines, lang, lambda play: f"{seat_letter(play.seat)}{write((play.card,))}")
