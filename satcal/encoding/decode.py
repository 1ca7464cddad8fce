"""The decoding of models and of exported formulas to verified tilings.

Variables 1 to n of every export are the options of its cover, so a model is decoded without the
formula. The head of a formula names its puzzle. A formula that was exported, and perhaps
reformatted, is compared with satcal's export by its constraints. Only blocking clauses may be
added, each for one tiling, such as in the formula of ``satcal check --proof``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from satcal.encoding.export import FORMATS, export_text
from satcal.encoding.head import Head, read_head
from satcal.encoding.lemmas import apply_lemmas
from satcal.errors import FormatError, NoTiling, OptionError
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Label, Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placed import cover_with, parse_place
from satcal.puzzle.placements import Cover

LITERAL = re.compile(r"-?[0-9]{1,9}", re.ASCII)


class Decoded(NamedTuple):
    """The verified tiling of a model, and its reveal."""

    reveal: Reveal
    tiling: Tiling


def decode(
    cover: Cover, model: frozenset[int], where: str = "answer", verifier: Verifier | None = None
) -> Decoded:
    """Return the tiling whose options are the variables of a model.

    ``where`` names the model in errors. A ``verifier`` of the reveal can be given to reuse it.

    Raises:
        NoTiling: the model is not a tiling.
    """
    indices = [variable - 1 for variable in sorted(model)]
    tiling, reveal = cover.tiling(indices), cover.reveal
    refusal = f"{where}: this is not a tiling"
    if reveal is None:
        options = [cover.options[index] for index in indices]
        labels = [option for option in options if isinstance(option, Label)]
        for category in cover.puzzle.categories:
            texts = [label.text for label in labels if label.category == category]
            if len(texts) != 1:
                raise NoTiling(
                    f"{refusal}: it reveals {' and '.join(texts) or 'no label'} of the category "
                    f"{category}; was the open formula of this board exported?"
                )
        reveal = tuple(label.text for label in labels)
    if fault := (verifier or Verifier(cover.puzzle, reveal)).find_fault(tiling):
        raise NoTiling(
            f"{refusal}: {fault}; was the formula exported for this board, reveal and --place?"
        )
    return Decoded(reveal, tiling)


Constraints = frozenset[frozenset[int] | str]
"""The constraints of a formula: clauses as sets of literals, or statements of another format."""


@dataclass(frozen=True)
class ExportedFormula:
    """An exported formula that was read from a text; ``where`` names it in errors."""

    where: str
    head: Head
    format: str
    variables: int
    constraints: Constraints

    def place(self, puzzle: Puzzle) -> tuple[Placement, ...]:
        """Return the placements that all tilings of the formula contain."""
        return tuple(p for text in self.head.places for p in parse_place(puzzle, text))

    def cover_on(self, puzzle: Puzzle) -> Cover:
        """Return the cover whose options are the formula's first variables.

        Raises:
            OptionError: the formula was exported from another puzzle.
            FormatError: its head is not that of an export.
        """
        if puzzle.digest != self.head.digest:
            raise OptionError(
                f"{self.where}: it was not exported from {puzzle.name} (the digests differ); name "
                "the file that it was exported from"
            )
        cover = cover_with(puzzle, self.head.reveal_on(puzzle), self.place(puzzle))
        cover, _ = apply_lemmas(cover, self.head.lemmas)
        if self.head.options != len(cover.options):
            raise FormatError(
                f"{self.where}: {self.head.options} options, but satcal's export has "
                f"{len(cover.options)}; export it again"
            )
        return cover

    def blocked_tilings(self, puzzle: Puzzle) -> set[Tiling]:
        """Return the tilings that the formula's blocking clauses exclude.

        Raises:
            FormatError: the other constraints are not those of satcal's export.
        """
        cover = self.cover_on(puzzle)
        text = export_text(
            puzzle,
            cover.reveal,
            format=self.format,
            encoding=self.head.encoding or None,
            lemmas=self.head.lemmas,
            place=self.place(puzzle),
        )
        expected = read_formula(text, "export", self.format).constraints
        tilings = [_find_blocked(cover, extra) for extra in self.constraints - expected]
        if expected - self.constraints or None in tilings:
            raise FormatError(
                f"{self.where}: its clauses are not those of satcal's export; export it again"
            )
        return {tiling for tiling in tilings if tiling is not None}


def _find_blocked(cover: Cover, constraint: frozenset[int] | str) -> Tiling | None:
    """Return the tiling that a blocking clause excludes, or None for another constraint."""
    if isinstance(constraint, str) or cover.reveal is None:
        return None
    model = frozenset(-literal for literal in constraint)
    if not all(0 < variable <= len(cover.options) for variable in model):
        return None
    tiling = cover.tiling(variable - 1 for variable in model)
    return None if Verifier(cover.puzzle, cover.reveal).find_fault(tiling) else tiling


def read_formula(text: str, where: str, format: str) -> ExportedFormula:
    """Return the formula in a text of one of satcal's formats.

    Raises:
        FormatError: the text is not in this format, or has no head.
        Missing: another version of satcal wrote it.
    """
    mark = FORMATS[format].mark
    comments, body = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if words and words[0].startswith(mark):
            comments.append(line.strip()[len(mark) :].strip())
        elif words:
            body.append((number, words))
    head = read_head(comments, where)
    if format == "dimacs":
        variables, clauses = _read_clauses(body, where)
        return ExportedFormula(where, head, format, variables, frozenset(clauses))
    return ExportedFormula(where, head, format, head.options, frozenset(READERS[format](body)))


Body = list[tuple[int, list[str]]]
"""Lines that are not comments: their numbers and words."""


def _read_clauses(body: Body, where: str) -> tuple[int, list[frozenset[int]]]:
    """Return the number of variables and the clauses of DIMACS, which end with 0.

    A line that begins with ``%`` ends the formula, as in the files of SATLIB.
    """
    variables: int | None = None
    clauses: list[frozenset[int]] = []
    clause: set[int] = set()
    for number, words in body:
        line = f"{where}: line {number}"
        if words[0] == "%":
            break
        if words[0] == "p":
            if variables is not None or words[1:2] != ["cnf"] or len(words) != 4:
                raise FormatError(f"{line}: expected one line 'p cnf VARIABLES CLAUSES'")
            variables = int(words[2]) if LITERAL.fullmatch(words[2]) else -1
            continue
        if variables is None:
            raise FormatError(f"{line}: clauses before the line 'p cnf'")
        for word in words:
            if not LITERAL.fullmatch(word) or abs(int(word)) > variables:
                raise FormatError(
                    f"{line}: '{word:.40}' is not a literal of the {variables} variables"
                )
            if literal := int(word):
                clause.add(literal)
            else:
                clauses.append(frozenset(clause))
                clause = set()
    if variables is None or clause:
        reason = "the last clause does not end with 0" if clause else "no line 'p cnf'"
        raise FormatError(f"{where}: {reason}; is the file cut short?")
    return variables, clauses


def _read_equations(body: Body) -> Iterator[str]:
    """Yield the equations of OPB, which end in a semicolon."""
    text = " ".join(word for _, words in body for word in words)
    yield from (" ".join(part.split()) for part in text.split(";") if part.strip())


def _read_rules(body: Body) -> Iterator[str]:
    """Yield the lines of an answer-set program without their comments."""
    for _, words in body:
        end = next((n for n, word in enumerate(words) if word.startswith("%")), len(words))
        yield " ".join(words[:end])


READERS: dict[str, Callable[[Body], Iterator[str]]] = {"opb": _read_equations, "asp": _read_rules}
"""Readers of formats without clauses. ``dlx`` has none: answers to it name no variables."""
