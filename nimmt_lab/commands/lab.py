"""`nimmt-lab lab`: copy the tutorials into your folder and open them in JupyterLab.

Changed tutorials are never overwritten: a file is updated only while its cells are as we wrote them (outputs do not
count). Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import re
import sys
import warnings
import webbrowser
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.files import (
    leads_out,
    locked,
    make_folder,
    parse_json,
    parse_toml,
    read_bytes,
    read_text,
    write_file,
)
from nimmt_lab.engine.inflect import typeset
from nimmt_lab.server import HOME

from .words import LANGUAGES, say

PACKAGE = Path(__file__).resolve().parent.parent
CONFIG = Path(__file__).resolve().parent / "jupyter"
#: The fingerprints of the files we wrote, to recognise those that were changed.
MANIFEST = ".nimmt-lab-files.json"
DEFAULT_FOLDER = Path("~/nimmt-lab")
#: Server extensions. Voilà's own would run any notebook in the folder on a mere GET; Home calls the parts of Voilà that
#: it needs.
EXTENSIONS = {
    "voila.server_extension": False,
    "nimmt_lab.server.extension": True,
    "nimmt_lab.commands.addresses": True,
}


class LabError(NimmtError):
    """JupyterLab or the tutorials are missing."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--copy-only", action="store_true")
    parser.add_argument("options", nargs="*", metavar="-- OPTION")


def run(args: argparse.Namespace) -> int:
    """Copy the tutorials and open them."""
    folder = args.folder.expanduser().absolute()
    if not args.copy_only:
        require_lab()
    for name in lay_out(folder, args.lang):
        print(say("out.kept", file=name))
    print(say("out.tutorials", folder=folder))
    if not args.copy_only:
        open_lab(folder, args.options)
    return 0


# Copying the tutorials ----------------------------------------------------------------------------------


def source(name: str) -> Path | None:
    """A folder of notebooks: inside the installed package, or beside it in a checkout."""
    for place in (PACKAGE / f"_{name}", PACKAGE.parent / name):
        if place.is_dir():
            return place
    return None


def files_of(folder: Path) -> dict[str, str]:
    """The text files below a folder, by relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in (".ipynb", ".md") and ".ipynb_checkpoints" not in path.parts
    }


def tutorials(lang: str, done: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """All files to copy, in one language: the tutorials, and the strategy studies under strategy/."""
    from nimmt_lab.lessons.notebooks import HOME_PAGE, INDEX, home_notebook, index_notebook, lesson_notebook, paths

    folder = source("tutorials")
    if folder is None:
        raise LabError("commands.no_tutorials")
    pages = files_of(folder)
    pages |= {path: lesson_notebook(name, lang) for name, path in paths().items()} | {HOME_PAGE: home_notebook()}
    studies = source("notebooks")
    found_studies = {} if studies is None else in_language(studies, lang)
    strategy = {f"strategy/{path}": text for path, text in found_studies.items()}
    listed = [(title_of(text), path) for path, text in strategy.items() if path.endswith(".ipynb")]
    return {**pages, **strategy, INDEX: index_notebook(lang, done, listed)}


def in_language(studies: Path, lang: str) -> dict[str, str]:
    """The strategy studies in a language: their text cells, and the `words` that their code prints and draws. The
    figures that are stored in them are in English, so other languages draw their own."""
    pages, words = files_of(studies), studies / "locale" / f"{lang}.toml"
    if not words.is_file():  # the notebooks themselves are in English
        return pages
    texts = parse_toml(read_text(words), source=words.name)
    every = texts.get("words")
    for path, text in pages.items():
        name = path.removesuffix(".ipynb")
        own, code = texts.get(name), every.get(name) if isinstance(every, dict) else None
        if isinstance(own, dict):
            book = json.loads(text)
            for cell in book["cells"]:
                if cell["cell_type"] == "markdown" and cell["id"] in own:
                    cell["source"] = typeset(str(own[cell["id"]]), lang).splitlines(keepends=True)
                elif cell["cell_type"] == "code":
                    source, cell["outputs"] = "".join(cell["source"]), []
                    for ours, theirs in code.items() if isinstance(code, dict) else ():
                        source = source.replace(ours, str(theirs))
                    cell["source"] = source.splitlines(keepends=True)
            pages[path] = json.dumps(book, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return pages


def title_of(text: str) -> str:
    first = "".join(json.loads(text)["cells"][0]["source"]).splitlines()[0]
    return first.lstrip("# ").strip()


def lay_out(folder: Path, lang: str | None = None) -> list[str]:
    """Update a learner's folder; return the names of the files that the learner has changed, which are kept."""
    from nimmt_lab.lessons import progress as memory

    make_folder(folder, private=True)
    now = memory.update(folder, lambda before: before if lang is None else replace(before, lang=lang))
    with locked(folder, memory.LOCK):
        ours = _read_manifest(folder)
        kept, todo = [], {}
        for name, text in tutorials(now.lang, now.done).items():
            path, mark = folder / name, fingerprint(text)
            if leads_out(folder, path):  # through a link, into another folder
                kept.append(name)
                continue
            there = _mark_of(path)
            if there is not None and there != mark and there not in ours.get(name, ()):
                kept.append(name)
                continue
            # Until everything is written, both the old and the new cells count as ours: if we are interrupted, the
            # next start does not mistake a file for the learner's own.
            ours[name] = [*(old for old in ours.get(name, ()) if old != mark), mark]
            if there != mark:
                todo[path] = text
        if todo:
            _write_manifest(folder, ours)
        for path, text in todo.items():
            make_folder(path.parent)
            write_file(path, text, follow=False)
        _write_manifest(folder, {name: marks[-1:] for name, marks in ours.items()})
    return kept


def _mark_of(path: Path) -> str | None:
    """The fingerprint of a file; None if it does not exist, empty if it cannot be read."""
    if not os.path.lexists(path):
        return None
    try:
        return fingerprint(read_bytes(path, largest=_LARGEST).decode(errors="replace"))
    except NotationError:
        return ""


#: A notebook with pictures in its outputs is large.
_LARGEST = 200_000_000


def _read_manifest(folder: Path) -> dict[str, list[str]]:
    """The fingerprints by file. A single one may be written without a list."""
    try:
        data = parse_json(read_text(folder / MANIFEST))
    except NotationError:
        return {}
    marks = data.items() if isinstance(data, dict) else ()
    return {name: [str(one) for one in (mark if isinstance(mark, list) else [mark])] for name, mark in marks}


def _write_manifest(folder: Path, ours: Mapping[str, list[str]]) -> None:
    plain = {name: marks[0] if len(marks) == 1 else marks for name, marks in ours.items()}
    write_file(folder / MANIFEST, json.dumps(plain, indent=1, sort_keys=True) + "\n", follow=False)


def fingerprint(text: str) -> str:
    """A fingerprint of a file's text; of a notebook's cells, so that running it changes nothing."""
    try:
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"]]
        text = json.dumps(cells)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass  # not a notebook: use the text itself
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


# JupyterLab ----------------------------------------------------------------------------------------------


def has_browser() -> bool:
    """Whether a browser window can be opened; a text browser in a terminal does not count."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _can_encrypt() -> bool:
    """Whether the connection between kernel and server can be encrypted here."""
    try:
        import zmq
    except ImportError:
        return False
    return bool(zmq.has("curve"))


def lab_options(folder: Path, extra: Iterable[str] = ()) -> list[str]:
    """JupyterLab's options. Nothing is downloaded at run time: no news, no update check, no extension catalogue."""
    chosen = [
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/{HOME}",
        f"--ServerApp.jpserver_extensions={EXTENSIONS}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        "--Application.log_level=WARN",  # everyday messages would hide the two addresses
    ]
    if _can_encrypt():  # otherwise a kernel warns about plain text for every page
        chosen.append("--KernelManager.transport_encryption=auto")
    if not has_browser():
        chosen.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container; Jupyter refuses root otherwise
        chosen.append("--allow-root")
    return [*chosen, *extra]


def lab_environment() -> dict[str, str]:
    """Settings for this server only, not for the user: no news, a Start button in the toolbar, our page for Home."""
    paths = [str(CONFIG), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    data = [str(CONFIG / "share"), os.environ.get("JUPYTER_PATH", "")]
    return {
        "JUPYTER_CONFIG_PATH": os.pathsep.join(path for path in paths if path),
        "JUPYTER_PATH": os.pathsep.join(path for path in data if path),
    }


def lab_settings() -> dict[str, object]:
    path = CONFIG / "labconfig" / "default_setting_overrides.json"
    settings = parse_json(read_text(path), source=path.name)
    assert isinstance(settings, dict)
    return settings


def require_lab() -> None:
    """Report a missing package before a folder is made."""
    for name in ("jupyterlab", "voila", "anywidget"):
        try:
            there = importlib.util.find_spec(name) is not None
        except ImportError:
            there = False
        if not there:
            raise LabError("commands.not_installed", name=name)


def leave_working_folder() -> Path:
    """Change to a folder of ours and return the previous one. Files that happen to be there (a download, a pupil's
    answers) could otherwise be imported as modules or read as settings."""
    try:
        here = Path.cwd()
    except OSError:  # the folder has been removed
        here = CONFIG
    if here != PACKAGE.parent:  # we may have been imported from a checkout
        sys.path[:] = [entry for entry in sys.path if here / entry != here]
    os.chdir(CONFIG)
    return here


#: Jupyter options that name a file or a folder, of any class.
_PATHS = re.compile(r"(?:.*[._])?(?:certfile|keyfile|client_ca|config|sock|file|dir|path)")


def as_typed(options: Iterable[str], here: Path, flags: Container[str] = ()) -> list[str]:
    """Resolve the paths in Jupyter's options against the folder where they were typed; `flags` are options without a
    value.

    >>> as_typed(["--certfile=x.pem", "--port=1", "--config", "a/b.py", "--debug", "c.ipynb"], Path("/me"), {"debug"})
    ['--certfile=/me/x.pem', '--port=1', '--config', '/me/a/b.py', '--debug', '/me/c.ipynb']
    """
    seen: list[str] = []
    is_path = True  # a word on its own is a file to open
    for word in options:
        name, equals, value = word.partition("=")
        plain = name.lstrip("-").replace("-", "_").lower()
        if not word.startswith("-"):
            seen.append(_from(here, word) if is_path else word)
            is_path = True
        elif equals:
            seen.append(f"{name}={_from(here, value)}" if _PATHS.fullmatch(plain) else word)
            is_path = True
        else:
            seen.append(word)
            is_path = name.lstrip("-") in flags or _PATHS.fullmatch(plain) is not None
    return seen


def _from(here: Path, path: str) -> str:
    return path if not path or path.startswith("~") else str(here / path)


def open_lab(folder: Path, extra: Iterable[str] = ()) -> None:
    """Start one Jupyter server with Home and JupyterLab, and run it until it is stopped."""
    os.environ.update(lab_environment())
    here = leave_working_folder()
    # Jupyter validates its settings with jsonschema, which compiles forty grammars for internationalised addresses if
    # it finds this package: more than a second before the server listens. Without it, that format goes unchecked.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    try:
        import voila  # noqa: F401
        from jupyterlab.labapp import LabApp
    except ImportError as error:
        raise LabError("commands.not_installed", name=error.name) from None
    # Voilà switches these on for everybody, but learners can do nothing about deprecations inside libraries.
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    LabApp.launch_instance(argv=lab_options(folder, as_typed(extra, here, LabApp.flags)))
