"""Draw the studies' figures and store them in the notebooks, so that they can be read without running anything.

    python tools/study_figures.py                    # all that have changed
    python tools/study_figures.py 12_low_cards       # one of them, changed or not

Only drawings (SVG) are stored: no tables, boards, printed numbers or scripts. A fingerprint in the notebook's metadata
tells whether its code and the counts that it reads are still those of the figures.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.engine.files import write_file
from tools.docs_extras import execute

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "notebooks"
COUNTS: Final = ROOT / "nimmt_lab" / "study" / "data"
SVG: Final = "image/svg+xml"


def fingerprint(book: dict[str, object]) -> str:
    """A fingerprint of a notebook's code and of the stored counts that it names."""
    cells = book["cells"]
    assert isinstance(cells, list)
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    named = sorted({name for text in code for name in re.findall(r'finding\("(\w+)"', text)})
    counts = [(COUNTS / f"{name}.json").read_text(encoding="utf-8") for name in named]
    return hashlib.sha256("\n".join([*code, *counts]).encode()).hexdigest()[:16]


def drawings(source: Path) -> dict[str, list[str]]:
    """Run a notebook: its drawings by cell."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / source.name
        execute(source, target)
        cells = json.loads(target.read_text(encoding="utf-8"))["cells"]
    found = {}
    for cell in cells:
        outputs = (output.get("data", {}).get(SVG) for output in cell.get("outputs", ()))
        found[cell["id"]] = [small("".join(svg)) for svg in outputs if svg]
    return found


def small(svg: str) -> str:
    """A drawing with coordinates to a tenth of a pixel, and without the labels for screen readers that repeat its data.

    >>> small('<path aria-label="x: 1" d="M1.23456,7"></path>')
    '<path d="M1.2,7"></path>'
    >>> small("<text>0.25</text>")
    '<text>0.25</text>'
    """
    svg = re.sub(r' (?:aria-(?!hidden)[a-z]+|role|class|pointer-events)="[^"]*"', "", svg)
    return re.sub(r' (?:d|transform|[xy][12]?|width|height)="[^"]*"', lambda drawn: _tenths(drawn[0]), svg)


def _tenths(text: str) -> str:
    """The text with its numbers rounded to tenths."""
    return re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), text)


def with_drawings(path: Path) -> str:
    """The text of a notebook with its drawings."""
    book = json.loads(path.read_text(encoding="utf-8"))
    found = drawings(path)
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            # Other tools take a cell with outputs and without a number for one that wasn't run.
            cell["execution_count"] = 1 if found[cell["id"]] else None
            cell["outputs"] = [
                {"data": {SVG: [svg]}, "metadata": {}, "output_type": "display_data"} for svg in found[cell["id"]]
            ]
    book["metadata"].setdefault("nimmt_lab", {})["figures"] = fingerprint(book)
    return json.dumps(book, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def main(names: Sequence[str]) -> int:
    """Draw the figures of these studies, or of all whose code or counts have changed."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        book = json.loads(path.read_text(encoding="utf-8"))
        known = book["metadata"].get("nimmt_lab", {}).get("figures")
        if path.stem in names if names else known != fingerprint(book):
            print(path.stem, flush=True)
            write_file(path, with_drawings(path))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
