"""Limits on counts and seconds."""

from __future__ import annotations

from typing import TypeGuard

from .errors import RulesError
from .files import shown
from .inflect import Figure

__all__ = ["LARGEST_NUMBER", "MOST_COUNTED", "MOST_SECONDS", "check_count", "check_seconds", "is_whole"]

#: The largest number in a position.
LARGEST_NUMBER = 999_999
#: Rounds and deals have 64-bit numbers, each with its own random stream.
MOST_COUNTED = (1 << 63) - 1
#: About 32 years. System clocks handle a few hundred at most.
MOST_SECONDS = 1_000_000_000


def is_whole(value: object, least: int, most: int = LARGEST_NUMBER) -> TypeGuard[int]:
    """Whether this is a whole number in that range; `True` and `False` are not numbers."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def check_count(count: object, name: str, least: int, most: int = MOST_COUNTED) -> int:
    """Return a whole number in that range, or raise an error.

    >>> check_count(10**15, "rounds", 0)
    1000000000000000
    >>> check_count(10**30, "rounds", 0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: rounds can be at most 9,223,372,036,854,775,807, got 1000000000000000000000...
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        if least == 0:
            raise RulesError("shared.must_whole_0", what=name, got=shown(count))
        raise RulesError("shared.must_whole_from", what=name, least=least, got=shown(count))
    if count > most:
        raise RulesError("shared.at_most", name=name, most=Figure(most), got=shown(count))
    return count


def check_seconds(seconds: float | None, name: str = "seconds") -> float | None:
    """Return a time limit in seconds, or raise an error; None means no limit.

    >>> check_seconds(0.5), check_seconds(None)
    (0.5, None)
    >>> check_seconds(float("nan"))
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: seconds must be a number, got nan
    >>> check_seconds(1e300)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: seconds can be at most 1,000,000,000 (32 years), got 1e+300; ...
    """
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds != seconds:
        raise RulesError("shared.must_number", name=name, got=shown(seconds))
    if not seconds > 0:
        raise RulesError("shared.more_than_0", name=name, got=shown(seconds))
    if seconds > MOST_SECONDS:
        raise RulesError("engine.at_most_seconds", name=name, most=Figure(MOST_SECONDS), got=shown(seconds))
    return seconds
