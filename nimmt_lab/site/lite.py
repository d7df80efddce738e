"""Add JupyterLite to the site: the tutorials and studies as notebooks in the reader's browser.

The application, its kernel and every Python package it needs are packed from the packages installed here; the kernel
runs on the same Pyodide as the page. Only Pyodide and `micropip` are downloaded, once, when the site is built, and
their fingerprints are checked. A reader's browser fetches nothing from elsewhere.

A notebook that needs a package no page has (polars) says so in its first cell.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

from nimmt_lab import __version__
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import parse_json, write_tree
from nimmt_lab.lessons.progress import FILE, FORMAT
from nimmt_lab.screens.words import labels

from .build import LAB, Site
from .runtime import last_line, micropip
from .wheel import NAME, NOTEBOOKS, lock_file, package_name, packed, wheel

#: The notebook that opens first.
FIRST: Final = f"{LAB}/lab/index.html?path=index.ipynb"
#: The packages that our notebooks and the kernel import. Their requirements are added.
ROOTS: Final = ("altair", "anywidget", "comm", "ipython", "ipywidgets", "jedi", "packaging", "tqdm")
#: Wheels that the kernel brings itself.
KERNEL: Final = ("ipykernel", "piplite", "pyodide_kernel")
#: JupyterLab extensions that draw widgets and start the kernel, by package.
EXTENSIONS: Final = {
    "anywidget": "anywidget",
    "jupyterlab-widgets": "@jupyter-widgets/jupyterlab-manager",
    "jupyterlite-pyodide-kernel": "@jupyterlite/pyodide-kernel-extension",
}
#: Requirements that a page does not import: extensions, not Python.
_NOT_THERE: Final = frozenset({"jupyterlab-widgets", "widgetsnbextension"})
#: Packages that also work without their compiled files; for `rpds-py`, which does not, the page gets our `persistent`.
_PLAIN_TOO: Final = frozenset({"markupsafe", "psygnal", "wcwidth"})
_OURS_INSTEAD: Final = "rpds-py"
_COMPILED: Final = (".so", ".pyd", ".dylib")
#: Large, and useless in a notebook.
_WITHOUT: Final = ("jedi/third_party/django-stubs/", "jedi/third_party/typeshed/third_party/")
KERNELSPEC: Final[Json] = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
_TRACKER: Final = "@jupyterlab/notebook-extension:tracker"


class NoLite(NimmtError):
    """JupyterLite could not be built here."""


def installed(name: str) -> metadata.Distribution:
    """Metadata of an installed package.

    >>> installed("no-such-package")
    Traceback (most recent call last):
    nimmt_lab.site.lite.NoLite: JupyterLite needs no-such-package; run: pip install 'nimmt_lab[lab,lite]'
    """
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise NoLite("site.jupyterlite_needs_pip", name=name) from None


def closure(roots: Iterable[str] = ROOTS) -> list[str]:
    """The names of these packages and of everything they require in a page."""
    with wanted("lab"):
        from packaging.requirements import Requirement
        from packaging.utils import canonicalize_name

    page = dict(_data("environment"))  # Python in a page, for requirements that depend on the platform
    names: set[str] = set()
    todo = [str(canonicalize_name(root)) for root in roots]
    while todo:
        name = todo.pop()
        if name in names or name in _NOT_THERE:
            continue
        names.add(name)
        for line in installed(name).requires or []:
            need = Requirement(line)
            if need.marker is None or need.marker.evaluate(page):
                todo.append(str(canonicalize_name(need.name)))
    return sorted(names)


def pure(name: str) -> tuple[str, bytes]:
    """Repack an installed package as a wheel without compiled files; return its file name and content."""
    package = installed(name)
    about = f"{name.replace('-', '_')}-{package.version}.dist-info"
    if name == _OURS_INSTEAD:
        text = Path(__file__).with_name("persistent.py").read_bytes()
        return packed("rpds_py", package.version, {"rpds.py": text})
    kept: dict[str, bytes] = {}
    for path in package.files or ():
        inside = path.as_posix()
        if path.suffix in _COMPILED and name not in _PLAIN_TOO:
            raise NoLite("site.compiled_there_none", name=name, version=package.version, path=path.name)
        if path.suffix in (*_COMPILED, ".pyc") or ".." in path.parts or path.is_absolute():
            continue
        if inside.startswith(_WITHOUT):
            continue
        if path.parts[0].endswith(".dist-info"):  # without the traces of this installation
            if path.name not in ("METADATA", "entry_points.txt") and "licenses" not in path.parts:
                continue
            inside = "/".join((about, *path.parts[1:]))
        kept[inside] = Path(str(path.locate())).read_bytes()
    return packed(name.replace("-", "_"), package.version, kept)


def packages() -> dict[str, bytes]:
    """The wheels that notebooks in a page run with."""
    made = dict([*(pure(name) for name in closure()), micropip()])
    shipped = _extension("jupyterlite-pyodide-kernel") / "static" / "pypi"
    for kernel in KERNEL:
        for path in sorted(shipped.glob(f"{kernel}-*.whl")):
            made[path.name] = path.read_bytes()
    made[NAME] = wheel(without=NOTEBOOKS)
    return made


def needs(book: Mapping[str, Json]) -> list[str]:
    """The packages that a notebook needs and a page does not have.

    >>> needs({"metadata": {"nimmt_lab": {"needs": ["polars"]}}}), needs({"metadata": {}})
    (['polars'], [])
    """
    about = book["metadata"]
    own = about.get("nimmt_lab") if isinstance(about, dict) else None
    listed = own.get("needs") if isinstance(own, dict) else None
    return [str(name) for name in listed] if isinstance(listed, list) else []


def for_a_page(text: str, words: Mapping[str, str]) -> str:
    """Prepare a notebook for the page's kernel; one that cannot run there says so in its first cell."""
    book = parse_json(text)
    assert isinstance(book, dict) and isinstance(book["metadata"], dict) and isinstance(book["cells"], list)
    book["metadata"]["kernelspec"] = KERNELSPEC
    if missing := needs(book):
        text = words["lab_needs"].format(packages=", ".join(missing))
        cell: Json = {"cell_type": "markdown", "id": "needs", "metadata": {}, "source": [f"> **{text}**"]}
        book["cells"].insert(1, cell)
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def with_notebooks(site: Site, books: Mapping[str, str], settings: Mapping[str, object], lang: str) -> Site:
    """Add JupyterLite with these notebooks and JupyterLab settings to a site, in the language `lang`."""
    lab = make(books, settings, lang=lang, lock=site.files["pyodide-lock.json"])
    return replace(site, lab=lab, settings={**site.settings, "lab": FIRST})


def make(books: Mapping[str, str], settings: Mapping[str, object], *, lang: str, lock: bytes) -> dict[str, bytes]:
    """All files of JupyterLite, by path. `lock` is Pyodide's lock file, of which only the `info` is kept."""
    words = labels(lang, "site")
    wheels = packages()
    with tempfile.TemporaryDirectory() as place:
        root, out = Path(place) / "in", Path(place) / "out"
        laid = {
            f"files/{name}": for_a_page(text, words) if name.endswith(".ipynb") else text
            for name, text in books.items()
        }
        # Without this file, the page would not remember finished lessons.
        laid[f"files/{FILE}"] = json.dumps({"format": FORMAT, "lang": lang, "name": "", "done": {}}) + "\n"
        # Start the only kernel without asking which, even if somebody runs a cell before Python has loaded.
        tracker = settings.get(_TRACKER)
        own = {**(tracker if isinstance(tracker, dict) else {}), "autoStartDefaultKernel": True}
        laid["overrides.json"] = json.dumps({**settings, _TRACKER: own})
        laid["jupyter-lite.json"] = json.dumps(_configuration(wheels))
        write_tree(root, {name: text.encode() for name, text in laid.items()})
        _build(root, out)
        made = {
            path.relative_to(out).as_posix(): path.read_bytes()
            for path in sorted(out.rglob("*"))
            if path.is_file() and path.suffix != ".map" and not path.name.startswith("rspack.")
        }
    made |= {f"packages/{name}": content for name, content in wheels.items()}
    made["packages/pyodide-lock.json"] = lock_file(lock, wheels)
    return made


def _data(name: str) -> dict[str, Any]:
    text = (files(__package__) / "data" / "lite.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text)[name])


def _configuration(wheels: Iterable[str]) -> dict[str, Any]:
    configuration = _data("configuration")
    application = configuration["jupyter-config-data"]
    application["appVersion"] = __version__
    (kernel,) = application["litePluginSettings"].values()
    kernel["loadPyodideOptions"]["packages"] = sorted(map(package_name, wheels))
    return configuration


def _extension(package: str) -> Path:
    """The folder of a package's JupyterLab extension."""
    end = f"labextensions/{EXTENSIONS[package]}/package.json"
    for path in installed(package).files or ():
        if path.as_posix().endswith(end):
            return Path(os.path.realpath(str(path.locate()))).parent
    raise NoLite("site.lies_here_without", package=package)


def _build(root: Path, out: Path) -> None:
    """Run JupyterLite's builder with our extensions only, isolated from the user's Jupyter settings."""
    installed("jupyterlite-core")
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(root), "--output-dir", str(out)]
    command += ["--contents", "files", "--ignore-sys-prefix", "--no-sourcemaps", "--no-unused-shared-packages"]
    command += ["--no-libarchive", "--apps", "lab", "--apps", "notebooks", "--apps", "tree"]
    command += [f"--LiteBuildConfig.federated_extensions={_extension(name)}" for name in EXTENSIONS]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "JUPYTERLITE"))}
    own |= {"JUPYTER_CONFIG_DIR": str(root / "none"), "JUPYTER_NO_CONFIG": "1"}
    done = subprocess.run(command, cwd=root, env=own, capture_output=True, text=True)
    if done.returncode or not (out / "jupyter-lite.json").is_file():
        raise NoLite("site.jupyterlite_could_not", said=last_line(done))
