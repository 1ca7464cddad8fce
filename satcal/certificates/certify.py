"""The making of certificates: group by group, then checked as a whole, and only then written.

The number of reveals in a group bounds the memory for the trees that they share: a few hundred
megabytes to make a group, less to check it. This number depends only on the puzzle and its reveals.
So a file has the same bytes, however many cores make it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from io import BytesIO
from itertools import repeat
from pathlib import Path

from satcal.certificates.trees import TreeOfState, encode_trees, grow
from satcal.errors import CertificateRefused, Disagreement, TooLarge, printable
from satcal.files import drafting, make_folder, make_once, remove_parts, write_bytes
from satcal.progress import Progress, ignore
from satcal.proof.board import Board
from satcal.proof.check import FIRST_LINE, MAX_MARKS, MAX_NODES, MAX_WORK, ProofResult, bound, check
from satcal.proof.normal import parse_normal_form
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.normal import in_quotes
from satcal.tabular import RENDER

MAX_TREES = 500_000
"""Trees in memory while a group is made, some 200 MB. All reveals of a-puzzle-a-day fit in one
group; dates of rhombus share little, so about thirty of them fit in one."""
MANIFEST = "manifest.csv"
FIRST_BYTES = bytes(range(128, 256))
"""First bytes of tokens that have two bytes."""


def plan(text: str, reveals: Sequence[Reveal]) -> list[Sequence[Reveal]]:
    """Divide the reveals into groups; the trees of the first reveal decide how many fit in one."""
    if len(reveals) == 1:
        return [reveals]
    trees: TreeOfState = {}
    grow(Board(parse_normal_form(text)), reveals[0], trees)
    size = max(1, MAX_TREES // max(1, len(trees)))
    return [reveals[start : start + size] for start in range(0, len(reveals), size)]


def make_group(text: str, reveals: Sequence[Reveal]) -> bytes:
    """Return the bytes of a group: its sizes, its reveals with their tilings, and its trees.

    ``marks`` is the number of marked nodes, whose trees the check remembers, ``work`` the number of
    children that it visits.

    Raises:
        TooLarge: the group exceeds a bound of the format.
    """
    board = Board(parse_normal_form(text))
    trees: TreeOfState = {}
    roots = [grow(board, reveal, trees) for reveal in reveals]
    tokens, marks, work = encode_trees(roots)
    nodes = len(tokens.translate(None, delete=FIRST_BYTES))
    bound(nodes, MAX_NODES, "nodes of a group")
    bound(marks, MAX_MARKS, "marks of a group")
    bound(work, MAX_WORK, "work of a group")
    deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1)
    stream = deflater.compress(tokens) + deflater.flush()
    sizes = f"reveals {len(roots)} nodes {nodes} marks {marks} work {work} trees {len(stream)}"
    lines = [f"group {sizes}\n"]
    for reveal, root in zip(reveals, roots, strict=True):
        labels = "".join(f" {in_quotes(label)}" for label in reveal)
        lines.append(f"reveal{labels} tilings {root.tilings}\n")
    return "".join(lines).encode() + stream


def key_group(text: str, reveals: Sequence[Reveal]) -> str:
    """Return the key under which a folder keeps a group."""
    return repr((text, reveals))


def make_kept_group(folder: Path | None, text: str, reveals: Sequence[Reveal]) -> bytes:
    """Return a group as :func:`make_group`; a folder keeps it."""
    return make_once(folder, key_group(text, reveals), partial(make_group, text, reveals))


def make_certificate(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    step: Progress = ignore,
    folder: Path | None = None,
) -> tuple[bytes, ProofResult]:
    """Return the certificate of these reveals, and the result of checking it.

    An ``executor`` makes several groups at once. If there are several, ``folder`` keeps them.

    Raises:
        Disagreement: the checker refuses the certificate.
        TooLarge: the certificate exceeds a bound of the format.
    """
    text = puzzle.normal_form()
    parts = plan(text, reveals)
    kept = folder if len(parts) > 1 else None
    groups: list[bytes] = []
    make = executor.map if executor else map
    for group in make(make_kept_group, repeat(kept), repeat(text), parts):
        groups.append(group)
        step(len(groups), len(parts), " ".join(parts[len(groups) - 1][-1]))
    data = assemble(text, len(reveals), groups)
    # checked in a worker, so that this process does not need the memory
    task = executor.submit(check_made, data, text, reveals) if executor else None
    return data, task.result() if task else check_made(data, text, reveals)


def assemble(text: str, reveals: int, groups: Sequence[bytes]) -> bytes:
    """Return a certificate: its head with the total work, its puzzle, its groups and its digest."""
    work = sum(int(group.split(None, 9)[8]) for group in groups)  # the fourth number of its line
    puzzle = text.encode()
    head = f"puzzle {len(puzzle)} groups {len(groups)} reveals {reveals} work {work}\n"
    body = b"".join([f"{FIRST_LINE}\n{head}".encode(), puzzle, *groups])
    return body + f"sha256 {hashlib.sha256(body).hexdigest()}\n".encode()


def check_made(data: bytes, text: str, reveals: Sequence[Reveal]) -> ProofResult:
    """Check a new certificate; return what it proves.

    Raises:
        Disagreement: the checker refuses it, or it proves other reveals.
    """
    try:
        result = check(BytesIO(data), text)
    except CertificateRefused as error:
        raise Disagreement(
            f"satcal's own checker refuses what it made: {error}; please report it"
        ) from error
    if list(result.tilings) != list(reveals):
        raise Disagreement("the certificate does not prove what was asked for; please report it")
    return result


def write_certificate(
    path: Path,
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    executor: Executor | None = None,
    step: Progress = ignore,
    force: bool = False,
) -> ProofResult:
    """Check and write a certificate; return what it proves.

    Its groups, if there are several, are kept beside it until it is complete, in a folder that ends
    with ``.part``. The same call after an interruption continues with them.

    Raises:
        Stopped: another process is writing it, the disk is full, or permission is missing.
        FileTrouble: the file exists, and ``force`` is not given.
        Disagreement, TooLarge: as :func:`make_certificate`.
    """
    is_device = path.exists() and not path.is_file()
    folder = path.with_name(f"{path.name}.part")
    with drafting(path, force) as draft:
        try:
            data, result = make_certificate(
                puzzle, reveals, executor, step, None if is_device else folder
            )
        except (Disagreement, TooLarge):
            remove_parts(folder)  # which would fail again
            raise
        draft.write(data)
    remove_parts(folder)
    return result


def write_folder(
    folder: Path,
    requests: Iterable[tuple[str, Puzzle, Reveal, range]],
    executor: Executor | None = None,
    step: Progress = ignore,
    force: bool = False,
) -> int:
    """Write one certificate per request, and ``manifest.csv``; return the number of certificates.

    A request is a name for the file, a puzzle, a reveal, and the range that must contain its
    number of tilings: the one number that the caller has counted or, to prove that there are too
    few tilings, all numbers below a minimum.

    Raises:
        Disagreement: a proved number is not in its range.
    """
    tasks = [(folder, *request, force) for request in requests]
    make_folder(folder)
    rows = []
    for number, row in enumerate((executor.map if executor else map)(write_one, tasks), start=1):
        rows.append(row)
        step(number, len(tasks), row["file"])
    if rows:
        text = "".join(RENDER["csv"](rows, list(rows[0])))
        write_bytes(folder / MANIFEST, text.encode(), force)
    return len(rows)


def write_one(task: tuple[Path, str, Puzzle, Reveal, range, bool]) -> dict[str, str]:
    """Write the certificate of one request of :func:`write_folder`; return its row."""
    folder, name, puzzle, reveal, expected, force = task
    path = folder / f"{name}.satcert"
    result = write_certificate(path, puzzle, [reveal], force=force)
    tilings = result.tilings[reveal]
    if tilings not in expected:
        raise Disagreement(
            f"{printable(path)}: it proves {tilings:,} tilings, but the diagram finds another "
            "number; please report it"
        )
    return {
        "file": path.name,
        "puzzle": puzzle.digest,
        "reveal": " ".join(reveal),
        "tilings": str(tilings),
        "sha256": result.sha256,
    }
