"""Write OpenSpiel's playthroughs of our games, which tests/rl/test_playthroughs.py compares.

    python tools/playthroughs.py

OpenSpiel generates them: the game's type and bounds, then a random game with everything that each player sees. Tensors
are too long to read, so a line of more than 400 characters is replaced by the number of its characters and a digest,
and rows of zeros are left out.
Look at the difference before committing it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from open_spiel.python.algorithms.generate_playthrough import playthrough

import nimmt_lab.rl.spiel  # registers the games
from nimmt_lab.engine.files import write_file

__all__ = ["FOLDER", "GAMES", "text_of"]

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "rl" / "playthroughs"
LONGEST_LINE = 400
#: Small games, so that the files can be read.
GAMES = {
    "classic": "nimmt_classic(players=3,rounds=1,hand_size=3,deck_size=20,rows=2,row_limit=2,deals=10)",
    "classic_open": "nimmt_classic(players=2,rounds=1,open=True,position=12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70)",
    "fan_cards": "nimmt_classic(players=2,rounds=1,hand_size=3,fan_cards=even_odd+mountain+jumping_cow+number_twister,"
    "combine_fan_cards=True,deals=10,utility=heads)",
    "advanced": "nimmt_advanced(players=2,rounds=1,hand_size=2,rows=2,row_limit=2)",
    "baron": "nimmt_baron(players=2,draw_pile=3,deals=10,utility=win)",
    "baron_good": "nimmt_baron(players=2,draw_pile=3,deals=10,variant=bulls_are_good,horizon=8)",
    "board": "nimmt_board(players=2,luck=True,deals=10,horizon=5)",
    "board_advanced": "nimmt_board(players=2,mode=advanced,luck=True,deals=10,horizon=5)",
    "buffalo": "nimmt_buffalo(players=2,hand_size=2,deck_size=20,deals=10)",
}  # fmt: skip


def text_of(name: str, seed: int = 2024) -> str:
    """OpenSpiel's playthrough of a listed game, with long lines as digests."""
    assert nimmt_lab.rl.spiel.UTILITIES
    lines = playthrough(GAMES[name], None, seed=seed).splitlines()
    return "\n".join(_short(line) for line in lines if not line or line.strip().strip("◯")) + "\n"


def _short(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    start = line.partition("[")[0].partition(":")[0].rstrip()
    return f"{start} {len(line)} characters, sha256 {hashlib.sha256(line.encode()).hexdigest()[:16]}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        write_file(FOLDER / f"{name}.txt", text_of(name))


if __name__ == "__main__":
    main()
