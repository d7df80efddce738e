"""Only what pyproject.toml cannot say: the wheel carries tutorials, studies and rule vectors inside the package."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
#: Folders of the checkout, what they are called inside the package, and which files of theirs go along.
CARRIED = (
    ("tutorials", "_tutorials", "*"),
    ("notebooks", "_notebooks", "*"),
    ("tests/conformance", "_vectors", "*.json"),
)


class BuildWithTutorials(build_py):
    """Copies them beside the code, so that an installed package can lay the tutorials out and check itself."""

    def _lessons(self) -> dict[str, Path]:
        package = Path(self.build_lib) / "nimmt_lab"
        return {
            str(package / inside / source.relative_to(ROOT / folder)): source
            for folder, inside, pattern in CARRIED
            for source in sorted((ROOT / folder).rglob(pattern))
            if source.is_file() and ".ipynb_checkpoints" not in source.parts
        }

    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the checkout itself is in use: its folders are at hand
            return
        for target, source in self._lessons().items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        lessons = [] if self.editable_mode else list(self._lessons())
        return [*super().get_outputs(include_bytecode), *lessons]


setup(cmdclass={"build_py": BuildWithTutorials})
