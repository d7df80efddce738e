"""The tables of the hub: choices, bots, finished games."""

from __future__ import annotations

import sys
import traceback
from functools import partial

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import CannotWrite, NimmtError
from nimmt_lab.engine.files import make_folder, write_file
from nimmt_lab.engine.habits import any_option
from nimmt_lab.engine.rng import Rng

from .core import GAMES, RESULTS, Core
from .page import ClassPage, Sitting
from .table import OPEN, OVER, PLAYING, LiveTable, games_csv
from .words import live_words


class Floor(Core):
    """Plays the class's tables."""

    def _choose(self, table: LiveTable, entry: Obj) -> None:
        """A choice, if it still counts."""
        ply, seat = entry["ply"], entry["seat"]
        assert isinstance(seat, int)
        late = table.phase != PLAYING or ply != len(table.record.choices) or seat in table.given
        if late or seat not in table.state.pending:
            return
        decision = table.state.pending[seat]
        decision.accept(seat, decision.read(str(entry["choice"])))  # raises before anything is written
        self._write(entry)
        self._go_on(table)

    def _go_on(self, table: LiveTable) -> None:
        """Tell everybody at the table, and let the bots think."""
        table.overdue(self.now)  # starts the clock
        for seat in table.bots_to_move:
            self._think(table, seat, "bot")
        self._push_table(table)
        if table.phase == OVER and not table.file:
            self._save(table)
        self._dirty = True

    def _think(self, table: LiveTable, seat: Seat, by: str) -> None:
        """Let a bot choose, in a thread."""
        ply = len(table.record.choices)
        key = (table.number, table.games, ply, seat)
        if key in self._thinking:
            return
        self._thinking.add(key)
        state, level, seed = table.state, table.level, table.seed
        choice: list[str] = []

        def think() -> None:
            from nimmt_lab.bots import bot

            rng = Rng.from_seed(seed, 16 * (ply + 1) + seat)
            decision = state.pending[seat]
            try:
                chosen = bot(level).choose(state.view(seat), rng)
            except NimmtError:  # a level that cannot play this game
                chosen = any_option(decision, rng)[0]
            choice.append(decision.write(chosen))

        def done(problem: BaseException | None) -> None:
            self._thinking.discard(key)
            if problem is not None:
                print("".join(traceback.format_exception(problem)), file=sys.stderr)
            now = self.session.tables.get(table.number)
            if choice and now is table and table.games == key[1]:
                entry: Obj = {"do": "choose", "table": table.number, "ply": ply, "seat": seat, "choice": choice[0]}
                self._choose(table, {**entry, "by": by})

        self._runner.run(think, done, pool="bot")

    def _sitting(self, table: LiveTable, who: int) -> Sitting:
        lang = self.session.members[who].lang
        names = self.session.names_at(table, live_words(lang)("page.bot"))
        return Sitting.of(table, who, names, self.now, lang)

    def _push(self, who: int) -> None:
        """Show a pupil's place at a table, or that there is none."""
        online = self._pages.get(who)
        if online is None:
            return
        table, page = self.session.table_of(who), online.page
        sitting = None if table is None else self._sitting(table, who)
        assert isinstance(page, ClassPage)
        online.worker.put(lambda: page.sit(sitting))

    def _push_table(self, table: LiveTable) -> None:
        for who in table.seats:
            if who is not None:
                self._push(who)

    def _seated(self, table: LiveTable) -> None:
        self._push_table(table)
        self._offer()

    def _free(self) -> list[Obj]:
        """The tables with free seats that pupils may choose."""
        return [
            {
                "number": table.number,
                "title": describer(table.game, board_words(self.session.lang)).title(),
                "free": len(table.free),
                "names": [self.session.members[who].name for who in table.seats if who is not None],
            }
            for table in self.session.tables.values()
            if table.phase == OPEN and table.free
        ]

    def _offer(self) -> None:
        free = self._free()
        for online in self._pages.values():
            if isinstance(page := online.page, ClassPage):
                online.worker.put(partial(page.tables, free))

    def _save(self, table: LiveTable) -> None:
        """Write a finished game into the folder, in a thread."""
        if table.number in self._saving:
            return
        self._saving.add(table.number)
        record, games, played = table.record, table.games, list(self.session.played)
        path: list[str] = []

        def save() -> None:
            folder = self.folder / GAMES
            make_folder(folder, private=True)
            path.append(record.save_new(folder).name)
            write_file(self.folder / RESULTS, games_csv(played), follow=False)

        def done(problem: BaseException | None) -> None:
            self._saving.discard(table.number)
            self._unsaved = isinstance(problem, (CannotWrite, OSError))
            if problem is not None and not self._unsaved:
                print("".join(traceback.format_exception(problem)), file=sys.stderr)
            if path and table.games == games and table.number in self.session.tables:
                self._write({"do": "saved", "table": table.number, "file": path[0]})

        self._runner.run(save, done, pool="bot")

    def _finished(self) -> list[LiveTable]:
        return [table for table in self.session.tables.values() if table.phase == OVER]
