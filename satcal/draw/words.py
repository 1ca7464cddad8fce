"""Numbers with their nouns."""

from __future__ import annotations


def count_of(number: int, noun: str) -> str:
    """Return ``1 tiling``, ``2 tilings``, ``1,458 tilings``; ``reveals`` and ``dates`` likewise."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
