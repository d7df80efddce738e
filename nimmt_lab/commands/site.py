"""`nimmt-lab site`: the lab as a web page, for any static host or as one file; for a class, if so wished."""

from __future__ import annotations

import argparse
from pathlib import Path

from .words import number, say


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.lessons.words import LANGUAGES

    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--one-file", action="store_true")
    parser.add_argument("--lesson", default="")
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--class", type=Path, dest="roster", metavar="ROSTER")
    parser.add_argument("--address", default="")
    parser.add_argument("--jupyterlite", action="store_true")
    parser.add_argument("--pyodide", type=Path)


def run(args: argparse.Namespace) -> int:
    """Write the folder or the file: all of it or nothing."""
    from nimmt_lab.engine.errors import RulesError
    from nimmt_lab.lessons.roster import read_roster
    from nimmt_lab.site.build import make, write_folder, write_one_file

    if args.one_file and args.address:
        raise RulesError("commands.address_folder", what="--address")
    if args.one_file and args.jupyterlite:
        raise RulesError("commands.address_folder", what="--jupyterlite")
    roster = None if args.roster is None else read_roster(args.roster)
    site = make(lang=args.lang, lesson=args.lesson, roster=roster, address=args.address, package=args.pyodide)
    if args.jupyterlite:
        from nimmt_lab.site.lite import with_notebooks

        from .lab import lab_settings, tutorials

        lang = args.lang or "en"
        site = with_notebooks(site, tutorials(lang, {}), lab_settings(), lang)
    if args.one_file:
        write_one_file(site, args.out)
        size = args.out.stat().st_size
        print(say("out.one_file", file=args.out, size=number(size / 1e6, ".1f")))
    else:
        write_folder(site, args.out)
        print(say("out.site", count=site.count, folder=args.out, size=number(site.size / 1e6, ".1f")))
    return 0
