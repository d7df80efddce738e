"""The compiled core together with C files that only a tool needs."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from nimmt_lab.native import Core, build
from nimmt_lab.native.loader import open_core


@cache
def core_with(source: Path) -> Core:
    """The core and one more C file in their own library, compiled if needed.

    Under the sanitizers (`check_native.py`), this library is sanitized, too.
    """
    flags = os.environ.get("NIMMT_EXTENDED_FLAGS", "").split() or build.FLAGS
    library = build.BUILDS / f"{build.fingerprint()}-tools" / f"{source.stem}-{build.text_print([source], flags)}.so"
    if not library.exists():
        build.compile_to(library, build.compilers()[0], flags, more=[source])
    return open_core(library)
