"""The search for a tiling as an animation: a GIF by Pillow."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from satcal.counting.method import Meter
from satcal.counting.search import exact_covers
from satcal.draw.outline import outlines
from satcal.draw.theme import LIGHT, Theme, channels, ink_on, mix
from satcal.errors import Missing, NoTiling, TooLarge
from satcal.parts import command_for
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, cover_of
from satcal.puzzle.shapes import Cell

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SUFFIX = ".gif"
FRAMES = 60
SIZE = 360  # pixels of the longer side, about
PACE = 120  # milliseconds a frame; the last one stays longer
MAX_STEPS = 2_000_000  # some 20 seconds of the search


class Frame(NamedTuple):
    """What one frame shows: a part of a tiling, and a line of text."""

    placed: Tiling
    text: str


class Visits:
    """The partial tilings that the search visits, up to a tiling; of each only what is new.

    Raises:
        NoTiling: the search does not find the tiling.
        TooLarge: it visits more than ``MAX_STEPS`` before.
    """

    def __init__(self, cover: Cover, tiling: Tiling) -> None:
        self.cover = cover
        self.depths, self.newest = array("H"), array("L")
        for chosen in exact_covers(cover, Meter(), on_visit=self.visit):
            if set(cover.tiling(chosen)) == set(tiling):
                self.visit(chosen)
                return
        raise NoTiling("the search does not find this solution")

    def visit(self, chosen: Sequence[int]) -> None:
        """Keep a position of the search."""
        if len(self.depths) >= MAX_STEPS:
            raise TooLarge(
                f"the search needs more than {MAX_STEPS:,} steps to this solution; choose another"
            )
        self.depths.append(len(chosen))
        self.newest.append(chosen[-1] if chosen else 0)

    def at(self, steps: Sequence[int]) -> Iterator[Tiling]:
        """Yield the partial tiling at each of some steps, which ascend."""
        chosen: list[int] = []
        wanted = set(steps)
        for step, (depth, newest) in enumerate(zip(self.depths, self.newest, strict=True)):
            if depth:
                chosen[depth - 1 :] = [newest]
            if step in wanted:
                yield self.cover.tiling(chosen)


def search_frames(
    puzzle: Puzzle, reveal: Reveal, tiling: Tiling, caption: str, limit: int = FRAMES
) -> list[Frame]:
    """Return the partial tilings that ``search`` visits up to a tiling.

    Where it visits more than ``limit``, the frames are spread evenly over them.
    """
    visits = Visits(cover_of(puzzle, reveal), tiling)
    last = len(visits.depths) - 1
    gaps = max(1, min(limit - 1, last))
    steps = sorted({last * n // gaps for n in range(gaps + 1)})
    return [
        Frame(placed, f"{caption}  step {step + 1:,} of {last + 1:,}".strip())
        for step, placed in zip(steps, visits.at(steps), strict=True)
    ]


def search_animation(
    puzzle: Puzzle, reveal: Reveal, tiling: Tiling, caption: str, theme: Theme = LIGHT
) -> bytes:
    """Return the search for a tiling as the bytes of a GIF, always the same.

    Raises:
        Missing: Pillow is not installed.
        TooLarge: the search takes too many steps to this tiling.
    """
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise Missing(f"animations need Pillow: {command_for('draw')}") from error
    artist = Artist(puzzle, reveal, theme)
    images = [artist.image(frame) for frame in search_frames(puzzle, reveal, tiling, caption)]
    out = io.BytesIO()
    images[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=images[1:],
        loop=0,
        duration=[PACE] * (len(images) - 1) + [10 * PACE],
        disposal=1,
    )
    return out.getvalue()


class Artist:
    """Draws frames; one palette for all keeps files small and colours still."""

    def __init__(self, puzzle: Puzzle, reveal: Reveal, theme: Theme) -> None:
        from PIL import ImageFont

        self.puzzle, self.reveal, self.theme = puzzle, reveal, theme
        self.unit = max(2, int(SIZE / max(puzzle.columns + 1, puzzle.rows + 2)))
        self.extent = ((puzzle.columns + 1) * self.unit, (puzzle.rows + 2) * self.unit)
        self.colours = theme.piece_colours(puzzle)
        self.large = ImageFont.load_default(max(6.0, 0.44 * self.unit))
        self.small = ImageFont.load_default(max(6.0, 0.3 * self.unit))

    def image(self, frame: Frame) -> Image:
        """Return one frame, in the colours of the palette."""
        from PIL import Image, ImageDraw

        theme = self.theme
        image = Image.new("RGB", self.extent, theme.background)
        pen = ImageDraw.Draw(image)
        self.region(pen, self.puzzle.cells, theme.board, theme.line)
        for label in self.puzzle.labels.values():
            if label.text in self.reveal:
                self.region(pen, label.cells, theme.revealed, theme.revealed_line)
            ink = theme.text if label.text in self.reveal else theme.grid
            self.text(pen, label.cells[0], label.text, ink)
        for placed in frame.placed:
            self.piece(pen, placed)
        pen.text((self.extent[0] / 2, 0.75 * self.unit), frame.text, theme.text, self.large, "mm")
        return image.quantize(palette=self.palette, dither=Image.Dither.NONE)

    @cached_property
    def palette(self) -> Image:
        """The colours drawn, with steps between text and what is behind it."""
        from PIL import Image

        theme = self.theme
        pieces = list(self.colours.values())
        written = [theme.background, theme.board, theme.revealed]
        colours = [*written, theme.text, theme.line, theme.grid, theme.revealed_line]
        colours += [*pieces, *map(theme.outline, pieces)]
        inks = [(back, theme.text) for back in written] + [(back, ink_on(back)) for back in pieces]
        colours += [mix(back, ink, share / 4) for back, ink in inks for share in (1, 2, 3)]
        listed = list(dict.fromkeys(colours))[:256]
        palette = Image.new("P", (1, 1))
        palette.putpalette([value for colour in listed for value in channels(colour)])
        return palette

    def piece(self, pen: ImageDraw, placed: Placement) -> None:
        """Draw a piece with its name."""
        colour = self.colours[placed.piece]
        self.region(pen, placed.cells, colour, self.theme.outline(colour))
        self.text(pen, min(placed.cells), placed.piece, ink_on(colour))

    def region(self, pen: ImageDraw, cells: Iterable[Cell], fill: str, line: str) -> None:
        """Fill cells and draw their outline, holes included."""
        unit, listed = self.unit, list(cells)
        for row, column in listed:
            x, y = (column + 0.5) * unit, (row + 1.5) * unit
            pen.rectangle((x, y, x + unit, y + unit), fill=fill)
        for polygon in outlines(listed):
            points = [((x + 0.5) * unit, (y + 1.5) * unit) for x, y in polygon]
            pen.line([*points, *points[:2]], line, max(1, unit // 16), "curve")

    def text(self, pen: ImageDraw, cell: Cell, text: str, ink: str) -> None:
        """Write text in the middle of a cell."""
        row, column = cell
        pen.text(((column + 1) * self.unit, (row + 2) * self.unit), text, ink, self.small, "mm")
