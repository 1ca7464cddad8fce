"""Counts, lists and proves the tilings of calendar puzzles.

    library() load(board) load_toml(text) load_drawing(board, pieces)    puzzles
    lint(board)                                 all that is wrong with a puzzle file
    count(board, date)                          the number of tilings of a date
    count_all(board, dates) table(board, dates) of a year, a month, a list, or all reveals
    survey(board)                               of every set of cells left uncovered
    difficulty(board, date) hint(board, date)   how hard a date is; where pieces can go
    tilings(board, date)                        one after another
    kth_tiling(board, date, k) random_tiling(board, date)                one of them
    picture(board, what, date)                  a picture, which a notebook shows
    export(board, date) formula(board, date)    clauses, as text or as PySAT's CNF
    decode(answer, formula)                     a solver's answer as verified tilings
    certify(board, date) check(certificate)     proofs
    claims()                                    published statements, examined
    design(board, sizes)                        sets of pieces that solve every date

A board is a name of the library, the path of a file, or a Puzzle; a date is a date, text such as
"Oct 6", or labels. ``help(satcal.count)`` says more; docs/reference/python.md shows all at work.
"""

# What the names are is in satcal/api.py. They are imported on first use, because the solvers and
# numpy take longer to import than `satcal --help` may take.

from importlib import import_module
from typing import TYPE_CHECKING

from satcal.version import __version__ as __version__

if TYPE_CHECKING:
    from satcal.api import *  # noqa: F403 - its __all__ is the one list of names
    from satcal.errors import *  # noqa: F403 - and of the errors, which `help` leaves out
else:

    def __getattr__(name: str) -> object:
        api, errors = import_module("satcal.api"), import_module("satcal.errors")
        if name in ("__all__", *api.__all__):
            return getattr(api, name)
        if name in errors.__all__:
            return getattr(errors, name)
        raise AttributeError(f"module 'satcal' has no attribute '{name}'")

    def __dir__() -> list[str]:
        errors = import_module("satcal.errors").__all__
        return [*__getattr__("__all__"), *errors, "__doc__", "__file__", "__name__", "__version__"]
