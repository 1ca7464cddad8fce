"""Making certificates: group by group, and checked as a whole before they get their name.

A group holds so many reveals that what its trees have in common takes some hundred megabytes in the
maker, and fewer in a checker. Where it ends depends on the puzzle and its reveals alone, so a file
has the same bytes however many cores made it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from satcal.certificates.trees import Known, grow, write
from satcal.errors import CertificateRefused, Disagreement, TooLarge, quoted
from satcal.files import check_output, drafting, failing, make_folder, write_bytes
from satcal.progress import Progress, ignore
from satcal.proof.board import Board
from satcal.proof.check import FIRST_LINE, MAX_MARKS, MAX_NODES, MAX_WORK, Proved, check
from satcal.proof.normal import read
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.normal import normal_form
from satcal.puzzle.normal import quoted as in_quotes
from satcal.tabular import render

MAX_TREES = 500_000
"""Trees that a group's maker remembers, some 200 MB. All reveals of a-puzzle-a-day are one group;
of rhombus, whose dates have little in common, some thirty are."""
MANIFEST = "manifest.csv"
LAST_BYTES = bytes(range(128, 256))
"""What is not the last byte of a token."""


class Planned(NamedTuple):
    """A group to be made: a puzzle in its normal form, and reveals of it."""

    text: str
    reveals: Sequence[Reveal]


class Made(NamedTuple):
    """The bytes of a group, and its work."""

    data: bytes
    work: int


def plan(puzzle: Puzzle, reveals: Sequence[Reveal]) -> list[Planned]:
    """Return the groups to be made, as large as the trees of the first reveal suggest."""
    text = normal_form(puzzle)
    if len(reveals) == 1:
        return [Planned(text, reveals)]
    known: Known = {}
    grow(Board(read(text)), reveals[0], known)
    size = max(1, MAX_TREES // max(1, len(known)))
    return [Planned(text, reveals[at : at + size]) for at in range(0, len(reveals), size)]


def make_group(task: Planned) -> Made:
    """Return a group: what is stated of its trees and of each reveal, and the trees.

    Raises:
        TooLarge: it is beyond what checkers accept.
    """
    board = Board(read(task.text))
    known: Known = {}
    roots = [grow(board, reveal, known) for reveal in task.reveals]
    tokens, marks, work = write(roots)
    nodes = len(tokens.translate(None, delete=LAST_BYTES))
    for what, number, most in (
        ("nodes", nodes, MAX_NODES),
        ("marks", marks, MAX_MARKS),
        ("work", work, MAX_WORK),
    ):
        if number > most:
            raise TooLarge(
                f"certify: {number:,} {what}, and checkers accept {most:,}; name fewer dates"
            )
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1)
    packed = packer.compress(tokens) + packer.flush()
    sizes = f"reveals {len(roots)} nodes {nodes} marks {marks} work {work} trees {len(packed)}"
    lines = [f"group {sizes}\n"]
    for reveal, root in zip(task.reveals, roots, strict=True):
        labels = "".join(f" {in_quotes(label)}" for label in reveal)
        lines.append(f"reveal{labels} tilings {root.tilings}\n")
    return Made("".join(lines).encode() + packed, work)


def certify(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    step: Progress = ignore,
) -> bytes:
    """Return the certificate of these reveals, checked; an ``executor`` makes several groups.

    Raises:
        Disagreement: the checker refuses what was made.
    """
    planned, file = plan(puzzle, reveals), BytesIO()
    assemble(file, planned, list(make_groups(planned, executor, step)))
    prove(file, planned)
    return file.getvalue()


def make_groups(
    planned: Sequence[Planned], executor: Executor | None, step: Progress, done: int = 0
) -> Iterator[Made]:
    """Yield the groups of a plan but for the first ones, which are ``done``."""
    in_order = executor.map if executor else map
    for index, made in enumerate(in_order(make_group, planned[done:]), start=done):
        yield made
        step(index + 1, len(planned), " ".join(planned[index].reveals[-1]))


def assemble(file: BinaryIO, planned: Sequence[Planned], groups: Iterable[Made]) -> None:
    """Write a certificate: its head, which has the sums, its puzzle, its groups and its digest."""
    made = list(groups)
    puzzle = planned[0].text.encode()
    reveals, work = sum(len(task.reveals) for task in planned), sum(each.work for each in made)
    if work > MAX_WORK:
        raise TooLarge(
            f"certify: work {work:,}, and checkers accept {MAX_WORK:,}; name fewer dates"
        )
    head = f"puzzle {len(puzzle)} groups {len(made)} reveals {reveals} work {work}\n"
    sha256 = hashlib.sha256()
    for part in (f"{FIRST_LINE}\n{head}".encode(), puzzle, *(each.data for each in made)):
        sha256.update(part)
        file.write(part)
    file.write(f"sha256 {sha256.hexdigest()}\n".encode())
    file.flush()


def prove(file: BinaryIO | str, planned: Sequence[Planned]) -> Proved:
    """Return what a file that satcal has made proves.

    Raises:
        Disagreement: the checker refuses it, or it proves something else.
    """
    wanted = [reveal for task in planned for reveal in task.reveals]
    try:
        if isinstance(file, str):
            with open(file, "rb") as stream:
                proved = check(stream, planned[0].text)
        else:
            file.seek(0)
            proved = check(file, planned[0].text)
    except CertificateRefused as error:
        raise Disagreement(
            f"satcal's own checker refuses what it made: {error}; please report it"
        ) from error
    if list(proved.tilings) != wanted:
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
    """Write a certificate, and return what it proves, as found in the draft before its rename.

    Of several groups, those that are made are kept beside it, in a file that ends with ``.part``: a
    run that was stopped goes on from there when the same is asked again.

    Raises:
        Stopped: another process is writing it, the disk is full, or a right is missing.
        FileTrouble: it is there, and ``force`` is not given.
        Disagreement: as :func:`prove`.
    """
    check_output(path, force)
    if path.exists() and not path.is_file():  # a device gets it whole
        with TemporaryDirectory() as folder:
            whole = Path(folder, "certificate")
            proved = write_certificate(whole, puzzle, reveals, executor, step)
            write_bytes(path, whole.read_bytes())
        return proved
    planned, part = plan(puzzle, reveals), path.with_name(f"{path.name}.part")
    with drafting(path, force) as draft:
        if len(planned) == 1:
            groups = list(make_groups(planned, executor, step))
        else:
            groups = make_or_keep(part, planned, executor, step)
        assemble(draft, planned, groups)
        # in a worker, so that what it takes to check is not in this process
        check_draft = executor.submit(prove, draft.name, planned) if executor else None
        proved = check_draft.result() if check_draft else prove(draft, planned)
        draft.seek(0, 2)
    part.unlink(missing_ok=True)
    return proved


def make_or_keep(
    part: Path, planned: Sequence[Planned], executor: Executor | None, step: Progress
) -> list[Made]:
    """Return the groups of a plan; keep each as it is made, and use those that were kept."""
    with failing(f"{quoted(part)}: cannot be written"), open(part, "a+b") as file:
        groups = kept_groups(file, planned)
        for made in make_groups(planned, executor, step, len(groups)):
            groups.append(made)
            digest = hashlib.sha256(made.data).hexdigest()
            file.write(f"{len(made.data)} {digest}\n".encode() + made.data)
            file.flush()
    return groups


def kept_groups(file: BinaryIO, planned: Sequence[Planned]) -> list[Made]:
    """Return the whole groups that a file has kept for a plan; remove what else it has."""
    key = hashlib.sha256(repr(planned).encode()).hexdigest().encode() + b"\n"
    file.seek(0)
    groups: list[Made] = []
    end = len(key)
    if file.readline(len(key)) == key:
        with suppress(ValueError):  # what was cut off is made again
            while len(groups) < len(planned):
                size, digest = file.readline(200).split()
                data = file.read(int(size))
                if hashlib.sha256(data).hexdigest().encode() != digest:
                    break
                sizes = data.partition(b"\n")[0].split()
                groups.append(Made(data, int(sizes[sizes.index(b"work") + 1])))
                end = file.tell()
    file.truncate(end if groups else 0)
    if not groups:
        file.write(key)
    file.seek(0, 2)
    return groups


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
            f"{quoted(path)}: it proves {tilings:,} tilings, but the diagram finds another number; "
            "please report it"
        )
    return {
        "file": path.name,
        "puzzle": puzzle.digest,
        "reveal": " ".join(reveal),
        "tilings": str(tilings),
        "sha256": proved.sha256,
    }
