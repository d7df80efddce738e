"""Records as text, the way PGN serves chess.

    nimmt-game/2
    game: classic
    rules: players=4
    seed: 7
    A: Ann
    check: 9f2c

    1. A14 B15 C44 D61 #1a2b
    2. A3@2 B9 C68 D83 #77a0
    { A had nothing better }
    * #03bd

A turn is a line with the letter and card of each seat, followed by its later choices in that turn (`@2`: took row 2).
The last line is `=` and the totals of a finished game, or `*`. `#…` is a checksum of everything so far. An unfinished
turn ends in `...`. The reader is lenient with typed text: without the first line, checksums, labels and the last line
may be missing, and so may choices that have a default. Records of format 1 are converted (see `Player`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

from .cards import Seat, is_seat_letter, seat_letter, seat_of_letter
from .decisions import Choice, Decision
from .errors import IllegalChoice, NimmtError, NotationError, RecordError
from .events import Event
from .files import MOST_DIGITS, parse_json, shown
from .game import Game
from .inflect import Figure
from .record import RESERVED_TAGS, Record, Step
from .registry import from_options
from .sentences import Phrase
from .state import GameState

__all__ = [
    "Chain",
    "Player",
    "Reader",
    "end_line",
    "header",
    "is_answered",
    "next_choices",
    "play_lines",
    "play_texts",
    "read_rules",
    "split_line",
    "unsaid",
    "used_up",
    "write_text",
]


FORMAT = "nimmt-game"
VERSION = 2

#: Marks of choices that are written directly after the card of the seat.
ATTACHED = "@!>"

_HEADER = re.compile(r"(\w+)\s*:\s*(.*)")
_LABEL = re.compile(r"((?:[0-9]{1,9}/)?d?[0-9]{1,9})\.\s*")
_CHECK = re.compile(r"#([0-9a-fA-F]{4})\Z")
_OPTION = re.compile(r"([A-Za-z_]+)=")
_WORD = re.compile(r"\S+")
#: The longest line of rules, with the data of a board or deck.
LONGEST_RULES = 200_000
MOST_OPTIONS = 50
_TOKEN = re.compile(r"([A-Z])(\S+)")


class Chain:
    """A running checksum of all lines so far."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, text: str) -> str:
        """Add a line and return four hexadecimal digits."""
        self._hash.update(text.encode(errors="surrogatepass") + b"\n")  # such text is rejected elsewhere
        return self._hash.hexdigest()[:4]


def header(record: Record) -> list[str]:
    """The lines before the first turn."""
    rules = record.game.to_json()
    system = rules.pop("system")
    options = " ".join(f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in rules.items())
    lines = [f"game: {system}", f"rules: {options}", f"seed: {record.seed}"]
    if record.start is not None:
        lines.append(f"start: {record.start}")
    lines += [f"{key}: {value}" for key, value in sorted(record.tags.items())]
    return lines


def write_line(label: str, steps: Iterable[Step], *, whole: bool = True) -> str:
    """One line of play: `3. A3@2 B9 C68 D83`. An unfinished turn lists defaults, too, and ends in `...`."""
    tokens: dict[Seat, list[str]] = {}
    for step in steps:
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            if whole and choice == decision.default:
                continue
            text = decision.write(choice)
            own = tokens.setdefault(seat, [])
            if own and text[:1] in ATTACHED:
                own[-1] += text
            else:
                own.append(seat_letter(seat) + text)
    words = [token for seat in sorted(tokens, key=lambda seat: (seat < 0, seat)) for token in tokens[seat]]
    return " ".join([f"{label}.", *words, *([] if whole else ["..."])])


def end_line(record: Record) -> str:
    """`= 12 9 30 22` for a finished game, otherwise `*`."""
    return "= " + " ".join(map(str, record.outcome.totals)) if record.outcome else "*"


def write_text(record: Record) -> str:
    """Write a record as text, with a check on every line."""
    chain = Chain()
    lines = [f"{FORMAT}/{VERSION}", *header(record)]
    for line in lines[:-1]:
        chain.add(line)
    lines += [f"check: {chain.add(lines[-1])}", ""]
    for index, (label, steps) in enumerate(record.lines):
        last = index == len(record.lines) - 1 and bool(record.final.pending)
        line = write_line(label, steps, whole=not (last and record.game.line_label(record.final) == label))
        lines.append(f"{line} #{chain.add(line)}")
        if index in record.comments:
            text = json.dumps(record.comments[index], ensure_ascii=False)[1:-1].replace('\\"', '"')
            comment = f"{{ {text} }}"
            chain.add(comment)
            lines.append(comment)
    end = end_line(record)
    lines.append(f"{end} #{chain.add(end)}")
    return "\n".join(lines) + "\n"


def _unescape(text: str) -> str:
    try:
        return str(json.loads('"' + re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', text) + '"'))
    except ValueError:
        return text


class Player:
    """Extends a record with the texts of each seat, decision by decision. Format 1 omits decisions whose only option is
    the default. Games translate their old notation (`Game.renewed`)."""

    def __init__(self, record: Record, version: int = VERSION) -> None:
        self.record = record
        self.version = version
        self.labels: list[str] = []
        self._settle()

    @property
    def state(self) -> GameState:
        return self.record.final

    @property
    def label(self) -> str:
        """The label of the line that the next choice belongs to."""
        return self.state.game.line_label(self.state)

    def play(self, queues: dict[Seat, deque[str]]) -> None:
        """Answer the pending decisions with the next text of each seat."""
        self._choose(next_choices(self.state, queues))
        self._settle()

    def _choose(self, choices: Mapping[Seat, Choice]) -> None:
        self.begin_line()
        self.record = self.record.then(choices)

    def _settle(self) -> None:
        """Make the choices that format 1 omits."""
        while self.version == 1 and self.state.pending:
            decisions = self.state.pending.items()
            sole = {seat: d.default for seat, d in decisions if d.default is not None and len(d.options) == 1}
            if len(sole) < len(decisions):
                break
            self._choose(sole)

    def begin_line(self) -> None:
        """Start a line for the next choice, unless it continues the last one."""
        if not self.labels or self.labels[-1] != self.label:
            self.labels.append(self.label)

    def play_line(self, queues: dict[Seat, deque[str]], *, whole: bool) -> None:
        """Make every choice of the current line; of a line that is not `whole`, those it lists."""
        label = self.label
        self.begin_line()
        while self.state.pending and self.label == label and (whole or any(queues.values())):
            self.play(queues)
        used_up(queues)

    def play_texts(self, queues: dict[Seat, deque[str]]) -> None:
        """Make the listed choices only."""
        while is_answered(self.state, queues):
            self.play(queues)
        _asked_first(self.state, queues)
        used_up(queues)


def play_texts(state: GameState, queues: dict[Seat, deque[str]]) -> tuple[GameState, tuple[Event, ...]]:
    """Make the listed choices only; return the state after them, with the events."""
    events = list[Event]()
    while is_answered(state, queues):
        state, happened = state.choose(next_choices(state, queues))
        events += happened
    _asked_first(state, queues)
    used_up(queues)
    return state, tuple(events)


def play_lines(text: str, play: Callable[[dict[Seat, deque[str]]], object]) -> None:
    """Play each line of a text by itself, so that no choice is taken from the next line. Errors of several lines name
    the line."""
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        body = line and line.strip()
        if not body or body.startswith("//"):
            continue
        label = _LABEL.match(body)
        try:
            play(split_line(body[label.end() :] if label else body))
        except NimmtError as error:
            if len(lines) == 1:
                raise
            raise NotationError.of(error, line=number) from error


def _asked_first(state: GameState, queues: Mapping[Seat, deque[str]]) -> None:
    """Refuse texts that come before the row of a low card, for example."""
    if any(queues.values()):
        for seat, decision in state.pending.items():
            if decision.prefix and decision.default is None and not queues.get(seat):
                raise unsaid(seat, decision)


def unsaid(seat: Seat, decision: Decision) -> NotationError:
    """The error for a choice that nothing on the line makes, with an example of it."""
    known = " ".join(map(decision.write, decision.options[:6]))
    card = getattr(decision, "card", None)
    if card is None:
        return NotationError("engine.no_choice", who=seat_letter(seat))
    who, example = seat_letter(seat), decision.write(decision.options[0])
    return NotationError("engine.row_unsaid", who=who, card=card, who_too=who, example=example, known=known)


def is_answered(state: GameState, queues: Mapping[Seat, deque[str]]) -> bool:
    """Whether there is a text for any pending seat."""
    return any(queues.get(seat) for seat in state.pending)


def next_choices(state: GameState, queues: dict[Seat, deque[str]]) -> dict[Seat, Choice]:
    """Read the next text of each pending seat as its choice."""
    for seat in state.pending:
        if queues.get(seat):
            _renew(state, seat, queues)
    return {seat: _answer(seat, decision, queues.get(seat, deque())) for seat, decision in state.pending.items()}


def _renew(state: GameState, seat: Seat, queues: dict[Seat, deque[str]]) -> None:
    """Translate the next text of a seat from an earlier format."""
    renewed = state.game.renewed(state, seat, queues[seat][0])
    if renewed:
        queues[seat].popleft()
        for other, text in renewed.items():
            queues.setdefault(other, deque()).appendleft(text)


def _answer(seat: Seat, decision: Decision, texts: deque[str]) -> Choice:
    default = decision.default
    if not texts or (decision.prefix and default is None and not texts[0].startswith(decision.prefix)):
        if default is None:  # a bare number is the next card, never a row
            raise unsaid(seat, decision)
        return default
    try:
        choice = decision.accept(seat, decision.read(texts[0]))
    except (NotationError, IllegalChoice):
        if default is None:
            raise
        return default
    texts.popleft()
    return choice


def used_up(queues: Mapping[Seat, deque[str]]) -> None:
    """Refuse texts that no decision asked for."""
    for seat, left in queues.items():
        if left:
            raise NotationError("engine.not_asked_for", who=seat_letter(seat), left=shown(left[0]))


def read_rules(system: str, text: str, *, paths: bool = False) -> Game:
    """Make a game from its name and `players=4 edition="002"`. `paths`: see `from_options`."""
    if len(text) > LONGEST_RULES:
        raise NotationError("engine.rules_letters_at", count=Figure(len(text)), most=Figure(LONGEST_RULES))
    options: dict[str, object] = {"system": system}
    while word := _WORD.search(text):
        match = _OPTION.match(word.group())
        if not match:
            raise NotationError("engine.option_value", got=shown(word.group()))
        name = match.group(1)
        if len(options) > MOST_OPTIONS:
            raise NotationError("engine.more_than_options", most_options=MOST_OPTIONS)
        if name in options:
            if name == "system":
                raise NotationError("engine.system_no_option")
            raise NotationError("engine.is_twice", key=shown(name))
        rest = text[word.start() + match.end() :]
        options[name], text = _value(rest)
    return from_options(options, paths=paths)


def _value(text: str) -> tuple[object, str]:
    """Split text into its first value, JSON or a plain word, and the rest."""
    word = _WORD.match(text)
    plain = word.group() if word else ""
    if not plain or plain[0] not in '{["-0123456789tfn':
        return plain, text[len(plain) :]
    end = len(plain)
    if plain[0] in '{["':
        try:
            _, end = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode(text)
        except (ValueError, RecursionError):
            end = len(plain)
        if text[end : end + 1].strip():
            return plain, text[len(plain) :]
    try:
        return parse_json(text[:end]), text[end:]
    except NotationError:
        return plain, text[len(plain) :]


LONGEST_LINE = 100_000
#: How alike a key and a misspelt one are (`difflib`).
_ALIKE = 0.7


def split_line(body: str) -> dict[Seat, deque[str]]:
    """The texts of each seat on a line of play: `A3@2` gives A `3`, then `@2`."""
    if len(body) > LONGEST_LINE:
        raise NotationError("engine.line_play_signs", count=Figure(len(body)), most=Figure(LONGEST_LINE))
    queues: dict[Seat, deque[str]] = {}
    for word in body.replace(",", " ").split():
        match = _TOKEN.fullmatch(word[:1].upper() + word[1:])
        if not match:
            raise NotationError("engine.seat_choice", got=shown(word))
        seat = seat_of_letter(match.group(1))
        text = match.group(2)
        pieces = [text] if seat < 0 else re.split(f"(?<=.)(?=[{ATTACHED}])", text)
        queues.setdefault(seat, deque()).extend(pieces)
    return queues


class Reader:
    """Reads a record; errors name the line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")  # not splitlines: a comment may contain other line separators
        self.chain = Chain()
        self.strict = False
        self.format = VERSION
        self.fields: dict[str, tuple[str, int]] = {}
        self.comments: dict[int, str] = {}
        self.player: Player | None = None
        self.ended = False

    def fail(self, key: str, at: int, /, **fields: object) -> NoReturn:
        raise RecordError.of(Phrase(key, **fields), line=at + 1)

    def read(self) -> Record:
        at = 0
        while at < len(self.lines) and not self.lines[at].strip():
            at += 1
        if at < len(self.lines) and "/" in self.lines[at] and self.lines[at].strip().startswith(FORMAT):
            self.version(self.lines[at].strip(), at)
            at += 1
        first = self.header(at)
        for number, text in enumerate(self.lines[first:], start=first):
            line = text.strip()
            if line and not line.startswith("//"):
                try:
                    self.line(line, number)
                except RecordError:
                    raise
                except NimmtError as error:
                    self.fail(error.key, number, **error.fields)
        if self.strict and not self.ended:
            self.fail("engine.record_cut", max(len(self.lines) - 1, 0))
        player = self.start(len(self.lines) - 1)
        tags = {key: value for key, (value, _) in self.fields.items() if key not in RESERVED_TAGS}
        return player.record.noted(tags, self.comments)

    def version(self, line: str, at: int) -> None:
        number = line.partition("/")[2]
        if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS and int(number)):
            self.fail("shared.record_format", at, format=f"{FORMAT}/{VERSION}", got=shown(line))
        if int(number) > VERSION:
            self.fail("engine.written_newer_version", at, at_line=line, most=FORMAT, version=VERSION)
        self.format = int(number)
        self.strict = True
        self.chain.add(line)

    def header(self, at: int) -> int:
        check = ""
        while at < len(self.lines):
            line = self.lines[at].strip()
            match = _HEADER.fullmatch(line)
            if line and not match:
                break
            if match:
                key, value = match.group(1), match.group(2).strip()
                key = key.lower() if key.lower() in RESERVED_TAGS else key
                if key in self.fields:
                    self.fail("engine.is_twice", at, key=shown(key))
                self.fields[key] = (value, at)
                if key == "check":
                    if value.lower() != check:
                        self.fail("engine.head_changed", at, value=shown(value))
                    at += 1
                    break
                check = self.chain.add(line)
            at += 1
        if self.strict and "check" not in self.fields:
            self.fail("engine.head_cut", max(at - 1, 0))
        if not self.strict:
            self.known_keys()
        return at

    def known_keys(self) -> None:
        """Refuse a typed key that is probably one of ours, misspelt, or that stands for the missing deal: taken for a
        fact about the game, it would deal the cards of seed 0."""
        from difflib import get_close_matches

        is_dealt = "seed" in self.fields or "start" in self.fields
        for key, (_, at) in self.fields.items():
            if key in RESERVED_TAGS or is_seat_letter(key):
                continue
            if not is_dealt or get_close_matches(key.lower(), RESERVED_TAGS, 1, _ALIKE):
                self.fail("engine.head_key", at, key=shown(key), known=", ".join(RESERVED_TAGS[:-1]))

    def start(self, at: int) -> Player:
        """Set up the game after the header."""
        if self.player is None:
            game, where = self.fields.get("game", ("", at))
            if not game:
                self.fail("engine.head_game", max(at, 0))
            try:
                rules = read_rules(game, self.fields.get("rules", ("", where))[0])
            except NimmtError as error:
                self.fail("shared.inner", self.fields.get("rules", ("", where))[1], error=error)
            seed, seed_at = self.fields.get("seed", ("0", where))
            if not (seed.isascii() and seed.isdigit() and len(seed) <= 20):
                self.fail("shared.seed_whole", seed_at, got=shown(seed))
            start = self.fields.get("start")
            try:
                self.player = Player(Record(rules, (), int(seed), start[0] if start else None), self.format)
            except NimmtError as error:
                self.fail("shared.inner", start[1] if start else seed_at, error=error)
        return self.player

    def line(self, line: str, at: int) -> None:
        player = self.start(at)
        if self.ended:
            self.fail("engine.after_last", at, got=shown(line))
        if line.startswith("{"):
            if not line.endswith("}"):
                self.fail("engine.comment_end", at)
            if not player.labels:
                self.fail("engine.comment_place", at)
            self.chain.add(line)
            self.comments[len(player.labels) - 1] = _unescape(line[1:-1].strip())
            return
        match = _CHECK.search(line)
        check = match.group(1) if match else None
        content = line[: match.start()].rstrip() if match else line
        match = _LABEL.match(content)
        label = match.group(1) if match else None
        body = content[match.end() :] if match else content
        if body[:1] in ("=", "*"):
            self.end(body, player, at)
            self.verify(content, check, at)
            return
        if not player.state.pending:
            self.fail("engine.more_play", at)
        if label and label != player.label:
            self.fail("engine.turn_expected", at, label=player.label, got=label)
        self.verify(content, check, at)
        player.play_line(split_line(body.removesuffix("...")), whole=not body.endswith("..."))

    def verify(self, content: str, check: str | None, at: int) -> None:
        expected = self.chain.add(content)
        if self.strict and check is None:
            self.fail("engine.line_no_check", at)
        if self.strict and check is not None and check.lower() != expected:
            self.fail("engine.line_changed", at, check=check)

    def end(self, body: str, player: Player, at: int) -> None:
        self.ended = True
        outcome = player.state.outcome
        if body.startswith("*"):
            if outcome:
                self.fail("engine.star_over", at)
            return
        if not outcome:
            self.fail("engine.equals_on", at)
        written, totals = " ".join(body[1:].split()), " ".join(map(str, outcome.totals))
        if written and written != totals:
            self.fail("engine.totals_are", at, totals=totals, got=shown(written))
