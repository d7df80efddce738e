"""Write a golden playthrough: a random game as a record, and its events beside it.

    python tools/golden.py tests/golden/classic.nimmt system=classic players=4 rounds=1

Look at what it wrote before committing it: from then on a test compares every event.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Record
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.files import write_file
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.engine.rng import Rng


def main(path: Path, system: str, rules: str, seed: int = 2024) -> None:
    """Play a random game and write it."""
    record = Record(read_rules(system, rules), seed=seed)
    rng = Rng.from_seed(seed, stream=1)
    while record.final.pending:
        choices = {}
        for seat, decision in record.final.pending.items():
            # Choose the kind of action first: otherwise nearly all of a team's choices would sort cards.
            by_kind: dict[type, list[Choice]] = {}
            for option in decision.options:
                by_kind.setdefault(type(option), []).append(option)
            kind, rng = rng.below(len(by_kind))
            options = list(by_kind.values())[kind]
            at, rng = rng.below(len(options))
            choices[seat] = options[at]
        record = record.then(choices)
    record.save(path)
    write_file(path.with_suffix(".events"), record.events_text())
    print(f"{path}: {len(record.choices)} choices, {len(record.events)} events")


if __name__ == "__main__":
    target, *options = sys.argv[1:]
    name = next(option.removeprefix("system=") for option in options if option.startswith("system="))
    main(Path(target), name, " ".join(option for option in options if not option.startswith("system=")))
