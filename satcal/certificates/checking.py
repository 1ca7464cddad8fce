"""The check of certificates by the trusted base and by other checkers, and its report.

A report shows each number with its puzzle. The name of the puzzle is that of the user's board, or
of the library's puzzle with the same digest, never that in the file. A puzzle without such a name
is drawn. No screen shows text of the file as a verdict: its lines are short and begin with a mark.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import satcal.proof.check
from satcal.certificates.sources import Source, format_reveal, isolate, open_source, quote_labels
from satcal.errors import BudgetExhausted, Stopped
from satcal.files import read_bytes
from satcal.processes import MAX_SECONDS, Call, LocalProcesses, tell
from satcal.progress import Progress, ignore
from satcal.proof.normal import digest, find_quoted, parse_normal_form
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.normal import DIGEST_DIGITS
from satcal.tabular import count_of
from satcal.version import __version__

OWN = f"satcal {__version__}"
MEMORY = 4 * 1024**3
SECONDS = 3600.0
SENT_LINES = 1000  # of a proof in one message: a message for each line takes longer than the proof
MAX_LINES = 40
"""Reveals that a report lists; a table lists all."""
MAX_SHOWN = 60
"""Characters of a puzzle's name that a report shows."""
COLUMNS = 76
MARK = "| "
"""The beginning of each line with text of the file, which no line of a verdict has."""


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
        return cut(self.name) if self.name else f"puzzle {self.digest[:DIGEST_DIGITS]}"

    def summary(self) -> str:
        """Return the result in one line."""
        total = count_of(sum(self.tilings.values()), "tiling")
        categories = parse_normal_form(self.text).categories.values()
        reveals = f"{len(self.tilings):,} of {count_of(math.prod(map(len, categories)), 'reveal')}"
        if self.name and len(self.tilings) == 1:
            reveals = format_reveal(*self.tilings)
        if not self.name:
            return f"{self.puzzle_name}, which is not in the library: {reveals}, {total}"
        return f"{self.puzzle_name}: {reveals}, {total}; digest {self.digest[:DIGEST_DIGITS]}"

    def lines(self, selection: Collection[Reveal] = ()) -> Iterator[str]:
        """Yield the lines of the report; without a selection, at most ``MAX_LINES`` reveals."""
        if not self.name:
            yield from self.drawing()
        yield from self.numbers(selection or list(self.tilings)[:MAX_LINES])
        if not selection and len(self.tilings) > MAX_LINES:
            yield f"and {len(self.tilings) - MAX_LINES:,} more reveals; --date names some"
        checkers = ", ".join(f"{name} ({time:.1f} s)" for name, time in self.checkers.items())
        size = f"{count_of(self.bytes, 'byte')}, {count_of(self.nodes, 'node')}"
        yield f"{size}; checked by {checkers}"

    def numbers(self, reveals: Collection[Reveal]) -> Iterator[str]:
        """Yield for each of these reveals a line with its puzzle and its tilings.

        If its labels are too long for that, they are in marked lines before it.
        """
        for reveal in reveals:
            tilings = count_of(self.tilings[reveal], "tiling")
            labels = quote_labels(reveal)
            lines = list(fold(f"{self.puzzle_name}: {labels}: exactly {tilings}"))
            if len(lines) > 1:  # a number is never cut
                this = f"{self.puzzle_name}: this reveal: exactly {tilings}"
                lines = [*fold(MARK + labels), isolate(this)]
            yield from lines

    def drawing(self) -> Iterator[str]:
        """Yield the name in the file, the board and the pieces, line by line."""
        name, *drawing = self.text.split("\n")[:-1]
        for line in (f'calls itself "{cut(*find_quoted(name))}"', *drawing):
            yield from fold(MARK + line)


def cut(name: str) -> str:
    """Return a name, or the first ``MAX_SHOWN`` characters of it."""
    return name if len(name) <= MAX_SHOWN else name[: MAX_SHOWN - 1] + "…"


def fold(line: str) -> Iterator[str]:
    """Yield a line in parts of at most ``COLUMNS``; each but the first begins with ``MARK``.

    So no terminal folds it and shows a part as a line of its own. A character beyond ASCII may take
    two columns.

    >>> list(fold("a" * 78))[1:]
    ['| aa']
    """
    part, columns = "", 0
    for character in line:
        width = 1 if character.isascii() else 2
        if columns + width > COLUMNS:
            yield isolate(part)
            part, columns = MARK, len(MARK)
        part += character
        columns += width
    yield isolate(part)


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
    names: list[str] = []
    if checkers:  # few checks need the modules of formulas
        from satcal.certificates import second_opinions

        names = second_opinions.parse_checkers(checkers)
    if names and not isinstance(source, bytes):  # all checkers must get the same bytes
        source = read_bytes(source, "certificate")
    with open_source(source) as stream:
        text = board.normal_form() if board else None
        result = satcal.proof.check.check(
            stream, text, lambda work, total: step(work, total, "work")
        )
    seconds = {OWN: time.perf_counter() - start}
    for name in names:
        start = time.perf_counter()
        second_opinions.ask_checker(name, source)
        seconds[name] = time.perf_counter() - start
    board_name = board.name if board else library_names().get(digest(result.text))
    return Report(*result, board_name, seconds)


@cache
def library_names() -> dict[str, str]:
    """Return the names of the library's puzzles by their digests."""
    return {load(name).digest: name for name in library()}


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
        Stopped: a limit is exceeded, or an error of :func:`check`.
    """
    call = Call(check_with_messages, (source, tuple(checkers), board))
    report: Report = run_within(
        "not fully checked", call, memory, seconds, lambda message: step(*message)
    )
    return report


def run_within(
    failure: str, call: Call, memory: int, seconds: float, on_message: Callable[[Any], object]
) -> Any:
    """Run a call in a process with limits; say how to raise a limit that is exceeded.

    Raises:
        Stopped: a limit is exceeded (the text begins with ``failure``), or an error of the call.
    """
    until = time.monotonic() + min(seconds, MAX_SECONDS)
    try:
        with LocalProcesses(1, memory=memory) as processes:
            return processes.run(call, until=until, on_message=on_message)
    except BudgetExhausted as error:
        raise BudgetExhausted(f"{failure} in time; raise --time-limit") from error
    except MemoryError as error:
        raise Stopped(f"{failure}: out of memory; raise --memory-limit") from error
    except ImportError as error:  # a module of formulas has no room
        reason = str(error).strip().rpartition("\n")[2]
        raise Stopped(f"{failure}: {reason}; raise --memory-limit") from error


def check_with_messages(source: Source, checkers: Sequence[str], board: Puzzle | None) -> Report:
    """Check in a child process, and send its progress to the parent."""
    return check(source, checkers, board=board, step=lambda *event: tell(event))


def proof_parts(source: Source, reveal: Reveal, form: str) -> Iterator[tuple[int, str]]:
    """Yield the text of a formula in parts, each with 0, then that of its proof, each with 1."""
    from satcal.certificates.lrat import read_proof  # slow to import

    proof = read_proof(source, reveal)
    for number, lines in enumerate((proof.formula(form), proof.lines(form))):
        while part := "".join(itertools.islice(lines, SENT_LINES)):
            yield number, part
