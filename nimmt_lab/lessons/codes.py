"""Codes: a seed as a pupil types it. A wrong letter, or two that changed places, is noticed.

A code is no secret. It says which sheet is meant, not who typed it.
"""

from __future__ import annotations

from typing import Final

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown

#: Letters alone, so that no code can be meant as a number, and none that is written like a digit. There are 23, a prime
#: number: so the check finds every wrong letter and every two neighbours that changed places.
SIGNS: Final = "ABCDEFGHJKLMNPQRSTVWXYZ"
#: Codes have at least so many letters, the check among them.
SHORTEST: Final = 4
LARGEST: Final = (1 << 63) - 1


def code_of(seed: int) -> str:
    """The code of a seed.

    >>> code_of(7001), code_of(7002)
    ('PFKS', 'PFLV')
    """
    if not 0 <= seed <= LARGEST:
        raise NotationError("lessons.seed_from", most=LARGEST, got=shown(seed))
    signs: list[int] = []
    while seed or len(signs) < SHORTEST - 1:
        seed, sign = divmod(seed, len(SIGNS))
        signs.insert(0, sign)
    return "".join(SIGNS[sign] for sign in (*signs, _check(signs)))


def seed_of(text: str) -> int:
    """The seed that a code (however written) or a plain number stands for.

    >>> seed_of("pfks"), seed_of(" PF-KS "), seed_of("7001")
    (7001, 7001, 7001)
    >>> seed_of("PFSK")
    Traceback (most recent call last):
    nimmt_lab.engine.errors.NotationError: no sheet has the code 'PFSK': look at its letters again
    """
    bare = "".join(text.split()).upper()
    if bare.isdecimal() and bare.isascii() and len(bare) <= 19 and int(bare) <= LARGEST:
        return int(bare)
    signs = [SIGNS.find(sign) for sign in bare.replace("-", "")]
    if not SHORTEST <= len(signs) <= 16 or -1 in signs or _check(signs[:-1]) != signs[-1]:
        raise NotationError("lessons.no_code", text=shown(text, 30))
    seed = 0
    for sign in signs[:-1]:
        seed = seed * len(SIGNS) + sign
    if seed > LARGEST:
        raise NotationError("lessons.no_code", text=shown(text, 30))
    return seed


def _check(signs: list[int]) -> int:
    """The sign that makes the sum, each sign times its place, a multiple of the number of signs."""
    return sum(place * sign for place, sign in enumerate(reversed(signs), 2)) % len(SIGNS)
