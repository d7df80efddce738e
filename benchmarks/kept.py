"""Play many games on several processes and save each result at once, so that the same command resumes.

A file of `--keep` has a line for each game: what was measured, the number of the game, what came of it. Measurements of
several kinds, and by several commands, can lie in one file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm


def over(
    work: Callable[[int], Any],
    numbers: Iterable[int],
    what: str,
    *,
    workers: int,
    keep: Path | None = None,
    initializer: Callable[[], object] | None = None,
) -> list[Any]:
    """The results of `work` for each number, as plain data (tuples become lists). `what` must name everything that they
    depend on."""
    numbers = list(numbers)
    done: dict[int, Any] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text(encoding="utf-8").splitlines():
            said, number, found = json.loads(line)
            if said == what:
                done[number] = found
    left = [number for number in numbers if number not in done]
    with ProcessPoolExecutor(workers, initializer=initializer) as pool:
        results = tqdm(pool.map(work, left), total=len(left), desc=what, disable=None)
        for number, found in zip(left, results, strict=True):
            line = json.dumps([what, number, found])
            done[number] = json.loads(line)[2]
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")
    return [done[number] for number in numbers]
