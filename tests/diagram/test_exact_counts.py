"""No count is rounded: boards beyond 64 cells, counts beyond 2**63, and next to it."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from exact_covers import number_of_swaps, swaps, two_colours
from oracle import dominoes
from satcal.diagram.build import build
from satcal.diagram.cache import dump, parse
from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.layers import count_by_layers
from satcal.diagram.model import ExactCover
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.diagram.reveals import count_reveals


def check(tilings: Tilings, count: int) -> None:
    """Check the count, tilings at both ends, and that no array of answers can hold a float."""
    assert tilings.count() == count
    assert count_reveals(tilings).counts.sum() == count
    ranks = sorted({0, 1 % count, count // 2, count - 1})
    assert len({tuple(tilings.kth(rank)) for rank in ranks}) == len(ranks)
    arrays = (tilings.completions, tilings.per_option(), count_reveals(tilings).counts)
    assert all(array.dtype in (np.int64, object) for array in arrays)


def test_98_dominoes_are_counted():
    count = 112_202_208_776_036_178_000_000  # oeis.org/A004003
    diagram = PuzzleDiagram.build(dominoes(14, 14).load())
    check(Tilings(diagram.diagram), count)
    assert diagram.counts() == {(): count} == {(): count_by_layers(diagram.diagram.problem)[0]}
    containing = diagram.containing()
    assert sum(containing.values()) == count * 98
    assert {type(number) for number in containing.values()} == {int}


def test_placements_may_span_more_than_a_word():
    # 100 cells in a row: two pairs of cells 70 apart, which may start at cell 0, 1, 2 or 3, and
    # dominoes; between the pairs the dominoes need an even stretch: starts 0 1, 2 3 or 0 3
    pairs = [1 << start | 1 << start + 70 for start in range(4)]
    masks = pairs + [3 << cell for cell in range(99)]
    diagram = build(ExactCover(100, [2, 48], [0] * 4 + [1] * 99, masks))
    assert diagram.frontier.dtype == object
    starts = [sorted(option for option in tiling if option < 4) for tiling in Tilings(diagram)]
    assert sorted(starts) == [[0, 1], [0, 3], [2, 3]]
    check(Tilings(diagram), 3)


def check_what_is_left(diagram: Diagram) -> None:
    """Check that each arc takes one copy of its own item, from all of them down to none."""
    parent, item = diagram.arc_parent(), np.array(diagram.problem.item)[diagram.arc_option]
    for number, copies in enumerate(diagram.problem.copies):
        left = diagram.copies_left(number)
        assert (left[0], left[-1]) == (copies, 0)
        assert (left[parent] - left[diagram.arc_child]).tolist() == (item == number).tolist()


@pytest.mark.parametrize(("cells", "bits"), [(66, 63), (67, 64), (68, 65)])
def test_binomials_near_2_to_the_63_and_64(cells, bits):
    half = cells // 2
    count = comb(cells, half)
    assert count.bit_length() == bits
    tilings = Tilings(build(two_colours(cells, half)))
    check(tilings, count)
    check_what_is_left(tilings.diagram)
    assert tilings.completions.dtype == (np.int64 if bits < 64 else object)
    per_option = [comb(cells - 1, half - 1)] * cells + [comb(cells - 1, half)] * cells
    assert tilings.per_option().tolist() == per_option


@pytest.mark.parametrize("cells", [62, 70])
def test_reveals_whose_sum_passes_2_to_the_63_are_each_exact(cells):
    tilings = Tilings(build(two_colours(cells, cells // 2, labels=True)))
    each = comb(cells, cells // 2)
    assert each * (cells + 1) >= 2**63
    check(tilings, each * (cells + 1))
    assert count_reveals(tilings).counts.tolist() == [each] * (cells + 1)


@pytest.mark.parametrize("items", [62, 70])
def test_more_pieces_and_labels_than_a_word_has_bits_are_counted(items):
    diagram = build(swaps(items))
    loaded = parse(dump(diagram), diagram.problem, "saved")
    assert (diagram.remaining.dtype == object) == (max(diagram.unit) > 2**64) == (items > 62)
    assert (loaded.unit, loaded.remaining.tolist()) == (diagram.unit, diagram.remaining.tolist())
    check_what_is_left(diagram)
    tilings = Tilings(diagram)
    count = number_of_swaps(items)
    assert count_reveals(tilings).counts.tolist() == [[0, count], [count, 0]]
    assert sum(tilings.per_option().tolist()) == 2 * count * (items + 2)


def test_labels_of_several_sizes_in_a_category_are_told_apart():
    labels = [0b00001, 0b00011, 0b00110, 0b00100]  # two of each category
    dominoes = [3 << cell for cell in range(4)]
    problem = ExactCover(5, [1, 1, 1], [0] * 4 + [1, 1, 2, 2], dominoes + labels, categories=2)
    assert count_reveals(Tilings(build(problem))).counts.tolist() == [[1, 0], [0, 1]]
    assert count_by_layers(problem)[0] == 2
