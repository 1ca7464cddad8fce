"""satcal counts, lists and proves the tilings of calendar puzzles.

The names of :mod:`satcal.api` are available here; they are imported on first use, because
the solvers and numpy take longer to import than ``satcal --help`` may take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from satcal.version import __version__ as __version__

if TYPE_CHECKING:
    from satcal.api import count, count_all, library, load, tilings
    from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling

__all__ = [
    "Placement", "Puzzle", "Reveal", "Tiling", "count", "count_all", "library", "load", "tilings",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:
        from satcal import api

        return getattr(api, name)
    raise AttributeError(f"module 'satcal' has no attribute '{name}'")
