"""Notebooks that came from somebody else: what is stored in them must not run because somebody opens them.

Jupyter shows no script in an output of a notebook that nobody here has run or trusted. The state of its widgets is
another matter: JupyterLab brings it back as soon as the notebook is opened, and the state of an anywidget contains a
script, which would then run with the rights of JupyterLab's page, those to start kernels among them. So a notebook
without a signature of this user's is handed out without the state of its widgets. It comes back when its cells run.
"""

from __future__ import annotations

from typing import Any


def forget_widgets(manager: Any) -> None:
    """Have Jupyter's contents manager do so, wherever it checks whether a notebook is trusted."""
    mark = manager.mark_trusted_cells

    def mark_trusted_cells(nb: Any, path: str = "") -> None:
        trusted = manager.notary.check_signature(nb)  # before marks change what was signed
        mark(nb, path)
        if not trusted:
            nb["metadata"].pop("widgets", None)

    manager.mark_trusted_cells = mark_trusted_cells
