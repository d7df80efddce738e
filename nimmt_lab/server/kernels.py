"""The kernels behind Home: none outlives its page for long.

A page that closes says so, and its kernel ends. A browser that crashes says nothing, so a kernel that nobody has been
connected to for a while ends, too, whatever it is computing. Notebooks' kernels are Jupyter's business.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

#: Seconds without a connection. Starting a page on a slow machine takes some of them.
PATIENCE: Final = 120.0


class Kernels(Protocol):
    """What we need of Jupyter's kernel manager."""

    def __contains__(self, kernel_id: str) -> bool: ...

    def connections(self, kernel_id: str) -> int:
        """How many pages are connected."""

    async def shut_down(self, kernel_id: str) -> None:
        """End it."""


class HomeKernels:
    """Which kernels are Home's, and since when each has been without a page."""

    def __init__(
        self, kernels: Kernels, *, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE
    ) -> None:
        self._kernels, self._clock, self._patience = kernels, clock, patience
        self._alone: dict[str, float | None] = {}

    def __contains__(self, kernel_id: str) -> bool:
        return kernel_id in self._alone

    def add(self, kernel_id: str) -> None:
        """A kernel was started for a page."""
        self._alone[kernel_id] = self._clock()

    async def end(self, kernel_id: str) -> None:
        """Its page has closed."""
        if self._alone.pop(kernel_id, self) is not self and kernel_id in self._kernels:
            await self._kernels.shut_down(kernel_id)

    async def sweep(self) -> None:
        """End the kernels that have been alone for too long."""
        now = self._clock()
        for kernel_id, since in list(self._alone.items()):
            if kernel_id not in self._kernels:  # somebody ended it in JupyterLab
                self._alone.pop(kernel_id, None)
            elif self._kernels.connections(kernel_id) > 0:
                self._alone[kernel_id] = None
            elif since is None:
                self._alone[kernel_id] = now
            elif now - since >= self._patience:
                await self.end(kernel_id)
