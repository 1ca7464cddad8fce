"""Diagrams in files: the same bytes, the same answers, and nothing that is damaged is believed."""

from __future__ import annotations

import errno
import io
import os
import zipfile

import numpy as np
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
    saved = io.BytesIO(cache.dump(diagram.diagram))
    with pytest.raises(FormatError, match="another puzzle"):
        cache.parse(saved, build_problem(cover_of(load("jarring-words"), None)), "saved.zip")


def test_a_diagram_of_older_code_is_another_file(puzzle, monkeypatch):
    problem = build_problem(cover_of(puzzle, None))
    now = cache.cache_path(problem)
    monkeypatch.setattr(cache, "sources_digest", lambda: "older")
    assert cache.cache_path(problem) != now


def test_what_a_file_may_cost_is_bounded(diagram, monkeypatch):
    saved = io.BytesIO(cache.dump(diagram.diagram))
    with zipfile.ZipFile(saved) as archive:
        most = sum(member.file_size for member in archive.infolist())
    problem = diagram.diagram.problem
    for limit, fits in ((most, True), (most - 1, False), (1000, False)):
        monkeypatch.setattr(cache, "MAX_BYTES", limit)
        if fits:
            assert cache.parse(saved, problem, "saved.zip").nodes == diagram.diagram.nodes
        else:
            with pytest.raises(FormatError, match="too large"):
                cache.parse(saved, problem, "saved.zip")


def flagged(good, offset):
    """Change a bit in both headers of a member, two bytes further in that of the directory."""
    data = bytearray(good)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        data[archive.getinfo("frontier.npy").header_offset + offset] ^= 1
    data[data.rfind(b"PK\x01\x02", 0, data.rfind(b"frontier.npy")) + offset + 2] ^= 1
    return bytes(data)


def with_a_pickle(good):
    pickled, data = io.BytesIO(), io.BytesIO(good)
    np.save(pickled, np.array([{}], object), allow_pickle=True)
    with zipfile.ZipFile(data) as archive, zipfile.ZipFile(made := io.BytesIO(), "w") as other:
        other.writestr("fingerprint", archive.read("fingerprint"))
        other.writestr("layer_start.npy", pickled.getvalue())
    return made.getvalue()


def with_another_array(good, name="arc_child"):
    """Write the zip anew, its checksums right, with the values of an array in another order."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as archive, zipfile.ZipFile(made, "w") as other:
        for each in archive.namelist():
            member = archive.read(each)
            if each == f"{name}.npy":
                values = np.load(io.BytesIO(member))
                np.save(rewritten := io.BytesIO(), values[::-1])
                assert member != rewritten.getvalue()
                member = rewritten.getvalue()
            other.writestr(each, member)
    return made.getvalue()


DAMAGES = {
    "empty": lambda good: b"",
    "cut": lambda good: good[: len(good) // 2],
    "changed bytes": lambda good: good[:1000] + b"\0\0" + good[1002:],
    "encrypted": lambda good: flagged(good, 6),
    "packed otherwise": lambda good: flagged(good, 8),
    "a pickle": with_a_pickle,
    "arcs that lead elsewhere": with_another_array,
}


@pytest.mark.parametrize("name", cache.ARRAYS)
def test_no_array_is_believed_that_differs_from_the_digest(diagram, name):
    changed = with_another_array(cache.dump(diagram.diagram), name)
    with pytest.raises(FormatError, match="its digest differs"):
        cache.parse(io.BytesIO(changed), diagram.diagram.problem, "saved.zip")


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
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
    path.write_bytes(damage(good))
    assert open_diagram(puzzle, list(puzzle.reveals())).counts() == diagram.counts()
    assert path.read_bytes() == good


@pytest.mark.parametrize("error", [OSError(errno.EIO, "disk"), MemoryError()])
def test_a_disk_or_memory_that_fails_removes_no_file(puzzle, folder, monkeypatch, caplog, error):
    open_diagram(puzzle, list(puzzle.reveals()))
    (path,) = folder.iterdir()

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(zipfile.ZipFile, "read", fail)
    assert open_diagram(puzzle, [JUNE_23]).count(JUNE_23)
    assert path.exists()
    assert "the cache is not used" in caplog.text


def test_what_was_not_used_for_longest_is_removed(puzzle, diagram, folder, monkeypatch):
    folder.mkdir()
    cache.write(diagram.diagram)
    (mine,) = folder.iterdir()
    for age, name in enumerate(["used", "unused", "oldest"]):
        path = folder / f"diagram-{name}.zip"
        path.write_bytes(bytes(1000))
        os.utime(path, (1000 - age, 1000 - age))
    (folder / "diagram-link.zip").symlink_to("diagram-link.zip")  # it leads nowhere
    os.utime(mine, (0, 0))
    assert cache.read(diagram.diagram.problem)  # now it is used
    monkeypatch.setattr(cache, "MAX_FOLDER", mine.stat().st_size + 1500)
    cache.write(diagram.diagram)
    left = {path.name for path in folder.iterdir()}
    assert left == {mine.name, "diagram-used.zip", "diagram-link.zip"}
    os.utime(mine, (0, 0))
    cache.read(diagram.diagram.problem)
    cache.prune(folder)
    assert mine.exists()


def test_a_cache_that_cannot_be_used_is_no_error(puzzle, diagram, folder, caplog):
    folder.write_text("a file where a folder should be")
    assert open_diagram(puzzle, list(puzzle.reveals())).counts() == diagram.counts()
    assert "the cache is not used" in caplog.text
    assert "the diagram is not cached" in caplog.text
