"""Numbers in texts: every message that counts something, in every package, language and plural form."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab.engine.files import parse_toml
from nimmt_lab.engine.inflect import CONJUNCTIONS, NBSP, PLURAL_FORMS, Listing, fill, for_browser, number, typeset
from nimmt_lab.engine.sentences import OWN, counted, sentences
from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue
from nimmt_lab.lessons import shipped
from nimmt_lab.lessons.lessontexts import messages as lesson_messages

PACKAGE = Path(nimmt_lab.__file__).parent
#: Every package with its own catalogue.
PACKAGES = sorted(
    "nimmt_lab." + ".".join(path.parent.parent.relative_to(PACKAGE).parts) for path in PACKAGE.rglob("locale/en.toml")
)
NUMBERS: tuple[float, ...] = (0, 1, 2, 5, 12, 22, 1.5)
#: The place of each of these numbers among the forms of a word, from the grammar and not from the code.
FORM = {
    "en": (1, 0, 1, 1, 1, 1, 1),
    "pl": (2, 0, 1, 2, 2, 1, 3),
    "cs": (3, 0, 1, 3, 3, 3, 2),
}


def texts(lang: str) -> Iterator[tuple[str, str, str]]:
    """Every message of every package: its package, its key and its text."""
    for package in PACKAGES:
        for key, text in own_catalogue(package, lang).messages.items():
            yield package, key, text
        for section in sentences(package, lang).items():
            if section[0] in OWN:
                yield from ((package, key, text) for key, text in section[1].items())
        if lang == "en":
            for name, section_texts in sentences(package, "internal").items():
                yield from ((package, f"{name}.{key}", text) for key, text in section_texts.items())
    for name in shipped.names():  # a lesson's texts are in its own file
        own = lesson_messages(parse_toml(shipped.source_of(name)))[lang]
        yield from (("nimmt_lab.lessons", f"{name}: {key}", text) for key, text in own.items())


def words_of(package: str, lang: str) -> dict[str, list[str]]:
    return counted("nimmt_lab.engine", lang) | counted("nimmt_lab.explain", lang) | counted(package, lang)


def shown(value: float, lang: str) -> str:
    return str(value) if lang == "en" else str(value).replace(".", ",")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_counted_place_takes_the_right_form(lang: str) -> None:
    messages = 0
    for package, key, text in texts(lang):
        places = [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
        words = words_of(package, lang)
        for name, spec in places:
            if not re.fullmatch(r"[a-z_]{2,}", spec) or spec == "and":
                continue
            messages += 1
            assert spec in words, f"{lang} {package} {key}: no counted word {spec}"
            assert len(words[spec]) == len(PLURAL_FORMS[lang])
            for value, form in zip(NUMBERS, FORM[lang], strict=True):
                parts = {other: value if other == name else "x" for other, _ in places}
                # In a format such as {game:10} any text will do.
                said = fill(text, parts, lang, words)
                space = " " if lang == "en" else NBSP
                assert f"{shown(value, lang)}{space}{words[spec][form]}" in said, f"{lang} {package} {key}"
    assert messages >= {"en": 120, "pl": 40, "cs": 40}[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_forms_written_in_a_text_fit_its_language(lang: str) -> None:
    for package, key, text in texts(lang):
        for _, name, spec, _ in string.Formatter().parse(text):
            if name is not None and (spec or "").startswith("|"):
                forms = str(spec)[1:].split("|")
                assert 2 <= len(forms) <= len(PLURAL_FORMS[lang]), f"{lang} {package} {key}"


#: Words that may follow a number that doesn't count them.
AFTER = {
    "en": "of or to and in for from as at were is are each more ahead behind lost every right per with here now on not "
    "handed now takes away between lie must has needs once already first filled up",
    "pl": "z ze i lub albo a w do od na dla przy po za oraz nie ma może jest są więcej dobrze średniej losujemy zaczęła "
    "zbiera razy podaj to",
    "cs": "z ze a nebo až do v u k pro s se za po není má může je jsou více správně hned bere leží nepatří zadejte",
}  # fmt: skip
#: Places that count things wherever they occur.
COUNTS = (
    "actions|all|below|between|cards|cards_each|columns|count|deals|draws|fields|files|games|got|hand|hand_size|hands|heads|"
    "least|levels|limit|lines|margin|markers|more|most|most_bytes|most_files|most_seen|need|opponents|options|owed|pairs|players|"
    "points|positions|pupils|questions|rest|rounds|rows|runs|seconds|sheets|size|states|streak|talk|tiles|"
    "times|total|trials|triples|turns|unseen|wanted|wanted_rows|ways|wins"
)
UNITS = {"s", "ms", "min", "MB", "kB"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_number_is_put_before_a_word_that_has_plural_forms(lang: str) -> None:
    allowed = {*AFTER[lang].split(), *UNITS}
    bare = [
        f"{package} {key}: {match[0]}"
        for package, key, text in texts(lang)
        for match in re.finditer(rf"\{{(?:{COUNTS})\}}[ {NBSP}]([^\W\d_]+)", text)
        if match[1] not in allowed
    ]
    assert bare == []


#: Places that name something and count nothing.
LABELS = {"card", "tile", "what", "who"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_place_is_put_before_a_counted_word(lang: str) -> None:
    """Whatever the name of the place: a new message that counts things must use their plural forms."""
    nouns = {
        form.split()[0].casefold()
        for package in PACKAGES
        for forms in counted(package, lang).values()
        for form in forms
    }
    bare = [
        f"{package} {key}: {match[0]}"
        for package, key, text in texts(lang)
        for match in re.finditer(rf"\{{(\w+)\}}[ {NBSP}]([^\W\d_]+)", text)
        if match[1] not in LABELS and match[2].casefold() in nouns
    ]
    assert bare == [] and len(nouns) > 60


#: "1 card are", "1 of x cards lie", but not "hands of 1 card need" or "two hands and 1 row need".
DISAGREES = re.compile(
    r"(?<!\bof )(?<!\bof the )(?<!\band )(?<!\bto )\b1(?: of (?:the )?x)?(?: (?!would|there)\w+){0,2} "
    r"(?:are|were|have|need|lie|give|do|don't)\b"
)


def test_english_verbs_agree_with_one() -> None:
    assert DISAGREES.search("only 1 card are left") and DISAGREES.search("1 of x unseen cards lie between")
    assert not DISAGREES.search("hands of 1 card need the core") and not DISAGREES.search("1 card is left")
    wrong = []
    for package, key, text in texts("en"):
        names = [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
        for counts, spec in names:
            if re.fullmatch(COUNTS, counts) or re.fullmatch(r"[a-z_]{2,}|\|.*", spec):
                one = {name: 1 if name == counts else "x" for name, _ in names}
                if DISAGREES.search(filled := fill(text, one, "en", words_of(package, "en"))):
                    wrong.append(f"{package} {key}: {filled}")
    assert wrong == []


#: Verbs that agree with the number after them: leży 1 karta, leżą 2 karty. With people, `jest` is right for each number.
VERBS = re.compile(
    rf"(?i)\b(?:leży|leżą|leżał[oay]|zostaje|zostają|został[oay]|jest|są|był[aoy]?) \{{(?:{COUNTS}|t|left|others)\}}"
)
PEOPLE = {"nimmt_lab.live wall.of_listed"}


def test_a_polish_verb_before_a_number_agrees_with_it() -> None:
    bare = [
        f"{package} {key}: {match[0]}"
        for package, key, text in texts("pl")
        for match in VERBS.finditer(text.replace(NBSP, " "))
        if f"{package} {key}" not in PEOPLE and "{got}" not in match[0]
    ]
    assert bare == []


def test_a_number_that_is_already_text_is_inflected() -> None:
    """Fractions have their own plural form."""
    words = counted("nimmt_lab.engine", "pl")
    assert [fill("{n:heads}", {"n": n}, "pl", words) for n in ("1", "1,0", "−2", "1\xa0022", "7/3")] == [
        f"{n}\xa0{word}" for n, word in (("1", "byk"), ("1,0", "byka"), ("−2", "byki"), ("1\xa0022", "byki"), ("7/3", "byka"))
    ]  # fmt: skip
    assert fill("{n:heads}", {"n": "1,022"}, "en", counted("nimmt_lab.engine", "en")) == "1,022 heads"


def test_lists_choose_their_verb_and_get_a_conjunction() -> None:
    text = {"en": "{who:|Winner|Winners}: {who:and}.", "pl": "{who:|Wygrywa|Wygrywają} {who:and}."}
    assert fill(text["en"], {"who": Listing("A")}, "en") == "Winner: A."
    assert fill(text["en"], {"who": Listing("AB")}, "en") == "Winners: A and B."
    assert fill(text["pl"], {"who": "Ola"}, "pl") == "Wygrywa Ola."
    assert fill(text["pl"], {"who": ["A", "B", "C", "D", "E"]}, "pl") == "Wygrywają A, B, C, D i E."
    assert CONJUNCTIONS.keys() == PLURAL_FORMS.keys()
    assert str(Listing("AB")) == "A, B" and fill("{who:|one|two}", {"who": Listing("")}, "en") == "one"


def test_prepositions_are_written_as_the_number_is_read() -> None:
    def czech(preposition: str, *numbers: int) -> list[str]:
        return [fill(f"x {preposition} {{n}} y", {"n": n}, "cs")[2:-2].replace(NBSP, " ") for n in numbers]

    assert czech("z", 0, 1, 2, 3, 4, 5) == ["z 0", "z 1", "ze 2", "ze 3", "ze 4", "z 5"]
    assert czech("z", 6, 7, 8, 9, 10, 11, 12) == ["ze 6", "ze 7", "z 8", "z 9", "z 10", "z 11", "ze 12"]
    assert czech("z", 15, 16, 18, 22, 40, 45, 50, 67) == [
        "z 15",
        "ze 16",
        "z 18",
        "ze 22",
        "ze 40",
        "ze 45",
        "z 50",
        "ze 67",
    ]
    assert czech("z", 100, 104, 435, 500, 1000, 1500, 2000) == ["ze 100", "ze 104", "ze 435", "z 500", "z 1000", "z 1500", "ze 2000"]  # fmt: skip
    assert czech("s", 70, 12) == ["se 70", "se 12"] and czech("k", 40, 7, 60) == ["ke 40", "k 7", "k 60"]
    assert czech("v", 4, 5, 6) == ["ve 4", "v 5", "v 6"]
    assert fill("Z {n}", {"n": 40}, "cs") == "Ze 40" and fill("za 5 s 40 kol", {}, "cs") == "za 5 s 40 kol"
    assert [fill("z {n}", {"n": n}, "pl").replace(NBSP, " ") for n in (40, 104, 200)] == ["z 40", "ze 104", "z 200"]
    assert fill("z {n}", {"n": 40}, "en") == "z 40"


def test_spaces_that_must_not_break() -> None:
    assert typeset("a w rzędzie i z {n} kart, 95 % w 3 s", "pl") == (
        f"a{NBSP}w{NBSP}rzędzie i{NBSP}z{NBSP}{{n}} kart, 95{NBSP}% w{NBSP}3{NBSP}s"
    )
    assert typeset("k řadě s kartou, {n}%", "cs") == f"k{NBSP}řadě s{NBSP}kartou, {{n}}{NBSP}%"
    assert typeset("o\nkaždé volbě a\n\n- v kole", "cs") == f"o{NBSP}každé volbě a\n\n- v{NBSP}kole"
    assert typeset("a w rzędzie, 95 %", "en") == "a w rzędzie, 95 %"
    assert typeset("ze 1 000 000\nrund i 98 312 kart", "pl") == f"ze 1{NBSP}000{NBSP}000\nrund i{NBSP}98{NBSP}312 kart"
    assert typeset("A: 43 45 104 ; B: 30 101", "cs") == "A: 43 45 104 ; B: 30 101"
    assert typeset("{x:.1%}", "pl") == "{x:.1%}"
    assert number(0.5, ".0%", "pl") == f"50{NBSP}%" and fill("{x:.1%}", {"x": 0.5}, "cs") == f"50,0{NBSP}%"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_browser_fills_says_the_same(lang: str) -> None:
    """A text prepared for the browser needs no catalogue, and filling it gives the same result as filling the original."""
    for package in ("nimmt_lab.boards", "nimmt_lab.screens"):
        words = words_of(package, lang)
        for key, text in own_catalogue(package, lang).messages.items():
            names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
            for value in (1, 4, 40, "1.5"):
                parts = dict.fromkeys(names, value)
                written = for_browser(text, lang, words)
                assert fill(written, parts, lang) == fill(text, parts, lang, words), f"{package} {key}"
