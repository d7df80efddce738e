"""The reader of lesson files: TOML, or a notebook with TOML in it. Errors name the line and the key.

    format = "nimmt-lesson/1"
    name = "two_bags"
    language = "en"
    title = "Two bags"

    [[step]]
    name = "one"
    ask = "number"
    draw = { red = [2, 9], blue = [2, 9], all = "red + blue" }
    text = "A bag has {red} red and {blue} blue balls. What is the probability of red?"
    answer = "red / all"
    why = "{red} of {all}."

`docs/own_lessons.md` describes every key. Reading a file runs nothing of it.
"""

from __future__ import annotations

import hashlib
import json
import re
import string
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NoReturn

from nimmt_lab.engine.cards import seat_of_letter
from nimmt_lab.engine.errors import DataError, NimmtError, NotationError
from nimmt_lab.engine.files import name_of, parse_json, parse_toml, read_text, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import is_whole
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.sentences import Phrase

from .arithmetic import evaluate, names_in
from .lessontexts import OF_LESSON, OF_STEP, line_at, lines_of, messages, options_of, texts_of
from .lessontexts import Path as Place
from .question import kinds
from .rules import CHOICE, NUMBER, SHOWN, Lesson, LessonPlan, LessonStep, Slip

__all__ = ["ENDINGS", "FORMAT", "load_lesson", "read_lesson", "text_of_notebook"]

FORMAT: Final = "nimmt-lesson/1"
ENDINGS: Final = (".toml", ".ipynb")
#: Bytes: longer than any lesson.
LARGEST: Final = 200_000
MOST_STEPS: Final = 60
MOST_OPTIONS: Final = 12
LARGEST_DRAWN: Final = 10**9

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_RULING = re.compile(r"R-[A-Z][0-9]+")
_KEYS: Final = (
    "format", "name", "version", "earlier", "was", "language", "game", "program", "questions", "heads", "minutes",
    "levels",
    "hints", "words", "step", *OF_LESSON,
)  # fmt: skip
_STEP_KEYS: Final = (
    "name", "ask", "game", "position", "plays", "show", "check", "rulings", "marks", *OF_STEP,
    "reveal", "card", "row", "seat", "marker", "options", "open",
    "right", "answer", "range", "draw", "function", "slip", "experiment",
)  # fmt: skip
#: What each kind of step may have in addition to the first line of `_STEP_KEYS`.
_ABOUT: Final = frozenset({"reveal", "card", "row", "seat", "marker", "options", "open"})
_IN_WORDS: Final = frozenset({"draw", "function", "slip"})


def load_lesson(path: Path) -> Lesson:
    """Read a lesson from its file; the file of a lesson of one's own names no modules."""
    text = read_text(path, largest=LARGEST, error=DataError)
    source = name_of(path.name)
    if path.suffix == ".ipynb":
        text = text_of_notebook(text, source)
    return read_lesson(text, source)


def read_lesson(text: str, source: str = "", *, packaged: bool = False) -> Lesson:
    """Read a lesson from the text of a file. Only lessons of the package may name a module."""
    return _Reader(text, source, packaged).lesson()


def text_of_notebook(text: str, source: str = "") -> str:
    """The lesson in a notebook: the blocks marked `toml` of its texts, and the code cells that begin with `# lesson`,
    which are its program."""
    data = parse_json(text, source=source, error=DataError)
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise DataError("lessons.file_notebook", source=source)
    lesson, program = [], []
    for cell in cells:
        if not isinstance(cell, dict):
            raise DataError("lessons.file_notebook", source=source)
        lines = cell.get("source")
        content = "".join(map(str, lines)) if isinstance(lines, list) else str(lines or "")
        if cell.get("cell_type") == "code" and content.lstrip().startswith("# lesson"):
            program.append(content.rstrip())
        elif cell.get("cell_type") in ("markdown", "raw"):
            lesson += re.findall(r"^```toml\n(.*?)^```", content, re.DOTALL | re.MULTILINE)
    if not lesson:
        raise DataError("lessons.file_notebook", source=source)
    # A key of the file itself must stand before the first table.
    head = f"program = {json.dumps(chr(10).join(program), ensure_ascii=False)}\n" if program else ""
    return head + "\n".join(lesson)


class _Reader:
    def __init__(self, text: str, source: str, packaged: bool) -> None:
        self.text, self.source, self.packaged = text, source, packaged
        self.data = parse_toml(text, source=source, error=DataError)
        self.lines = lines_of(text)
        self.languages: tuple[str, ...] = ()

    # Errors --------------------------------------------------------------------------------------------------

    def fail(self, place: Place, key: str, /, **fields: object) -> NoReturn:
        raise DataError.of(Phrase(key, **fields), line=line_at(self.lines, place) or 1, source=self.source)

    def wrong(self, place: Place, error: NimmtError) -> NoReturn:
        """Pass on an error about what stands at a place."""
        self.fail(place, "lessons.file_wrong", key=_written(place), error=error)

    def keys(self, table: Mapping[str, object], known: Sequence[str], place: Place) -> None:
        for key in table:
            if key not in known:
                self.fail((*place, key), "lessons.file_key", key=shown(key), known=", ".join(sorted(known)) or "-")

    def text_at(self, table: Mapping[str, object], key: str, place: Place, usual: str = "") -> str:
        value = table.get(key, usual)
        if not isinstance(value, str):
            self.fail((*place, key), "lessons.file_must_text", key=key, got=shown(value))
        return value

    def number_at(self, table: Mapping[str, object], key: str, place: Place, least: int, most: int, usual: int) -> int:
        value = table.get(key, usual)
        if not is_whole(value, least, most):
            self.fail((*place, key), "lessons.file_must_number", key=key, least=least, most=most, got=shown(value))
        return value

    def truth_at(self, table: Mapping[str, object], key: str, place: Place) -> bool:
        value = table.get(key, False)
        if not isinstance(value, bool):
            self.fail((*place, key), "lessons.file_must_yes", key=key, got=shown(value))
        return value

    def texts_at(self, table: Mapping[str, object], key: str, place: Place) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fail((*place, key), "lessons.file_must_list", key=key, got=shown(value))
        return tuple(value)

    def table_at(self, table: Mapping[str, object], key: str, place: Place) -> dict[str, object]:
        value = table.get(key, {})
        if not isinstance(value, dict):
            self.fail((*place, key), "lessons.file_must_table", key=key, got=shown(value))
        return value

    def seats_at(self, table: Mapping[str, object], key: str, place: Place) -> dict[str, str]:
        given = self.table_at(table, key, place)
        if not all(isinstance(one, str) for one in given.values()):
            self.fail((*place, key), "lessons.must_texts_seat", name=key)
        return {letter: str(one) for letter, one in given.items()}

    def name_at(self, table: Mapping[str, object], place: Place) -> str:
        name = table.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self.fail((*place, "name"), "lessons.file_name", got=shown(name))
        return name

    # The lesson ----------------------------------------------------------------------------------------------

    def lesson(self) -> Lesson:
        data = self.data
        if data.get("format") != FORMAT:
            self.fail(("format",), "lessons.file_format", format=FORMAT, got=shown(data.get("format")))
        self.keys(data, _KEYS, ())
        name = self.name_at(data, ())
        questions_by = self.text_at(data, "questions", ())
        if questions_by and not self.packaged:
            self.fail(("questions",), "lessons.file_module")
        steps = data.get("step")
        if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
            self.fail(("step",), "lessons.file_steps", most=MOST_STEPS)
        self._languages()
        program = self.text_at(data, "program", ())
        made = tuple(self._step(step, at, bool(questions_by)) for at, step in enumerate(steps))
        names = [step.name for step in made]
        if twice := next((at for at, one in enumerate(names) if one in names[:at]), 0):
            self.fail(("step", twice, "name"), "lessons.file_twice", name=shown(names[twice]))
        if needs := next((at for at, step in enumerate(made) if step.function and not program), None):
            self.fail(("step", needs, "function"), "lessons.file_no_program", name=made[needs].function)
        return Lesson(
            name,
            made,
            version=self.number_at(data, "version", (), 1, 10**6, 1),
            was=self.texts_at(data, "was", ()),
            texts=messages(data),
            program=program,
            program_line=self._program_line(),
            questions_by=questions_by,
            earlier=self._earlier(),
            heads=self.truth_at(data, "heads", ()),
            plan=self._plan(),
            fingerprint=_digest(self.text),
            mark=_digest(json.dumps(_deciding(data), sort_keys=True, ensure_ascii=True)),
            source=self.source,
        )

    def _earlier(self) -> dict[int, str]:
        """The functions that made the questions of earlier versions."""
        found = self.table_at(self.data, "earlier", ())
        if found and not self.packaged:
            self.fail(("earlier",), "lessons.file_module")
        return {int(version): self.text_at(found, version, ("earlier",)) for version in found}

    def _program_line(self) -> int:
        """The line of the program's first line: TOML drops a line break after the opening quotes."""
        line = self.lines.get(("program",)) or 1
        written = self.text.splitlines()[line - 1].rstrip()
        return line + int(written.endswith(('"""', "'" * 3)))

    def _languages(self) -> None:
        """Every text must be there in the languages of the title."""
        data = self.data
        language = self.text_at(data, "language", ())
        title = data.get("title")
        if isinstance(title, dict) and not language:
            self.languages = tuple(title)
        else:
            self.languages = (language,) if language else ()
        if not self.languages or not all(_LANGUAGE.fullmatch(lang) for lang in self.languages):
            self.fail(("language",) if language else ("title",), "lessons.file_languages")
        for part in ("hints", "words"):
            self.table_at(data, part, ())
        if "title" not in data:
            self.fail(("title",), "lessons.file_needs", key="title")
        for place, _, text in texts_of(data):
            self._in_all(place, text)

    def _in_all(self, place: Place, text: object) -> None:
        key = _written(place)
        if isinstance(text, str) and len(self.languages) == 1 and "language" in self.data:
            by_language: Mapping[str, object] = {self.languages[0]: text}
        elif isinstance(text, dict):
            by_language = text
        else:
            self.fail(place, "lessons.file_must_text", key=key, got=shown(text))
        for lang in self.languages:
            if lang not in by_language:
                self.fail(place, "lessons.file_language", key=key, lang=lang)
        for lang, one in by_language.items():
            if lang not in self.languages:
                self.fail((*place, lang), "lessons.file_other_language", key=key, lang=shown(lang))
            if not isinstance(one, str) or not one.strip():
                self.fail((*place, lang), "lessons.file_must_text", key=f"{key}.{lang}", got=shown(one))
            self._places(one, set() if place[0] in OF_LESSON else None, (*place, lang))

    def _plan(self) -> LessonPlan | None:
        minutes = self.data.get("minutes")
        if minutes is None:
            return None
        if not isinstance(minutes, list) or len(minutes) != 3 or not all(is_whole(one, 0, 600) for one in minutes):
            self.fail(("minutes",), "lessons.file_minutes", got=shown(minutes))
        return LessonPlan((minutes[0], minutes[1], minutes[2]), self.texts_at(self.data, "levels", ()))

    # Steps ---------------------------------------------------------------------------------------------------

    def _step(self, item: object, at: int, by_module: bool) -> LessonStep:
        place: Place = ("step", at)
        if not isinstance(item, dict):
            self.fail(place, "lessons.file_steps", most=MOST_STEPS)
        self.keys(item, _STEP_KEYS, place)
        name = self.name_at(item, place)
        asked = self.text_at(item, "ask", place)
        in_words = asked in (CHOICE, NUMBER)
        needless = (_ABOUT - {"options"} if in_words else _IN_WORDS | {"right", "answer", "range"}) & item.keys()
        needless |= ({"right", "options"} if asked == NUMBER else {"answer", "range"} if asked == CHOICE else set()) & (
            item.keys()
        )
        if needless:
            key = sorted(needless)[0]
            self.fail((*place, key), "lessons.file_needless", key=key, step=name)
        if ("text" not in item) and (in_words or not asked):
            self.fail(place, "lessons.file_step_needs", step=name, key="text")
        position = self.text_at(item, "position", place)
        if asked and not in_words and not position:
            self.fail(place, "lessons.file_step_needs", step=name, key="position")
        show = self.texts_at(item, "show", place)
        if odd := next((one for one in show if one not in SHOWN), None):
            self.fail((*place, "show"), "lessons.file_show", got=shown(odd), known=", ".join(SHOWN))
        rulings = self.texts_at(item, "rulings", place)
        if odd := next((one for one in rulings if not _RULING.fullmatch(one)), None):
            self.fail((*place, "rulings"), "lessons.ruling_written_r", got=shown(odd))
        plays = item.get("plays", [])
        if not isinstance(plays, list) or not all(isinstance(one, dict) for one in plays):
            self.fail((*place, "plays"), "lessons.plays_must_list")
        draw = self._draw(item, place) if in_words else {}
        function = self.text_at(item, "function", place)
        try:
            open_seats = tuple(seat_of_letter(one) for one in self.text_at(item, "open", place).split())
            seat = seat_of_letter(self.text_at(item, "seat", place, "A"))
        except NimmtError as error:
            self.wrong(place, error)
        step = LessonStep(
            name=name,
            game=self._game(item, position, place),
            position=position,
            plays=tuple(self.seats_at({"plays": one}, "plays", place) for one in plays),
            ask=asked,
            reveal=self.seats_at(item, "reveal", place) if "reveal" in item else None,
            card=self.number_at(item, "card", place, 0, 10**6, 0),
            row=self.number_at(item, "row", place, 1, 100, 1) - 1,
            seat=seat,
            marker=self.text_at(item, "marker", place),
            options=() if in_words else self.texts_at(item, "options", place),
            open=open_seats,
            check=self.truth_at(item, "check", place),
            rulings=rulings,
            show=frozenset(show),
            count=0 if asked != CHOICE or by_module else self._options(item, place),
            right=self._right(item, place, by_module) if asked == CHOICE else 0,
            answer=self._formula(item, "answer", place),
            range=self._range(item, place),
            draw=draw,
            function=function,
            experiment=self._experiment(item, place),
            slips=self._slips(item, place, draw, bool(function)),
            marks=self.number_at(item, "marks", place, 1, 20, 1),
            line=line_at(self.lines, place) or 1,
        )
        if asked and not in_words and asked not in kinds(step.game):
            known = ", ".join((*kinds(step.game), CHOICE, NUMBER))
            self.fail((*place, "ask"), "lessons.file_ask", got=shown(asked), known=known)
        if in_words and not by_module:
            self._number(step, item, place)
        elif not in_words:
            self._filled(place, set())
        return step

    def _experiment(self, item: Mapping[str, object], place: Place) -> str:
        named = self.text_at(item, "experiment", place)
        if named and not self.packaged:
            self.fail((*place, "experiment"), "lessons.file_module")
        return named

    def _game(self, item: Mapping[str, object], position: str, place: Place) -> Game:
        """The game of a step: its own, the lesson's, or the classic one with the players of the position."""
        options = {**self.table_at(self.data, "game", ()), **self.table_at(item, "game", place)}
        try:
            if not options:
                hands = Position.parse(position).hands if position else ()
                options = {"system": "classic", "players": max(2, len(hands)), "rounds": 1}
            return from_options(options)
        except NimmtError as error:
            self.wrong((*place, "game") if "game" in item else (*place, "position") if position else ("game",), error)

    def _options(self, item: Mapping[str, object], place: Place) -> int:
        by_language = options_of(item, self.data.get("language"))
        counts = set()
        for lang in self.languages:
            options = by_language.get(lang)
            if not isinstance(options, list) or not all(isinstance(one, (str, int)) for one in options):
                self.fail((*place, "options"), "lessons.file_options", lang=lang, most=MOST_OPTIONS)
            texts = [" ".join(str(one).split()) for one in options]
            if not 2 <= len(texts) <= MOST_OPTIONS or not all(texts):
                self.fail((*place, "options"), "lessons.file_options", lang=lang, most=MOST_OPTIONS)
            if twice := next((one for at, one in enumerate(texts) if one in texts[:at]), None):
                self.fail((*place, "options"), "lessons.file_option_twice", option=shown(twice))
            for one in texts:
                self._places(one, set(), (*place, "options"))
            counts.add(len(texts))
        if len(counts) != 1 or set(by_language) - set(self.languages):
            self.fail((*place, "options"), "lessons.file_options", lang=", ".join(self.languages), most=MOST_OPTIONS)
        return counts.pop()

    def _right(self, item: Mapping[str, object], place: Place, by_module: bool) -> int:
        if by_module or "function" in item:
            return 0
        options = next(iter(options_of(item, self.data.get("language")).values()), [])
        count = len(options) if isinstance(options, list) else 0
        right = item.get("right")
        if isinstance(right, list):
            self.fail((*place, "right"), "lessons.file_two_right", got=shown(right))
        if not is_whole(right, 1, count):
            self.fail((*place, "right"), "lessons.file_right", count=count, got=shown(right))
        return right

    def _formula(self, item: Mapping[str, object], key: str, place: Place) -> str:
        value = item.get(key, "")
        if is_whole(value, -LARGEST_DRAWN, LARGEST_DRAWN) or (isinstance(value, float) and value == value):
            return str(value)
        return self.text_at(item, key, place)

    def _range(self, item: Mapping[str, object], place: Place) -> tuple[str, str] | None:
        ends = item.get("range")
        if ends is None:
            return None
        if not isinstance(ends, list) or len(ends) != 2:
            self.fail((*place, "range"), "lessons.file_range", got=shown(ends))
        low, high = (self._formula({"range": end}, "range", place) for end in ends)
        return low, high

    def _draw(self, item: Mapping[str, object], place: Place) -> dict[str, tuple[int, int] | str]:
        made: dict[str, tuple[int, int] | str] = {}
        for name, value in self.table_at(item, "draw", place).items():
            where = (*place, "draw", name)
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,30}", name):
                self.fail(where, "lessons.file_name", got=shown(name))
            if isinstance(value, str):
                made[name] = value
            elif (
                isinstance(value, list)
                and len(value) == 2
                and all(is_whole(end, -LARGEST_DRAWN, LARGEST_DRAWN) for end in value)
                and value[0] <= value[1]
            ):
                made[name] = (value[0], value[1])
            else:
                self.fail(where, "lessons.file_draw", name=name, got=shown(value))
        return made

    def _slips(
        self, item: Mapping[str, object], place: Place, draw: Mapping[str, object], by_function: bool
    ) -> tuple[Slip, ...]:
        slips = item.get("slip", [])
        if not isinstance(slips, list):
            self.fail((*place, "slip"), "lessons.file_slip")
        made: list[Slip] = []
        for number, slip in enumerate(slips):
            where = (*place, "slip", number)
            if not isinstance(slip, dict) or "text" not in slip:
                self.fail(where, "lessons.file_slip")
            self.keys(slip, ("name", "answer", "text"), where)
            name = self.name_at({"name": slip.get("name", f"slip{number + 1}")}, where)
            if "name" not in slip:
                slip["name"] = name  # its text has this name
            answer = self._formula(slip, "answer", where)
            if (not answer and not by_function) or name in {one.name for one in made}:
                self.fail(where, "lessons.file_slip")
            made.append(Slip(name, answer))
        return tuple(made)

    def _number(self, step: LessonStep, item: Mapping[str, object], place: Place) -> None:
        """Check a question in words: an answer, formulas that can be worked out, places that are filled."""
        if step.ask == NUMBER and bool(step.answer) + (step.range is not None) + bool(step.function) != 1:
            self.fail(place, "lessons.file_answer", step=step.name)
        if step.function:
            return  # its program says what it draws
        values: dict[str, int | Fraction] = {}
        for name, drawn in step.draw.items():
            where: Place = (*place, "draw", name)
            values[name] = drawn[0] if isinstance(drawn, tuple) else self._value(drawn, values, where)
        formulas = [("answer", step.answer)] if step.answer else []
        formulas += [("range", end) for end in step.range or ()]
        formulas += [("slip", slip.answer) for slip in step.slips]
        for key, formula in formulas:
            self._value(formula, values, (*place, key))
        if step.range is not None and not evaluate(step.range[0], values) < evaluate(step.range[1], values):
            self.fail((*place, "range"), "lessons.file_range", got=shown(list(step.range)))
        self._filled(place, {*values})

    def _filled(self, step: Place, known: set[str]) -> None:
        """Check that all places in the texts of a step are known."""
        for where, _, text in texts_of(self.data):
            if where[:2] == step and where[2] != "hint":
                for lang, one in text.items() if isinstance(text, dict) else ((self.languages[0], text),):
                    self._places(str(one), known, (*where, lang))

    def _value(self, formula: str, values: Mapping[str, int | Fraction], place: Place) -> Fraction:
        """The value with the least numbers. With others it may still fail, which `nimmt-lab lesson check` finds."""
        try:
            return evaluate(formula, values)
        except NotationError as error:
            if error.key == "lessons.divided_0" and names_in(formula):
                return Fraction(1)
            self.wrong(place, error)

    def _places(self, text: str, known: set[str] | None, place: Place) -> None:
        """Check that a text can be filled: its braces, and its places if all that may fill them are known."""
        try:
            found = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
        except ValueError:
            self.fail(place, "lessons.file_braces", key=_written(place))
        for name in found if known is not None else ():
            if known is not None and name not in known:
                self.fail(
                    place, "lessons.file_place", place=shown("{" + name + "}"), known=", ".join(sorted(known)) or "-"
                )


def _written(place: Place) -> str:
    """A place as people write it: step 2, text, en."""
    words: list[str] = []
    for part in place:
        if isinstance(part, int):
            words[-1] = f"{words[-1]} {part + 1}"
        else:
            words.append(part)
    return ", ".join(words)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _deciding(data: Mapping[str, object]) -> object:
    """What decides the answers: everything but the texts, except the options of a choice."""
    kept = {key: value for key, value in data.items() if key not in (*OF_LESSON, "hints", "words", "levels", "minutes")}
    steps = kept.get("step")
    if isinstance(steps, list):
        kept["step"] = [
            {
                key: [{part: one for part, one in slip.items() if part != "text"} for slip in value]
                if key == "slip" and isinstance(value, list)
                else value
                for key, value in step.items()
                if key not in OF_STEP
            }
            for step in steps
        ]
    return json.loads(json.dumps(kept, default=str))
