"""A Bull Baron deck of one's own."""

from __future__ import annotations

from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.material import MATERIAL, Material

from .deck import BaronDeck, write_template
from .rules import Baron


def _show(path: Path) -> str:
    deck = BaronDeck.load(path)
    lines = [f"{deck.title}: {len(deck)} cards, {plural(deck.bulls_in(deck), 'bull')}"]
    return "\n".join(lines + [f"{card:>4}  {deck.letters(card)}" for card in deck])


DECK = Material("baron", "a Bull Baron deck (.csv)", write_template, lambda path: path.suffix.lower() == ".csv", _show)

MATERIAL.provide(Baron, (DECK,))
