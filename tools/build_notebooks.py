"""Write tutorials/ from the lessons: `python tools/build_notebooks.py`. A test reports when they are out of date."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TUTORIALS = ROOT / "tutorials"


def all_notebooks() -> dict[str, str]:
    """Every generated notebook, by path below tutorials/."""
    from nimmt_lab.lessons.notebooks import HOME_PAGE, INDEX, home_notebook, index_notebook, lesson_notebook, paths

    lessons = {path: lesson_notebook(name) for name, path in paths().items()}
    return {HOME_PAGE: home_notebook(), INDEX: index_notebook(), **lessons}


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from nimmt_lab.engine.files import make_folder, write_file

    made = all_notebooks()
    for path, text in made.items():
        target = TUTORIALS / path
        make_folder(target.parent)
        write_file(target, text)
    for old in TUTORIALS.rglob("*.ipynb"):
        if ".ipynb_checkpoints" not in old.parts and old.relative_to(TUTORIALS).as_posix() not in made:
            old.unlink()
    print(f"{len(made)} notebooks")


if __name__ == "__main__":
    main()
