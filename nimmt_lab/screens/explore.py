"""How often, how costly: cards played, by number, gap, turn, place in the hand and row, with what they cost.

The figures are those of `nimmt_lab.study.explore`: of good players and of learners, counted in advance, or of one's own
games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.record import Record
from nimmt_lab.explain.catalogue import number

from .base import Screen, Work
from .desk import Desk
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.study.explorer import Counts, Line

PAGE: Final = "explore"
#: What the settings are on a first visit.
USUAL: Final = {"who": "level-5", "players": "4", "by": "gap", "row": ""}
#: Before the name of a player of one's own games; alone: all of them.
MINE: Final = "mine:"
#: The first values of groups in the table, where single ones would be too many lines.
GROUPS: Final = {"card": (*range(1, 104, 10),), "gap": (1, 2, 3, 4, 5, 6, 11, 21, 31)}


class ExploreScreen(Screen):
    """`games` are one's own, by file name.

    >>> explore = ExploreScreen(Desk(None), {})
    >>> explore.receive({"type": "set", "key": "by", "value": "length"})
    >>> len(explore.data["rows"])
    6
    """

    module: ClassVar[str] = "screens/explore"

    def __init__(self, desk: Desk, games: Mapping[str, Record]) -> None:
        self.desk, self._games = desk, dict(games)
        self.say = screen_words(desk.lang)
        self._found: dict[str, Counts] | None = None
        kept = desk.memory.get(PAGE)
        super().__init__(
            labels={**labels(desk.lang, "explore")}, lang=desk.lang, fields=[], told="", charts=[], rows=[]
        )
        self.form = {key: str(kept.get(key, usual)) for key, usual in USUAL.items()}
        self._settle()
        self._begin()

    def receive(self, message: Obj) -> None:
        """`set` one of the choices in `fields`."""
        if message.get("type") != "set":
            super().receive(message)
            return
        key, value = message.get("key"), message.get("value")
        if not isinstance(key, str) or key not in USUAL or value not in self._options(self.form)[key]:
            raise NotationError("screens.no_setting", at=shown(value))
        self.form[key] = str(value)
        self._settle()
        self.desk.memory.put(PAGE, {**self.form})
        self._begin(again=key in ("who", "players"))

    def _settle(self) -> None:
        """Replace settings that don't exist (any more): other players have other table sizes."""
        for name in USUAL:
            known = self._options(self.form)[name]
            if self.form[name] not in known:
                self.form[name] = USUAL[name] if USUAL[name] in known else next(iter(known))

    def _options(self, form: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """The values of each choice, with their texts."""
        from nimmt_lab.bots import levels
        from nimmt_lab.study.explorer import BY, COUNTED_PLAYERS, COUNTED_SIZES

        titles = {level.name: level.title(self.desk.lang) for level in levels()}
        who = {name: self.say("explore.level", name=titles[name]) for name in COUNTED_PLAYERS}
        names = sorted({name for record in self._games.values() for name in self._names(record)})
        if self._games:
            who |= {MINE: self.say("explore.mine")}
            who |= {f"{MINE}{name}": self.say("explore.one", name=name) for name in names}
        mine = form["who"].startswith(MINE)
        sizes = sorted({record.game.players for record in self._games.values()}) if mine else COUNTED_SIZES
        players = {str(size): str(size) for size in sizes}
        return {
            "who": who,
            "players": {"": self.say("explore.any"), **players} if mine else players,
            "by": {by: self.say(f"explore.by_{by}") for by in BY},
            "row": {
                "": self.say("explore.any"),
                **{str(length): self.say(f"explore.row_{length}") for length in range(BY["length"] + 1)},
            },
        }

    @staticmethod
    def _names(record: Record) -> list[str]:
        return [name for seat, name in record.names.items() if seat not in record.hidden]

    def _begin(self, *, again: bool = True) -> None:
        """Show the figures; count again unless they are about the same choices."""
        self.stop()
        if again:
            self._found = None
        self.work(self._count())

    def _count(self) -> Work:
        from nimmt_lab.study.explorer import BY, counted, of_records

        who, size = self.form["who"], self.form["players"]
        if self._found is None and not who.startswith(MINE):
            self._found = counted(who, int(size))
        elif self._found is None:
            found: dict[str, Counts] = {by: {} for by in BY}
            for record in self._games.values():
                more = of_records([record], int(size) if size else None, who.removeprefix(MINE) or None)
                for by, counts in more.items():
                    for place, sums in counts.items():
                        _add(found[by], place, sums)
                yield
            self._found = found
        self._tell()

    def _tell(self) -> None:
        from nimmt_lab.study.explorer import BY, summary

        assert self._found is not None
        by, lang = self.form["by"], self.desk.lang
        counts, row = self._found[by], int(self.form["row"]) if self.form["row"] else None
        firsts = GROUPS.get(by, (*range(BY[by] + 1),))
        grouped: Counts = {}
        every: Counts = {}
        for (length, value), sums in counts.items():
            _add(grouped, (length, max(first for first in firsts if first <= value)), sums)
            _add(every, (length, 0), sums)

        def figures(line: Line) -> list[Json]:
            form = ".2f" if line.heads_margin >= 0.005 else ".3f"
            heads = f"{number(line.heads, form, lang)} ± {number(line.heads_margin, form, lang)}"
            shares = number(line.share, ".1%", lang), number(line.takes, ".1%", lang)
            return [self._named(by, line.value), number(line.count, ",d", lang), *shares, heads]

        lines, axis, known = summary(counts, by, row).lines, self.say(f"explore.by_{by}"), self._options(self.form)
        # All larger gaps count as the largest: no point of a curve.
        drawn = [line for line in lines if (by, line.value) != ("gap", BY["gap"])]
        shares: list[Json] = [[line.value, line.share] for line in drawn]
        takes: list[Json] = [[line.value, line.takes] for line in drawn]
        told = self.say("explore.nothing")
        for line in summary(every, by, row).lines:
            means = {"takes": number(line.takes, ".1%", lang), "heads": Figure(line.heads, ".2f")}
            told = self.say("explore.told", count=Figure(line.count), **means)
        self.show(
            fields=[
                [key, self.say(f"explore.{key}"), [[*pair] for pair in known[key].items()], self.form[key]]
                for key in USUAL
            ],
            told=told,
            charts=[[self.say("explore.share"), axis, shares], [self.say("explore.takes"), axis, takes]]
            if lines
            else [],
            rows=[figures(line) for line in summary(grouped, by, row).lines],
        )

    def _named(self, by: str, value: int) -> str:
        """A line of the table: a row's length in words, or one or several numbers."""
        if by == "length":
            return self.say(f"explore.row_{value}")
        firsts = [*GROUPS.get(by, ())]
        if by == "gap" and value == firsts[-1]:
            return f"{value}+"
        from nimmt_lab.study.explorer import BY

        last = next((first - 1 for first in firsts if first > value), BY[by] if firsts else value)
        return str(value) if last == value else f"{value}–{last}"


def _add(counts: Counts, place: tuple[int, int], sums: list[int]) -> None:
    before = counts.get(place, [0, 0, 0, 0])
    counts[place] = [old + new for old, new in zip(before, sums, strict=True)]
