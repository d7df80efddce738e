"""How the compiled core (`kernel.h`) is told of this card."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CARD, CardKernel
from nimmt_lab.native.work import Work

from .rules import CowMarker, JumpingCow


def flags(card: JumpingCow) -> int:
    """The card's bit in the workspace."""
    return 4


def lay(work: Work, marker: CowMarker) -> None:
    """Its row."""
    work.set("mark", marker.row, at=2)


CARD.provide(JumpingCow, CardKernel(flags, lay))
