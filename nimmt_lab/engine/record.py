"""A whole game as data: the rules, the start, and every choice.

A record replays to the same states and events, byte for byte. The constructor replays it, so every record is legal. It
is written as text (`record_text`) or JSON (`record_json`) with a checksum on every line, so that errors can name the
place where a file was changed or cut off.

>>> from nimmt_lab import Classic
>>> game = Classic(players=2, hand_size=2, rounds=1)
>>> start = game.deal(seed=1)
>>> record = Record.from_play(game, 1, [{0: start.hands[0][0], 1: start.hands[1][0]}])
>>> record.final.turn
1
>>> Record.from_text(record.to_text()) == record
True
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from .cards import Seat, is_seat_letter, seat_letter, seat_number, seat_of_letter
from .decisions import Choice
from .errors import IllegalChoice, NotationError, RecordError, RulesError
from .events import Event, events_text
from .files import LARGEST, name_of, read_text, shown, write_file, write_new
from .game import Game
from .inflect import Figure
from .outcome import Outcome
from .rng import check_seed
from .sentences import Phrase
from .state import GameState, numbered
from .table import Moment

if TYPE_CHECKING:
    from .logs import Phrases

__all__ = ["HIDDEN", "LONGEST_COMMENT", "LONGEST_TAG", "MOST_TAGS", "RESERVED_TAGS", "TAG", "Choices", "Record", "Step"]


Choices = Mapping[Seat, Choice]


@dataclass(frozen=True)
class Step:
    """One transition of a replay: the state before, the choices, the events and the state after.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    >>> step = Step.of(state, {0: 14, 1: 15})
    >>> [(type(moment.event).__name__, moment.state.rows[0]) for moment in step.moments]
    [('CardsRevealed', (12,)), ('CardPlaced', (12, 14)), ('CardPlaced', (12, 14, 15))]
    """

    before: GameState
    #: In canonical form, by seat number.
    choices: Choices
    events: tuple[Event, ...]
    state: GameState

    @classmethod
    def of(cls, before: GameState, choices: Choices) -> Step:
        given = numbered(choices)
        state, events = before.choose(given)
        canonical = {seat: before.pending[seat].accept(seat, choice) for seat, choice in sorted(given.items())}
        return cls(before, MappingProxyType(canonical), events, state)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Every event with the state after it; a step without events has one moment without an event."""
        return self.before.game.moments(self.before, self.choices)

    def __reduce__(self) -> tuple[object, ...]:
        return Step.of, (self.before, dict(self.choices))


@dataclass(frozen=True, eq=False)
class Record:
    """A game from its start to its latest choice. Records are equal if rules, starts, choices and notes are."""

    game: Game
    choices: tuple[Choices, ...] = ()
    seed: int = 0
    #: The position at the start; None for a game dealt from its seed.
    start: str | None = None
    #: Names of the players (under "A", "B", …) and other facts about the game.
    tags: Mapping[str, str] = field(default_factory=dict)
    #: Comments by index of the line that they follow (see `lines`).
    comments: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", check_seed(self.seed))
        object.__setattr__(self, "start", _start(self.start))
        object.__setattr__(self, "choices", tuple(dict(choices) for choices in self.choices))
        steps = self.steps  # replays, and refuses illegal choices
        object.__setattr__(self, "choices", tuple(step.choices for step in steps))
        self._check_notes()

    def _check_notes(self) -> None:
        object.__setattr__(self, "tags", MappingProxyType(_tags(self.tags)))
        object.__setattr__(self, "comments", MappingProxyType(_comments(self.comments)))
        for index in self.comments:
            if not 0 <= index < len(self.lines):
                raise RulesError("engine.comment_behind_line", number=index + 1, count=len(self.lines))

    @classmethod
    def from_play(cls, game: Game, seed: int, choices: Iterable[Choices]) -> Record:
        """Record these choices in a game dealt from `seed`."""
        return cls(game, tuple(choices), seed)

    @cached_property
    def opening(self) -> tuple[GameState, tuple[Event, ...]]:
        """The state at the start, and the events of dealing it."""
        if self.start is None:
            return self.game.opening(self.seed)
        return self.game.opening_from(self.start, seed=self.seed)

    @cached_property
    def opening_moments(self) -> tuple[Moment, ...]:
        """The events before the first decision, each with the state after it."""
        return self.game.opening_moments(self.seed, self.start)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All transitions from the start."""
        state = self.opening[0]
        steps = []
        for number, given in enumerate(self.choices):
            try:
                step = Step.of(state, given)
            except IllegalChoice as error:
                inner = Phrase(error.key, **error.fields)
                error.key, error.fields = "engine.choice_numbered", {"number": number + 1, "error": inner}
                raise
            steps.append(step)
            state = step.state
        return tuple(steps)

    @property
    def final(self) -> GameState:
        """The state after the last choice."""
        return self.steps[-1].state if self.steps else self.opening[0]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, including the deal."""
        return self.opening[1] + tuple(event for step in self.steps for event in step.events)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None until the game ends."""
        return self.final.outcome

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat, from the tags."""
        letters = {seat: seat_letter(seat) for seat in range(self.game.players)}
        return {seat: self.tags[letter] for seat, letter in letters.items() if letter in self.tags}

    def seat_of(self, who: Seat | str) -> Seat:
        """The seat of a player, given by number, letter or name.

        >>> from nimmt_lab import Classic
        >>> record = Record(Classic(players=2), tags={"A": "Ann", "B": "Bob"})
        >>> record.seat_of("Bob"), record.seat_of("b"), record.seat_of(1)
        (1, 1, 1)
        """
        if isinstance(who, str) and len(who.strip()) != 1:
            found = [seat for seat, name in self.names.items() if name.casefold() == who.strip().casefold()]
            if len(found) == 1:
                return found[0]
            if self.names:
                names = ", ".join(dict.fromkeys(self.names.values()))
                last = seat_letter(self.game.players - 1)
                raise RulesError("engine.no_player_named", who=shown(who), names=names, last=last)
        return seat_number(who, self.game.players, team=True)

    @property
    def hidden(self) -> frozenset[Seat]:
        """Seats with cards that nobody saw, in a record made from notes: their hands are invented."""
        return frozenset(
            seat_of_letter(letter) for letter in self.tags.get(HIDDEN, "").split() if is_seat_letter(letter)
        )

    @cached_property
    def lines(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        """The steps grouped by line of notation (a turn, for instance), each group with its label."""
        groups: list[tuple[str, list[Step]]] = []
        for step in self.steps:
            label = self.game.line_label(step.before)
            if not groups or groups[-1][0] != label:
                groups.append((label, []))
            groups[-1][1].append(step)
        return tuple((label, tuple(steps)) for label, steps in groups)

    def then(self, choices: Choices) -> Record:
        """This record with one more choice, without replaying the others."""
        step = Step.of(self.final, choices)
        return self._with(choices=(*self.choices, step.choices), steps=(*self.steps, step))

    def noted(self, tags: Mapping[str, str], comments: Mapping[int, str]) -> Record:
        """The same play with other tags and comments."""
        record = self._with(tags=tags, comments=comments)
        record._check_notes()
        return record

    def _with(self, **changed: object) -> Record:
        """A copy with other attributes, without replaying it."""
        known = ("game", "seed", "start", "tags", "comments", "choices", "opening", "steps")
        record = object.__new__(Record)
        record.__dict__.update({name: getattr(self, name) for name in known} | changed)
        return record

    def play(self, text: str) -> Record:
        """Continue with choices in notation, a line for each turn: `record.play("A14 B15 C44 D61")`.

        >>> from nimmt_lab import Classic
        >>> start = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 3 30"
        >>> Record(Classic(players=2), start=start).play("A14 B3@2").final.rows[:2]
        ((12, 14), (3,))
        """
        from .record_text import Player, play_lines

        player = Player(self)
        play_lines(text, player.play_texts)
        return player.record

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.game, self.seed, self.start, len(self.choices)))

    def _key(self) -> tuple[object, ...]:
        return (self.game, self.seed, self.start, self.choices, dict(self.tags), dict(self.comments))

    def __reduce__(self) -> tuple[object, ...]:
        choices = tuple(dict(choices) for choices in self.choices)
        return Record, (self.game, choices, self.seed, self.start, dict(self.tags), dict(self.comments))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Record of {self.game!r}, seed {self.seed}, {len(self.choices)} choices>"

    #: Draws the last state of a record as HTML, and makes a live board of it in a notebook; the package's front door
    #: sets both.
    painter: ClassVar[Callable[[Record], str] | None] = None
    displayer: ClassVar[Callable[[Record], tuple[dict[str, object], dict[str, object]] | None] | None] = None

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, object], dict[str, object]]:
        """A replay; where none can run, a picture of the last state and the text."""
        shown = None if Record.displayer is None else Record.displayer(self)
        if shown is not None:
            return shown
        drawn = self.game.html(self.final) if Record.painter is None else Record.painter(self)
        text = f"<details><summary>{escape(repr(self))}</summary><pre>{escape(str(self))}</pre></details>"
        return {"text/plain": str(self), "text/html": drawn + text}, {}

    def to_text(self) -> str:
        """The record as text for people."""
        from .record_text import write_text

        return write_text(self)

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Read a record's text; errors name the line."""
        from .record_text import Reader

        return Reader(text).read()

    @classmethod
    def from_notes(
        cls, text: str | os.PathLike[str], *, players: int | None = None, game: Game | str | None = None
    ) -> Record:
        """Read notes of one round at a real table: the rows, and what was played each turn. Hands are inferred.

        See `nimmt_lab.engine.notes_text` for their form; errors name the line.

        >>> record = Record.from_notes("rows: 12 37 43 58; 14 15; 2@3 9".replace("; ", chr(10)), players=2)
        >>> record.final.rows[2]
        (2, 9)
        """
        return cls._only(cls.rounds_from_notes(text, players=players, game=game))

    @classmethod
    def rounds_from_notes(
        cls, text: str | os.PathLike[str], *, players: int | None = None, game: Game | str | None = None
    ) -> tuple[Record, ...]:
        """Read notes of several rounds: a record of each, which starts with the totals of those before."""
        from .notes_text import read_notes

        return read_notes(read_text(text) if isinstance(text, os.PathLike) else text, players=players, game=game)

    @classmethod
    def from_csv(
        cls, text: str | os.PathLike[str], *, players: int | None = None, game: Game | str | None = None
    ) -> Record:
        """Read the plays of one round from CSV, a text or a file (see `nimmt_lab.engine.notes_text.plays_of_csv` for
        its columns)."""
        return cls._only(cls.rounds_from_csv(text, players=players, game=game), "rounds_from_csv")

    @classmethod
    def rounds_from_csv(
        cls, text: str | os.PathLike[str], *, players: int | None = None, game: Game | str | None = None
    ) -> tuple[Record, ...]:
        """Read the plays of several rounds from CSV: a record of each, as from notes."""
        from .notes_text import plays_of_csv, read_plays, text_of

        plays, names = plays_of_csv(text_of(text))
        return read_plays(plays, names=names, players=players, game=game)

    @classmethod
    def from_log(
        cls,
        log: str | os.PathLike[str],
        phrases: Phrases | str | os.PathLike[str] = "table-en",
        *,
        game: Game | str | None = None,
    ) -> Record:
        """Read one round from a table's log, a text or a file, with a file of phrases (see `nimmt_lab.engine.logs`)."""
        return cls._only(cls.rounds_from_log(log, phrases, game=game), "rounds_from_log")

    @classmethod
    def rounds_from_log(
        cls,
        log: str | os.PathLike[str],
        phrases: Phrases | str | os.PathLike[str] = "table-en",
        *,
        game: Game | str | None = None,
    ) -> tuple[Record, ...]:
        """Read several rounds from a table's log: a record of each, as from notes."""
        from .logs import read_log
        from .notes_text import text_of

        return read_log(text_of(log), phrases, game=game)

    @classmethod
    def _only(cls, records: tuple[Record, ...], call: str = "rounds_from_notes") -> Record:
        if len(records) > 1:
            raise NotationError("engine.notes_rounds", count=len(records), call=call)
        return records[0]

    def to_json(self) -> str:
        """The record as JSON, one line per turn."""
        from .record_json import write_json

        return write_json(self)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record's JSON; errors name the line."""
        from .record_json import Reader

        return Reader(text).read()

    def events_text(self) -> str:
        """One canonical line per event."""
        return events_text(self.events)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record, as JSON if the name ends in .json. The file is replaced as a whole or not at all."""
        path = Path(path)
        write_file(path, self._content(path))

    def save_new(self, folder: str | os.PathLike[str]) -> Path:
        """Write the record as text into a folder, under the first free name, such as `classic-1.nimmt`."""
        return write_new(folder, self.game.name, ".nimmt", self._content(Path(folder) / f"{self.game.name}.nimmt"))

    def _content(self, path: Path) -> str:
        from .registry import check_name

        check_name(self.game)
        content = self.to_json() if path.suffix == ".json" else self.to_text()
        if len(content) > LARGEST:  # bytes are at least as many
            raise RecordError("engine.too_long_read", count=Figure(len(content)), source=name_of(path))
        return content

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record file; errors name the file and the line."""
        text = read_text(path, error=RecordError)
        try:
            return cls.from_json(text) if text.lstrip().startswith("{") else cls.from_text(text)
        except NotationError as error:
            raise RecordError.of(error, line=error.line, column=error.column, source=name_of(path)) from error


#: The tag with the letters of seats whose hands are unknown.
HIDDEN = "hidden"
#: Header names of the text form, which tags cannot use.
RESERVED_TAGS = ("game", "rules", "seed", "start", "check")


#: The name of a tag: letters and digits of any language.
TAG = re.compile(r"\w+")
LONGEST_TAG = 1_000
LONGEST_COMMENT = 20_000
MOST_TAGS = 1_000


def _start(start: object) -> str | None:
    """Normalise the white space of position text."""
    if start is None:
        return None
    if not isinstance(start, str):
        raise RulesError("engine.start_must_position", got=shown(start))
    line = " ".join(start.split())
    if not line.isprintable():
        raise RulesError("engine.start_must_one", got=shown(start))
    return line


def _tags(tags: object) -> dict[str, str]:
    if not isinstance(tags, Mapping) or len(tags) > MOST_TAGS:
        raise RulesError("engine.tags_up_texts", most=MOST_TAGS, got=shown(tags))
    for key, text in tags.items():
        if not isinstance(key, str) or not TAG.fullmatch(key[:LONGEST_TAG]) or key.lower() in RESERVED_TAGS:
            raise RulesError("engine.cannot_name_tag", key=shown(key), taken=", ".join(RESERVED_TAGS))
        plain = isinstance(text, str) and text and text.isprintable() and text == text.strip()
        if not plain or max(len(text), len(key)) > LONGEST_TAG:
            raise RulesError("engine.tag_one_line", key=key[:80], most=LONGEST_TAG, got=shown(text))
    return dict(tags)


def _comments(comments: object) -> dict[int, str]:
    if not isinstance(comments, Mapping) or not all(
        isinstance(line, int) and not isinstance(line, bool) and isinstance(text, str)
        for line, text in comments.items()
    ):
        raise RulesError("engine.comments_texts_number", got=shown(comments))
    stripped = {line: comment.strip() for line, comment in sorted(comments.items())}
    for comment in stripped.values():
        if not comment or any("\ud800" <= letter <= "\udfff" for letter in comment):
            raise RulesError("engine.comment_must_text", got=shown(comment))
        if len(comment) > LONGEST_COMMENT:
            raise RulesError("engine.comment_has_up", most=LONGEST_COMMENT, got=len(comment))
    return stripped
