"""Puzzles, which know nothing of formulas or solvers."""
