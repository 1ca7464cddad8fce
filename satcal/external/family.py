"""The benchmark family: instances for solvers and counters, written from a kept list.

``encodings/family`` has the list, the checksums of what is written from it, the answers and the
measured times; its README says what each column means.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.encoding.export import export
from satcal.encoding.formula import Clause
from satcal.encoding.lemmas import lemmas
from satcal.errors import Disagreement
from satcal.files import read_bytes, read_text, shipped
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle, Reveal, Tiling, labels_in
from satcal.puzzle.placements import Cover, Option, cover_of

LIST, CHECKSUMS, TIMES, README = "family.csv", "SHA256SUMS", "times.csv", "README.md"
SPECIFICATION = "ENCODINGS.md"  # of encodings/README.md beside the instances
BOARDS = "boards"  # of the family's own, beside the library's
MAX_FILE = 4 * 1024 * 1024
DECIDE, COUNT, PROJECT = "decide", "count", "project"
# By task, what the competitions want in the first line of a DIMACS file.
TYPES = {DECIDE: "", COUNT: "c t mc\n", PROJECT: "c t pmc\n"}
BLOCKED = {"none": 0, "all": 0, "all but one": 1}


@dataclass(frozen=True)
class Instance:
    """A line of the list: what is asked, of which formula; ``answer`` is satcal's.

    ``blocked`` are the tilings against which there is a clause, ``tilings`` those of the board.
    """

    file: str
    task: str
    board: str
    reveal: str
    format: str
    encoding: str
    lemmas: str
    blocked: str
    tilings: int
    answer: str

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, of the library or of the family's own boards."""
        return _puzzle(self.board)

    @property
    def reveals(self) -> list[Reveal]:
        """The reveals whose tilings are the models."""
        if self.reveal == "open":
            return list(self.puzzle.reveals())
        return [self.puzzle.check_reveal(labels_in(self.reveal))]

    @property
    def cover(self) -> Cover:
        """The exact cover whose options are the first variables."""
        return cover_of(self.puzzle, None if self.reveal == "open" else self.reveals[0])

    def models(self) -> Iterator[frozenset[int]]:
        """Yield the tilings as sets of variables; of an open formula their labels, too."""
        cover = self.cover
        number = {option: n for n, option in enumerate(cover.options, start=1)}
        for reveal, tiling in self.listed():
            labels = reveal if cover.reveal is None else ()
            chosen: list[Option] = [*tiling, *(cover.puzzle.labels[text] for text in labels)]
            yield frozenset(number[option] for option in chosen)

    def listed(self) -> Iterator[tuple[Reveal, Tiling]]:
        """Yield the tilings that the blocking clauses are made of, or that are counted."""
        diagram = diagram_for(Question(self.puzzle, self.reveals))
        for reveal in self.reveals:
            yield from ((reveal, tiling) for tiling in diagram.tilings(reveal))

    def count(self) -> int:
        """The number of tilings, by the diagram."""
        diagram = diagram_for(Question(self.puzzle, self.reveals))
        counts = diagram.counts()  # of all that it was built for, which may be more
        return sum(counts[reveal] for reveal in self.reveals)

    def text(self) -> str:
        """The file: satcal's export, lemmas, blocking clauses, and what is asked."""
        cover = self.cover
        exported = export(
            cover.puzzle, cover.reveal, format=self.format, encoding=self.encoding or None
        )
        clauses = lemmas(cover, self.lemmas)
        if self.blocked != "none":
            some = self.tilings - BLOCKED[self.blocked]
            clauses += [sorted(-n for n in model)[::-1] for model in islice(self.models(), some)]
        facts = [f"asked {self.task}", f"lemmas {self.lemmas}", f"blocked {self.blocked}"]
        write = _equations if self.format == "opb" else _clauses
        return write(exported, TYPES[self.task], facts, clauses)


def _clauses(exported: str, first: str, facts: list[str], clauses: list[Clause]) -> str:
    """DIMACS with further clauses; only what is projected says which variables show."""
    comments, _, rest = exported.partition("\np cnf ")
    size, *lines = rest.splitlines()
    variables, many = map(int, size.split())
    if first != TYPES[PROJECT]:
        lines = [line for line in lines if not line.startswith("c p show ")]
    lines += (" ".join(map(str, [*clause, 0])) for clause in clauses)
    said = "".join(f"c {fact}\n" for fact in facts)
    head = f"{first}{said}{comments.removeprefix(TYPES[PROJECT])}\n"
    return f"{head}p cnf {variables} {many + len(clauses)}\n" + "\n".join(lines) + "\n"


def _equations(exported: str, first: str, facts: list[str], clauses: list[Clause]) -> str:
    """OPB in which a clause of k negative literals is "at most k - 1 of these"."""
    head, _, rest = exported.partition("\n")
    before, _, many = head.rpartition(" ")
    said = "".join(f"* {fact}\n" for fact in facts)
    blocking = "".join(
        " ".join(f"-1 x{-literal}" for literal in clause) + f" >= {1 - len(clause)} ;\n"
        for clause in clauses
    )
    return f"{before} {int(many) + len(clauses)}\n{said}{rest}{blocking}"


def folder() -> Path:
    """The folder of the list, in a checkout or in the wheel; raises Missing if none."""
    return shipped("encodings/family")


def kept() -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of what is kept of the family: what a folder of instances needs."""
    for name in (LIST, CHECKSUMS, TIMES):
        yield name, read_bytes(folder() / name, "file")
    for path in sorted((folder() / BOARDS).iterdir()):
        yield f"{BOARDS}/{path.name}", read_bytes(path, "board")
    yield SPECIFICATION, read_bytes(folder().parent / README, "specification")
    text = read_text(folder() / README, "description", MAX_FILE)
    yield README, text.replace(f"(../{README})", f"({SPECIFICATION})").encode()


def instances() -> list[Instance]:
    """The instances of the list, in its order."""
    rows = csv.DictReader(io.StringIO(read_text(folder() / LIST, "list", MAX_FILE)))
    return [Instance(**{**row, "tilings": int(row["tilings"])}) for row in rows]  # type: ignore[arg-type]


def checksums() -> dict[str, str]:
    """The kept SHA-256 of each file's text."""
    lines = read_text(folder() / CHECKSUMS, "checksums", MAX_FILE).splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def texts() -> Iterator[tuple[str, str]]:
    """Yield name and text of each instance; Disagreement if it is not what was kept."""
    kept = checksums()
    for instance in instances():
        text = instance.text()
        if hashlib.sha256(text.encode()).hexdigest() != kept.get(instance.file):
            raise Disagreement(
                f"{instance.file}: not the bytes whose checksum is kept in {CHECKSUMS}; please "
                "report it with `satcal --version`"
            )
        yield instance.file, text


@cache
def _puzzle(board: str) -> Puzzle:
    return load(board if board in library() else folder() / BOARDS / f"{board}.toml")
