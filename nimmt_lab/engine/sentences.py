"""The sentences of errors, in every language: the engine's part of the catalogues.

A key is a section and a name. `nimmt_lab/engine/locale/{en,pl,cs}.toml` has a section for each room and `shared` for
what several rooms say. The section of a chapter is called like its folder (`classic.no_edition`), and its sentences are
under `errors` in the chapter's own `locale/`. Sentences that only programmers meet are in `internal.toml` beside them,
in English. Nothing is read before an error is shown.

>>> sentence("engine.seed_range", {"got": -1}, "pl")
'ziarno ma być liczbą całkowitą od 0 do 2**64-1, a jest -1'
>>> print(Phrase("shared.place_row", row=3))
row 3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

__all__ = ["LANGUAGES", "Listed", "Phrase", "Told", "sentence", "sentences"]

LANGUAGES: Final = ("en", "pl", "cs")
#: English without translations, for programmers.
INTERNAL: Final = "internal"
_SHARED: Final = "nimmt_lab.engine"


class Told:
    """What has a key and fields, and therefore a text in every language: an error, or part of one."""

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
    """A part of a sentence that needs translating itself: a place on the table, a reason the system gives."""

    def __init__(self, key: str, /, **fields: object) -> None:
        self.key = key
        self.fields = fields


class Listed(Told):
    """Several parts one after the other: seat A, seat B."""

    def __init__(self, parts: Iterable[Told]) -> None:
        self.key = ""
        self.parts = tuple(parts)
        self.fields = {}

    def translate(self, lang: str) -> str:
        return ", ".join(part.translate(lang) for part in self.parts)

    def __repr__(self) -> str:
        return f"Listed({self.parts!r})"


def sentence(key: str, fields: Mapping[str, object], lang: str = "en") -> str:
    """The sentence of a key with its fields filled in. What has no translation is said in English, and a key that no
    catalogue has is a sentence already."""
    text = _template(key, lang)
    if text is None:
        return key
    return text.format_map(_Fields({name: _said(value, lang) for name, value in fields.items()}))


class _Fields(dict[str, object]):
    """A field that is missing shows its name: an error must not fail while it is being shown."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _said(value: object, lang: str) -> object:
    return value.translate(lang) if isinstance(value, Told) else value


def _template(key: str, lang: str) -> str | None:
    section, dot, name = key.partition(".")
    if not dot or " " in key:
        return None
    shared = _shared(lang).get(section)
    if shared is not None and name in shared:
        return shared[name]
    from .registry import chapters  # the registry has errors of its own to raise

    for package in chapters():
        if package.rpartition(".")[2] == section:
            own = sentences(package, lang).get("errors", {})
            if name in own:
                return own[name]
    return None if lang == INTERNAL else _template(key, INTERNAL if lang == "en" else "en")


def _shared(lang: str) -> Mapping[str, Mapping[str, str]]:
    return sentences(_SHARED, lang)


@cache
def sentences(package: str, lang: str) -> Mapping[str, Mapping[str, str]]:
    """The sections of a room's or chapter's file; empty where it has none."""
    import tomllib
    from importlib.resources import files

    try:
        path = files(package) / "locale" / f"{lang}.toml"
        text = path.read_text(encoding="utf-8")
    except (ModuleNotFoundError, OSError):
        return {}
    return {section: texts for section, texts in tomllib.loads(text).items() if isinstance(texts, dict)}
