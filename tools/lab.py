"""`make lab`: `nimmt-lab lab` from the checkout. Further options are JupyterLab's: `tools/lab.py --port 9999`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.cli import main

if __name__ == "__main__":
    ours = ("--folder", "--lang", "--copy-only", "-h", "--help")
    given = sys.argv[1:]
    # Our own options come first; the rest is JupyterLab's.
    split = next((at for at, word in enumerate(given) if word.startswith("-") and word.split("=")[0] not in ours), None)
    rest = [] if split is None else given[split + (given[split] == "--") :]
    options = [*given[:split], "--", *rest] if rest else given[:split]
    sys.exit(main(["lab", *options]))
