"""How the solver's inner loops are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from nimmt_lab.fast.freshness import belongs_to_folder

F = TypeVar("F", bound=Callable[..., object])

Words = NDArray[np.int64]
Floats = NDArray[np.float64]

# Nothing here allocates, so the counting of references to arrays, which costs a good part of the time in code full of
# small array arguments, is switched off (``_nrt``). Recursive calls must pass variables only: a literal makes another
# signature, and numba's cache then loads code that crashes (numba issue 6061).
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}


def jit(function: F) -> F:
    """Compile a function."""
    compiled: F = belongs_to_folder(njit(**_OPTIONS)(function))
    return compiled


def inline(function: F) -> F:
    """Compile a function into its callers."""
    compiled: F = belongs_to_folder(njit(forceinline=True, **_OPTIONS)(function))
    return compiled


def _lowest_bit(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), build


def _bits_set(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


#: Index of the lowest set bit, and how many bits are set: one machine instruction each.
lowest_bit = cast("Callable[[int], int]", intrinsic(_lowest_bit))
bits_set = cast("Callable[[int], int]", intrinsic(_bits_set))
