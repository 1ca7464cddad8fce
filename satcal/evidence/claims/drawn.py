"""Statements that board and pieces alone decide: no tiling is counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from satcal.evidence.claims.counted import rounded
from satcal.evidence.claims.model import Finding, Statement
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import placements
from satcal.puzzle.symmetry import symmetries


def per_piece(statement: Statement) -> Finding:
    """Say how many placements pieces have on the empty board."""
    puzzle = statement.puzzle
    counts = Counter(placed.piece for placed in placements(puzzle, puzzle.cells))
    claimed = statement["per_piece"]
    true = {name: counts[name] for name in claimed}
    return Finding(true == claimed, {"per_piece": true})


def orientations(statement: Statement) -> Finding:
    """Say how many orientations the pieces have together."""
    true = sum(len(piece.orientations) for piece in statement.puzzle.pieces)
    return Finding(true == statement["orientations"], {"orientations": true})


def placements_for(statement: Statement) -> Finding:
    """Say how many placements a reveal leaves."""
    reveal = statement["reveal"]
    (true,) = _left(statement.puzzle, [reveal])
    return Finding(true == statement["placements"], {"placements": true}, reveal)


def _left(puzzle: Puzzle, reveals: Iterable[Reveal]) -> list[int]:
    """Return how many placements each reveal leaves: those that cover none of its cells."""
    bit = {cell: 1 << number for number, cell in enumerate(puzzle.cells)}
    masks = [sum(bit[c] for c in p.cells) for p in placements(puzzle, puzzle.cells)]
    hidden = [sum(bit[cell] for cell in puzzle.uncovered(reveal)) for reveal in reveals]
    return [sum(not mask & uncovered for mask in masks) for uncovered in hidden]


def mean_placements(statement: Statement) -> Finding:
    """Say how many placements the reveals of a range leave on average, to the unit given."""
    counts = _left(statement.puzzle, statement["range"].reveals)
    exact = Fraction(sum(counts), len(counts))
    true = int(rounded(exact, Fraction(statement["unit"]), statement["rounding"]))
    tenths = int(rounded(exact * 10, Fraction(1), "nearest"))
    says = f"{true:,} (from {tenths // 10:,}.{tenths % 10}, {min(counts):,} to {max(counts):,})"
    return Finding(true == statement["placements"], {"placements": true}, None, says)


def board(statement: Statement) -> Finding:
    """Say how many cells the board has, the pieces cover, and the array has off the board."""
    puzzle = statement.puzzle
    cells = len(puzzle.cells)
    true = {
        "cells": cells,
        "area": puzzle.area,
        "off_board": puzzle.rows * puzzle.columns - cells,
    }
    truth = {name: number for name, number in true.items() if name in statement.fields}
    return Finding(truth == {name: statement[name] for name in truth}, truth)


def reveals(statement: Statement) -> Finding:
    """Say how many reveals a range has; ``all-dates`` are those that some year has."""
    true = len(statement["range"].reveals)
    return Finding(true == statement["reveals"], {"reveals": true})


def symmetry_group(statement: Statement) -> Finding:
    """Say how many symmetries map tilings of the puzzle to tilings of it."""
    true = len(symmetries(statement.puzzle))
    return Finding(true == statement["symmetries"], {"symmetries": true})


def orders(statement: Statement) -> Finding:
    """Say in how many orders the placements of one tiling can be put on the board."""
    # the placements of a tiling are all different, those of copies included
    true = math.factorial(sum(piece.copies for piece in statement.puzzle.pieces))
    return Finding(true == statement["orders"], {"orders": true})
