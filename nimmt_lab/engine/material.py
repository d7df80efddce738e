"""Decks and boards of one's own: what a chapter lets people fill in, check and look at (its face `box.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .capability import Capability


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


MATERIAL: Capability[Sequence[Material]] = Capability("material of one's own", face="box")
