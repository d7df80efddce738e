"""Helpful errors for optional dependencies.

The core needs nothing but Python. Optional packages are imported inside `wanted`, so that users without them read
what to install instead of a traceback.

>>> with wanted("lab"):
...     import no_such_package
Traceback (most recent call last):
nimmt_lab.engine.errors.MissingPackage: this needs no_such_package; run: pip install 'nimmt_lab[lab]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import MissingPackage

__all__ = ["wanted"]


@contextmanager
def wanted(extra: str) -> Iterator[None]:
    """Guard imports of packages that belong to an extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", "nimmt_lab") or isinstance(error, MissingPackage):
            raise
        raise MissingPackage("engine.package", package=name, extra=extra, name=name) from None
