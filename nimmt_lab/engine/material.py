"""Users' own decks and boards: the forms, checks and drawings of a chapter (its `box.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from .capability import Capability
from .options import OptionData
from .sentences import Phrase

__all__ = ["MATERIAL", "Entering", "Filled", "Grid", "Material"]


@dataclass(frozen=True)
class Grid:
    """A form with one choice per cell. Names are keys of the chapter's catalogue, or plain text."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    #: The choices for a cell, which may also stay empty.
    choices: tuple[str, ...]
    #: The meaning of choices that need an explanation: keys of the chapter's catalogue.
    meanings: Mapping[str, str] = field(default_factory=dict)


#: The rows of cells of each grid, by its name.
Filled: TypeAlias = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Entering:
    """How users enter material on screen: the grids, and the file made from them."""

    #: The option of the rules for it, and the suffix of its files.
    option: str
    ending: str
    grids: tuple[Grid, ...]
    #: Writes a file from a title and filled grids, parses a file (errors name the line), and fills grids.
    text: Callable[[str, Filled], str]
    parse: Callable[[str], OptionData]
    filled: Callable[[OptionData], Filled]


@dataclass(frozen=True)
class Material:
    """One kind of file that describes printed material."""

    #: Its name on the command line, and a short description.
    name: str
    what: Phrase
    #: Writes an empty file to fill in.
    write: Callable[[Path], None]
    #: Whether a file seems to be of this kind.
    reads: Callable[[Path], bool]
    #: Checks a file and shows it as text, and as a drawing if possible, in a language.
    show: Callable[[Path, str], str]
    svg: Callable[[Path, str], str] | None = None
    #: How to enter it on screen, if possible.
    entering: Entering | None = None


MATERIAL: Capability[Sequence[Material]] = Capability("user-made material", face="box")
