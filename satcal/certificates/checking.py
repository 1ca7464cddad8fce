"""Checking certificates: by the trusted base and by others, within limits; and what is reported.

A report gives no number without its puzzle. Which puzzle that is, satcal says: the one that was
named, or the library's with the same digest; else the puzzle is drawn.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from satcal.certificates import opinions
from satcal.certificates.lrat import Proof, walk_trees
from satcal.errors import BudgetExhausted, InputError, Stopped, printable
from satcal.files import failing, read_bytes
from satcal.processes import run_bounded, tell
from satcal.progress import Progress, ignore
from satcal.proof import check as trusted
from satcal.proof.check import Certificate
from satcal.proof.normal import ParsedPuzzle, digest
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Label, Piece, Puzzle, Reveal
from satcal.puzzle.normal import normal_form
from satcal.puzzle.shapes import normalise
from satcal.version import __version__

OWN = f"satcal {__version__}"
MEMORY = 4 * 1024**3
SECONDS = 3600.0
MAX_LINES = 40
"""Reveals that a report lists; a table lists all."""
SHORT = 16
"""Digits of a digest that people read, as `satcal boards` prints it."""
Source = Path | bytes
"""A certificate: its file, or all of its bytes."""


@dataclass(frozen=True)
class Report:
    """What a certificate proves.

    ``text`` is that of its puzzle, ``tilings`` are the numbers proved, ``sha256`` is the digest of
    the whole file, ``name`` is our name for the puzzle (None if we have none), and ``checkers`` has
    the seconds that each checker took.
    """

    text: str
    tilings: Mapping[Reveal, int]
    nodes: int
    bytes: int
    sha256: str
    name: str | None
    checkers: Mapping[str, float]

    @property
    def digest(self) -> str:
        """The digest of the puzzle."""
        return digest(self.text)

    @property
    def whose(self) -> str:
        """The puzzle in the words that stand before each number."""
        return self.name or f"puzzle {self.digest[:SHORT]}"

    def summary(self) -> str:
        """Return what is accepted, in one line."""
        total = with_noun(sum(self.tilings.values()), "tiling")
        what = (
            f"{len(self.tilings):,} reveals"
            if len(self.tilings) > 1
            else format_reveal(*self.tilings)
        )
        drawn = "" if self.name else ", which is not in the library"
        return f"{self.whose}{drawn}: {what}, {total}; digest {self.digest[:SHORT]}"

    def lines(self, only: Collection[Reveal] = ()) -> Iterator[str]:
        """Yield the report as text, by default with the first reveals."""
        if not self.name:
            yield from self.drawing()
        reveals = [reveal for reveal in self.tilings if not only or reveal in only]
        yield from self.numbers(reveals if only else reveals[:MAX_LINES])
        if not only and len(reveals) > MAX_LINES:
            yield f"and {len(reveals) - MAX_LINES:,} more reveals; --format csv lists all"
        by = ", ".join(f"{name} ({spent:.1f} s)" for name, spent in self.checkers.items())
        size = f"{with_noun(self.bytes, 'byte')}, {with_noun(self.nodes, 'node')}"
        yield f"{size}; checked by {by}"

    def numbers(self, reveals: Collection[Reveal]) -> Iterator[str]:
        """Yield the number of each of these reveals, with its puzzle."""
        for reveal in reveals:
            tilings = with_noun(self.tilings[reveal], "tiling")
            yield f"{self.whose}: {format_reveal(reveal)}: exactly {tilings}"

    def drawing(self) -> Iterator[str]:
        """Yield the board and the pieces, and what the file calls itself."""
        name, _, rest = self.text.partition("\n")
        yield f"calls itself {name.removeprefix('name = ')}"
        for line in rest.splitlines():
            yield re.sub(r'[^\s",]*[^\x00-\x7f][^\s",]*', lambda word: isolate(word[0]), line)

    def rows(self, only: Collection[Reveal] = ()) -> Iterator[dict[str, object]]:
        """Yield a record for each reveal, with its puzzle."""
        for reveal, tilings in self.tilings.items():
            if not only or reveal in only:
                yield {
                    "puzzle": self.name or "",
                    "digest": self.digest,
                    "reveal": " ".join(reveal),
                    "tilings": tilings,
                }


def format_reveal(reveal: Reveal) -> str:
    """Return a reveal for a report; a label that could be taken for other text is quoted."""
    labels = (label if re.fullmatch(r"[\w.-]+", label) else f'"{label}"' for label in reveal)
    return " ".join(map(isolate, labels)) or "the board"


def isolate(text: str) -> str:
    """Return a text that does not move what stands beside it, in whatever direction it is written.

    >>> isolate("Oct"), len(isolate("אוק"))
    ('Oct', 5)
    """
    return text if text.isascii() else f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def with_noun(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def check(
    source: Source,
    checkers: Sequence[str] = (),
    *,
    board: Puzzle | None = None,
    step: Progress = ignore,
) -> Report:
    """Return what a certificate proves; all ``checkers`` must accept it as well.

    It has to be about the ``board``, if one is named.

    Raises:
        CertificateRefused, TooLarge: as :func:`satcal.proof.check.check`.
        Missing: a checker is not installed.
        Stopped: a checker gave no verdict.
    """
    began = time.perf_counter()
    names = opinions.parse_checkers(checkers)
    if names and not isinstance(source, bytes):  # all are asked about the same bytes
        source = read_bytes(source, "certificate")
    with open_source(source) as stream:
        wanted = normal_form(board) if board else None
        proved = trusted.check(stream, wanted, lambda done, total: step(done, total, "work"))
    spent = {OWN: time.perf_counter() - began}
    for name in names:
        began = time.perf_counter()
        ask_about(name, source)
        spent[name] = time.perf_counter() - began
    known = board.name if board else library_names().get(digest(proved.text))
    return Report(*proved, known, spent)


def open_source(source: Source) -> AbstractContextManager[BinaryIO]:
    """Open a certificate.

    Raises:
        FileTrouble: it cannot be read.
    """
    if isinstance(source, bytes):
        return BytesIO(source)
    with failing(f"certificate {printable(source)}"):
        return open(source, "rb")


@cache
def library_names() -> dict[str, str]:
    """Return the names of the library's puzzles by their digests."""
    return {load(name).digest: name for name in library()}


def puzzle_of(written: ParsedPuzzle) -> Puzzle:
    """Return the puzzle that a certificate is about, which proves nothing about dates."""
    labels = {  # in the order of their categories, as the diagram has them
        text: Label(text, name, written.labels[text])
        for name, texts in written.categories.items()
        for text in texts
    }
    return Puzzle(
        written.name,
        written.cells,
        labels,
        written.categories,
        tuple(
            Piece(piece.name, normalise(piece.squares), piece.copies, piece.flip)
            for piece in written.pieces
        ),
        Calendar(),
    )


def ask_about(name: str, source: Source) -> None:
    """Have another checker follow the trees of a certificate that ours has accepted.

    Raises:
        CertificateRefused: it refuses one.
        Stopped: it gives no verdict.
    """
    with open_source(source) as stream:
        file = Certificate(stream)
        puzzle = puzzle_of(file.board.puzzle)
        for group in file.groups():
            # where areas differ there is no tree, and nothing left to prove
            grown = [r for r in group.stated if file.board.adds_up(file.board.begin(r)[0])]
            if not grown:
                continue
            if name == opinions.VERIFIED:
                stated = {reveal: group.stated[reveal] for reveal in grown}
                opinions.ask_verified(puzzle, stated, bytes(group.tokens))
                continue
            walk = walk_trees(file.board, group)
            for reveal in grown:
                opinions.ask(name, Proof(puzzle, walk, reveal), format_reveal(reveal))


def proof_of(source: Source, reveal: Reveal) -> Proof:
    """Return the formula of one reveal and its tree as a proof for SAT checkers.

    Raises:
        InputError: the certificate does not state it, or its areas differ.
    """
    with open_source(source) as stream:
        file = Certificate(stream)
        for group in file.groups():
            if reveal in group.stated:
                return Proof(puzzle_of(file.board.puzzle), walk_trees(file.board, group), reveal)
    raise InputError(
        f"--proof: the certificate says nothing about {format_reveal(reveal)}; name another reveal"
    )


def read_unchecked(path: Path) -> tuple[str, dict[Reveal, int]]:
    """Return the digest of a certificate's puzzle and what it states, which is not checked."""
    tilings: dict[Reveal, int] = {}
    with open_source(path) as stream:
        file = Certificate(stream)
        for group in file.groups():
            tilings |= group.stated
    return digest(file.text), tilings


def check_within(
    source: Source,
    checkers: Sequence[str] = (),
    *,
    board: Puzzle | None = None,
    memory: int = MEMORY,
    seconds: float = SECONDS,
    step: Progress = ignore,
) -> Report:
    """Check what a stranger has sent, in a process of its own, as :func:`check` does.

    Raises:
        Stopped: its memory (bytes) or time does not suffice, besides what :func:`check` raises.
    """
    try:
        return run_bounded(
            check_aloud,
            source,
            tuple(checkers),
            board,
            memory=memory,
            seconds=seconds,
            on_message=step,
        )
    except BudgetExhausted as error:
        raise BudgetExhausted(
            f"not fully checked within {seconds:g} s; raise --time-limit"
        ) from error
    except MemoryError as error:
        raise Stopped("not fully checked: out of memory; raise --memory-limit") from error


def check_aloud(source: Source, checkers: Sequence[str], board: Puzzle | None) -> Report:
    """Check in a child, and tell its parent after each group how far that is."""
    return check(source, checkers, board=board, step=lambda *event: tell(event))
