"""Checking certificates for a user: by the trusted base, by whom else, and what to say of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from satcal.errors import Missing
from satcal.evidence import drat, opinions
from satcal.evidence.standard import Standard, Step
from satcal.files import write_bytes
from satcal.proof import check as trusted
from satcal.proof.certificate import FORMAT, MAX_CONTENT, OLD
from satcal.proof.check import Progress, Proved
from satcal.proof.formula import Formula
from satcal.proof.replay import replay
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.version import __version__

OWN = f"satcal {__version__}"


@dataclass(frozen=True)
class Report:
    """What a certificate proves, and by what that was checked.

    ``library`` is the library's name of just this puzzle, None if it has no such puzzle;
    ``bytes`` is the size of the file; ``seconds`` is the time of the whole check and ``checkers``
    maps each program to the time of its replays.
    """

    puzzle: Puzzle
    library: str | None
    proved: tuple[Proved, ...]
    bytes: int
    seconds: float
    checkers: dict[str, float]

    def lines(self) -> list[str]:
        """Return the report as text."""
        known = f"{self.library}, as in the library" if self.library else "not one of the library"
        lines = [f"puzzle {self.puzzle.name} ({known}), digest {self.puzzle.digest[:16]}"]
        lines += [
            f"{' '.join(each.reveal) or 'the board'}: exactly {each.tilings:,} "
            f"tiling{'s'[: each.tilings != 1]}, {each.proofs:,} proof{'s'[: each.proofs != 1]}"
            for each in self.proved
        ]
        by = ", ".join(f"{name} ({spent:.1f} s)" for name, spent in self.checkers.items())
        steps = sum(each.steps for each in self.proved)
        lines.append(
            f"{self.bytes:,} bytes, {steps:,} steps; replayed by {by}; {self.seconds:.1f} s in all"
        )
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return asdict(self) | {
            "puzzle": self.puzzle.name,
            "digest": self.puzzle.digest,
            "proved": [each._asdict() for each in self.proved],
        }


class _Replays:
    """Replays each proof by satcal and by the checkers that are named, and keeps their times."""

    def __init__(self, names: Sequence[str], folder: Path | None) -> None:
        self._names = names
        self._folder = folder
        self.spent: dict[str, float] = {}

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - begun

    def hinted(self, formula: Formula, content: bytes, name: str) -> int:
        """Replay a proof of the present format; return its number of steps."""
        with self._timed(OWN):
            steps = replay(formula, content, name)
        if not (self._names or self._folder):
            return steps
        standard = Standard(formula)
        proof = list(standard.steps(content, name))
        for checker in self._names:
            with self._timed(opinions.titled(checker)):
                opinions.ask(checker, standard, proof, name)
        if self._folder:
            _export(standard, proof, name, self._folder)
        return steps

    def drat(self, formula: Formula, content: bytes, name: str) -> int:
        """Replay a proof of format 1, for which another's checker is needed."""
        if self._folder:
            raise Missing("a certificate of format 1 has no LRAT proofs to export")
        names = self._names or list(filter(opinions.available, opinions.MODULES))[:1]
        unfit = [each for each in names if not opinions.reads_drup(each)]
        if unfit or not names:
            raise Missing(
                "a certificate of format 1 needs a checker of DRAT proofs"
                + (f", and {unfit[0]} is none" if unfit else "; install satcal[check]")
            )
        steps, standard = drat.parse(content, name), Standard(formula)
        for checker in names:
            with self._timed(opinions.titled(checker)):
                opinions.ask_drup(checker, standard, steps, name)
        return len(steps)


def check(
    data: bytes,
    checkers: Sequence[str] = (),
    limit: int = MAX_CONTENT,
    progress: Progress | None = None,
    export: Path | None = None,
) -> Report:
    """Return what a certificate proves; everything that is not proved is refused.

    Args:
        data: the bytes of the file.
        checkers: who replays the proofs besides satcal; all of them must accept.
        limit: how many bytes the parts may have together, decompressed.
        progress: told of each proof that is checked.
        export: a folder into which formulas and proofs are written as DIMACS, LRAT and DRUP.

    Raises:
        CertificateRefused: what it states does not hold, or is not proved; the text says why.
        TooLarge: it is larger than the limits.
        Missing: a checker is not there.
        Stopped: a checker ends without a verdict.
    """
    begun = time.perf_counter()
    replays = _Replays(opinions.chosen(checkers), export)
    puzzle, proved = trusted.check(
        data, limit, progress, {FORMAT: replays.hinted, OLD: replays.drat}
    )
    return Report(
        puzzle, _in_library(puzzle), tuple(proved), len(data),
        time.perf_counter() - begun, replays.spent,
    )  # fmt: skip


def _export(standard: Standard, steps: Sequence[Step], name: str, folder: Path) -> None:
    """Write a formula and its proof as standard files, named after the part of the archive."""
    stem = name.partition(".")[0]
    for ending, text in (
        ("cnf", standard.dimacs()),
        ("lrat", standard.lrat(steps)),
        ("drup", opinions.drup_text((False, list(step.literals)) for step in steps)),
    ):
        write_bytes(folder / f"{stem}.{ending}", text.encode(), force=False)


def _in_library(puzzle: Puzzle) -> str | None:
    return next((name for name, known in _library() if same_puzzle(known, puzzle)), None)


@cache
def _library() -> list[tuple[str, Puzzle]]:
    return [(name, load(name)) for name in library()]


def same_puzzle(one: Puzzle, other: Puzzle) -> bool:
    """Return whether two puzzles have the same board, labels and pieces, whatever their names."""
    return all(
        getattr(one, what) == getattr(other, what)
        for what in ("cells", "labels", "categories", "drawn")
    )
