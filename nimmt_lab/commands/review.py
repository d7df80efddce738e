"""`nimmt-lab review GAME`: judge every choice of a recorded game, and separate skill from luck."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from nimmt_lab import Record
from nimmt_lab.engine.cards import TEAM, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.notes_text import record_of

from .words import LANGUAGES, language, shows_progress


def arguments(parser: argparse.ArgumentParser) -> None:
    from nimmt_lab.study.reviews import PLAYOUTS

    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--players", type=int)
    parser.add_argument("--game", dest="system", metavar="GAME")
    parser.add_argument("--phrases", metavar="NAME|FILE")
    parser.add_argument("--seat")
    parser.add_argument("--method", choices=["solver", "search"])
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print a line per decision and the totals; return 130 if interrupted (finished decisions are printed)."""
    from nimmt_lab.study import review

    if args.phrases is None:
        record = record_of(Path(args.game), players=args.players, game=args.system)
    else:
        record = Record.from_log(Path(args.game), args.phrases, game=args.system)
    result = review(
        record,
        seat=seat_of(record, args.seat),
        method=args.method,
        seed=args.seed,
        playouts=args.playouts,
        seconds=args.seconds,
        progress=shows_progress(args),
    )
    print(json.dumps(result.to_json(args.lang)) if args.json else result.to_text(args.lang))
    return 0 if result.is_complete or result.time_is_up else 130


def seat_of(record: Record, letter: str | None) -> int | None:
    """The seat that a letter, or the name of a player, stands for.

    >>> from nimmt_lab import Classic
    >>> seat_of(Record(Classic(players=3)), "b"), seat_of(Record(Classic(players=3)), None)
    (1, None)
    """
    if letter is None:
        return None
    seats = {seat_letter(seat).lower(): seat for seat in range(record.game.players)} | {"team": TEAM}
    named = [seat for seat, name in record.names.items() if name.casefold() == letter.strip().casefold()]
    if letter.lower() not in seats and len(named) == 1:
        return named[0]
    if letter.lower() not in seats:
        raise RulesError("commands.no_seat_of", who=shown(letter), known=", ".join(seats))
    return seats[letter.lower()]
