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

FRAMES = 60
SIZE = 360  # pixels of the longer side, about
FRAME_MILLISECONDS = 120  # the last frame is shown ten times as long
MAX_STEPS = 2_000_000  # about 20 seconds of search


class Frame(NamedTuple):
    """The content of one frame: a partial tiling, and a line of text."""

    partial_tiling: Tiling
    text: str


class Visits:
    """The partial tilings that the search visits up to a tiling, each as its depth and last option.

    Raises:
        NoTiling: the search does not find the tiling.
        TooLarge: the search visits more than ``MAX_STEPS`` others before it.
    """

    def __init__(self, cover: Cover, tiling: Tiling) -> None:
        self.cover = cover
        self.depths, self.last_options = array("H"), array("L")
        for path in exact_covers(cover, Meter(), on_visit=self.visit):
            if set(cover.tiling(path)) == set(tiling):
                self.visit(path)
                return
        raise NoTiling("the search does not find this solution")

    def visit(self, path: Sequence[int]) -> None:
        """Add a partial tiling, given by its options."""
        if len(self.depths) >= MAX_STEPS:
            raise TooLarge(
                f"the search needs more than {MAX_STEPS:,} steps to this solution; choose another"
            )
        self.depths.append(len(path))
        self.last_options.append(path[-1] if path else 0)

    def at(self, steps: Sequence[int]) -> Iterator[Tiling]:
        """Yield the partial tilings at these steps, which must ascend."""
        path: list[int] = []
        selection = set(steps)
        for step, (depth, option) in enumerate(zip(self.depths, self.last_options, strict=True)):
            if depth:
                path[depth - 1 :] = [option]
            if step in selection:
                yield self.cover.tiling(path)


def search_frames(
    puzzle: Puzzle, reveal: Reveal, tiling: Tiling, caption: str, limit: int = FRAMES
) -> list[Frame]:
    """Return frames of the partial tilings that ``search`` visits up to a tiling.

    If it visits more than ``limit``, the frames are evenly spaced.
    """
    visits = Visits(cover_of(puzzle, reveal), tiling)
    last = len(visits.depths) - 1
    gaps = max(1, min(limit - 1, last))
    steps = sorted({last * n // gaps for n in range(gaps + 1)})
    return [
        Frame(partial_tiling, f"{caption}  step {step + 1:,} of {last + 1:,}".strip())
        for step, partial_tiling in zip(steps, visits.at(steps), strict=True)
    ]


def search_animation(
    puzzle: Puzzle, reveal: Reveal, tiling: Tiling, caption: str, theme: Theme = LIGHT
) -> bytes:
    """Return the search for a tiling as a GIF; the same call gives the same bytes.

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
        duration=[FRAME_MILLISECONDS] * (len(images) - 1) + [10 * FRAME_MILLISECONDS],
        disposal=1,
    )
    return out.getvalue()


class Artist:
    """The drawing of frames, with one palette for all, which keeps files small."""

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
        for placement in frame.partial_tiling:
            self.piece(pen, placement)
        pen.text((self.extent[0] / 2, 0.75 * self.unit), frame.text, theme.text, self.large, "mm")
        return image.quantize(palette=self.palette, dither=Image.Dither.NONE)

    @cached_property
    def palette(self) -> Image:
        """The colours of a frame, with mixtures of each text's colour and its background's."""
        from PIL import Image

        theme = self.theme
        pieces = list(self.colours.values())
        grounds = [theme.background, theme.board, theme.revealed]
        colours = [*grounds, theme.text, theme.line, theme.grid, theme.revealed_line]
        colours += [*pieces, *map(theme.outline, pieces)]
        pairs = [(ground, theme.text) for ground in grounds]
        pairs += [(ground, ink_on(ground)) for ground in pieces]
        colours += [mix(ground, ink, share / 4) for ground, ink in pairs for share in (1, 2, 3)]
        unique_colours = list(dict.fromkeys(colours))[:256]
        palette = Image.new("P", (1, 1))
        palette.putpalette([value for colour in unique_colours for value in channels(colour)])
        return palette

    def piece(self, pen: ImageDraw, placement: Placement) -> None:
        """Draw a placement with its piece's name."""
        colour = self.colours[placement.piece]
        self.region(pen, placement.cells, colour, self.theme.outline(colour))
        self.text(pen, min(placement.cells), placement.piece, ink_on(colour))

    def region(self, pen: ImageDraw, cells: Iterable[Cell], fill: str, line: str) -> None:
        """Fill cells and draw their outline, holes included."""
        unit, cells = self.unit, list(cells)
        for row, column in cells:
            x, y = (column + 0.5) * unit, (row + 1.5) * unit
            pen.rectangle((x, y, x + unit, y + unit), fill=fill)
        for polygon in outlines(cells):
            points = [((x + 0.5) * unit, (y + 1.5) * unit) for x, y in polygon]
            pen.line([*points, *points[:2]], line, max(1, unit // 16), "curve")

    def text(self, pen: ImageDraw, cell: Cell, text: str, ink: str) -> None:
        """Write text in the middle of a cell."""
        row, column = cell
        pen.text(((column + 1) * self.unit, (row + 2) * self.unit), text, ink, self.small, "mm")
