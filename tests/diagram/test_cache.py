"""Diagrams in files: the same bytes, the same answers, and nothing that is damaged is believed."""

from __future__ import annotations

import errno
import os

import pytest

from satcal.diagram import cache
from satcal.diagram.puzzle import PuzzleDiagram, build_problem, open_diagram
from satcal.errors import FormatError
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of

JUNE_23 = ("Jun", "23")


@pytest.fixture(scope="module")
def puzzle():
    return load("crea-makerspace")


@pytest.fixture(scope="module")
def diagram(puzzle):
    return PuzzleDiagram.build(puzzle)


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_only_whole_diagrams_are_kept(puzzle, folder):
    open_diagram(puzzle, [JUNE_23])
    assert not folder.exists()
    whole = open_diagram(puzzle, list(puzzle.reveals()))
    assert len(list(folder.iterdir())) == 1
    loaded = open_diagram(puzzle, [JUNE_23])
    assert loaded.counts() == whole.counts()
    assert list(loaded.tilings(JUNE_23)) == list(whole.tilings(JUNE_23))
    assert open_diagram(puzzle, [JUNE_23], use_cache=False).diagram.nodes < whole.diagram.nodes


def test_a_diagram_of_another_puzzle_is_refused(diagram):
    other = build_problem(cover_of(load("jarring-words"), None))
    with pytest.raises(FormatError, match="another puzzle"):
        cache.parse(cache.dump(diagram.diagram), other, "saved")


def test_a_diagram_of_older_code_is_another_file(puzzle, monkeypatch):
    problem = build_problem(cover_of(puzzle, None))
    now = cache.cache_path(problem)
    monkeypatch.setattr(cache, "sources_digest", lambda: "older")
    assert cache.cache_path(problem) != now


def test_what_a_file_may_cost_is_bounded(diagram, monkeypatch):
    saved, problem = cache.dump(diagram.diagram), diagram.diagram.problem
    monkeypatch.setattr(cache, "MAX_BYTES", len(saved))
    with pytest.raises(FormatError, match="too large"):
        cache.parse(saved, problem, "saved")


@pytest.mark.parametrize(
    "damage",
    [
        lambda good: b"",
        lambda good: good[:-1],
        lambda good: bytes([good[0] ^ 1]) + good[1:],
        lambda good: good[:1000] + bytes([good[1000] ^ 1]) + good[1001:],
    ],
    ids=["empty", "cut", "a bit of the digest", "a bit of the arrays"],
)
def test_a_damaged_diagram_is_ignored_removed_and_written_again(
    puzzle, diagram, folder, caplog, damage
):
    path = cache.cache_path(diagram.diagram.problem)
    good = cache.dump(diagram.diagram)
    folder.mkdir()
    path.write_bytes(damage(good))
    assert open_diagram(puzzle, [JUNE_23]).count(JUNE_23) == diagram.count(JUNE_23)
    assert "damaged" in caplog.text
    assert not path.exists()
    open_diagram(puzzle, list(puzzle.reveals()))
    assert path.read_bytes() == good


@pytest.mark.parametrize("error", [OSError(errno.EIO, "disk"), MemoryError()])
def test_a_disk_or_memory_that_fails_removes_no_file(puzzle, folder, monkeypatch, caplog, error):
    open_diagram(puzzle, list(puzzle.reveals()))
    (path,) = folder.iterdir()

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(cache, "read_bytes", fail)
    assert open_diagram(puzzle, [JUNE_23]).count(JUNE_23)
    assert path.exists()
    assert "the cache is not used" in caplog.text


def test_what_was_not_used_for_longest_is_removed(puzzle, diagram, folder, monkeypatch):
    folder.mkdir()
    cache.write(diagram.diagram)
    (mine,) = folder.iterdir()
    for age, name in enumerate(["used", "unused", "oldest"]):
        path = folder / f"diagram-{name}"
        path.write_bytes(bytes(1000))
        os.utime(path, (1000 - age, 1000 - age))
    (folder / "diagram-link").symlink_to("diagram-link")  # it leads nowhere
    os.utime(mine, (0, 0))
    assert cache.read(diagram.diagram.problem)  # now it is used
    monkeypatch.setattr(cache, "MAX_FOLDER", mine.stat().st_size + 1500)
    cache.write(diagram.diagram)
    left = {path.name for path in folder.iterdir()}
    assert left == {mine.name, "diagram-used", "diagram-link"}
    os.utime(mine, (0, 0))
    cache.read(diagram.diagram.problem)
    cache.prune(folder)
    assert mine.exists()


def test_a_cache_that_cannot_be_used_is_no_error(puzzle, diagram, folder, caplog):
    folder.write_text("a file where a folder should be")
    assert open_diagram(puzzle, list(puzzle.reveals())).counts() == diagram.counts()
    assert "the diagram is not cached" in caplog.text
