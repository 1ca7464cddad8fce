"""What a diagram answers: ranks, placements, slices, and what it refuses."""

from __future__ import annotations

import pytest

from oracle import Piece, rectangle
from satcal.analysis.hint import make_hint
from satcal.diagram.puzzle import PuzzleDiagram, open_diagram
from satcal.errors import OptionError
from satcal.puzzle.loading import load

OCT_6, JAN_25, DEC_25 = ("Oct", "6"), ("Jan", "25"), ("Dec", "25")


@pytest.fixture(scope="module")
def diagram(daily):
    """All 25,061 tilings of the 43-cell board."""
    return open_diagram(daily, list(daily.reveals()))


def test_a_diagram_of_some_reveals_is_like_the_whole(diagram):
    counts = diagram.counts()
    for reveals in ([OCT_6], [reveal for reveal in counts if reveal[0] == "Feb"]):
        part = PuzzleDiagram.build(diagram.puzzle, reveals)
        assert part.counts() == {reveal: counts[reveal] for reveal in reveals}
        assert list(part.tilings(reveals[0])) == list(diagram.tilings(reveals[0]))
        for ask in (part.count, part.tilings, part.containing):
            with pytest.raises(OptionError, match="not built for the reveal Jan 25"):
                ask(JAN_25)
    with pytest.raises(OptionError, match="not built for all reveals; name one"):
        part.count()
    assert PuzzleDiagram.build(diagram.puzzle, [OCT_6]).count() == 7
    placed = diagram.tiling(0, OCT_6)[:1]
    built = PuzzleDiagram.build(diagram.puzzle, [OCT_6], placed)
    assert built.count() == diagram.count(OCT_6, placed) < 7


@pytest.mark.parametrize("labels", [("Oct",), ("6",), ("6", "Oct")])
def test_a_slice_knows_its_reveals_and_no_others(diagram, labels):
    part = diagram.only(labels)
    wanted = {r: n for r, n in diagram.counts().items() if set(labels) <= set(r)}
    assert part.counts() == wanted
    with pytest.raises(OptionError, match="was not built for the reveal Jan 25"):
        part.count(JAN_25)


@pytest.mark.parametrize("reveal", [OCT_6, JAN_25])
def test_slices_of_slices_have_the_same_tilings_and_hints(diagram, reveal):
    part = diagram.only(reveal[:1]).only(reveal)
    assert part.diagram.nodes < diagram.diagram.nodes / 10
    assert list(part.tilings(reveal)) == list(diagram.tilings(reveal))
    tiling = diagram.tiling(5, reveal)
    for number in range(0, len(tiling) + 1, 2):
        placed = tiling[:number]
        assert make_hint(part, reveal, placed) == make_hint(diagram, reveal, placed)


def test_the_empty_reveal_is_a_reveal_and_not_all_of_them():
    small = rectangle(2, 2, Piece("I", ("##",), 2))
    diagram = PuzzleDiagram.build(small.load(), [()])
    assert (diagram.count(()), diagram.count(None), diagram.counts()) == (2, 2, {(): 2})
    part = PuzzleDiagram.build(load("a-puzzle-a-day"), [OCT_6])
    with pytest.raises(OptionError, match="not built for the reveal"):
        part.count(())
