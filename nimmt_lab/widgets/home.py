"""Home: everything there is, to click: lessons, tables, and the way to the notebooks."""

from __future__ import annotations

from pathlib import Path

from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen

from .page import Page


class Home(Page):
    """The front door. `folder` is where things are kept; by default the learner's folder that this notebook is in.

    >>> home = Home(lang="pl")
    >>> home.screen.data["doors"][0]["title"]
    'Nauka'
    """

    screen: HomeScreen

    def __init__(self, *, folder: str | Path | None = None, lang: str | None = None) -> None:
        super().__init__(HomeScreen(Desk.found(folder, lang)))
