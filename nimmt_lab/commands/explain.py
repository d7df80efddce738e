"""`nimmt-lab explain GAME`: a recorded game, turn by turn, in words."""

from __future__ import annotations

import argparse

from nimmt_lab import Record
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError

from .words import language


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.explain import LANGUAGES

    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--turn", type=int)


def run(args: argparse.Namespace) -> int:
    """Every placement explained, then the report of the game; or just one turn."""
    from nimmt_lab.explain import explain, narrate, report, turns

    record = Record.load(args.game)
    all_turns = turns(record)
    if args.turn is not None and not 1 <= args.turn <= len(all_turns):
        raise RulesError("commands.no_turn", count=len(all_turns), turn=args.turn)
    seats = range(record.game.players)
    names = {seat: record.tags[letter] for seat in seats if (letter := seat_letter(seat)) in record.tags}
    chosen = all_turns if args.turn is None else all_turns[args.turn - 1 : args.turn]
    for turn in chosen:
        placements = explain(turn)
        explained = {place for placement in placements for place in placement.places}
        sentences = [sentence for step in turn.steps for sentence in narrate(step, args.lang, names)]
        told = [(place in explained, sentence) for place, sentence in enumerate(sentences)]
        first = next((at for at, (placed, _) in enumerate(told) if placed), len(told))
        # The reveal stands before the placements; the end of a round, and what follows it, behind them.
        print(" ".join(sentence for _, sentence in told[:first] if sentence))
        for placement in placements:
            print("  " + placement.text(args.lang, names))
        for placed, sentence in told[first:]:
            if sentence and not placed:
                print(sentence)
    if args.turn is None:
        print()
        print(report(record).to_text(args.lang))
    return 0
