"""`nimmt-lab lesson`: begin, preview, check and print your own lessons, or list those in a folder."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.errors import RulesError

from .words import LANGUAGES, language, say

if TYPE_CHECKING:
    from nimmt_lab.lessons.rules import Lesson

ACTIONS = ("new", "preview", "check", "worksheet", "list")
#: More seeds than this find nothing new and take minutes.
MOST_SEEDS = 10_000


def arguments(parser: argparse.ArgumentParser) -> None:
    from nimmt_lab.lessons.sets import FORMATS

    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE")
    parser.add_argument("--copy", metavar="LESSON")
    parser.add_argument("--program", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--pupils", type=int, default=1)
    parser.add_argument("--class-list", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--format", choices=FORMATS, default="html")
    parser.add_argument("--lang", default=language())
    parser.add_argument("--force", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Return 1 if `check` found something to fix."""
    if args.action == "list":
        return _list(args.file or Path.cwd())
    if args.file is None:
        raise RulesError("commands.lesson_file", action=args.action)
    if args.action == "new":
        return _new(args)
    from nimmt_lab.lessons.lessonfile import load_lesson

    lesson = load_lesson(args.file)
    ask_to_run(lesson, at_once=args.run)
    if args.action == "check":
        return _check(lesson, args)
    return _preview(lesson, args) if args.action == "preview" else _worksheet(lesson, args)


def _new(args: argparse.Namespace) -> int:
    from nimmt_lab.engine.files import make_folder, write_file
    from nimmt_lab.lessons.authoring import copy_of, name_of_file, template
    from nimmt_lab.lessons.library import Library
    from nimmt_lab.lessons.progress import find_folder

    if args.file.suffix != ".toml":
        raise RulesError("commands.lesson_toml", file=args.file.name)
    if os.path.lexists(args.file) and not args.force:
        raise RulesError("commands.lesson_exists", file=args.file.name)
    lang = args.lang if args.lang in LANGUAGES else language()
    name = name_of_file(args.file.stem)
    if args.copy:
        text = copy_of(args.copy, name, Library(find_folder()))
    else:
        text = template(name, lang, program=args.program)
    make_folder(args.file.parent)
    write_file(args.file, text)
    print(say("out.lesson_new", file=args.file))
    return 0


def ask_to_run(lesson: Lesson, *, at_once: bool) -> None:
    """Ask before a program runs that this person has not confirmed; without a terminal only `--run` confirms."""
    from nimmt_lab.lessons.trust import confirm, confirmed, short

    if not lesson.program or confirmed(lesson.fingerprint):
        return
    if not at_once and sys.stdin is not None and sys.stdin.isatty():
        print(say("out.lesson_program", file=lesson.source, fingerprint=short(lesson.fingerprint)))
        print(lesson.program.rstrip())
        at_once = input(say("out.lesson_run")).strip().casefold() in say("out.lesson_yes").split()
    if at_once:
        confirm(lesson.fingerprint)


def _list(folder: Path) -> int:
    from nimmt_lab.lessons.library import Library

    if not folder.is_dir():
        raise RulesError("commands.not_folder", folder=str(folder))
    library = Library.of(folder)
    for one in library.files():
        if one.lesson is not None:
            title = next(iter(one.lesson.texts.values()))[f"{one.lesson.name}.title"]
            count, version = len(one.lesson.questions), one.lesson.version
            print(say("out.lesson_line", file=one.path.name, title=title, version=version, count=count))
        elif one.error is not None:
            print(one.error.translate(language()))
    if not library.files():
        print(say("out.lesson_none", folder=folder))
    return 0


def _check(lesson: Lesson, args: argparse.Namespace) -> int:
    from nimmt_lab.engine.limits import check_count
    from nimmt_lab.lessons.checking import check

    wrong = 0
    for finding in check(lesson, check_count(args.seeds, "seeds", 1, MOST_SEEDS)):
        wrong += 1
        text = finding.what.translate(language())
        seeds = ", ".join(map(str, finding.seeds[:5])) + (", …" if len(finding.seeds) > 5 else "")
        line = f"{finding.step}: {text}" if finding.step else text
        print(say("out.lesson_seeds", text=line, seeds=seeds) if lesson.drawn and finding.seeds else line)
    if not wrong:
        print(say("out.lesson_good", file=args.file, count=len(lesson.questions)))
    return 1 if wrong else 0


def _preview(lesson: Lesson, args: argparse.Namespace) -> int:
    from nimmt_lab.engine.files import write_file
    from nimmt_lab.lessons.asked import problems_of, words_of
    from nimmt_lab.lessons.slides import slides_html
    from nimmt_lab.lessons.worksheet import answer_text, choice_text, question_text, working_text

    said = words_of(lesson, args.lang)
    if args.out is not None:
        write_file(args.out, slides_html(lesson, args.seed, args.lang))
        print(say("out.lesson_page", file=args.out))
        return 0
    print(said(f"{lesson.name}.title"))
    made = iter(problems_of(lesson, args.seed))
    for number, step in enumerate(lesson.steps, 1):
        key = f"{lesson.name}.{step.name}"
        if not step.ask:
            print(f"\n{number}. {said(key)}")
        else:
            problem = next(made)
            print(f"\n{number}. {question_text(problem, said)}")
            for choice in problem.choices:
                print(f"   {'*' if choice == problem.answer else '-'} {choice_text(choice, said)}")
            how = working_text(problem, said)
            if not problem.choices or how:
                print("   = " + ". ".join(filter(None, (answer_text(problem, said), how))))
        if step.position:
            print(f"   {step.position}")
    return 0


def _worksheet(lesson: Lesson, args: argparse.Namespace) -> int:
    from nimmt_lab.lessons.class_list import read_class_list
    from nimmt_lab.lessons.sets import files_of
    from nimmt_lab.lessons.worksheet import class_set, write_folder

    if args.out is None:
        raise RulesError("commands.lesson_out")
    of = class_set(args.pupils, args.seed) if args.class_list is None else read_class_list(args.class_list).sheets
    made = files_of(lesson, of, args.lang, form=args.format)
    write_folder(made, args.out, force=args.force)
    others = [name for name in made if "-sheet-" not in name]
    print(say("out.sheets", pupils=len(of), folder=args.out, files=", ".join(others)))
    return 0
