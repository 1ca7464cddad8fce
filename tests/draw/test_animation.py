"""Animations: how many frames, how large, what is on them."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from satcal.counting.search import Search
from satcal.draw.animation import animate, check_pixels, pruning_frames, search_frames
from satcal.draw.theme import channels, load_theme
from satcal.errors import OptionError
from satcal.proof.verifier import Verifier
from satcal.puzzle.placements import cover_of

REVEAL = ("Oct", "6")


@pytest.fixture(scope="module")
def frames(daily):
    return search_frames(daily, REVEAL, 12, "Oct 6")


def test_a_search_begins_empty_and_ends_with_its_first_tiling(daily, frames):
    first = next(Search(cover_of(daily, REVEAL)).tilings())
    assert len(frames) == 12
    assert frames[0].placed == ()
    assert set(frames[-1].placed) == set(first)
    total = frames[-1].text.partition(" of ")[2]
    assert frames[-1].text == f"Oct 6  step {total} of {total}"


def test_an_animation_has_all_its_frames_at_its_size(daily, frames):
    data = animate(daily, frames, load_theme(), 200, 100)
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.n_frames, image.info["loop"]) == ("GIF", 12, 0)
    assert 180 <= max(image.size) <= 200
    assert data == animate(daily, frames, load_theme(), 200, 100)
    assert len(data) < 60_000


def test_each_cell_of_the_last_frame_has_its_pieces_colour(daily, frames):
    theme = load_theme()
    image = Image.open(io.BytesIO(animate(daily, frames[-2:], theme, 400, 100)))
    image.seek(image.n_frames - 1)
    pixels = np.asarray(image.convert("RGB"), int)
    unit = image.size[0] // (daily.columns + 1)
    for placed in frames[-1].placed:
        for row, column in placed.cells:
            # beside the letter that stands in the middle of the first cell
            there = pixels[int((row + 1.7) * unit), int((column + 0.7) * unit)]
            assert np.abs(there - channels(theme.piece_colours(daily)[placed.piece])).max() <= 8


def test_no_frame_and_more_pixels_than_memory_should_hold_are_refused(daily):
    with pytest.raises(OptionError, match="no frame"):
        animate(daily, [], load_theme(), 200, 100)
    check_pixels(100, 2000)
    with pytest.raises(OptionError, match="use --frames 100 or less"):
        check_pixels(101, 2000)


def test_three_prunings_are_side_by_side_until_the_last_has_its_first_tiling(daily):
    frames = pruning_frames(daily, REVEAL, 12)
    assert len(frames) == 12
    boards = [frames[-1], *frames[-1].beside]
    assert [board.text.partition(":")[0] for board in boards] == ["none", "smallest", "sums"]
    cover = cover_of(daily, REVEAL)
    for board in boards:
        pruning, _, said = board.text.partition(": ")
        search = Search(cover, pruning, first_cell=True)
        assert set(board.placed) == set(next(search.tilings()))
        assert said == f"{search.visited:,} of {search.visited:,}"
    halfway = [board.text for board in (frames[6], *frames[6].beside)]
    assert len({text.split()[1] for text in halfway}) > 1  # some have their tiling already
    image = Image.open(io.BytesIO(animate(daily, frames, load_theme(), 200, 100)))
    assert image.size[0] == 3 * animate_width(daily, frames[:1])


def animate_width(puzzle, frames):
    """The width of an animation of one board."""
    alone = [replace(frame, beside=()) for frame in frames]
    return Image.open(io.BytesIO(animate(puzzle, alone, load_theme(), 200, 100))).size[0]


def test_a_seed_shuffles_the_order_in_which_a_search_tries_the_pieces(daily, frames):
    shuffled = search_frames(daily, REVEAL, 12, "Oct 6", seed=1)
    assert shuffled == search_frames(daily, REVEAL, 12, "Oct 6", seed=1)
    assert shuffled != frames
    assert Verifier(daily, REVEAL).fault(shuffled[-1].placed) is None
