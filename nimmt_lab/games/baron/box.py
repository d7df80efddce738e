"""A Bull Baron deck of one's own."""

from __future__ import annotations

from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.material import MATERIAL, Entering, Filled, Grid, Material
from nimmt_lab.engine.options import OptionData

from .deck import CARDS, COLOURS, HEADER, BaronDeck, write_template
from .rules import Baron

#: A card shows seven bulls at most, so no colour is there more often.
_MOST = 7


def _show(path: Path) -> str:
    deck = BaronDeck.load(path)
    lines = [f"{deck.title}: {len(deck)} cards, {plural(deck.bulls_in(deck), 'bull')}"]
    return "\n".join(lines + [f"{card:>4}  {deck.letters(card)}" for card in deck])


def _text(title: str, filled: Filled) -> str:
    lines = [f"# title: {title}", ",".join(HEADER)]
    lines += [",".join((str(card), *cells)) for card, cells in enumerate(filled["bulls"], start=1)]
    return "\n".join(lines) + "\n"


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
    "a Bull Baron deck (.csv)",
    write_template,
    lambda path: path.suffix.lower() == ".csv",
    _show,
    entering=Entering("deck", ".csv", (BULLS,), _text, BaronDeck.parse, _filled),
)

MATERIAL.provide(Baron, (DECK,))
