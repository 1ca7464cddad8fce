"""The file of a diagram: who knows the puzzle can build the same diagram from its bits alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from oracle import FREE, TINY, Piece, rectangle
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.model import Puzzle, Reveal
from satcal.site.packing import pack


def read(diagram: PuzzleDiagram, data: bytes) -> Counter[Reveal]:
    """Count the tilings by reveal as a reader of the file does, one state after another."""
    problem, options = diagram.diagram.problem, diagram.cover.options
    bits = iter(np.unpackbits(np.frombuffer(data, np.uint8)).tolist())
    layers: list[dict[tuple[int, tuple[int, ...]], Counter[Reveal]]]
    layers = [{} for _ in range(problem.cells + 1)]
    layers[0][0, tuple(problem.copies)] = Counter({(): 1})
    for layer in range(problem.cells):
        for (covered, left), ways in layers[layer].items():
            for option, mask in enumerate(problem.mask):
                item = problem.item[option]
                if not mask >> layer & 1 or mask & covered or not left[item] or not next(bits):
                    continue
                after = covered | mask
                place = (~after & after + 1).bit_length() - 1
                key = after, (*left[:item], left[item] - 1, *left[item + 1 :])
                label = (options[option].text,) if item >= problem.first_category else ()
                found = layers[place].setdefault(key, Counter())
                for reveal, number in ways.items():
                    found[*reveal, *label] += number
    assert sum(bits) == 0, "only what fills the last byte is left"
    (last,) = layers[-1].values()
    order = {text: number for number, text in enumerate(diagram.puzzle.labels)}
    return Counter({tuple(sorted(r, key=order.__getitem__)): n for r, n in last.items()})


@pytest.mark.parametrize("puzzle", [TINY.load(), FREE.load()], ids=str)
def test_a_reader_who_has_only_the_puzzle_and_the_bits_finds_all_tilings(puzzle: Puzzle) -> None:
    diagram = PuzzleDiagram.build(puzzle)
    counted = read(diagram, pack(diagram.diagram))
    assert sum(counted.values()) == diagram.count()
    if puzzle.categories:
        known = {frozenset(reveal): count for reveal, count in diagram.counts().items() if count}
        assert {frozenset(reveal): count for reveal, count in counted.items()} == known


def test_a_puzzle_without_a_tiling_has_no_bits() -> None:
    skew = rectangle(2, 4, Piece("S", ("##.", ".##"), 2))
    assert pack(PuzzleDiagram.build(skew.load()).diagram) == b""
