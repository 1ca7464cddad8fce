"""Diagrams in files: the same bytes, the same answers, and nothing that is damaged is believed."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import satcal
from satcal.diagram import puzzle as cache
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram, problem_of
from satcal.errors import FormatError
from satcal.puzzle.model import Puzzle
from satcal.puzzle.placements import cover

JUNE_23 = ("Jun", "23")


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return satcal.load("crea-makerspace")


@pytest.fixture(scope="module")
def diagram(puzzle: Puzzle) -> PuzzleDiagram:
    return PuzzleDiagram.build(puzzle)


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def read(data: bytes, puzzle: Puzzle) -> PuzzleDiagram:
    whole = cover(puzzle, None)
    return PuzzleDiagram(whole, cache.parse(data, problem_of(whole), "saved.zip"))


def test_a_saved_diagram_has_the_same_bytes_each_time_and_answers_as_before(
    puzzle: Puzzle, diagram: PuzzleDiagram
) -> None:
    saved = cache.dump(diagram.diagram)
    assert cache.dump(PuzzleDiagram.build(puzzle).diagram) == saved
    loaded = read(saved, puzzle)
    assert loaded.counts() == diagram.counts()
    assert list(loaded.tilings(JUNE_23)) == list(diagram.tilings(JUNE_23))


def test_only_whole_diagrams_are_kept_and_serve_every_question(
    puzzle: Puzzle, folder: Path
) -> None:
    open_diagram(puzzle, [JUNE_23])
    assert not folder.exists()
    whole = open_diagram(puzzle, list(puzzle.reveals()))
    assert len(list(folder.iterdir())) == 1
    assert open_diagram(puzzle, [JUNE_23]).diagram.nodes == whole.diagram.nodes
    assert open_diagram(puzzle, [JUNE_23], use_cache=False).diagram.nodes < whole.diagram.nodes


def test_a_diagram_of_another_puzzle_or_version_is_refused(
    diagram: PuzzleDiagram, puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = cache.dump(diagram.diagram)
    for other in (satcal.load("jarring-words"), satcal.load("crea-makerspace", flip="none")):
        with pytest.raises(FormatError, match="a diagram of another puzzle or version"):
            read(saved, other)
    monkeypatch.setattr(cache, "__version__", "9.9")
    with pytest.raises(FormatError, match="a diagram of another puzzle or version"):
        read(saved, puzzle)


def test_cut_and_changed_files_and_pickles_are_refused(
    puzzle: Puzzle, diagram: PuzzleDiagram
) -> None:
    good = cache.dump(diagram.diagram)
    array, pickled = io.BytesIO(), io.BytesIO()
    np.save(array, np.array([{}], object), allow_pickle=True)
    with zipfile.ZipFile(pickled, "w") as archive:
        archive.writestr("fingerprint", cache.fingerprint(diagram.diagram.problem))
        archive.writestr("layer_start.npy", array.getvalue())
    changed = good[:200] + b"\0" + good[201:]
    for wrong in (good[:-10], good[: len(good) // 2], b"", changed, pickled.getvalue()):
        with pytest.raises(FormatError, match=r"a damaged diagram|another puzzle"):
            read(wrong, puzzle)


@pytest.mark.parametrize("offset", [None, 6, 8], ids=["bytes", "encrypted", "packed otherwise"])
def test_whoever_meets_a_damaged_diagram_replaces_it(
    puzzle: Puzzle, folder: Path, caplog: pytest.LogCaptureFixture, offset: int | None
) -> None:
    open_diagram(puzzle, list(puzzle.reveals()))
    (path,) = folder.iterdir()
    good = path.read_bytes()
    data = bytearray(good)
    if offset is None:
        data[1000:1002] = b"\0\0"
    else:  # flags and method stand in the local header, and two bytes further in the directory
        with zipfile.ZipFile(path) as archive:
            data[archive.getinfo("frontier.npy").header_offset + offset] ^= 1
        data[data.rfind(b"PK\x01\x02", 0, data.rfind(b"frontier.npy")) + offset + 2] ^= 1
    path.write_bytes(data)
    assert open_diagram(puzzle, [JUNE_23]).count(JUNE_23) > 0
    assert "the cache is mended" in caplog.text
    assert path.read_bytes() == good


def test_a_cache_that_cannot_be_used_is_said_and_is_no_error(
    puzzle: Puzzle, diagram: PuzzleDiagram, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("a file where a folder should be")
    assert open_diagram(puzzle, list(puzzle.reveals())).counts() == diagram.counts()
    assert "the cache is not used" in caplog.text
    assert "the diagram is not cached" in caplog.text
