"""Checking a certificate: from its bytes to what they prove, without the maker's code.

What it shares with the maker is the parser of puzzle files and the format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from satcal.errors import CertificateRefused, SatcalError
from satcal.proof.certificate import FORMAT, MAX_CONTENT, PUZZLE, Opened
from satcal.proof.formula import Formula, Placed, cubes_cover, formula, task
from satcal.proof.replay import replay
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.toml import parse_puzzle

Replay = Callable[[Formula, bytes, str], int]
"""Returns a proof's number of steps; CertificateRefused if it proves nothing."""
Progress = Callable[[int, int], None]
"""Told of how many proofs are checked, of how many."""


class Proved(NamedTuple):
    """A reveal and its exact number of tilings; ``steps`` are those of all proofs."""

    reveal: Reveal
    tilings: int
    proofs: int
    steps: int


def check(
    data: bytes,
    limit: int = MAX_CONTENT,
    progress: Progress | None = None,
    replays: Mapping[str, Replay] = {FORMAT: replay},
) -> tuple[Puzzle, list[Proved]]:
    """Return the puzzle of a certificate and what is proved of it.

    ``limit`` is how many bytes its parts may have together, decompressed; ``replays``
    holds what replays the proofs of each format. Raises TooLarge, or CertificateRefused
    with the reason: what is stated does not hold, or is not proved.
    """
    opened = Opened(data, limit)
    if opened.format not in replays:
        raise CertificateRefused(f"nothing here replays the proofs of a {opened.format}")
    puzzle = _puzzle(opened)
    total = sum(section.proofs for section in opened.stated)
    proved: list[Proved] = []
    done = 0
    for number, stated in enumerate(opened.stated, start=1):
        _check_reveal(puzzle, stated.reveal)
        if any(stated.reveal == before.reveal for before in proved):
            raise CertificateRefused(f"the reveal {' '.join(stated.reveal)} is there twice")
        cubes = opened.cubes(number)
        if len(cubes) != stated.proofs:
            raise CertificateRefused(f"{len(cubes)} cubes, but {stated.proofs} proofs")
        rests = cubes_cover(task(puzzle, stated.reveal), cubes)
        tilings = _tilings(opened, number, puzzle, stated.reveal)
        if len(tilings) != stated.tilings:
            raise CertificateRefused(
                f"{stated.tilings} tilings are stated, but {len(tilings)} are listed"
            )
        steps = 0
        for index, (cube, rest) in enumerate(zip(cubes, rests, strict=True), start=1):
            name = opened.proof(number, index)
            refuted = formula(rest, cube, tilings)
            steps += replays[opened.format](refuted, opened.content(name), name)
            done += 1
            if progress:
                progress(done, total)
        proved.append(Proved(stated.reveal, stated.tilings, stated.proofs, steps))
    return puzzle, proved


def _puzzle(opened: Opened) -> Puzzle:
    text = opened.text(PUZZLE)
    try:
        return parse_puzzle(text, PUZZLE)
    except SatcalError as error:
        raise CertificateRefused(str(error)) from error


def _check_reveal(puzzle: Puzzle, reveal: Reveal) -> None:
    if len(puzzle.categories) != len(reveal):
        raise CertificateRefused(f"the reveal {' '.join(reveal)} has not one label per category")
    for (category, known), text in zip(puzzle.categories.items(), reveal, strict=True):
        if text not in known:
            raise CertificateRefused(f"the reveal has {text!r}, which is no {category} here")


def _tilings(
    opened: Opened, number: int, puzzle: Puzzle, reveal: Reveal
) -> list[frozenset[Placed]]:
    """Return the tilings of a section: each one verified, all different."""
    verifier = Verifier(puzzle, reveal)
    names = {name for name, _, _ in task(puzzle, reveal).copies}
    listed: dict[frozenset[Placed], int] = {}
    for index, tiling in enumerate(opened.tilings(number), start=1):
        where = f"{' '.join(reveal)} tiling {index}".strip()
        placements = [Placement(name, tuple(sorted(cells))) for name, cells in tiling]
        fault = verifier.fault(placements)
        if fault:
            raise CertificateRefused(f"{where} is none: {fault}")
        alias = next((name for name, _ in tiling if name not in names), None)
        if alias:
            raise CertificateRefused(f"{where}: {alias} is a copy of another piece; name that one")
        first = listed.setdefault(frozenset(tiling), index)
        if first != index:
            raise CertificateRefused(f"{where} is the same as tiling {first}")
    return list(listed)
