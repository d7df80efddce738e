"""Compile the C core: sources, compilers, flags and build folders.

Results are stored by fingerprint of their sources (`_build/<fingerprint>/`, object files in `objects/`), so an edited C
file never leaves old code running, only changed files are recompiled, and checkouts and processes don't interfere.

    python nimmt_lab/native/build.py            compile for this machine (--quiet: print only news)
    python nimmt_lab/native/build.py --all DIR  every platform and the wasm, with a manifest (needs the package ziglang)

`setup.py` also runs this file, before the package is installed, so it imports only the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent
#: Compiled on demand, by fingerprint of the sources.
BUILDS = HERE / "_build"
#: Libraries of an installed package, with `manifest.json`.
SHIPPED = HERE / "lib"
INCLUDES = (HERE, PACKAGE)

#: No fused multiply-add, because ARM would round differently from x86 and wasm. Warnings become errors only in `make
#: check-native`, since a user's compiler may know new ones.
FLAGS = ("-std=c11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden")
SHARED = ("-shared", "-fPIC")
#: No libc and no entry point; exports are marked in the header. The stack serves deep searches.
WASM = ("-nostdlib", "-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base", "-Wl,-z,stack-size=1048576")

#: Platform: ziglang's target and the library suffix. Old glibc, for old systems.
TARGETS = {
    "linux-x86_64": ("x86_64-linux-gnu.2.17", "so"),
    "linux-aarch64": ("aarch64-linux-gnu.2.17", "so"),
    "macos-x86_64": ("x86_64-macos", "dylib"),
    "macos-aarch64": ("aarch64-macos", "dylib"),
    "windows-x86_64": ("x86_64-windows-gnu", "dll"),
    "wasm32": ("wasm32-freestanding", "wasm"),
}


#: Consequences of a missing core (`tests/study/test_without_core.py` recomputes the numbers).
WITHOUT = (
    "slower. Deals, simulated rounds, odds, solved positions and simple bots (levels 1 to 5) give the same numbers; "
    "bots that search or have learned (levels 6 to 8) and the estimates of a review are rougher and give other numbers"
)

_INCLUDE = re.compile(r'^#include "(.+)"', re.MULTILINE)


class BuildError(Exception):
    """The core could not be compiled; the message has the command and its output."""


class NoCompiler(BuildError):
    """No compiler is installed."""


def sources() -> list[Path]:
    """The core's C files and each chapter's kernel."""
    return sorted([*HERE.glob("*.c"), *PACKAGE.glob("games/*/*.c")])


def headers() -> list[Path]:
    return sorted([*HERE.glob("*.h"), *PACKAGE.glob("games/*/*.h")])


def fingerprint() -> str:
    """A short hash of all C files and compiler flags."""
    return text_print([*sources(), *headers()], FLAGS, SHARED, WASM, TARGETS)


def platform() -> str:
    """The name of this machine among the targets; on others a name outside them.

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
    """The core's file name on a platform.

    >>> file_name("linux-x86_64"), file_name("wasm32")
    ('core-linux-x86_64.so', 'core-wasm32.wasm')
    """
    return f"core-{target}.{TARGETS[target][1] if target in TARGETS else 'so'}"


def compilers() -> list[list[str]]:
    """Available compilers, best first: the system's `cc`, then PyPI's `ziglang`."""
    commands = [[path] for name in ("cc", "gcc", "clang") if (path := shutil.which(name))][:1]
    if zig := cross_compiler():
        commands.append(zig)
    return commands


def cross_compiler() -> list[str]:
    """The `ziglang` command that compiles for any platform; empty if not installed."""
    from importlib.util import find_spec

    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else []


#: Commands that install a C compiler, in the order in which package managers are looked up.
_INSTALLERS = {
    "apt-get": "sudo apt-get install gcc libc6-dev",
    "dnf": "sudo dnf install gcc",
    "zypper": "sudo zypper install gcc",
    "pacman": "sudo pacman -S gcc",
    "apk": "sudo apk add gcc musl-dev",
    "xcode-select": "xcode-select --install",
    "winget": "winget install LLVM.LLVM",
}


def advice() -> str:
    """One line on how to get a C compiler on this machine.

    >>> advice().startswith("To get one: make compiler (in a checkout), pip install ziglang")
    True
    """
    system = [command for manager, command in _INSTALLERS.items() if shutil.which(manager)][:1]
    return ", ".join(["To get one: make compiler (in a checkout)", "pip install ziglang", *system])


def included(path: Path) -> list[Path]:
    """A C file and all project headers it includes, with the compiler's search order: beside it, then the core's and
    the package's folders.

    >>> [path.name for path in included(HERE / "rng.c")]
    ['rng.c', 'rng.h', 'nimmt.h', 'memory.h', 'work.h', 'layout.h']
    """
    seen, todo = [], [path]
    while todo:
        path = todo.pop(0)
        if path in seen:
            continue
        seen.append(path)
        for name in _INCLUDE.findall(path.read_text(encoding="utf-8")):
            todo += [header for folder in (path.parent, *INCLUDES) if (header := folder / name).is_file()][:1]
    return seen


def text_print(paths: Iterable[Path], *more: object) -> str:
    """A short hash of files and other parameters."""
    text = hashlib.sha256(repr(more).encode())
    for path in paths:
        source = path.read_bytes()
        text.update(f"{Path(os.path.relpath(path, PACKAGE)).as_posix()} {len(source)} ".encode())
        text.update(source)
    return text.hexdigest()[:20]


def _run(line: Sequence[str], made: Path) -> None:
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode or not made.exists():
        raise BuildError(f"{' '.join(line[:3])} … failed:\n{done.stderr.strip()[-4000:]}")


def compile_to(
    path: Path,
    command: Sequence[str],
    flags: Sequence[str] = FLAGS,
    how: Sequence[str] = SHARED,
    more: Sequence[Path] = (),
) -> None:
    """Compile the core (and `more` sources) into a file, whole or not at all: several sources at a time, reusing valid
    object files."""
    objects = path.parent.parent / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    position = [flag for flag in how if flag == "-fPIC"]
    with tempfile.TemporaryDirectory(dir=objects, prefix="making-") as folder:

        def compiled(source: Path) -> Path:
            name = text_print(included(source), command, flags, position)
            good = objects / f"{source.stem}-{name}.o"
            if good.exists():
                good.touch()
            else:
                made = Path(folder) / good.name
                includes = [f"-I{folder}" for folder in INCLUDES]
                _run([*command, *flags, *position, *includes, "-c", "-o", str(made), str(source)], made)
                os.replace(made, good)
            return good

        # Largest first, or the last worker is left alone with it.
        order = sorted([*sources(), *more], key=lambda source: -sum(part.stat().st_size for part in included(source)))
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            parts = list(pool.map(compiled, order))
        made = Path(folder) / path.name
        _run([*command, *flags, *how, "-o", str(made), *map(str, sorted(parts))], made)
        os.replace(made, path)


def build_here(folder: Path = BUILDS, say: Callable[[str], None] = lambda text: None) -> Path:
    """The core for this machine, compiled if needed, or a `BuildError`. `say` announces a long compilation."""
    path = folder / fingerprint() / file_name(platform())
    if path.exists():
        return path
    ways = compilers()
    if not ways:
        raise NoCompiler(f"no C compiler (cc, gcc, clang or the package ziglang) was found. {advice()}")
    failed = []
    for command in ways:
        say(f"compiling the core with {Path(command[0]).name if len(command) == 1 else command[2]} …")
        try:
            compile_to(path, command)
        except (BuildError, OSError) as error:
            failed.append(str(error))
        else:
            _forget_old(folder, path.parent)
            return path
    raise BuildError("\n".join(failed))


def _forget_old(folder: Path, present: Path) -> None:
    """Remove builds of earlier sources except the last few, which another process may be loading."""
    others = [path for path in folder.iterdir() if path.is_dir() and path != present and path.name != "objects"]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-4]:
        shutil.rmtree(path, ignore_errors=True)
    parts = sorted((folder / "objects").glob("*.o"), key=lambda path: path.stat().st_mtime)
    for path in parts[: -8 * len(sources())]:
        path.unlink(missing_ok=True)


def build_for(target: str, folder: Path = BUILDS) -> Path:
    """The core for another platform or wasm, compiled with ziglang if needed."""
    # Separate from this machine's own build, which may need a newer C library.
    path = folder / f"{fingerprint()}-all" / file_name(target)
    if not path.exists():
        if not cross_compiler():
            raise NoCompiler("building for other platforms needs the package ziglang")
        how = WASM if target == "wasm32" else SHARED
        # -s strips symbols.
        compile_to(path, [*cross_compiler(), "-target", TARGETS[target][0]], (*FLAGS, "-s"), how)
    return path


def build_all(folder: Path) -> list[Path]:
    """Build every platform's library and the wasm, with a manifest."""
    paths, sources_then = [], fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    for target in TARGETS:
        print(f"compiling the core for {target} …", file=sys.stderr, flush=True)
        paths.append(Path(shutil.copy(build_for(target), folder)))
    write_manifest(folder, paths)
    if fingerprint() != sources_then:
        raise BuildError("the sources changed while they were compiled: start again")
    return paths


def write_manifest(folder: Path, paths: Iterable[Path]) -> Path:
    """Write the fingerprints of the sources and of each library, which the loader checks."""
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    manifest = folder / "manifest.json"
    made = folder / "manifest.json.making"
    made.write_text(json.dumps({"sources": fingerprint(), "files": files}, indent=1) + "\n", encoding="utf-8")
    os.replace(made, manifest)
    return manifest


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile and print the path, or the reason for failure. A missing compiler isn't an error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    quiet = given == ["--quiet"]
    if quiet:
        given = []
    try:
        if given[:1] == ["--all"] and len(given) == 2:
            made = build_all(Path(given[1]))
        elif not given:
            made = [build_here(say=lambda text: print(text, file=sys.stderr, flush=True))]
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except BuildError as error:
        print(f"no compiled core, so nimmt_lab will run {WITHOUT}.\n{error}", file=sys.stderr)
        return int(bool(given) or not isinstance(error, NoCompiler))
    for path in [] if quiet else made:
        print(f"{path} ({path.stat().st_size:,} bytes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
