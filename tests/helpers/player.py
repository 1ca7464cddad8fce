"""A player of the page: by mouse, touch, pen or keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from helpers.waiting import until, wait_for_value
from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.puzzle.loading import load
from satcal.puzzle.model import Placement, Puzzle

PUZZLE = load("a-puzzle-a-day")
HERE = "a-puzzle-a-day/2025-10-06"  # where most play


def tilings_of(puzzle: Puzzle, when: str | tuple[str, ...]) -> list[tuple[Placement, ...]]:
    """Return the tilings of a date or reveal, in the order in which the page has them."""
    return list(DiagramMethod().tilings(puzzle, puzzle.reveal(when), (), Meter(None)))


TILINGS = tilings_of(PUZZLE, "2025-10-06")  # seven
SOLUTION = TILINGS[-1]  # for which mouse, finger and keyboard turn pieces over
LEFT = [sum(set(SOLUTION[:n]) <= set(tiling) for tiling in TILINGS) for n in range(1, 9)]
"""How many tilings remain when so many pieces of the solution are laid."""
PHONE, DESKTOP = (390, 664), (1440, 900)
SIZES = (PHONE, (320, 568), (844, 390), (768, 1024), (1366, 650), DESKTOP)
LEAVE = """async ([reveal, placed]) => {
  const { PREFIX } = await import("./storage.js"), { Game } = await import("./game.js");
  const { openPuzzle } = await import("./engine.js"), address = location.hash.slice(1);
  const game = new Game(await openPuzzle(address.split("/")[0]), reveal);
  game.setPlacements(placed);
  const left = { key: `${PREFIX}game ${address}`, newValue: game.encode() };
  dispatchEvent(new StorageEvent("storage", left));
}"""
"""Leaves a game of the address at which the page is, as another tab does."""
AT_REST = """async piece => {
  const box = () => JSON.stringify(piece.getBoundingClientRect()), before = box();
  await new Promise(each => requestAnimationFrame(each));
  const moves = piece.getAnimations({ subtree: true }).length;
  const isAtRest = !moves && before === box() && !document.querySelector("#sheet").open;
  return isAtRest && { ...JSON.parse(before), turned: piece.dataset.turned };
}"""
"""The box of a piece that is at rest from one frame to the next, under no sheet."""
Cell = tuple[int, int]
Point = tuple[float, float]
Drag = Callable[[Page, Point, Point], None]


def set_preferences(page: Page, site: str, know: str = "exact", seen: str = "yes") -> None:
    """Store preferences for the page of a site, as an earlier visit does."""
    page.goto(f"{site}heading.LICENSE.txt")
    page.evaluate(
        """([know, seen]) => {
          const folder = location.pathname.replace(/[^/]*$/, "");
          localStorage.setItem(`satcal ${folder} preference know`, know);
          localStorage.setItem(`satcal ${folder} preference seen`, seen);
        }""",
        [know, seen],
    )


def covers(placement: Placement) -> str:
    """Return what the page says of a placement."""
    *labels, last = (PUZZLE.label_at[cell].text for cell in sorted(placement.cells))
    return f"{placement.piece} covers {', '.join(labels)} and {last}."


def over(one: list[float], other: list[float]) -> bool:
    """Return whether two boxes overlap."""
    beside = one[0] >= other[2] - 2 or one[2] <= other[0] + 2
    above = one[1] >= other[3] - 2 or one[3] <= other[1] + 2
    return not beside and not above


def normal(cells: Iterable[Cell]) -> list[Cell]:
    """Move cells to the upper left, row by row."""
    cells = sorted(cells)
    top, left = cells[0][0], min(column for _, column in cells)
    return [(row - top, column - left) for row, column in cells]


def between(start: Point, end: Point) -> list[Point]:
    """Return points on the way, the end last."""
    return [
        tuple(a + (b - a) * part / 6 for a, b in zip(start, end, strict=True))
        for part in range(1, 7)
    ]


def by_mouse(page: Page, start: Point, end: Point) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def by_touch(page: Page, start: Point, end: Point, last: str = "touchEnd") -> None:
    """Drag one finger; Playwright itself can only tap."""
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", start)
    for point in between(start, end):
        touch(session, "touchMove", point)
    touch(session, last)
    session.detach()


def touch(session, kind: str, *points: Point) -> None:
    """Send an event of fingers, the first of which is the first that touched."""
    where = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})


def by_pen(page: Page, start: Point, end: Point) -> None:
    session = page.context.new_cdp_session(page)
    moves = [("mouseMoved", point) for point in between(start, end)]
    pen = {"button": "left", "pointerType": "pen", "clickCount": 1}
    for kind, (x, y) in (("mousePressed", start), *moves, ("mouseReleased", end)):
        event = {"type": kind, "x": x, "y": y, "buttons": int(kind != "mouseReleased")}
        session.send("Input.dispatchMouseEvent", pen | event)
    session.detach()


@dataclass
class Player:
    """A player who knows a tiling."""

    page: Page
    site: str
    know: str = "exact"
    """What the page shows after each move; a newcomer's page counts pieces: "nothing"."""
    seen: str = "yes"
    """Whether this is not the first visit, on which the page teaches."""

    def open(self, address: str = HERE) -> None:
        """Go to an address, and wait until the page has counted and is at rest."""
        there = f"{self.site}#{address}"
        if self.site.startswith("http") and not self.page.url.startswith(self.site):
            set_preferences(self.page, self.site, self.know, self.seen)
        if self.page.url == there:  # going there would change nothing
            self.page.reload()
        else:
            forget = "document.querySelector('#status')?.removeAttribute('data-tilings')"
            self.page.evaluate(forget)
            self.page.goto(there)
        self.wait_until_counted()
        self.page.evaluate("document.fonts.ready.then(() => true)")  # the heading has its height

    # -- where things are

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def style(self, selector: str, name: str) -> str:
        """Return a computed property of an element."""
        return self.find(selector).first.evaluate(
            "(each, name) => getComputedStyle(each)[name]", name
        )

    def piece(self, placement: Placement) -> Locator:
        token = [piece.name for piece in PUZZLE.pieces].index(placement.piece)
        return self.find(f'.piece[data-token="{token}"]')

    def board(self) -> tuple[float, float, float]:
        """Return the left and the top of the board, and how wide a cell is."""
        box = self.find("#table svg.board").first.bounding_box()
        return box["x"], box["y"], box["width"] / (PUZZLE.columns + 0.6)  # with its frame

    @property
    def unit(self) -> float:
        return self.board()[2]

    def on_board(self, cell: Cell) -> Point:
        """Return the middle of a cell of the board."""
        left, top, unit = self.board()
        return left + unit * (cell[1] + 0.8), top + unit * (cell[0] + 0.8)

    def on_piece(self, placement: Placement, number: int = 0) -> Point:
        """Return the middle of a cell of a piece, however it is turned, once it is at rest."""
        piece = self.piece(placement)
        box = until(lambda: piece.evaluate(AT_REST), what="a piece at rest under no sheet")
        shape = self.turned(placement, box["turned"])
        row, column = shape[number]
        unit = box["height"] / (1 + max(cell[0] for cell in shape))  # smaller in the tray
        return box["x"] + unit * (column + 0.5), box["y"] + unit * (row + 0.5)

    def turned(self, placement: Placement, turned: str) -> list[Cell]:
        """Return the cells of a piece in one of its orientations."""
        drawn = next(each for each in PUZZLE.pieces if each.name == placement.piece)
        return normal(drawn.orientations[int(turned)])

    def shape(self, placement: Placement) -> list[Cell]:
        """Return the cells of a piece as it is turned."""
        return self.turned(placement, self.piece(placement).get_attribute("data-turned"))

    def same_cell(self, placement: Placement) -> tuple[Point, Point]:
        """Return where a cell of a piece is, and where it belongs on the board."""
        return self.on_piece(placement, 0), self.on_board(min(placement.cells))

    def off_board(self) -> Point:
        """Return a point of the table that is not on the board, nor on a piece: near its corner."""
        box = self.find("#table").bounding_box()
        return box["x"] + box["width"] - 3, box["y"] + box["height"] - 3

    # -- actions

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, *names: str) -> None:
        """Click controls, which are named by their ids."""
        for name in names:
            self.find(f"#{name}").click()

    def keys(self, placement: Placement) -> list[str]:
        """Return the keys to press to turn a piece as in a placement."""
        shape, wanted, pressed = self.shape(placement), normal(placement.cells), []
        for key in "rrrrfrrr":
            if shape == wanted:
                break
            pressed.append(key)
            shape = normal(
                (row, -column) if key == "f" else (column, -row) for row, column in shape
            )
        return pressed

    def turn(self, placement: Placement) -> None:
        """Turn a piece as in a placement, by keys."""
        self.wait_for_table()
        self.piece(placement).focus()
        self.press(*self.keys(placement), "Escape")

    def take(self, placement: Placement) -> Point:
        """Press the mouse on a piece; return where."""
        x, y = self.on_piece(placement)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y

    def drag(self, placement: Placement, by: Drag = by_mouse, number: int = 0) -> None:
        """Drag a piece that is turned to its place by one of its cells."""
        start = self.on_piece(placement, number)
        x, y = self.on_board(sorted(placement.cells)[number])
        if by is by_touch:  # the piece is carried above the finger
            y += 0.8 * self.unit
        by(self.page, start, (x, y))

    def drag_off(self, placement: Placement) -> None:
        """Drag a piece that lies on the board beside it."""
        by_mouse(self.page, self.on_piece(placement), self.off_board())

    def place(self, *placements: Placement) -> None:
        """Place pieces where they belong, by mouse."""
        for placement in placements:
            self.turn(placement)
            self.drag(placement)

    def resume(self, *placements: Placement) -> None:
        """Find pieces of a tiling on the board, as they were left in another tab."""
        number = {cell: place for place, cell in enumerate(PUZZLE.cells)}
        placed = [
            {"piece": each.piece, "cells": [number[cell] for cell in sorted(each.cells)]}
            for each in placements
        ]
        self.wait_for_table()
        self.wait_until_counted()
        self.page.evaluate(LEAVE, [["Oct", "6"], placed])
        self.expect_placed(len(placements))
        self.expect_tilings(sum(set(placements) <= set(tiling) for tiling in TILINGS))

    def finish(self, tiling: tuple[Placement, ...] = SOLUTION) -> None:
        """Place the last piece of a tiling."""
        self.resume(*tiling[:-1])
        self.place(tiling[-1])
        self.expect_solved()

    def place_with_a_mouse(self, placement: Placement) -> None:
        """Turn a piece by the wheel, and over by the second button, and drag it to its place."""
        for key in self.keys(placement):
            before = self.shape(placement)
            self.page.mouse.move(*self.on_piece(placement))
            if key == "r":
                self.page.mouse.wheel(0, 100)
            else:
                self.page.mouse.click(*self.on_piece(placement), button="right")
            until(lambda before=before: self.shape(placement) != before)
        self.drag(placement, number=1)

    def place_with_keys(self, placement: Placement) -> None:
        self.turn(placement)
        self.press("Enter")
        self.walk(placement)
        self.press("Enter")

    def walk(self, placement: Placement) -> None:
        """Press arrows until the piece in the hand is where it belongs."""
        target, here = self.on_board(min(placement.cells)), self.on_piece(placement, 0)
        right, down = (round((a - b) / self.unit) for a, b in zip(target, here, strict=True))
        self.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))
        self.press(*["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right))

    def solve(self) -> None:
        """Ask for help until the page places a solution."""
        self.click("to-more", "to-solutions", "show-me", "lay")
        self.expect_solved()
        self.wait_for_table()

    def resize(self, width: int, height: int) -> None:
        """Change the size of the window."""
        self.page.set_viewport_size({"width": width, "height": height})
        wait_for_value(lambda: self.page.evaluate("[innerWidth, innerHeight]"), [width, height])
        self.wait_for_frames()

    # -- expectations

    def wait_for_frames(self) -> None:
        """Wait for two frames, in which a move of the pointer is drawn."""
        self.page.evaluate(
            "new Promise(each => requestAnimationFrame(() => requestAnimationFrame(each)))"
        )

    def wait_for_table(self) -> None:
        """Wait until no sheet covers the table: it goes a moment after it was closed."""
        until(lambda: self.find("#sheet").get_attribute("open") is None)

    def wait_until_counted(self) -> None:
        """Wait until the page has counted, and answers."""
        counted = "#play:not([inert], [hidden]) #status[data-tilings]"
        expect(self.find(counted)).to_be_attached()  # at the finish nothing is in it

    def expect_tilings(self, count: int) -> None:
        status = self.find("#status")
        expect(status).to_have_attribute("data-tilings", str(count))

    def expect_placed(self, count: int) -> None:
        expect(self.find(".piece.placed")).to_have_count(count)

    def expect_solved(self) -> None:
        expect(self.find("#count")).to_have_text("Solved")
        expect(self.find("#finish")).to_be_visible()  # and the board has the stage
