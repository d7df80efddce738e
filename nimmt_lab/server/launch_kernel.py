"""Start a notebook's kernel without importing anything from the folder it works in.

A kernel works in the notebook's folder, and Python looks there for modules first. A file that somebody has put there
under the name of a module (`ipykernel_launcher.py`, `jedi.py`) would run as soon as anybody opens a notebook. So this
folder is not searched until a person runs a cell, and then it comes last: a cell can import its neighbours, but none of
them can pass for a module that is installed.

This runs as a script, in whichever Python a kernel uses: before the path is clean it may import nothing but `sys`.
"""

from __future__ import annotations

import sys


def search_last(folder: str = "") -> None:
    """Let modules be found in the working folder, after all others."""
    if folder not in sys.path:
        sys.path.append(folder)


def main() -> None:
    """Run a kernel until it is shut down; the arguments are ipykernel's."""
    from ipykernel.kernelapp import IPKernelApp

    class NotebookKernelApp(IPKernelApp):
        """IPython would search the working folder from now on, before the folder of installed packages."""

        def init_path(self) -> None:
            """Nothing yet."""

    app = NotebookKernelApp.instance()
    app.initialize()  # type: ignore[no-untyped-call]
    if not getattr(sys.flags, "safe_path", False):  # somebody wants nothing from there at all
        if app.shell is None:
            search_last()
        else:
            app.shell.events.register("pre_run_cell", lambda *_: search_last())
    app.start()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    # The folder of this script; and the working folder, where an empty entry in PYTHONPATH stands for it.
    sys.path[:] = [entry for entry in sys.path[1 - getattr(sys.flags, "safe_path", False) :] if entry]
    main()
