"""`nimmt-lab explain GAME`: explain a recorded game in words, turn by turn."""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.notes_text import record_of

from .words import LANGUAGES, language


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--turn", type=int)


def run(args: argparse.Namespace) -> int:
    """Explain every placement and print the game report; with `--turn`, explain that turn only."""
    from nimmt_lab.explain import explain, narrate, report, turns

    record = record_of(Path(args.game))
    chosen = turns(record)
    if args.turn is not None:
        if not 1 <= args.turn <= len(chosen):
            raise RulesError("commands.no_turn", count=len(chosen), turn=args.turn)
        chosen = chosen[args.turn - 1 : args.turn]
    for turn in chosen:
        placements = explain(turn)
        explained = {place for placement in placements for place in placement.places}
        sentences = [sentence for step in turn.steps for sentence in narrate(step, args.lang, record.names)]
        first = min(explained, default=len(sentences))
        # The reveal comes before the placements; the end of a round and its consequences come after them.
        print(" ".join(filter(None, sentences[:first])))
        for placement in placements:
            print("  " + placement.text(args.lang, record.names))
        for place, sentence in enumerate(sentences):
            if place > first and sentence and place not in explained:
                print(sentence)
    if args.turn is None:
        print(f"\n{report(record).to_text(args.lang)}")
    return 0
