"""Put the page together: a folder for any static host, or one file that opens from a disk."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import Final

from nimmt_lab import __version__
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import lay_down, make_folder, name_of, shown, write_file, write_tree
from nimmt_lab.lessons.class_list import ClassList
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.shipped import full_name
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.assets import bundle, font_styles, source, styles
from nimmt_lab.screens.words import labels

from .foresee import foreseen
from .inside import Begin
from .qr import svg
from .runtime import runtime
from .wheel import NAME, lock_file, wheel

PAGE: Final = "index.html"
#: The folder of JupyterLite, and the file that identifies it.
LAB: Final = "jupyter"
_LITE: Final = "jupyter-lite.json"
#: Only a folder with these files may be overwritten by another site.
_OURS: Final = ("index.html", "pyodide-lock.json")
#: The languages with a decimal comma.
_COMMA: Final = {"en": False, "pl": True, "cs": True}


@dataclass(frozen=True)
class Site:
    """A site ready to be written: its files by name, and the settings that its page reads."""

    files: dict[str, bytes]
    settings: dict[str, object]
    #: Further pages.
    extra: dict[str, bytes] = field(default_factory=dict)
    #: The files of JupyterLite by path below `LAB`, if it is wanted.
    lab: dict[str, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(map(len, [*self.folder().values(), *self.lab.values()]))

    @property
    def count(self) -> int:
        return len(self.folder()) + len(self.lab)

    @property
    def marks(self) -> dict[str, str]:
        """A fingerprint for each file, so that a browser recognises an older version."""
        return {name: mark(content) for name, content in self.files.items()}

    @property
    def mark(self) -> str:
        """A fingerprint of the whole site."""
        script = bundle("host/start")
        return mark(json.dumps([self.settings, self.marks, script, font_styles(), styles()], sort_keys=True).encode())

    def folder(self) -> dict[str, bytes]:
        """Every file of the folder, by name."""
        page = _page({**self.settings, "mark": self.mark, "marks": self.marks, "offline": True}, "")
        own = {PAGE: page, "icon.svg": _data("icon.svg"), "manifest.webmanifest": _data("manifest.json")}
        around = {**self.extra, **{name: text.encode() for name, text in own.items()}}
        known = json.dumps({"site": self.mark, "files": self.marks, "around": ["./", *sorted(around)]})
        # The service worker keeps the page usable without a network, where the address allows one.
        offline = f"const SITE = {known};\n{source('host/offline')}"
        return {**self.files, **around, "offline.js": offline.encode()}

    def one_file(self) -> str:
        """The whole site in one page, with its files packed inside."""
        inside = "".join(
            f'<script type="text/plain" data-file="{escape(name)}">'
            f"{base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()}</script>\n"
            for name, content in self.files.items()
        )
        return _page({**self.settings, "mark": self.mark}, inside)


def make(
    *,
    lang: str | None = None,
    lesson: str = "",
    class_list: ClassList | None = None,
    address: str = "",
    package: Path | None = None,
) -> Site:
    """Build the site.

    `lang` is the language of a first visit (by default the browser's) and `lesson` the lesson that opens first. With a
    `class_list`, the page asks for a code first; it contains the codes, not the names. `address`, where the folder will
    be, adds a page with a QR code. `package` is a local copy of npm's archive of Pyodide.
    """
    lesson = full_name(lesson)
    if lesson and lesson not in lesson_names():
        raise RulesError("shared.no_lesson_of", lesson=shown(lesson), known=", ".join(lesson_names()))
    begin = Begin(lesson, tuple(sorted(code_of(seed) for seed in class_list.pupils.values())) if class_list else ())
    extra = {"board.html": _board(address).encode()} if address else {}
    if lang is not None and lang not in LANGUAGES:
        raise RulesError("shared.no_language", lang=repr(lang), known=", ".join(LANGUAGES))
    files = runtime(package)
    made = wheel()
    files["pyodide-lock.json"] = lock_file(files["pyodide-lock.json"], {NAME: made})
    files[NAME] = made
    parts = [{"name": name, "size": len(content)} for name, content in files.items()]
    for code in LANGUAGES:
        known = foreseen(code, begin)
        files[f"foreseen.{code}.json"] = json.dumps(known, ensure_ascii=False, separators=(",", ":")).encode()
    settings: dict[str, object] = {
        "version": __version__,
        "lang": lang,
        "words": {code: labels(code, "site") for code in LANGUAGES},
        "comma": _COMMA,
        "parts": parts,
        "begin": {"lesson": begin.lesson, "codes": [*begin.codes]},
        "worker": source("host/worker"),
    }
    return Site(files, settings, extra)


def mark(content: bytes) -> str:
    """A short fingerprint.

    >>> mark(b"")
    'e3b0c44298fc'
    """
    return hashlib.sha256(content).hexdigest()[:12]


def write_folder(site: Site, folder: Path) -> None:
    """Write the folder, all of it or nothing. Folders with other files raise an error."""
    if folder.exists() and any(folder.iterdir()) and not all((folder / name).is_file() for name in _OURS):
        raise RulesError("site.other_files", folder=name_of(folder))
    lab = folder / LAB
    if lab.exists() and not (lab / _LITE).is_file():
        raise RulesError("site.other_files", folder=name_of(lab))
    make_folder(folder)
    write_tree(lab, site.lab)  # first, because the page links to it
    lay_down(folder, site.folder())


def write_one_file(site: Site, path: Path) -> None:
    if path.is_dir():
        raise RulesError("site.one_page", path=name_of(path))
    write_file(path, site.one_file())


def _board(address: str) -> str:
    """The address in large letters and as a QR code, for the front of a classroom."""
    if not re.fullmatch(r"https?://[^\s<>\"]+", address):
        raise RulesError("site.address_http", got=shown(address))
    return Template(_data("board.html")).substitute(code=svg(address), address=escape(address))


def _page(settings: dict[str, object], inside: str) -> str:
    linked = "" if inside else '<link rel="manifest" href="manifest.webmanifest">\n<link rel="icon" href="icon.svg">\n'
    return Template(_data("page.html")).substitute(
        linked=linked,
        styles=f"{font_styles()}\n{styles()}",
        # An escaped `<` cannot end the script element.
        settings=json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c"),
        inside=inside,
        script=bundle("host/start", "const host ="),
    )


def _data(name: str) -> str:
    return (resources.files(__package__) / "data" / name).read_text(encoding="utf-8")
