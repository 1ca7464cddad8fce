"""satcal counts, lists and proves the tilings of calendar puzzles.

The names of :mod:`satcal.api` are available here; they are imported on first use, because
the solvers and numpy take longer to import than ``satcal --help`` may take.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from satcal.version import __version__ as __version__

if TYPE_CHECKING:
    from satcal.api import *  # noqa: F403 - its __all__ is the one list of names
    from satcal.errors import *  # noqa: F403 - which has these, too
else:

    def __getattr__(name: str) -> object:
        api = import_module("satcal.api")
        if name in ("__all__", *api.__all__):
            return getattr(api, name)
        raise AttributeError(f"module 'satcal' has no attribute '{name}'")

    def __dir__() -> list[str]:
        return [*__getattr__("__all__"), "__doc__", "__file__", "__name__", "__version__"]
