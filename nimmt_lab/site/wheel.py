"""Our package as a page loads it: a pure wheel with the core as wasm, and the list Pyodide finds it by."""

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
#: What neither a page nor a notebook in it has a use for: the command line, its server, environments for training (no
#: page has numpy), and what is laid out as files.
NOTEBOOKS: Final = frozenset(
    {"commands", "server", "rl", "cli.py", "__main__.py", "_tutorials", "_notebooks", "_vectors"}
)
#: A page has none for notebooks' widgets and charts by altair either.
_LEFT: Final = NOTEBOOKS | {"widgets", "charts"}
#: Of this room only what runs in the page.
_SITE: Final = frozenset({"__init__.py", "inside.py"})
#: Always the same, so that the same sources make the same file.
_DATE: Final = (2000, 1, 1, 0, 0, 0)


class NoWasm(NimmtError):
    """The core is not to be had as wasm."""


def core() -> bytes:
    """The compiled core as wasm: what this package carries, or compiled now."""
    shipped = build.SHIPPED / build.file_name("wasm32")
    if shipped.is_file():
        return shipped.read_bytes()
    try:
        return build.build_for("wasm32").read_bytes()
    except (build.BuildError, OSError) as error:
        raise NoWasm("site.core_cannot_compiled", error=error) from None


def sources(without: Collection[str] = _LEFT) -> dict[str, bytes]:
    """Every file of the package that a page needs, by its path in the wheel: all but those rooms."""
    found = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        first = inside.parts[0]
        if first in without or (first == "site" and inside.parts[-1] not in _SITE):
            continue
        if not path.is_file() or inside.parts[:2] in (("native", "_build"), ("native", "lib")):
            continue
        if "__pycache__" in inside.parts or path.suffix == ".pyc":
            continue
        found[f"nimmt_lab/{inside.as_posix()}"] = path.read_bytes()
    return found


def wheel(without: Collection[str] = _LEFT) -> bytes:
    """The wheel; the same bytes whenever the sources are the same."""
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
    """A wheel of plain Python: its file name, and its content.

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
    """An archive of those files, always the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted(files.items()):
            info = zipfile.ZipInfo(path, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return made.getvalue()


def lock_file(runtime_lock: bytes, made: bytes) -> bytes:
    """Pyodide's list of packages with ours alone, and its fingerprint, which Pyodide checks before it unpacks."""
    known = parse_json(runtime_lock.decode())
    assert isinstance(known, dict)
    ours = {
        "name": "nimmt-lab",
        "version": __version__,
        "file_name": NAME,
        "install_dir": "site",
        "sha256": hashlib.sha256(made).hexdigest(),
        "package_type": "package",
        "imports": ["nimmt_lab"],
        "depends": [],
        "unvendored_tests": False,
    }
    return json.dumps({"info": known["info"], "packages": {"nimmt-lab": ours}}).encode()
