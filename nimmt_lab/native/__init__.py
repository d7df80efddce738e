"""The compiled core: C over flat buffers, one loader, and what Python says to it. No game's rules are here.

`nimmt.h` documents the interface. `core()` gives the core, or None where there is none. Then the engine plays the same
rounds, and the solver finds the same values of small positions, only slower. Bots that search or
have learned, and reviews, use fewer and simpler playouts by the engine, so they give other numbers.
"""

from __future__ import annotations

from .loader import Argument, Claim, Core, Memory, NativeError, Pace, core

__all__ = ["Argument", "Claim", "Core", "Memory", "NativeError", "Pace", "core"]
