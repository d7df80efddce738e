"""`nimmt-lab check FILE…`: run rule vectors."""

from __future__ import annotations

import argparse

from nimmt_lab.conformance import check_files


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="vectors of format nimmt-vectors/1 (JSON)")


def run(args: argparse.Namespace) -> int:
    """A line per failure, then the count; 1 if any failed. An unreadable file ends it with 2."""
    report = check_files(args.files)
    print(report)
    return 1 if report.failures else 0
