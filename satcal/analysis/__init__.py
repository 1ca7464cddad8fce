"""Analyses of the diagram: difficulty, hints, and surveys of sets of uncovered cells."""
