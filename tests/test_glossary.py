"""The glossary of each language (glossary/): what we call things is what the texts say, and what is never said is not."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab.explain.catalogue import LANGUAGES

PACKAGE = Path(nimmt_lab.__file__).parent
ROOT = PACKAGE.parent
GLOSSARY = {
    lang: tomllib.loads((ROOT / "glossary" / f"{lang}.toml").read_text(encoding="utf-8"))["word"] for lang in LANGUAGES
}
NEVER = {
    lang: {never: word.get("instead", word["say"]) for word in entries for never in word.get("never", ())}
    for lang, entries in GLOSSARY.items()
}


#: A key, quoted or not. Keys of the studies' `words` are English, and their places are code.
KEY = re.compile(r"""^(?:[\w.-]+|"(?:[^"\\]|\\.)*") = (?=["'{])""")


def texts(lang: str) -> dict[str, list[str]]:
    """The lines of every catalogue of a language, the studies' translations among them; comments and keys are not read."""
    paths = [
        path
        for path in (*PACKAGE.rglob("locale/*.toml"), *ROOT.glob("notebooks/locale/*.toml"))
        if path.stem in (lang, "internal" if lang == "en" else lang)
    ]
    return {
        path.relative_to(ROOT).as_posix(): [
            "" if line.startswith("#") else re.sub(r"\{\w+\.[^{}]*\}", "{}", KEY.sub("", line))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        for path in paths
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_catalogues_use_none_of_them(lang: str) -> None:
    found = [
        f"{name}:{number}: {match.group()} → {better}"
        for name, lines in texts(lang).items()
        for number, line in enumerate(lines, 1)
        for never, better in NEVER[lang].items()
        if (match := re.search(never, line, re.IGNORECASE))
    ]
    assert found == []
    assert len(texts(lang)) >= 10


def test_studies_use_none_of_them() -> None:
    """The notebooks themselves speak English. What they say in figures they assert; here it is how they say it."""
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert len(paths) >= 10
    found = [
        f"{path.name}: {match.group()} → {better}"
        for path in paths
        for never, better in NEVER["en"].items()
        if (match := re.search(never, path.read_text(encoding="utf-8"), re.IGNORECASE))
    ]
    assert found == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_pattern_finds_what_it_forbids(lang: str) -> None:
    for word in GLOSSARY[lang]:
        assert set(word) <= {"en", "say", "about", "never", "instead", "wrong"} and word["say"]
        assert ("never" in word) == ("wrong" in word), word["say"]
        for never in word.get("never", ()):
            assert re.search(never, word["wrong"], re.IGNORECASE), (word["say"], never)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_glossary_says_is_said(lang: str) -> None:
    """Each word stands in some text, whatever its ending; and it is none that another entry forbids."""
    everything = "\n".join(line for lines in texts(lang).values() for line in lines).casefold()
    for word in GLOSSARY[lang]:
        parts = [
            re.escape(part[: max(2, len(part) - 2)] if len(part) > 3 else part)
            for part in word["say"].casefold().split()
        ]
        assert re.search(r"\w*\W+".join(parts), everything), word["say"]
        assert not any(re.search(never, word["say"], re.IGNORECASE) for never in NEVER[lang]), word["say"]


def test_every_language_has_the_words_of_the_game() -> None:
    wanted = {
        "bull head",
        "row",
        "round",
        "turn",
        "tile",
        "field",
        "buffalo",
        "mixed strategy",
        "seed",
        "roster",
        "worksheet",
    }
    for lang in ("pl", "cs"):
        assert wanted <= {word["en"] for word in GLOSSARY[lang]}
