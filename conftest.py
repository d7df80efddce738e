"""Kernels for notebook tests: they use files instead of ports, and are restarted if they die.

Two workers that look for free ports at the same time sometimes find the same one. The second kernel then dies, and its
client would wait forever.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

pytest_plugins = ["tools.rings"]

#: How many kernels to try before giving up, and how many seconds each may take to start.
TRIES = 3
PATIENCE = 120
#: Folders of sockets.
_folders: list[Path] = []


def start_new_kernel(startup_timeout: float = PATIENCE, kernel_name: str = "python", **kwargs: Any) -> tuple[Any, Any]:
    """Start a kernel as nbval does, and wait until it is alive."""
    from jupyter_client.manager import KernelManager
    from nbval.kernel import NbvalKernelspecManager

    for left in reversed(range(TRIES)):
        _folders.append(Path(tempfile.mkdtemp(prefix="nl-")))  # a short path: a socket's name has some hundred letters
        sockets = _folders[-1] / "k"
        manager = KernelManager(
            kernel_name=kernel_name, kernel_spec_manager=NbvalKernelspecManager(), transport="ipc", ip=str(sockets)
        )
        manager.start_kernel(**kwargs)
        until = time.monotonic() + PATIENCE
        while manager.is_alive() and time.monotonic() < until:
            if Path(f"{sockets}-{manager.shell_port}").exists():
                client = manager.client()
                client.start_channels()
                client.wait_for_ready(timeout=startup_timeout)
                return manager, client
            time.sleep(0.05)
        manager.shutdown_kernel(now=True)
        if not left:
            raise RuntimeError(f"no kernel came up in {TRIES} tries")
    raise AssertionError


def pytest_configure() -> None:
    import nbval.kernel

    nbval.kernel.start_new_kernel = start_new_kernel


def pytest_unconfigure() -> None:
    for folder in _folders:
        shutil.rmtree(folder, ignore_errors=True)
