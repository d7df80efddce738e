"""The state of a class, as a fold of its journal.

Methods that are named after what somebody does check it and return the journal entry, or raise a `NimmtError`; `apply`
changes the state. Nothing else does, so a class that is read again is the same class.

>>> session = Session.begin(lesson="p2", lang="en", code="WXYZA", wall="secret", seed=7)
>>> session.apply(session.join("Ann", mark="0f", lang="pl"))
>>> session.members[1].name, session.named("ann").lang
('Ann', 'pl')
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import LANGUAGES
from nimmt_lab.lessons.class_list import who as plain
from nimmt_lab.lessons.codes import seed_of
from nimmt_lab.lessons.results import check_name

from .found import Found
from .limits import MOST_KEPT
from .pool import Counts
from .table import OPEN, OVER, PLAYING, USUAL_LEVEL, LiveTable, Played

FORMAT: Final = "nimmt-class/1"
#: Everybody in step with the teacher, or each at their own pace.
WAIT, FREE = "wait", "free"
LONGEST_NAME: Final = 40
LONGEST_ANSWER: Final = 200
MOST_MEMBERS: Final = 300
MOST_TABLES: Final = 100
MOST_CODES: Final = 1000
#: Different results of an experiment that are counted.
MOST_VALUES: Final = 400
#: Letters that Unicode doesn't split into a plain letter and a mark.
_STROKES: Final = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})


class Refused(RulesError):
    """Something that somebody in the class may not do now."""


@dataclass
class Member:
    """A pupil. `mark` is the fingerprint of the token of the pupil's pages; empty after a release."""

    number: int
    name: str
    mark: str
    lang: str
    #: The seed of the pupil's own sheet in the class list, if there is one.
    seed: int | None = None
    #: What the pupil's screens keep, by name (`nimmt_lab.screens.memory`).
    pages: dict[str, Obj] = field(default_factory=dict)
    #: Bytes of the journal this pupil has filled.
    kept: int = 0


def alike(name: str) -> str:
    """Names that look or sound the same are the same.

    >>> alike(" Jan  NOWAK "), alike("Ｊan Nowak")
    ('jan nowak', 'jan nowak')
    """
    return plain(unicodedata.normalize("NFKC", name))


def bare(name: str) -> str:
    """A name as somebody types it on a phone, without accents.

    >>> bare("Zoë  Žáková"), bare("ŁUKASZ Wójcik")
    ('zoe zakova', 'lukasz wojcik')
    """
    split = unicodedata.normalize("NFKD", alike(name))
    return "".join(letter for letter in split if not unicodedata.combining(letter)).translate(_STROKES)


@dataclass
class Session:
    lesson: str
    lang: str
    #: The code that pupils type, and the token of the wall.
    code: str
    wall: str
    #: The seed of the class's sheet: everybody has the same questions.
    seed: int
    #: Names and own seeds of the class list; anybody may join if there is none.
    listed: dict[str, int]
    members: dict[int, Member] = field(default_factory=dict)
    #: The highest number that a pupil has had.
    most: int = 0
    pace: str = FREE
    at: int = 0
    revealed: set[str] = field(default_factory=set)
    #: By question and pupil: the answer that counts, and the results of the experiment.
    answers: dict[str, dict[int, str]] = field(default_factory=dict)
    ran: dict[str, dict[int, Counts]] = field(default_factory=dict)
    #: Short codes the teacher typed, by their text.
    codes: dict[str, Found] = field(default_factory=dict)
    tables: dict[int, LiveTable] = field(default_factory=dict)
    #: Games played to their end, in order.
    played: list[Played] = field(default_factory=list)
    locked: bool = False
    #: Of a lesson from a file: the fingerprint of what decides its answers.
    mark: str = ""
    #: Of the answers, those that wait for the reveal.
    held: dict[str, dict[int, str]] = field(default_factory=dict)

    @classmethod
    def begin(
        cls, *, lesson: str, lang: str, code: str, wall: str, seed: int, listed: Mapping[str, int] | None = None,
        mark: str = "",
    ) -> Session:  # fmt: skip
        return cls(lesson, lang, code, wall, seed, dict(listed or {}), mark=mark)

    @property
    def first(self) -> Obj:
        """The first entry of the journal."""
        names: list[Json] = [[name, seed] for name, seed in self.listed.items()]
        return {
            "do": "begin", "format": FORMAT, "lesson": self.lesson, "lang": self.lang, "code": self.code,
            "wall": self.wall, "seed": self.seed, "names": names, "mark": self.mark,
        }  # fmt: skip

    @classmethod
    def read(cls, entries: Iterable[Obj], source: str = "") -> Session:
        """The class of a journal; errors name the line."""
        session: Session | None = None
        for number, entry in enumerate(entries, 1):
            try:
                if session is None:
                    session = cls._first(entry)
                else:
                    session.apply(entry)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
                raise NotationError("live.journal_entry", line=number, source=source) from problem
        if session is None:
            raise NotationError("live.journal_entry", line=1, source=source)
        return session

    @classmethod
    def _first(cls, entry: Obj) -> Session:
        if entry.get("do") != "begin" or entry.get("format") != FORMAT:
            raise NotationError("shared.another_format")
        names, seed = entry["names"], entry["seed"]
        if not isinstance(names, list) or not isinstance(seed, int):
            raise NotationError("shared.another_format")
        listed = {str(one[0]): one[1] for one in names if isinstance(one, list) and isinstance(one[1], int)}
        lesson, lang, code, wall = (str(entry[name]) for name in ("lesson", "lang", "code", "wall"))
        return cls(lesson, lang, code, wall, seed, listed, mark=str(entry.get("mark", "")))

    # Pupils ----------------------------------------------------------------------------------

    def named(self, name: str) -> Member | None:
        return next((member for member in self.members.values() if alike(member.name) == alike(name)), None)

    def with_mark(self, mark: str) -> Member | None:
        return next((member for member in self.members.values() if member.mark == mark and mark), None)

    def identify(self, text: str) -> tuple[str, int | None]:
        """The name that a typed name or own code stands for, and its own seed."""
        text = " ".join(unicodedata.normalize("NFC", text).split())
        if not self.listed:
            if not check_name(text) or len(text) > LONGEST_NAME:
                raise Refused("live.no_name", most=LONGEST_NAME)
            return text, None
        by_name = {alike(name): name for name in self.listed}
        if alike(text) in by_name:
            name = by_name[alike(text)]
            return name, self.listed[name]
        with suppress(NotationError):
            seed = seed_of(text)  # never negative: names without a code of their own have -1
            for name, own in self.listed.items():
                if own == seed:
                    return name, own
        typed = bare(text)
        # The whole name without accents, or else a part of it, such as the first name: if it is one pupil's only.
        for meant in (
            [name for name in self.listed if bare(name) == typed],
            [name for name in self.listed if typed in bare(name).split()],
        ):
            if len(meant) == 1:
                return meant[0], self.listed[meant[0]]
            if meant:
                raise Refused("live.names_alike", name=shown(text, 40))
        raise Refused("live.not_listed", name=shown(text, 40))

    def join(self, text: str, *, mark: str, lang: str = "en") -> Obj:
        """Join by name or own code, or come back after the teacher has released the name."""
        name, seed = self.identify(text)
        member = self.named(name)
        if member is not None and member.mark:
            raise Refused("live.name_taken", name=member.name)
        if member is None:
            if self.locked:
                raise Refused("live.locked")
            if len(self.members) >= MOST_MEMBERS:
                raise Refused("live.full", most=MOST_MEMBERS)
        number = self.most + 1 if member is None else member.number
        lang = lang if lang in LANGUAGES else self.lang
        return {"do": "join", "who": number, "name": name, "seed": seed, "mark": mark, "lang": lang}

    def release(self, who: int) -> Obj:
        """Let another device take this name."""
        return {"do": "release", "who": self._member(who).number}

    def remove(self, who: int, bot: str) -> Obj:
        """Remove a name and all its answers from the class; at a table, a bot with that name plays on."""
        return {"do": "remove", "who": self._member(who).number, "bot": bot}

    def _member(self, who: object) -> Member:
        member = self.members.get(who) if isinstance(who, int) else None
        if member is None:
            raise Refused("live.no_member")
        return member

    def may_keep(self, who: int, size: int) -> bool:
        """Whether a pupil's screens may fill that many more bytes."""
        member = self.members.get(who)
        return member is not None and member.kept + size <= MOST_KEPT

    # Tables -----------------------------------------------------------------------------------------------

    def new_table(
        self, setup: Mapping[str, Json], *, seed: int, limit: int = 60, level: str = USUAL_LEVEL,
        seats: Iterable[int | None] | None = None,
    ) -> Obj:  # fmt: skip
        """A table for a game; the form is that of Play."""
        if len(self.tables) >= MOST_TABLES:
            raise Refused("live.most_tables", most=MOST_TABLES)
        players = setup.get("players")
        given = list(seats) if seats is not None else [None] * (players if isinstance(players, int) else 0)
        number = max(self.tables, default=0) + 1
        form: Obj = {"game": setup.get("game"), "players": players, "options": setup.get("options") or {}}
        LiveTable(number, form, given, seed=seed, limit=limit, level=level)  # raises if something is wrong
        places: list[Json] = [*given]
        return {
            "do": "table", "table": number, "setup": form, "seats": places, "seed": seed, "limit": limit,
            "level": level,
        }  # fmt: skip

    def deal(self, people: Iterable[int], size: int, rng: Rng) -> list[list[int | None]]:
        """Deal pupils to tables of a size: as few tables as possible, as even as possible, at random."""
        order, _ = rng.shuffled(sorted(people))
        count = -(-len(order) // size)
        tables: list[list[int | None]] = [[*order[at::count]] for at in range(count)]
        return [[*own, *[None] * (size - len(own))] for own in tables]

    def sit(self, who: int, number: int) -> Obj:
        """Sit down at the first free seat of a table, or in the place of a bot."""
        table = self.table(number)
        if not table.free or table.phase == OVER:
            raise Refused("live.no_free_seat")
        if (now := self.table_of(who)) is not None and now.phase == PLAYING:
            raise Refused("live.still_playing")
        return {"do": "sit", "table": number, "seat": table.free[0], "who": self._member(who).number}

    def table(self, number: object) -> LiveTable:
        table = self.tables.get(number) if isinstance(number, int) else None
        if table is None:
            raise Refused("live.no_table")
        return table

    def table_of(self, who: int) -> LiveTable | None:
        """The table at which a pupil sits."""
        return next((table for table in self.tables.values() if who in table.seats), None)

    def unseated(self) -> list[int]:
        return [who for who in self.members if self.table_of(who) is None]

    def names_at(self, table: LiveTable, bot: str) -> list[str]:
        """The players by seat; `bot` is the word for a bot, which gets the seat's number."""
        return [f"{bot} {at + 1}" if who is None else self.members[who].name for at, who in enumerate(table.seats)]

    # The journal ------------------------------------------------------------------------------------------

    def apply(self, entry: Obj) -> None:
        """Make the change that an entry describes."""
        do = getattr(self, f"_do_{entry['do']}", None)
        if do is None:
            raise ValueError(entry["do"])
        do(entry)

    def _do_join(self, entry: Obj) -> None:
        who, seed = _int(entry["who"]), entry.get("seed")
        member = self.members.get(who)
        if member is None:
            own = seed if isinstance(seed, int) else None
            self.most = max(self.most, who)
            self.members[who] = Member(who, str(entry["name"]), str(entry["mark"]), str(entry["lang"]), own)
        else:
            member.mark, member.lang = str(entry["mark"]), str(entry["lang"])

    def _do_remove(self, entry: Obj) -> None:
        who, bot = _int(entry["who"]), str(entry["bot"])
        del self.members[who]
        for table in self.tables.values():
            if who in table.seats:
                seat = table.seats.index(who)
                table.seats[seat] = None
                names = table.record.names | {seat: f"{bot} {seat + 1}"}
                if table.phase != OPEN:
                    table.name([names.get(at, "") for at in range(table.game.players)])
        for by_pupil in (*self.answers.values(), *self.held.values(), *self.ran.values()):
            by_pupil.pop(who, None)  # type: ignore[attr-defined]

    def _do_release(self, entry: Obj) -> None:
        self.members[_int(entry["who"])].mark = ""

    def _do_lock(self, entry: Obj) -> None:
        self.locked = bool(entry["on"])

    def _do_lang(self, entry: Obj) -> None:
        self.members[_int(entry["who"])].lang = str(entry["lang"])

    def _do_page(self, entry: Obj) -> None:
        member, changed = self.members[_int(entry["who"])], entry["set"]
        if not isinstance(changed, dict):
            raise ValueError("set")
        page = member.pages.setdefault(str(entry["name"]), {})
        for name, value in changed.items():
            if value is None:
                page.pop(name, None)
            else:
                page[name] = value
        member.kept += _int(entry.get("size", 0))

    def _do_said(self, entry: Obj) -> None:
        question, who, said = str(entry["question"]), _int(entry["who"]), str(entry["said"])
        before = self.answers.setdefault(question, {})
        # While everybody waits, the last answer before the reveal counts; otherwise the first.
        if entry.get("held"):
            if question not in self.revealed:
                before[who] = said
                self.held.setdefault(question, {})[who] = said
        else:
            self.held.get(question, {}).pop(who, None)
            before.setdefault(who, said)

    def _do_ran(self, entry: Obj) -> None:
        counts = entry["counts"]
        if not isinstance(counts, list):
            raise ValueError("counts")
        self.ran.setdefault(str(entry["question"]), {})[_int(entry["who"])] = [_count(one) for one in counts]

    def _do_pace(self, entry: Obj) -> None:
        self.pace, self.at = (WAIT if entry["pace"] == WAIT else FREE), _int(entry["at"])

    def _do_reveal(self, entry: Obj) -> None:
        self.revealed.add(str(entry["question"]))

    def _do_code(self, entry: Obj) -> None:
        found = Found.read(str(entry["code"]))
        self.codes[found.code()] = found

    def _do_uncode(self, entry: Obj) -> None:
        self.codes.pop(str(entry["code"]), None)

    def _do_table(self, entry: Obj) -> None:
        setup, seats = entry["setup"], entry["seats"]
        if not isinstance(setup, dict) or not isinstance(seats, list):
            raise ValueError("table")
        places = [None if who is None else self._member(who).number for who in seats]
        for who in places:
            self._stand(who)
        number, limit = _int(entry["table"]), _int(entry["limit"])
        self.tables[number] = LiveTable(
            number, setup, places, seed=_int(entry["seed"]), limit=limit, level=str(entry["level"])
        )

    def _stand(self, who: int | None) -> None:
        for table in self.tables.values():
            if who is not None and who in table.seats and table.phase != PLAYING:
                table.seats[table.seats.index(who)] = None

    def _do_sit(self, entry: Obj) -> None:
        who, table = _int(entry["who"]), self.tables[_int(entry["table"])]
        self._stand(who)
        table.seats[_int(entry["seat"])] = who
        if table.phase == PLAYING:
            names = table.record.names | {_int(entry["seat"]): self.members[who].name}
            table.name([names.get(seat, "") for seat in range(table.game.players)])

    def _do_stand(self, entry: Obj) -> None:
        self._stand(_int(entry["who"]))

    def _do_start(self, entry: Obj) -> None:
        names = entry["names"]
        if not isinstance(names, list):
            raise ValueError("names")
        table = self.tables[_int(entry["table"])]
        if table.phase == OPEN:
            table.start([str(name) for name in names])
            self._ended(table)

    def _do_again(self, entry: Obj) -> None:
        table = self.tables[_int(entry["table"])]
        if table.phase == OVER:
            table.again(_int(entry["seed"]))
            self._ended(table)

    def _do_choose(self, entry: Obj) -> None:
        table = self.tables[_int(entry["table"])]
        seat = _int(entry["seat"])
        table.missed[seat] = table.missed.get(seat, 0) + 1 if entry.get("by") == "clock" else 0
        if table.choose(_int(entry["ply"]), seat, str(entry["choice"])):
            self._ended(table)

    def _ended(self, table: LiveTable) -> None:
        if table.phase == OVER:
            self.played.append(Played(table.number, table.games + 1, table.game, tuple(table.results())))

    def _do_saved(self, entry: Obj) -> None:
        self.tables[_int(entry["table"])].file = str(entry["file"])

    def _do_close(self, entry: Obj) -> None:
        self.tables.pop(_int(entry["table"]), None)


def _int(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("number")
    return value


def _count(one: object) -> tuple[float, int]:
    if not isinstance(one, list) or len(one) != 2 or isinstance(one[0], bool) or not isinstance(one[0], (int, float)):
        raise ValueError("count")
    return float(one[0]), _int(one[1])
