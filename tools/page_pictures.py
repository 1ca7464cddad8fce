"""Photographs the page's views at every size: ``python -m tools.page_pictures FOLDER``.

A contact sheet for each view that README shows. The same bytes come each time: the solution is
fixed, motion is off, and the clock stands still.
"""

from __future__ import annotations

import io
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from satcal.puzzle.loading import load
from satcal.site.edition import build_site

SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900), (2560, 1440)]
NAME, DAY = "a-puzzle-a-day", "2025-12-25"
VIEWS = {"begun": (f"{NAME}/{DAY}", 4), "year": (f"year/{NAME}/{DAY}", 0)}
HEIGHT = 450  # pixels of each picture on a sheet
LAY = """async ([name, reveal, number]) => {
  const { openCounter, openPuzzle } = await import("./engine.js");
  const { Game } = await import("./game.js");
  const puzzle = await openPuzzle("data/", name), counter = openCounter("data/", puzzle);
  const { tilings } = await counter.ask({ reveal, placed: [], want: "tilings", from: 0, limit: 1 });
  counter.close();
  const game = new Game(puzzle, reveal);
  game.set(tilings[0].slice(0, number));
  return game.code();
}"""
AFRESH = """async () => {
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  await document.fonts.ready;
  document.body.style.display = "none";
  await drawn();
  document.body.style.display = "";
  await drawn();
}"""
"""Redraws everything: a layer keeps what was drawn while its sheet still grew."""


def main() -> None:
    """Write the contact sheets."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        build_site(Path(site), {NAME: load(NAME)}, NAME, force=True)
        handler = partial(Quiet, directory=site)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(reduced_motion="reduce", service_workers="block")
        page.clock.set_fixed_time(f"{DAY}T12:00:00")
        for view, (there, lying) in VIEWS.items():
            prepare(page, address, lying)
            shots = [picture(page, f"{address}#{there}", size) for size in SIZES]
            sheet(shots).save(folder / f"{view}.light.png", optimize=True)
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Serves and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def prepare(page: Page, address: str, lying: int) -> None:
    """Place the first pieces of the first tiling, as if the player had done it, and no others."""
    page.goto(f"{address}manifest.webmanifest")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    if lying:
        code = page.evaluate(LAY, [NAME, list(load(NAME).reveal(DAY)), lying])
        page.evaluate(
            "([key, code]) => localStorage.setItem(`satcal / game ${key}`, code)",
            [f"{NAME}/{DAY}", code],
        )


def picture(page: Page, address: str, size: tuple[int, int]) -> bytes:
    """Return a view at a size, opened anew."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#status[data-tilings]", state="attached")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    page.evaluate(AFRESH)
    return page.screenshot()


def sheet(shots: list[bytes]) -> Image.Image:
    """Return pictures side by side, all of one height."""
    images = [Image.open(io.BytesIO(shot)).convert("RGB") for shot in shots]
    small = [image.resize((round(image.width * HEIGHT / image.height), HEIGHT)) for image in images]
    made = Image.new("RGB", (sum(image.width + 12 for image in small) - 12, HEIGHT), "#808080")
    left = 0
    for image in small:
        made.paste(image, (left, 0))
        left += image.width + 12
    return made.quantize(192)


if __name__ == "__main__":
    main()
