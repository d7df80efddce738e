"""`nimmt-lab check FILE…`: run rule vectors. `nimmt-lab check --self` runs those that came with the package."""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt_lab.conformance import check_files
from nimmt_lab.conformance.runner import FORMAT, VALUES, VectorFileError

PACKAGE = Path(__file__).resolve().parent.parent


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("files", nargs="*", default=[], metavar="FILE", help=f"{FORMAT}, {VALUES} (JSON)")
    what.add_argument("--self", action="store_true")


def run(args: argparse.Namespace) -> int:
    """A line per failure, then the count; 1 if any failed. An unreadable file ends it with 2."""
    report = check_files(packaged_vectors() if args.self else args.files)
    print(report)
    return 1 if report.failures else 0


def packaged_vectors() -> list[Path]:
    """The rule vectors inside the installed package, or those of the checkout."""
    for folder in (PACKAGE / "_vectors", PACKAGE.parent / "tests" / "conformance"):
        # Solved positions lie there too; they need the solver, which is not part of every installation.
        files = sorted(folder.glob("*.json"))
        found = [path for path in files if f'"{FORMAT}"' in path.read_text(encoding="utf-8")[:200]]
        if found:
            return found
    raise VectorFileError("commands.no_vectors")
