"""The browser's side of the screens, put together without a build step.

The modules under `js/` are plain ES modules that import each other by relative path, so each can be read (and loaded)
alone. A notebook cell gets one module per widget: the files it needs in the order of their imports, each in a
scope of its own, so that no two can get in each other's way.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import (?:(\w+)|\{([^}]*)\}) from "(\.[\w./]*?)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)


@cache
def source(name: str) -> str:
    """The text of one module."""
    return (_HERE / "js" / f"{name}.js").read_text(encoding="utf-8")


def _from(name: str, path: str) -> str:
    """The module that `name` means by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def order(name: str) -> list[str]:
    """A module and those it needs, each after what it imports.

    >>> order("replay")[-1]
    'replay'
    """
    found: list[str] = []

    def visit(module: str) -> None:
        if module not in found:
            for match in _IMPORT.finditer(source(module)):
                visit(_from(module, match[3]))
            found.append(module)

    visit(name)
    return found


def _scope(name: str) -> str:
    return "m_" + name.replace("/", "_")


def _wrapped(name: str) -> str:
    """A module as a function's result: its imports are looked up, its exports returned."""

    def imported(match: re.Match[str]) -> str:
        scope = _scope(_from(name, match[3]))
        if match[1]:
            return f"const {match[1]} = {scope}.default;\n"
        return f"const {{{match[2].replace(' as ', ': ')}}} = {scope};\n"

    text = _IMPORT.sub(imported, source(name))
    names = [match[1] for match in _EXPORT.finditer(text)]
    text, defaults = _DEFAULT.subn("const theDefault = ", _EXPORT.sub("", text))
    given = [*names, *(["default: theDefault"] if defaults else [])]
    return f"const {_scope(name)} = (() => {{\n{text}\nreturn {{ {', '.join(given)} }};\n}})();\n"


@cache
def bundle(name: str) -> str:
    """One self-contained ES module with a default export, as anywidget wants it.

    >>> bundle("table").count("export default")
    1
    """
    return "".join(_wrapped(module) for module in order(name)) + f"export default {_scope(name)}.default;\n"


@cache
def styles() -> str:
    """The stylesheet of all screens."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((_HERE / "css").glob("*.css")))
