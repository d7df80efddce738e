"""Start a notebook's kernel without importing anything from the folder it works in.

A kernel works in the notebook's folder, and Python looks for modules there first. A file named like a module
(`ipykernel_launcher.py`, `jedi.py`) would run as soon as a notebook is opened. So the folder is searched only once a
cell runs, and then last: a cell can import its neighbours, but none of them can shadow an installed module.

This is run as a script by the kernel's own Python. Until the path is clean it may import nothing but `sys`.
"""

from __future__ import annotations

import sys


def search_last(folder: str = "") -> None:
    """Search the working folder after all others."""
    if folder not in sys.path:
        sys.path.append(folder)


def main() -> None:
    """Run a kernel with ipykernel's arguments until it is shut down."""
    from ipykernel.kernelapp import IPKernelApp

    class NotebookKernelApp(IPKernelApp):
        def init_path(self) -> None:
            """Do nothing: IPython would put the working folder before installed packages."""

    app = NotebookKernelApp.instance()
    app.initialize()  # type: ignore[no-untyped-call]
    if not getattr(sys.flags, "safe_path", False):  # the user wants no imports from there at all
        if app.shell is None:
            search_last()
        else:
            app.shell.events.register("pre_run_cell", lambda *_: search_last())
    app.start()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    # Drop the folder of this script, and the working folder where an empty entry in PYTHONPATH adds it.
    sys.path[:] = [entry for entry in sys.path[1 - getattr(sys.flags, "safe_path", False) :] if entry]
    main()
