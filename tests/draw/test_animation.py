"""The animation of a search: how many frames, how large, what is on them."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from satcal.counting.method import Meter
from satcal.counting.search import Search
from satcal.draw import animation
from satcal.draw.animation import search_animation, search_frames
from satcal.draw.theme import LIGHT, channels
from satcal.errors import NoTiling, TooLarge

REVEAL = ("Oct", "6")


@pytest.fixture(scope="module")
def seven(daily):
    """All tilings of 6 October, in the order of the search."""
    return list(Search().tilings(daily, REVEAL, (), Meter(None)))


@pytest.mark.parametrize(
    ("number", "caption", "limit"), [(0, "Oct 6", 12), (6, "Oct 6", 12), (0, "", 10**6)]
)
def test_a_search_begins_empty_and_ends_with_the_tiling(daily, seven, number, caption, limit):
    frames = search_frames(daily, REVEAL, seven[number], caption, limit)
    steps = [int(frame.text.split()[-3].replace(",", "")) for frame in frames]
    texts = [f"{caption}  step {step:,} of {steps[-1]:,}".strip() for step in steps]
    assert [frame.text for frame in frames] == texts
    assert len(frames) == min(limit, steps[-1])
    gaps = [after - before for before, after in pairwise(steps)]
    assert max(gaps) <= min(gaps) + 1
    depths = [len(frame.partial_tiling) for frame in frames]
    assert all(a <= b + gap for (b, a), gap in zip(pairwise(depths), gaps, strict=True))
    assert (steps[0], depths[0]) == (1, 0)
    assert set(frames[-1].partial_tiling) == set(seven[number])


def test_a_tiling_of_another_date_and_too_many_steps_are_refused(daily, tiling, seven, monkeypatch):
    with pytest.raises(NoTiling):
        search_frames(daily, REVEAL, tiling, "")
    monkeypatch.setattr(animation, "MAX_STEPS", 3)
    with pytest.raises(TooLarge, match="3 steps"):
        search_frames(daily, REVEAL, seven[0], "")


def test_the_last_frame_has_each_piece_in_its_colour_with_its_outline_and_letter(
    daily, seven, monkeypatch
):
    monkeypatch.setattr(animation, "FRAMES", 4)
    data = search_animation(daily, REVEAL, seven[0], "Oct 6")
    assert data == search_animation(daily, REVEAL, seven[0], "Oct 6")
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.info["loop"]) == ("GIF", 0)
    assert 0.9 * animation.SIZE <= max(image.size) <= animation.SIZE
    image.seek(image.n_frames - 1)
    pixels = np.asarray(image.convert("RGB"), int)
    unit = image.size[0] // (daily.columns + 1)

    def shows(colour, row, column):
        """Return whether that point of the board has a colour, or nearly so."""
        there = pixels[int((row + 1.5) * unit), int((column + 0.5) * unit)]
        return np.abs(there - channels(colour)).max() <= 8

    for placed in seven[0]:
        colour = LIGHT.piece_colours(daily)[placed.piece]
        for row, column in placed.cells:
            assert shows(colour, row + 0.2, column + 0.2)
            middle = {shows(colour, row + 0.5, column + n / 20) for n in range(6, 15)}
            assert (False in middle) == ((row, column) == placed.cells[0])
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                edge = shows(colour, row + 0.5 + down / 2, column + 0.5 + right / 2)
                assert edge == ((row + down, column + right) in placed.cells)
    above = np.abs(pixels[: 4 * unit // 3] - channels(LIGHT.background)).max(axis=(1, 2)) > 8
    assert 0.4 * unit < np.flatnonzero(above).min() < np.flatnonzero(above).max() < 1.1 * unit
