"""`nimmt-lab dataset FOLDER`: play many rounds by named players and store every choice as Parquet."""

from __future__ import annotations

import argparse
import json

from nimmt_lab.bots import bot_names
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.study.datasets import SIZES, USUAL_BOTS, make_dataset

from .words import say, shows_progress


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, nargs="+", default=SIZES)
    parser.add_argument("--bots", nargs="+", metavar="BOT", default=USUAL_BOTS, help=", ".join(bot_names()))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print what the folder contains; return 130 if interrupted (finished files stay, and the next call continues)."""
    made = make_dataset(
        args.folder,
        args.rounds,
        args.seed,
        players=args.players,
        bots=args.bots,
        executor=args.workers,
        progress=shows_progress(args),
    )
    if args.json:
        data = {"folder": str(made.folder), "rounds": made.rounds, "rows": made.rows, "complete": made.is_complete}
        print(json.dumps(data))
    else:
        key = "out.dataset" if made.is_complete else "out.dataset_part"
        counts = {"rounds": Figure(made.rounds), "rows": Figure(made.rows), "all": Figure(args.rounds)}
        print(say(key, **counts, folder=str(made.folder)))
    return 0 if made.is_complete else 130
