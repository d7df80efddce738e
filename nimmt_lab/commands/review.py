"""`nimmt-lab review GAME`: what every choice of a recorded game was worth, and what was luck."""

from __future__ import annotations

import argparse
import json
import sys

from nimmt_lab import Record
from nimmt_lab.engine.cards import TEAM, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown

from .words import language


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.explain import LANGUAGES
    from nimmt_lab.study.reviews import PLAYOUTS

    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--seat")
    parser.add_argument("--method", choices=["solver", "search"])
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """A line per decision, then what it comes to. 130 if it was interrupted (what was done is printed)."""
    from nimmt_lab.study import review

    record = Record.load(args.game)
    found = review(
        record,
        seat=seat_of(record, args.seat),
        method=args.method,
        seed=args.seed,
        playouts=args.playouts,
        seconds=args.seconds,
        progress=not args.json and sys.stderr.isatty(),
    )
    print(json.dumps(found.to_json(args.lang)) if args.json else found.to_text(args.lang))
    return 0 if found.is_complete or found.time_is_up else 130


def seat_of(record: Record, said: str | None) -> int | None:
    """The seat that a letter names.

    >>> from nimmt_lab import Classic
    >>> seat_of(Record(Classic(players=3)), "b"), seat_of(Record(Classic(players=3)), None)
    (1, None)
    """
    if said is None:
        return None
    seats = {seat_letter(seat).lower(): seat for seat in range(record.game.players)} | {"team": TEAM}
    if said.lower() not in seats:
        raise RulesError("commands.no_seat_of", who=shown(said), known=", ".join(seats))
    return seats[said.lower()]
