"""The documentation's pages: every code block runs, and every path and every name from the package exists."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, Position, Record, all_games
from nimmt_lab.bots import levels
from nimmt_lab.cli import COMMANDS, main
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.options import allowed
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.games.board_game.material import TRACK, sample_board
from nimmt_lab.games.buffalo.parts import SPECIALS_IN_PLAY
from nimmt_lab.lessons import CLASSROOM, Results, lesson_names, rules_lessons, trust
from nimmt_lab.lessons.asked import problems_of
from nimmt_lab.lessons.class_list import read_class_list
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.lessonfile import read_lesson
from tests.catalogue import explained
from tests.lessons.test_taught import TAUGHT
from tests.support import GAMES
from tests.test_glossary import NEVER
from tests.test_house_pages import exists, is_invented, is_path
from tools.docs_parts import DOCS, MEASURED, PARTS, ROOT, asked, measured, parser_of, readme_picture, rulings, spelled

PAGES = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
#: Commands that run forever or download Pyodide: here only their arguments are checked; these tests run them.
ONLY_READ = {"lab": "tests/tutorials/test_lab_command.py", "site": "tests/site/test_build.py"}
READERS = ("learner", "strategist", "teacher", "researcher", "contributor")


def blocks(page: str, kind: str) -> list[str]:
    return [content for name, content in FENCE.findall(PAGES[page]) if name == kind]


def pages_with(kind: str) -> list[str]:
    return [page for page in PAGES if blocks(page, kind)]


def test_there_is_a_start_page_for_every_reader_in_every_language() -> None:
    for reader in READERS:
        assert f"start/{reader}.md" in PAGES and f"start/{reader}" in PAGES["index.md"]
        for lang in ("pl", "cs"):
            assert f"{lang}/{reader}.md" in PAGES and f"]({reader}.md)" in PAGES[f"{lang}/index.md"]


HEAD = 'format = "nimmt-lesson/1"\nname = "x"\nlanguage = "en"\ntitle = "x"\n'
STEP = '[[step]]\nname = "last"\ntext = "x"\n'


@pytest.mark.parametrize("page", pages_with("toml"))
def test_parts_of_lesson_files_can_be_read(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "_now", set())
    for block in blocks(page, "toml"):
        lesson = read_lesson(block + STEP if block.startswith("format") else HEAD + block + STEP)
        trust.confirm(lesson.fingerprint, keep=False)
        for problem in problems_of(lesson, 7):
            assert problem.slips


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("lang", ["pl", "cs"])
def test_start_pages_hold_the_same_in_every_language(reader: str, lang: str) -> None:
    """Translations have the same drawings, lessons and commands, with a language option where there is one."""
    own, english = f"{lang}/{reader}.md", f"start/{reader}.md"
    assert list(asked(PAGES[own])) == list(asked(PAGES[english]))
    commands = {tuple(words): None for words in lines_of(english)}
    told = {tuple(" ".join(words).replace(f" --lang {lang}", "").split()): None for words in lines_of(own)}
    assert [" ".join(words) for words in told] == [" ".join(" ".join(words).split()) for words in commands]


def test_blocks_are_of_kinds_that_are_tested() -> None:
    """Nothing here would run a block of another kind."""
    run = {"python", "sh", "position", "record", "toml"}
    own = {"{toctree}"}
    odd = {
        (page, name)
        for page, text in PAGES.items()
        for name, _ in FENCE.findall(text)
        if name.split(" ")[0].strip("{}") not in PARTS and name not in run | own
    }
    assert odd == set()
    assert {kind: len(pages_with(kind)) > 0 for kind in run} == dict.fromkeys(run, True)


@pytest.mark.parametrize(
    "page",  # OpenSpiel is not part of the inner ring
    [
        pytest.param(page, marks=pytest.mark.exhaustive) if "spiel" in PAGES[page] else page
        for page in pages_with("python")
    ],
)
def test_python_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the blocks of a page in order. A line that ends in `# = value` must have that value."""
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(block, scope)
        for line in block.splitlines():
            code, mark, value = line.partition("  # = ")
            if mark:
                assert eval(code, scope) == eval(value, scope), line


def test_some_lines_say_their_value() -> None:
    """The test above must not pass because it finds nothing."""
    assert sum(block.count("  # = ") for page in PAGES for block in blocks(page, "python")) >= 6


def lines_of(page: str) -> Iterator[list[str]]:
    for block in blocks(page, "sh"):
        for line in block.splitlines():
            yield shlex.split(line)


@pytest.mark.parametrize("page", pages_with("sh"))
def test_shell_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`nimmt-lab` runs in a folder with the files that the page mentions; for `make`, the target must exist."""
    targets = set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    (tmp_path / "names.txt").write_text("Ann\nBob\n", encoding="utf-8")
    (tmp_path / "handed-in").mkdir()
    Record.from_play(Classic(players=2, rounds=1), 7, []).save(tmp_path / "mine.nimmt")
    played = Record(Classic(players=2, rounds=1), seed=7)
    for _ in range(2):
        played = played.then({seat: decision.options[-1] for seat, decision in played.final.pending.items()})
    played.save(tmp_path / "mine.nimmt")
    for program, *words in lines_of(page):
        if program == "make":
            assert words[0] in targets, words
        elif program == "nimmt-lab" and words[0] in ONLY_READ:
            parser_of(words[0]).parse_args(words[1:])
            assert (ROOT / ONLY_READ[words[0]]).is_file()
        else:
            assert program == "nimmt-lab", program
            assert main(words) == 0, words
    capsys.readouterr()


@pytest.mark.parametrize("page", [page for page in PAGES if page.endswith("teacher.md")])
def test_the_teachers_three_commands_fit_together(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Answers handed in for the printed sheets get the pupils' names in the gradebook."""
    listed, sheets, gradebook = list(lines_of(page))[:3]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names.txt").write_text("Ann\nBob\n", encoding="utf-8")
    for words in (listed, sheets):
        assert main(words[1:]) == 0
    printed = (tmp_path / "sheets" / "lesson-2-sheets.html").read_text(encoding="utf-8")
    pupils = read_class_list(tmp_path / "class.csv").pupils
    for number, (name, seed) in enumerate(pupils.items(), 1):
        assert code_of(seed) in printed
        Results(name, "p2", seed, {}, sitting=f"{number:016x}").save(tmp_path / "handed-in")
    assert main(gradebook[1:]) == 0
    marks = list(csv.DictReader(io.StringIO((tmp_path / "marks.csv").read_text(encoding="utf-8"))))
    assert [(line["name"], line["note"]) for line in marks] == [("Ann", ""), ("Bob", "")]
    capsys.readouterr()


@pytest.mark.parametrize("page", pages_with("position"))
def test_positions_read_back(page: str) -> None:
    for block in blocks(page, "position"):
        text = block.strip()
        assert str(Position.parse(text)) == text


@pytest.mark.parametrize("page", pages_with("record"))
def test_records_can_be_read(page: str) -> None:
    for block in blocks(page, "record"):
        assert Record.from_text(block).choices


# Names in the text exist.


@pytest.mark.parametrize("page", PAGES)
def test_every_path_exists(page: str) -> None:
    prose = FENCE.sub("", PAGES[page])
    quoted = {word for one in re.findall(r"`([^`\n]+)`", prose) for word in one.split()}
    named = {word for word in quoted if is_path(word) and not word.startswith(".venv/") and not is_invented(word)}
    assert [path for path in sorted(named) if not exists(path)] == []


def test_the_exactness_page_names_tests() -> None:
    """The page is worth as much as the tests it names: there are many, and each exists."""
    named = set(re.findall(r"`(tests/[\w/.-]+)`", PAGES["exactness.md"]))
    assert len(named) > 25 and all((ROOT / path).exists() for path in named)


@cache
def every_option() -> set[str]:
    return {
        option for command in COMMANDS for action in parser_of(command)._actions for option in action.option_strings
    }


@pytest.mark.parametrize("page", PAGES)
def test_every_command_make_target_and_option_exists(page: str) -> None:
    text = PAGES[page]
    targets = set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets
    assert set(re.findall(r"`nimmt-lab ([a-z-]+)", text)) <= set(COMMANDS)
    own = {"--execute", "--live", "--no-screens"}  # of tools/docs.py
    assert set(re.findall(r"`(--[a-z-]+)", text)) <= every_option() | own


@pytest.mark.parametrize("page", PAGES)
def test_parts_are_found(page: str) -> None:
    for name, argument in asked(PAGES[page]):
        if name == "lesson":
            assert argument in lesson_names()
        elif name == "measured":
            assert argument in measured()
        elif name in ("position", "dealt"):
            game, _, rules = argument.partition(" ")
            assert read_rules(game, rules).name == game


def test_the_table_of_systems_is_complete() -> None:
    kinds = {kind.__name__: kind for kind in all_games().values()}
    made = re.findall(rf"`((?:{'|'.join(kinds)})\(.*?\))` \|", PAGES["rules/index.md"])
    games = [eval(code, dict(kinds)) for code in made]
    same = {repr(game).replace("players=4", "players=3") for game in games}
    assert same == {repr(game).replace("players=4", "players=3") for game in GAMES.values()}
    table = re.findall(r"^\| [^|]+ \| (\d+)–(\d+) \| `(\w+)\(", PAGES["rules/index.md"], re.MULTILINE)
    for fewest, most, name in table:
        assert kinds[name].for_players == (int(fewest), int(most))
    assert len(table) == len(GAMES) == 15


def test_every_ruling_is_told_once() -> None:
    told = rulings()
    assert set(told) == set(TAUGHT)
    assert all(set(ruling) <= {"says", "option"} and ruling["says"].endswith(".") for ruling in told.values())
    letters = re.findall(r"\{rulings\} (\w)", PAGES["rules/rulings.md"])
    assert sorted(letters) == sorted({number[2] for number in told})
    linked = {link for text in PAGES.values() for link in re.findall(r"\[R-\w+\]\(#(r-\w+)\)", text)}
    assert {link.upper() for link in linked} <= set(told) and len(linked) > 20


def test_options_of_rulings_are_options() -> None:
    """An option is a field of some game; if the page gives a value, the game accepts it."""
    for number, ruling in rulings().items():
        if "option" not in ruling:
            continue
        name, _, value = ruling["option"].partition("=")
        games = [game for game in all_games().values() if name in game.__dataclass_fields__]
        assert games, number
        if value.startswith('"'):
            assert any(name in allowed(game) and eval(value) in allowed(game)[name] for game in games), number


def test_a_measurement_has_its_command_and_what_it_printed() -> None:
    shown = {argument for text in PAGES.values() for name, argument in asked(text) if name == "measured"}
    assert shown == set(measured()) == {path.stem for path in MEASURED.glob("*.txt")}
    for name, found in measured().items():
        program, script, *_ = found["command"].split()
        assert program == "python" and (ROOT / script).is_file(), name
        assert found["on"] and (MEASURED / f"{name}.txt").read_text(encoding="utf-8").strip()


def test_arguments_are_spelled_as_they_are_typed() -> None:
    said = {spelled(action) for action in parser_of("site")._actions}
    assert {"OUT", "--one-file", "--class-list FILE, --class FILE", "--lang {en,pl,cs}"} <= said
    for command in COMMANDS:
        assert all(action.help for action in parser_of(command)._actions)


# Words


@pytest.mark.parametrize("page", PAGES)
def test_pages_use_no_word_that_is_never_used(page: str) -> None:
    lang = page.split("/")[0] if page.split("/")[0] in ("pl", "cs") else "en"
    prose = FENCE.sub("", PAGES[page])
    prose = re.sub(r"`[^`]*`|\(https?:[^)]*\)", "", prose)
    assert [match.group() for never in NEVER[lang] if (match := never.search(prose))] == []


def test_a_broken_part_is_refused() -> None:
    from tools.docs_parts import Pages, expand

    for block in (
        "{watch} first_turn.nothing",
        "{rules} nothing",
        "{rulings} Z",
        "{lesson} nothing",
        "{measured} nothing",
    ):
        with pytest.raises((ValueError, NimmtError)):
            expand(f"```{block}\n```", Pages(Path("nowhere")))


def test_readme_begins_with_two_commands_a_picture_and_a_sentence_for_every_reader() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("You need Python")[0]
    assert re.findall(r"^make ([a-z]+) ", first, re.MULTILINE) == ["lab", "test"]
    # A short animation and one picture, and one line of small badges above them.
    assert re.findall(r"^!\[[^]]+\]\(([^)]+)\)$", first, re.MULTILINE) == ["docs/tour.png", "docs/picture.svg"]
    assert [line.count("docs/badges/") for line in first.splitlines() if "docs/badges/" in line] == [4]
    assert re.findall(r"^- \*\*\[\w+\]\(docs/start/(\w+)\.md\)\*\*: .+\.$", first, re.MULTILINE) == list(READERS)
    assert "`make docs`" in first and len(first.splitlines()) < 24


def test_the_picture_of_the_readme_is_what_the_package_draws() -> None:
    """`python tools/docs.py --picture` draws it again."""
    assert (DOCS / "picture.svg").read_text(encoding="utf-8") == readme_picture()
    [words] = re.findall(r"!\[(.+)\]\(docs/picture.svg\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    told = re.findall(r"\d+", words)
    assert told == ["61", "4", "58", "44"]
    assert explained("placed.closer", row=4, end=58, other=44).search(readme_picture())
    # Two commands, five readers and this text fit on one screen of 768 pixels.
    [height] = re.findall(r'^<svg [^>]* height="(\d+)"', readme_picture())
    assert 250 < int(height) < 330


# Numbers


def test_how_many_lessons_studies_and_levels_the_pages_speak_of() -> None:
    counted = {"twenty-two": len(rules_lessons()), "nine": len(CLASSROOM), "eight": len(levels())}
    assert counted == {"twenty-two": 22, "nine": 9, "eight": 8}
    said = {
        "start/learner.md": ("twenty-two short lessons", "eight levels"),
        "start/teacher.md": ("Twenty-two lessons about the rules, nine about probability",),
        "pl/learner.md": ("dwadzieścia dwie krótkie lekcje", "ośmiu poziomach"),
        "pl/teacher.md": ("Dwadzieścia dwie lekcje o zasadach i dziewięć o prawdopodobieństwie",),
        "cs/learner.md": ("dvacet dva krátkých lekcí", "osmi úrovních"),
        "cs/teacher.md": ("Dvacet dva lekcí o pravidlech a devět o pravděpodobnosti",),
        "lessons.md": ("`p1` to `p9`",),
    }
    assert [
        (page, text) for page, texts in said.items() for text in texts if text not in " ".join(PAGES[page].split())
    ] == []


def test_numbers_of_the_rules_pages_are_those_of_the_rules() -> None:
    table = re.search(r"^\| special cards \|(.*)\|$", PAGES["rules/buffalo.md"], re.MULTILINE)
    assert table and [int(cell) for cell in table[1].split("|")] == list(SPECIALS_IN_PLAY.values())
    passed = [clover for clover in sorted(sample_board("basic").clovers, reverse=True) if -12 <= clover < -2]
    told = f"−2 to −12. Of the clovers on our track, those at {' and '.join(map(str, passed))}".replace("-", "−")
    assert told in PAGES["rules/board-game.md"]
    assert f"between −{TRACK} and +{TRACK}" in PAGES["rules/board-game.md"]
    chapters: dict[str, type[Game]] = {
        "classic": Classic,
        "advanced": Advanced,
        "buffalo": Buffalo,
        "baron": Baron,
        "board-game": BoardGame,
    }
    for page, chapter in chapters.items():
        fewest, most = chapter.for_players
        assert f"{fewest} to {most} players" in PAGES[f"rules/{page}.md"]
    games: dict[str, Game] = {
        "baron": Baron(players=3),
        "board-game": BoardGame(players=3),
        "classic": Classic(players=3),
    }
    for page, game in games.items():
        numbers = sorted(game.deck)
        assert re.search(rf"(cards|tiles) {numbers[0]} to {numbers[-1]}\b", PAGES[f"rules/{page}.md"]), page
