"""The errors of satcal, with their exit codes and HTTP statuses.

The tree::

    SatcalError
    +- InputError             2  422   the input is wrong
    |  +- PuzzleError         2  422     a puzzle or piece set does not describe a puzzle
    |  +- RevealError         2  422     a date or reveal that the puzzle does not have
    |  +- PlacementError      2  422     a placement that cannot stand where it is asked for
    |  +- OptionError         2  400     options that exclude each other or are out of range
    |  +- FormatError         2  400     a file that is not in the format it should be in
    |  +- UnknownName         2  404     no puzzle, piece set, solver or encoding of that name
    |  +- TooLarge            2  413     more than a limit or a method allows
    |  +- FileTrouble         2  500     a file that cannot be read or written
    +- Disagreement           1  409   two answers that should be equal are not
    |  +- CertificateRefused  1  422     a certificate that proves nothing, or something else
    +- NoTiling               1  404   no tiling where one was asked for
    |  +- Unsatisfiable       1  404     that is what a solver says, and nothing contradicts it
    +- Stopped                3  503   stopped before the end; what was done is kept
    |  +- BudgetExhausted     3  503     a time or conflict budget ran out
    +- Missing                4  501   an optional part, external program or checker is missing
    +- StoreError             3  503   finished counts cannot be stored or recalled
       +- StoreUnavailable    3  503     a store that cannot be opened or reached
       +- StoreLocked         3  503     another process holds its lock for too long
       +- StoreFull           3  507     no room for more
       +- StoreDamaged        3  500     what it holds cannot be believed
       +- StoreForeign        2  422     not a store of this version of satcal
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar

__all__ = [
    "BudgetExhausted",
    "CertificateRefused",
    "Disagreement",
    "FileTrouble",
    "FormatError",
    "InputError",
    "Missing",
    "NoTiling",
    "OptionError",
    "PlacementError",
    "PuzzleError",
    "RevealError",
    "SatcalError",
    "Stopped",
    "TooLarge",
    "UnknownName",
    "Unsatisfiable",
]
"""The errors in ``import satcal``: all but those of a store."""

MAX_QUOTED = 40  # characters of a quotation in an error


class SatcalError(Exception):
    """The base of all errors of satcal; its text is for the user."""

    exit_code: ClassVar[int] = 2
    http_status: ClassVar[int] = 500

    def __init_subclass__(cls, exit_code: int = 0, http_status: int = 0) -> None:
        cls.exit_code = exit_code or cls.exit_code
        cls.http_status = http_status or cls.http_status


class InputError(SatcalError, http_status=422):
    """The input is wrong."""


class PuzzleError(InputError):
    """A puzzle file or piece set that does not describe a puzzle."""


class RevealError(InputError):
    """A date or reveal that the puzzle does not have."""


class PlacementError(InputError):
    """A placement that cannot stand where it is asked for."""


class OptionError(InputError, http_status=400):
    """Options that exclude each other, or a value out of its range."""


class FormatError(InputError, http_status=400):
    """A file that is not in the format it should be in."""


class UnknownName(InputError, http_status=404):
    """No puzzle, piece set, solver or encoding of that name."""


class TooLarge(InputError, http_status=413):
    """More than a limit, or a method, allows."""


class FileTrouble(InputError, http_status=500):
    """A file that cannot be read or written."""


class Disagreement(SatcalError, exit_code=1, http_status=409):
    """Two answers that should be equal are not."""


class CertificateRefused(Disagreement, http_status=422):
    """A certificate that does not prove what it says, or not what was asked for."""


class NoTiling(SatcalError, exit_code=1, http_status=404):
    """There is no tiling where one was asked for."""


class Unsatisfiable(NoTiling):
    """A solver says that there is no tiling, and nothing contradicts it."""


class Stopped(SatcalError, exit_code=3, http_status=503):
    """Stopped before the end; what was done is kept and shown as partial."""


class BudgetExhausted(Stopped):
    """A budget ran out: the answer is UNKNOWN, ``found`` a lower bound."""

    def __init__(self, message: str, found: int = 0) -> None:
        super().__init__(message)
        self.found = found

    def __reduce__(self) -> tuple[type[BudgetExhausted], tuple[str, int]]:
        # for pickling by worker processes: the default would lose ``found``
        return type(self), (str(self), self.found)


class Missing(SatcalError, exit_code=4, http_status=501):
    """An optional part is missing; the text says how to get it."""


class StoreError(SatcalError, exit_code=3, http_status=503):
    """Finished counts cannot be stored or recalled; what was stored before is kept."""


class StoreUnavailable(StoreError):
    """A store that cannot be opened or reached."""


class StoreLocked(StoreError):
    """Another process holds the store's lock for longer than we wait."""


class StoreFull(StoreError, http_status=507):
    """No room for more: a full disk, or a limit on file sizes."""


class StoreDamaged(StoreError, http_status=500):
    """What the store holds cannot be believed."""


class StoreForeign(StoreError, exit_code=2, http_status=422):
    """A file or database that is not a store of this version of satcal."""


def unknown(
    noun: str, name: str, known: Iterable[str], kind: type[InputError] = UnknownName
) -> InputError:
    """Return an error that lists the known names and suggests the most similar one."""
    names = list(known)
    text = f"there is no {noun} '{name}'; the {noun}s are {', '.join(names)}"
    return kind(text + did_you_mean(name, names))


def quote(text: str) -> str:
    """Return the beginning of a text in quotation marks, with control characters escaped."""
    return repr(text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…")


def printable(name: object) -> str:
    """Return the name of a file for a message, in quotation marks if it has to be escaped.

    Without these, the end of such a name could imitate what a report says about it.
    """
    text = str(name)
    return text if text.isprintable() else repr(text)


def escape(text: str) -> str:
    """Return a message with all invisible characters but line feeds escaped."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def did_you_mean(name: str, known: Iterable[str], least: float = 0.6) -> str:
    """Return the hint ``"; did you mean 'x'?"`` for the most similar known name, or nothing.

    ``least`` is the least similarity, from 0 to 1.
    """
    names = {candidate.casefold(): candidate for candidate in known}
    matches = get_close_matches(str(name).casefold(), names, n=1, cutoff=least)
    return f"; did you mean '{names[matches[0]]}'?" if matches else ""
