"""Photographs the page's views at every size: ``python -m tools.page_pictures FOLDER``.

One contact sheet for each view and scheme, and one of the finish as it goes. The same bytes come
each time: the solution that is laid is fixed, motion is off but for the finish, and the clock
stands still.
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
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from satcal.puzzle.loading import load
from satcal.site.edition import write

SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900), (2560, 1440)]
NAME, DAY = "a-puzzle-a-day", "2025-12-25"
BOARDS = (NAME, "rhombus", "weekday", "pentomino-3x20")
VIEWS = {
    "empty": (f"{NAME}/{DAY}", 0),
    "begun": (f"{NAME}/{DAY}", 4),
    "finish": (f"{NAME}/{DAY}", 8),
    "rhombus": ("rhombus/2025-10-23", 4),
    "weekday": ("weekday/2025-12-25", 4),
    "pentomino-3x20": ("pentomino-3x20", 4),
    "year": (f"year/{NAME}/{DAY}", 0),
    "solutions": (f"solutions/{NAME}/{DAY}", 8),
    "more": (f"more/{NAME}/{DAY}", 0),
    "share": (f"share/{NAME}/{DAY}", 4),
    "believe": (f"believe/{NAME}/{DAY}", 0),
}
MOMENTS = (0, 150, 300, 600)  # milliseconds after the last piece
HEIGHT = 450  # pixels of each picture on a sheet
FOUND = 5  # solutions on the shelf
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
"""Has all drawn at its last place: a layer keeps what was drawn while its sheet still grew."""
KEEP = """async ([name, reveal, limit]) => {
  const { openCounter, openPuzzle } = await import("./engine.js");
  const { Game } = await import("./game.js"), { keepSolution } = await import("./keep.js");
  const puzzle = await openPuzzle("data/", name), counter = openCounter("data/", puzzle);
  const { tilings } = await counter.ask({ reveal, placed: [], want: "tilings", from: 0, limit });
  counter.close();
  const game = new Game(puzzle, reveal);
  for (const each of tilings) keepSolution(puzzle.digest, reveal, game.codeOf(each), "me");
}"""


def main() -> None:
    """Write the contact sheets."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        write(Path(site), {name: load(name) for name in BOARDS}, NAME, force=True)
        handler = partial(Quiet, directory=site)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox"]
        )
        schemes: tuple[Scheme, Scheme] = ("light", "dark")
        for scheme in schemes:
            page = opened(browser, scheme, "reduce")
            for view, (there, lying) in VIEWS.items():
                prepare(page, address, there, lying)
                shots = [picture(page, f"{address}#{there}", size) for size in SIZES]
                sheet(shots).save(folder / f"{view}.{scheme}.png", optimize=True)
            page.close()
        sheet(moments(browser, address)).save(folder / "finish.moments.png", optimize=True)
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Serves without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


Scheme = Literal["light", "dark"]
Motion = Literal["reduce", "no-preference"]


def opened(browser: Browser, scheme: Scheme, motion: Motion) -> Page:
    """A window in which it is always the same day."""
    page = browser.new_page(
        viewport={"width": 1440, "height": 900},
        reduced_motion=motion,
        color_scheme=scheme,
        service_workers="block",  # nothing is kept, which takes its time
    )
    page.clock.set_fixed_time(f"{DAY}T12:00:00")
    return page


def prepare(page: Page, address: str, there: str, lying: int) -> None:
    """Have so many pieces of the first tiling laid, as if the player had done it, and no others."""
    parts = there.split("/")
    name, day = ([*parts[-2:]] if parts[0] != "pentomino-3x20" else [parts[0], ""])[:2]
    page.goto(f"{address}manifest.webmanifest")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    year, month, date = (int(part) for part in (day or "2025-01-01").split("-"))
    reveal = page.evaluate(
        """async ([name, ...date]) => {
          const { openPuzzle, revealOf } = await import("./engine.js");
          const puzzle = await openPuzzle("data/", name);
          return puzzle.calendar ? revealOf(puzzle, ...date) : [];
        }""",
        [name, year, month, date],
    )
    if parts[0] == "solutions":
        page.evaluate(KEEP, [name, reveal, FOUND])
    if lying:
        code = page.evaluate(LAY, [name, reveal, lying])
        page.evaluate(
            "([key, code]) => localStorage.setItem(`satcal / game ${key}`, code)",
            [f"{name}/{day}" if day else name, code],
        )


def picture(page: Page, address: str, size: tuple[int, int]) -> bytes:
    """A view at a size, opened anew."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#status[data-tilings]", state="attached")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    page.evaluate(AFRESH)
    return page.screenshot()


def moments(browser: Browser, address: str) -> list[bytes]:
    """The finish as it goes: its animations are held at each moment."""
    shots = []
    for moment in MOMENTS:
        page = opened(browser, "light", "no-preference")
        prepare(page, address, f"{NAME}/{DAY}", 8)
        picture(page, f"{address}#{NAME}/{DAY}", (1440, 900))
        page.evaluate(
            """async moment => {
          const pieces = [...document.querySelectorAll(".piece")];
          pieces.forEach((piece, number) => {
            piece.style.setProperty("--wave", `${number * 44}ms`);
            piece.classList.add("wave");
          });
          for (const each of document.getAnimations()) {
            each.pause();
            each.currentTime = moment;
          }
        }""",
            moment,
        )
        shots.append(page.screenshot())
        page.close()
    return shots


def sheet(shots: list[bytes]) -> Image.Image:
    """Pictures beside one another, all of one height."""
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
