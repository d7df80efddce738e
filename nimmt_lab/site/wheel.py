"""Our package as a page loads it: a pure wheel with the core as wasm, and the list Pyodide finds it by."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nimmt_lab import __version__
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.files import parse_json
from nimmt_lab.native import build

PACKAGE: Final = Path(__file__).resolve().parent.parent
NAME: Final = f"nimmt_lab-{__version__}-py3-none-any.whl"
#: Rooms that a page has no use for: notebooks' widgets, charts by altair, the command line.
_LEFT: Final = frozenset({"widgets", "charts", "commands", "cli.py", "_tutorials", "_notebooks", "_vectors"})
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
        raise NoWasm(f"the core cannot be compiled for a page: {error}") from None


def sources() -> dict[str, bytes]:
    """Every file of the package that a page needs, by its path in the wheel."""
    found = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        first = inside.parts[0]
        if first in _LEFT or (first == "site" and inside.parts[-1] not in _SITE):
            continue
        if not path.is_file() or inside.parts[:2] in (("native", "_build"), ("native", "lib")):
            continue
        if "__pycache__" in inside.parts or path.suffix == ".pyc":
            continue
        found[f"nimmt_lab/{inside.as_posix()}"] = path.read_bytes()
    return found


def wheel() -> bytes:
    """The wheel; the same bytes whenever the sources are the same."""
    wasm = core()
    name = build.file_name("wasm32")
    manifest = {"sources": build.fingerprint(), "files": {name: hashlib.sha256(wasm).hexdigest()}}
    about = f"nimmt_lab-{__version__}.dist-info"
    files: dict[str, bytes] = {
        **sources(),
        f"nimmt_lab/native/lib/{name}": wasm,
        "nimmt_lab/native/lib/manifest.json": json.dumps(manifest).encode(),
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: nimmt_lab\nVersion: {__version__}\n".encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: nimmt-lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{about}/RECORD"]).encode()
    return zipped(files)


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
