"""How the compiled core (`kernel.h`) is told of this card."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import CARD, CardKernel
from nimmt_lab.native.work import SEATS, Work

from .rules import NumberTwister, TwisterMarker


def flags(card: NumberTwister) -> int:
    """The card's bit in the workspace, and a further one if single digits may be twisted."""
    return 8 + 16 * card.single_digits


def lay(work: Work, marker: TwisterMarker) -> None:
    """Whose twister is unused."""
    work.set("spare", [int(seat in marker.unused) for seat in range(SEATS)])


CARD.provide(NumberTwister, CardKernel(flags, lay))
