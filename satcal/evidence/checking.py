"""Checking certificates: by the trusted base, by others, within limits."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from satcal.counting.verified import NAME
from satcal.errors import BudgetExhausted, Missing, Stopped
from satcal.evidence import opinions
from satcal.evidence.lrat import Standard, Step, drup_text, parse_drup
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
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Report:
    """What a certificate proves, with the seconds that each checker took for its replays.

    ``library`` is the library's name of just this puzzle, ``bytes`` the size of the file.
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
        name = self.puzzle.name  # a forger's may look like what is said of another's
        shown = repr(name) if "(" in name else name
        lines = [f"puzzle {shown} ({known}), digest {self.puzzle.digest[:16]}"]
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
    """Replays each proof by satcal and the named checkers, and keeps their times."""

    def __init__(self, checkers: Sequence[str], export: Path | None) -> None:
        self._checkers, self._export = checkers, export
        self.spent: defaultdict[str, float] = defaultdict(float)

    def _timed(self, name: str, replay: Callable[..., Answer], *args: Any) -> Answer:
        begun = time.perf_counter()
        answer = replay(*args)
        self.spent[name] += time.perf_counter() - begun
        return answer

    def hinted(self, formula: Formula, content: bytes, name: str) -> int:
        """Replay a proof of the present format; return its number of steps."""
        count = self._timed(OWN, replay, formula, content, name)
        others = [checker for checker in self._checkers if checker != opinions.VERIFIED]
        if not (others or self._export):
            return count
        standard = Standard(formula)
        steps = list(standard.steps(content, name))
        self._ask(others, standard, steps, name)
        if self._export:
            stem = name.partition(".")[0]
            texts = {
                "cnf": standard.dimacs(), "lrat": standard.lrat(steps), "drup": drup_text(steps)
            }  # fmt: skip
            for ending, text in texts.items():
                write_bytes(self._export / f"{stem}.{ending}", text.encode(), force=False)
        return count

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
        steps = parse_drup(content, name)
        self._ask(names, Standard(formula), steps, name)
        return len(steps)

    def _ask(
        self, checkers: Sequence[str], standard: Standard, steps: Sequence[Step], name: str
    ) -> None:
        for checker in checkers:
            self._timed(opinions.titled(checker), opinions.ask, checker, standard, steps, name)

    def whole(self, data: bytes, puzzle: Puzzle) -> None:
        """Have the program that is proved in Coq check all of it, if it is named."""
        if opinions.VERIFIED in self._checkers:
            self._timed(NAME, opinions.ask_verified, data, puzzle)


def check(
    data: bytes,
    checkers: Sequence[str] = (),
    limit: int = MAX_CONTENT,
    progress: Progress | None = None,
    export: Path | None = None,
) -> Report:
    """Return what a certificate proves, as :func:`satcal.proof.check.check` does.

    All ``checkers`` must accept the proofs, too. Formulas and proofs are written into the
    folder ``export`` as DIMACS, LRAT and DRUP. Raises as it does, Missing if a checker is
    not there, Stopped if one gives no verdict.
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
    """Return whether two puzzles have the same board, labels, calendar and pieces."""
    same = attrgetter("cells", "labels", "categories", "calendar", "drawn")
    return bool(same(one) == same(other))


def read(path: Path) -> bytes:
    """Return the bytes of a certificate file; too many are left to be refused."""
    return read_bytes(path, "certificate", MAX_FILE + 1)


def _check(
    data: bytes, checkers: Sequence[str], limit: int, export: Path | None,
    tell: Callable[[tuple[int, int]], None],
) -> Report:  # fmt: skip
    return check(data, checkers, limit, lambda done, of: tell((done, of)), export)


def check_within(
    data: bytes,
    checkers: Sequence[str] = (),
    *,
    limit: int = MAX_CONTENT,
    memory: int = MEMORY,
    seconds: float = SECONDS,
    export: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Check what a stranger has sent, in a process of its own, as :func:`check` does.

    Raises Stopped, too, if its memory (bytes) or time does not suffice.
    """
    try:
        return bounded(
            _check, data, tuple(checkers), limit, export=export, memory=memory, seconds=seconds,
            told=lambda done: progress(*done) if progress else None,
        )  # fmt: skip
    except BudgetExhausted as error:
        raise BudgetExhausted(
            f"not checked to the end within {seconds:g} s; raise --time-limit"
        ) from error
    except MemoryError as error:
        raise Stopped("not checked to the end: out of memory; raise --memory-limit") from error
