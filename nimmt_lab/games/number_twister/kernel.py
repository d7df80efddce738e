"""This card in the workspace of the compiled core (`kernel.h`)."""

from __future__ import annotations

from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.games.classic.kernel import CardKernel, provide_card
from nimmt_lab.native.work import SEATS, Workspace

from .rules import NumberTwister, TwisterMarker


def flags(card: NumberTwister) -> int:
    return 8 + 16 * card.single_digits


def lay(work: Workspace, marker: TwisterMarker) -> None:
    work.set("spare", [int(seat in marker.unused) for seat in range(SEATS)])


def pack(card: NumberTwister, marker: TwisterMarker) -> int:
    if card.single_digits:
        raise Unsupported("solver.solver_twists_cards")
    return sum(8 << seat for seat in marker.unused)


provide_card(NumberTwister, CardKernel(flags, lay, pack))
