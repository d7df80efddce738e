"""The compiled core: C over flat buffers, one loader, and what Python says to it. No game's rules are here.

`nimmt.h` documents the interface. `core()` gives the core, or None where there is none: then the engine does the same
work with the same numbers, only slower.
"""

from __future__ import annotations

from .loader import Argument, Claim, Core, Memory, NativeError, Pace, core

__all__ = ["Argument", "Claim", "Core", "Memory", "NativeError", "Pace", "core"]
