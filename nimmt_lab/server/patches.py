"""Changes to the Jupyter server that protect the person who opens somebody else's notebook."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

SCRIPT: Final = Path(__file__).resolve().parent / "launch_kernel.py"
_LAUNCHERS: Final = ("ipykernel_launcher", "ipykernel")


def safely(command: Sequence[str], script: Path = SCRIPT) -> list[str]:
    """Change the command of a Python kernel so that it imports nothing from its working folder on start.

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
    """Make Jupyter's kernel spec manager hand out such commands. The manager exists before we are loaded, and user
    settings choose its class."""
    ask = manager.get_kernel_spec

    def get_kernel_spec(name: str, *more: Any, **options: Any) -> Any:
        spec = ask(name, *more, **options)
        spec.argv = safely(spec.argv)
        return spec

    manager.get_kernel_spec = get_kernel_spec


def forget_widgets(manager: Any) -> None:
    """Make Jupyter's contents manager drop the widget state of untrusted notebooks.

    Jupyter hides scripts in the outputs of a notebook that the user has neither run nor trusted. But JupyterLab
    restores widget state as soon as a notebook opens, and the state of an anywidget contains a script, which would run
    with the rights of JupyterLab's page: it could start kernels. The state comes back when the cells run.
    """
    mark = manager.mark_trusted_cells

    def mark_trusted_cells(nb: Any, path: str = "") -> None:
        trusted = manager.notary.check_signature(nb)  # before marking changes the signed content
        mark(nb, path)
        if not trusted:
            nb["metadata"].pop("widgets", None)

    manager.mark_trusted_cells = mark_trusted_cells


def answer_about_licences() -> None:
    """Let JupyterLab's licence page refuse strangers: its handler cannot finish an answer that is an error, so they
    would wait for ever and the log would fill with tracebacks."""
    from jupyter_server.base.handlers import APIHandler
    from jupyterlab_server.licenses_handler import LicensesHandler

    finish = LicensesHandler.finish

    def finish_always(self: Any, *content: Any, _mime_type: str = "", **options: Any) -> Any:
        if _mime_type:
            return finish(self, _mime_type, *content, **options)
        return APIHandler.finish(self, *content, **options)

    LicensesHandler.finish = finish_always  # type: ignore[method-assign]
