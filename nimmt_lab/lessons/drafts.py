"""A lesson as a form has it: plain fields for people who do not write files, and the file that they make.

>>> step = {"kind": "row", "rows": ["9", "23", "40", "71"], "hands": ["25 60", "44 62"], "plays": ["25", "44"]}
>>> text = written({"title": "My row", "language": "en", "steps": [step]}, "my_row")
>>> from .lessonfile import read_lesson
>>> from .rules import question_of
>>> question_of(read_lesson(text).steps[0]).right
frozenset({'2'})
"""

from __future__ import annotations

import copy
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from nimmt_lab.engine.cards import LAST_CARD, seat_letter
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import parse_toml

from .authoring import name_of_file
from .lessonfile import FORMAT
from .lessontexts import texts_of
from .rules import CHOICE, NUMBER

__all__ = ["KINDS", "OTHER", "READ", "WATCH", "blank", "draft_of", "file_stem", "lines_of", "written"]

READ: Final = "read"
#: One turn to watch.
WATCH: Final = "watch"
#: A step that the form cannot change: it stays as it is in the file.
OTHER: Final = "other"
#: Questions about a table, which the rules answer.
TABLES: Final = ("row", "takes", "heads", "best")
KINDS: Final = (READ, WATCH, *TABLES, CHOICE, NUMBER)
EXAMPLE_ROWS: Final = ("12 14 15", "37", "43 44", "58 61")
ROWS: Final = len(EXAMPLE_ROWS)
MOST_HANDS: Final = 4
#: The head of a file, in order.
_HEAD: Final = ("title", "aims", "activity", "notes", "summary")
_TEXTS: Final = ("text", "hint", "why")


def blank(kind: str = "row") -> dict[str, Json]:
    """A step to change: its table is an example that works."""
    texts: dict[str, Json] = dict.fromkeys(("name", "text", "hint", "why", "options", "answer", "low", "high"), "")
    table: dict[str, Json] = {"rows": [*EXAMPLE_ROWS], "hands": ["21 26", "30 36"], "plays": ["26", "30"]}
    return {"kind": kind, **texts, **table, "right": 1, "slips": [], "more": {}, "raw": None}


def file_stem(title: str) -> str:
    """A file name for a title, without accents.

    >>> file_stem("Žaby i łąki!")
    'zaby_i_laki'
    """
    plain = unicodedata.normalize("NFKD", title.replace("ł", "l").replace("Ł", "L"))
    return name_of_file("".join(letter for letter in plain if not unicodedata.combining(letter)))


# Writing ---------------------------------------------------------------------------------------------------


def written(draft: Mapping[str, Json], name: str, version: int = 1) -> str:
    """The file of a draft."""
    language = _text(draft.get("language")) or "en"
    head: dict[str, Json] = {"format": FORMAT, "name": name, "version": version, "language": language}
    head |= {key: text for key in _HEAD if (text := _text(draft.get(key)))}
    extra = draft.get("extra")
    head |= extra if isinstance(extra, dict) else {}
    parts = [_table(head)]
    steps = draft.get("steps")
    for at, step in enumerate(steps if isinstance(steps, list) else [], 1):
        if isinstance(step, dict):
            parts.append("[[step]]\n" + _table(_step(step, at)))
    return "\n".join(parts)


def lines_of(text: str) -> list[int]:
    """The lines on which the steps of a written file begin."""
    return [at for at, line in enumerate(text.splitlines(), 1) if line == "[[step]]"]


def _step(step: Mapping[str, Json], at: int) -> dict[str, Json]:
    raw = step.get("raw")
    if step.get("kind") == OTHER and isinstance(raw, dict):
        return dict(raw)
    kind = _text(step.get("kind"))
    made: dict[str, Json] = {"name": _text(step.get("name")) or f"step{at}"}
    asks = kind not in (READ, WATCH)
    if asks:
        made["ask"] = kind
    made |= {key: text for key in _TEXTS if (text := _text(step.get(key))) and (asks or key == "text")}
    if kind in (WATCH, *TABLES):
        made |= _on_table(step, kind)
    elif kind == CHOICE:
        options = [line.strip() for line in _text(step.get("options")).splitlines() if line.strip()]
        made |= {"options": [*options], "right": step.get("right")}
    elif kind == NUMBER:
        low, high = _text(step.get("low")), _text(step.get("high"))
        made |= {"range": [low, high]} if low or high else {"answer": _text(step.get("answer"))}
    if kind in (CHOICE, NUMBER) and (slips := [*_slips(step, kind)]):
        made["slip"] = [*slips]
    more = step.get("more")
    return {"name": made["name"], **(more if isinstance(more, dict) else {}), **made}


def _slips(step: Mapping[str, Json], kind: str) -> Iterator[dict[str, Json]]:
    """The replies to wrong answers; of a choice, the answer is the number of an option."""
    slips = step.get("slips")
    for slip in slips if isinstance(slips, list) else ():
        parts = {key: _text(slip.get(key)) for key in ("name", "answer", "text")} if isinstance(slip, dict) else {}
        made: dict[str, Json] = {key: text for key, text in parts.items() if text}
        if kind == CHOICE and parts.get("answer", "").isdecimal():
            made["answer"] = int(parts["answer"])
        if parts.get("answer") or parts.get("text"):
            yield made


def _on_table(step: Mapping[str, Json], kind: str) -> dict[str, Json]:
    rows = [" ".join(_texts(step, "rows")[at : at + 1]).strip() for at in range(ROWS)]
    hands, plays = _texts(step, "hands"), _texts(step, "plays")
    if kind == "heads":  # only A's cards count; B holds as many others
        hands = [*hands[:1], _others([*rows, *hands[:1]], hands)]
    dealt = [f"{seat_letter(seat)}: {_cards(hand)}" for seat, hand in enumerate(hands) if hand.strip()]
    made: dict[str, Json] = {"position": " ; ".join([" | ".join(_cards(row) or "-" for row in rows), *dealt])}
    reveal: dict[str, Json] = {
        seat_letter(seat): play.strip()
        for seat, play in enumerate(plays)
        if play.strip() and not (kind == "best" and seat == 0)
    }
    if kind == WATCH:
        return {**made, "plays": [reveal]}
    if kind == "row" and plays and plays[0].strip().isdecimal():
        made["card"] = int(plays[0])
    if reveal and kind != "heads":
        made["reveal"] = reveal
    return made


def _others(seen: Sequence[str], hands: Sequence[str]) -> str:
    """As many cards as the first hand has, chosen from those not on the table."""
    count = len(_cards(hands[0]).split()) if hands else 0
    taken = set(_cards(" ".join(seen)).split())
    return " ".join([str(card) for card in range(1, LAST_CARD + 1) if str(card) not in taken][:count])


def _cards(text: str) -> str:
    """Cards as people separate them: by spaces, commas or semicolons."""
    return " ".join(re.split(r"[\s,;]+", text.strip()))


def _table(items: Mapping[str, Json]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in items.items())


def _value(value: Json) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if value is None:
        return '""'
    # A control character inside a text has an escape in both languages, except for this one.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


# Reading ---------------------------------------------------------------------------------------------------


def draft_of(text: str, language: str = "") -> dict[str, Json] | None:
    """The draft of a file that can be read; None if a form cannot hold it: with a program, or in several languages
    unless one of them is named."""
    data = parse_toml(text)
    if language and "language" not in data:
        data = _in_one(data, language)
    language = str(data.get("language", ""))
    if not language or "program" in data or "questions" in data:
        return None
    steps = data.get("step")
    draft: dict[str, Json] = {"language": language, "steps": [_read(step) for step in _tables(steps)]}
    draft |= {key: _text(data.get(key)) for key in _HEAD}
    known = {*_HEAD, "format", "name", "version", "language", "step"}
    draft["extra"] = {key: _plain(value) for key, value in data.items() if key not in known}
    return draft


def _in_one(data: dict[str, object], language: str) -> dict[str, object]:
    """A file in several languages with the texts of one; unchanged if a text has no such language."""
    made: dict[str, object] = copy.deepcopy({**data, "language": language})
    for path, _, text in texts_of(made):
        if not isinstance(text, dict) or language not in text:
            return data
        _put(made, path, text[language])
    for step in _tables(made.get("step")):
        if isinstance(step, dict) and isinstance(options := step.get("options"), dict):
            step["options"] = options.get(language)
    return made


def _put(data: dict[str, object], path: Sequence[str | int], text: object) -> None:
    inside: Any = data
    for part in path[:-1]:
        inside = inside[part]
    inside[path[-1]] = text


def _tables(steps: object) -> Iterator[Mapping[str, object]]:
    yield from (step for step in (steps if isinstance(steps, list) else ()) if isinstance(step, dict))


def _read(step: Mapping[str, object]) -> dict[str, Json]:
    """A step with the fields of the form, if they make the same step again; otherwise as it is."""
    raw = {key: _plain(value) for key, value in step.items()}
    other = {**blank(OTHER), "name": _text(step.get("name")), "text": _text(step.get("text")), "raw": raw}
    turns = step.get("plays")
    one_turn = isinstance(turns, list) and len(turns) == 1 and "position" in step
    kind = _text(step.get("ask")) or (WATCH if one_turn else READ)
    if kind not in KINDS:
        return other
    made = blank(kind) | {"name": other["name"]} | {key: _text(step.get(key)) for key in _TEXTS}
    if kind in (WATCH, *TABLES):
        rows, *sections = _text(step.get("position")).split(";")
        hands = [section.partition(":")[2].strip() for section in sections]
        if len(hands) > MOST_HANDS:
            return other
        reveal = turns[0] if kind == WATCH and isinstance(turns, list) else step.get("reveal")
        plays = reveal if isinstance(reveal, dict) else {}
        made["rows"] = [row.strip() for row in rows.split("|")]
        made["hands"] = [*hands]
        made["plays"] = [_text(plays.get(seat_letter(seat))) for seat in range(len(hands))]
    elif kind == CHOICE:
        options = step.get("options")
        made["options"] = "\n".join(map(str, options)) if isinstance(options, list) else ""
        made["right"] = _plain(step.get("right"))
    else:
        ends = step.get("range")
        low, high = ends if isinstance(ends, list) and len(ends) == 2 else ("", "")
        answer = step.get("answer", "")
        made |= {"answer": str(answer), "low": str(low), "high": str(high)}
    if kind in (CHOICE, NUMBER):
        made["slips"] = [
            {key: str(slip.get(key, "")) for key in ("name", "answer", "text")} for slip in _tables(step.get("slip"))
        ]
    # What the form has no field for stays as it is.
    made["more"] = {key: value for key, value in raw.items() if key not in _step(made, 1)}
    return made if _same(_step(made, 1), raw) else other


def _same(made: Mapping[str, Json], raw: Mapping[str, Json]) -> bool:
    """Whether the form would write the same step; numbers may have become texts."""
    return _normal({**made}) == _normal({**raw})


def _normal(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _normal(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_normal(one) for one in value]
    return " ".join(str(value).split())


def _plain(value: object) -> Json:
    made: Json = json.loads(json.dumps(value, default=str))
    return made


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(step: Mapping[str, Json], key: str) -> Sequence[str]:
    value = step.get(key)
    return [one if isinstance(one, str) else "" for one in value] if isinstance(value, list) else []
