"""The check of certificates by the trusted base and by other checkers, and its report.

A report shows each number with its puzzle. The name of the puzzle is that of the user's board, or
of the library's puzzle with the same digest, never that in the file. A puzzle without such a name
is drawn.
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

from satcal.certificates import second_opinions
from satcal.certificates.lrat import Proof, walk_trees
from satcal.errors import BudgetExhausted, InputError, Stopped, printable
from satcal.files import failing, read_bytes
from satcal.processes import run_bounded, tell
from satcal.progress import Progress, ignore
from satcal.proof import check as proof_check
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
DIGEST_DIGITS = 16
"""Digits of a digest in text for people, as in `satcal boards`."""
Source = Path | bytes
"""A certificate: its file, or its bytes."""


@dataclass(frozen=True)
class Report:
    """The result of checking a certificate.

    ``text`` is the puzzle's text, ``tilings`` are the proved numbers, ``sha256`` is the digest of
    the whole file, ``name`` is satcal's name for the puzzle or None, and ``checkers`` maps the name
    of each checker to the seconds that it took.
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
    def puzzle_name(self) -> str:
        """The name of the puzzle, or else its digest."""
        return self.name or f"puzzle {self.digest[:DIGEST_DIGITS]}"

    def summary(self) -> str:
        """Return the result in one line."""
        total = with_noun(sum(self.tilings.values()), "tiling")
        reveals = (
            f"{len(self.tilings):,} reveals"
            if len(self.tilings) > 1
            else format_reveal(*self.tilings)
        )
        remark = "" if self.name else ", which is not in the library"
        digest = self.digest[:DIGEST_DIGITS]
        return f"{self.puzzle_name}{remark}: {reveals}, {total}; digest {digest}"

    def lines(self, selection: Collection[Reveal] = ()) -> Iterator[str]:
        """Yield the lines of the report; without a selection, at most ``MAX_LINES`` reveals."""
        if not self.name:
            yield from self.drawing()
        reveals = [reveal for reveal in self.tilings if not selection or reveal in selection]
        yield from self.numbers(reveals if selection else reveals[:MAX_LINES])
        if not selection and len(reveals) > MAX_LINES:
            yield f"and {len(reveals) - MAX_LINES:,} more reveals; --format csv lists all"
        checkers = ", ".join(f"{name} ({time:.1f} s)" for name, time in self.checkers.items())
        size = f"{with_noun(self.bytes, 'byte')}, {with_noun(self.nodes, 'node')}"
        yield f"{size}; checked by {checkers}"

    def numbers(self, reveals: Collection[Reveal]) -> Iterator[str]:
        """Yield a line for each of these reveals, with its puzzle and its tilings."""
        for reveal in reveals:
            tilings = with_noun(self.tilings[reveal], "tiling")
            yield f"{self.puzzle_name}: {format_reveal(reveal)}: exactly {tilings}"

    def drawing(self) -> Iterator[str]:
        """Yield the name in the file, the board and the pieces, line by line."""
        name, _, drawing = self.text.partition("\n")
        yield f"calls itself {name.removeprefix('name = ')}"
        for line in drawing.splitlines():
            yield re.sub(r'[^\s",]*[^\x00-\x7f][^\s",]*', lambda word: isolate(word[0]), line)

    def rows(self, selection: Collection[Reveal] = ()) -> Iterator[dict[str, object]]:
        """Yield a row of a table for each reveal, or for those of a selection."""
        for reveal, tilings in self.tilings.items():
            if not selection or reveal in selection:
                yield {
                    "puzzle": self.name or "",
                    "digest": self.digest,
                    "reveal": " ".join(reveal),
                    "tilings": tilings,
                }


def format_reveal(reveal: Reveal) -> str:
    """Return a reveal for a report; quote a label with other characters than words have."""
    labels = (label if re.fullmatch(r"[\w.-]+", label) else f'"{label}"' for label in reveal)
    return " ".join(map(isolate, labels)) or "the board"


def isolate(text: str) -> str:
    """Return a text whose direction of writing does not move the text beside it.

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
    """Check a certificate with the trusted base and all ``checkers``; return what it proves.

    If a ``board`` is given, the certificate must be about it.

    Raises:
        CertificateRefused, TooLarge: as :func:`satcal.proof.check.check`.
        Missing: a checker is not installed.
        Stopped: a checker gave no verdict.
    """
    start = time.perf_counter()
    names = second_opinions.parse_checkers(checkers)
    if names and not isinstance(source, bytes):  # all checkers must get the same bytes
        source = read_bytes(source, "certificate")
    with open_source(source) as stream:
        text = normal_form(board) if board else None
        result = proof_check.check(stream, text, lambda work, total: step(work, total, "work"))
    seconds = {OWN: time.perf_counter() - start}
    for name in names:
        start = time.perf_counter()
        ask_checker(name, source)
        seconds[name] = time.perf_counter() - start
    board_name = board.name if board else library_names().get(digest(result.text))
    return Report(*result, board_name, seconds)


def open_source(source: Source) -> AbstractContextManager[BinaryIO]:
    """Open a certificate.

    Raises:
        FileTrouble: the file cannot be read.
    """
    if isinstance(source, bytes):
        return BytesIO(source)
    with failing(f"certificate {printable(source)}"):
        return open(source, "rb")


@cache
def library_names() -> dict[str, str]:
    """Return the names of the library's puzzles by their digests."""
    return {load(name).digest: name for name in library()}


def convert_puzzle(parsed: ParsedPuzzle) -> Puzzle:
    """Return the puzzle of a certificate, without its calendar, which certificates do not have."""
    labels = {  # in canonical order, as in every puzzle
        text: Label(text, name, parsed.labels[text])
        for name, texts in parsed.categories.items()
        for text in texts
    }
    return Puzzle(
        parsed.name,
        parsed.cells,
        labels,
        parsed.categories,
        tuple(
            Piece(piece.name, normalise(piece.squares), piece.copies, piece.flip)
            for piece in parsed.pieces
        ),
        Calendar(),
    )


def ask_checker(name: str, source: Source) -> None:
    """Have another checker check the trees of a certificate that satcal has accepted.

    Raises:
        CertificateRefused: the checker refuses a tree.
        Stopped: the checker gives no verdict.
    """
    with open_source(source) as stream:
        file = Certificate(stream)
        board, puzzle = file.board, convert_puzzle(file.board.puzzle)
        for group in file.groups():
            # if the areas differ, the count is 0 and needs no tree
            stated_tilings = {
                reveal: tilings
                for reveal, tilings in group.stated_tilings.items()
                if board.areas_match(board.begin(reveal)[0])
            }
            if not stated_tilings:
                continue
            if name == second_opinions.VERIFIED:
                second_opinions.ask_verified(puzzle, stated_tilings, bytes(group.tokens))
                continue
            walk = walk_trees(board, group)
            for reveal in stated_tilings:
                second_opinions.ask(name, Proof(puzzle, walk, reveal), format_reveal(reveal))


def read_proof(source: Source, reveal: Reveal) -> Proof:
    """Return the formula of one reveal and its tree as a proof for SAT checkers.

    Raises:
        InputError: the certificate does not state the reveal, or its areas differ.
    """
    with open_source(source) as stream:
        file = Certificate(stream)
        for group in file.groups():
            if reveal in group.stated_tilings:
                puzzle = convert_puzzle(file.board.puzzle)
                return Proof(puzzle, walk_trees(file.board, group), reveal)
    raise InputError(
        f"--proof: the certificate says nothing about {format_reveal(reveal)}; name another reveal"
    )


def read_unchecked(path: Path) -> tuple[str, dict[Reveal, int]]:
    """Return the digest of a certificate's puzzle and its stated tilings, without checking it."""
    tilings: dict[Reveal, int] = {}
    with open_source(path) as stream:
        file = Certificate(stream)
        for group in file.groups():
            tilings |= group.stated_tilings
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
    """Check an untrusted certificate as :func:`check` does, in a process with limits.

    ``memory`` is in bytes.

    Raises:
        Stopped: a limit is exceeded; or an error of :func:`check`.
    """
    try:
        return run_bounded(
            check_with_messages,
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


def check_with_messages(source: Source, checkers: Sequence[str], board: Puzzle | None) -> Report:
    """Check in a child process, and send its progress to the parent."""
    return check(source, checkers, board=board, step=lambda *event: tell(event))
