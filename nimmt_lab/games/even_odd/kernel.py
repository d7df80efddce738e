"""How the compiled core (`kernel.h`) is told of this card."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CARD, CardKernel
from nimmt_lab.native.work import Work

from .rules import EvenOdd, EvenOddMarker


def flags(card: EvenOdd) -> int:
    """The card's bit in the workspace."""
    return 1


def lay(work: Work, marker: EvenOddMarker) -> None:
    """Its row, and the parity it shows."""
    work.set("mark", marker.row, at=0)
    work.set("shows", int(marker.side == "odd"), at=0)


CARD.provide(EvenOdd, CardKernel(flags, lay))
