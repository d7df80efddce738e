"""`nimmt-lab pool CLASSLIST --lesson 4`: what a class found together, from sheets, hand-ins and result codes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import name_of, shown

from .words import LANGUAGES, language

if TYPE_CHECKING:
    from nimmt_lab.live.pool import Pooled


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("class_list", type=Path, metavar="CLASSLIST")
    parser.add_argument("--lesson", required=True)
    parser.add_argument("--answers", type=Path, metavar="DIR")
    parser.add_argument("--codes", nargs="*", default=[], metavar="CODE")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print, for each question, the answers of all sheets, the hand-ins and the results of codes."""
    from nimmt_lab.lessons import words
    from nimmt_lab.lessons.class_list import read_class_list
    from nimmt_lab.lessons.classroom import CLASSROOM, number_of
    from nimmt_lab.lessons.shipped import full_name
    from nimmt_lab.lessons.worksheet import question_text
    from nimmt_lab.live.sheets import pool_sheets
    from nimmt_lab.live.wall import drawn
    from nimmt_lab.live.words import live_words

    if args.answers is not None and not args.answers.is_dir():
        raise RulesError("commands.not_folder", folder=name_of(args.answers))
    class_list = read_class_list(args.class_list)
    number = number_of(full_name(args.lesson))
    if number is None or number not in CLASSROOM:
        known = ", ".join(f"p{one}" for one in CLASSROOM)
        raise RulesError("shared.no_lesson_of", lesson=shown(args.lesson), known=known)
    pooled = pool_sheets(class_list, number, hand_ins=args.answers, codes=args.codes)
    if args.json:
        lines = [
            {
                "question": one.key, "sheets": _plain(one.sheets), "answered": one.answered, "right": one.right,
                "found": _plain(one.found),
            }
            for one in pooled
        ]  # fmt: skip
        print(json.dumps(lines, indent=1))
        return 0
    say, own = words(args.lang), live_words(args.lang)
    for number, one in enumerate(pooled, 1):
        print(f"{number}. {question_text(one.problem, say)}")
        if one.sheets is not None:
            print(f"   {own('class.pool_sheets')} {drawn(one.sheets, args.lang, 'taken')['text']}")
        if one.answered:
            print(f"   {own('class.pool_right', count=one.right, all=one.answered)}")
        if one.found is not None:
            print(f"   {own('class.pool_found')} {drawn(one.found, args.lang)['text']}")
    return 0


def _plain(pooled: Pooled | None) -> object:
    if pooled is None:
        return None
    return {
        "bars": pooled.bars, "dots": pooled.dots, "runs": pooled.runs, "mean": pooled.mean, "margin": pooled.margin,
    }  # fmt: skip
