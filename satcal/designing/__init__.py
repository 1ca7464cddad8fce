"""Searching for puzzles: which sets of pieces fill a board on all its dates, and how many ways."""
