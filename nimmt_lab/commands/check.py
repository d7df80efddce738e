"""`nimmt-lab check FILE…`: run rule vectors; with `--self`, those that come with the package."""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt_lab.conformance import check_files
from nimmt_lab.conformance.runner import FORMAT, VALUES, VectorFileError

PACKAGE = Path(__file__).resolve().parent.parent


def arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("files", nargs="*", default=[], metavar="FILE", help=f"{FORMAT}, {VALUES} (JSON)")
    what.add_argument("--self", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print a line per failure and the count; return 1 if any vector failed."""
    report = check_files(packaged_vectors() if args.self else args.files)
    print(report)
    return 1 if report.failures else 0


def packaged_vectors() -> list[Path]:
    """The rule vectors of the installed package, or of the checkout."""
    for folder in (PACKAGE / "_vectors", PACKAGE.parent / "tests" / "conformance"):
        # The folder also has solved positions. They need the solver, which not every installation has.
        files = [path for path in sorted(folder.glob("*.json")) if f'"{FORMAT}"' in path.read_text("utf-8")[:200]]
        if files:
            return files
    raise VectorFileError("commands.no_vectors")
