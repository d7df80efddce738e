"""`nimmt-lab site`: write the lab as a web page, for any static host or as one file, and for a class."""

from __future__ import annotations

import argparse
from pathlib import Path

from .words import LANGUAGES, number, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--one-file", action="store_true")
    parser.add_argument("--lesson", default="")
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--class-list", "--class", type=Path, metavar="FILE")
    parser.add_argument("--address", default="")
    parser.add_argument("--jupyterlite", action="store_true")
    parser.add_argument("--pyodide", type=Path)


def run(args: argparse.Namespace) -> int:
    """Write the folder or the file, all of it or nothing."""
    from nimmt_lab.engine.errors import RulesError
    from nimmt_lab.lessons.class_list import read_class_list
    from nimmt_lab.site.build import make, write_folder, write_one_file

    for option, given in (("--address", args.address), ("--jupyterlite", args.jupyterlite)):
        if args.one_file and given:
            raise RulesError("commands.address_folder", what=option)
    class_list = None if args.class_list is None else read_class_list(args.class_list)
    site = make(lang=args.lang, lesson=args.lesson, class_list=class_list, address=args.address, package=args.pyodide)
    if args.jupyterlite:
        from nimmt_lab.site.lite import with_notebooks

        from .lab import lab_settings, tutorials

        lang = args.lang or "en"
        site = with_notebooks(site, tutorials(lang, {}), lab_settings(), lang)
    if args.one_file:
        write_one_file(site, args.out)
        print(say("out.one_file", file=args.out, size=number(args.out.stat().st_size / 1e6, ".1f")))
    else:
        write_folder(site, args.out)
        print(say("out.site", count=site.count, folder=args.out, size=number(site.size / 1e6, ".1f")))
    return 0
