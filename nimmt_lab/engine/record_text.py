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

A turn is a line: each seat's letter and card, with what the seat had to choose later in the turn behind it (`@2`:
took row 2). The last line is `=` and the totals when the game is over, `*` when it is not. `#…` is a check on
everything up to there. The reader is lenient with what a person types: without the first line, the checks, the
labels and the last line may be missing, and so may choices that have a default. A turn that is not over ends
in `...`.

Records of format 1 are read, too, and converted: some things were asked otherwise then (see `Player`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import NoReturn

from .cards import Seat, seat_letter, seat_of_letter
from .decisions import Choice, Decision
from .errors import IllegalChoice, NimmtError, NotationError, RecordError
from .files import MOST_DIGITS, parse_json, shown
from .game import Game
from .record import Record, Step
from .registry import from_options
from .sentences import Phrase
from .state import GameState

__all__ = [
    "ATTACHED",
    "FORMAT",
    "LONGEST_LINE",
    "LONGEST_RULES",
    "MOST_OPTIONS",
    "VERSION",
    "Chain",
    "Player",
    "end_line",
    "header",
    "is_answered",
    "next_choices",
    "read_rules",
    "read_text",
    "split_line",
    "used_up",
    "write_line",
    "write_text",
]


FORMAT = "nimmt-game"
VERSION = 2

#: What begins a choice that is written behind the card of the same seat.
ATTACHED = "@!>"

_HEADER = re.compile(r"(\w+)\s*:\s*(.*)")
_LABEL = re.compile(r"((?:[0-9]{1,9}/)?d?[0-9]{1,9})\.\s*")
_CHECK = re.compile(r"#([0-9a-fA-F]{4})\Z")
_OPTION = re.compile(r"([A-Za-z_]+)=")
_WORD = re.compile(r"\S+")
#: The longest line of rules: a board's or a deck's data, and room.
LONGEST_RULES = 200_000
MOST_OPTIONS = 50
_TOKEN = re.compile(r"([A-Z])(\S+)")


class Chain:
    """A running check: what it says after a line depends on every line so far."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, text: str) -> str:
        """Take a line in; four hexadecimal digits that stand for everything so far."""
        self._hash.update(text.encode(errors="surrogatepass") + b"\n")  # such text is refused, and not for this
        return self._hash.hexdigest()[:4]


# Writing -------------------------------------------------------------------------------------------------


def header(record: Record) -> list[str]:
    """The lines before the play."""
    rules = record.game.to_json()
    lines = [f"game: {rules.pop('system')}", f"rules: {_write_rules(rules)}", f"seed: {record.seed}"]
    if record.start is not None:
        lines.append(f"start: {record.start}")
    lines += [f"{key}: {value}" for key, value in sorted(record.tags.items())]
    return lines


def _write_rules(rules: Mapping[str, object]) -> str:
    return " ".join(f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in rules.items())


def write_line(label: str, steps: Iterable[Step], *, whole: bool = True) -> str:
    """One line of play: `3. A3@2 B9 C68 D83`. A turn that is not over yet says everything, and ends in `...`."""
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
    words = [token for seat in sorted(tokens, key=_seat_order) for token in tokens[seat]]
    return " ".join([f"{label}.", *words, *([] if whole else ["..."])])


def _seat_order(seat: Seat) -> tuple[bool, Seat]:
    """Players first, whoever else decides (a team) behind them."""
    return seat < 0, seat


def end_line(record: Record) -> str:
    """`= 12 9 30 22` when the game is over, `*` when it is not."""
    return "= " + " ".join(map(str, record.outcome.totals)) if record.outcome else "*"


def write_text(record: Record) -> str:
    """The whole record."""
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
            comment = "{ " + _escape(record.comments[index]) + " }"
            chain.add(comment)
            lines.append(comment)
    end = end_line(record)
    lines.append(f"{end} #{chain.add(end)}")
    return "\n".join(lines) + "\n"


def _escape(comment: str) -> str:
    return json.dumps(comment, ensure_ascii=False)[1:-1].replace('\\"', '"')


def _unescape(text: str) -> str:
    try:
        return str(json.loads('"' + re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', text) + '"'))
    except ValueError:
        return text


# Reading -------------------------------------------------------------------------------------------------


class Player:
    """Plays a record on by texts of each seat, decision by decision: every choice is made once, as it is read.

    Format 1 says nothing of a decision whose only option is its default, because that was not asked then. What a game
    wrote in other words it translates itself (`Game.renewed`).
    """

    def __init__(self, record: Record, version: int = VERSION) -> None:
        self.record = record
        self.version = version
        self.labels: list[str] = []
        self._settle()

    @property
    def state(self) -> GameState:
        """Where the record has come to."""
        return self.record.final

    @property
    def label(self) -> str:
        """The label of the line that the next choice belongs to."""
        return self.state.game.line_label(self.state)

    def play(self, queues: dict[Seat, deque[str]]) -> None:
        """Make the choice that is asked now, taking the next text of each seat."""
        self._choose(next_choices(self.state, queues))
        self._settle()

    def _choose(self, choices: Mapping[Seat, Choice]) -> None:
        self.begin_line()
        self.record = self.record.then(choices)

    def _settle(self) -> None:
        """Make the choices that format 1 left out."""
        while self.version == 1 and self.state.pending:
            decisions = self.state.pending.items()
            sole = {seat: d.default for seat, d in decisions if d.default is not None and len(d.options) == 1}
            if len(sole) < len(decisions):
                break
            self._choose(sole)

    def begin_line(self) -> None:
        """Note the line that the next choice belongs to, unless it goes on with the last one."""
        if not self.labels or self.labels[-1] != self.label:
            self.labels.append(self.label)

    def play_line(self, queues: dict[Seat, deque[str]], *, whole: bool) -> None:
        """Make every choice of the line that the state is at; of a line that is not `whole`, those it says."""
        label = self.label
        self.begin_line()
        while self.state.pending and self.label == label and (whole or any(queues.values())):
            self.play(queues)
        used_up(queues)

    def play_texts(self, queues: dict[Seat, deque[str]]) -> None:
        """Make the choices that are said, and no others."""
        while is_answered(self.state, queues):
            self.play(queues)
        used_up(queues)


def is_answered(state: GameState, queues: Mapping[Seat, deque[str]]) -> bool:
    """Whether a seat that is asked now has something to say."""
    return any(queues.get(seat) for seat in state.pending)


def next_choices(state: GameState, queues: dict[Seat, deque[str]]) -> dict[Seat, Choice]:
    """What is asked now, answered by the next text of each seat."""
    for seat in state.pending:
        if queues.get(seat):
            _renew(state, seat, queues)
    return {seat: _answer(seat, decision, queues.get(seat, deque())) for seat, decision in state.pending.items()}


def _renew(state: GameState, seat: Seat, queues: dict[Seat, deque[str]]) -> None:
    """Put a seat's next text into the words of today, where it is in those of an earlier format."""
    renewed = state.game.renewed(state, seat, queues[seat][0])
    if renewed:
        queues[seat].popleft()
        for other, text in renewed.items():
            queues.setdefault(other, deque()).appendleft(text)


def _answer(seat: Seat, decision: Decision, texts: deque[str]) -> Choice:
    default = decision.default
    if not texts:
        if default is None:
            raise NotationError("engine.no_choice", who=seat_letter(seat))
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
    """Every text must have been asked for."""
    for seat, left in queues.items():
        if left:
            raise NotationError("engine.not_asked_for", who=seat_letter(seat), left=shown(left[0]))


def read_rules(system: str, text: str, *, paths: bool = False) -> Game:
    """A game from its name and `players=4 edition="002"`. `paths`: see `from_options`."""
    if len(text) > LONGEST_RULES:
        raise NotationError("engine.rules_letters_at", count=f"{len(text):,}", most=f"{LONGEST_RULES:,}")
    options: dict[str, object] = {"system": system}
    while found := _WORD.search(text):
        match = _OPTION.match(found.group())
        if not match:
            raise NotationError("engine.option_value", got=shown(found.group()))
        name = match.group(1)
        if len(options) > MOST_OPTIONS:
            raise NotationError("engine.more_than_options", most_options=MOST_OPTIONS)
        if name in options:
            if name == "system":
                raise NotationError("engine.system_no_option")
            raise NotationError("engine.is_twice", key=shown(name))
        rest = text[found.start() + match.end() :]
        options[name], text = _value(rest)
    return from_options(options, paths=paths)


def _value(text: str) -> tuple[object, str]:
    """The value that text begins with, JSON or a plain word, and what follows it."""
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


#: No turn of any game needs a hundredth of it.
LONGEST_LINE = 100_000


def split_line(body: str) -> dict[Seat, deque[str]]:
    """The texts of each seat on a line of play: `A3@2` gives A `3`, then `@2`."""
    if len(body) > LONGEST_LINE:
        raise NotationError("engine.line_play_signs", count=f"{len(body):,}", most=f"{LONGEST_LINE:,}")
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


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")  # and nowhere else: a comment may hold rarer line ends
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
                except NotationError as error:
                    self.fail(error.key, number, **error.fields)
                except NimmtError as error:
                    self.fail(error.key, number, **error.fields)
        if self.strict and not self.ended:
            self.fail("engine.record_cut", max(len(self.lines) - 1, 0))
        player = self.start(len(self.lines) - 1)
        known = {"game", "rules", "seed", "start", "check"}
        tags = {key: value for key, (value, _) in self.fields.items() if key not in known}
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
                key = key.lower() if key.lower() in ("game", "rules", "seed", "start", "check") else key
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
        return at

    def start(self, at: int) -> Player:
        """Set the game up once the head is known."""
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
        else:
            if not player.state.pending:
                self.fail("engine.more_play", at)
            if label and label != player.label:
                self.fail("engine.turn_expected", at, label=player.label, got=label)
            self.verify(content, check, at)
            whole = not body.endswith("...")
            player.play_line(split_line(body.removesuffix("...")), whole=whole)
            return
        self.verify(content, check, at)

    def verify(self, content: str, check: str | None, at: int) -> None:
        expected = self.chain.add(content)
        if check is None:
            if self.strict:
                self.fail("engine.line_no_check", at)
        elif self.strict and check.lower() != expected:
            self.fail("engine.line_changed", at, check=check)

    def end(self, body: str, player: Player, at: int) -> None:
        self.ended = True
        outcome = player.state.outcome
        if body.startswith("*"):
            if outcome:
                self.fail("engine.star_over", at)
            return
        said = body[1:].split()
        if not outcome:
            self.fail("engine.equals_on", at)
        if said and said != [str(total) for total in outcome.totals]:
            self.fail("engine.totals_are", at, totals=" ".join(map(str, outcome.totals)), got=shown(" ".join(said)))


def read_text(text: str) -> Record:
    """Read a record's text."""
    return _Reader(text).read()
