"""Only what pyproject.toml cannot say: the wheel carries tutorials, studies, rule vectors and the compiled core.

Installing compiles the core for this machine; a checkout in use (`-e`) keeps it where it compiles again after an edit.
With NIMMT_PLATFORMS=all the wheel carries it for every platform (`make wheel`). Without a compiler the package is built
without the core; the build says how to get one, and so does the first use. tools/backend asks pip for a compiler first.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
#: Folders of the checkout, what they are called inside the package, and which files of theirs go along.
CARRIED = (
    ("tutorials", "_tutorials", "*"),
    ("notebooks", "_notebooks", "*"),
    ("tests/conformance", "_vectors", "*.json"),
    ("glossary", "_glossary", "*.toml"),
)


def _native() -> ModuleType:
    """The core's build, which needs nothing of the package."""
    spec = importlib.util.spec_from_file_location("native_build", ROOT / "nimmt_lab" / "native" / "build.py")
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


NATIVE = _native()
ALL_PLATFORMS = os.environ.get("NIMMT_PLATFORMS") == "all"


def _say(text: str) -> None:
    print(f"nimmt_lab: {text}", file=sys.stderr, flush=True)


class BuildWithTutorials(build_py):
    """Puts all that beside the code, so that an installed package can lay tutorials out, check itself, and compute."""

    def _lessons(self) -> dict[str, Path]:
        package = Path(self.build_lib) / "nimmt_lab"
        return {
            str(package / inside / source.relative_to(ROOT / folder)): source
            for folder, inside, pattern in CARRIED
            for source in sorted((ROOT / folder).rglob(pattern))
            if source.is_file() and ".ipynb_checkpoints" not in source.parts
        }

    @property
    def libraries(self) -> Path:
        """Where the package carries the compiled core."""
        return Path(self.build_lib) / "nimmt_lab" / "native" / NATIVE.SHIPPED.name

    def _compile(self) -> None:
        if ALL_PLATFORMS:
            NATIVE.build_all(self.libraries)  # a wheel for everybody lacks nothing: this may fail
            return
        try:
            made = NATIVE.build_here(say=_say)
        except (NATIVE.BuildError, OSError) as error:
            _say(f"no compiled core, so nimmt_lab will run {NATIVE.WITHOUT}.\n{error}")
            return
        if not self.editable_mode:
            self.libraries.mkdir(parents=True)
            NATIVE.write_manifest(self.libraries, [Path(shutil.copy(made, self.libraries))])

    def run(self) -> None:
        super().run()
        shutil.rmtree(self.libraries, ignore_errors=True)
        self._compile()
        if self.editable_mode:  # the checkout itself is in use: its folders are at hand
            return
        for target, source in self._lessons().items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        found = super().get_outputs(include_bytecode)
        return found if self.editable_mode else [*found, *self._lessons(), *map(str, self.libraries.glob("*"))]


class WheelOfItsPlatform(bdist_wheel):
    """A wheel with this machine's core is for this platform, and for any Python."""

    def get_tag(self) -> tuple[str, str, str]:
        carried = self.get_finalized_command("build_py").libraries.glob("core-*")
        if ALL_PLATFORMS or not any(carried):
            return super().get_tag()
        self.root_is_pure = False
        try:
            return ("py3", "none", super().get_tag()[2])
        finally:
            self.root_is_pure = True


setup(cmdclass={"build_py": BuildWithTutorials, "bdist_wheel": WheelOfItsPlatform})
