"""Kernels of notebooks: started by our script instead of ipykernel's, whichever Python they use."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

SCRIPT: Final = Path(__file__).resolve().parent / "launch_kernel.py"
_LAUNCHERS: Final = ("ipykernel_launcher", "ipykernel")


def safely(command: Sequence[str], script: Path = SCRIPT) -> list[str]:
    """The command that starts a kernel, without importing anything from its working folder. Kernels of other languages
    stay as they are.

    >>> safely(["python", "-X", "frozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"], Path("s"))
    ['python', '-X', 'frozen_modules=off', 's', '-f', '{connection_file}']
    >>> safely(["ir", "--args", "{connection_file}"])
    ['ir', '--args', '{connection_file}']
    """
    changed = list(command)
    for at, (option, module) in enumerate(pairwise(command)):
        if option == "-m" and module in _LAUNCHERS:
            changed[at : at + 2] = [str(script)]
            break
    return changed


def start_safely(manager: Any) -> None:
    """Have Jupyter's manager of kernel specifications hand out such commands. It exists before we are loaded, and may
    be of any class: somebody's settings choose it."""
    ask = manager.get_kernel_spec

    def get_kernel_spec(name: str, *more: Any, **options: Any) -> Any:
        spec = ask(name, *more, **options)
        spec.argv = safely(spec.argv)
        return spec

    manager.get_kernel_spec = get_kernel_spec
