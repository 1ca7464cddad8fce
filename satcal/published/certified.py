"""Which of the certificates in ``results/certificates`` are of a board and a reveal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from satcal.certificates.certify import stated
from satcal.certificates.checking import puzzle_of, same_puzzle
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
        if reveal is not None and reveal in _stated(results_folder() / file, puzzle):
            return file
    return ""


@cache
def _stated(path: Path, puzzle: Puzzle) -> Mapping[Reveal, int]:
    """Return the reveals of a puzzle that a file states; an unreadable file states none."""
    found: dict[Reveal, int] = {}
    try:
        for statement in stated(path):
            if same_puzzle(puzzle_of(statement), puzzle):
                found |= {tree.reveal: tree.tilings for tree in statement.stated}
    except SatcalError:
        return {}
    return found
