"""Animations: a search at work, tilings one after another, as GIF by Pillow."""

from __future__ import annotations

import io
import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from satcal.counting.search import Search
from satcal.counting.settings import PRUNINGS
from satcal.draw.outline import outlines
from satcal.draw.theme import Theme, channels, ink_on, mix
from satcal.errors import Missing, OptionError
from satcal.parts import command_for
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.shapes import Cell

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SUFFIX = ".gif"
MAX_PIXELS = 400_000_000  # of all frames together: each takes a byte until the file is written


@dataclass(frozen=True)
class Frame:
    """What one frame shows: a tiling, or a part of one, and a line of text; and boards beside."""

    reveal: Reveal
    placed: Sequence[Placement]
    text: str
    beside: tuple[Frame, ...] = ()


class _Visits:
    """The partial tilings that a search visits, up to its first tiling.

    Of each only what is new is kept: there are many.
    """

    def __init__(self, cover: Cover, pruning: str = "sums", first_cell: bool = False) -> None:
        self._cover = cover
        self._depths, self._newest = array("H"), array("L")
        search = Search(cover, pruning, on_visit=self._visit, first_cell=first_cell)
        next(search.tilings(), None)

    def _visit(self, chosen: list[int]) -> None:
        self._depths.append(len(chosen))
        self._newest.append(chosen[-1] if chosen else 0)

    def __len__(self) -> int:
        return len(self._depths)

    def at(self, steps: Sequence[int]) -> Iterator[Tiling]:
        """Yield the partial tiling after each of some steps, which ascend; after the last: it."""
        chosen: list[int] = []
        done = 0
        for step in steps:
            for step_done in range(done, min(step + 1, len(self))):
                if depth := self._depths[step_done]:
                    chosen[depth - 1 :] = [self._newest[step_done]]
            done = max(done, step + 1)
            yield self._cover.tiling(chosen)


def search_frames(
    puzzle: Puzzle, reveal: Reveal, limit: int, caption: str, seed: int | None = None
) -> list[Frame]:
    """The partial tilings that ``search`` visits, up to its first tiling.

    Where it visits more than ``limit``, the frames are spread evenly over them. A ``seed``
    shuffles the order of the pieces, which decides where several cells have equally few placements.
    """
    visits = _Visits(_cover(puzzle, reveal, seed))
    steps = _spread(len(visits), limit)
    return [
        Frame(reveal, placed, f"{caption}  step {step + 1:,} of {len(visits):,}")
        for step, placed in zip(steps, visits.at(steps), strict=True)
    ]


def pruning_frames(
    puzzle: Puzzle, reveal: Reveal, limit: int, seed: int | None = None
) -> list[Frame]:
    """The three prunings side by side, each after as many partial tilings as the others.

    All go on at the first uncovered cell, as most published programs do, up to the first tiling;
    which is soon found, whatever is pruned, where the cell with the fewest placements comes first.
    """
    cover = _cover(puzzle, reveal, seed)
    runs = {pruning: _Visits(cover, pruning, first_cell=True) for pruning in PRUNINGS}
    steps = _spread(max(map(len, runs.values())), limit)
    frames = []
    for step, *states in zip(steps, *(visits.at(steps) for visits in runs.values()), strict=True):
        boards = [
            Frame(reveal, placed, f"{pruning}: {min(step + 1, len(visits)):,} of {len(visits):,}")
            for (pruning, visits), placed in zip(runs.items(), states, strict=True)
        ]
        frames.append(replace(boards[0], beside=tuple(boards[1:])))
    return frames


def _cover(puzzle: Puzzle, reveal: Reveal, seed: int | None) -> Cover:
    """The exact cover of a reveal, its pieces in their order or shuffled."""
    if seed is not None:
        pieces = random.Random(seed).sample(puzzle.drawn, len(puzzle.drawn))
        puzzle = replace(puzzle, drawn=tuple(pieces))
    return cover_of(puzzle, reveal)


def _spread(steps: int, limit: int) -> list[int]:
    """The first and the last of some steps, and at most ``limit`` in all, evenly spread."""
    last, gaps = steps - 1, min(limit, steps) - 1
    return sorted({last} | {last * n // gaps for n in range(gaps)})


def check_pixels(frames: int, size: int) -> None:
    """Raise OptionError for more pixels than memory should hold."""
    if frames * size * size > MAX_PIXELS:
        raise OptionError(
            f"{frames:,} frames of {size} pixels are too many; use --frames "
            f"{MAX_PIXELS // (size * size)} or less"
        )


def animate(puzzle: Puzzle, frames: Iterable[Frame], theme: Theme, size: int, pace: int) -> bytes:
    """An animation as the bytes of a GIF, whose last frame stays longer.

    ``size`` is about that of the longer side in pixels, ``pace`` milliseconds a frame. Raises
    Missing without Pillow, and OptionError where there is nothing to show.
    """
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise Missing(f"animations need Pillow: {command_for('draw')}") from error
    images = list(map(_Artist(puzzle, theme, size).image, frames))
    if not images:
        raise OptionError("there is no frame to show")
    out = io.BytesIO()
    images[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=images[1:],
        loop=0,
        duration=[pace] * (len(images) - 1) + [4 * pace],
        disposal=1,
    )
    return out.getvalue()


class _Artist:
    """Draws frames; one palette for all keeps files small and colours still."""

    def __init__(self, puzzle: Puzzle, theme: Theme, size: int) -> None:
        from PIL import ImageFont

        self._puzzle, self._theme = puzzle, theme
        self._unit = max(2, int(size / max(puzzle.columns + 1, puzzle.rows + 2)))
        self._extent = ((puzzle.columns + 1) * self._unit, (puzzle.rows + 2) * self._unit)
        self._colours = theme.piece_colours(puzzle)
        self._large = ImageFont.load_default(max(6.0, 0.44 * self._unit))
        self._small = ImageFont.load_default(max(6.0, 0.3 * self._unit))

    def image(self, frame: Frame) -> Image:
        """One frame, in the colours of the palette; its boards side by side."""
        from PIL import Image

        boards = [frame, *frame.beside]
        image = Image.new("RGB", (self._extent[0] * len(boards), self._extent[1]))
        for index, board in enumerate(boards):
            image.paste(self._board(board), (index * self._extent[0], 0))
        return image.quantize(palette=self._palette, dither=Image.Dither.NONE)

    def _board(self, frame: Frame) -> Image:
        from PIL import Image, ImageDraw

        theme = self._theme
        image = Image.new("RGB", self._extent, theme.background)
        pen = ImageDraw.Draw(image)
        self._region(pen, self._puzzle.cells, theme.board, theme.line)
        hidden = self._puzzle.uncovered(frame.reveal)
        for label in self._puzzle.labels.values():
            revealed = hidden.issuperset(label.cells)
            if revealed:
                self._region(pen, label.cells, theme.revealed, theme.revealed_line)
            self._text(pen, label.cells[0], label.text, theme.text if revealed else theme.grid)
        for placed in frame.placed:
            colour = self._colours[placed.piece]
            self._region(pen, placed.cells, colour, theme.outline(colour))
            self._text(pen, min(placed.cells), placed.piece, ink_on(colour))
        middle = (self._extent[0] / 2, 0.75 * self._unit)
        pen.text(middle, frame.text, theme.text, self._large, "mm")
        return image

    @cached_property
    def _palette(self) -> Image:
        """The colours drawn, with steps between text and what is behind."""
        from PIL import Image

        theme = self._theme
        pieces = list(self._colours.values())
        written = [theme.background, theme.board, theme.revealed]
        colours = [theme.background, theme.board, theme.text, theme.line, theme.grid]
        colours += [theme.revealed, theme.revealed_line, *pieces, *map(theme.outline, pieces)]
        inks = [(back, theme.text) for back in written] + [(back, ink_on(back)) for back in pieces]
        colours += [mix(back, ink, share / 4) for back, ink in inks for share in (1, 2, 3)]
        listed = list(dict.fromkeys(colours))[:256]
        palette = Image.new("P", (1, 1))
        palette.putpalette([value for colour in listed for value in channels(colour)])
        return palette

    def _region(self, pen: ImageDraw, cells: Sequence[Cell], fill: str, line: str) -> None:
        """Fill cells and draw their outline, holes included."""
        unit = self._unit
        for row, column in cells:
            x, y = (column + 0.5) * unit, (row + 1.5) * unit
            pen.rectangle((x, y, x + unit, y + unit), fill=fill)
        for polygon in outlines(cells):
            points = [((x + 0.5) * unit, (y + 1.5) * unit) for x, y in polygon]
            pen.line([*points, *points[:2]], line, max(1, unit // 16), "curve")

    def _text(self, pen: ImageDraw, cell: Cell, text: str, ink: str) -> None:
        row, column = cell
        pen.text(((column + 1) * self._unit, (row + 2) * self._unit), text, ink, self._small, "mm")
