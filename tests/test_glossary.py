"""The glossary of each language (glossary/): every text uses the words we chose, and none of those we avoid.

English is also read in the documents, in the text of the notebooks and in the docstrings and comments of the code. Files
that are not plain yet are listed in `explain/not_yet_plain.txt`; `python -m tests.test_glossary` writes that list.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab.engine.files import parse_toml
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.lessons import shipped
from nimmt_lab.lessons.lessontexts import messages

PACKAGE = Path(nimmt_lab.__file__).parent
ROOT = PACKAGE.parent
NOT_YET = ROOT / "tests" / "explain" / "not_yet_plain.txt"
GLOSSARY = {
    lang: tomllib.loads((ROOT / "glossary" / f"{lang}.toml").read_text(encoding="utf-8"))["word"] for lang in LANGUAGES
}
NEVER = {
    lang: {
        re.compile(never, re.IGNORECASE | re.MULTILINE): word.get("instead", word["say"])
        for word in entries
        for never in word.get("never", ())
    }
    for lang, entries in GLOSSARY.items()
}
DOCUMENTS = (
    *("README.md", "CHANGELOG.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md"),
    *("docs/*.md", "docs/start/*.md", "docs/rules/*.md"),
)

#: A string, so that a # in it is not taken for a comment, or a comment. (`tokenize` takes ten times as long.)
STRING_OR_COMMENT = re.compile(
    r"""(?P<quotes>\"{3}|'{3})(?:\\.|(?!(?P=quotes)).)*(?P=quotes)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<comment>#[^\n]*)""",
    re.DOTALL,
)
#: A key, quoted or not. Keys of the studies' `words` are English, and their places are code.
KEY = re.compile(r"""^(?:[\w.-]+|"(?:[^"\\]|\\.)*") = (?=["'{])""")


def texts(lang: str) -> dict[str, list[str]]:
    """The lines of every catalogue of a language, the studies' translations included, without comments and keys."""
    paths = [
        path
        for path in (*PACKAGE.rglob("locale/*.toml"), *ROOT.glob("notebooks/locale/*.toml"))
        if path.stem in (lang, "internal" if lang == "en" else lang)
    ]
    found = {
        path.relative_to(ROOT).as_posix(): [
            "" if line.startswith("#") else re.sub(r"\{\w+\.[^{}]*\}", "{}", KEY.sub("", line)).strip('"')
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        for path in paths
    }
    for name in shipped.names():  # a lesson's texts are in its own file
        own = messages(parse_toml(shipped.source_of(name)))[lang]
        found[f"nimmt_lab/lessons/shipped/{name}.toml"] = list(own.values())
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def prose_of_code(path: Path) -> Iterator[str]:
    """The paragraphs of docstrings, without doctests, and the comments."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = re.sub(r"^ *>>>.*?(?=^\s*$|\Z)", "", ast.get_docstring(node) or "", flags=re.DOTALL | re.MULTILINE)
            yield from (re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", text))
    for match in STRING_OR_COMMENT.finditer(source):
        if match["comment"]:
            yield match["comment"].lstrip("#: ")


def prose_of_notebook(path: Path) -> Iterator[str]:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            yield from "".join(cell["source"]).split("\n")


@cache
def english() -> dict[str, list[str]]:
    """Every file with English prose, by its path."""
    found = texts("en")
    for pattern in DOCUMENTS:
        for path in ROOT.glob(pattern):
            found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8").splitlines()
    for path in ROOT.glob("notebooks/*.ipynb"):
        found[path.relative_to(ROOT).as_posix()] = list(prose_of_notebook(path))
    for folder in ("nimmt_lab", "tools", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            found[path.relative_to(ROOT).as_posix()] = list(prose_of_code(path))
    return found


def avoided(lang: str, lines: list[str]) -> Iterator[str]:
    """The phrases in a file that the glossary avoids."""
    for number, line in enumerate(lines, 1):
        for never, better in NEVER[lang].items():
            if match := never.search(line):
                yield f"{number}: “{match.group().strip()}” → {better}: {line[max(0, match.start() - 40) : match.end() + 40]}"


def listed() -> set[str]:
    return {line for line in NOT_YET.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_catalogues_use_none_of_them(lang: str) -> None:
    found = {name: there for name, lines in texts(lang).items() if (there := list(avoided(lang, lines)))}
    assert found == {}
    assert len(texts(lang)) >= 10


def test_english_is_plain() -> None:
    found = {
        name: there
        for name, lines in english().items()
        if name not in listed() and (there := list(avoided("en", lines)))
    }
    assert found == {}
    assert len(english()) > 600


#: The catalogue's own tests, which compare its sentences with the result.
OWN_SENTENCES = {"tests/explain/test_errors.py", "tests/explain/test_inflect.py", "tests/test_glossary.py"}
#: The number of words in a row that make a pin; a number, a seat or a field is one of them.
IN_A_ROW = 4
WORD = re.compile(r"\{[^{}]*\}|[^\W\d_][\w'’]*|\d[\d.,]*")


def runs_of(text: str) -> list[tuple[str, ...]]:
    """All runs of words in a text, with `#` for whatever a field may become.

    >>> runs_of("{who} takes {heads:heads}: row 3 is full")
    [('row', '#', 'is', 'full')]
    """
    words = WORD.findall(text.replace("\\", ""))
    plain = ["#" if word[0] in "{0123456789" or len(word) == 1 else word.lower() for word in words]
    runs = zip(*(plain[at:] for at in range(IN_A_ROW)), strict=False)
    return [run for run in runs if run.count("#") <= 1]


@cache
def sentences_in_runs() -> list[frozenset[tuple[str, ...]]]:
    """The runs of every sentence in the English catalogues, and in the errors that code raises without one."""

    def texts_of(data: object) -> Iterator[str]:
        for value in data.values() if isinstance(data, dict) else ():
            if isinstance(value, str):
                yield from re.split(r"(?<=[.!?:;]) ", value)
            yield from texts_of(value)

    paths = [path for path in PACKAGE.rglob("locale/*.toml") if path.stem in ("en", "internal")]
    said = [text for path in paths for text in texts_of(tomllib.loads(path.read_text("utf-8")))]
    said += [text for name in shipped.names() for text in texts_of(messages(parse_toml(shipped.source_of(name)))["en"])]
    said += [text for folder in (PACKAGE, ROOT / "tools") for path in folder.rglob("*.py") for text in raised(path)]
    return [runs for runs in {frozenset(runs_of(text)) for text in said} if runs]


def raised(path: Path) -> Iterator[str]:
    """The texts of `raise` statements."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Raise):
            yield from (text for _, text in literals(ast.Module([node], [])))


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts in a test, except docstrings and the messages of its own asserts."""
    skipped: set[int] = set()
    for node in ast.walk(tree):  # parents come before their children
        if id(node) in skipped:
            skipped.update(map(id, ast.iter_child_nodes(node)))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else " 0 " for part in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.Assert) and node.msg is not None:
            skipped.add(id(node.msg))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))


def pins(text: str) -> bool:
    """Whether a text repeats a sentence of the catalogue, or is a part of one."""
    runs = set(runs_of(text)) if text.count(" ") >= IN_A_ROW - 1 else set()
    if not runs & all_runs():
        return False
    return any(sentence <= runs or runs <= sentence for sentence in sentences_in_runs())


@cache
def all_runs() -> frozenset[tuple[str, ...]]:
    return frozenset().union(*sentences_in_runs())


def test_no_test_repeats_a_sentence_of_the_catalogue() -> None:
    """Tests look texts up by their keys (tests/catalogue.py), so that a sentence can be changed in one place."""
    pinned = [
        f"{name}:{line}: {text}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (name := path.relative_to(ROOT).as_posix()) not in OWN_SENTENCES
        for line, text in literals(tree_of(path))
        if pins(text)
    ]
    assert pinned == []


def test_pinned_sentences_are_found() -> None:
    assert pins("A row can have 3 cards. Add card number 4 and you must take the row; your card starts it again.")
    assert (
        pins("classic is for 2 to 10 players, got 11")
        and pins("number 4 and you must take")
        and pins(r"is for 2 to 10 \w+")
    )
    assert pins("this file contains another training run"), "raised by a tool"
    assert not pins("the middle of a statement") and not pins("Parquet needs polars")
    source = (
        'def f():\n    """A row can have 3 cards."""\n    assert x, "a message"\n    assert f"{x} is {y}" == "text"'
    )
    assert [text for _, text in literals(ast.parse(source))] == [" 0  is  0 ", "text"]


def test_the_list_of_files_that_are_not_plain_yet_only_shrinks() -> None:
    """A file that has become plain, or is gone, leaves the list."""
    done = [name for name in listed() if not any(avoided("en", english().get(name, [])))]
    assert done == []


def test_docstrings_and_comments_are_read() -> None:
    here = list(prose_of_code(Path(__file__)))
    assert "A file that has become plain, or is gone, leaves the list." in here
    assert "A key, quoted or not. Keys of the studies' `words` are English, and their places are code." in here


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_pattern_finds_what_it_forbids(lang: str) -> None:
    for word in GLOSSARY[lang]:
        assert set(word) <= {"en", "say", "about", "never", "instead", "wrong"} and word["say"]
        assert ("never" in word) == ("wrong" in word), word["say"]
        for never in word.get("never", ()):
            assert re.search(never, word["wrong"], re.IGNORECASE | re.MULTILINE), (word["say"], never)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_glossary_says_is_said(lang: str) -> None:
    """Each word is used in some text, whatever its ending, and no other entry forbids it."""
    everything = "\n".join(line for lines in texts(lang).values() for line in lines).casefold()
    for word in GLOSSARY[lang]:
        parts = [
            re.escape(part[: max(2, len(part) - 2)] if len(part) > 3 else part)
            for part in word["say"].casefold().split()
        ]
        assert re.search(r"\w*\W+".join(parts), everything), word["say"]
        assert not any(never.search(word["say"]) for never in NEVER[lang]), word["say"]


def test_every_language_has_the_words_of_the_game() -> None:
    wanted = {
        *("bull head", "row", "round", "turn", "tile", "field", "buffalo"),
        *("mixed strategy", "seed", "class list", "worksheet"),
    }
    for lang in ("pl", "cs"):
        assert wanted <= {word["en"] for word in GLOSSARY[lang]}


if __name__ == "__main__":
    names = sorted(name for name, lines in english().items() if any(avoided("en", lines)))
    head = "# Files with English that the glossary avoids. Rewrite one, then: python -m tests.test_glossary\n"
    NOT_YET.write_text(head + "".join(f"{name}\n" for name in names), encoding="utf-8")
    print(f"{len(names)} files are not plain yet")
