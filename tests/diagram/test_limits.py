"""Memory, progress, degenerate puzzles, and more items than a word has bits."""

from __future__ import annotations

import subprocess
import sys

import pytest
from small import Small, domino_rectangle

from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.model import DiagramError, Problem
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle

PEAK = """
import sys
from pathlib import Path
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import TooLarge
from satcal.puzzle.loading import load

def peak():  # in MB; getrusage remembers the parent's peak across exec, so ask Linux directly
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1e3
    raise SystemExit("no VmHWM")

PuzzleDiagram.build(load("pentomino-3x20"))  # import all that is imported late
before = peak()
try:
    PuzzleDiagram.build(load("rhombus"), memory_limit=int(sys.argv[1]) * 10**6)
    print("built", peak() - before)
except TooLarge:
    print("refused", peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.parametrize(("limit", "ends"), [(180, "built"), (60, "refused")])
def test_the_peak_of_memory_stays_near_the_limit(limit: int, ends: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PEAK, str(limit)], capture_output=True, text=True, check=True
    )
    end, peak = run.stdout.split()
    assert end == ends
    assert float(peak) < 1.1 * limit + 20


@pytest.mark.parametrize(
    ("megabytes", "where"),
    [
        (10, "steps from layer"),
        (90, "frontiers that can be completed"),
        (136, "states of layer"),
        (150, "numbering of the nodes"),
    ],
)
def test_a_build_that_needs_more_memory_is_refused_with_place_and_megabytes(
    megabytes: int, where: str
) -> None:
    message = (
        rf"diagram of rhombus: it needs at least \d+ MB \({where}.*\), "
        rf"the limit is {megabytes} MB; raise --memory-limit, ask for one date, have its shares "
        "counted with --cluster, or use --method sat"
    )
    with pytest.raises(TooLarge, match=message):
        PuzzleDiagram.build(load("rhombus"), memory_limit=megabytes * 10**6)


@pytest.mark.parametrize("room", ["frontiers", "build"])
def test_more_states_than_32_bits_can_number_are_refused(
    monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    monkeypatch.setattr(f"satcal.diagram.{room}.MOST_STATES", 1000)
    with pytest.raises(TooLarge, match="more than 1,000 states; use --method sat"):
        PuzzleDiagram.build(load("pentomino-6x10"))


def test_progress_is_told_of_every_layer_of_every_pass(daily: Puzzle) -> None:
    told: list[tuple[str, int, int, int]] = []
    PuzzleDiagram.build(daily, [("Oct", "6")], progress=lambda *layer: told.append(layer))
    layers = len(daily.cells) + 1
    assert {total for _, _, total, _ in told} == {layers}
    assert all(states >= 0 for *_, states in told)
    assert list(dict.fromkeys(name for name, *_ in told)) == ["frontiers", "states", "join"]
    assert [layer for name, layer, *_ in told if name == "frontiers"] == list(range(layers))
    between = [layer for name, layer, *_ in told if name == "states"]
    assert sorted(between) == list(range(1, layers - 1))


@pytest.mark.parametrize(
    "small",
    [
        domino_rectangle(4, 4, corners=False),
        Small((("*",) * 2,) * 2, {}, (("I4", ("####",), 1, True),)),
    ],
    ids=["a chessboard without two corners", "a piece that fits nowhere"],
)
def test_a_puzzle_without_a_tiling_has_an_empty_diagram_that_answers(small: Small) -> None:
    diagram = PuzzleDiagram.build(small.load())
    assert (diagram.diagram.nodes, diagram.diagram.arcs) == (0, 0)
    assert (diagram.counts(), diagram.count(), list(diagram.tilings())) == ({(): 0}, 0, [])
    assert not any(diagram.containing().values())
    with pytest.raises(DiagramError, match="there is no tiling 0: there are 0"):
        Tilings(diagram.diagram).kth(0)


def swaps(items: int) -> Problem:
    """Return a row of blocks, one per item, where an item may stand one block off its own."""
    near = [(i, b) for i in range(items) for b in (i - 1, i, i + 1) if 0 <= b < items]
    return Problem(2 * items, [1] * items, [i for i, _ in near], [3 << 2 * b for _, b in near])


@pytest.mark.parametrize("items", [62, 70])
def test_more_distinct_pieces_and_labels_than_a_word_has_bits_are_counted(items: int) -> None:
    row, labels = swaps(items), [1 << 2 * items, 2 << 2 * items]
    item = [*row.item, items, items, items + 1, items + 1]
    mask = [*row.mask, *labels, *labels]
    tilings = Tilings(build(Problem(2 * items + 2, [*row.copies, 1, 1], item, mask, 2)))
    assert (tilings.diagram.remaining.dtype == object) == (items > 62)
    last, count = 0, 1  # as many as the Fibonacci number
    for _ in range(items):
        last, count = count, last + count
    assert tilings.reveals().tolist() == [[0, count], [count, 0]]
    assert sum(tilings.per_option().tolist()) == 2 * count * (items + 2)
    assert tilings.rank(tilings.kth(count // 3)) == count // 3


def test_labels_of_several_sizes_in_a_category_are_told_apart() -> None:
    labels = [0b00001, 0b00011, 0b00110, 0b00100]  # two of each category
    dominoes = [3 << cell for cell in range(4)]
    problem = Problem(5, [1, 1, 1], [0] * 4 + [1, 1, 2, 2], dominoes + labels, categories=2)
    assert Tilings(build(problem)).reveals().tolist() == [[1, 0], [0, 1]]
