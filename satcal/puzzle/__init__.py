"""Puzzles: model, shapes, placements, calendar, loading. Knows nothing of formulas or solvers."""
