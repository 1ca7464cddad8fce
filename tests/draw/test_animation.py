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


@pytest.mark.parametrize("number", [0, 6])
def test_a_search_begins_empty_and_ends_with_the_tiling_that_was_asked_for(daily, seven, number):
    frames = search_frames(daily, REVEAL, seven[number], "Oct 6", 12)
    assert len(frames) == 12
    assert frames[0].partial_tiling == ()
    assert set(frames[-1].partial_tiling) == set(seven[number])
    total = frames[-1].text.partition(" of ")[2]
    assert frames[-1].text == f"Oct 6  step {total} of {total}"


def test_every_step_is_shown_where_there_are_few(daily, seven):
    every = search_frames(daily, REVEAL, seven[0], "", 10**6)
    assert [frame.text for frame in every] == [
        f"step {n + 1:,} of {len(every):,}" for n in range(len(every))
    ]
    depths = [len(frame.partial_tiling) for frame in every]
    assert depths[0] == 0
    assert all(after <= before + 1 for before, after in pairwise(depths))


def test_a_tiling_of_another_date_and_too_many_steps_are_refused(daily, tiling, seven, monkeypatch):
    with pytest.raises(NoTiling):
        search_frames(daily, REVEAL, tiling, "")
    monkeypatch.setattr(animation, "MAX_STEPS", 3)
    with pytest.raises(TooLarge, match="3 steps"):
        search_frames(daily, REVEAL, seven[0], "")


def test_each_cell_of_the_last_frame_has_its_pieces_colour(daily, seven, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", 4)
    data = search_animation(daily, REVEAL, seven[0], "Oct 6")
    assert data == search_animation(daily, REVEAL, seven[0], "Oct 6")
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.info["loop"]) == ("GIF", 0)
    assert 0.9 * animation.SIZE <= max(image.size) <= animation.SIZE
    image.seek(image.n_frames - 1)
    pixels = np.asarray(image.convert("RGB"), int)
    unit = image.size[0] // (daily.columns + 1)
    for placed in seven[0]:
        for row, column in placed.cells:
            # beside the letter that stands in the middle of the first cell
            there = pixels[int((row + 1.7) * unit), int((column + 0.7) * unit)]
            assert np.abs(there - channels(LIGHT.piece_colours(daily)[placed.piece])).max() <= 8
