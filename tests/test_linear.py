"""The time that untrusted text costs grows with its length: 16 times the text, some 16 times it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oracle import TWO_EACH
from satcal.errors import SatcalError
from satcal.puzzle.loading import load
from satcal.puzzle.model import labels_in
from satcal.puzzle.pieces import read_rows
from satcal.puzzle.placed import parse_place
from satcal.puzzle.plain import build_table
from satcal.toml import parse_toml

LONGER = 16
MOST = 25  # times the processor's time; a quadratic reader takes 256
LEAST = 0.001  # seconds of the shorter text: below that the clock decides
TRIES = 200  # of a machine that is busy
LARGEST = 256 * 1024  # characters of the longer text: of a puzzle file
PUZZLE = TWO_EACH.load()
TOML = {  # a text that is repeated, between a beginning and an end
    "escapes": ('a = "', '\\"', ""),
    "escapes of several lines": ('a = """', '\\"', ""),
    "openings": ("", '"\\"', ""),
    "single quotes": ("a = ", "'", ""),
    "lines with an opening": ("", '"\n', ""),
    "words": ("", "a ", "= 1"),
    "parts": ("", "a . ", "= 1"),
    "blanks": ("a", " ", "= 1"),
    "brackets": ("a = ", "[", ""),
    "braces": ("a = ", "{a=", ""),
    "comments": ("", "#\n", ""),
    "digits": ("a = ", "9", ""),
    "a closed text": ('a = "', "\\\\", '"'),
}


def read_table(text: str, path: Path) -> None:
    parse_toml(text, "x")


def read_place(text: str, path: Path) -> None:
    parse_place(PUZZLE, text)


def read_file(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
    load(str(path))


CASES: dict[str, tuple[Callable[[str, Path], object], tuple[str, str, str]]] = {
    **{f"a table: {name}": (read_table, parts) for name, parts in TOML.items()},
    "pieces in blocks": (lambda text, path: build_table("*", text), ("", "1\n\n", "")),
    "blank lines": (lambda text, path: build_table("*", text), ("1\n", " \n", "1")),
    "a grid of labels": (lambda text, path: build_table(text, "1"), ("", "Jan - ", "")),
    "a drawing": (lambda text, path: read_rows(text, "x"), ("", "# \n", "")),
    "a file": (read_file, ('board = "', '\\"', "")),
    "placements": (read_place, ("", "I:r0c2 ", "")),
    "a placement": (read_place, ("I:r0c2", " ,r0c2", "")),
    "rows of letters": (read_place, ("", "_ _\n", "")),
    "borders": (read_place, ("┌", "─┐│ \n", "")),
    "blanks and commas": (read_place, ("I:", " ", ",")),
    "labels": (lambda text, path: labels_in(text), ("", "Oct, ", "6")),
}


def cost(read: Callable[..., object], parts: tuple[str, str, str], times: int, path: Path) -> float:
    """Return the seconds of this thread to read or refuse a text."""
    text = parts[0] + parts[1] * times + parts[2]
    began = time.thread_time()
    with contextlib.suppress(SatcalError):
        read(text, path)
    return time.thread_time() - began


@pytest.mark.parametrize("case", CASES)
def test_the_time_for_a_text_grows_with_its_length(case, tmp_path):
    read, parts = CASES[case]
    path, times = tmp_path / "x.toml", 500
    while cost(read, parts, times, path) < LEAST:
        if 2 * LONGER * times * len(parts[1]) > LARGEST:
            return
        times *= 2
    shorter, longer = list[float](), list[float]()
    # what else runs here is noise: it only adds
    while len(longer) < 2 or (len(longer) < TRIES and min(longer) > MOST * min(shorter)):
        shorter.append(cost(read, parts, times, path))
        longer.append(cost(read, parts, LONGER * times, path))
    assert min(longer) <= MOST * min(shorter)
