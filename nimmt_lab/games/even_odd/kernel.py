"""This card in the workspace of the compiled core (`kernel.h`)."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CardKernel, provide_card
from nimmt_lab.native.work import Workspace

from .rules import EvenOdd, EvenOddMarker


def lay(work: Workspace, marker: EvenOddMarker) -> None:
    work.set("mark", marker.row, at=0)
    work.set("shows", int(marker.side == "odd"), at=0)


def pack(card: EvenOdd, marker: EvenOddMarker) -> int:
    return marker.row | (4 if marker.side == "odd" else 0)


provide_card(EvenOdd, CardKernel[EvenOdd, EvenOddMarker](lambda card: 1, lay, pack))
