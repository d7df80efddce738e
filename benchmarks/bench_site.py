"""Compare the web page with a bare Pyodide page in the same browser, and time the answer to a click.

    python benchmarks/bench_site.py

Times of the clock, so on a quiet machine; the ratio is measured in one run, each page three times, in turn.
"""

from __future__ import annotations

import functools
import http.server
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.site import build
from tools.browser import open_browser
from tools.ensure_chromium import find_chromium

BARE = """<!doctype html><script type="module">
import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide({ indexURL: "./" });
python.runPython("1 + 1");
document.documentElement.dataset.python = "ready";
</script>"""
READY = "document.documentElement.dataset.python === 'ready'"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    """Build the site, serve it, load both pages, click."""
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("no Chromium here: make chromium")
    with tempfile.TemporaryDirectory() as folder:
        site = build.make()
        build.write_folder(site, Path(folder) / "lab")
        (Path(folder) / "lab" / "bare.html").write_text(BARE, encoding="utf-8")
        serve = functools.partial(_Quiet, directory=str(Path(folder) / "lab"))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server, open_browser(chromium) as browser:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            took: dict[str, list[float]] = {"bare.html": [], "": []}
            for _ in range(3):
                for name, times in took.items():
                    page = browser.new_context(service_workers="block").new_page()
                    begun = time.perf_counter()
                    page.goto(address + name)
                    page.wait_for_function(READY, timeout=300_000)
                    times.append(time.perf_counter() - begun)
                    if name or len(times) < 3:
                        page.context.close()
            bare, ours = (statistics.median(times) for times in took.values())
            print(f"site: {site.size / 1e6:.1f} MB; one file: {len(site.one_file()) / 1e6:.1f} MB")
            print(f"Python ready: {ours:.1f} s, a bare page {bare:.1f} s: {ours / bare:.2f} times (aim: below 2.5)")
            answers = []
            for door in ("play", "learn", "practise", "learn", "analyse", "learn", "play", "learn"):
                begun = time.perf_counter()
                page.locator(f"[data-door='{door}']").click()
                page.locator(f"[data-door='{door}'][aria-current='page']").wait_for()
                answers.append(time.perf_counter() - begun)
            print(f"a click is answered after {1000 * statistics.median(answers):.0f} ms (aim: below 150)")
            server.shutdown()


if __name__ == "__main__":
    main()
