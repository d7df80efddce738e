"""The browser's side of the widgets, put together without a build step.

The modules under `js/` are plain ES modules that import each other by relative path, so each can be read (and loaded)
alone. A notebook cell gets one module per widget: the files it needs in the order of their imports, with the
import lines and the `export` words of all but the last one taken out.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) )", re.MULTILINE)


@cache
def source(name: str) -> str:
    """The text of one module."""
    return (_HERE / "js" / f"{name}.js").read_text(encoding="utf-8")


def order(name: str) -> list[str]:
    """A module and those it needs, each after what it imports.

    >>> order("replay")[-1]
    'replay'
    """
    found: list[str] = []

    def visit(module: str) -> None:
        if module not in found:
            for needed in _IMPORT.findall(source(module)):
                visit(needed)
            found.append(module)

    visit(name)
    return found


@cache
def bundle(name: str) -> str:
    """One self-contained ES module with a default export, as anywidget wants it."""
    parts = [_EXPORT.sub("", _IMPORT.sub("", source(module))) for module in order(name)]
    return "\n".join(parts)


@cache
def styles() -> str:
    """The stylesheet of all widgets."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((_HERE / "css").glob("*.css")))
