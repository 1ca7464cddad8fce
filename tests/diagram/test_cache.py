from __future__ import annotations

import zipfile

import pytest

import satcal
from satcal.diagram import cache
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram, problem_of
from satcal.errors import FormatError, OptionError
from satcal.puzzle.placements import cover


@pytest.fixture(scope="module")
def puzzle():
    return satcal.load("crea-makerspace")


@pytest.fixture(scope="module")
def diagram(puzzle):
    return PuzzleDiagram.build(puzzle)


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def read(data, puzzle):
    whole = cover(puzzle, None)
    return PuzzleDiagram(whole, cache.parse(data, problem_of(whole), "saved.zip"))


def test_a_saved_diagram_answers_as_before(puzzle, diagram):
    loaded = read(cache.dump(diagram.diagram), puzzle)
    assert loaded.counts() == diagram.counts()
    reveal = puzzle.reveal("2025-06-23")
    assert list(loaded.tilings(reveal)) == list(diagram.tilings(reveal))


def test_the_same_diagram_makes_the_same_bytes(puzzle, diagram):
    assert cache.dump(PuzzleDiagram.build(puzzle).diagram) == cache.dump(diagram.diagram)


def test_a_diagram_of_several_reveals_answers_for_each_and_not_for_all_together(puzzle, diagram):
    reveals = [puzzle.reveal("2025-06-23"), puzzle.reveal("2025-03-01")]
    some = PuzzleDiagram.build(puzzle, reveals)
    assert some.counts() == {r: diagram.count(r) for r in some.counts()}
    assert set(some.counts()) == set(reveals)
    for ask in (some.count, some.containing, lambda: list(some.tilings())):
        with pytest.raises(OptionError, match="not built for all reveals; name one"):
            ask()


def test_a_diagram_of_one_reveal_needs_no_name(puzzle, diagram):
    reveal = puzzle.reveal("2025-06-23")
    assert PuzzleDiagram.build(puzzle, [reveal]).count() == diagram.count(reveal)


def test_units_of_exactly_64_bits_stay_integers():
    array = cache._as_array([1, 2**63])
    assert cache._plain(array).tolist() == ["1", str(2**63)]


@pytest.mark.parametrize("offset", [6, 8])
def test_a_member_that_seems_encrypted_or_packed_otherwise_is_damage(
    puzzle, diagram, folder, caplog, offset
):
    open_diagram(puzzle, list(puzzle.reveals()))
    (path,) = folder.iterdir()
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("frontier.npy")
    place = data.rfind(b"PK\x01\x02", 0, data.rfind(b"frontier.npy"))
    # flags and method stand in the local header, and two bytes further in the directory
    data[info.header_offset + offset] ^= 1
    data[place + offset + 2] ^= 1
    path.write_bytes(data)
    again = open_diagram(puzzle, list(puzzle.reveals()))
    assert "the cache is mended" in caplog.text
    assert again.counts() == diagram.counts()


def test_a_diagram_of_another_puzzle_is_refused(diagram):
    saved = cache.dump(diagram.diagram)
    for other in (satcal.load("jarring-words"), satcal.load("crea-makerspace", flip="none")):
        with pytest.raises(FormatError, match="a diagram of another puzzle or version"):
            read(saved, other)


def test_a_cut_and_a_changed_file_are_refused(puzzle, diagram):
    good = cache.dump(diagram.diagram)
    for wrong in (good[:-10], good[: len(good) // 2], b"", good[:200] + b"\0" + good[201:]):
        with pytest.raises(FormatError, match=r"a damaged diagram|another puzzle"):
            read(wrong, puzzle)


def test_a_file_with_pickles_is_refused(puzzle, diagram, tmp_path):
    import io

    import numpy as np

    pickled = io.BytesIO()
    np.save(pickled, np.array([{}], object), allow_pickle=True)
    path = tmp_path / "saved.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("fingerprint", cache.fingerprint(diagram.diagram.problem))
        archive.writestr("layer_start.npy", pickled.getvalue())
    with pytest.raises(FormatError, match="a damaged diagram"):
        read(path.read_bytes(), puzzle)


def test_integers_beyond_a_word_survive_a_file(diagram):
    import numpy as np

    large = [2**70 + 1, 0, 3]
    packed = cache._plain(np.array(large, object))
    assert packed.dtype.kind == "U"
    assert [int(text) for text in packed.tolist()] == large


def test_only_whole_diagrams_are_kept_and_serve_every_question(puzzle, folder):
    reveal = puzzle.reveal("2025-06-23")
    open_diagram(puzzle, [reveal])
    assert not folder.exists()
    whole = open_diagram(puzzle, list(puzzle.reveals()))
    assert len(list(folder.iterdir())) == 1
    assert open_diagram(puzzle, [reveal]).diagram.nodes == whole.diagram.nodes
    assert open_diagram(puzzle, [reveal], use_cache=False).diagram.nodes < whole.diagram.nodes


def test_whoever_meets_a_damaged_diagram_replaces_it(puzzle, folder, caplog):
    open_diagram(puzzle, list(puzzle.reveals()))
    (path,) = folder.iterdir()
    good = path.read_bytes()
    path.write_bytes(good[:1000] + b"\0\0" + good[1002:])
    assert open_diagram(puzzle, [puzzle.reveal("2025-06-23")]).count(("Jun", "23")) > 0
    assert "the cache is mended" in caplog.text
    assert path.read_bytes() == good
    caplog.clear()
    open_diagram(puzzle, [puzzle.reveal("2025-06-23")])
    assert caplog.text == ""


def test_a_diagram_of_another_version_is_another_file(puzzle, diagram, monkeypatch):
    before = cache.fingerprint(diagram.diagram.problem)
    monkeypatch.setattr(cache, "__version__", "9.9")
    assert cache.fingerprint(diagram.diagram.problem) != before
