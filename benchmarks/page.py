"""How long the count after a move takes on the page: ``python -m benchmarks.page``.

A browser opens the static edition and has the page lay a solution. Then its pieces are taken off by
keys, one after the other, and laid back again. A move lasts from its key to the first picture
after the new count. Writes ``results/benchmarks/page.md``. Exit code 4: there is no chromium.
"""

from __future__ import annotations

import argparse
import datetime
import shutil
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import ROOT
from benchmarks.report import table
from benchmarks.run import machine
from satcal.puzzle.loading import load
from satcal.site.edition import write

BOARDS = ("a-puzzle-a-day", "rhombus", "weekday")
DATE = "2025-10-23"
COUNTED = "!!document.querySelector('#status[data-tilings]')"
WATCH = """() => {
    window.waited = [];
    let pressed = 0;
    addEventListener("keydown", () => { pressed = performance.now(); }, true);
    new MutationObserver(() => {
        const began = pressed;
        requestAnimationFrame(() => setTimeout(() => waited.push(performance.now() - began)));
    }).observe(document.querySelector("#status"), { attributeFilter: ["data-tilings"] });
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def moves(browser: Any, address: str, turns: int) -> list[float]:
    """Return the milliseconds that each move took on a board."""
    page = browser.new_page(reduced_motion="reduce", service_workers="block")
    page.set_default_timeout(300_000)  # a busy machine is no failure
    page.goto(address)
    page.wait_for_function(COUNTED)
    for each in ("to-more", "to-solutions", "show-me", "lay"):
        page.locator(f"#{each}").click()
    page.wait_for_function("document.querySelector('#status').dataset.tilings === '1'")
    page.keyboard.press("Escape")
    page.evaluate(WATCH)
    pieces = page.locator(".piece.placed")
    number = pieces.count()
    for turn in range(turns):
        for taken in range(number):
            pieces.first.focus()
            page.keyboard.press("Delete")
            page.wait_for_function(f"waited.length >= {2 * turn * number + taken + 1}")
        for laid in range(number):
            page.keyboard.press("Control+z")
            page.wait_for_function(f"waited.length >= {(2 * turn + 1) * number + laid + 1}")
    found: list[float] = page.evaluate("waited")
    page.close()
    return found


def report(found: dict[str, list[float]], browser: str) -> str:
    """Return the figures as Markdown."""
    host = machine()
    rows = [
        [board, str(len(times)), f"{median(times):.0f}", f"{max(times):.0f}"]
        for board, times in found.items()
    ]
    return (
        "# The count after a move on the page\n\nWritten by `python -m benchmarks.page`: "
        "milliseconds from the key that takes a piece off, or lays\nit back, to the first picture "
        f"after the new count. The page is the static edition, opened on\n{DATE}; it counts by its "
        f"own diagram. Chromium {browser}, without a screen;\n{host['cpu']}, {host['cores']} "
        f"cores, shared with other work; {datetime.date.today()}.\n\n"
        + table(("board", "moves", "median ms", "slowest ms"), rows)
    )


def main() -> int:
    """Measure, and write the figures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=3, help="times that all pieces go (3)")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "benchmarks")
    options = parser.parse_args()
    path = shutil.which("chromium")
    if path is None:
        print("chromium is missing: see CONTRIBUTING.md", file=sys.stderr)
        return 4
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        edition = Path(folder, "edition")
        write(edition, {name: load(name) for name in BOARDS}, BOARDS[0])
        handler = partial(Quiet, directory=str(edition))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            root = f"http://127.0.0.1:{server.server_port}/"
            found = {
                board: moves(browser, f"{root}#{board}/{DATE}", options.turns) for board in BOARDS
            }
            text = report(found, browser.version)
            browser.close()
            server.shutdown()
    print(text)
    (options.output / "page.md").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
