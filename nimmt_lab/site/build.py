"""Puts the page together: a folder for any static host, or one file that opens from a disk."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

from nimmt_lab import __version__
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import lay_down, make_folder, name_of, shown, write_file, write_tree
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.roster import Roster
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.assets import bundle, source, styles
from nimmt_lab.screens.words import labels

from .foresee import foreseen
from .inside import Begin
from .qr import svg
from .runtime import runtime
from .wheel import NAME, lock_file, wheel

PAGE: Final = "index.html"
#: Where JupyterLite is, beside the page, and by which of its files we know it.
LAB: Final = "jupyter"
_LITE: Final = "jupyter-lite.json"
#: The files that a folder must have before another site may be written over it.
_OURS: Final = ("index.html", "pyodide-lock.json")
#: Languages that write a decimal comma.
_COMMA: Final = {"en": False, "pl": True, "cs": True}


@dataclass(frozen=True)
class Site:
    """A site, ready to be written: its files by name, and the settings that its page reads."""

    files: dict[str, bytes]
    settings: dict[str, object]
    #: What lies beside the page.
    extra: dict[str, bytes] = field(default_factory=dict)
    #: JupyterLite, if it was asked for: its files by their path below `LAB`.
    lab: dict[str, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes in all."""
        return sum(map(len, [*self.folder().values(), *self.lab.values()]))

    @property
    def count(self) -> int:
        """How many files that are."""
        return len(self.folder()) + len(self.lab)

    @property
    def marks(self) -> dict[str, str]:
        """By which a browser tells a file from an older one of the same name."""
        return {name: mark(content) for name, content in self.files.items()}

    @property
    def mark(self) -> str:
        """The same of all of it."""
        script = bundle("host/start")
        return mark(json.dumps([self.settings, self.marks, script, styles()], sort_keys=True).encode())

    def folder(self) -> dict[str, bytes]:
        """Every file of the folder."""
        page = _page({**self.settings, "mark": self.mark, "marks": self.marks, "offline": True}, "")
        around = {PAGE: page.encode(), "icon.svg": ICON.encode(), "manifest.webmanifest": _manifest()}
        found = {**self.files, **self.extra, **around}
        return {**found, "offline.js": _offline(self.mark, self.marks, sorted({**self.extra, **around}))}

    def one_file(self) -> str:
        """All of it in a page: what it needs stands in it, packed."""
        inside = "".join(
            f'<script type="text/plain" data-file="{escape(name)}">{_packed(content)}</script>\n'
            for name, content in self.files.items()
        )
        return _page({**self.settings, "mark": self.mark}, inside)


def make(
    *,
    lang: str | None = None,
    lesson: str = "",
    roster: Roster | None = None,
    address: str = "",
    package: Path | None = None,
) -> Site:
    """Build everything now. `lang` is the language a new reader is greeted in (by default the browser's), `lesson` the
    one that is open at the first visit. For the class of a `roster` the page asks for a code first (it holds the
    codes, no names). `address`, where the folder will be, adds a page to photograph. `package` is npm's archive of
    Pyodide, where it is to be had as a file."""
    if lesson and lesson not in lesson_names():
        raise RulesError("shared.no_lesson_of", lesson=shown(lesson), known=", ".join(lesson_names()))
    begin = Begin(lesson, tuple(sorted(code_of(seed) for seed in roster.pupils.values())) if roster else ())
    extra = {"board.html": _to_photograph(address).encode()} if address else {}
    if lang is not None and lang not in LANGUAGES:
        raise RulesError("shared.no_language", lang=repr(lang), known=", ".join(LANGUAGES))
    files = runtime(package)
    made = wheel()
    files["pyodide-lock.json"] = lock_file(files["pyodide-lock.json"], made)
    files[NAME] = made
    parts = [{"name": name, "size": len(content)} for name, content in files.items()]
    for one in LANGUAGES:
        known = foreseen(one, begin)
        files[f"foreseen.{one}.json"] = json.dumps(known, ensure_ascii=False, separators=(",", ":")).encode()
    settings: dict[str, object] = {
        "version": __version__,
        "lang": lang,
        "words": {one: labels(one, "site") for one in LANGUAGES},
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
    """Write the folder: all of it or nothing. One that holds something else is left alone."""
    if folder.exists() and any(folder.iterdir()) and not all((folder / name).is_file() for name in _OURS):
        raise RulesError("site.other_files", folder=name_of(folder))
    lab = folder / LAB
    if lab.exists() and not (lab / _LITE).is_file():
        raise RulesError("site.other_files", folder=name_of(lab))
    make_folder(folder)
    write_tree(lab, site.lab)  # first: the page leads to it
    lay_down(folder, site.folder())


def write_one_file(site: Site, path: Path) -> None:
    """Write the single page."""
    if path.is_dir():
        raise RulesError("site.one_page", path=name_of(path))
    write_file(path, site.one_file())


def _to_photograph(address: str) -> str:
    """The address, large, and as a square for telephones: for the board at the front of a class."""
    if not re.fullmatch(r"https?://[^\s<>\"]+", address):
        raise RulesError("site.address_http", got=shown(address))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>nimmt lab</title>\n<style>\n'
        "body { margin: 4vh auto; max-width: 70vh; text-align: center; font: 4vh/1.3 system-ui, sans-serif; }\n"
        "p { overflow-wrap: anywhere; }\n</style>\n</head>\n<body>\n"
        f"{svg(address)}\n<p>{escape(address)}</p>\n</body>\n</html>\n"
    )


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def _page(settings: dict[str, object], inside: str) -> str:
    # What stands in the page as data cannot end its script element: `<` is written as an escape.
    data = json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c")
    script = bundle("host/start", "const host =")
    linked = "" if inside else '<link rel="manifest" href="manifest.webmanifest">\n<link rel="icon" href="icon.svg">\n'
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>nimmt lab</title>\n{linked}<style>\n:root {{ color-scheme: light dark; }}\n"
        "body { margin: 0 auto; padding: 8px; max-width: 1366px; background: Canvas; }\n"
        f'{styles()}\n</style>\n</head>\n<body>\n<div id="nl-lab"></div>\n'
        f'<script type="application/json" id="nl-site">{data}</script>\n{inside}'
        f'<script type="module">\n{script}\nhost.start();\n</script>\n</body>\n</html>\n'
    )


def _manifest() -> bytes:
    return json.dumps(
        {
            "name": "nimmt lab",
            "short_name": "nimmt lab",
            "start_url": "./",
            "display": "standalone",
            "background_color": "#ffffff",
            "theme_color": "#00568a",
            "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
        }
    ).encode()


#: Our bull, small.
ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#00568a"/>'
    '<path d="M10 16c2 10 8 12 14 12h16c6 0 12-2 14-12-1 14-5 18-10 20v6c0 8-5 12-12 12s-12-4-12-12v-6c-5-2-9-6-10-20z"'
    ' fill="#fff"/><g fill="#00568a"><circle cx="26" cy="38" r="2.5"/><circle cx="38" cy="38" r="2.5"/></g></svg>'
)


def _offline(site: str, files: dict[str, str], around: list[str]) -> bytes:
    """The script that keeps the page for days without a network, where the address allows such scripts."""
    known = json.dumps({"site": site, "files": files, "around": ["./", *around]})
    return f"const SITE = {known};\n{source('host/offline')}".encode()
