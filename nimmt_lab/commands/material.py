"""`nimmt-lab material`: decks and boards of one's own: write an empty file, check a filled one, draw it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from nimmt_lab.engine.errors import NotationError, RulesError, Unsupported
from nimmt_lab.engine.files import name_of, write_file
from nimmt_lab.engine.material import MATERIAL, Material
from nimmt_lab.engine.registry import all_games

from .words import say


def kinds() -> dict[str, Material]:
    """Everything that games let people fill in, by name."""
    return {kind.name: kind for game in all_games().values() for kind in MATERIAL.find(game) or ()}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    known = kinds()
    what = "; ".join(dict.fromkeys(kind.what for kind in known.values()))
    parser.add_argument("what", choices=("template", "show"))
    parser.add_argument("file", metavar="FILE", help=what)
    parser.add_argument("--kind", choices=tuple(known))
    parser.add_argument("--svg", metavar="OUT")


def run(args: argparse.Namespace) -> int:
    """A template is never written over a file that is there."""
    path = Path(args.file)
    if args.what == "template":
        _write(path, args.kind)
        print(say("out.template", file=path))
        return 0
    kind = next((kind for kind in kinds().values() if kind.reads(path)), None)
    if kind is None:
        expected = "; ".join(dict.fromkeys(kind.what for kind in kinds().values()))
        raise NotationError("commands.expected", expected=expected, source=name_of(path))
    print(kind.show(path))
    if args.svg:
        if kind.svg is None:
            raise Unsupported("commands.no_drawing", what=kind.what)
        write_file(Path(args.svg), kind.svg(path) + "\n")
    return 0


def _write(path: Path, name: str | None) -> None:
    if name is None:
        raise RulesError("commands.say_kind", kinds=" or ".join(kinds()))
    if is_there(path):
        raise RulesError("commands.there_already", path=name_of(path))
    kinds()[name].write(path)


def is_there(path: Path) -> bool:
    """Whether there is something under that name; a name that cannot be used is for the writer to refuse."""
    try:
        return os.path.lexists(path)
    except ValueError:
        return False
