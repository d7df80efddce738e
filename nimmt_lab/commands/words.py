"""The texts of the command line, in the language of NIMMT_LANG; a command's own `--lang` overrides it for its output.

>>> say("out.pupils", count=3, file="class.csv")
'3 pupils in class.csv'
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from nimmt_lab.explain.catalogue import LANGUAGES, words
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.teller import score_unit

if TYPE_CHECKING:
    from nimmt_lab import Game

__all__ = [
    "LANGUAGES", "PACKAGE", "Formatter", "explain_arguments", "game_of", "language", "number", "say", "shows_progress",
    "speak", "spoken", "unit_of",
]  # fmt: skip
PACKAGE: Final = "nimmt_lab.commands"


def language() -> str:
    """The language that the environment asks for, English by default."""
    asked = os.environ.get("NIMMT_LANG", "en")
    return asked if asked in LANGUAGES else "en"


def say(key: str, lang: str | None = None, /, **parts: object) -> str:
    return words(lang or language(), package=PACKAGE)(key, **parts)


def unit_of(game: Game) -> str:
    """The word for what the totals of a game count, as it follows "number of"."""
    return words(language(), package=PACKAGE).many(score_unit(game))


def number(value: float, form: str, lang: str | None = None) -> str:
    """Format a number as in the language.

    >>> number(1234.5, ",.2f"), number(1234.5, ",.2f", "pl")
    ('1,234.50', '1\xa0234,50')
    """
    return written(value, form, lang or language())


def explain_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    """Give every argument of a command its help text; `action.help` is what only the command can add to it."""
    for action in parser._actions:
        if action.dest != "help":
            default = action.default
            if isinstance(default, (list, tuple)):
                default = " ".join(map(str, default))
            text = say(f"help_{command}.{action.dest}", default=default, also=action.help or "")
            action.help = text.replace("%", "%%")


def speak(parser: argparse.ArgumentParser) -> None:
    """Translate the headings and texts that argparse adds."""
    parser._positionals.title = say("shell.positionals")
    parser._optionals.title = say("shell.options")
    for action in parser._actions:
        if isinstance(action, (argparse._HelpAction, argparse._VersionAction)):
            action.help = say(f"shell.{action.dest}")


#: The messages that argparse marks for translation, with our keys.
_MESSAGES: Final = {
    "argument %(argument_name)s: %(message)s": "arguments.argument",
    "invalid choice: %(value)r (choose from %(choices)s)": "arguments.choice",
    "the following arguments are required: %s": "arguments.required",
    "expected one argument": "arguments.one",
    "expected at least one argument": "arguments.some",
    "unrecognized arguments: %s": "arguments.unknown",
    "ambiguous option: %(option)s could match %(matches)s": "arguments.ambiguous",
    "not allowed with argument %s": "arguments.not_with",
    "one of the arguments %s is required": "arguments.one_of",
}


@contextmanager
def spoken() -> Iterator[None]:
    """Make argparse look up its messages in our catalogue, through the function it calls to translate them."""
    names = vars(argparse)
    before = names["_"]
    names["_"] = lambda text: say(_MESSAGES[text]) if text in _MESSAGES else before(text)
    try:
        yield
    finally:
        names["_"] = before


class Formatter(argparse.HelpFormatter):
    """Help that starts with the language's word for usage."""

    def _format_usage(self, usage, actions, groups, prefix) -> str:  # type: ignore[no-untyped-def]
        return super()._format_usage(usage, actions, groups, say("shell.usage") if prefix is None else prefix)


def game_of(args: argparse.Namespace, players: int) -> Game:
    """The game that `--game` and `--rules` describe; by default a single round, where the game has rounds."""
    from nimmt_lab import game_named
    from nimmt_lab.engine.record_text import read_rules

    has_rounds = any(option.name == "rounds" for option in fields(game_named(args.game)))
    rules = args.rules if args.rules is not None else "rounds=1" if has_rounds else ""
    return read_rules(args.game, f"players={players} {rules}".strip(), paths=True)


def shows_progress(args: argparse.Namespace) -> bool:
    """Whether to draw progress bars: only for a person at a terminal."""
    return not args.json and sys.stderr.isatty()
