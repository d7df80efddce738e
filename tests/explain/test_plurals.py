"""Every plural form in every catalogue, compared with `plurals.toml`, which a reader of the language has checked.

`python -m tests.explain.test_plurals` writes that file from the catalogues. Read what it changes: the test can't know grammar.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from nimmt_lab.engine.inflect import NBSP, PLURAL_FORMS, fill
from nimmt_lab.engine.sentences import counted
from nimmt_lab.explain.catalogue import LANGUAGES
from tests.explain.test_inflect import NUMBERS, PACKAGES, shown, texts

CHECKED = Path(__file__).with_name("plurals.toml")


def counted_in(lang: str) -> dict[str, str]:
    """Each counted word of each package, after all the numbers."""
    return {
        f"{package.removeprefix('nimmt_lab.')}.{key}": ", ".join(
            fill(f"{{n:{key}}}", {"n": shown(n, lang)}, lang, counted(package, lang)).replace(NBSP, " ")
            for n in NUMBERS
        )
        for package in PACKAGES
        for key in counted(package, lang)
    }


def groups_in(lang: str) -> Iterator[tuple[str, list[str]]]:
    """The forms that are written in a text, such as `{count:|is|are}`, and where."""
    for package, key, text in texts(lang):
        for _, name, spec, _ in string.Formatter().parse(text):
            if name is not None and (spec or "").startswith("|"):
                yield f"{package} {key}", str(spec).replace(NBSP, " ")[1:].split("|")


def inflected(forms: Sequence[str], changing: set[str]) -> list[str]:
    """The words that are inflected, with their forms; the whole texts if these don't match word for word.

    A word that is the same in all forms counts too if it is one of those that change, because then a form is wrong.

    >>> inflected(["jest # karta", "są # karty", "jest # kart", "jest # karty"], set())
    ['jest są jest jest', 'karta karty kart karty']
    >>> inflected(["# card was", "# card were"], {"card"})
    ['card card', 'was were']
    """
    words = [form.replace("#", "").split() for form in forms]
    if len({len(row) for row in words}) > 1:
        return [" | ".join(forms)]
    return [" ".join(column) for column in zip(*words, strict=True) if len(set(column)) > 1 or column[0] in changing]


def nouns_of(lang: str) -> set[str]:
    """The words of the counted words."""
    return {
        word for package in PACKAGES for forms in counted(package, lang).values() for word in " ".join(forms).split()
    }


def checked(lang: str) -> tuple[dict[str, str], set[str]]:
    data = tomllib.loads(CHECKED.read_text(encoding="utf-8"))[lang]
    return data["counted"], set(data["inflected"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_counted_words_have_the_forms_that_were_checked(lang: str) -> None:
    assert counted_in(lang) == checked(lang)[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_forms_in_texts_were_checked(lang: str) -> None:
    """A wrong or missing form makes a word that nobody has checked."""
    known = checked(lang)[1]
    changing = nouns_of(lang) | {word for forms in known if "|" not in forms for word in forms.split()}
    unknown = [
        f"{place}: {word}"
        for place, forms in groups_in(lang)
        for word in inflected(forms, changing)
        if word not in known
    ]
    assert unknown == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_form_with_a_number_exists_for_every_number(lang: str) -> None:
    """Decimals included; in texts without a number, the last form may serve for several."""
    short = [
        place
        for place, forms in groups_in(lang)
        if any("#" in form for form in forms) and len(forms) != len(PLURAL_FORMS[lang])
    ]
    assert short == []


if __name__ == "__main__":
    lines = [
        "# Plural forms that a reader of each language has checked. Written by: python -m tests.explain.test_plurals"
    ]
    for lang in LANGUAGES:
        changing = nouns_of(lang) | {
            word for _, forms in groups_in(lang) for word in " ".join(inflected(forms, set())).split()
        }
        words = {word for _, forms in groups_in(lang) for word in inflected(forms, changing)}
        lines += ["", f"[{lang}.counted]", *(f'"{key}" = "{forms}"' for key, forms in counted_in(lang).items())]
        lines += ["", f"[{lang}]", "inflected = [", *(f'    "{word}",' for word in sorted(words)), "]"]
    CHECKED.write_text("\n".join(lines) + "\n", encoding="utf-8")
