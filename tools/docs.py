"""Build the documentation as a site: python tools/docs.py [OUT] (or `make docs`). No page of it needs a network.

    python tools/docs.py                    pages, drawings, API; screens where a Chromium is installed
    python tools/docs.py --execute          the studies executed, too (some minutes)
    python tools/docs.py --live             lessons that run inside the pages, too (fetches a browser's Python once)
    python tools/docs.py --no-screens       without the photographs of screens

The pages are in `docs/`; what they take from the package is put in by `tools/docs_parts.py`. Everything is written
below `build/`, nothing into the checkout. Anything Sphinx warns about is an error.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.docs_extras import execute, live_page, photograph
from tools.docs_parts import DOCS, LIVE, ROOT, Pages, expand, readme_picture, write

NOTEBOOKS = ROOT / "notebooks"
#: Packages whose modules nobody calls: ARCHITECTURE.md and the help of the commands describe them.
INSIDE = {"commands", "conformance", "live", "native", "screens", "site"}
#: Modules that studies, or people who train players, import by name.
ALSO = {
    "explain": ["catalogue"],
    "lessons": ["progress"],
    "rl": [
        "actions",
        "observe",
        "match",
        "zoo",
        "pixels",
        "vector",
        "gym",
        "opponents",
        "spiel",
        "recall",
        "small",
        "gradient",
    ],
    "solver": ["several", "draft", "draft_adviser", "deals", "exact", "reference"],
    "widgets": ["lesson"],
}
#: Pages of the project, included unchanged.
SHOWN = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def language_of(page: Path) -> str:
    """The language of a page, from its folder."""
    first = page.relative_to(DOCS).parts[0]
    return first if first in ("pl", "cs") else "en"


def assemble(pages: Pages) -> None:
    """Write every page, drawing and notebook into the folder that Sphinx reads."""
    wanted = set()
    for path in sorted(DOCS.rglob("*.md")):
        target = pages.folder / path.relative_to(DOCS)
        pages.up = "../" * (len(path.relative_to(DOCS).parts) - 1)
        write(target, expand(path.read_text(encoding="utf-8"), pages, language_of(path)))
        wanted.add(target)
    for path in sorted((DOCS / "_static").glob("*.svg")):  # pictures in pages are beside them
        write(pages.folder / "_static" / path.name, path.read_text(encoding="utf-8"))
    for name in SHOWN:
        write(pages.folder / "project" / name, (ROOT / name).read_text(encoding="utf-8"))
        wanted.add(pages.folder / "project" / name)
    for name, text in api_pages().items():
        write(pages.folder / "api" / f"{name}.md", text)
        wanted.add(pages.folder / "api" / f"{name}.md")
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        target = pages.folder / "studies" / path.name
        wanted.add(target)
        if pages.executed:
            print(f"executing {path.name} …", flush=True)
            execute(path, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != path.read_bytes():
                shutil.copyfile(path, target)
    for path in (*pages.folder.rglob("*.md"), *pages.folder.rglob("*.ipynb")):
        if path not in wanted:
            path.unlink()


# The API


def public_modules() -> dict[str, list[str]]:
    """The public modules of a package: itself if it has `__all__`, otherwise its modules."""
    package = importlib.import_module("nimmt_lab")
    found = {"nimmt_lab": ["nimmt_lab"]}
    for room in pkgutil.iter_modules(package.__path__):
        if not room.ispkg or room.name in INSIDE:
            continue
        name = f"nimmt_lab.{room.name}"
        module = importlib.import_module(name)
        if module.__all__:
            found[name] = [name, *filter(is_there, (f"{name}.{one}" for one in ALSO.get(room.name, ())))]
        else:  # a chapter's public names are in its rules
            inner = pkgutil.iter_modules(module.__path__)
            found[name] = [f"{name}.{one.name}" + (".rules" if one.ispkg else "") for one in inner]
    return found


def is_there(module: str) -> bool:
    """Whether a module can be imported here: some packages don't exist for every system."""
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def offered(name: str) -> dict[str, object]:
    """The names on the page of a module: a package's `__all__`, or a module's classes and functions.

    Those stay in the order of the source, which was chosen for readers.
    """
    module = importlib.import_module(name)
    listed = {one: getattr(module, one) for one in module.__all__}
    if hasattr(module, "__path__"):
        return listed
    return {one: thing for one, thing in vars(module).items() if one in listed and _is_defined_in(name, thing)}


def _is_defined_in(module: str, thing: object) -> bool:
    return getattr(thing, "__module__", None) == module


def callable_name(module: str, name: str) -> bool:
    """Whether a public name is a class or a function."""
    return callable(getattr(importlib.import_module(module), name))


def api_pages() -> dict[str, str]:
    """Write a page for each package, made from the docstrings by Sphinx. Shared names are documented once."""
    rooms = public_modules()
    told: dict[int, str] = {}
    made = {}
    for room in [*(room for room in rooms if room != "nimmt_lab"), "nimmt_lab"]:
        parts = [f"# {room}", ""]
        for name in rooms[room]:
            homes = {one: told.setdefault(id(thing), f"{name}.{one}") for one, thing in offered(name).items()}
            own = [one for one, home in homes.items() if home == f"{name}.{one}"]
            if name != room:
                parts += [f"## {name.removeprefix(f'{room}.')}", ""]
            members = f"   :members: {', '.join(own)}\n" if own else ""
            links = [f"{{py:obj}}`{one} <{home}>`" for one, home in homes.items() if callable_name(name, one)]
            parts += [" · ".join(links), ""]
            parts += [f"```{{eval-rst}}\n.. automodule:: {name}\n{members}```", ""]
        made[room] = "\n".join(parts)
    made["index"] = (
        "# API reference\n\nEverything here is made from the docstrings; their examples run as tests. Rows, seats and "
        "turns count from 0 in code.\n\n```{toctree}\n:maxdepth: 1\n\n" + "\n".join(rooms) + "\n```\n"
    )
    return made


def build(out: Path, pages: Pages, *, quiet: bool = False) -> int:
    """Run Sphinx, with warnings as errors."""
    from sphinx.cmd.build import main as sphinx

    for name in (name for names in public_modules().values() for name in names):
        # Some packages import names on demand, which Sphinx doesn't see.
        vars(importlib.import_module(name)).update(offered(name))
    kept = pages.folder.parent / f"{pages.folder.name}-kept"
    arguments = ["-b", "html", "-W", "--keep-going", "-c", str(DOCS), "-d", str(kept), str(pages.folder), str(out)]
    code: int = sphinx([*(["-q"] if quiet else []), *arguments])
    return code


def main() -> int:
    """Assemble the pages and build them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--execute", action="store_true", help="execute the studies")
    parser.add_argument("--live", action="store_true", help="lessons that run in the pages")
    parser.add_argument("--no-screens", action="store_true", help="no photographs of screens")
    parser.add_argument("--quiet", action="store_true", help="say only what is wrong")
    parser.add_argument("--picture", action="store_true", help="only draw the picture of README.md again")
    options = parser.parse_args()
    if options.picture:
        write(DOCS / "picture.svg", readme_picture())
        return 0
    pages = Pages(options.out.parent / f"{options.out.name}-source", live=options.live, executed=options.execute)
    if not options.no_screens:
        print("photographing the screens …", flush=True)
        pages.screens = photograph(pages.folder / "_drawn")
        if not pages.screens:
            print("no Chromium was found: the gallery has drawings only", flush=True)
    assemble(pages)
    if code := build(options.out, pages, quiet=options.quiet):
        return code
    if options.live:
        print("packing the lessons …", flush=True)
        write(options.out / LIVE, live_page(sorted(pages.lessons)))
    if not options.quiet:
        print(f"open {options.out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
