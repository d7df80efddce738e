"""Material: decks and boards that come out of one's own box, entered by clicking, checked as one goes.

What chapters let people enter they say themselves (`box.py`). It is kept in the user's folder; once it is whole it is
played with everywhere instead of our stand-in.
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

from .base import Screen
from .desk import MATERIAL_FOLDER, Desk, enterable, own_material
from .words import labels, screen_words

LONGEST_TITLE: Final = 80


def blank(entering: Entering) -> dict[str, list[list[str]]]:
    """Its tables with nothing in them."""
    return {grid.name: [[""] * len(grid.columns) for _ in grid.rows] for grid in entering.grids}


class MaterialScreen(Screen):
    """What there is to enter; with one of them open, its tables.

    >>> material = MaterialScreen(Desk(None))
    >>> [kind["name"] for kind in material.data["kinds"]]
    ['baron', 'basic', 'advanced', 'pieces']
    >>> material.receive({"type": "open", "kind": "baron"})
    >>> material.receive({"type": "put", "grid": "bulls", "row": 0, "column": 2, "value": "3"})
    >>> material.data["wrong"]
    'card 2 has no bulls; expected at least one'
    """

    module: ClassVar[str] = "screens/material"

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.say = screen_words(desk.lang)
        self.kind = ""
        self.title = ""
        self.cells: dict[str, list[list[str]]] = {}
        kept = desk.memory.get("material").get("kind")
        if isinstance(kept, str) and kept in self._kinds():
            self.open(kept)
        else:
            self._label()

    def _kinds(self) -> dict[str, tuple[str, Material, Entering]]:
        return {kind.name: (game, kind, entering) for game, kind, entering in enterable()}

    @property
    def entering(self) -> Entering:
        """What is being entered."""
        if self.kind not in self._kinds():
            raise RulesError("screens.nothing_open")
        return self._kinds()[self.kind][2]

    # What the browser may ask for ------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`open` a kind, `put` something into a cell, `title`, `begin` from the stand-in or anew, `use`, `remove`,
        `file`, `leave`."""
        kind = message.get("type")
        if kind == "open":
            self.open(str(message.get("kind")))
            return
        if kind == "leave":
            self.kind = ""
            self.desk.memory.put("material", {})
        elif kind == "put":
            self._put(message)
        elif kind == "title":
            self.title = clean_title(str(message.get("title"))[:LONGEST_TITLE], "")
        elif kind == "begin":
            self._begin(stand_in=message.get("stand_in") is True)
        elif kind == "use":
            self._use()
            return
        elif kind == "remove":
            self._remove()
            return
        elif kind == "file":
            self.tell({"type": "file", "name": f"{self.kind}{self.entering.ending}", "text": self.text()})
            return
        else:
            super().receive(message)
            return
        self._keep()
        self._label()

    def open(self, kind: str) -> None:
        """Go on with what was entered, or with the file that is used, or begin anew."""
        if kind not in self._kinds():
            raise RulesError("screens.nothing_name_can", kind=shown(kind), known=", ".join(self._kinds()))
        self.kind = kind
        game, _, entering = self._kinds()[kind]
        self.title, self.cells = "", blank(entering)
        draft = self.desk.memory.get(f"material {kind}")
        if draft:
            self._read(draft)
        elif self.desk.folder is not None:
            for option, material in own_material(self.desk.folder)[0].get(game, ()):
                same = option == entering.option and self._is(material, kind)
                if same:
                    self._take(entering.filled(material))
                    self.title = str(getattr(material, "title", ""))
        self.desk.memory.put("material", {"kind": kind})
        self._label()

    def _is(self, material: object, kind: str) -> bool:
        """Whether some material is of that kind: of several kinds for one option, the one whose name it carries."""
        others = [one.name for game, one, entering in self._kinds().values() if entering.option == self.entering.option]
        return len(others) == 1 or getattr(material, "side", kind) == kind

    def _put(self, message: Obj) -> None:
        grid = next((grid for grid in self.entering.grids if grid.name == message.get("grid")), None)
        row, column, value = message.get("row"), message.get("column"), message.get("value")
        if grid is None or not _place(row, len(grid.rows)) or not _place(column, len(grid.columns)):
            raise NotationError("screens.no_such_cell")
        if value != "" and value not in grid.choices:
            raise NotationError("shared.expected_one", known=", ".join(grid.choices), got=shown(value))
        assert isinstance(row, int) and isinstance(column, int) and isinstance(value, str)
        self.cells[grid.name][row][column] = value

    def _begin(self, *, stand_in: bool) -> None:
        self.cells = blank(self.entering)
        self.title = ""
        if stand_in:
            game, _, entering = self._kinds()[self.kind]
            for material in materials(all_games()[game])[entering.option].shipped().values():
                if self._is(material, self.kind):
                    self._take(entering.filled(material))

    def _take(self, filled: Filled) -> None:
        for grid in self.entering.grids:
            for at, cells in enumerate(filled[grid.name][: len(grid.rows)]):
                self.cells[grid.name][at] = [cell if cell in grid.choices else "" for cell in cells]

    # Checking and using ----------------------------------------------------------------------------------

    def text(self) -> str:
        """The file of what was entered."""
        return self.entering.text(self.title or self.say("material.title_usual"), self.cells)

    @property
    def wrong(self) -> str:
        """What is missing or wrong; nothing, when it can be used."""
        error = self._problem()
        return "" if error is None else translate(error, self.say.lang)

    def _problem(self) -> NimmtError | None:
        try:
            self.entering.parse(self.text())
        except NimmtError as error:
            # Whoever clicks sees neither a file nor its lines; the message names the card or the row.
            return NotationError.of(error)
        return None

    def _use(self) -> None:
        if error := self._problem():
            raise error
        if self.desk.folder is None:
            self.show(told=self.say("material.no_folder"))
            return
        try:
            folder = folder_in(self.desk.folder, MATERIAL_FOLDER)
            write_file(folder / f"{self.kind}{self.entering.ending}", self.text(), follow=False)
        except CannotWrite:
            self.show(told=self.say("material.not_saved", folder=self.desk.folder / MATERIAL_FOLDER))
            return
        self._label(told=self.say("material.used", file=f"{MATERIAL_FOLDER}/{self.kind}{self.entering.ending}"))

    def _remove(self) -> None:
        """Back to the stand-in. What was entered stays here to go on with."""
        self._keep()
        if self.desk.folder is not None:
            path = self.desk.folder / MATERIAL_FOLDER / f"{self.kind}{self.entering.ending}"
            try:
                if not leads_out(self.desk.folder, path.parent):  # somebody else's folder is left alone
                    path.unlink(missing_ok=True)
            except OSError:
                self.show(told=self.say("material.not_saved", folder=path.parent))
                return
        self._label(told=self.say("material.removed"))

    def _keep(self) -> None:
        if self.kind:
            cells: dict[str, Json] = {name: [[*row] for row in rows] for name, rows in self.cells.items()}
            self.desk.memory.put(f"material {self.kind}", {"title": self.title, "cells": cells})

    def _read(self, draft: dict[str, Json]) -> None:
        """What was kept, as far as it still fits."""
        self.title = clean_title(str(draft.get("title") or "")[:LONGEST_TITLE], "")
        cells = draft.get("cells")
        for grid in self.entering.grids:
            rows = cells.get(grid.name) if isinstance(cells, dict) else None
            for at, row in enumerate(rows[: len(grid.rows)] if isinstance(rows, list) else []):
                if isinstance(row, list) and len(row) == len(grid.columns):
                    self.cells[grid.name][at] = [str(cell) if cell in grid.choices else "" for cell in row]

    # Showing ---------------------------------------------------------------------------------------------

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
        grids: list[Json] = []
        if self.kind:
            grids = [self._grid(grid) for grid in self.entering.grids]
        self.show(
            labels={**labels(self.desk.lang, "material")},
            lang=self.desk.lang,
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
            "filled": self.say("material.filled", count=filled, all=len(grid.rows)),
            "rows": [self._words(row) for row in grid.rows],
            "columns": [self._words(column) for column in grid.columns],
            "choices": [[one, self._words(grid.meanings[one]) if one in grid.meanings else ""] for one in grid.choices],
            "cells": [[*row] for row in cells],
        }


def _place(value: object, count: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count
