"""Compiled code that is kept on disk must not outlive its source.

Numba keeps what it compiled and compares one file: the one the function stands in. A function compiled from several
modules would therefore go on running old code after an edit (or an update) of a module it calls. Here the compiled code
belongs to *all* modules of its folder: when one of them changes, everything in the folder is compiled again.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def folder_stamp(folder: str) -> str:
    """A short name for the present text of all modules in a folder."""
    text = hashlib.sha256()
    for module in sorted(Path(folder).glob("*.py")):
        source = module.read_bytes()
        text.update(f"{module.name} {len(source)} ".encode())
        text.update(source)
    return text.hexdigest()[:16]


def belongs_to_folder(dispatcher: Any) -> Any:
    """Let a function that numba compiles and keeps (``cache=True``) depend on its whole folder; gives it back.

    Numba has no public word for this. Where there is no such cache (compiling switched off, or a numba that arranges it
    otherwise) nothing is done; a test notices the latter.
    """
    kept = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if kept is not None:
        folder = str(Path(dispatcher.py_func.__code__.co_filename).parent)
        kept._source_stamp = (kept._source_stamp, folder_stamp(folder))
    return dispatcher
