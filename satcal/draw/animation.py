"""The search for a tiling as an animation: pictures of partial tilings in a GIF, by Pillow."""

from __future__ import annotations

import io
from collections.abc import Sequence

from satcal.counting.method import Meter
from satcal.counting.search import exact_covers
from satcal.draw.pictures import tiling_picture
from satcal.errors import Missing, NoTiling, TooLarge
from satcal.parts import command_for
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.placements import cover_of

FRAMES = 60
SIZE = 360  # pixels of the longer side
FRAME_MILLISECONDS = 120  # the last frame is shown ten times as long
COLOURS = 128
MAX_STEPS = 2_000_000  # about 20 seconds of search


def search_frames(
    puzzle: Puzzle, reveal: Reveal, tiling: Tiling, limit: int = FRAMES
) -> list[tuple[int, Tiling]]:
    """Return partial tilings that ``search`` visits up to a tiling, each with its step from 1.

    If it visits more than ``limit``, the frames but the last are evenly spaced.

    Raises:
        NoTiling: the search does not find the tiling.
        TooLarge: the search visits more than ``MAX_STEPS`` others before it.
    """
    cover = cover_of(puzzle, reveal)
    frames: list[tuple[int, Tiling]] = []
    steps, gap = 0, 1

    def visit(path: Sequence[int]) -> None:
        """Keep a partial tiling, given by its options, if it is its turn."""
        nonlocal steps, gap
        if steps == MAX_STEPS:
            raise TooLarge(
                f"the search needs more than {MAX_STEPS:,} steps to this solution; choose another"
            )
        if steps % gap == 0:
            frames.append((steps + 1, cover.tiling(path)))
        steps += 1
        if len(frames) == limit:
            del frames[1::2]
            gap *= 2

    for path in exact_covers(cover, Meter(), on_visit=visit):
        if set(cover.tiling(path)) == set(tiling):
            return [*frames, (steps + 1, tiling)]
    raise NoTiling("the search does not find this solution")


def search_animation(puzzle: Puzzle, reveal: Reveal, tiling: Tiling, caption: str) -> bytes:
    """Return the search for a tiling as a GIF; the same call gives the same bytes.

    Raises:
        Missing: Pillow, cairosvg, the cairo library or a font is missing.
        TooLarge: the search takes too many steps to this tiling.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise Missing(f"animations need Pillow: {command_for('draw')}") from error
    images = []
    frames = search_frames(puzzle, reveal, tiling)
    last = f"{frames[-1][0]:,}"
    for step, partial_tiling in frames:
        title = f"{caption} step {step:>{len(last)},} of {last}".strip()
        picture = tiling_picture(puzzle, reveal, partial_tiling, caption=title)
        with Image.open(io.BytesIO(picture.encode(".png", SIZE))) as image:
            images.append(image.convert("RGB"))
    # one palette for all frames keeps the file small; together these two have all colours
    both = Image.new("RGB", (images[0].width, 2 * images[0].height))
    both.paste(images[0])
    both.paste(images[-1], (0, images[0].height))
    palette = both.quantize(COLOURS)
    frame, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images)
    out = io.BytesIO()
    frame.save(
        out,
        "GIF",
        save_all=True,
        append_images=others,
        loop=0,
        duration=[FRAME_MILLISECONDS] * len(others) + [10 * FRAME_MILLISECONDS],
        disposal=1,
    )
    return out.getvalue()
