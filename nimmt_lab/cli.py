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


#: Subcommands: `nimmt_lab.commands.<name>` defines `arguments(parser)` and `run(args) -> int`; help texts are in
#: `nimmt_lab/commands/locale`.
COMMANDS = (
    "advise", "box", "check", "class", "class-list", "dataset", "explain", "games", "gradebook", "ladder", "lab",
    "lesson", "odds", "pool", "review", "share", "show", "simulate", "site", "solve", "tournament", "worksheet",
)  # fmt: skip
#: Earlier names of subcommands, which still work.
ALIASES = {"material": "box", "roster": "class-list"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Exit codes: 0, 1 (a check failed), 2 (wrong input), 130 (interrupted)."""
    argv = (sys.argv[1:] if argv is None else list(argv)) or ["lab"]
    from .commands.words import Formatter, explain_arguments, language, say, speak, spoken

    parser = _Parser(prog="nimmt-lab", description=say("commands.about"), formatter_class=Formatter)
    parser.add_argument("--version", action="version", version=f"nimmt-lab {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    speak(parser)
    _print_anywhere()
    argv = [ALIASES.get(argv[0], argv[0]), *argv[1:]]
    called = argv[0] if argv[0] in COMMANDS else None
    asked: str | None = None  # the language that the command line asks for
    try:
        with wanted("lab"):
            for name in COMMANDS:
                module = name.replace("-", "_")
                summary = say(f"commands.{module}")
                about = summary[0].upper() + summary[1:] + "."
                command = commands.add_parser(name, help=summary, description=about, formatter_class=Formatter)
                speak(command)
                if name == called:
                    importlib.import_module(f"nimmt_lab.commands.{module}").arguments(command)
                    explain_arguments(command, module)
            with spoken():
                args = parser.parse_args(argv)
            asked = getattr(args, "lang", None)
            code = importlib.import_module(f"nimmt_lab.commands.{args.command.replace('-', '_')}").run(args)
        if sys.stdout is not None:  # None if it was closed before we started
            sys.stdout.flush()
        return int(code)
    except NimmtError as error:
        print(f"nimmt-lab {called}: {_short(error.translate(asked or language()))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has seen enough (`nimmt-lab games | head`).
        _no_more_output()
        return 0
    except OSError as error:  # the output itself, such as a full disk: files have typed errors
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
    """Argument errors in one short line and in the user's language."""

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
            # argparse has one message for all types and uses Python's names for them.
            kind = "int" if action.type is int else "float"
            raise argparse.ArgumentError(action, say(f"arguments.{kind}") % {"value": arg_string}) from None


#: Longer messages repeat the input; their middle is left out.
_LONGEST = 1000


def _short(message: str) -> str:
    half = _LONGEST // 2
    return message if len(message) <= _LONGEST else f"{message[:half]} … {message[-half:]}"


def _no_more_output() -> None:
    """Discard further output, so that it cannot fail again when Python exits."""
    with contextlib.suppress(OSError):  # captured output has no file descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: ASCII replacements for characters that a terminal lacks.
_INSTEAD = {"±": "+/-", "–": "-", "—": "-", "−": "-", "…": "...", "·": "-", "×": "x", "≈": "~", "→": "->", "≤": "<="}


def _print_anywhere() -> None:
    """Make output work on terminals of any encoding: characters that they lack are replaced."""
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
    """A letter without its accents, or a question mark."""
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


if __name__ == "__main__":
    sys.exit(main())
