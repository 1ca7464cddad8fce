"""A person before the page: by mouse, touch, pen or keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

import satcal
from satcal.puzzle.model import Placement, Puzzle

PUZZLE = satcal.load("rhombus")
DATE = "2025-09-25"  # four tilings
SIZES = {
    "390x664": (390, 664), "320x568": (320, 568), "844x390": (844, 390),
    "768x1024": (768, 1024), "1366x650": (1366, 650), "1440x900": (1440, 900),
}  # fmt: skip
# `make test` looks at a small phone, `make browser` at every other size
EVERY_SIZE = [
    size if size == "320x568" else pytest.param(size, marks=pytest.mark.browser) for size in SIZES
]
Cell = tuple[int, int]
Point = tuple[float, float]
WAYS = ["r" * turns + "f" * flips for flips in (0, 1) for turns in range(4)]


def normal(cells: list[Cell]) -> tuple[Cell, ...]:
    """Move cells to the upper left."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def changed(cells: tuple[Cell, ...], key: str) -> tuple[Cell, ...]:
    """Turn (r) or turn over (f) a shape, as the page does."""
    return normal([(c, -r) if key == "r" else (r, -c) for r, c in cells])


@dataclass
class Player:
    """Somebody who knows a tiling; ``on_its_side`` if the page shows the board turned."""

    page: Page
    puzzle: Puzzle
    on_its_side: bool = False

    def open(self, site: str, address: str) -> None:
        self.page.goto(f"{site}#{address}")
        status = self.page.locator("#status")
        expect(status).to_have_attribute("data-tilings", re.compile("."), timeout=20_000)
        rows = self.page.locator("#table > svg").first.get_attribute("viewBox").split()[3]
        self.on_its_side = int(rows) != self.puzzle.rows * 10 + 2

    # -- where things are

    def piece(self, placement: Placement) -> Locator:
        names = [piece.name for piece in self.puzzle.pieces for _ in range(piece.copies)]
        return self.page.locator(f'.piece[data-token="{names.index(placement.piece)}"]')

    def shown(self, cells: list[Cell]) -> list[Cell]:
        """Return cells where the page shows them."""
        if not self.on_its_side:
            return list(cells)
        return [(column, self.puzzle.rows - 1 - row) for row, column in cells]

    @property
    def unit(self) -> float:
        style = "each => getComputedStyle(each).getPropertyValue('--unit')"
        return float(self.page.locator("#table").evaluate(style).removesuffix("px"))

    def on_board(self, cell: Cell) -> Point:
        """Return the middle of a cell of the board."""
        box = self.page.locator("#table > svg").first.bounding_box()
        return (
            box["x"] + self.unit * (cell[1] + 0.6),
            box["y"] + self.unit * (cell[0] + 0.6),
        )

    def on_piece(self, placement: Placement, number: int) -> Point:
        """Return the middle of a cell of a piece that is turned as in a placement."""
        cells = sorted(self.shown(placement.cells))
        row, column = normal(cells)[number]
        box = self.piece(placement).bounding_box()
        return box["x"] + self.unit * (column + 0.5), box["y"] + self.unit * (row + 0.5)

    def grab(self, placement: Placement) -> Point:
        """Return a point on a piece, however it is turned."""
        return tuple(
            self.piece(placement).evaluate("""each => {
          const box = each.getBoundingClientRect();
          for (let n = 0; n < 144; n += 1) {
            const x = box.x + box.width * (n % 12 + .5) / 12;
            const y = box.y + box.height * (Math.floor(n / 12) + .5) / 12;
            if (document.elementFromPoint(x, y)?.closest('.piece') === each) return [x, y];
          }
        }""")
        )

    def grip(self, placement: Placement) -> Cell:
        """Return the cell of the board that a piece taken by a click is held over."""
        cells = sorted(self.shown(placement.cells))
        row, column = (sum(cell[axis] for cell in cells) / len(cells) for axis in (0, 1))
        return min(cells, key=lambda cell: (cell[0] - row) ** 2 + (cell[1] - column) ** 2)

    def free_corner(self) -> Point:
        """Return a point of the table that is not on the board, nor on a piece."""
        return tuple(
            self.page.evaluate("""() => {
          const table = document.querySelector('#table'), box = table.getBoundingClientRect();
          const board = table.querySelector('svg').getBoundingClientRect();
          for (let y = box.bottom - 3; y > box.top; y -= 3) {
            for (let x = box.right - 3; x > box.left; x -= 3) {
              const off = x > board.right + 40 || x < board.left - 40 || y > board.bottom + 40;
              if (off && document.elementFromPoint(x, y) === table) return [x, y];
            }
          }
        }""")
        )

    # -- what one does

    def keys(self, placement: Placement) -> str:
        """Return what turns a piece as in a placement."""
        wanted = normal(self.shown(placement.cells))
        name = placement.piece
        drawn = next(each for each in self.puzzle.pieces if each.name == name)
        number = int(self.piece(placement).get_attribute("data-turned"))
        for way in WAYS:
            shape = normal(self.shown(list(drawn.orientations[number])))
            for key in way:
                shape = changed(shape, key)
            if shape == wanted:
                return way
        raise AssertionError(placement)

    def drag(self, placement: Placement, way: Callable[..., None], number: int = 0) -> None:
        """Drag a piece to its place by one of its cells; ``way`` is by mouse, touch or pen."""
        target = sorted(self.shown(placement.cells))[number]
        way(self.page, self.on_piece(placement, number), self.on_board(target))

    def remain(self, count: int) -> None:
        status = self.page.locator("#status")
        expect(status).to_have_attribute("data-tilings", str(count), timeout=20_000)

    def lie(self, count: int) -> None:
        expect(self.page.locator(".piece.placed")).to_have_count(count)

    def solved(self) -> None:
        expect(self.page.locator("#count")).to_have_text("Solved!")


def by_mouse(page: Page, start: Point, end: Point) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def by_touch(page: Page, start: Point, end: Point, last: str = "touchEnd") -> None:
    """Drag one finger; Playwright itself can only tap."""
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", start)
    for part in range(1, 7):
        touch(
            session,
            "touchMove",
            tuple(a + (b - a) * part / 6 for a, b in zip(start, end, strict=True)),
        )
    session.send("Input.dispatchTouchEvent", {"type": last, "touchPoints": []})
    session.detach()


def touch(session, kind: str, *points: Point) -> None:
    """Send an event of fingers, the first of which is the first that touched."""
    where = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})


def by_pen(page: Page, start: Point, end: Point) -> None:
    session = page.context.new_cdp_session(page)

    def send(kind: str, point: Point) -> None:
        session.send("Input.dispatchMouseEvent", {
            "type": kind, "x": point[0], "y": point[1], "button": "left", "pointerType": "pen",
            "buttons": int(kind != "mouseReleased"), "clickCount": 1,
        })  # fmt: skip

    send("mousePressed", start)
    for part in range(1, 6):
        send("mouseMoved", tuple(a + (b - a) * part / 5 for a, b in zip(start, end, strict=True)))
    send("mouseReleased", end)
    session.detach()
