"""`nimmt-lab box`: enter the decks and boards of your own box. Write a template, check a filled-in file, draw it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from nimmt_lab.engine.errors import NotationError, RulesError, Unsupported
from nimmt_lab.engine.files import name_of, write_file
from nimmt_lab.engine.material import MATERIAL, Material
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.sentences import Listed

from .words import language, say


def kinds() -> dict[str, Material]:
    """The decks and boards that people can enter, by name."""
    return {kind.name: kind for game in all_games().values() for kind in MATERIAL.find(game) or ()}


def _files(known: dict[str, Material]) -> Listed:
    """What each kind of file contains."""
    return Listed(dict.fromkeys(kind.what for kind in known.values()))


def arguments(parser: argparse.ArgumentParser) -> None:
    known = kinds()
    what = _files(known).translate(language())
    parser.add_argument("what", choices=("template", "show"))
    parser.add_argument("file", metavar="FILE", help=what)
    parser.add_argument("--kind", choices=tuple(known))
    parser.add_argument("--svg", metavar="OUT")


def run(args: argparse.Namespace) -> int:
    """Write a template (never over an existing file), or check and draw a filled-in file."""
    path = Path(args.file)
    known = kinds()
    if args.what == "template":
        if args.kind is None:
            raise RulesError("commands.say_kind", kinds="|".join(known))
        if os.path.lexists(path):  # also a broken link
            raise RulesError("commands.there_already", path=name_of(path))
        known[args.kind].write(path)
        print(say("out.template", file=path))
        return 0
    kind = next((kind for kind in known.values() if kind.reads(path)), None)
    if kind is None:
        raise NotationError("commands.expected", expected=_files(known), source=name_of(path))
    print(kind.show(path, language()))
    if args.svg:
        if kind.svg is None:
            raise Unsupported("commands.no_drawing", what=name_of(path))
        write_file(Path(args.svg), kind.svg(path, language()) + "\n")
    return 0
