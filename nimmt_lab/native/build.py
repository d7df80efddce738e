"""From C sources to the core: which files, which compiler, which flags, and where the result is kept.

Everything lies under the fingerprint of what it was made from (`_build/<fingerprint>/`), so an edit of a C file never
leaves old code running, and checkouts, processes and threads do not get into each other's way.

    python nimmt_lab/native/build.py            compile for this machine
    python nimmt_lab/native/build.py --all DIR  every platform and the wasm, with a manifest (needs the package ziglang)

`setup.py` runs this file too, before the package exists: it imports the standard library only.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent
#: What is compiled on demand, under the fingerprint of its sources.
BUILDS = HERE / "_build"
#: What an installed package carries, with `manifest.json`.
SHIPPED = HERE / "lib"

WARNINGS = ("-Wall", "-Wextra", "-Werror")
#: No fused multiply-add: ARM would round otherwise than x86 and wasm.
FLAGS = ("-std=c11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden", *WARNINGS)
SHARED = ("-shared", "-fPIC")
#: Bare of everything: no libc, no entry; what the header marks is exported. The stack is for searches in depth.
WASM = ("-nostdlib", "-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base", "-Wl,-z,stack-size=1048576")

#: Platform: ziglang's name for it, and how its libraries end. Old glibc, so that old systems load it.
TARGETS = {
    "linux-x86_64": ("x86_64-linux-gnu.2.17", "so"),
    "linux-aarch64": ("aarch64-linux-gnu.2.17", "so"),
    "macos-x86_64": ("x86_64-macos", "dylib"),
    "macos-aarch64": ("aarch64-macos", "dylib"),
    "windows-x86_64": ("x86_64-windows-gnu", "dll"),
    "wasm32": ("wasm32-freestanding", "wasm"),
}


class BuildError(Exception):
    """The core could not be compiled; the message says with what, and what it said."""


def sources() -> list[Path]:
    """The C files: the core's own, and a chapter's kernel beside its rules."""
    return sorted([*HERE.glob("*.c"), *PACKAGE.glob("games/*/*.c")])


def headers() -> list[Path]:
    """What they include."""
    return sorted([*HERE.glob("*.h"), *PACKAGE.glob("games/*/*.h")])


def fingerprint() -> str:
    """A short name for the present text of all C files and the flags they are compiled with."""
    text = hashlib.sha256(repr((FLAGS, SHARED, WASM, TARGETS)).encode())
    for path in [*sources(), *headers()]:
        source = path.read_bytes()
        text.update(f"{path.relative_to(PACKAGE).as_posix()} {len(source)} ".encode())
        text.update(source)
    return text.hexdigest()[:20]


def platform() -> str:
    """The name of this machine among the targets; for others, a name that is not among them.

    >>> platform().count("-") <= 1
    True
    """
    if sys.platform == "emscripten":
        return "wasm32"
    if os.name == "nt":
        machine, system = os.environ.get("PROCESSOR_ARCHITECTURE", ""), "windows"
    else:
        machine = os.uname().machine
        system = "macos" if sys.platform == "darwin" else sys.platform
    same = {"AMD64": "x86_64", "amd64": "x86_64", "arm64": "aarch64", "ARM64": "aarch64"}
    return f"{system}-{same.get(machine, machine)}"


def file_name(target: str) -> str:
    """The core's file for a platform.

    >>> file_name("linux-x86_64"), file_name("wasm32")
    ('core-linux-x86_64.so', 'core-wasm32.wasm')
    """
    return f"core-{target}.{TARGETS[target][1] if target in TARGETS else 'so'}"


def compilers() -> list[list[str]]:
    """Ways to compile here, best first: the system's `cc`, then PyPI's `ziglang`."""
    found = [[path] for name in ("cc", "gcc", "clang") if (path := shutil.which(name))][:1]
    if _zig():
        found.append(_zig())
    return found


def _zig() -> list[str]:
    from importlib.util import find_spec

    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else []


def compile_to(path: Path, command: Sequence[str], flags: Iterable[str] = (*FLAGS, *SHARED)) -> None:
    """Compile the core into that file, which appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="making-") as folder:
        made = Path(folder) / path.name
        line = [*command, *flags, f"-I{HERE}", f"-I{PACKAGE}", "-o", str(made), *map(str, sources())]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode or not made.exists():
            raise BuildError(f"{' '.join(command)} failed:\n{done.stderr.strip()[-4000:]}")
        os.replace(made, path)


def build_here(folder: Path = BUILDS) -> Path:
    """The core for this machine, compiled now unless it already is. A `BuildError` says why there is none."""
    path = folder / fingerprint() / file_name(platform())
    if path.exists():
        return path
    ways = compilers()
    if not ways:
        raise BuildError("no C compiler: neither cc, gcc or clang nor the package ziglang is installed")
    failed = []
    for command in ways:
        try:
            compile_to(path, command)
        except (BuildError, OSError) as error:
            failed.append(str(error))
        else:
            _forget_old(folder, path.parent)
            return path
    raise BuildError("\n".join(failed))


def _forget_old(folder: Path, present: Path) -> None:
    """Builds of earlier sources, but for the last few: another process may just be loading one."""
    others = [path for path in folder.iterdir() if path.is_dir() and path != present]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-4]:
        shutil.rmtree(path, ignore_errors=True)


def build_for(target: str, folder: Path = BUILDS) -> Path:
    """The core for another platform, or the wasm, by ziglang; compiled now unless it already is."""
    path = folder / fingerprint() / file_name(target)
    if not path.exists():
        if not _zig():
            raise BuildError("building for other platforms needs the package ziglang")
        how = WASM if target == "wasm32" else SHARED
        # Without the names of functions (-s): they are of no use to anybody.
        compile_to(path, [*_zig(), "-target", TARGETS[target][0]], (*FLAGS, *how, "-s"))
    return path


def build_all(folder: Path) -> list[Path]:
    """Every platform's library and the wasm, with a manifest."""
    paths = []
    for target in TARGETS:
        print(f"compiling for {target} …", file=sys.stderr, flush=True)
        paths.append(Path(shutil.copy(build_for(target, folder / "_build"), folder)))
    shutil.rmtree(folder / "_build")
    write_manifest(folder, paths)
    return paths


def write_manifest(folder: Path, paths: Iterable[Path]) -> Path:
    """What the libraries were made from, and the fingerprint of each: the loader checks both."""
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({"sources": fingerprint(), "files": files}, indent=1) + "\n", encoding="utf-8")
    return manifest


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile; say where the result is, or why there is none."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given[:1] == ["--all"] and len(given) == 2:
            made = build_all(Path(given[1]))
        elif not given:
            made = [build_here()]
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except BuildError as error:
        print(f"no compiled core, the engine will do its work (slower, same numbers):\n{error}", file=sys.stderr)
        return 1
    for path in made:
        print(f"{path} ({path.stat().st_size:,} bytes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
