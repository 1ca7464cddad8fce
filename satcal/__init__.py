"""satcal counts, lists and proves the tilings of calendar puzzles.

The names of :mod:`satcal.api` are available here; they are imported on first use, because
the solvers and numpy take longer to import than ``satcal --help`` may take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcal import errors
from satcal.errors import *  # noqa: F403 - its __all__ is the list of names
from satcal.version import __version__ as __version__

if TYPE_CHECKING:
    from satcal.api import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        from satcal import api

        if name == "__all__":
            return sorted([*api.__all__, *errors.__all__])
        if name in api.__all__:
            return getattr(api, name)
        raise AttributeError(f"module 'satcal' has no attribute '{name}'")

    def __dir__() -> list[str]:
        return [*__getattr__("__all__"), "__doc__", "__file__", "__name__", "__version__"]
