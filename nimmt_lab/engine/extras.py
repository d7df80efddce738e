"""What a plain installation lacks, said in one line.

The core needs nothing but Python; the rest is installed on wish. Whoever imports something of the rest does it inside
`wanted`, so that somebody without it reads what to install instead of a traceback.

>>> with wanted("lab"):
...     import no_such_package
Traceback (most recent call last):
nimmt_lab.engine.errors.MissingPackage: this needs no_such_package: pip install 'nimmt_lab[lab]'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import MissingPackage

__all__ = ["wanted"]


@contextmanager
def wanted(extra: str) -> Iterator[None]:
    """Import, inside, what the extra of that name brings."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", "nimmt_lab") or isinstance(error, MissingPackage):
            raise
        raise MissingPackage("engine.package", package=name, extra=extra, name=name) from None
