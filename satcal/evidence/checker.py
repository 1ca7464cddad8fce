"""Checking a certificate: from its bytes to what they prove, without the maker's code.

It imports no encoder, no lemma, no solver, no placement enumeration of satcal: the formula
comes from :mod:`satcal.evidence.rebuild`, the tilings are judged by the verifier, the proofs
are replayed by programs of others. What it shares with the maker is the parser of puzzle files
and the format.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, NamedTuple

from satcal.errors import CertificateRefused, SatcalError
from satcal.evidence.certificate import MAX_CONTENT, Opened
from satcal.evidence.proof import parse
from satcal.evidence.rebuild import Clause, Cube, Placed, Task, cubes_cover, formula, task
from satcal.evidence.replay import CHECKERS, chosen_checkers, version_of
from satcal.evidence.verifier import Verifier
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.toml import parse_puzzle

Progress = Callable[[int, int], None]
"""Told of how many proofs are checked, of how many."""


class Proved(NamedTuple):
    """A reveal, its exact number of tilings, and by how many proofs."""

    reveal: Reveal
    tilings: int
    proofs: int


@dataclass(frozen=True)
class Report:
    """What a certificate proves, and by what that was checked.

    ``library`` is the library's name of just this puzzle, None if it has no such puzzle;
    ``bytes`` is the size of the file, ``steps`` that of its proofs; ``seconds`` is the time of
    the whole check and ``checkers`` maps each program to the time of its replays.
    """

    puzzle: Puzzle
    library: str | None
    proved: tuple[Proved, ...]
    bytes: int
    steps: int
    seconds: float
    checkers: dict[str, float]

    def lines(self) -> list[str]:
        """Return the report as text."""
        known = f"{self.library}, as in the library" if self.library else "not one of the library"
        said = [f"puzzle {self.puzzle.name} ({known}), digest {self.puzzle.digest[:16]}"]
        said += [
            f"{' '.join(reveal) or 'the board'}: exactly {tilings:,} tiling{'s'[: tilings != 1]}, "
            f"{proofs:,} proof{'s'[: proofs != 1]}"
            for reveal, tilings, proofs in self.proved
        ]
        by = ", ".join(f"{name} ({spent:.1f} s)" for name, spent in self.checkers.items())
        said.append(
            f"{self.bytes:,} bytes, {self.steps:,} steps; replayed by {by}; "
            f"{self.seconds:.1f} s in all"
        )
        return said

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return asdict(self) | {
            "puzzle": self.puzzle.name,
            "digest": self.puzzle.digest,
            "proved": [each._asdict() for each in self.proved],
        }


class _Replays:
    """Runs the chosen checkers on one proof after the other and keeps their times."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.spent = dict.fromkeys(map(version_of, names), 0.0)
        self.steps = 0

    def run(self, clauses: Sequence[Clause], text: bytes, name: str) -> None:
        steps = parse(text, name)
        self.steps += len(steps)
        for checker in self._names:
            begun = time.perf_counter()
            CHECKERS[checker](clauses, steps, name)
            self.spent[version_of(checker)] += time.perf_counter() - begun


def check(
    data: bytes,
    checkers: Sequence[str] = (),
    limit: int = MAX_CONTENT,
    progress: Progress | None = None,
) -> Report:
    """Return what a certificate proves; everything that is not proved is refused.

    Args:
        data: the bytes of the file.
        checkers: who replays the proofs; none: the fastest that is there.
        limit: how many bytes the parts may have together, decompressed.
        progress: told of each proof that is checked.

    Raises:
        CertificateRefused: what it states does not hold, or is not proved; the text says why.
        TooLarge: it is larger than the limits.
        Missing: there is no checker.
    """
    begun = time.perf_counter()
    replays = _Replays(chosen_checkers(checkers))
    opened = Opened(data, limit)
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
        todo = task(puzzle, stated.reveal)
        rests = cubes_cover(todo, cubes)
        tilings = _tilings(opened, number, puzzle, todo, stated.reveal)
        if len(tilings) != stated.tilings:
            raise CertificateRefused(
                f"{stated.tilings} tilings are stated, but {len(tilings)} are listed"
            )
        for index, (cube, rest) in enumerate(zip(cubes, rests, strict=True), start=1):
            name = f"{number:04}-proof-{index:04}.drat.xz"
            replays.run(_clauses(rest, cube, tilings), opened.content(name), name)
            done += 1
            if progress:
                progress(done, total)
        proved.append(Proved(stated.reveal, stated.tilings, stated.proofs))
    return Report(
        puzzle, _in_library(puzzle), tuple(proved), len(data), replays.steps,
        time.perf_counter() - begun, replays.spent,
    )  # fmt: skip


def statement(data: bytes) -> tuple[Puzzle, list[Reveal]]:
    """Return what a certificate is about, its digest checked, nothing of it proved.

    Raises:
        CertificateRefused, TooLarge: it is no whole certificate.
    """
    opened = Opened(data)
    return _puzzle(opened), [section.reveal for section in opened.stated]


def _puzzle(opened: Opened) -> Puzzle:
    try:
        return parse_puzzle(opened.content("puzzle.toml").decode(), "puzzle.toml")
    except UnicodeDecodeError as error:
        raise CertificateRefused("puzzle.toml: it is not UTF-8 text") from error
    except CertificateRefused:
        raise
    except SatcalError as error:
        raise CertificateRefused(str(error)) from error


def _check_reveal(puzzle: Puzzle, reveal: Reveal) -> None:
    texts = list(puzzle.categories.items())
    if len(texts) != len(reveal):
        raise CertificateRefused(f"the reveal {' '.join(reveal)} has not one label per category")
    for (category, known), text in zip(texts, reveal, strict=True):
        if text not in known:
            raise CertificateRefused(f"the reveal has {text!r}, which is no {category} here")


def _tilings(
    opened: Opened, number: int, puzzle: Puzzle, todo: Task, reveal: Reveal
) -> list[frozenset[Placed]]:
    """Return the tilings of a section: each one verified, all different."""
    verifier = Verifier(puzzle, reveal)
    names = {name for name, _, _ in todo.copies}
    found: dict[frozenset[Placed], int] = {}
    for index, tiling in enumerate(opened.tilings(number), start=1):
        where = f"{' '.join(reveal)} tiling {index}".strip()
        fault = verifier.fault(_Placement(name, tuple(sorted(cells))) for name, cells in tiling)
        if fault:
            raise CertificateRefused(f"{where} is none: {fault}")
        alias = next((name for name, _ in tiling if name not in names), None)
        if alias:
            raise CertificateRefused(f"{where}: {alias} is a copy of another piece; name that one")
        known = found.setdefault(frozenset(tiling), index)
        if known != index:
            raise CertificateRefused(f"{where} is the same as tiling {known}")
    return list(found)


class _Placement(NamedTuple):
    piece: str
    cells: tuple[tuple[int, int], ...]


def _clauses(rest: Task, cube: Cube, tilings: Sequence[frozenset[Placed]]) -> list[Clause]:
    """Return the formula of a cube's remaining task, with a clause against each known tiling."""
    placements = rest.placements()
    variable = {placed: number for number, placed in enumerate(placements, start=1)}
    chosen = frozenset(placed for _, placed in cube)
    clauses = formula(rest, placements)
    clauses += (
        tuple(-variable[placed] for placed in sorted(tiling - chosen, key=variable.__getitem__))
        for tiling in tilings
        if chosen <= tiling
    )
    return clauses


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
