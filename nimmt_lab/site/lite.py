"""JupyterLite beside the page: the tutorials and studies as notebooks in the reader's browser.

The application comes from the package `jupyterlite-core`, its kernel from `jupyterlite-pyodide-kernel`, both installed
here, and so is every Python package that it runs with: they are packed as they lie on this machine. The kernel runs on
the same Pyodide as the page. Only Pyodide itself and `micropip` are fetched, by whoever puts it together and once, with
their fingerprints checked; the reader fetches nothing from elsewhere.

What cannot run there (there is no polars for a page) says so itself, in the first cell.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Final

from nimmt_lab import __version__
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import parse_json, write_tree
from nimmt_lab.lessons.progress import FILE, FORMAT
from nimmt_lab.screens.words import labels

from .build import LAB, Site
from .runtime import micropip
from .wheel import NAME, NOTEBOOKS, packed, wheel

#: What is open first.
FIRST: Final = f"{LAB}/lab/index.html?path=index.ipynb"
#: What our notebooks import, and what the kernel does. What these need in turn comes with them.
ROOTS: Final = ("altair", "anywidget", "comm", "ipython", "ipywidgets", "jedi", "packaging", "tqdm")
#: The kernel's own, as it brings them along.
KERNEL: Final = ("ipykernel", "piplite", "pyodide_kernel")
#: Parts of JupyterLab that draw widgets and start the kernel, by the package that brings them.
EXTENSIONS: Final = {
    "anywidget": "anywidget",
    "jupyterlab-widgets": "@jupyter-widgets/jupyterlab-manager",
    "jupyterlite-pyodide-kernel": "@jupyterlite/pyodide-kernel-extension",
}
#: Needed by name only: the same lies in `EXTENSIONS`, or is drawn otherwise.
_NOT_THERE: Final = frozenset({"jupyterlab-widgets", "widgetsnbextension"})
#: What is compiled, and does the same without: the rest of it is plain Python. Where there is no such rest, ours.
_PLAIN_TOO: Final = frozenset({"markupsafe", "psygnal", "wcwidth"})
_OURS_INSTEAD: Final = "rpds-py"
_COMPILED: Final = (".so", ".pyd", ".dylib")
#: Large, and of no use in a notebook.
_WITHOUT: Final = ("jedi/third_party/django-stubs/", "jedi/third_party/typeshed/third_party/")
#: Python as a page has it: for requirements that depend on that.
_PAGE: Final = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_system": "Emscripten",
    "python_full_version": "3.14.2",
    "python_version": "3.14",
    "sys_platform": "emscripten",
}
KERNELSPEC: Final[Json] = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
_PLUGIN: Final = "@jupyterlite/pyodide-kernel-extension:kernel"


class NoLite(NimmtError):
    """JupyterLite cannot be put together here."""


def installed(name: str) -> metadata.Distribution:
    """A package of this machine.

    >>> installed("no-such-package")
    Traceback (most recent call last):
    nimmt_lab.site.lite.NoLite: JupyterLite needs no-such-package: pip install 'nimmt_lab[lab,lite]'
    """
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise NoLite("site.jupyterlite_needs_pip", name=name) from None


def closure(roots: Iterable[str] = ROOTS) -> list[str]:
    """Those packages and all they need in a page, by name."""
    with wanted("lab"):
        from packaging.requirements import Requirement
        from packaging.utils import canonicalize_name

    found: set[str] = set()
    todo = [str(canonicalize_name(root)) for root in roots]
    while todo:
        name = todo.pop()
        if name in found or name in _NOT_THERE:
            continue
        found.add(name)
        for line in installed(name).requires or []:
            need = Requirement(line)
            if need.marker is None or need.marker.evaluate(dict(_PAGE)):
                todo.append(str(canonicalize_name(need.name)))
    return sorted(found)


def pure(name: str) -> tuple[str, bytes]:
    """An installed package as a wheel of plain Python: its file name, and its content."""
    package = installed(name)
    about = f"{name.replace('-', '_')}-{package.version}.dist-info"
    if name == _OURS_INSTEAD:
        text = Path(__file__).with_name("persistent.py").read_bytes()
        return packed("rpds_py", package.version, {"rpds.py": text})
    files: dict[str, bytes] = {}
    for path in package.files or ():
        inside = path.as_posix()
        if path.suffix in _COMPILED and name not in _PLAIN_TOO:
            raise NoLite("site.compiled_there_none", name=name, version=package.version, path=path.name)
        if path.suffix in (*_COMPILED, ".pyc") or ".." in path.parts or path.is_absolute():
            continue
        if inside.startswith(_WITHOUT):
            continue
        if path.parts[0].endswith(".dist-info"):  # how it was installed here is nobody's business
            if path.name not in ("METADATA", "entry_points.txt") and "licenses" not in path.parts:
                continue
            inside = "/".join((about, *path.parts[1:]))
        files[inside] = Path(str(path.locate())).read_bytes()
    return packed(name.replace("-", "_"), package.version, files)


def packages() -> dict[str, bytes]:
    """The wheels that a notebook runs with, and the list by which Pyodide finds them."""
    made = dict([*(pure(name) for name in closure()), micropip()])
    shipped = _extension("jupyterlite-pyodide-kernel") / "static" / "pypi"
    for kernel in KERNEL:
        for path in sorted(shipped.glob(f"{kernel}-*.whl")):
            made[path.name] = path.read_bytes()
    made[NAME] = wheel(without=NOTEBOOKS)
    return made


def lock_file(runtime_lock: bytes, wheels: Mapping[str, bytes]) -> bytes:
    """Pyodide's list of packages: these, with their fingerprints."""
    known = parse_json(runtime_lock.decode())
    assert isinstance(known, dict)
    listed = {}
    for file_name, content in sorted(wheels.items()):
        name, version = file_name.split("-")[:2]
        name = name.replace("_", "-").lower()
        listed[name] = {
            "name": name,
            "version": version,
            "file_name": file_name,
            "install_dir": "site",
            "sha256": hashlib.sha256(content).hexdigest(),
            "package_type": "package",
            "imports": [],
            "depends": [],
            "unvendored_tests": False,
        }
    return json.dumps({"info": known["info"], "packages": listed}).encode()


def needs(book: Mapping[str, Json]) -> list[str]:
    """What a notebook says that it needs and a page has not.

    >>> needs({"metadata": {"nimmt_lab": {"needs": ["polars"]}}}), needs({"metadata": {}})
    (['polars'], [])
    """
    about = book["metadata"]
    own = about.get("nimmt_lab") if isinstance(about, dict) else None
    said = own.get("needs") if isinstance(own, dict) else None
    return [str(one) for one in said] if isinstance(said, list) else []


def for_a_page(text: str, words: Mapping[str, str]) -> str:
    """A notebook for the page's kernel. One that cannot run there says so before all else."""
    book = parse_json(text)
    assert isinstance(book, dict) and isinstance(book["metadata"], dict) and isinstance(book["cells"], list)
    book["metadata"]["kernelspec"] = KERNELSPEC
    if missing := needs(book):
        said = words["lab_needs"].format(packages=", ".join(missing))
        cell: Json = {"cell_type": "markdown", "id": "needs", "metadata": {}, "source": [f"> **{said}**"]}
        book["cells"].insert(1, cell)
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def with_notebooks(site: Site, books: Mapping[str, str], settings: Mapping[str, object], lang: str) -> Site:
    """The site with JupyterLite beside its page: these notebooks, and JupyterLab's settings. Their first reader is
    greeted in `lang`."""
    files = make(books, settings, lang=lang, lock=site.files["pyodide-lock.json"])
    return replace(site, lab=files, settings={**site.settings, "lab": FIRST})


def make(books: Mapping[str, str], settings: Mapping[str, object], *, lang: str, lock: bytes) -> dict[str, bytes]:
    """All files of JupyterLite by their path. Of Pyodide's list of packages only the head is kept."""
    words = labels(lang, "site")
    wheels = packages()
    with tempfile.TemporaryDirectory() as place:
        root, out = Path(place) / "in", Path(place) / "out"
        laid = {
            f"files/{name}": for_a_page(text, words) if name.endswith(".ipynb") else text
            for name, text in books.items()
        }
        # With such a file lessons are kept where the reader is; without one nothing would be.
        begun = {"format": FORMAT, "lang": lang, "name": "", "done": {}}
        laid[f"files/{FILE}"] = json.dumps(begun) + "\n"
        # Whoever presses Start while Python is still on its way is not asked which one.
        tracker = "@jupyterlab/notebook-extension:tracker"
        known = settings.get(tracker)
        own = {**known, "autoStartDefaultKernel": True} if isinstance(known, dict) else {"autoStartDefaultKernel": True}
        laid["overrides.json"] = json.dumps({**settings, tracker: own})
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


def _configuration(wheels: Iterable[str]) -> dict[str, object]:
    names = sorted(name.split("-")[0].replace("_", "-").lower() for name in wheels)
    kernel = {
        "pyodideUrl": "./../pyodide.mjs",  # the page's own
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": "./packages/pyodide-lock.json", "packages": names},
    }
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "nimmt lab",
            "appVersion": __version__,
            "disabledExtensions": ["@jupyterlab/apputils-extension:announcements"],
            "litePluginSettings": {_PLUGIN: kernel},
        },
    }


def _extension(package: str) -> Path:
    """Where that package keeps its part of JupyterLab."""
    end = f"labextensions/{EXTENSIONS[package]}/package.json"
    for path in installed(package).files or ():
        if path.as_posix().endswith(end):
            return Path(os.path.realpath(str(path.locate()))).parent
    raise NoLite("site.lies_here_without", package=package)


def _build(root: Path, out: Path) -> None:
    """JupyterLite's own builder, with our parts and nobody else's."""
    installed("jupyterlite-core")
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(root), "--output-dir", str(out)]
    command += ["--contents", "files", "--ignore-sys-prefix", "--no-sourcemaps", "--no-unused-shared-packages"]
    command += ["--no-libarchive", "--apps", "lab", "--apps", "notebooks", "--apps", "tree"]
    command += [f"--LiteBuildConfig.federated_extensions={_extension(name)}" for name in EXTENSIONS]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "JUPYTERLITE"))}
    own |= {"JUPYTER_CONFIG_DIR": str(root / "none"), "JUPYTER_NO_CONFIG": "1"}
    done = subprocess.run(command, cwd=root, env=own, capture_output=True, text=True)
    if done.returncode or not (out / "jupyter-lite.json").is_file():
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise NoLite("site.jupyterlite_could_not", said=" ".join(said) or "it said nothing")
