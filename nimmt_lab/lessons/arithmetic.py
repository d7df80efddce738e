"""Exact arithmetic as people write it: in answers and in the formulas of lesson files. No Python runs.

>>> evaluate("9*21/435"), evaluate("C(6,2)/C(30,2)")
(Fraction(63, 145), Fraction(1, 29))
>>> evaluate("(high − low − 1) / 104", {"low": 3, "high": 30})
Fraction(1, 4)
>>> evaluate("1 - (24/30)²"), evaluate("0,3", comma=True), evaluate("30 %")
(Fraction(9, 25), Fraction(3, 10), Fraction(3, 10))
>>> evaluate("√(9/16)"), float(evaluate("sqrt(2)"))
(Fraction(3, 4), 1.414213562373)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown

__all__ = ["LONGEST", "evaluate", "names_in", "square_root"]

#: Letters of a formula, brackets inside brackets, and bits of a number on the way to the result.
LONGEST: Final = 200
DEEPEST: Final = 30
MOST_BITS: Final = 2000
#: The largest n of n! and of C(n, k).
LARGEST_N: Final = 300

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-−–+*×·⋅/:÷^²³%!√(),;]))"
)
#: A decimal comma: in `C(6,2)` the comma separates, so it must not stand inside a call.
_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_CALL = re.compile(r"(\b[A-Za-z]\w*\s*\([^()]*\))")
_SIGNS: Final = {"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", ":": "/", "÷": "/", ";": ","}


def evaluate(text: str, values: Mapping[str, int | Fraction] | None = None, *, comma: bool = False) -> Fraction:
    """The exact value of a formula. With `comma`, a comma between digits is a decimal comma."""
    if len(text) > LONGEST:
        raise NotationError("lessons.formula_long", most=LONGEST)
    return _Reader(_with_points(text) if comma else text, values or {}).whole()


def names_in(text: str) -> frozenset[str]:
    """The values that a formula needs."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", text)) - _FUNCTIONS.keys()


def _with_points(text: str) -> str:
    """Decimal points for decimal commas, outside calls."""
    parts = _CALL.split(text)  # every other part is a call
    return "".join(part if at % 2 else _COMMA.sub(".", part) for at, part in enumerate(parts))


class _Reader:
    """A recursive descent over the tokens."""

    def __init__(self, text: str, values: Mapping[str, int | Fraction]) -> None:
        self.text, self.values = text, values
        self.tokens: list[tuple[str, str]] = []
        at = 0
        bare = text.rstrip()
        while at < len(bare):
            match = _TOKEN.match(bare, at)
            if match is None or match.lastgroup is None:
                raise self._odd(bare[at:].strip())
            self.tokens.append((match.lastgroup, _SIGNS.get(found := match[match.lastgroup], found)))
            at = match.end()
        self.at = self.depth = 0

    def whole(self) -> Fraction:
        value = self._sum()
        if self.at < len(self.tokens):
            raise self._odd(self.tokens[self.at][1])
        return value

    def _odd(self, found: str) -> NotationError:
        return NotationError("lessons.formula_odd", text=shown(self.text), found=shown(found or "…", 20))

    def _next(self, *signs: str) -> str:
        """Take the next token if it is one of these signs."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._next("+", "-"):
            other = self._product()
            value = self._kept(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while sign := self._next("*", "/"):
            other = self._signed()
            if sign == "/" and not other:
                raise NotationError("lessons.divided_0", text=shown(self.text))
            value = self._kept(value * other if sign == "*" else value / other)
        return value

    def _signed(self) -> Fraction:
        negative = False
        while sign := self._next("+", "-"):
            negative ^= sign == "-"
        value = self._power()
        return -value if negative else value

    def _power(self) -> Fraction:
        value = self._atom()
        while sign := self._next("^", "²", "³", "%", "!"):
            if sign == "%":
                value /= 100
            elif sign == "!":
                value = Fraction(math.factorial(self._small(value)))
            else:
                power = {"²": 2, "³": 3}.get(sign) or self._small(self._signed())
                size = max(abs(value.numerator).bit_length(), value.denominator.bit_length())
                if size * power > MOST_BITS:
                    raise self._large()
                value = value**power
            value = self._kept(value)
        return value

    def _atom(self) -> Fraction:
        if self.at == len(self.tokens):
            raise self._odd("")
        kind, token = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return Fraction(token)
        if kind == "name":
            return self._named(token)
        if token == "√":
            return self._under_root()
        if token != "(":
            raise self._odd(token)
        found = self._inside()
        if len(found) > 1:
            raise self._odd(",")
        return found[0]

    def _under_root(self) -> Fraction:
        """The root of what comes next, after the sign: √2, √(1/4)."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._large()
        value = self._atom()
        self.depth -= 1
        if value < 0:
            raise self._odd("√")
        return self._kept(square_root(value))

    def _inside(self) -> list[Fraction]:
        """The values inside brackets, after the opening one."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._large()
        found = [self._sum()]
        while self._next(","):
            found.append(self._sum())
        if not self._next(")"):
            raise self._odd(self.tokens[self.at][1] if self.at < len(self.tokens) else "")
        self.depth -= 1
        return found

    def _named(self, name: str) -> Fraction:
        if name in self.values:
            return Fraction(self.values[name])
        function = _FUNCTIONS.get(name)
        if function is None or not self._next("("):
            known = ", ".join((*self.values, *(f"{one}()" for one in _FUNCTIONS)))
            raise NotationError("lessons.formula_name", name=shown(name), known=known)
        given = self._inside()
        try:
            return self._kept(Fraction(function(*given)))
        except (TypeError, ValueError, OverflowError):
            raise self._odd(name) from None

    def _small(self, value: Fraction) -> int:
        if value.denominator != 1 or not 0 <= value <= LARGEST_N:
            raise self._large()
        return value.numerator

    def _kept(self, value: Fraction) -> Fraction:
        if max(abs(value.numerator).bit_length(), value.denominator.bit_length()) > MOST_BITS:
            raise self._large()
        return value

    def _large(self) -> NotationError:
        return NotationError("lessons.formula_large", text=shown(self.text))


def square_root(value: Fraction) -> Fraction:
    """The square root: exact if it is a fraction, otherwise to twelve places.

    >>> square_root(Fraction(4, 9))
    Fraction(2, 3)
    """
    if value < 0:
        raise ValueError
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if (top * top, bottom * bottom) == (value.numerator, value.denominator):
        return Fraction(top, bottom)
    return Fraction(math.isqrt(value.numerator * 10**24 // value.denominator), 10**12)


def _choose(n: Fraction, k: Fraction) -> int:
    if n.denominator != 1 or k.denominator != 1 or not 0 <= n <= LARGEST_N or k < 0:
        raise ValueError
    return math.comb(n.numerator, k.numerator)


_FUNCTIONS: Final[Mapping[str, Callable[..., int | Fraction]]] = {
    "C": _choose,
    "min": lambda *of: min(of),
    "max": lambda *of: max(of),
    "abs": abs,
    "sqrt": square_root,
    "floor": lambda value: math.floor(value),
    "ceil": lambda value: math.ceil(value),
}
