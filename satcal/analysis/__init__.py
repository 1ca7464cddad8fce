"""What is computed from counts: difficulty, hints, and surveys of sets of cells."""
