"""This card in the workspace of the compiled core (`kernel.h`)."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CardKernel, provide_card
from nimmt_lab.native.work import Workspace

from .rules import CowMarker, JumpingCow


def lay(work: Workspace, marker: CowMarker) -> None:
    work.set("mark", marker.row, at=2)


provide_card(JumpingCow, CardKernel[JumpingCow, CowMarker](lambda card: 4, lay, lambda card, marker: marker.row))
