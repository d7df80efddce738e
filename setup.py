"""Only what pyproject.toml cannot say: the wheel carries tutorials/ as nimmt_lab/_tutorials."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

TUTORIALS = Path(__file__).parent / "tutorials"


class BuildWithTutorials(build_py):
    """Copies the lessons beside the code, so that an installed package can lay them out for its user."""

    def _lessons(self) -> dict[str, Path]:
        target = Path(self.build_lib) / "nimmt_lab" / "_tutorials"
        return {
            str(target / source.relative_to(TUTORIALS)): source
            for source in sorted(TUTORIALS.rglob("*"))
            if source.is_file() and ".ipynb_checkpoints" not in source.parts
        }

    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the checkout itself is in use: its tutorials/ is at hand
            return
        for target, source in self._lessons().items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        lessons = [] if self.editable_mode else list(self._lessons())
        return [*super().get_outputs(include_bytecode), *lessons]


setup(cmdclass={"build_py": BuildWithTutorials})
