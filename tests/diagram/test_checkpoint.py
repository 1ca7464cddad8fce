"""A count by layers that was stopped goes on where it was; what is damaged is not believed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from small import domino_rectangle

from satcal.counting import within
from satcal.counting.diagram import checkpoint, waiting
from satcal.counting.diagram.build import reduced
from satcal.counting.diagram.checkpoint import Checkpoint, Tally
from satcal.counting.diagram.layered import Layered
from satcal.counting.diagram.model import DiagramError, Problem, Watch
from satcal.counting.diagram.puzzle import options_for, problem_of
from satcal.counting.methods import Settings
from satcal.counting.run import count_reveals
from satcal.counting.within import counts_in_parts
from satcal.errors import BudgetExhausted
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover

SMALL = Settings(memory_limit=10**6)


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Little room, so that states are on disk too, and a checkpoint after every layer."""
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    with (
        mock.patch.multiple(waiting, SMALLEST=1000, SAMPLE=16, BLOCK=1000),
        mock.patch.multiple(checkpoint, EVERY=0.0, SHARE=0),
    ):
        yield tmp_path / "cache"


class Halted(Exception):
    pass


class Run:
    """A count that is stopped before a layer; None: never. ``seen``: the layers it expanded."""

    def __init__(self, problem: Problem, before: int | None = None, limit: int = 700_000) -> None:
        self.seen: list[int] = []
        self._before = before
        self._layered = Layered(problem, Watch(problem.cells + 1, limit, self._told))
        self.checkpoint = Checkpoint(self._layered.name)

    def _told(self, name: str, layer: int, _layers: int, _states: int) -> None:
        if name == "layers":
            if layer == self._before:
                raise Halted
            self.seen.append(layer)

    def count(self) -> int:
        return self._layered.count(self._layered.start(), self.checkpoint)


def problem_for(puzzle: Puzzle) -> Problem:
    whole = cover(puzzle, None)
    return reduced(problem_of(whole), options_for(whole, None, ()))[0]


@pytest.fixture(scope="module")
def rectangle() -> Problem:
    return problem_for(load("pentomino-4x15"))


@pytest.mark.parametrize("before", [1, 20, 30, 44])
def test_a_stopped_count_goes_on_where_it_was(rectangle: Problem, before: int) -> None:
    with pytest.raises(Halted):
        Run(rectangle, before).count()
    again = Run(rectangle)
    assert again.count() == 1472
    assert min(again.seen) == before


def test_it_may_go_on_under_another_limit(rectangle: Problem) -> None:
    with pytest.raises(Halted):
        Run(rectangle, 30).count()
    assert Run(rectangle, limit=10**9).count() == 1472


def test_ways_beyond_64_bits_come_back() -> None:
    problem = problem_for(domino_rectangle(16, 16).load())
    with pytest.raises(Halted):
        Run(problem, 250, 5_000_000).count()
    again = Run(problem, limit=5_000_000)
    assert again.count() == 2_444_888_770_250_892_795_802_079_170_816
    assert min(again.seen) == 250


def test_a_finished_count_leaves_nothing(rectangle: Problem, folder: Path) -> None:
    with pytest.raises(Halted):
        Run(rectangle, 40).count()
    (path,) = folder.iterdir()
    assert path.suffix == ".zip"
    path.with_suffix(".part").write_bytes(b"of a run that was killed while it wrote")
    with mock.patch.object(checkpoint, "EVERY", 1e9):
        Run(rectangle).count()
    assert not list(folder.iterdir())


def test_a_checkpoint_belongs_to_one_problem(rectangle: Problem) -> None:
    with pytest.raises(Halted):
        Run(rectangle, 40).count()
    other = Run(problem_for(load("pentomino-3x20")))
    assert other.count() == 8
    assert min(other.seen) == 0


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9, None])
def test_a_damaged_checkpoint_is_said_and_not_used(
    rectangle: Problem, folder: Path, place: float | None, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Halted):
        Run(rectangle, 12).count()
    (path,) = folder.iterdir()
    data = bytearray(path.read_bytes())
    if place is None:
        data = data[: len(data) // 2]
    else:
        with zipfile.ZipFile(path) as archive:  # a byte of an array, not of the zip's own
            names = [name for name in archive.namelist() if name.endswith("ways.npy")]
            entry = archive.getinfo(names[int(place * len(names))])
        data[entry.header_offset + entry.file_size] ^= 1
    path.write_bytes(data)
    again = Run(rectangle)
    assert again.count() == 1472
    assert min(again.seen) == 0
    assert "not used" in caplog.text


def test_what_is_gone_while_it_is_read_is_an_error_and_no_count(
    rectangle: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Halted):
        Run(rectangle, 40).count()
    read = checkpoint._read

    def broken(archive: zipfile.ZipFile) -> Iterator[object]:
        yield next(read(archive))
        raise OSError("input/output error")

    monkeypatch.setattr(checkpoint, "_read", broken)
    with pytest.raises(DiagramError, match=r"layers-.*\.zip: input/output error; remove it"):
        Run(rectangle).count()


def test_a_folder_that_cannot_be_written_costs_no_count(
    rectangle: Problem, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("a file where the folder should be")
    assert Run(rectangle).count() == 1472
    assert caplog.text.count("how far the count came is not kept") == 1


def test_a_disk_without_room_costs_no_count(
    rectangle: Problem, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    free = mock.Mock(side_effect=lambda path: mock.Mock(free=0 if path == folder else 1 << 40))
    with mock.patch("shutil.disk_usage", free):
        assert Run(rectangle).count() == 1472
    assert "the disk is full" in caplog.text
    assert not list(folder.iterdir())


def test_a_date_stopped_by_its_time_goes_on_with_the_next_run(
    daily: Puzzle, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reveal = ("Oct", "6")
    (whole,) = count_reveals(daily, [reveal], Settings(use_cache=False))
    layers: list[int] = []

    def stop(name: str, layer: int, _layers: int, _states: int) -> None:
        if name == "layers":
            layers.append(layer)
            if len(layers) == 10:
                raise BudgetExhausted("time is up")

    with pytest.raises(BudgetExhausted):
        list(counts_in_parts(daily, [reveal], SMALL, progress=stop))
    assert list(folder.iterdir())
    assert list(counts_in_parts(daily, [reveal], SMALL, progress=stop)) == [
        {reveal: whole[1].tilings}
    ]
    assert layers[10] >= layers[9]
    assert not list(folder.iterdir())


def test_without_the_cache_nothing_is_kept(daily: Puzzle, folder: Path) -> None:
    list(counts_in_parts(daily, [("Oct", "6")], replace(SMALL, use_cache=False)))
    assert not folder.exists()


def test_finished_shares_are_not_counted_again(rectangle: Problem, folder: Path) -> None:
    layered = Layered(rectangle, Watch(rectangle.cells + 1, None, None))
    shares = within.shared(layered.cut(100), 5)
    counts = [within.count_share(rectangle, share, None, None) for share in shares]
    tally = Tally(layered.name)
    assert [tally.recall(share) for share in shares] == [None] * 5
    for share, tilings in zip(shares[1:3], counts[1:3], strict=True):
        tally.keep(share, tilings)
    again = Tally(layered.name)
    assert [again.recall(share) for share in shares] == [None, *counts[1:3], None, None]
    again.forget()
    assert not list(folder.iterdir())


def test_a_number_of_a_share_that_was_changed_is_not_believed(
    rectangle: Problem, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    layered = Layered(rectangle, Watch(rectangle.cells + 1, None, None))
    share = within.shared(layered.cut(100), 5)[0]
    Tally(layered.name).keep(share, 123_456)
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes().replace(b"123456", b"123457"))
    assert Tally(layered.name).recall(share) is None
    assert "not used" in caplog.text
