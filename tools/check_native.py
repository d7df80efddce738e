"""Check the compiled core more strictly than a user's build: warnings are errors with every installed compiler, then
its tests and fuzzing run under the address and undefined-behaviour sanitizers.

    python tools/check_native.py [tests …]

Sanitizers need Linux and its `cc` (gcc or clang with its libraries). Without, that half is left out with a word; in CI
that is a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from nimmt_lab.native import build  # noqa: E402

WARNINGS = (
    *("-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wshadow", "-Wstrict-prototypes", "-Wmissing-prototypes"),
    *("-Wpointer-arith", "-Wvla"),
)
#: Some warnings need the analysis done for optimisation.
QUICKLY = (*(flag for flag in build.FLAGS if flag != "-O3"), "-O1")
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g1")
#: The tests that use the core enough to run every time. For others, name them, such as
#: tests/native/test_engine_agreement.py or tests/solver/test_core.py.
TESTS = (
    "tests/native/test_interface.py",
    "tests/native/test_board_fuzz.py",
    "tests/native/test_network.py",
    "tests/native/test_baron_games.py",
    "tests/rl/test_vector_env.py",
    "tests/native/test_threads.py",
    # Searches that divide their work: all of them write to the shared list.
    "tests/solver/test_threads.py::test_lists_of_searched_positions_that_do_not_fit_are_refused",
    "tests/solver/test_threads.py::test_threads_answer_alike",
)
#: test_interface.py runs a few training steps under sanitizers; thousands of them, as here, find nothing more.
LONG = (
    "--deselect",
    "tests/native/test_network.py::test_learning_learns_and_repeats_itself",
    "--deselect",
    "tests/native/test_network.py::test_learning_against_itself_is_not_learning_against_random_players",
)
#: Two workers suit two cores. Nothing is captured (-s), so that a sanitizer's last words are seen.
PYTEST = ("-q", "-x", "-s", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider", "-p", "tools.watched")


def more_warnings() -> None:
    """Compile every file with every compiler, with warnings as errors."""
    for command in build.compilers():
        print(f"warnings of {' '.join(Path(word).name for word in command)} …", flush=True)
        made = build.BUILDS / f"{build.fingerprint()}-warned" / f"{len(command)}-{build.file_name(build.platform())}"
        build.compile_to(made, command, (*QUICKLY, *WARNINGS))


def runtime(command: list[str]) -> Path | None:
    """The sanitizer's library, which must be loaded before anything else."""
    for name in ("libasan.so", f"libclang_rt.asan-{os.uname().machine}.so", "libclang_rt.asan.so"):
        done = subprocess.run([*command, f"-print-file-name={name}"], capture_output=True, text=True)
        found = Path(done.stdout.strip())
        if found.is_absolute() and found.exists():
            return found.resolve()
    return None


def watched(tests: list[str]) -> int:
    """Run the core's tests under the sanitizers."""
    ways = [command for command in build.compilers() if len(command) == 1] if os.name == "posix" else []
    library = runtime(ways[0]) if ways and sys.platform == "linux" else None
    if library is None:
        print("no sanitizers here: the core's tests were not watched", file=sys.stderr)
        return int("CI" in os.environ)
    made = build.BUILDS / f"{build.fingerprint()}-watched" / build.file_name(build.platform())
    if not made.exists():
        print("compiling with sanitizers …", flush=True)
        build.compile_to(made, ways[0], (*QUICKLY, *SANITIZE))
    environment = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "NIMMT_NATIVE": str(made),
        "NIMMT_EXTENDED_FLAGS": " ".join((*QUICKLY, *SANITIZE)),
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(ROOT),
        # Python itself leaks memory.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PYTEST, *LONG, *tests], cwd=ROOT, env=environment
    ).returncode


def main() -> int:
    try:
        more_warnings()
    except build.BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return watched(sys.argv[1:] or list(TESTS))


if __name__ == "__main__":
    sys.exit(main())
