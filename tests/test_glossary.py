"""Words that no text for people uses, by language, and what is said instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nimmt_lab

PACKAGE = Path(nimmt_lab.__file__).parent
NEVER = {
    "en": {
        r"how likely (does|is A|has)": "what is the probability that",
        r"\blay the table\b": "lay out the rows",
        r"heads less|less A's|less B's|less careful|heads of \w less": "minus",
        r"\bwhich part\b": "what fraction",
        r"its taker": "whoever takes it",
        r"\bat row \{": "beside row",
        r"dividing by one less": "divide by n − 1",
    },
    "pl": {
        r"zabier|zabra[ćłn]|zabior|zabierz": "zbierać, zebrać",
        r"niewidzian": "nieznane",
        r"mieszank": "strategia mieszana",
        r"ułóżcie stół": "rozłóżcie karty jak na rysunku",
        r"bawołu\b": "bawoła",
        r"\d gracza \w (jest \w+e\b|byłoby|pasowałoby|zabrałoby|zebrałoby)": "a card is feminine: karta 62 pasowałaby",
        r"(?<![\w„])(Wsuń|Przepchnij|Zamiana):": "with its exclamation mark",
        r"przez o jeden mniej": "dzielimy przez n−1",
    },
    "cs": {
        r"obraceček": "obracečka",
        r"\bk[aá]men": "destička",
        r"družstv": "tým",
        r"\bz 104\b": "ze 104",
        r"\bsměs\b|\bmích(á|ají|ejte|ání)\b": "smíšená strategie",
        r"vyložte stůl": "rozložte karty podle obrázku",
        r"\btvůj|\btvoje|\btvá\b|\bzkus\b|\bnajdi\b|\bvyber\b|\bvezmi\b|\bpřilož\b|\bhraj\b": "vy throughout",
        r"\bstiskni\b|\bpokračuj\b|\bnech\b|\bukaž\b|\bklikni\b|\b\w{2,}[eíá]š\b(?<!\bnáš)(?<!\bváš)": "vy throughout",
        r"o jednu méně": "dělíme n−1",
    },
}


@pytest.mark.parametrize("lang", NEVER)
def test_catalogues_use_none_of_them(lang: str) -> None:
    paths = [path for path in PACKAGE.rglob("locale/*") if path.stem == lang]
    assert len(paths) >= 3
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {match.group()} → {better}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for never, better in NEVER[lang].items()
        if not line.startswith("#") and (match := re.search(never, line, re.IGNORECASE))
    ]
    assert found == []


def test_studies_use_none_of_them() -> None:
    """The studies speak English. What they say in figures they assert themselves; here it is how they say it."""
    paths = sorted((PACKAGE.parent / "notebooks").glob("*.ipynb"))
    assert len(paths) >= 10
    text = {path.name: path.read_text(encoding="utf-8") for path in paths}
    found = [
        f"{name}: {match.group()} → {better}"
        for name in text
        for never, better in NEVER["en"].items()
        if (match := re.search(never, text[name], re.IGNORECASE))
    ]
    assert found == []


def test_each_pattern_finds_what_it_forbids() -> None:
    forbidden = {
        "en": "How likely does A's 23 take? Lay the table. B's heads less A's. Which part? Its taker. Lies at row {row}. Dividing by one less.",
        "pl": "Kto zabiera? niewidziane mieszanka Ułóżcie stół bawołu 62 gracza A pasowałoby Wsuń: dzieląc przez o jeden mniej",
        "cs": "Obraceček kámen družstvo Z 104 směs Vyložte stůl Zkus Stiskni Vyhráváš děleno o jednu méně",
    }
    for lang, text in forbidden.items():
        assert [never for never in NEVER[lang] if not re.search(never, text, re.IGNORECASE)] == []
