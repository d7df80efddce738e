"""The browser's side of the screens, put together without a build step.

The modules under `js/` are plain ES modules that import each other by relative path, so each can be read (and loaded)
alone. A notebook cell gets one module per widget: the files it needs in the order of their imports, each in a
scope of its own, so that no two can get in each other's way (see `bundler`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .bundler import Module, in_order, joined, parse

_HERE = Path(__file__).parent


@cache
def source(name: str) -> str:
    """The text of one module."""
    return (_HERE / "js" / f"{name}.js").read_text(encoding="utf-8")


@cache
def _module(name: str) -> Module:
    return parse(name, source(name))


def order(name: str) -> list[str]:
    """A module and those it needs, each after what it imports.

    >>> order("replay")[-1]
    'replay'
    """
    return [module.name for module in in_order(name, _module)]


@cache
def bundle(name: str, result: str = "export default") -> str:
    """One self-contained ES module with a default export, as anywidget wants it; or, for a script inside a page, what
    `result` says instead (`const widget =`).

    >>> bundle("table").count("export default")
    1
    """
    return joined(in_order(name, _module), result)


@cache
def styles() -> str:
    """The stylesheet of all screens."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((_HERE / "css").glob("*.css")))
