"""Which of the certificates in ``results/certificates`` are of a board and a reveal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from satcal.certificates.checking import stated
from satcal.errors import SatcalError
from satcal.published.shipped import results_folder
from satcal.puzzle.model import Puzzle, Reveal

FOLDER = "certificates"


def certificate_path(puzzle: Puzzle, reveal: Reveal | None, named: str = "") -> str:
    """Return the certificate, as seen from ``results``, that states the tilings of a reveal.

    It is the one that is ``named``, or else that of all reveals of the board; "" if there is none,
    or if it is of another board or reveal.
    """
    for name in filter(None, (named, puzzle.name)):
        file = f"{FOLDER}/{name}.satcert"
        if reveal is not None and reveal in tilings_stated(results_folder() / file, puzzle.digest):
            return file
    return ""


@cache
def tilings_stated(path: Path, digest: str) -> Mapping[Reveal, int]:
    """Return what a file states of the puzzle of a digest; nothing if it cannot be read."""
    try:
        report = stated(path)
    except SatcalError:
        return {}
    return report.tilings if report.digest == digest else {}
