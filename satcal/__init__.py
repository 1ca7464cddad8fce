"""Counts and lists the solutions of calendar puzzles, and proves the counts.

    library() load(board) load_toml(text)                puzzles
    count(board, date)                                   the number of tilings of a date
    count_all(board, dates) table(board, dates)          of a year, a range, a list, or all reveals
    tilings(board, date)                                 one after another
    solve(board, date, index=0)                          one of them, by its index or by a seed
    picture(board, dates)                                a picture, which a notebook shows
    hint(board, date, place=...) difficulty(board, date) where pieces can go; how hard a date is
    survey(board)                                        every set of cells left uncovered
    export(board, date) formula(board, date)             clauses, as text or as PySAT's CNF
    decode(answer, formula)                              a solver's answer as verified tilings
    certify(board, dates) check(certificate)             proofs
    claims()                                             published statements, examined
    design(board, sizes)                                 sets of pieces that solve every date

A board is a name of the library, the path of a file, or a Puzzle; a date is a date, text such as
"Oct 6", or labels. ``help(satcal.count)`` says more; docs/reference/python.md shows all at work.
"""

# What the names are is in satcal/api.py. They are imported on first use, because the solvers and
# numpy take longer to import than `satcal --help` may take.

from typing import TYPE_CHECKING

from satcal.version import __version__ as __version__

if TYPE_CHECKING:
    from satcal.api import *  # noqa: F403 - its __all__ is the one list of names
    from satcal.errors import *  # noqa: F403 - and of the errors, which `help` leaves out
else:

    def __getattr__(name: str) -> object:
        import satcal.api as api
        import satcal.errors as errors

        for module in (api, errors):
            if name in module.__all__:
                return getattr(module, name)
        if name == "__all__":
            return api.__all__
        raise AttributeError(f"module 'satcal' has no attribute '{name}'")

    def __dir__() -> list[str]:
        import satcal.api as api
        import satcal.errors as errors

        return [*api.__all__, *errors.__all__, "__all__", "__doc__", "__file__", "__version__"]
