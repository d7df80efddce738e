"""Numbers and lists in texts: plural forms, prepositions before numbers, and non-breaking spaces.

A field in a text is `{name}`, or one of these:

- `{count:cards}`: the number with its counted word, from a `[counted]` section: 1 card, 5 cards.
- `{count:|is|are}`: one of these words, in the order of `PLURAL_FORMS`; the last one serves all later categories, and
  `#` in it is the number. A list uses the first form if it has one item, otherwise the second.
- `{names:and}`: a list with its conjunction: A, B and C.

Anything else after the colon is a Python format. Floats get the decimal mark of the language, and a `Figure` its
thousands and decimals. `typeset` inserts the
non-breaking spaces when a catalogue is read, so the files have ordinary spaces. `for_browser` writes a text so that
`fill` in `screens/js/dom.js` needs no catalogue: each field names its language (`{count:pl|# karta|# karty|# kart}`).

>>> fill("{n:cards} {n:|is|are} left", {"n": 1}, "en", {"cards": ["card", "cards"]})
'1 card is left'
>>> fill("{who:|Winner|Winners}: {who:and}", {"who": ["A", "B"]}, "en")
'Winners: A and B'
>>> fill("strana {at} z {all}", {"at": 3, "all": 40}, "cs")
'strana 3 ze 40'
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = [
    "CONJUNCTIONS",
    "PLURAL_FORMS",
    "Figure",
    "Forms",
    "Listing",
    "fill",
    "for_browser",
    "number",
    "plural_form",
    "signed",
    "typeset",
]

#: The plural categories of each language (Unicode CLDR). Decimals take the last one in Polish, the third in Czech.
PLURAL_FORMS: Final = {
    "en": ("one", "other"),
    "pl": ("one", "few", "many", "other"),
    "cs": ("one", "few", "many", "other"),
}
CONJUNCTIONS: Final = {"en": "and", "pl": "i", "cs": "a"}
NBSP: Final = "\N{NO-BREAK SPACE}"
#: Between a number and its word.
_SPACE: Final = {"en": " ", "pl": NBSP, "cs": NBSP}
#: Counted words by key: their forms in the order of `PLURAL_FORMS`, without the number.
Forms = Mapping[str, Sequence[str]]


class Listing(str):
    """Items joined by commas that a text can still count."""

    items: tuple[str, ...]

    def __new__(cls, items: Iterable[object]) -> Listing:
        texts = tuple(map(str, items))
        made = super().__new__(cls, ", ".join(texts))
        made.items = texts
        return made

    def joined(self, conjunction: str) -> str:
        """The items with a conjunction before the last one."""
        return f" {conjunction} ".join(filter(None, (", ".join(self.items[:-1]), *self.items[-1:])))


def signed(points: int) -> str:
    """Points with their sign.

    >>> signed(-7), signed(3), signed(0)
    ('−7', '+3', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


@dataclass(frozen=True)
class Figure:
    """A number that each language writes in its own way: 8,000 or 8\N{NO-BREAK SPACE}000, 0.25 or 0,25.

    >>> print(Figure(8000), Figure(0.25, ".1%"))
    8,000 25.0%
    >>> fill("najwyżej {most:letters}", {"most": Figure(8000)}, "pl", {"letters": ["znak", "znaki", "znaków", "znaku"]})
    'najwyżej 8\xa0000\xa0znaków'
    """

    value: float
    form: str = ","

    def written(self, lang: str) -> str:
        return number(self.value, self.form, lang)

    def __str__(self) -> str:
        return self.written("en")


def number(value: float, form: str, lang: str) -> str:
    """A number as the language writes it: in Polish and Czech with a decimal comma, spaces between thousands and a
    space before the percent sign.

    >>> number(1234.5, ",.2f", "en"), number(1234.5, ",.2f", "pl"), number(0.25, ".1%", "cs")
    ('1,234.50', '1\xa0234,50', '25,0\xa0%')
    """
    text = format(value, form)
    if lang == "en":
        return text
    text = re.sub(r"(?<=\d)\.(?=\d)", "\0", text).replace(",", NBSP).replace("\0", ",")
    return text.replace("%", f"{NBSP}%")


def plural_form(lang: str, value: object) -> str:
    """The plural category of a number. A text is read as the number it shows: `1.0` is a decimal.

    >>> [plural_form("pl", n) for n in (1, 2, 5, 12, 22, 25, 1.5)]
    ['one', 'few', 'many', 'many', 'few', 'many', 'other']
    >>> [plural_form("cs", n) for n in (1, 2, 5, 22, "1,5")]
    ['one', 'few', 'other', 'other', 'many']
    """
    whole = _whole(value, lang)
    if whole is None:
        return "many" if lang == "cs" else "other"
    if whole == 1:
        return "one"
    if lang == "pl":
        return "few" if whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14) else "many"
    return "few" if lang == "cs" and whole in (2, 3, 4) else "other"


def _whole(value: object, lang: str) -> int | None:
    """The absolute value of a whole number; None for a decimal or a fraction."""
    if isinstance(value, Figure):
        value = value.written(lang)
    if isinstance(value, int):
        return abs(value)
    digits = str(value).strip().lstrip("+-−±~≈").replace(NBSP, "").replace(" ", "")
    if lang == "en":
        digits = digits.replace(",", "")
    return int(digits) if digits.isdecimal() else None


def _choice(value: object, forms: Sequence[str], lang: str) -> str:
    """The form for a number or a list."""
    if isinstance(value, Listing):
        at = min(len(value.items), 2) - 1
    elif isinstance(value, (list, tuple)):
        at = min(len(value), 2) - 1
    elif isinstance(value, str) and not re.search(r"\d", value):
        at = 0
    else:
        at = PLURAL_FORMS[lang].index(plural_form(lang, value))
    return forms[min(max(at, 0), len(forms) - 1)].replace("#", _shown(value, "", lang))


def _shown(value: object, form: str, lang: str) -> str:
    if isinstance(value, Figure):
        return value.written(lang)
    if isinstance(value, float):
        return number(value, form, lang)
    if isinstance(value, (list, tuple)):
        return Listing(value)
    return format(value, form)


def _inserted(value: object, spec: str, lang: str, counted: Forms) -> str:
    """Format a value for its field."""
    if re.match(r"[a-z]{2}[|<&]", spec):
        lang, spec = spec[:2], spec[2:]
    if spec.startswith("|"):
        return _choice(value, spec[1:].split("|"), lang)
    if spec.startswith("<"):
        return _vocalised(f"{spec[1:]}{NBSP}{_shown(value, '', lang)}", lang)
    if spec == "and" or spec.startswith("&"):
        items = value if isinstance(value, (list, tuple)) else [value]
        listing = value if isinstance(value, Listing) else Listing(items)
        return listing.joined(spec[1:] if spec != "and" else CONJUNCTIONS[lang])
    if re.fullmatch(r"[a-z_]{2,}", spec):
        word = counted[spec][PLURAL_FORMS[lang].index(plural_form(lang, value))]
        return f"{_shown(value, '', lang)}{_SPACE[lang]}{word}"
    return _shown(value, spec, lang)


@cache
def _places(text: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    return tuple(string.Formatter().parse(text))


def fill(text: str, values: Mapping[str, object], lang: str, counted: Forms | None = None) -> str:
    """Fill the fields of a text. Missing values (unless `values` defines `__missing__`) and words are KeyErrors."""
    made = []
    for literal, name, spec, conversion in _places(text):
        made.append(literal)
        if name is not None:
            value = repr(values[name]) if conversion == "r" else values[name]
            made.append(_inserted(value, spec or "", lang, counted or {}))
    return _vocalised("".join(made), lang)


#: One-letter words that must not end a line. A capital A or I may be a player.
_SHORT: Final = {
    "pl": re.compile(r"(?<![\w{'’-])([aiouwzOUWZ])[ \n](?=\S)"),
    "cs": re.compile(r"(?<![\w{'’-])([aikosuvzKOSUVZ])[ \n](?=\S)"),
}
_UNITS: Final = re.compile(r"(?<=[\d}]) (?=(?:s|ms|min|h|B|kB|MB|GB)\b)")
_PERCENT: Final = re.compile(r"(?<=[\d}]) ?%(?![}%(])")
#: Thousands in a sentence: from 98 312 deals. Cards of a position, such as 45 104, have no words around them.
_THOUSANDS: Final = re.compile(r"(?<=[^\W\d_][ \n])\d{1,3}(?: \d{3})+(?=[ \n][^\W\d_])")


def typeset(text: str, lang: str) -> str:
    """A Polish or Czech text with non-breaking spaces after one-letter words, before units and percent signs, and
    between thousands.

    A one-letter word at the end of a line is joined to the next line, so paragraphs may be wrapped.

    >>> typeset("Rzut w 40 % z {n} kart", "pl")
    'Rzut w\xa040\xa0% z\xa0{n} kart'
    """
    short = _SHORT.get(lang)
    if short is None:
        return text
    text = _THOUSANDS.sub(lambda match: match[0].replace(" ", NBSP), text)
    # Twice, because the space after one short word may come before another: "i w".
    text = short.sub(rf"\1{NBSP}", short.sub(rf"\1{NBSP}", text))
    return _vocalised(_PERCENT.sub(f"{NBSP}%", _UNITS.sub(NBSP, text)), lang)


#: A preposition before a number, but not the unit of seconds.
_BEFORE_NUMBER: Final = {
    "pl": re.compile(rf"(?<![\w'’-])([zZ])[ {NBSP}](?=(\d[\d{NBSP}]*))"),
    "cs": re.compile(rf"(?<![\w'’-])([zkvZKVS]|(?<!\d[ {NBSP}])s)[ {NBSP}](?=(\d[\d{NBSP}]*))"),
}


def _vocalised(text: str, lang: str) -> str:
    """Prepositions as spoken before numbers: ze 40, ke 3."""
    pattern = _BEFORE_NUMBER.get(lang)
    if pattern is None:
        return text
    return pattern.sub(
        lambda match: (
            f"{match[1]}e " if _needs_vowel(match[1].lower(), _first_spoken(match[2]), lang) else f"{match[1]}{NBSP}"
        ),
        text,
    )


def _first_spoken(digits: str) -> int:
    """The part of a number that is spoken first: 40 of 45, 100 of 104, 2 of 2 000; 1000 means "thousand"."""
    value = int(digits.replace(NBSP, ""))
    while value >= 1000:
        value = value // 1000 if value >= 2000 else 1000
        if value == 1000:
            return value
    if value >= 100:
        return value - value % 100
    return value - value % 10 if value >= 20 else value


def _needs_vowel(preposition: str, first: int, lang: str) -> bool:
    if lang == "pl":
        return first == 100
    if first in (2, 3, 4, 12, 13, 14, 20, 30, 40, 100, 200, 300, 400):
        return True
    return preposition in "zs" and first in (6, 7, 16, 17, 60, 70, 600, 700)


def for_browser(text: str, lang: str, counted: Forms) -> str:
    """A text that the browser can fill without a catalogue: forms are written out, and each field names its language.

    >>> for_browser("tah {at} z\xa0{all}", "cs", {})
    'tah {at} {all:cs<z}'
    """

    def place(match: re.Match[str]) -> str:
        preposition, name, spec = match[1], match[2], match[3]
        if spec is None:
            return f"{{{name}:{lang}<{preposition.rstrip(NBSP + ' ')}}}" if preposition else match[0]
        if spec == "and":
            spec = f"&{CONJUNCTIONS[lang]}"
        elif not spec.startswith("|"):
            spec = "".join(f"|#{_SPACE[lang]}{form}" for form in counted[spec])
        return f"{preposition}{{{name}:{lang}{spec}}}"

    before = {"pl": "zZ", "cs": "zskvZSKV"}.get(lang)
    preposition = rf"(?<![\w'’-])[{before}][ {NBSP}]" if before else "(?!)"
    return re.sub(rf"({preposition}|)\{{(\w+)(?::([^{{}}]+))?\}}", place, text)
