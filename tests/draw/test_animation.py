"""The animation of a search: how many frames, and what is on them."""

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
from satcal.draw.pictures import tiling_picture
from satcal.errors import NoTiling, TooLarge

REVEAL = ("Oct", "6")


@pytest.fixture(scope="module")
def seven(daily):
    """All tilings of 6 October, in the order of the search."""
    return list(Search().tilings(daily, REVEAL, (), Meter(None)))


@pytest.mark.parametrize(("number", "limit"), [(0, 12), (6, 12), (6, 7), (0, 10**6)])
def test_a_search_begins_empty_and_ends_with_the_tiling(daily, seven, number, limit):
    frames = search_frames(daily, REVEAL, seven[number], limit)
    *steps, last = [step for step, _ in frames]
    assert len(frames) == last if limit > last else limit / 2 <= len(frames) <= limit
    gaps = {after - before for before, after in pairwise(steps)}
    assert len(gaps) == 1 and 0 < last - steps[-1] <= max(gaps)
    depths = [len(partial) for _, partial in frames]
    assert all(a <= b + max(gaps) for b, a in pairwise(depths))
    assert (steps[0], depths[0]) == (1, 0)
    assert frames[-1][1] == seven[number]


def test_a_tiling_of_another_date_and_too_many_steps_are_refused(daily, tiling, seven, monkeypatch):
    with pytest.raises(NoTiling):
        search_frames(daily, REVEAL, tiling)
    monkeypatch.setattr(animation, "MAX_STEPS", 3)
    with pytest.raises(TooLarge, match="3 steps"):
        search_frames(daily, REVEAL, seven[0])


@pytest.mark.needs("cairo", "a font")
def test_each_frame_is_the_picture_of_its_partial_tiling(daily, seven):
    data = search_animation(daily, REVEAL, seven[0], "Oct 6")
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.info["loop"], max(image.size)) == ("GIF", 0, animation.SIZE)
    frames = search_frames(daily, REVEAL, seven[0])
    assert image.n_frames == len(frames)
    for number in (0, len(frames) // 2, len(frames) - 1):
        image.seek(number)
        step, partial = frames[number]
        caption = f"Oct 6 step {step} of {frames[-1][0]}"
        drawn = tiling_picture(daily, REVEAL, partial, caption=caption).encode(".png", 360)
        seen, drawn = (
            np.asarray(i.convert("RGB"), int) for i in (image, Image.open(io.BytesIO(drawn)))
        )
        assert np.abs(seen - drawn).mean() < 2
    assert data == search_animation(daily, REVEAL, seven[0], "Oct 6")
