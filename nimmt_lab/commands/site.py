"""`nimmt-lab site`: the lab as a web page, for any static host or as one file."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.lessons.words import LANGUAGES

    parser.add_argument("out", type=Path, help="the folder to write; with --one-file, the file")
    parser.add_argument("--one-file", action="store_true", help="write a single HTML file that opens from a disk")
    parser.add_argument("--lang", choices=LANGUAGES, help="the first language (default: the reader's browser decides)")
    parser.add_argument("--pyodide", type=Path, help="npm's archive of pyodide (default: npm fetches it once)")


def run(args: argparse.Namespace) -> int:
    """Write the folder or the file: all of it or nothing."""
    from nimmt_lab.site.build import make, write_folder, write_one_file

    site = make(lang=args.lang, package=args.pyodide)
    if args.one_file:
        write_one_file(site, args.out)
        print(f"{args.out} ({args.out.stat().st_size / 1e6:.1f} MB): open it in a browser, from a disk or a stick")
    else:
        write_folder(site, args.out)
        print(f"{len(site.folder())} files in {args.out} ({site.size / 1e6:.1f} MB): put them on any web server")
    return 0
