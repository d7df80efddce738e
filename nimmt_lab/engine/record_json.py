"""Records as JSON: one object with a version, one line per turn, each with a checksum.

    {"format": "nimmt-record/2",
     "game": {"system": "classic", "players": 4},
     "seed": 7,
     …
     "turns": [
      {"turn": "1", "choices": [{"A": "14", "B": "15", "C": "44", "D": "61"}], "check": "1a2b"},
      …

Records of format 1 are converted.
"""

from __future__ import annotations

import json
import re
from collections import deque
from typing import NoReturn

from .cards import seat_letter, seat_of_letter
from .errors import NimmtError, RecordError
from .files import MOST_DIGITS, parse_json, shown
from .record import Record
from .record_text import Chain, Player, end_line, used_up
from .registry import from_options
from .sentences import Phrase

__all__ = ["FORMAT", "VERSION", "Reader", "write_json"]


FORMAT = "nimmt-record"
VERSION = 2


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def write_json(record: Record) -> str:
    """Write a record as JSON."""
    chain = Chain()
    head: dict[str, object] = {"format": f"{FORMAT}/{VERSION}", "game": record.game.to_json(), "seed": record.seed}
    if record.start is not None:
        head["start"] = record.start
    head["tags"] = dict(sorted(record.tags.items()))
    head["check"] = chain.add(_canonical(head))
    turns = []
    for index, (label, steps) in enumerate(record.lines):
        choices = [
            {seat_letter(seat): step.before.pending[seat].write(choice) for seat, choice in step.choices.items()}
            for step in steps
        ]
        turn: dict[str, object] = {"turn": label, "choices": choices}
        if index in record.comments:
            turn["comment"] = record.comments[index]
        turn["check"] = chain.add(_canonical(turn))
        turns.append(json.dumps(turn, ensure_ascii=False))
    end: dict[str, object] = {"result": end_line(record)}
    end["check"] = chain.add(_canonical(end))
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    body = ",\n".join(f"  {turn}" for turn in turns)
    return "{\n" + "\n".join(lines) + '\n "turns": [\n' + body + '\n ],\n "end": ' + json.dumps(end) + "\n}\n"


class Reader:
    """Reads a record; errors name the line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.chain = Chain()

    def fail(self, key: str, check: int = 0, /, **fields: object) -> NoReturn:
        """Raise an error at the line of a checksum: the header has the first, the end the last."""
        # A quote inside a JSON string is escaped, so this can only be a key.
        places = [match.start() for match in re.finditer(r'"check"\s*:', self.text)]
        at = places[min(check, len(places) - 1)] if places else 0
        raise RecordError.of(Phrase(key, **fields), line=self.text.count("\n", 0, at) + 1)

    def read(self) -> Record:
        data = parse_json(self.text, error=RecordError)
        if not isinstance(data, dict):
            self.fail("engine.record_json_object")
        version = self.version(data.get("format"))
        turns = data.pop("turns", None)
        end = data.pop("end", None)
        if not isinstance(turns, list):
            self.fail("engine.record_has_no")
        self.verify(data, "the head", 0)
        player = self.start(data, version)
        comments = {}
        for number, turn in enumerate(turns):
            self.verify(turn, f"turn {number + 1}", number + 1)
            self.play(player, turn, number)
            if "comment" in turn:
                if not isinstance(turn["comment"], str):
                    self.fail("engine.comment_text", number + 1)
                comments[len(player.labels) - 1] = turn["comment"]
        if not isinstance(end, dict):
            self.fail("engine.record_cut_off", len(turns) + 1)
        self.verify(end, "the end", len(turns) + 1)
        tags = data.get("tags", {})
        if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
            self.fail("engine.tags_texts_name")
        try:
            record = player.record.noted(tags, comments)
        except NimmtError as error:
            self.fail("shared.inner", error=error)
        if end.get("result") != end_line(record):
            self.fail("engine.result_not", len(turns) + 1, record=repr(end_line(record)), got=shown(end.get("result")))
        return record

    def version(self, form: object) -> int:
        match = re.fullmatch(rf"{FORMAT}/([1-9][0-9]{{0,{MOST_DIGITS - 1}}})", form) if isinstance(form, str) else None
        if not match:
            self.fail("shared.expected_format", 0, format=f"{FORMAT}/{VERSION}", got=shown(form))
        if int(match.group(1)) > VERSION:
            line = self.text.count("\n", 0, max(self.text.find(match.group()), 0)) + 1
            raise RecordError("engine.newer", version=form, most=f"{FORMAT}/{VERSION}", line=line)
        return int(match.group(1))

    def verify(self, part: object, name: str, check: int) -> None:
        if not isinstance(part, dict):
            self.fail("engine.must_object", check, name=name)
        content = {key: value for key, value in part.items() if key != "check"}
        if part.get("check") != self.chain.add(_canonical(content)):
            self.fail("engine.record_was_changed", check, name=name)

    def start(self, data: dict[str, object], version: int) -> Player:
        rules, seed, start = data.get("game"), data.get("seed", 0), data.get("start")
        if not isinstance(rules, dict):
            self.fail("engine.game_must_object")
        if isinstance(seed, bool) or not isinstance(seed, int):
            self.fail("shared.seed_whole", got=shown(seed))
        if start is not None and not isinstance(start, str):
            self.fail("engine.start_must_position_text")
        try:
            return Player(Record(from_options(rules), (), seed, start), version)
        except NimmtError as error:
            self.fail("shared.inner", error=error)

    def play(self, player: Player, turn: dict[str, object], number: int) -> None:
        if not player.state.pending:
            self.fail("engine.more_play", number + 1)
        if turn.get("turn") != player.label:
            self.fail("engine.turn_expected", number + 1, label=player.label, got=shown(turn.get("turn")))
        steps = turn.get("choices")
        if not isinstance(steps, list):
            self.fail("engine.choices_must_list", number + 1)
        player.begin_line()
        for step in steps:
            if not isinstance(step, dict):
                self.fail("engine.choice_must_object", number + 1)
            queues: dict[int, deque[str]] = {}
            for letter, text in step.items():
                if not isinstance(text, str) or not re.fullmatch("[A-Z]", letter):
                    self.fail("engine.expected_seat_letter", number + 1, got=shown(letter), text=shown(text))
                queues[seat_of_letter(letter)] = deque([text])
            try:
                player.play(queues)
                if player.version == 1 and any(queues.values()):
                    player.play(queues)  # one choice of format 1 may be two today
                used_up(queues)
            except NimmtError as error:
                self.fail(error.key, number + 1, **error.fields)
