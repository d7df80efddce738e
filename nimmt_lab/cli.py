"""The `nimmt-lab` command. Each subcommand is a module of `nimmt_lab.commands`, imported when it is called."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import importlib
import io
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any, NoReturn

from . import __version__
from .engine.errors import NimmtError
from .engine.extras import wanted

__all__ = ["COMMANDS", "main"]


#: Subcommands. `nimmt_lab.commands.<name>` has `arguments(parser)` and `run(args) -> int`; what they do, and what each
#: argument is, `nimmt_lab/commands/locale` says in three languages.
COMMANDS = (
    "check",
    "explain",
    "games",
    "gradebook",
    "ladder",
    "lab",
    "material",
    "odds",
    "review",
    "roster",
    "show",
    "simulate",
    "site",
    "solve",
    "tournament",
    "worksheet",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0, 1 (a check failed) or 2 (wrong input)."""
    argv = (sys.argv[1:] if argv is None else list(argv)) or ["lab"]
    from .commands.words import Formatter, explain_arguments, language, say, speak, spoken

    parser = _Parser(prog="nimmt-lab", description=say("commands.about"), formatter_class=Formatter)
    parser.add_argument("--version", action="version", version=f"nimmt-lab {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    speak(parser)
    _print_anywhere()
    called = argv[0] if argv[0] in COMMANDS else None
    asked: str | None = None  # the language that a command is asked to speak
    try:
        with wanted("lab"):
            for name in COMMANDS:
                summary = say(f"commands.{name}")
                about = summary[0].upper() + summary[1:] + "."
                command = commands.add_parser(name, help=summary, description=about, formatter_class=Formatter)
                speak(command)
                if name == called:
                    importlib.import_module(f"nimmt_lab.commands.{name}").arguments(command)
                    explain_arguments(command, name)
            with spoken():
                args = parser.parse_args(argv)
            asked = getattr(args, "lang", None)
            code = importlib.import_module(f"nimmt_lab.commands.{args.command}").run(args)
        if sys.stdout is not None:  # else it was closed before we began
            sys.stdout.flush()
        return int(code)
    except NimmtError as error:
        print(f"nimmt-lab {called}: {_short(error.translate(asked or language()))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has seen enough (`nimmt-lab games | head`).
        _no_more_output()
        return 0
    except OSError as error:  # files have typed errors of their own: this is the output, on a disk that is full
        _no_more_output()
        print(f"nimmt-lab {called}: {say('out.no_output', why=error.strerror or error)}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"nimmt-lab {called}: {say('out.no_memory')}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(say("out.interrupted"), file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    """What is wrong is said in a line, however long the argument."""

    def error(self, message: str) -> NoReturn:
        from .commands.words import say

        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {say('shell.error')}: {_short(message)}\n")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        from .commands.words import say

        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type not in (int, float):
                raise
            # argparse has one sentence for all types, and calls them what Python does.
            kind = "int" if action.type is int else "float"
            raise argparse.ArgumentError(action, say(f"arguments.{kind}") % {"value": arg_string}) from None


#: Longer messages repeat what somebody gave us: their middle says nothing.
_LONGEST = 1000


def _short(message: str) -> str:
    half = _LONGEST // 2
    return message if len(message) <= _LONGEST else f"{message[:half]} … {message[-half:]}"


def _no_more_output() -> None:
    """Nothing that is still to be printed may fail once more when Python ends."""
    with contextlib.suppress(OSError):  # output that is caught has no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: What a terminal that lacks a sign can show instead.
_INSTEAD = {"±": "+/-", "–": "-", "—": "-", "−": "-", "…": "...", "·": "-", "×": "x", "≈": "~", "→": "->", "≤": "<="}


def _print_anywhere() -> None:
    """Output goes to terminals of any encoding: a sign that one lacks is replaced, and nothing is lost for it."""
    codecs.register_error("nimmt-lab", _replace)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="nimmt-lab")


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_INSTEAD.get(letter) or _plain(letter) for letter in letters), error.end


def _plain(letter: str) -> str:
    """A letter without its accents, where that leaves something."""
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


if __name__ == "__main__":
    sys.exit(main())
