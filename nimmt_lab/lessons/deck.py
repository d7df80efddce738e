"""A deck to print and cut out: sixteen cards on an A4 page, edge to edge, so that one cut separates two."""

from __future__ import annotations

from html import escape

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.draw import CARD_HEIGHT, CARD_WIDTH, frame
from nimmt_lab.engine.pieces import card_svg

from .words import words
from .worksheet import page

ACROSS = DOWN = 4


def deck_html(lang: str = "en", last: int = LAST_CARD) -> str:
    """The cards 1 to `last` as a page to print, and a card that explains the heads.

    >>> page = deck_html()
    >>> page.count("<svg"), page.count('class="cards"')
    (104, 7)
    """
    say = words(lang)
    drawn = [
        frame([card_svg(card, 1, 1, lang=lang)], CARD_WIDTH + 2, CARD_HEIGHT + 2, str(card))
        for card in range(1, last + 1)
    ]
    drawn.append(f'<p class="note">{escape(say("sheet.deck_text"))}<br><br>{escape(say("sheet.heads"))}</p>')
    size = ACROSS * DOWN
    pages = [drawn[at : at + size] for at in range(0, len(drawn), size)]
    body = [f'<div class="cards">{"".join(cards)}</div>' for cards in pages]
    return page(say("sheet.deck_title", cards=last), lang, body, "deck.css")
