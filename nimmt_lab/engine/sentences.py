"""The sentences of errors, and the texts of tables in a terminal, in every language.

A key is a section and a name. `nimmt_lab/engine/locale/{en,pl,cs}.toml` has a section for each package, `shared` for
several, and `drawn` for tables. The section of a chapter has the name of its folder (`classic.need_deck`); in its own
`locale/`, sentences are under `errors` and texts of tables under `drawn`. Sentences that only programmers meet are in
`internal.toml` beside them, in English. The files are read when the first text is shown.

>>> sentence("engine.seed_range", {"got": -1}, "pl")
'ziarno musi być liczbą całkowitą od 0 do 2**64-1, podano -1'
>>> print(Phrase("shared.place_row", row=3))
row 3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from .inflect import PLURAL_FORMS, fill, typeset

__all__ = ["LANGUAGES", "Listed", "Phrase", "Told", "counted", "sentence", "sentences"]

LANGUAGES: Final = tuple(PLURAL_FORMS)
#: English without translations, for programmers.
INTERNAL: Final = "internal"
_SHARED: Final = "nimmt_lab.engine"
#: The sections of a chapter that are read here: errors, and texts of tables in a terminal.
OWN: Final = ("errors", "drawn")


class Told:
    """An error, or part of one: a key and fields, with a text in every language."""

    key: str
    fields: Mapping[str, object]

    def translate(self, lang: str) -> str:
        """The text in a language: `en`, `pl` or `cs`."""
        return sentence(self.key, self.fields, lang)

    def __str__(self) -> str:
        return self.translate("en")

    def __repr__(self) -> str:
        fields = "".join(f", {name}={value!r}" for name, value in self.fields.items())
        return f"{type(self).__name__}({self.key!r}{fields})"


class Phrase(Told):
    """A part of a sentence with its own translation: a place on the table, an error of the system."""

    def __init__(self, key: str, /, **fields: object) -> None:
        self.key = key
        self.fields = fields


class Listed(Told):
    """A list of parts: seat A, seat B."""

    def __init__(self, parts: Iterable[Told]) -> None:
        self.key = ""
        self.parts = tuple(parts)
        self.fields = {}

    def translate(self, lang: str) -> str:
        return ", ".join(part.translate(lang) for part in self.parts)

    def __repr__(self) -> str:
        return f"Listed({self.parts!r})"


def sentence(key: str, fields: Mapping[str, object], lang: str = "en") -> str:
    """The sentence of a key in a language, or in English; an unknown key is returned unchanged."""
    template = _template(key, lang)
    if template is None:
        return key
    text, package, lang = template
    translated = {name: value.translate(lang) if isinstance(value, Told) else value for name, value in fields.items()}
    return fill(typeset(text, lang), _Fields(translated), lang, counted(_SHARED, lang) | counted(package, lang))


class _Fields(dict[str, object]):
    """Shows the names of missing fields, because printing an error must not fail."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _template(key: str, lang: str) -> tuple[str, str, str] | None:
    """The text of a key, the package whose catalogue has it, and the language it is in."""
    section, dot, name = key.partition(".")
    if not dot or " " in key:
        return None
    from .registry import chapters  # the registry has errors of its own to raise

    own = [(package, part) for package in chapters() if package.rpartition(".")[2] == section for part in OWN]
    for package, part in [(_SHARED, section), *own]:
        text = sentences(package, lang).get(part, {}).get(name)
        if text is not None:
            return text, package, "en" if lang == INTERNAL else lang
    return None if lang == INTERNAL else _template(key, INTERNAL if lang == "en" else "en")


@cache
def _sections(package: str, lang: str) -> Mapping[str, dict[str, object]]:
    import tomllib
    from importlib.resources import files

    try:
        path = files(package) / "locale" / f"{lang}.toml"
        text = path.read_text(encoding="utf-8")
    except (ModuleNotFoundError, OSError):
        return {}
    return {section: texts for section, texts in tomllib.loads(text).items() if isinstance(texts, dict)}


@cache
def sentences(package: str, lang: str) -> Mapping[str, Mapping[str, str]]:
    """The sections of messages in a package's file; empty if it has none."""
    return {
        section: {key: text for key, text in texts.items() if isinstance(text, str)}
        for section, texts in _sections(package, lang).items()
        if section != "counted"
    }


def counted(package: str, lang: str) -> dict[str, list[str]]:
    """The counted words in a package's file."""
    return {key: forms for key, forms in _sections(package, lang).get("counted", {}).items() if isinstance(forms, list)}
