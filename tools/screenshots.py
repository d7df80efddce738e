"""Pictures of every board in every system: python tools/screenshots.py [FOLDER]. Look at each one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Advanced, Classic, Game, Record
from nimmt_lab.bots import bot
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.widgets import Exercise, NumberLine, Replay, Table, kinds_of
from tools.browser import Stage, open_browser
from tools.ensure_chromium import ADVICE, find_chromium

SYSTEMS: dict[str, Game] = {
    "classic": Classic(players=4, rounds=1),
    "classic-10": Classic(players=10, rounds=1),
    "advanced": Advanced(players=4, rounds=1),
    "even_odd": Classic(players=4, rounds=1, fan_cards=("even_odd",)),
    "mountain": Classic(players=4, rounds=1, fan_cards=("mountain",)),
    "jumping_cow": Classic(players=4, rounds=1, fan_cards=("jumping_cow",)),
    "number_twister": Classic(players=4, rounds=1, fan_cards=("number_twister",)),
    "buffalo": Buffalo(players=4),
    "baron": Baron(players=4),
    "board-basic": BoardGame(players=4),
    "board-advanced": BoardGame(players=4, mode="advanced", luck=True),
}
HALF = 620  # an output cell in half a window
NARROW = 320


def record_of(game: Game) -> Record:
    """A game among random players."""
    player = bot("random")
    record = Record(game, seed=3, tags={"A": "Anna", "B": "Bob"})
    while (state := record.final).pending:
        ply = len(record.choices)
        streams = {seat: Rng.from_seed(3, 16 * (ply + 1) + seat + 1) for seat in state.pending}
        record = record.then({seat: player.choose(state.view(seat), rng) for seat, rng in streams.items()})
    return record


def telling(replay: Replay) -> int:
    """A frame worth a picture: in the second half, a trap or a take; otherwise any move beside the rows."""
    frames: list[Any] = replay.scene["frames"]
    half = len(frames) // 2
    for wanted in ("trap", "marker", "field", "take"):
        for at, frame in enumerate(frames[half:], half):
            if frame.get(wanted) or frame.get("focus", {}).get("kind") == wanted:
                return at
    return half


def pictures(name: str, game: Game) -> Iterator[tuple[str, Any, dict[str, Any], str]]:
    """File name, widget, how it is shown, and the steps before the picture is taken."""
    record = record_of(game)
    at = telling(Replay(record))
    yield f"{name}-replay", Replay(record, at=at), {}, ""
    yield f"{name}-replay-half", Replay(record, at=at + 1, lang="pl"), {"width": HALF}, ""
    yield f"{name}-replay-narrow", Replay(record, at=at, lang="cs"), {"width": NARROW}, ""
    yield f"{name}-replay-dark", Replay(record, at=at), {"theme": "dark"}, ""
    yield f"{name}-table", Table(game, seed=5, hints=True), {}, "look"
    yield f"{name}-table-narrow", Table(game, seed=5), {"width": NARROW}, "play"
    for kind in kinds_of(game):
        yield f"{name}-exercise-{kind}", Exercise(game, kinds=[kind], seed=5, difficulty=2), {"width": HALF}, "answer"


def prepare(stage: Stage, widget: Any, how: str) -> None:
    page = stage.page
    if how == "look":
        page.locator(".nl-option:visible").nth(3).focus()
    elif how == "play":
        for count in (1, 2):
            options = page.locator(".nl-option:visible:not(.nl-compose)")
            if options.count() == 0:
                return
            options.nth(options.count() // 2).click()
            stage.hear(count)
    elif how == "answer":
        page.locator(f"[data-option='{next(iter(widget.question.right))}']").click()
        stage.hear(1)
    elif how == "what-if":
        page.locator("[data-do=what-if]").click()


def extra() -> Iterator[tuple[str, Any, dict[str, Any], str]]:
    """More pictures than the one of each kind per rule system."""
    record = record_of(SYSTEMS["classic"])
    asked = next(at for at, frame in enumerate(Replay(record).scene["frames"]) if frame.get("ply") == 4)
    yield "what-if", Replay(record, at=asked), {}, "what-if"
    for name in ("classic", "even_odd", "mountain", "number_twister", "buffalo"):
        state = record_of(SYSTEMS[name]).steps[6].before
        yield f"number-line-{name}", NumberLine(state, value=45), {"width": HALF}, ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="screenshots", type=Path)
    parser.add_argument("--only", default="", help="only names that contain this")
    options = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        print(ADVICE, file=sys.stderr, end="")
        return 1
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with open_browser(chromium) as browser:
        context = browser.new_context(reduced_motion="reduce")
        stage = Stage(context.new_page())
        sources = [extra(), *(pictures(name, game) for name, game in SYSTEMS.items())]
        for name, widget, look, how in (item for source in sources for item in source):
            if options.only not in name:
                continue
            stage.page.set_viewport_size({"width": look.get("width", 920), "height": 300})
            stage.show(widget, theme=look.get("theme", "light"))
            prepare(stage, widget, how)
            stage.page.wait_for_timeout(80)
            stage.page.screenshot(path=options.folder / f"{name}.png", full_page=True)
            print(name, *stage.errors, *stage.left)
            wrong += len(stage.errors) + len(stage.left)
            stage.errors.clear()
            stage.left.clear()
    for name, game in SYSTEMS.items():
        if options.only in name:
            replay = Replay(record_of(game))
            replay.at = telling(replay)
            replay.save(options.folder / f"{name}-picture.png")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
