"""Compare the solver's search as WebAssembly with the native library: equal answers, and the time of each.

    python benchmarks/bench_wasm.py [positions]      ten positions each of six and seven cards a hand, unless said

What the library is asked for a position is noted, and node asks the wasm the same; every answer must be the same, bit
by bit. Times are processor time (node's with compiling and comparing). What Python does in a browser between the calls
is not in it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Advanced
from nimmt_lab.native import build, core, loader
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition
from tests.native.recording import REPLAY, START, RecordingCore

GAME = Advanced(players=2, rounds=1)
#: Seconds promised in a browser, by cards per hand.
PROMISED = {6: 5.0, 7: 20.0}
NODE = """
const start = %s;
const repeat = %s;
const [wasm, notes] = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const before = process.cpuUsage();
start(wasm);
const wrong = repeat(notes);
const used = process.cpuUsage(before);
console.log(JSON.stringify([(used.user + used.system) / 1e6, wrong]));
"""


def both(left: int, seed: int, wasm: str, folder: Path) -> tuple[float, float]:
    """Processor seconds of the library and of the wasm for one position."""
    found = core()
    assert found is not None
    position = OpenPosition.of(random_state(GAME, left, seed))
    start = time.process_time()
    assert Searcher().prove(position).complete
    library = time.process_time() - start
    recorder = RecordingCore(found)
    loader._loaded[:] = [recorder]
    try:
        assert Searcher().prove(position).complete
    finally:
        loader._loaded[:] = [found]
    script, asked = folder / "replay.js", folder / "asked.json"
    script.write_text(NODE % (START.strip(), REPLAY.strip()), encoding="utf-8")
    asked.write_text(json.dumps([wasm, recorder.notes]), encoding="utf-8")
    done = subprocess.run(["node", str(script), str(asked)], capture_output=True, text=True, check=True)
    seconds, wrong = json.loads(done.stdout)
    assert wrong == [], wrong
    return library, seconds


def main() -> None:
    """Measure and print one line per number of cards."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    wasm = b64encode(build.build_for("wasm32").read_bytes()).decode()
    print("cards  positions  library  wasm: mean    most  promised  wasm / library")
    with tempfile.TemporaryDirectory() as folder:
        for left, promised in PROMISED.items():
            times = [both(left, seed, wasm, Path(folder)) for seed in range(count)]
            library, seconds = (sum(part) / count for part in zip(*times, strict=True))
            most = max(wasm for _, wasm in times)
            print(
                f"{left:5}  {count:9}  {library:7.3f}  {seconds:10.3f}  {most:6.2f}  {promised:8.0f}"
                f"  {seconds / library:14.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
