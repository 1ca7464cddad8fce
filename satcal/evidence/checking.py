"""Checking certificates for a user: by the trusted base, by whom else, and within what limits."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from satcal.counting.verified import NAME
from satcal.errors import BudgetExhausted, Missing, Stopped
from satcal.evidence import opinions, verified
from satcal.evidence.lrat import Drup, Standard, drup_text, parse_drup
from satcal.files import read_bytes, write_bytes
from satcal.processes import bounded
from satcal.proof import check as trusted
from satcal.proof.archive import MAX_FILE
from satcal.proof.certificate import FORMAT, MAX_CONTENT, OLD
from satcal.proof.check import Progress, Proved
from satcal.proof.formula import Formula
from satcal.proof.replay import replay
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.version import __version__

OWN = f"satcal {__version__}"
MEMORY = 4 * 1024**3
SECONDS = 3600.0


@dataclass(frozen=True)
class Report:
    """What a certificate proves, and by what that was checked.

    ``library`` is the library's name of just this puzzle; ``bytes`` is the size of the file;
    ``checkers`` maps each program to the seconds of its replays.
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
        for each in self.proved:
            tilings = f"{each.tilings:,} tiling{'' if each.tilings == 1 else 's'}"
            proofs = f"{each.proofs:,} proof{'' if each.proofs == 1 else 's'}"
            lines.append(f"{' '.join(each.reveal) or 'the board'}: exactly {tilings}, {proofs}")
        by = ", ".join(f"{name} ({spent:.1f} s)" for name, spent in self.checkers.items())
        steps = sum(each.steps for each in self.proved)
        lines.append(
            f"{self.bytes:,} bytes, {steps:,} steps; replayed by {by}; {self.seconds:.1f} s in all"
        )
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return vars(self) | {
            "puzzle": self.puzzle.name,
            "digest": self.puzzle.digest,
            "proved": [each._asdict() for each in self.proved],
        }


class _Replays:
    """Replays each proof by satcal and by the checkers that are named, and keeps their times."""

    def __init__(self, checkers: Sequence[str], export: Path | None) -> None:
        self._checkers = checkers
        self._by_proof = [name for name in checkers if name != opinions.VERIFIED]
        self._export = export
        self.spent: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.spent[name] += time.perf_counter() - begun

    def hinted(self, formula: Formula, content: bytes, name: str) -> int:
        """Replay a proof of the present format; return its number of steps."""
        with self._timed(OWN):
            steps = replay(formula, content, name)
        if not (self._by_proof or self._export):
            return steps
        standard = Standard(formula)
        proof = list(standard.steps(content, name))
        for checker in self._by_proof:
            with self._timed(opinions.titled(checker)):
                opinions.ask(checker, standard, proof, name)
        if self._export:
            stem = name.partition(".")[0]
            drup = drup_text(Drup(False, step.literals) for step in proof)
            texts = {"cnf": standard.dimacs(), "lrat": standard.lrat(proof), "drup": drup}
            for ending, text in texts.items():
                write_bytes(self._export / f"{stem}.{ending}", text.encode(), force=False)
        return steps

    def whole(self, data: bytes, puzzle: Puzzle) -> None:
        """Have the program that is proved in Coq check all of it."""
        if opinions.VERIFIED in self._checkers:
            with self._timed(NAME):
                verified.ask(data, puzzle)

    def drup(self, formula: Formula, content: bytes, name: str) -> int:
        """Replay a proof of format 1, for which another's checker is needed."""
        if self._export:
            raise Missing("a certificate of format 1 has no LRAT proofs to export")
        names = self._checkers or list(filter(opinions.available, opinions.MODULES))[:1]
        unfit = [each for each in names if not opinions.reads_drup(each)]
        if unfit or not names:
            raise Missing(
                "a certificate of format 1 needs a checker of DRAT proofs"
                + (f", and {unfit[0]} is none" if unfit else "; install satcal[check]")
            )
        steps, standard = parse_drup(content, name), Standard(formula)
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
    """Return what a certificate proves, as :func:`satcal.proof.check.check` does.

    Besides satcal all ``checkers`` must accept the proofs; formulas and proofs are written into
    the folder ``export`` as DIMACS, LRAT and DRUP.

    Raises:
        CertificateRefused, TooLarge: as there.
        Missing: a checker is not there.
        Stopped: a checker ends without a verdict.
    """
    begun = time.perf_counter()
    replays = _Replays(opinions.chosen(checkers), export)
    by_format = {FORMAT: replays.hinted, OLD: replays.drup}
    puzzle, proved = trusted.check(data, limit, progress, by_format)
    replays.whole(data, puzzle)
    known = next((name for name, each in _library() if same_puzzle(each, puzzle)), None)
    seconds = time.perf_counter() - begun
    return Report(puzzle, known, tuple(proved), len(data), seconds, dict(replays.spent))


@cache
def _library() -> list[tuple[str, Puzzle]]:
    return [(name, load(name)) for name in library()]


def same_puzzle(one: Puzzle, other: Puzzle) -> bool:
    """Return whether two puzzles have the same board, labels and pieces, whatever their names."""
    return all(
        getattr(one, what) == getattr(other, what)
        for what in ("cells", "labels", "categories", "drawn")
    )


def read(path: Path) -> bytes:
    """Return the bytes of a certificate file, no more than an archive may have and one."""
    return read_bytes(path, "certificate", MAX_FILE + 1)


def check_within(
    data: bytes,
    checkers: Sequence[str] = (),
    *,
    limit: int = MAX_CONTENT,
    memory: int = MEMORY,
    seconds: float = SECONDS,
    export: Path | None = None,
) -> Report:
    """Check what a stranger has sent, in a process of its own; see :func:`check`.

    Raises:
        CertificateRefused, TooLarge, Missing: as there.
        Stopped: the memory, in bytes, or the time does not suffice; nothing is said of it.
    """
    try:
        return bounded(
            check, data, tuple(checkers), limit, export=export, memory=memory, seconds=seconds
        )
    except BudgetExhausted as error:
        raise BudgetExhausted(
            f"not checked to the end within {seconds:g} s; raise --time-limit"
        ) from error
    except MemoryError as error:
        raise Stopped("not checked to the end: out of memory; raise --memory-limit") from error
