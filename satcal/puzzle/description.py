"""What all descriptions of a puzzle share: on the command line, over HTTP and on the page."""

from __future__ import annotations

from typing import Any

from satcal.puzzle.model import Puzzle


def describe(puzzle: Puzzle) -> dict[str, Any]:
    """Return the names of a puzzle, its digest, and the rows and columns of its board."""
    return {
        "name": puzzle.name,
        "title": puzzle.title or puzzle.name,
        "designer": puzzle.designer,
        "source": puzzle.source,
        "digest": puzzle.digest,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
    }


def measure(puzzle: Puzzle) -> dict[str, int]:
    """Return the numbers of cells, pieces (copies included) and reveals."""
    return {
        "cells": len(puzzle.cells),
        "pieces": sum(piece.copies for piece in puzzle.pieces),
        "reveals": puzzle.number_of_reveals,
    }
