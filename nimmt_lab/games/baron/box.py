"""Users' own Bull Baron decks."""

from __future__ import annotations

from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.material import MATERIAL, Entering, Filled, Grid, Material
from nimmt_lab.engine.options import OptionData
from nimmt_lab.engine.sentences import Phrase

from .deck import CARDS, COLOURS, BaronDeck, csv_text, write_template
from .rules import Baron

#: A printed card has at most seven bulls.
_MOST = 7


def _show(path: Path, lang: str) -> str:
    deck = BaronDeck.load(path)
    cards, bulls = plural(len(deck), "cards", lang), plural(deck.bulls_in(deck), "bulls", lang, __package__)
    lines = [f"{deck.title_in(lang)}: {cards}, {bulls}"]
    return "\n".join(lines + [f"{card:>4}  {deck.letters(card)}" for card in deck])


def _filled(deck: OptionData) -> Filled:
    assert isinstance(deck, BaronDeck)
    return {"bulls": [[str(deck.bulls_of(card, letter) or "") for letter in COLOURS] for card in deck]}


BULLS = Grid(
    "bulls",
    tuple(map(str, range(1, CARDS + 1))),
    tuple(f"look.baron.colour_{name}" for name in COLOURS.values()),
    tuple(map(str, range(1, _MOST + 1))),
)
DECK = Material(
    "baron",
    Phrase("baron.deck_file"),
    write_template,
    lambda path: path.suffix.lower() == ".csv",
    _show,
    entering=Entering(
        "deck", ".csv", (BULLS,), lambda title, filled: csv_text(title, filled["bulls"]), BaronDeck.parse, _filled
    ),
)

MATERIAL.provide(Baron, (DECK,))
