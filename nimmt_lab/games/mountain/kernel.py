"""This card in the workspace of the compiled core (`kernel.h`)."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CardKernel, provide_card
from nimmt_lab.native.work import Workspace

from .rules import Mountain, MountainMarker


def lay(work: Workspace, marker: MountainMarker) -> None:
    work.set("mark", marker.row, at=1)
    work.set("shows", 1 if marker.arrows == "down" else -1, at=1)


def pack(card: Mountain, marker: MountainMarker) -> int:
    return marker.row | (4 if marker.arrows == "down" else 0)


#: With a descending row, cards far from the middle are easy to play, so saving others gains nothing.
provide_card(
    Mountain, CardKernel[Mountain, MountainMarker](lambda card: 2, lay, pack, thumbs=("closest-safe", "edges-first"))
)
