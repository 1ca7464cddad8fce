"""Puzzles: boards, labels, pieces, placements and dates, without formulas or solvers."""
