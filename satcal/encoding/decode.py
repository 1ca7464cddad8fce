"""The decoding of models and of exported formulas to verified tilings.

Variables 1 to n of every export are the options of its cover, so a model is decoded without the
formula. The head of a formula names its puzzle. A formula that was exported is compared with
satcal's export line by line, in any order. Only blocking clauses may be added, each for one tiling,
such as in the formula of ``satcal check --proof``.
"""

from __future__ import annotations

import re
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

CLAUSE = re.compile(r"((?:-?[0-9]{1,9} )*)0", re.ASCII)
SIZE = re.compile(r"p cnf ([0-9]{1,9})", re.ASCII)


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


@dataclass(frozen=True)
class ExportedFormula:
    """An exported formula that was read from a text; ``where`` names it in errors.

    ``lines`` are those that are not comments, such as a clause, with single spaces. ``p cnf`` is
    without the number of clauses, as blocking clauses may be added.
    """

    where: str
    head: Head
    format: str
    lines: frozenset[str]

    @property
    def variables(self) -> int | None:
        """The number of variables of DIMACS, else None."""
        return next((int(m[1]) for m in map(SIZE.fullmatch, self.lines) if m), None)

    def place(self, puzzle: Puzzle) -> tuple[Placement, ...]:
        """Return the placements that all tilings of the formula contain."""
        return tuple(p for text in self.head.places for p in parse_place(puzzle, text))

    def cover_on(self, puzzle: Puzzle) -> Cover:
        """Return the cover whose options are the formula's first variables.

        Raises:
            OptionError: the formula was exported from another puzzle.
        """
        if puzzle.digest != self.head.digest:
            raise OptionError(
                f"{self.where}: it was not exported from {puzzle.name} (the digests differ); name "
                "the file that it was exported from"
            )
        cover = cover_with(puzzle, self.head.reveal_on(puzzle), self.place(puzzle))
        return apply_lemmas(cover, self.head.lemmas)[0]

    def blocked_tilings(self, puzzle: Puzzle) -> set[Tiling]:
        """Return the tilings that the formula's blocking clauses exclude.

        Raises:
            FormatError: the other lines are not those of satcal's export.
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
        expected = read_formula(text, "export", self.format).lines
        tilings = [_find_blocked(cover, line) for line in self.lines - expected]
        if expected - self.lines or None in tilings:
            raise FormatError(
                f"{self.where}: its clauses are not those of satcal's export; export it again"
            )
        return {tiling for tiling in tilings if tiling is not None}


def _find_blocked(cover: Cover, line: str) -> Tiling | None:
    """Return the tiling that a blocking clause excludes, or None for another line."""
    match = CLAUSE.fullmatch(line)
    if match is None or cover.reveal is None:
        return None
    model = {-int(literal) for literal in match[1].split()}
    if not all(0 < variable <= len(cover.options) for variable in model):
        return None
    tiling = cover.tiling(variable - 1 for variable in model)
    return None if Verifier(cover.puzzle, cover.reveal).find_fault(tiling) else tiling


def read_formula(text: str, where: str, format: str) -> ExportedFormula:
    """Return the formula in a text of one of satcal's formats.

    Raises:
        FormatError: the text has no head.
        Missing: another version of satcal wrote it.
    """
    mark = FORMATS[format].mark
    comments, lines = [], set()
    for line in text.split("\n"):
        words = line.split()
        if words and words[0].startswith(mark):
            comments.append(line.strip()[len(mark) :].strip())
        elif words:
            lines.add(" ".join(words[:3] if words[0] == "p" else words))
    return ExportedFormula(where, read_head(comments, where), format, frozenset(lines))
