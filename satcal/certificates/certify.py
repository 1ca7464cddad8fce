"""Making certificates: statement by statement, and checked as a whole before they have a name.

A statement holds so many reveals that what its trees have in common takes some hundred megabytes
in the maker, and a few in a checker. Where it ends depends on the puzzle and its reveals alone, so
that a file has the same bytes however many cores made it.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from satcal.certificates.trees import Known, grow, write
from satcal.errors import CertificateRefused, Disagreement, SatcalError, quoted
from satcal.files import check_output, failing, locking, make_folder, write_bytes
from satcal.processes import NO_LIMIT
from satcal.progress import Progress
from satcal.proof.board import Board
from satcal.proof.check import BLOCK, FIRST_LINE, Statement, check, opened, proved
from satcal.proof.normal import quoted as in_quotes
from satcal.proof.normal import read
from satcal.proof.walk import Stated
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.writing import to_toml
from satcal.tabular import render

FIRST = f"{FIRST_LINE}\n".encode()
MOST_TREES = 500_000
"""Trees that a statement's maker remembers, some 200 MB. All reveals of a-puzzle-a-day are one
statement; of rhombus, of which dates have little in common, some thirty are."""
MANIFEST = "manifest.csv"


class Planned(NamedTuple):
    """A statement to be made: a puzzle in its normal form, and reveals of it."""

    text: str
    reveals: Sequence[Reveal]


def plan(puzzle: Puzzle, reveals: Sequence[Reveal]) -> list[Planned]:
    """The statements to be made, as large as the trees of the first reveal suggest."""
    text = normal_form(puzzle)
    if len(reveals) == 1:
        return [Planned(text, reveals)]
    known: Known = {}
    grow(Board(read(text)), reveals[0], known)
    size = max(1, MOST_TREES // max(1, len(known)))
    return [Planned(text, reveals[at : at + size]) for at in range(0, len(reveals), size)]


def normal_form(puzzle: Puzzle) -> str:
    """The text of a puzzle in a certificate, which proves nothing of dates."""
    return to_toml(replace(puzzle, calendar=Calendar()))


def certify(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> bytes:
    """The certificate of these reveals; an ``executor`` makes several statements at once."""
    return sealed(statements(plan(puzzle, reveals), executor, progress))


def statements(
    planned: Sequence[Planned],
    executor: Executor | None = None,
    progress: Progress | None = None,
    done: int = 0,
) -> Iterator[bytes]:
    """Yield the statements of a plan but for the first ones, which are ``done``."""
    in_order = executor.map if executor else map
    for index, made in enumerate(in_order(statement, planned[done:]), start=done):
        yield made
        if progress:
            progress(index + 1, len(planned), " ".join(planned[index].reveals[-1]))


def sealed(statements: Iterable[bytes]) -> bytes:
    """The certificate of these statements."""
    body = b"".join((FIRST, *statements))
    return body + last_line(hashlib.sha256(body).hexdigest())


def last_line(digest: str) -> bytes:
    """The line that ends a certificate."""
    return f"sha256 {digest}\n".encode()


def write_certificate(
    path: Path,
    planned: Sequence[Planned],
    executor: Executor | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> list[Stated]:
    """Write a certificate and return what it proves, as a checker found it before its rename.

    What is made is kept beside it, in a file that ends with ``.part``: a run that was stopped goes
    on from there when the same is asked again. A device, such as /dev/stdout, gets it whole.

    Raises:
        Stopped: another process is writing it, the disk is full, or a right is missing.
        FileTrouble: it is there, and ``force`` is not given.
        Disagreement: the checker refuses what was made.
    """
    check_output(path, force)
    if path.exists() and not path.is_file():
        with TemporaryDirectory() as folder:
            whole = Path(folder, "certificate")
            proved = write_certificate(whole, planned, executor, progress)
            write_bytes(path, whole.read_bytes())
        return proved
    part = path.with_name(f"{path.name}.part")
    with locking(path), failing(f"{quoted(path)}: cannot be written"):
        with open(part, "a+b") as file:
            done, digest = _kept(file, planned)
            for made in statements(planned, executor, progress, done):
                digest.update(made)
                file.write(made)
                file.flush()
            file.write(last_line(digest.hexdigest()))
        proved = executor.submit(prove, part).result() if executor else prove(part)
        if [tree.reveal for tree in proved] != [r for task in planned for r in task.reveals]:
            raise Disagreement(f"{part}: it does not prove what was asked for; please report it")
        check_output(path, force)
        os.replace(part, path)
    return proved


def prove(path: Path) -> list[Stated]:
    """Return what a file that satcal has made proves.

    Raises:
        Disagreement: the checker refuses it.
    """
    try:
        with open(path, "rb") as file:
            return [tree for made in check(file, NO_LIMIT) for tree in made.stated]
    except CertificateRefused as error:
        raise Disagreement(f"satcal's own checker refuses what it made: {error}") from error


def write_folder(
    folder: Path,
    asked: Iterable[tuple[str, Puzzle, Reveal, range]],
    executor: Executor | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> int:
    """Write a certificate of one reveal for each puzzle, and ``manifest.csv``; return how many.

    Each puzzle has a name for its file. What is proved of it must lie in its range, because it was
    counted in another way before.

    Raises:
        Disagreement: it does not.
    """
    tasks = [(folder, *one, force) for one in asked]
    make_folder(folder)
    rows = []
    for done, row in enumerate((executor.map if executor else map)(_write_one, tasks), start=1):
        rows.append(row)
        if progress:
            progress(done, len(tasks), row["file"])
    if rows:
        text = "".join(render(rows, list(rows[0]), "csv"))
        write_bytes(folder / MANIFEST, text.encode(), force)
    return len(rows)


def _write_one(task: tuple[Path, str, Puzzle, Reveal, range, bool]) -> dict[str, str]:
    """Write a certificate of a folder; return its row of the manifest."""
    folder, name, puzzle, reveal, allowed, force = task
    path = folder / f"{name}.satcert"
    (tree,) = write_certificate(path, plan(puzzle, [reveal]), force=force)
    if tree.tilings not in allowed:
        raise Disagreement(
            f"{quoted(path)}: it proves {tree.tilings:,} tilings, but the diagram finds another "
            "number; please report it"
        )
    return {
        "file": path.name,
        "puzzle": puzzle.digest,
        "reveal": " ".join(reveal),
        "tilings": str(tree.tilings),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def _kept(file: BinaryIO, planned: Sequence[Planned]) -> tuple[int, hashlib._Hash]:
    """How many of the statements a file begins with; its digest, once it is cut off after them."""
    file.seek(0)
    done, size = 0, 0
    with suppress(SatcalError):  # what is damaged, and all after it, is made again
        for made in proved(file, NO_LIMIT):
            there = Planned(made.text, [tree.reveal for tree in made.stated])
            if [there] != [task._replace(reveals=[*task.reveals]) for task in planned[done:][:1]]:
                break
            done, size = done + 1, file.tell()
    file.truncate(size)
    if not done:
        file.write(FIRST)
        file.flush()
    file.seek(0)
    digest = hashlib.sha256()
    for block in iter(partial(file.read, BLOCK), b""):
        digest.update(block)
    return done, digest


def stated(path: Path) -> Iterator[Statement]:
    """Yield what a certificate states, which nothing but its digest is checked of."""
    with failing(f"certificate {path}"), open(path, "rb") as file:
        for statement, blocks in opened(file, NO_LIMIT):
            for _ in blocks:  # up to the next statement, and to the digest
                pass
            yield statement


def statement(task: Planned) -> bytes:
    """One statement: a puzzle's normal form, what is stated of each reveal, and the trees.

    Raises TooLarge for too many placements.
    """
    text, reveals = task
    board = Board(read(text))
    known: Known = {}
    roots = [grow(board, reveal, known) for reveal in reveals]
    trees = list(map(write, roots))  # when all are grown, as the last may use what the first has
    puzzle = text.encode()
    lines = [
        f"reveal{''.join(f' {in_quotes(label)}' for label in reveal)} "
        f"tilings {tree.tilings} nodes {tree.nodes} marks {tree.marks}\n"
        for reveal, tree in zip(reveals, trees, strict=True)
    ]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1)
    packed = packer.compress(b"".join(tree.tokens for tree in trees)) + packer.flush()
    head = f"puzzle {len(puzzle)}\n".encode() + puzzle + "".join(lines).encode()
    return head + f"trees {len(packed)}\n".encode() + packed
