"""The compiled core (C over flat buffers), its loader and its Python interface. It contains no game's rules.

`nimmt.h` documents the interface. `core()` returns the core or None. Without it, the engine plays the same rounds and
the solver finds the same values of small positions, more slowly. Search bots, trained bots and reviews use fewer and
simpler playouts and give other numbers.
"""

from .loader import Argument, Claim, Core, Memory, NativeError, Pace, core

__all__ = ["Argument", "Claim", "Core", "Memory", "NativeError", "Pace", "core"]
