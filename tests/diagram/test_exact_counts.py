"""No count is rounded: boards beyond 64 cells, counts beyond 2**63, and next to it."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from small import domino_rectangle

from satcal.diagram.build import build
from satcal.diagram.graph import Tilings
from satcal.diagram.model import Problem
from satcal.diagram.puzzle import PuzzleDiagram, dump, parse


def check(tilings: Tilings, count: int) -> None:
    """Check the count, ranks at both ends, and that no array of answers can hold a float."""
    assert tilings.count() == count
    assert tilings.reveals().sum() == count
    for rank in {0, 1 % count, count // 2, count - 1}:
        assert tilings.rank(tilings.kth(rank)) == rank
    arrays = (tilings.completions, tilings.per_option(), tilings.reveals())
    assert all(array.dtype in (np.int64, object) for array in arrays)


@pytest.mark.parametrize(
    ("rows", "columns", "count"),
    [(2, 60, 2_504_730_781_961), (14, 14, 112_202_208_776_036_178_000_000)],
)  # a Fibonacci number, and a square by https://oeis.org/A004003
def test_domino_rectangles_of_up_to_196_cells(rows, columns, count):
    diagram = PuzzleDiagram.build(domino_rectangle(rows, columns).load())
    check(Tilings(diagram.diagram), count)
    assert diagram.counts() == {(): count}
    containing = diagram.containing()
    assert sum(containing.values()) == count * (rows * columns // 2)
    assert {type(number) for number in containing.values()} == {int}


def test_placements_may_span_more_than_a_word():
    # 100 cells in a row: two pairs of cells 70 apart, which may start at cell 0, 1, 2 or 3, and
    # dominoes; between the pairs the dominoes need an even stretch: starts 0 1, 2 3 or 0 3
    pairs = [1 << start | 1 << start + 70 for start in range(4)]
    masks = pairs + [3 << cell for cell in range(99)]
    diagram = build(Problem(100, [2, 48], [0] * 4 + [1] * 99, masks))
    assert diagram.frontier.dtype == object
    starts = [sorted(option for option in tiling if option < 4) for tiling in Tilings(diagram)]
    assert sorted(starts) == [[0, 1], [0, 3], [2, 3]]
    check(Tilings(diagram), 3)


def two_colours(cells: int, first: int, labels: bool = False) -> Problem:
    """Return single cells, ``first`` of them of one colour: as many tilings as combinations.

    With labels one more cell, any of them, is revealed.
    """
    every = cells + labels
    copies = [first, cells - first] + [1] * labels
    item = [number for number in range(len(copies)) for _ in range(every)]
    mask = [1 << cell for _ in copies for cell in range(every)]
    return Problem(every, copies, item, mask, int(labels))


@pytest.mark.parametrize(("cells", "bits"), [(66, 63), (67, 64), (68, 65)])
def test_binomials_near_2_to_the_63_and_64(cells, bits):
    half = cells // 2
    count = comb(cells, half)
    assert count.bit_length() == bits
    tilings = Tilings(build(two_colours(cells, half)))
    check(tilings, count)
    assert tilings.completions.dtype == (np.int64 if bits < 64 else object)
    per_option = [comb(cells - 1, half - 1)] * cells + [comb(cells - 1, half)] * cells
    assert tilings.per_option().tolist() == per_option


@pytest.mark.parametrize("cells", [62, 70])
def test_reveals_whose_sum_passes_2_to_the_63_are_each_exact(cells):
    tilings = Tilings(build(two_colours(cells, cells // 2, labels=True)))
    each = comb(cells, cells // 2)
    assert each * (cells + 1) >= 2**63
    check(tilings, each * (cells + 1))
    assert tilings.reveals().tolist() == [each] * (cells + 1)


def swaps(items: int) -> Problem:
    """Return a row of blocks, one per item, where an item may stand one block off its own.

    Each of two categories has a label on each of two cells more.
    """
    near = [(i, b) for i in range(items) for b in (i - 1, i, i + 1) if 0 <= b < items]
    item = [*(i for i, _ in near), items, items, items + 1, items + 1]
    labels = [1 << 2 * items, 2 << 2 * items]
    mask = [*(3 << 2 * b for _, b in near), *labels, *labels]
    return Problem(2 * items + 2, [1] * (items + 2), item, mask, 2)


@pytest.mark.parametrize("items", [62, 70])
def test_more_pieces_and_labels_than_a_word_has_bits_are_counted(items):
    diagram = build(swaps(items))
    loaded = parse(dump(diagram), diagram.problem, "saved.zip")
    assert (diagram.remaining.dtype == object) == (max(diagram.unit) > 2**64) == (items > 62)
    assert (loaded.unit, loaded.remaining.tolist()) == (diagram.unit, diagram.remaining.tolist())
    tilings = Tilings(diagram)
    last, count = 0, 1  # as many as the Fibonacci number
    for _ in range(items):
        last, count = count, last + count
    assert tilings.reveals().tolist() == [[0, count], [count, 0]]
    assert sum(tilings.per_option().tolist()) == 2 * count * (items + 2)
    assert tilings.rank(tilings.kth(count // 3)) == count // 3
