"""Decks and boards of one's own: what a chapter lets people fill in, check and look at (its face `box.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from .capability import Capability
from .options import OptionData

__all__ = ["MATERIAL", "Entering", "Filled", "Grid", "Material"]


@dataclass(frozen=True)
class Grid:
    """A table to fill in, with one of a few things in every cell. Names are keys of the chapter's words, or plain."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    #: What may stand in a cell; an empty cell may always be.
    choices: tuple[str, ...]
    #: What the choices mean, where they do not say it themselves: keys of the chapter's words.
    meanings: Mapping[str, str] = field(default_factory=dict)


#: What was filled in: by the name of a grid, its rows of cells.
Filled: TypeAlias = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Entering:
    """How a kind of material is entered by clicking: tables to fill in, and the file that they make."""

    #: The option of the rules that takes it, and how its files end.
    option: str
    ending: str
    grids: tuple[Grid, ...]
    #: The file of what was filled in, with a title; the material of a file's text (checked, errors name the line); and
    #: what the tables of some material look like, filled in.
    text: Callable[[str, Filled], str]
    parse: Callable[[str], OptionData]
    filled: Callable[[OptionData], Filled]


@dataclass(frozen=True)
class Material:
    """One kind of file that describes something out of the box."""

    #: What it is called on the command line, and what it is, in a few words.
    name: str
    what: str
    #: Write an empty file to fill in.
    write: Callable[[Path], None]
    #: Whether a file looks like one of this kind.
    reads: Callable[[Path], bool]
    #: The file, checked, as text; and as a drawing, where there is one.
    show: Callable[[Path], str]
    svg: Callable[[Path], str] | None = None
    #: How it is entered by clicking, where it can be.
    entering: Entering | None = None


MATERIAL: Capability[Sequence[Material]] = Capability("material of one's own", face="box")
