"""My box: enter the decks and boards of one's own copy of a game by clicking.

Each game says what can be entered (its `box.py`). It is saved in the user's folder and, once complete, replaces our
sample everywhere.
"""

from __future__ import annotations

from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import folder_in, leads_out, shown, write_file
from nimmt_lab.engine.material import Entering, Filled, Grid, Material
from nimmt_lab.engine.options import clean_title, materials
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.errors import translate

from .base import as_object, whole_number
from .desk import MATERIAL_FOLDER, Desk, DeskScreen, enterable, own_material

LONGEST_TITLE: Final = 80


def blank(entering: Entering) -> dict[str, list[list[str]]]:
    return {grid.name: [[""] * len(grid.columns) for _ in grid.rows] for grid in entering.grids}


class BoxScreen(DeskScreen):
    """The list of things to enter, or the tables of the open one.

    >>> box = BoxScreen(Desk(None))
    >>> [kind["name"] for kind in box.data["kinds"]]
    ['baron', 'basic', 'advanced', 'pieces']
    >>> box.receive({"type": "open", "kind": "baron"})
    >>> box.receive({"type": "put", "grid": "bulls", "row": 0, "column": 2, "value": "3"})
    >>> box.data["wrong"]
    'card 2 has no bulls; expected at least one'
    """

    module: ClassVar[str] = "screens/box"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.kind = ""
        self.title = ""
        self.cells: dict[str, list[list[str]]] = {}
        kept = desk.memory.get("box").get("kind")
        if isinstance(kept, str) and kept in self._kinds():
            self.open(kept)
        else:
            self._label()

    def _kinds(self) -> dict[str, tuple[str, Material, Entering]]:
        return {kind.name: (game, kind, entering) for game, kind, entering in enterable()}

    @property
    def entering(self) -> Entering:
        if self.kind not in self._kinds():
            raise RulesError("screens.nothing_open")
        return self._kinds()[self.kind][2]

    def receive(self, message: Obj) -> None:
        """`open` a kind, `put` a value into a cell, `title`, `begin` empty or from the sample, `use`, `remove`, `file`,
        `leave`."""
        kind = message.get("type")
        if kind == "open":
            self.open(str(message.get("kind")))
            return
        if kind == "leave":
            self.kind = ""
            self.desk.memory.put("box", {})
        elif kind == "put":
            self._put(message)
        elif kind == "title":
            self.title = clean_title(str(message.get("title"))[:LONGEST_TITLE], "")
        elif kind == "begin":
            self._begin(sample=message.get("sample") is True)
        elif kind == "use":
            return self._use()
        elif kind == "remove":
            return self._remove()
        elif kind == "file":
            return self.tell({"type": "file", "name": self.file, "text": self.text()})
        else:
            return super().receive(message)
        self._keep()
        self._label()

    @property
    def file(self) -> str:
        return f"{self.kind}{self.entering.ending}"

    def open(self, kind: str) -> None:
        """Continue the draft or the file in use, or start empty."""
        if kind not in self._kinds():
            raise RulesError("screens.nothing_name_can", kind=shown(kind), known=", ".join(self._kinds()))
        self.kind = kind
        game, _, entering = self._kinds()[kind]
        self.title, self.cells = "", blank(entering)
        draft = self.desk.memory.get(f"box {kind}")
        if draft:
            self._read(draft)
        elif self.desk.folder is not None:
            for option, material in own_material(self.desk.folder)[0].get(game, ()):
                if option == entering.option and self._is(material, kind):
                    self._take(entering.filled(material))
                    self.title = str(getattr(material, "title", ""))
        self.desk.memory.put("box", {"kind": kind})
        self._label()

    def _is(self, material: object, kind: str) -> bool:
        """Whether material is of that kind, among the kinds for one option."""
        others = [one.name for game, one, entering in self._kinds().values() if entering.option == self.entering.option]
        return len(others) == 1 or getattr(material, "side", kind) == kind

    def _put(self, message: Obj) -> None:
        grid = next((grid for grid in self.entering.grids if grid.name == message.get("grid")), None)
        row, column, value = message.get("row"), message.get("column"), message.get("value")
        row = None if grid is None else whole_number(row, 0, len(grid.rows) - 1)
        column = None if grid is None else whole_number(column, 0, len(grid.columns) - 1)
        if grid is None or row is None or column is None:
            raise NotationError("screens.no_such_cell")
        if value != "" and value not in grid.choices:
            raise NotationError("shared.expected_one", known=", ".join(grid.choices), got=shown(value))
        assert isinstance(value, str)
        self.cells[grid.name][row][column] = value

    def _begin(self, *, sample: bool) -> None:
        self.cells = blank(self.entering)
        self.title = ""
        if sample:
            game, _, entering = self._kinds()[self.kind]
            for material in materials(all_games()[game])[entering.option].shipped().values():
                if self._is(material, self.kind):
                    self._take(entering.filled(material))

    def _take(self, filled: Filled) -> None:
        for grid in self.entering.grids:
            for at, cells in enumerate(filled[grid.name][: len(grid.rows)]):
                self.cells[grid.name][at] = [cell if cell in grid.choices else "" for cell in cells]

    def text(self) -> str:
        return self.entering.text(self.title or self.say("box.title_usual"), self.cells)

    @property
    def wrong(self) -> str:
        """The first error; empty if it can be used."""
        error = self._problem()
        return "" if error is None else translate(error, self.say.lang)

    def _problem(self) -> NimmtError | None:
        try:
            self.entering.parse(self.text())
        except NimmtError as error:
            # Drop file and line: the sentence names the card or the row.
            return NotationError.of(error)
        return None

    def _use(self) -> None:
        if error := self._problem():
            raise error
        if self.desk.folder is None:
            self.show(told=self.say("box.no_folder"))
            return
        try:
            folder = folder_in(self.desk.folder, MATERIAL_FOLDER)
            write_file(folder / self.file, self.text(), follow=False)
        except CannotWrite:
            self.show(told=self.say("box.not_saved", folder=self.desk.folder / MATERIAL_FOLDER))
            return
        self._label(told=self.say("box.used", file=f"{MATERIAL_FOLDER}/{self.file}"))

    def _remove(self) -> None:
        """Return to the sample; the draft stays."""
        self._keep()
        if self.desk.folder is not None:
            path = self.desk.folder / MATERIAL_FOLDER / self.file
            try:
                if not leads_out(self.desk.folder, path.parent):  # never change another program's folder
                    path.unlink(missing_ok=True)
            except OSError:
                self.show(told=self.say("box.not_saved", folder=path.parent))
                return
        self._label(told=self.say("box.removed"))

    def _keep(self) -> None:
        if self.kind:
            cells: dict[str, Json] = {name: [[*row] for row in rows] for name, rows in self.cells.items()}
            self.desk.memory.put(f"box {self.kind}", {"title": self.title, "cells": cells})

    def _read(self, draft: dict[str, Json]) -> None:
        """Take the cells of a draft that still fit."""
        self.title = clean_title(str(draft.get("title") or "")[:LONGEST_TITLE], "")
        cells = as_object(draft.get("cells"))
        for grid in self.entering.grids:
            rows = cells.get(grid.name)
            for at, row in enumerate(rows[: len(grid.rows)] if isinstance(rows, list) else []):
                if isinstance(row, list) and len(row) == len(grid.columns):
                    self.cells[grid.name][at] = [str(cell) if cell in grid.choices else "" for cell in row]

    def _words(self, key: str) -> str:
        return self.say(key) if self.say.has(key) else key

    def _label(self, told: str = "") -> None:
        wrong = {} if self.desk.folder is None else own_material(self.desk.folder, self.say.lang)[1]
        kinds: list[Json] = []
        for name, (_, _, entering) in self._kinds().items():
            there = (
                self.desk.folder is not None
                and (self.desk.folder / MATERIAL_FOLDER / f"{name}{entering.ending}").is_file()
            )
            state = "wrong" if name in wrong else "used" if there else ""
            title = self.say(f"material.{name}")
            kinds.append({"name": name, "title": title, "state": state, "why": wrong.get(name, "")})
        grids: list[Json] = [self._grid(grid) for grid in self.entering.grids] if self.kind else []
        self.label(
            kinds=kinds,
            open=self.kind,
            title=self.title,
            grids=grids,
            wrong=self.wrong if self.kind else "",
            told=told,
        )

    def _grid(self, grid: Grid) -> Json:
        cells = self.cells[grid.name]
        filled = sum(any(row) for row in cells)
        return {
            "name": grid.name,
            "title": self.say(f"material.{grid.name}"),
            "filled": self.say("box.filled", count=filled, all=len(grid.rows)),
            "rows": [self._words(row) for row in grid.rows],
            "columns": [self._words(column) for column in grid.columns],
            "choices": [[one, self._words(grid.meanings[one]) if one in grid.meanings else ""] for one in grid.choices],
            "cells": [[*row] for row in cells],
        }
