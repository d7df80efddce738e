"""Advanced play compiled: the classic kernel, with drafted hands."""

from __future__ import annotations

from nimmt_lab.games.classic.kernel import DraftKernel, provide

from .rules import Advanced


class AdvancedKernel(DraftKernel):
    """Advanced play, its options and fan cards."""

    kind = Advanced


ADVANCED = AdvancedKernel()
provide(Advanced, ADVANCED)
