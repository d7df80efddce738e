"""The loader finds the core, or reports once that there is none; memory and calls stay within their bounds."""

from __future__ import annotations

import _ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.native import Argument, Core, Memory, NativeError, build, core, loader
from nimmt_lab.native.layout import Field, layout_of
from nimmt_lab.native.loader import ERRORS
from nimmt_lab.native.work import Workspace

ROOT = Path(__file__).resolve().parents[2]
#: Copies build and load their own core, whatever this run uses, and Python imports the copies.
HERE = {name: value for name, value in os.environ.items() if name not in ("NIMMT_NATIVE", "PYTHONPATH")}


@pytest.fixture
def here() -> Core:
    found = core()
    assert found is not None, "these tests need the compiled core"
    return found


def run(code: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env={**HERE, **environment}
    )


@pytest.mark.native
@given(
    seed=st.integers(0, 2**64 - 1), stream=st.integers(0, 2**64 - 1), size=st.integers(0, 120), take=st.integers(0, 130)
)
@settings(max_examples=60, deadline=None)
def test_the_stream_is_the_engines(seed: int, stream: int, size: int, take: int) -> None:
    found = core()
    assert found is not None
    state, items = found.memory(16), found.memory(size)
    state.write("Q", [seed, stream])
    found.call("nl_rng_start", state)
    assert state.read("Q", 1) == [Rng.from_seed(seed, stream).state]
    items.write("B", range(size))
    found.call("nl_rng_shuffle", state, items, size, take)
    expected, after = Rng.from_seed(seed, stream).shuffled(range(size), take=take)
    assert tuple(items.read("B", size)) == expected
    assert state.read("Q", 1) == [after.state]


@pytest.mark.native
@pytest.mark.parametrize("size", [0, 1, 40, 5 << 20])
def test_memory_is_zero_and_keeps_to_its_bounds(here: Core, size: int) -> None:
    block = here.memory(size)
    assert block.get(0, size) == bytes(size)
    for at, length in ((0, size + 1), (-1, 1), (size, 1), (0, -1)):
        with pytest.raises(NativeError):
            block.get(at, length)
    with pytest.raises(NativeError):
        block.put(size, b"x")
    with pytest.raises(NativeError):
        block.part(size + 1)


@pytest.mark.native
def test_numbers_of_every_kind_come_back(here: Core) -> None:
    block = here.memory(64)
    numbers: dict[str, list[int] | list[float]] = {
        "b": [-128, 127],
        "H": [65535],
        "q": [-(2**63), 2**63 - 1],
        "Q": [2**64 - 1],
        "d": [0.1, -1e300],
    }
    for code, values in numbers.items():
        block.write(code, values, at=8)
        assert block.read(code, len(values), at=8) == values


@pytest.mark.native
def test_a_refusal_is_raised(here: Core) -> None:
    state = here.memory(8)
    assert here.ask("nl_rng_shuffle", state, state, -1, 0) == -1
    with pytest.raises(NativeError, match=f"^nl_rng_shuffle: {ERRORS[-1]}$"):
        here.call("nl_rng_shuffle", state, state, -1, 0)


def test_without_the_core_it_is_said_once() -> None:
    done = run("from nimmt_lab.native import core; print(core(), core())", NIMMT_NATIVE="off")
    assert done.stdout.split() == ["None", "None"], done.stderr
    assert done.stderr.count(build.WITHOUT) == 1


def test_a_library_that_is_not_one_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "core.so"
    wrong.write_bytes(b"no library")
    done = run("from nimmt_lab.native import core; print(core())", NIMMT_NATIVE=str(wrong))
    assert done.stdout.split() == ["None"]
    assert "core.so" in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_so_are_pipes_and_the_libraries_of_others(tmp_path: Path) -> None:
    """Opening a pipe would block; a library without our functions is not a core."""
    os.mkfifo(tmp_path / "pipe.so")
    others = Path(_ctypes.__file__)
    for wrong, why in (
        (tmp_path / "pipe.so", loader.NOT_REGULAR),
        (others, loader.OTHER_INTERFACE),
        (tmp_path, loader.NOT_REGULAR),
    ):
        done = run("from nimmt_lab.native import core; print(core())", NIMMT_NATIVE=str(wrong))
        assert done.stdout.split() == ["None"] and why in done.stderr, done.stderr


NO_ZIG = "import sys; sys.modules['ziglang'] = None\n"


#: The sources in copies of the core: finding and building it doesn't depend on its size.
LEFT = {"rng.c", "tally.c", "memory.c"}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a small core that compiles quickly; built once for all tests."""
    place = tmp_path_factory.mktemp("package")
    package = place / "nimmt_lab"
    shutil.copytree(ROOT / "nimmt_lab", package, ignore=shutil.ignore_patterns("_build", "lib", "__pycache__"))
    for path in package.rglob("*.c"):
        if path.name not in LEFT:
            path.unlink()
    script = package / "native" / "build.py"
    quick = script.read_text().replace('"-O3"', '"-O0"')
    assert '"-O0"' in quick
    script.write_text(quick)
    built = run("from nimmt_lab.native import core; print(core().ask('nl_interface'))", place)
    assert built.stdout.split() == ["1"], built.stderr
    return place


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    """The same without its library; its object files are gone too."""
    shutil.copytree(small, tmp_path, ignore=shutil.ignore_patterns("core-*", "making-*"), dirs_exist_ok=True)
    return tmp_path


@pytest.mark.exhaustive
def test_an_edited_source_is_compiled_again(copy: Path) -> None:
    objects = copy / "nimmt_lab" / "native" / "_build" / "objects"
    code = "from nimmt_lab.native import core; s = core().memory(16); s.write('Q', [1, 2]); core().call('nl_rng_start', s); print(s.read('Q', 1)[0])"
    before = run(code, copy)
    assert before.stdout.strip() == str(Rng.from_seed(1, 2).state), before.stderr
    made = set(objects.iterdir())
    source = copy / "nimmt_lab" / "native" / "rng.c"
    source.write_text(source.read_text().replace("nl_stream(nl_key(state[0]), state[1])", "4711"))
    again = run(code, copy)
    assert again.stdout.strip() == "4711"
    assert again.stderr.startswith("nimmt_lab: ")
    assert run(code, copy).stderr == ""
    assert [path.name.partition("-")[0] for path in set(objects.iterdir()) - made] == ["rng"], "only what changed"
    header = copy / "nimmt_lab" / "native" / "rng.h"
    source.write_text(source.read_text().replace("4711", "nl_mix(1)"))
    header.write_text(header.read_text().replace("return z ^ (z >> 31)", "return 12 + 0 * z"))
    assert run(code, copy).stdout.strip() == "12"


def test_several_processes_may_build_at_once(copy: Path) -> None:
    shutil.rmtree(copy / "nimmt_lab" / "native" / "_build", ignore_errors=True)
    code = "from nimmt_lab.native import core; print(core().ask('nl_interface'))"
    processes = [
        subprocess.Popen([sys.executable, "-c", code], cwd=copy, env=HERE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert {process.communicate()[0].strip() for process in processes} == {"1"}
    assert len(list((copy / "nimmt_lab" / "native" / "_build").rglob("core-*"))) == 1


def test_without_a_compiler_it_goes_without(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")  # the advice names an installer that is found there
    code = f"{NO_ZIG}from nimmt_lab.native import core; print(core())"
    done = run(code, copy, PATH="")
    assert done.stdout.split() == ["None"]
    assert build.advice() in done.stderr
    done = subprocess.run(
        [sys.executable, "-c", f"{NO_ZIG}import runpy; runpy.run_path({str(copy / 'nimmt_lab/native/build.py')!r}, run_name='__main__')"],
        capture_output=True, text=True, env={**HERE, "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0 and build.WITHOUT in done.stderr, done


@pytest.mark.exhaustive
def test_what_was_shipped_is_taken_only_if_it_is_what_it_says(copy: Path) -> None:
    code = f"{NO_ZIG}from nimmt_lab.native import core; print(core() and core().name)"
    native = copy / "nimmt_lab" / "native"
    run(code, copy)
    (made,) = (native / "_build").rglob("core-*")
    shipped = native / "lib" / made.name
    shipped.parent.mkdir()
    shutil.move(made, shipped)
    told = {"sources": made.parent.name, "files": {made.name: hashlib.sha256(shipped.read_bytes()).hexdigest()}}
    manifest = shipped.parent / "manifest.json"

    def answer(**changed: object) -> subprocess.CompletedProcess[str]:
        shutil.rmtree(native / "_build", ignore_errors=True)
        manifest.write_text(json.dumps({**told, **changed}))
        return run(code, copy, PATH="")  # no compiler: the core must come from this file

    assert answer().stdout.strip() == str(shipped)
    assert "ziglang" in answer(sources="of another day").stderr
    changed = answer(files={made.name: "0" * 64}).stderr
    assert str(shipped) in changed and "ziglang" not in changed
    # Interrupted installations may leave broken manifests.
    incomplete = answer(files=None).stderr
    assert manifest.name in incomplete and made.name not in incomplete
    manifest.write_text("{")
    cut = run(code, copy, PATH="").stderr
    assert manifest.name in cut and all(
        sentence(f"shared.{part}", {"number": number}) in cut for part, number in (("line", 1), ("column", 2))
    )


def test_every_kernel_is_compiled() -> None:
    names = {path.relative_to(build.PACKAGE).as_posix() for path in build.sources()}
    assert "native/rng.c" in names
    assert names == {path.relative_to(build.PACKAGE).as_posix() for path in build.PACKAGE.rglob("*.c")}


@pytest.mark.native
def test_layouts_are_those_of_the_core(here: Core) -> None:
    """Offsets come from the core; an unknown name or an impossible field raises an error."""
    found = here
    layout = layout_of(found, "nl_classic")
    assert layout.field("key") == Field("Q", 0, ()) and layout.field("rows").shape == (8, 10)
    with pytest.raises(NativeError, match=r"nl_classic .*\bcows$"):
        Workspace(found, "nl_classic").set("cows", 1)

    class Spoilt(Core):
        name = "spoilt"

        def memory(self, size: int) -> Memory:
            return found.memory(size)

        def ask(self, function: str, *arguments: Argument) -> int:
            memory = arguments[0]
            assert isinstance(memory, Memory)
            count = found.ask(function, *arguments)
            memory.write("i", [1 << 20], at=24 + 4)  # the offset of the first field
            return count

    with pytest.raises(NativeError, match=rf"spoilt .*nl_classic .*key at {1 << 20}"):
        layout_of(Spoilt(), "nl_classic")
