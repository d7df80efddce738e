"""`nimmt-lab class`: a live lesson and live tables for a class, on the teacher's machine."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from nimmt_lab.lessons.shipped import full_name
from nimmt_lab.lessons.worksheet import LARGEST_SEED
from nimmt_lab.live.network import PORT

from .lesson import ask_to_run
from .words import LANGUAGES, language


def arguments(parser: argparse.ArgumentParser) -> None:
    from nimmt_lab.live.start import DEFAULT_FOLDER

    parser.add_argument("names", type=Path, nargs="?", metavar="NAMES")
    parser.add_argument("--lesson", default="")
    parser.add_argument("--lan", action="store_true")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--delete", action="store_true")
    parser.add_argument("--no-browser", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Run the class until it is interrupted, or delete what is stored of it."""
    from nimmt_lab.engine.errors import RulesError
    from nimmt_lab.engine.files import shown
    from nimmt_lab.live.lesson import own_lesson
    from nimmt_lab.live.start import Options, delete, open_class, texts

    if not 1 <= args.port <= 65535:
        raise RulesError("live.no_port", got=shown(args.port))
    if not 0 <= args.seed <= LARGEST_SEED:
        raise RulesError("lessons.seed_12", got=shown(args.seed))
    wanted = full_name(args.lesson)
    own = own_lesson(wanted)
    if own is not None and not args.delete:
        ask_to_run(own, at_once=False)
    options = Options(
        lesson=wanted if own is None else own.name, own=own, names=args.names, folder=args.folder,
        lang=args.lang, seed=args.seed, port=args.port, lan=args.lan, new=args.new, browser=not args.no_browser,
    )  # fmt: skip
    say = texts(args.lang)

    def tell(key: str, parts: Mapping[str, object]) -> None:
        print(say(key, parts), flush=True)

    if args.delete:
        tell("deleted" if delete(options) else "nothing", {"folder": options.place})
        return 0
    open_class(options, tell)
    return 0
