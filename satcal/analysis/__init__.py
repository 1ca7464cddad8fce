"""What counts are asked for: statistics, difficulty, hints, surveys of sets of cells."""
