"""How far long work is: what a caller may hear of it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Told of how many steps are done, of how many, and of which was the last."""
