"""Home in a notebook cell: all screens in one widget."""

from __future__ import annotations

from pathlib import Path

from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen

from .base import Page


class Home(Page):
    """All screens in one widget. `folder` is where work is saved, by default the learner's folder of this notebook.

    >>> home = Home(lang="pl")
    >>> home.screen.data["doors"][0]["title"]
    'Nauka'
    """

    screen: HomeScreen

    def __init__(self, *, folder: str | Path | None = None, lang: str | None = None) -> None:
        super().__init__(HomeScreen(Desk.found(folder, lang)))
