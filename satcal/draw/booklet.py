"""A booklet to play on paper: a week to a page, and a solution of each date at the back."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from satcal.draw.pictures import BORDER, Scene, title_of
from satcal.draw.svg import Picture, text_element
from satcal.draw.theme import Theme
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.model import Puzzle, Tiling

PAPERS = {"a5": (148.0, 210.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
MARGIN = 12.0  # millimetres: what printers leave free, and a hand holds
HEAD = 14.0  # millimetres of a page's title
CAPTION = 6.0  # millimetres above each board
TO_PLAY = ((1, 1), (1, 2), (2, 2), (2, 3), (2, 4))  # boards across and down, up to a week
SOLVED = (*TO_PLAY, (3, 4), (4, 5), (5, 7))
Boards = Sequence[tuple[str, Callable[[Scene], list[str]]]]
"""What stands above each board, and what is drawn of it."""


def booklet(
    puzzle: Puzzle, tilings: Mapping[datetime.date, Tiling | None], theme: Theme, paper: str
) -> Iterator[Picture]:
    """Yield the pages: the weeks of the dates, from Monday on, then the solutions."""
    size = PAPERS[paper]
    weeks = [list(week) for _, week in groupby(tilings, lambda date: date.isocalendar()[:2])]
    grid = _grid(TO_PLAY, max(map(len, weeks)))
    for days in weeks:
        boards = [(_day(date), _to_play(puzzle, date)) for date in days]
        yield _page(puzzle, theme, size, grid, _span(days), boards)
    solved = [(date, tiling) for date, tiling in tilings.items() if tiling is not None]
    grid = _grid(SOLVED, len(solved))
    many = math.prod(grid)
    for first in range(0, len(solved), many):
        some = solved[first : first + many]
        boards = [(f"{d.day} {MONTHS[d.month - 1]}", _solved(puzzle, d, t)) for d, t in some]
        title = f"Solutions, {_span([date for date, _ in some])}"
        yield _page(puzzle, theme, size, grid, title, boards)


def _grid(grids: Sequence[tuple[int, int]], boards: int) -> tuple[int, int]:
    """The first grid with room for so many boards, else the last."""
    return next((grid for grid in grids if math.prod(grid) >= boards), grids[-1])


def _page(
    puzzle: Puzzle,
    theme: Theme,
    size: tuple[float, float],
    grid: tuple[int, int],
    title: str,
    boards: Boards,
) -> Picture:
    """A page with boards as large as its grid allows."""
    width, height = size
    columns, rows = grid
    wide, high = (width - 2 * MARGIN) / columns, (height - 2 * MARGIN - HEAD) / rows
    rim = 2 * BORDER + 0.4  # of a cell: the frame, and what parts two boards
    cell_size = min(wide / (puzzle.columns + rim), (high - CAPTION) / (puzzle.rows + rim))
    heading = f"{title_of(puzzle)}: {title}"
    picture = Picture(width, height, heading, heading, theme.background, length_unit="mm")
    picture.headline(MARGIN + HEAD / 3, 5.5, 2 * MARGIN, theme.text)
    for index, (caption, drawn) in enumerate(boards):
        row, column = divmod(index, columns)
        left = MARGIN + (column + 0.5) * wide - puzzle.columns * cell_size / 2
        top = MARGIN + HEAD + row * high + CAPTION
        y = top - BORDER * cell_size - CAPTION / 3
        letter = min(3.6, CAPTION / 2, wide / 9)
        picture.add(text_element(caption, left, y, letter, theme.text, "start"))
        picture.add(*drawn(Scene(puzzle, theme, cell_size, left, top)))
    return picture


def _to_play(puzzle: Puzzle, date: datetime.date) -> Callable[[Scene], list[str]]:
    uncovered = puzzle.uncovered(puzzle.reveal(date))
    return lambda scene: [*scene.board(), *scene.marked(uncovered), scene.rim()]


def _solved(puzzle: Puzzle, date: datetime.date, tiling: Tiling) -> Callable[[Scene], list[str]]:
    return lambda scene: scene.tiling(puzzle.reveal(date), tiling)


def _day(date: datetime.date) -> str:
    return f"{WEEKDAYS[date.weekday()]} {date.day} {MONTHS[date.month - 1]}"


def _span(days: Sequence[datetime.date]) -> str:
    """The first and the last of some days, in one year."""
    first, last = days[0], days[-1]
    if first == last:
        return f"{first.day} {MONTHS[first.month - 1]} {first.year}"
    begins = f"{first.day} {MONTHS[first.month - 1]}" + f" {first.year}" * (first.year != last.year)
    return f"{begins} to {last.day} {MONTHS[last.month - 1]} {last.year}"
