"""Repeat the measurements shown in the documentation: python tools/docs_measure.py [NAME …] (by default all).

Each command of `docs/measured/measured.toml` is run; what it prints is kept beside it. Look at it before you commit.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.engine.files import write_file
from tools.docs_parts import MEASURED, ROOT, measured


def here() -> str:
    """A description of this machine for the reader, without its name."""
    cores = f"{os.cpu_count()} cores that had other work, too"
    return f"with Python {platform.python_version()} on {platform.machine()}, {cores}"


def main() -> int:
    """Run the commands one at a time: two at once would distort each other's results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    known = measured()
    if unknown := set(options.names) - set(known):
        parser.error(f"nothing is measured as {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    listing = MEASURED / "measured.toml"
    for name in options.names or known:
        program, *rest = known[name]["command"].split()
        assert program == "python"
        done = subprocess.run([sys.executable, *rest], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            print(f"{name}: {done.stderr[-1000:]}", file=sys.stderr)
            return 1
        write_file(MEASURED / f"{name}.txt", done.stdout.rstrip() + "\n")
        text = listing.read_text(encoding="utf-8")
        entry = re.compile(rf'^(\[{name}\]\ncommand = .*\n)on = ".*"', re.MULTILINE)
        text = entry.sub(rf'\g<1>on = "{here()}"', text)
        write_file(listing, text)
        print(f"== {name}\n{done.stdout}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
