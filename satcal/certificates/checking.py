"""Checking certificates: by the trusted base, by others, within limits."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from satcal.certificates import opinions
from satcal.certificates.certify import normal_form
from satcal.certificates.lrat import MAX_SIZE, Proof, Trees
from satcal.errors import BudgetExhausted, CertificateRefused, InputError, Stopped, quoted
from satcal.files import failing, read_bytes
from satcal.processes import bounded
from satcal.progress import Progress
from satcal.proof import check as trusted
from satcal.proof.check import MAX_NODES, Statement
from satcal.proof.walk import Stated
from satcal.puzzle.loading import library, load, parse_puzzle
from satcal.puzzle.model import Puzzle, Reveal
from satcal.version import __version__

OWN = f"satcal {__version__}"
MEMORY = 4 * 1024**3
SECONDS = 3600.0
TELL_EVERY = 0.2  # seconds
MOST_LINES = 40  # reveals that a report lists; a table lists all
Source = Path | bytes
"""A certificate: its file, or all of its bytes."""


class Part(NamedTuple):
    """A puzzle, the library's name of just this puzzle, and what is proved of it."""

    puzzle: Puzzle
    library: str | None
    proved: tuple[Stated, ...]

    @property
    def tilings(self) -> int:
        """Those of all its reveals."""
        return sum(tree.tilings for tree in self.proved)

    def whose(self) -> str:
        """Which puzzle it is: first the verdict, then what a stranger may have written."""
        if self.library:
            return f"{self.library}, as in the library"
        return f"not a puzzle of the library, named {plain(self.puzzle.name)}"

    def lines(self, only: Collection[Reveal] = ()) -> Iterator[str]:
        """Yield what is proved, as text; of all reveals, or ``only`` of some."""
        yield f"{self.whose()}; digest {self.puzzle.digest[:16]}"
        if only:
            yield from self.named(only)
            return
        yield from self.named([tree.reveal for tree in self.proved[:MOST_LINES]])
        if len(self.proved) > MOST_LINES:
            yield f"and {len(self.proved) - MOST_LINES:,} more reveals; --format csv lists all"
        if len(self.proved) > 1:
            yield f"{len(self.proved):,} reveals, {_counted(self.tilings, 'tiling')} in all"

    def named(self, reveals: Collection[Reveal]) -> Iterator[str]:
        """Yield the number of each of these reveals."""
        for tree in self.proved:
            if tree.reveal in reveals:
                yield f"{said(tree.reveal)}: exactly {_counted(tree.tilings, 'tiling')}"


@dataclass(frozen=True)
class Report:
    """What a certificate proves, with the seconds that each checker took.

    ``parts`` are its puzzles, ``bytes`` its size, and ``sha256`` the digest of all that was read.
    """

    parts: tuple[Part, ...]
    bytes: int
    sha256: str
    seconds: float
    checkers: dict[str, float]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, the first of several."""
        return self.parts[0].puzzle

    @property
    def library(self) -> str | None:
        """The library's name of the puzzle."""
        return self.parts[0].library

    @property
    def proved(self) -> tuple[Stated, ...]:
        """What is proved of the puzzle."""
        return self.parts[0].proved

    def summary(self) -> str:
        """What is accepted, in one line."""
        whose = self.parts[0].whose()
        if len(self.parts) > 1:
            whose = f"{len(self.parts):,} puzzles, the first {whose}"
        trees = [tree for part in self.parts for tree in part.proved]
        what = said(trees[0].reveal) if len(trees) == 1 else f"{len(trees):,} reveals"
        return f"{whose}: {what}, {_counted(sum(tree.tilings for tree in trees), 'tiling')}"

    def lines(self, only: Collection[Reveal] = ()) -> list[str]:
        """The report as text, ``only`` of some reveals; the verdict on the library comes first."""
        lines = [line for part in self.parts[:MOST_LINES] for line in part.lines(only)]
        if len(self.parts) > MOST_LINES:
            lines.append(f"and {len(self.parts) - MOST_LINES:,} more puzzles")
        nodes = sum(tree.nodes for part in self.parts for tree in part.proved)
        by = ", ".join(f"{name} ({spent:.1f} s)" for name, spent in self.checkers.items())
        size = f"{_counted(self.bytes, 'byte')}, {_counted(nodes, 'node')}"
        return [*lines, f"{size}; checked by {by}; {self.seconds:.1f} s in all"]

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON, of the first puzzle."""
        part = self.parts[0]
        return {
            "puzzle": part.puzzle.name,
            "library": part.library,
            "digest": part.puzzle.digest,
            "puzzles": len(self.parts),
            "proved": [tree._asdict() for tree in part.proved],
            "bytes": self.bytes,
            "sha256": self.sha256,
            "seconds": self.seconds,
            "checkers": self.checkers,
        }


def plain(text: str) -> str:
    """A text of a stranger's, quoted where it could imitate what satcal says."""
    return text if re.fullmatch(r"[\w.-]{1,80}", text, re.ASCII) else repr(text)


def said(reveal: Reveal) -> str:
    """A reveal in a report."""
    return " ".join(map(plain, reveal)) or "the board"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def check(
    source: Source,
    checkers: Sequence[str] = (),
    max_nodes: int = MAX_NODES,
    max_size: int = MAX_SIZE,
    progress: Progress | None = None,
) -> Report:
    """What a certificate proves, as :func:`satcal.proof.check.check` finds.

    All ``checkers`` must accept it, too; ``max_size`` bounds what is written for one of them.
    ``progress`` is called with the bytes that satcal's own check has read. Raises as it does,
    Missing if a checker is not there, Stopped if one gives no verdict.
    """
    began = time.perf_counter()
    names = opinions.chosen(checkers)
    if names and not isinstance(source, bytes):  # all are asked about the same bytes
        source = read_bytes(source, "certificate")
    report_step = progress or _unheard
    with _stream(source) as stream:
        size = len(source) if isinstance(source, bytes) else os.fstat(stream.fileno()).st_size
        file = _Digested(stream, lambda read: report_step(read, size, "bytes"))
        proved = trusted.check(cast(BinaryIO, file), max_nodes)
    spent = {OWN: time.perf_counter() - began}
    parts = []
    for _, same in groupby(proved, attrgetter("text")):
        statements = list(same)
        puzzle = puzzle_of(statements[0])
        known = next((name for name, other in _library() if same_puzzle(other, puzzle)), None)
        stated = tuple(tree for statement in statements for tree in statement.stated)
        parts.append(Part(puzzle, known, stated))
    for name in names:
        asked = time.perf_counter()
        for puzzle, statement, tokens in _trees(source, max_nodes):
            if name == opinions.VERIFIED:
                opinions.ask_verified(puzzle, statement.stated, tokens)
                continue
            trees = Trees(statement.puzzle, statement.stated, tokens)
            for tree in statement.stated:
                if tree.nodes:  # where areas differ nothing is left to prove
                    opinions.ask(
                        name, Proof(puzzle, trees, tree.reveal, max_size), said(tree.reveal)
                    )
        spent[name] = time.perf_counter() - asked
    seconds = time.perf_counter() - began
    return Report(tuple(parts), file.size, file.digest.hexdigest(), seconds, spent)


class _Digested:
    """A stream whose bytes are counted and digested as they are read.

    ``on_read`` is called with how many were read so far.
    """

    def __init__(self, stream: BinaryIO, on_read: Callable[[int], None]) -> None:
        self._stream, self._on_read = stream, on_read
        self.digest = hashlib.sha256()
        self.size = 0

    def _took(self, data: bytes) -> bytes:
        self.digest.update(data)
        self.size += len(data)
        self._on_read(self.size)
        return data

    def read(self, size: int) -> bytes:
        """The next bytes."""
        return self._took(self._stream.read(size))

    def readline(self, size: int) -> bytes:
        """The next line."""
        return self._took(self._stream.readline(size))


def _stream(source: Source) -> AbstractContextManager[BinaryIO]:
    if isinstance(source, bytes):
        return BytesIO(source)
    with failing(f"certificate {quoted(source)}"):
        return open(source, "rb")


def _unheard(done: int, total: int, what: str) -> None:
    """Progress where nobody listens."""


def _trees(source: Source, max_nodes: int) -> Iterator[tuple[Puzzle, Statement, bytes]]:
    """Yield each statement with the bytes of its trees."""
    with _stream(source) as stream:
        for statement, blocks in trusted.opened(stream, max_nodes):
            yield puzzle_of(statement), statement, b"".join(blocks)


def puzzle_of(statement: Statement) -> Puzzle:
    """The puzzle of a statement; raises CertificateRefused if satcal's parser reads another."""
    try:
        puzzle = parse_puzzle(statement.text, "puzzle")
        again = normal_form(puzzle)
    except InputError as error:
        raise CertificateRefused(f"puzzle: not a valid puzzle: {error}") from error
    if again != statement.text:
        raise CertificateRefused(
            "puzzle: satcal's own parser reads a different puzzle; please report it"
        )
    return puzzle


def proof_of(source: Source, reveal: Reveal, max_nodes: int, max_size: int) -> Proof:
    """The formula of one reveal and its tree as a proof for SAT checkers.

    Raises InputError if the certificate does not state it, or its areas differ.
    """
    for puzzle, statement, tokens in _trees(source, max_nodes):
        if any(tree.reveal == reveal for tree in statement.stated):
            trees = Trees(statement.puzzle, statement.stated, tokens)
            return Proof(puzzle, trees, reveal, max_size)
    raise InputError(
        f"--proof: the certificate says nothing about {said(reveal)}; name another reveal"
    )


@cache
def _library() -> list[tuple[str, Puzzle]]:
    return [(name, load(name)) for name in library()]


def same_puzzle(one: Puzzle, other: Puzzle) -> bool:
    """Whether two puzzles have the same board, labels and pieces, whatever their dates."""
    same = attrgetter("cells", "labels", "categories", "drawn")
    return bool(same(one) == same(other))


def check_within(
    source: Source,
    checkers: Sequence[str] = (),
    *,
    max_nodes: int = MAX_NODES,
    max_size: int = MAX_SIZE,
    memory: int = MEMORY,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Report:
    """Check what a stranger has sent, in a process of its own, as :func:`check` does.

    Raises Stopped, too, if its memory (bytes) or time does not suffice.
    """
    asked = (source, tuple(checkers), max_nodes, max_size)
    report_step = progress or _unheard
    try:
        return bounded(
            _check_aloud,
            *asked,
            memory=memory,
            seconds=seconds,
            on_message=report_step,
        )
    except BudgetExhausted as error:
        raise BudgetExhausted(
            f"not fully checked within {seconds:g} s; raise --time-limit"
        ) from error
    except MemoryError as error:
        raise Stopped("not fully checked: out of memory; raise --memory-limit") from error


def _check_aloud(
    source: Source,
    checkers: Sequence[str],
    max_nodes: int,
    max_size: int,
    tell: Callable[[tuple[int, int, str]], None],
) -> Report:
    """Check in a child, and tell its parent now and then how far that is."""
    last = 0.0

    def progress(*step: Any) -> None:
        nonlocal last
        if time.monotonic() - last >= TELL_EVERY:
            last = time.monotonic()
            tell(step)

    return check(source, checkers, max_nodes, max_size, progress)
