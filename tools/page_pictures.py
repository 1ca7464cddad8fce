"""Photographs the page at every size: ``python -m tools.page_pictures FOLDER``."""

from __future__ import annotations

import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which

from playwright.sync_api import Page, sync_playwright

from satcal.puzzle.loading import load
from satcal.site.edition import write

SIZES = [(390, 664), (320, 568), (844, 390), (768, 1024), (1366, 650), (1440, 900)]
BOARDS = {
    "rhombus": "rhombus/2025-10-23",
    "weekday": "weekday/2025-12-25",
    "pentomino-3x20": "pentomino-3x20",
}
LYING = 4  # pieces of a tiling


def main() -> None:
    """Write a picture of each board at each size; on some of them it is dark."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        write(Path(site), {name: load(name) for name in BOARDS}, "rhombus", force=True)
        handler = partial(SimpleHTTPRequestHandler, directory=site)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        for width, height in SIZES:
            for name, address in BOARDS.items():
                page = browser.new_page(
                    viewport={"width": width, "height": height}, reduced_motion="reduce",
                    color_scheme="dark" if name == "weekday" else "light",
                )  # fmt: skip
                page.goto(f"http://127.0.0.1:{server.server_port}/#{address}")
                play(page)
                page.screenshot(path=folder / f"{name}.{width}x{height}.png")
                page.close()
        server.shutdown()


def play(page: Page) -> None:
    """Have a tiling laid, and take most of its pieces back."""
    page.wait_for_function("document.querySelector('#status').dataset.tilings")
    for _ in range(3):
        page.locator("#hint").click()
        page.wait_for_timeout(300)
    page.wait_for_function("document.querySelector('#count').textContent === 'Solved!'")
    for piece in page.locator(".piece").all()[LYING:]:
        piece.press("Delete")
    page.locator("#table").evaluate("() => document.activeElement.blur()")
    page.wait_for_function("document.querySelector('#count').textContent.includes(' of ')")


if __name__ == "__main__":
    main()
