"""The strategy studies: stored sums match recounts, and all languages say the same."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from nimmt_lab.charts import intervals
from nimmt_lab.commands.lab import in_language, title_of
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.inflect import typeset
from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue
from nimmt_lab.study import finding
from nimmt_lab.study.findings import PACKAGE, Mean
from tests.support import refused
from tools.plain_studies import sums
from tools.studies import FOLDER, STUDIES, add

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
BOOKS = sorted(NOTEBOOKS.glob("*.ipynb"))
OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def kept(name: str) -> dict[str, object]:
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(data, dict)
    return data


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize("name", STUDIES)
def test_the_first_block_is_what_is_counted_now(name: str) -> None:
    """The same seeds give the same sums, to the last digit."""
    blocks, count = STUDIES[name]
    data = kept(name)
    assert data["blocks"] == blocks and data["study"] == name
    assert sums(count(0)) == data["first"]


def test_every_study_is_kept_and_nothing_else() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(STUDIES)


def test_blocks_add_up() -> None:
    assert add({"a": [1, 2.0, 4.0]}, {"a": [2, 3.0, 5.0], "b": [1, 1.0, 1.0]}) == {
        "a": [3, 5.0, 9.0],
        "b": [1, 1.0, 1.0],
    }
    assert sums({"a": (1.0, 2.0, -3.0)}) == {"a": [3, 0.0, 14.0]}


def test_means_and_margins() -> None:
    one = Mean.of(4, 8.0, 24.0)  # 0, 2, 2, 4: variance 8/3
    assert one.mean == 2 and one.margin == pytest.approx(1.96 * (8 / 3 / 4) ** 0.5)
    assert (one.low + one.high) / 2 == 2 and one.high - one.low == pytest.approx(2 * one.margin)
    assert Mean.of(1, 5.0, 25.0).margin == 0


def test_what_is_not_there_is_named() -> None:
    with refused(RulesError, "study.no_study"):
        finding("../rules")
    with refused(RulesError, "study.study_has_no", name="low_cards", at_line="'11'"):
        finding("low_cards")["11"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_figures_speak_the_language(lang: str) -> None:
    there, english = own_catalogue(PACKAGE, lang).messages, own_catalogue(PACKAGE, "en").messages
    assert set(there) == set(english)
    for key, text in there.items():
        assert set(re.findall(r"\{(\w)[:}]", text)) == set(re.findall(r"\{(\w)[:}]", english[key])), key
    for name in STUDIES:
        study = finding(name, lang)
        lines = list(study.lines)[:3]
        drawn = intervals(study, lines).to_dict()
        assert drawn["title"] == {
            **drawn["title"],
            "text": there[f"{name}.title"],
            "subtitle": there["figure.intervals"],
        }
    frame = finding("buffalo_cards", lang).frame(["seven_takes"])
    assert "7" in frame["line"][0] and "seven" not in frame["line"][0], "what the chapter calls it"


def texts(lang: str) -> dict[str, dict[str, str]]:
    if lang != "en":
        found = tomllib.loads((NOTEBOOKS / "locale" / f"{lang}.toml").read_text(encoding="utf-8"))
        return {book: cells for book, cells in found.items() if book != "words"}
    found = {}
    for path in BOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        found[path.stem] = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"}
    return found


def numbers(text: str) -> list[str]:
    """Numbers as in English; spaces and commas between thousands are removed."""
    text = re.sub(r"(?<=\d)[,\u00a0 ](?=\d{3}\b)", "", text)
    return sorted(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d)", ".", text)))


@pytest.mark.parametrize("lang", OTHERS)
def test_every_study_is_translated_cell_by_cell_with_the_same_numbers(lang: str) -> None:
    english, there = texts("en"), texts(lang)
    assert set(there) == set(english)
    for book, cells in english.items():
        assert set(there[book]) == set(cells), book
        for cell, text in cells.items():
            other = there[book][cell]
            assert numbers(other) == numbers(text), (book, cell)
            assert other != text and not re.search(r"\d\.\d", other), (book, cell)
            assert text.count("\n# ") + text.startswith("# ") == other.count("\n# ") + other.startswith("# ")
            assert set(re.findall(r"`[^`]+`", other)) == set(re.findall(r"`[^`]+`", text)), (book, cell)


@pytest.mark.parametrize("lang", OTHERS)
def test_the_lab_lays_out_studies_in_the_language(lang: str) -> None:
    english, there = in_language(NOTEBOOKS, "en"), in_language(NOTEBOOKS, lang)
    assert set(english) == set(there)
    for path, text in there.items():
        if path.endswith(".ipynb"):
            title = texts(lang)[path.removesuffix(".ipynb")]["cell-01"].splitlines()[0].lstrip("# ")
            assert title_of(text) == typeset(title, lang)
            loose = re.findall(r"(?<![\w'’-])[aikosuvz]\s(?<!\u00a0)", "\n".join(text_of(text)))
            assert not loose, f"{path}: a line may end in {loose}"
            here, ours = ([ast.parse(cell) for cell in code_of(one)] for one in (text, english[path]))
            assert [*map(without_words, here)] == [*map(without_words, ours)], "nothing but words is another"
            assert not any(cell.get("outputs") for cell in json.loads(text)["cells"]), "stored figures are in English"
            # Text on a figure is translated, except symbols and names of columns.
            titles = {*filter(None, map(str.strip, titles_of(ours)))}
            assert not titles & titles_of(here) - {""}, path


def code_of(book: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(book)["cells"] if cell["cell_type"] == "code"]


def text_of(book: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(book)["cells"] if cell["cell_type"] == "markdown"]


def titles_of(cells: list[ast.Module]) -> set[str]:
    """The titles of figures and axes in notebooks."""
    keywords = [
        node for cell in cells for node in ast.walk(cell) if isinstance(node, ast.keyword) and node.arg == "title"
    ]
    return {str(word.value.value) for word in keywords if isinstance(word.value, ast.Constant) and word.value.value}


def without_words(cell: ast.Module) -> str:
    for node in ast.walk(cell):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
        if isinstance(node, ast.JoinedStr):  # another order of words means another order of places
            node.values = []
    return ast.dump(cell)


@pytest.mark.parametrize("lang", OTHERS)
def test_every_word_of_the_code_is_translated(lang: str) -> None:
    words, other = (
        tomllib.loads((NOTEBOOKS / "locale" / f"{one}.toml").read_text(encoding="utf-8"))["words"]
        for one in (lang, "pl")
    )
    assert {book: set(found) for book, found in words.items()} == {book: set(found) for book, found in other.items()}
    for book, found in words.items():
        code = "\n".join(code_of((NOTEBOOKS / f"{book}.ipynb").read_text(encoding="utf-8")))
        for english, theirs in found.items():
            assert english in code and english != theirs, (book, english)
            assert sorted(re.findall(r"\{[^{}]*\}", english)) == sorted(re.findall(r"\{[^{}]*\}", theirs)), (
                book,
                english,
            )


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_decimals_are_written_as_the_language_writes_them(path: Path) -> None:
    """Printed decimals use `number`; a Python format would print a point in every language."""
    for cell in code_of(path.read_text(encoding="utf-8")):
        for node in ast.walk(ast.parse(cell)):
            if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                assert not re.search(r"[,f%]'?$", ast.unparse(node.format_spec)), ast.unparse(node)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_code_is_folded_away(path: Path) -> None:
    """Readers who don't program see text and figures."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["metadata"].get("jupyter", {}).get("source_hidden") is True, cell["id"]
