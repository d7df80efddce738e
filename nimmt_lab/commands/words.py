"""The words of the command line. Its language is that of NIMMT_LANG; a command's own `--lang` goes before it.

>>> say("out.pupils", count=3, file="roster.csv")
'3 pupils in roster.csv'
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from nimmt_lab.explain.catalogue import LANGUAGES, Words, words
from nimmt_lab.explain.catalogue import number as written

ROOM: Final = "nimmt_lab.commands"


def language() -> str:
    """The language that the environment asks for; English if it asks for none of ours."""
    asked = os.environ.get("NIMMT_LANG", "en")
    return asked if asked in LANGUAGES else "en"


def speech(lang: str | None = None) -> Words:
    """What the command line may say."""
    return words(lang or language(), room=ROOM)


def say(key: str, lang: str | None = None, /, **parts: object) -> str:
    """One message."""
    return speech(lang)(key, **parts)


def number(value: float, form: str, lang: str | None = None) -> str:
    """A number as the language writes it.

    >>> number(1234.5, ",.2f"), number(1234.5, ",.2f", "pl")
    ('1,234.50', '1\xa0234,50')
    """
    return written(value, form, lang or language())


def explain_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    """Give every argument of a command its text. `help` of an argument is what the text itself cannot know."""
    for action in parser._actions:
        if action.dest != "help":
            usual = action.default
            default = " ".join(map(str, usual)) if isinstance(usual, (list, tuple)) else usual
            text = say(f"help_{command}.{action.dest}", default=default, also=action.help or "")
            action.help = text.replace("%", "%%")


def speak(parser: argparse.ArgumentParser) -> None:
    """Put argparse's own words into the language."""
    parser._positionals.title = say("shell.positionals")
    parser._optionals.title = say("shell.options")
    for action in parser._actions:
        if isinstance(action, (argparse._HelpAction, argparse._VersionAction)):
            action.help = say(f"shell.{action.dest}")


#: argparse marks its messages for translation by these texts.
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
    """Let argparse look its messages up in our catalogue, through the function it calls to translate them."""
    names = vars(argparse)
    before = names["_"]
    names["_"] = lambda text: say(_MESSAGES[text]) if text in _MESSAGES else before(text)
    try:
        yield
    finally:
        names["_"] = before


class Formatter(argparse.HelpFormatter):
    """Help that begins with the language's word for usage."""

    def _format_usage(self, usage, actions, groups, prefix) -> str:  # type: ignore[no-untyped-def]
        return super()._format_usage(usage, actions, groups, say("shell.usage") if prefix is None else prefix)
