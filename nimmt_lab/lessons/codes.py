"""Codes: seeds for pupils to type. A check letter catches a wrong letter and two swapped neighbours.

A code is not a secret: it identifies a sheet, not a person.
"""

from __future__ import annotations

from typing import Final

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown

#: Letters only, so that no code looks like a number, and none that resembles a digit. Their number, 23, is prime, so
#: the check catches every wrong letter and every swap of neighbours.
SIGNS: Final = "ABCDEFGHJKLMNPQRSTVWXYZ"
#: The fewest letters of a code, including the check.
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
    """The seed of a code (in any spelling) or a plain number.

    >>> seed_of("pfks"), seed_of(" PF-KS "), seed_of("7001")
    (7001, 7001, 7001)
    >>> seed_of("PFSK")
    Traceback (most recent call last):
    nimmt_lab.engine.errors.NotationError: no worksheet has the code 'PFSK'; check the letters
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
    """The check letter: the sum of the letters, weighted by place, modulo the number of letters."""
    return sum(place * sign for place, sign in enumerate(reversed(signs), 2)) % len(SIGNS)
