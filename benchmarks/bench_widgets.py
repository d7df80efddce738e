"""Measure the cost of a replay step in the browser, for a game of ten players.

Script, style and layout time are Chromium's own counters (its performance domain), divided by the steps made. A frame
of a 60 Hz screen has 16.7 ms: the share of it that a step needs is the ratio to look at.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Classic, Record
from nimmt_lab.bots import bot
from nimmt_lab.engine.rng import Rng
from nimmt_lab.widgets import Replay
from tools.browser import Stage, open_browser
from tools.ensure_chromium import ADVICE, find_chromium

FRAME = 1000 / 60
STEPS = 200


def game_of_ten() -> Record:
    player = bot("random")
    record = Record(Classic(players=10), seed=3)
    while (state := record.final).pending:
        ply = len(record.choices)
        record = record.then(
            {seat: player.choose(state.view(seat), Rng.from_seed(3, 16 * (ply + 1) + seat)) for seat in state.pending}
        )
    return record


def main() -> int:
    chromium = find_chromium()
    if chromium is None:
        print(ADVICE, file=sys.stderr, end="")
        return 1
    record = game_of_ten()
    began = time.perf_counter()
    replay = Replay(record)
    made = 1000 * (time.perf_counter() - began)
    frames = len(replay.scene["frames"])
    print(f"{frames} frames made in {made:.0f} ms: {made / frames:.2f} ms a frame")
    with open_browser(chromium) as browser:
        for motion in ("no-preference", "reduce"):
            context = browser.new_context(viewport={"width": 900, "height": 1000}, reduced_motion=motion)
            stage = Stage(context.new_page())
            stage.show(replay)
            page = stage.page
            client = context.new_cdp_session(page)
            # Time of the page's own thread: what else the machine does is not counted.
            client.send("Performance.enable", {"timeDomain": "threadTicks"})

            def counters() -> dict[str, float]:
                return {m["name"]: m["value"] for m in client.send("Performance.getMetrics")["metrics"]}  # noqa: B023

            page.locator(".nl-replay").focus()
            for _ in range(20):  # let the page warm up
                page.keyboard.press("ArrowRight")
            before = counters()
            for _ in range(STEPS):
                page.keyboard.press("ArrowRight")
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            after = counters()
            worst = page.evaluate(
                """() => {
                  const board = document.querySelector(".nl-replay");
                  const times = [];
                  for (let i = 0; i < 100; i += 1) {
                    const start = performance.now();
                    board.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
                    times.push(performance.now() - start);
                  }
                  return Math.max(...times);
                }"""
            )
            cost = {
                name: 1000 * (after[f"{name}Duration"] - before[f"{name}Duration"]) / STEPS
                for name in ("Script", "RecalcStyle", "Layout")
            }
            total = sum(cost.values())
            print(
                f"motion {motion}: script {cost['Script']:.2f} ms, style {cost['RecalcStyle']:.2f} ms, layout "
                f"{cost['Layout']:.2f} ms a step; script is {cost['Script'] / FRAME:.0%} of a frame, all "
                f"{total / FRAME:.0%}; the slowest of 100 steps {worst:.1f} ms"
            )
            context.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
