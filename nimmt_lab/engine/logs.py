"""A table's log as text, such as an app writes it, read with a file of phrases that you can edit and share.

A file of phrases says how the log words what happens. `{player}`, `{players}`, `{card}`, `{cards}`, `{row}` and
`{number}` stand for what they say, `{any}` for anything:

    format = "nimmt-phrases/1"
    name = "Ours"
    unknown = "refuse"               # or "ignore": lines that no phrase matches
    prefix = ["[{any}]"]             # what may stand before a line

    [phrases]
    players = ["Players: {players}"]
    rows = ["The rows begin with {cards}", "Row {row}: {card}"]
    turn = ["Turn {number}"]
    play = ["{player} plays {card}"]
    takes = ["{player} takes row {row}"]
    skip = ["{any} joins the table"]

`phrase_files()` lists those of the package. We wrote them and their example logs: none has been tried on the log of a
real site. A line `takes` matters where a low card chooses its row; for other cards it may be there or not.

>>> log = "Players: Ann, Bob\\nRows: 12 37 43 58\\nAnn plays 14\\nBob plays 2\\nBob takes row 3"
>>> (record,) = read_log(log, "table-en")
>>> record.names, record.final.rows
({0: 'Ann', 1: 'Bob'}, ((12, 14), (37,), (2,), (58,)))
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from .cards import seat_letter
from .errors import NimmtError, NotationError
from .files import name_of, parse_toml, read_text, shown
from .game import Game
from .inflect import Figure
from .notes_text import LONGEST, Plays, read_plays
from .record import Record

__all__ = ["FORMAT", "Phrases", "phrase_files", "read_log"]

FORMAT: Final = "nimmt-phrases/1"
FOLDER: Final = Path(__file__).parent / "phrases"
#: The kinds of lines in a log.
KINDS: Final = ("players", "rows", "turn", "play", "takes", "skip")
#: Parts that each phrase of a kind needs.
_NEEDED: Final[Mapping[str, frozenset[str]]] = {
    "players": frozenset({"players"}),
    "play": frozenset({"player", "card"}),
    "takes": frozenset({"player", "row"}),
}
_PATTERNS: Final[Mapping[str, str]] = {
    "player": r"\S(?:.*?\S)?",
    "players": r"\S.*",
    "card": r"[0-9]{1,6}",
    "cards": r"[0-9][0-9\s,;|]*",
    "row": r"[0-9]{1,2}",
    "number": r"[0-9]{1,6}",
    "any": r".*?",
}
_PLACE: Final = re.compile(r"\{(\w+)\}")
LONGEST_LINE: Final = 500
MOST_PHRASES: Final = 100


def phrase_files() -> tuple[str, ...]:
    """The names of the phrase files in the package.

    >>> phrase_files()
    ('table-cs', 'table-en', 'table-pl')
    """
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@dataclass(frozen=True)
class Phrases:
    """The phrases of a log, in the order in which they are tried."""

    name: str
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    prefix: re.Pattern[str] | None = None
    ignores: bool = False

    @classmethod
    def parse(cls, text: str, *, source: str = "") -> Phrases:
        """Read a file of phrases; errors say which phrase is wrong."""
        read = parse_toml(text, source=source)
        phrases = read.get("phrases")
        if read.get("format") != FORMAT or not isinstance(phrases, dict):
            raise NotationError("engine.phrases_format", format=FORMAT, source=source)
        unknown, prefix = read.get("unknown", "refuse"), read.get("prefix", [])
        if unknown not in ("refuse", "ignore"):
            raise NotationError("engine.phrases_unknown", got=shown(unknown), source=source)
        for kind in phrases:
            if kind not in KINDS:
                raise NotationError("engine.phrases_kind", got=shown(kind), known=", ".join(KINDS), source=source)
        if not phrases.get("play") or not phrases.get("rows"):
            raise NotationError("engine.phrases_need", source=source)
        patterns: list[tuple[str, re.Pattern[str]]] = []
        for kind in KINDS:
            for phrase in _texts(phrases.get(kind, []), source):
                names = frozenset(_PLACE.findall(phrase))
                rows = kind == "rows" and not ("cards" in names or "card" in names)
                if rows or not names >= _NEEDED.get(kind, frozenset()):
                    need = ", ".join(f"{{{one}}}" for one in sorted(_NEEDED.get(kind, {"cards"})))
                    raise NotationError("engine.phrase_needs", phrase=shown(phrase), need=need, source=source)
                patterns.append((kind, re.compile(_pattern(phrase, source), re.IGNORECASE)))
        before = "|".join(f"(?:{_pattern(one, source, named=False)})" for one in _texts(prefix, source))
        return cls(
            str(read.get("name", source))[:100],
            tuple(patterns),
            re.compile(rf"(?:{before})\s*", re.IGNORECASE) if before else None,
            unknown == "ignore",
        )

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Phrases:
        """The phrases of the package with that name, or those in a file."""
        if isinstance(name, str) and name in phrase_files():
            return _shipped(name)
        return cls.parse(read_text(Path(name)), source=name_of(name))

    def match(self, line: str) -> tuple[str, Mapping[str, str]] | None:
        """What a line says: its kind and the parts of its phrase; None if no phrase matches."""
        begins = self.prefix.match(line) if self.prefix is not None else None
        for text in [line[begins.end() :], line] if begins else [line]:
            for kind, pattern in self.patterns:
                if (found := pattern.fullmatch(text.strip())) is not None:
                    return kind, found.groupdict()
        return None


@lru_cache(maxsize=16)
def _shipped(name: str) -> Phrases:
    return Phrases.parse(read_text(FOLDER / f"{name}.toml"), source=name)


def _texts(phrases: object, source: str) -> list[str]:
    if isinstance(phrases, str):
        phrases = [phrases]
    if not isinstance(phrases, list) or len(phrases) > MOST_PHRASES:
        raise NotationError("engine.phrases_list", got=shown(phrases), source=source)
    for phrase in phrases:
        if not isinstance(phrase, str) or not phrase.strip() or len(phrase) > LONGEST_LINE:
            raise NotationError("engine.phrases_list", got=shown(phrase), source=source)
    return phrases


def _pattern(phrase: str, source: str, *, named: bool = True) -> str:
    """A phrase as a regular expression."""
    pattern, last, names = "", 0, list[str]()
    for place in _PLACE.finditer(phrase):
        name = place[1]
        if name not in _PATTERNS or (name != "any" and name in names) or len(names) == 6:
            known = ", ".join(f"{{{one}}}" for one in _PATTERNS)
            raise NotationError("engine.phrase_place", phrase=shown(phrase), known=known, source=source)
        names.append(name)
        inner = _PATTERNS[name]
        pattern += _plain(phrase[last : place.start()]) + (
            f"(?P<{name}>{inner})" if named and name != "any" else f"(?:{inner})"
        )
        last = place.end()
    return pattern + _plain(phrase[last:])


def _plain(text: str) -> str:
    return r"\s+".join(map(re.escape, re.split(r"\s+", text)))


@dataclass
class _Log:
    """The plays in a log."""

    names: list[str] = field(default_factory=list)
    #: Whether the log said who plays.
    named: bool = False
    #: Each round: lines of its rows and turns.
    plays: Plays = field(default_factory=Plays)
    begun: dict[int, str] = field(default_factory=dict)
    turn: dict[str, str] = field(default_factory=dict)
    started: int = 0

    def say(self, kind: str, parts: Mapping[str, str], line: int) -> None:
        if kind == "players":
            people = [one.strip() for one in re.split(r"[,;]|\s(?:and|i|a)\s", parts["players"]) if one.strip()]
            if self.names and people != self.names:
                raise NotationError("engine.log_players")
            self.names, self.named = people, True
        elif kind == "rows":
            self.end_turn()
            if "cards" in parts:
                self.plays.add(f"rows: {' '.join(re.findall('[0-9]+', parts['cards']))}", line)
            else:
                self.begun[int(parts.get("row", len(self.begun) + 1))] = parts["card"]
                self.started = line
        elif kind == "turn":
            self.end_turn()
        elif kind == "play":
            self.begin()
            if parts["player"] in self.turn:
                self.end_turn()
            who = self.known(parts["player"])
            self.turn[who] = parts["card"]
            self.started = line
        elif kind == "takes":
            who = self.known(parts["player"])
            if who not in self.turn:
                raise NotationError("engine.log_takes", who=shown(who))
            self.turn[who] = f"{self.turn[who].partition('@')[0]}@{parts['row']}"

    def known(self, player: str) -> str:
        if player not in self.names:
            if self.named:
                raise NotationError("engine.log_player", got=shown(player), known=", ".join(self.names))
            self.names.append(player)
        return player

    def begin(self) -> None:
        """Write the rows that the log gave one by one."""
        if self.begun:
            self.plays.add(f"rows: {' '.join(card for _, card in sorted(self.begun.items()))}", self.started)
            self.begun = {}

    def end_turn(self) -> None:
        if self.turn:
            cards = (f"{seat_letter(self.names.index(who))}{card}" for who, card in self.turn.items())
            self.plays.add(" ".join(sorted(cards)), self.started)
            self.turn = {}


def read_log(
    text: str, phrases: Phrases | str | os.PathLike[str], *, game: Game | str | None = None
) -> tuple[Record, ...]:
    """The records of all rounds in a log. `phrases`: a name of `phrase_files()`, a file, or `Phrases`. Errors name the
    line of the log."""
    if len(text) > LONGEST:
        raise NotationError("engine.too_many_letters", count=Figure(len(text)), most=Figure(LONGEST))
    known = phrases if isinstance(phrases, Phrases) else Phrases.load(phrases)
    log = _Log()
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.strip()
        if not line:
            continue
        said = known.match(line) if len(line) <= LONGEST_LINE else None
        try:
            if said is not None:
                log.say(*said, number)
            elif not known.ignores:
                raise NotationError("engine.log_line", got=shown(line), name=known.name)
        except NimmtError as error:
            raise NotationError.of(error, line=number) from error
    log.begin()
    log.end_turn()
    return read_plays(log.plays, names=log.names, game=game)
