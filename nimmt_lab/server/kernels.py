"""Shut down Home's kernels when their pages are gone.

A page that closes says so. A browser that crashes says nothing, so a kernel without a connection is also shut down
after a while, even if it is busy. The kernels of notebooks are left to Jupyter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from jupyter_core.utils import ensure_async

#: Seconds without a connection. On a slow machine a page needs some of them to start.
PATIENCE: Final = 120.0


class HomeKernels:
    """Home's kernels, and the time since which each has had no page; `manager` is Jupyter's kernel manager."""

    def __init__(
        self, manager: Any, *, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE
    ) -> None:
        self._manager, self._clock, self._patience = manager, clock, patience
        self._alone: dict[str, float | None] = {}

    def __contains__(self, kernel_id: str) -> bool:
        return kernel_id in self._alone

    def add(self, kernel_id: str) -> None:
        """Watch a kernel that was started for a page."""
        self._alone[kernel_id] = self._clock()

    async def end(self, kernel_id: str) -> None:
        """Shut down a kernel whose page has closed."""
        if self._alone.pop(kernel_id, self) is not self and kernel_id in self._manager:
            await ensure_async(self._manager.shutdown_kernel(kernel_id))

    async def sweep(self) -> None:
        """Shut down the kernels that have had no page for too long."""
        now = self._clock()
        for kernel_id, since in list(self._alone.items()):
            if kernel_id not in self._manager:  # shut down in JupyterLab
                self._alone.pop(kernel_id, None)
            elif self._manager.kernel_model(kernel_id)["connections"] > 0:
                self._alone[kernel_id] = None
            elif since is None:
                self._alone[kernel_id] = now
            elif now - since >= self._patience:
                await self.end(kernel_id)
