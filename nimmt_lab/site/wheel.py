"""Build the wheel that a page loads: our package in pure Python, the core as wasm, and Pyodide's lock file."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from nimmt_lab import __version__
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.files import parse_json
from nimmt_lab.native import build

PACKAGE: Final = Path(__file__).resolve().parent.parent
NAME: Final = f"nimmt_lab-{__version__}-py3-none-any.whl"
#: Left out of every page: the command line, servers, training environments (a page has no numpy), and files that are
#: only copied.
NOTEBOOKS: Final = frozenset(
    {"commands", "server", "live", "rl", "cli.py", "__main__.py", "_tutorials", "_notebooks", "_vectors"}
)
#: Also left out of pages without notebooks: widgets, and charts made with altair.
_LEFT: Final = NOTEBOOKS | {"widgets", "charts"}
#: The only files of `site` that run in the page.
_SITE: Final = frozenset({"__init__.py", "inside.py"})
#: A fixed date, so that the same sources make the same file.
_DATE: Final = (2000, 1, 1, 0, 0, 0)


class NoWasm(NimmtError):
    """The core could not be compiled to wasm."""


def core() -> bytes:
    """The core as wasm, from the package or compiled now."""
    shipped = build.SHIPPED / build.file_name("wasm32")
    if shipped.is_file():
        return shipped.read_bytes()
    try:
        return build.build_for("wasm32").read_bytes()
    except (build.BuildError, OSError) as error:
        raise NoWasm("site.core_cannot_compiled", error=error) from None


def sources(without: Collection[str] = _LEFT) -> dict[str, bytes]:
    """The package files that go into the wheel, by path, without the given top-level folders."""
    kept = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        first = inside.parts[0]
        skipped = first in without or (first == "site" and path.name not in _SITE)
        built = inside.parts[:2] in (("native", "_build"), ("native", "lib")) or "__pycache__" in inside.parts
        # The page itself brings the font, and browsers have no polars.
        if path.is_file() and not skipped and not built and path.suffix not in (".woff2", ".parquet"):
            kept[f"nimmt_lab/{inside.as_posix()}"] = path.read_bytes()
    return kept


def wheel(without: Collection[str] = _LEFT) -> bytes:
    """The wheel. The same sources always give the same bytes."""
    wasm = core()
    name = build.file_name("wasm32")
    manifest = {"sources": build.fingerprint(), "files": {name: hashlib.sha256(wasm).hexdigest()}}
    files: dict[str, bytes] = {
        **sources(without),
        f"nimmt_lab/native/lib/{name}": wasm,
        "nimmt_lab/native/lib/manifest.json": json.dumps(manifest).encode(),
    }
    return packed("nimmt_lab", __version__, files)[1]


def packed(name: str, version: str, files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Pack files as a pure-Python wheel; return its file name and content.

    >>> packed("rows", "1.0", {"rows.py": b""})[0]
    'rows-1.0-py3-none-any.whl'
    """
    about = f"{name}-{version}.dist-info"
    whole: dict[str, bytes] = {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: nimmt-lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **files,
    }
    whole[f"{about}/RECORD"] = "".join(f"{path},,\n" for path in [*whole, f"{about}/RECORD"]).encode()
    return f"{name}-{version}-py3-none-any.whl", zipped(whole)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip archive whose bytes depend on the files alone."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted(files.items()):
            info = zipfile.ZipInfo(path, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return made.getvalue()


def lock_file(runtime_lock: bytes, wheels: Mapping[str, bytes]) -> bytes:
    """Replace the packages in Pyodide's lock file by these wheels, with the fingerprints that Pyodide checks."""
    lock = parse_json(runtime_lock.decode())
    assert isinstance(lock, dict)
    packages = {}
    for file_name, content in sorted(wheels.items()):
        name, version = package_name(file_name), file_name.split("-")[1]
        packages[name] = {
            "name": name,
            "version": version,
            "file_name": file_name,
            "install_dir": "site",
            "sha256": hashlib.sha256(content).hexdigest(),
            "package_type": "package",
            "imports": ["nimmt_lab"] if file_name == NAME else [],
            "depends": [],
            "unvendored_tests": False,
        }
    return json.dumps({"info": lock["info"], "packages": packages}).encode()


def package_name(file_name: str) -> str:
    """The package in a wheel.

    >>> package_name("nimmt_lab-1.0-py3-none-any.whl")
    'nimmt-lab'
    """
    return file_name.split("-")[0].replace("_", "-").lower()
