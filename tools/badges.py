"""Draw the README's badges: small SVG files about facts that pyproject.toml and the package state.

    python tools/badges.py          write docs/badges/*.svg
    python tools/badges.py --check  exit 1 and name the files that are out of date

They are part of the repository, so that the README shows them without asking a server.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path("docs") / "badges"

#: Widths in units of a hundredth of the font size, for the letters that differ most from the average.
_WIDTHS = {**dict.fromkeys("iljI.,:;|'! ", 33), **dict.fromkeys("ftr()-–", 42), **dict.fromkeys("mwMW", 88)}
_AVERAGE, _SIZE, _PADDING, _HEIGHT = 58, 11, 7, 20


def facts(root: Path) -> dict[str, tuple[str, str]]:
    """The label and value of each badge, by file name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = (root / "nimmt_lab" / "__init__.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    assert version, "nimmt_lab/__init__.py states no version"
    prefix = "Programming Language :: Python :: "
    classifiers: list[str] = project["classifiers"]
    pythons = [line.removeprefix(prefix) for line in classifiers if re.fullmatch(re.escape(prefix) + r"3\.\d+", line)]
    typed = "Typing :: Typed" in classifiers and (root / "nimmt_lab" / "py.typed").exists()
    return {
        "version": ("version", version[1]),
        "python": ("Python", f"{pythons[0]}–{pythons[-1]}"),
        "licence": ("licence", project["license"]),
        "typed": ("typed", "mypy --strict" if typed else "no"),
    }


def _width(text: str) -> int:
    return sum(_WIDTHS.get(letter, _AVERAGE) for letter in text) * _SIZE // 100 + 2 * _PADDING


def drawn(label: str, value: str) -> str:
    """One badge: dark letters on light ground and the reverse, so that both halves are readable in any theme."""
    left, right = _width(label), _width(value)
    name = escape(f"{label}: {value}")
    text = 'y="14" text-anchor="middle"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img"'
        f' aria-label="{name}">\n'
        f"  <title>{name}</title>\n"
        f'  <rect width="{left + right}" height="{_HEIGHT}" rx="3" fill="#3b4252"/>\n'
        f'  <path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v{_HEIGHT - 6}a3 3 0 0 1-3 3H{left}z" fill="#dfe7ef"/>\n'
        f'  <g font-family="Verdana,DejaVu Sans,sans-serif" font-size="{_SIZE}">\n'
        f'    <text x="{left / 2:g}" {text} fill="#fff">{escape(label)}</text>\n'
        f'    <text x="{left + right / 2:g}" {text} fill="#1b2230">{escape(value)}</text>\n'
        "  </g>\n"
        "</svg>\n"
    )


def badges(root: Path) -> dict[Path, str]:
    """Every badge's file with its expected content."""
    return {root / FOLDER / f"{name}.svg": drawn(*fact) for name, fact in facts(root).items()}


def outdated(root: Path) -> list[Path]:
    """Files that are missing, differ from the project, or belong to no badge."""
    wanted = badges(root)
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    return stale + sorted(set((root / FOLDER).glob("*")) - wanted.keys())


def write(root: Path) -> None:
    """Bring the folder up to date."""
    (root / FOLDER).mkdir(parents=True, exist_ok=True)
    wanted = badges(root)
    for path in set((root / FOLDER).glob("*.svg")) - wanted.keys():
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Write the badges, or check them."""
    if list(arguments) == ["--check"]:
        stale = outdated(root)
        for path in stale:
            print(f"{path.relative_to(root).as_posix()} is out of date: python tools/badges.py", file=sys.stderr)
        return int(bool(stale))
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    write(root)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
