"""`nimmt-lab share`: a game or a position as a short text, a link, or one HTML file."""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt_lab.engine.files import write_file
from nimmt_lab.engine.notes_text import record_of
from nimmt_lab.engine.share import read_shared, share

from .words import LANGUAGES, language, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="GAME|POSITION|LINK")
    parser.add_argument("--players", type=int)
    parser.add_argument("--game")
    parser.add_argument("--site", metavar="ADDRESS", default="")
    parser.add_argument("--html", metavar="FILE")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())


def run(args: argparse.Namespace) -> int:
    """Print the text or the link; with `--html`, write the replay as a web page."""
    is_position = "|" in args.what
    what = args.what if is_position else record_of(args.what, players=args.players, game=args.game)
    table = {"players": args.players, "game": args.game} if is_position else {}
    if args.html is None:
        print(share(what, site=args.site, **table))
        return 0
    from nimmt_lab.screens.replay import ReplayScreen

    record = read_shared(share(what, **table)) if is_position else what
    seats = [seat for seat in range(record.game.players) if seat not in record.hidden] if record.hidden else None
    write_file(Path(args.html), ReplayScreen(record, seats=seats, lang=args.lang).to_html())
    print(say("out.shared_page", args.lang, file=args.html))
    return 0
