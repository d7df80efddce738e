"""How the compiled core (`kernel.h`) is told of this card."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CARD, CardKernel
from nimmt_lab.native.work import Work

from .rules import Mountain, MountainMarker


def flags(card: Mountain) -> int:
    """The card's bit in the workspace."""
    return 2


def lay(work: Work, marker: MountainMarker) -> None:
    """Its row, and the step its arrows point to."""
    work.set("mark", marker.row, at=1)
    work.set("shows", 1 if marker.arrows == "down" else -1, at=1)


#: Where one row goes down, cards far from the middle are no burden: saving the others gains nothing.
CARD.provide(Mountain, CardKernel(flags, lay, thumbs=("closest-safe", "edges-first")))
