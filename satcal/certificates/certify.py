"""Making certificates: group by group, and checked as a whole before they get their name.

A group holds so many reveals that what its trees have in common takes some hundred megabytes in the
maker, and fewer in a checker. Where it ends depends on the puzzle and its reveals alone, so a file
has the same bytes however many cores made it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from io import BytesIO
from itertools import repeat
from pathlib import Path

from satcal.certificates.trees import Known, grow, write
from satcal.errors import CertificateRefused, Disagreement, TooLarge, printable
from satcal.files import drafting, make_folder, read_bytes, write_bytes
from satcal.progress import Progress, ignore
from satcal.proof.board import Board
from satcal.proof.check import FIRST_LINE, MAX_MARKS, MAX_NODES, MAX_WORK, Proved, bound, check
from satcal.proof.normal import parse_normal_form
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.normal import normal_form
from satcal.puzzle.normal import quote as in_quotes
from satcal.tabular import render

MAX_TREES = 500_000
"""Trees that a group's maker remembers, some 200 MB. All reveals of a-puzzle-a-day are one group;
of rhombus, whose dates have little in common, some thirty are."""
MANIFEST = "manifest.csv"
LAST_BYTES = bytes(range(128, 256))
"""What is not the last byte of a token."""


def plan(text: str, reveals: Sequence[Reveal]) -> list[Sequence[Reveal]]:
    """Return the reveals of each group, as many as the trees of the first reveal suggest."""
    if len(reveals) == 1:
        return [reveals]
    known: Known = {}
    grow(Board(parse_normal_form(text)), reveals[0], known)
    size = max(1, MAX_TREES // max(1, len(known)))
    return [reveals[at : at + size] for at in range(0, len(reveals), size)]


def make_group(text: str, reveals: Sequence[Reveal]) -> bytes:
    """Return a group: what is stated of its trees and of each reveal, and the trees.

    Raises:
        TooLarge: it is beyond what checkers accept.
    """
    board = Board(parse_normal_form(text))
    known: Known = {}
    roots = [grow(board, reveal, known) for reveal in reveals]
    tokens, marks, work = write(roots)
    nodes = len(tokens.translate(None, delete=LAST_BYTES))
    bound(nodes, MAX_NODES, "nodes of a group")
    bound(marks, MAX_MARKS, "marks of a group")
    bound(work, MAX_WORK, "work of a group")
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1)
    packed = packer.compress(tokens) + packer.flush()
    sizes = f"reveals {len(roots)} nodes {nodes} marks {marks} work {work} trees {len(packed)}"
    lines = [f"group {sizes}\n"]
    for reveal, root in zip(reveals, roots, strict=True):
        labels = "".join(f" {in_quotes(label)}" for label in reveal)
        lines.append(f"reveal{labels} tilings {root.tilings}\n")
    return "".join(lines).encode() + packed


def make_or_read(text: str, reveals: Sequence[Reveal], folder: Path | None) -> bytes:
    """Return a group that is kept in a folder; make it if it is not there yet."""
    if folder is None:
        return make_group(text, reveals)
    path = folder / f"{hashlib.sha256(repr((text, reveals)).encode()).hexdigest()}.group"
    if path.exists():
        return read_bytes(path, "group")
    group = make_group(text, reveals)
    write_bytes(path, group)
    return group


def make_certificate(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    step: Progress = ignore,
    folder: Path | None = None,
) -> tuple[bytes, Proved]:
    """Return the certificate of these reveals, and what the checker says that it proves.

    An ``executor`` makes several groups at once; with a ``folder`` they are kept there.

    Raises:
        Disagreement: the checker refuses what was made.
        TooLarge: it is beyond what checkers accept.
    """
    text = normal_form(puzzle)
    planned = plan(text, reveals)
    if len(planned) == 1:
        folder = None
    if folder:
        make_folder(folder)
    groups: list[bytes] = []
    in_order = executor.map if executor else map
    for group in in_order(make_or_read, repeat(text), planned, repeat(folder)):
        step(len(groups) + 1, len(planned), " ".join(planned[len(groups)][-1]))
        groups.append(group)
    data = assemble(text, len(reveals), groups)
    # in a worker, so that what it takes to check is not in this process
    proving = executor.submit(prove, data, text, reveals) if executor else None
    return data, proving.result() if proving else prove(data, text, reveals)


def certify(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    step: Progress = ignore,
) -> bytes:
    """Return the certificate of these reveals, checked; raise as :func:`make_certificate`."""
    return make_certificate(puzzle, reveals, executor, step)[0]


def assemble(text: str, reveals: int, groups: Sequence[bytes]) -> bytes:
    """Return a certificate: its head, which has the sums, its puzzle, its groups and its digest."""
    work = sum(int(group.split(None, 9)[8]) for group in groups)  # the fourth number of its line
    puzzle = text.encode()
    head = f"puzzle {len(puzzle)} groups {len(groups)} reveals {reveals} work {work}\n"
    body = b"".join([f"{FIRST_LINE}\n{head}".encode(), puzzle, *groups])
    return body + f"sha256 {hashlib.sha256(body).hexdigest()}\n".encode()


def prove(data: bytes, text: str, reveals: Sequence[Reveal]) -> Proved:
    """Return what a certificate that satcal has made proves.

    Raises:
        Disagreement: the checker refuses it, or it proves something else.
    """
    try:
        proved = check(BytesIO(data), text)
    except CertificateRefused as error:
        raise Disagreement(
            f"satcal's own checker refuses what it made: {error}; please report it"
        ) from error
    if list(proved.tilings) != list(reveals):
        raise Disagreement("the certificate does not prove what was asked for; please report it")
    return proved


def write_certificate(
    path: Path,
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    step: Progress = ignore,
    force: bool = False,
) -> Proved:
    """Write a certificate, and return what it proves, as found before it gets its name.

    Of several groups, those that are made are kept beside it, in a folder that ends with ``.part``:
    a run that was stopped goes on from there when the same is asked again.

    Raises:
        Stopped: another process is writing it, the disk is full, or a right is missing.
        FileTrouble: it is there, and ``force`` is not given.
        Disagreement, TooLarge: as :func:`make_certificate`.
    """
    device = path.exists() and not path.is_file()
    folder = None if device else path.with_name(f"{path.name}.part")
    with drafting(path, force) as draft:
        try:
            data, proved = make_certificate(puzzle, reveals, executor, step, folder)
        except (Disagreement, TooLarge):
            if folder:
                remove_groups(folder)  # what was kept may be damaged, or is of no use
            raise
        draft.write(data)
    if folder and folder.is_dir():
        remove_groups(folder)
    return proved


def remove_groups(folder: Path) -> None:
    """Remove what a folder has kept, and the folder if it is empty then."""
    for group in folder.glob("*.group"):
        group.unlink()
    with suppress(OSError):
        folder.rmdir()


def write_folder(
    folder: Path,
    asked: Iterable[tuple[str, Puzzle, Reveal, range]],
    executor: Executor | None = None,
    step: Progress = ignore,
    force: bool = False,
) -> int:
    """Write a certificate of one reveal for each puzzle, and ``manifest.csv``; return how many.

    Each puzzle comes with a name for its file. What is proved of it must lie in its range, because
    it was counted in another way before.

    Raises:
        Disagreement: it does not.
    """
    tasks = [(folder, *one, force) for one in asked]
    make_folder(folder)
    rows = []
    for done, row in enumerate((executor.map if executor else map)(write_one, tasks), start=1):
        rows.append(row)
        step(done, len(tasks), row["file"])
    if rows:
        text = "".join(render(rows, list(rows[0]), "csv"))
        write_bytes(folder / MANIFEST, text.encode(), force)
    return len(rows)


def write_one(task: tuple[Path, str, Puzzle, Reveal, range, bool]) -> dict[str, str]:
    """Write a certificate of a folder; return its row of the manifest."""
    folder, name, puzzle, reveal, allowed, force = task
    path = folder / f"{name}.satcert"
    proved = write_certificate(path, puzzle, [reveal], force=force)
    tilings = proved.tilings[reveal]
    if tilings not in allowed:
        raise Disagreement(
            f"{printable(path)}: it proves {tilings:,} tilings, but the diagram finds another "
            "number; please report it"
        )
    return {
        "file": path.name,
        "puzzle": puzzle.digest,
        "reveal": " ".join(reveal),
        "tilings": str(tilings),
        "sha256": proved.sha256,
    }
