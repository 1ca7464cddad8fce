"""A search tree as a proof that other checkers read: DIMACS with DRUP or LRAT, OPB for VeriPB.

The formula is the plain encoding with a blocking clause for each tiling. After its children, each
node gives the clause "not all placements of this path". It follows from the clause "one of the
placements that cover the item": each of them is excluded by a placement of the path or, as a child,
by the child's own clause. So the clause of the root is empty. LRAT (Cruz-Filipe and others, CADE
2017) lists these reasons.

A proof for VeriPB states the number itself: it logs each tiling as a solution, which excludes it,
and the same clauses show that no other is left. Version 3.0, with its rules for enumeration:
https://veripb.org/overview.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satcal.certificates.sources import Source, format_reveal, open_source
from satcal.encoding import encode
from satcal.encoding.decode import ExportedFormula
from satcal.encoding.export import export_text, write_comments
from satcal.encoding.formula import constraints
from satcal.errors import CertificateRefused, InputError, OptionError, TooLarge
from satcal.proof.board import Board
from satcal.proof.check import Certificate, Group
from satcal.proof.normal import ParsedPuzzle, parse_normal_form
from satcal.proof.walk import DEAD, DONE, TILING, Walk, count
from satcal.puzzle.calendar import Calendar
from satcal.puzzle.model import Label, Piece, Puzzle, Reveal
from satcal.puzzle.placements import cover_of
from satcal.puzzle.shapes import normalise

MAX_SIZE = 1024**3  # bytes of a formula and a proof
Literals = tuple[int, ...]


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


def walk_trees(board: Board, group: Group) -> Walk:
    """Return a walk that has read all trees of a group, as ``visits_expanded`` needs."""
    walk = Walk(board, group.tokens, group.work, keep_ranges=True)
    for reveal in group.stated_tilings:
        count(walk, reveal)
    return walk


class Proof:
    """The formula of a reveal, and its tree as a proof that the formula has no model.

    Raises:
        InputError: the areas differ, so the reveal has no tree.
        TooLarge: formula and proof have more than ``MAX_SIZE`` bytes.
    """

    def __init__(self, puzzle: Puzzle, walk: Walk, reveal: Reveal) -> None:
        cover, board = cover_of(puzzle, reveal), walk.board
        if len(cover.cells) != board.area:
            raise InputError(
                "--proof: the pieces do not have the area to be covered, so there is no tiling and "
                "no tree; name another reveal"
            )
        self._board, self._walk, self._reveal, self._bytes_left = board, walk, reveal, MAX_SIZE
        self._cover = cover
        kind_of_name = {piece.name: kind for kind, piece in enumerate(puzzle.pieces)}
        # the board and the formula number the placements differently: match them by their cells
        cells = [items & board.cells for items in board.decrements]
        on_board = {key: n for n, key in enumerate(zip(board.kind_of, cells, strict=True))}
        self._variable = {
            on_board[kind_of_name[p.piece], sum(1 << board.cell_number[c] for c in p.cells)]: n
            for n, p in enumerate(cover.placements, start=1)
        }
        formula = encode(cover, "plain")
        # the comments of an export, without its lines for model counters
        self.comments = list(write_comments(cover, formula, (), "plain", "none"))[1:-1]
        self.variables = formula.variables
        self.clauses: list[Literals] = [tuple(clause) for clause in formula.clauses]
        for path, item in self._visits():
            if item < 0:
                clause = self._exclude(*path)
                self._check_size(sum(map(len, map(str, clause))) + len(clause) + 2)
                self.clauses.append(clause)
        self._number = {clause: n for n, clause in enumerate(self.clauses, start=1)}

    def _visits(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the tilings, and the nodes after their children, so that the root comes last.

        Each is the placements of its path and its item, or -1 for a tiling.
        """
        for kind, item in self._walk.visits_expanded(self._reveal):
            if kind in (TILING, DEAD, DONE):
                yield tuple(node.placement for node in self._walk.path), item

    def _check_size(self, size: int) -> None:
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise TooLarge(
                f"--proof: formula and proof together are larger than {MAX_SIZE:,} bytes"
            )

    def formula(self, form: str) -> Iterator[str]:
        """Yield the lines of the formula that a proof is about."""
        return self.opb() if form == "veripb" else self.dimacs()

    def opb(self) -> Iterator[str]:
        """Yield the lines of the exported equations, and the variables that distinguish tilings."""
        lines = export_text(self._cover.puzzle, self._reveal, format="opb").splitlines()
        comments = sum(line[0] == "*" for line in lines)
        variables = (f"x{number}" for number in sorted(self._variable.values()))
        lines.insert(comments, " ".join(["preserved:", *variables, ";"]))
        for line in lines:
            yield from self._line(line)

    def dimacs(self) -> Iterator[str]:
        """Yield the lines of the formula, in the form of an export."""
        for comment in self.comments:
            yield from self._line(comment)
        yield f"p cnf {self.variables} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield from self._line(*clause, 0)

    def lines(self, form: str) -> Iterator[str]:
        """Yield the lines of the proof."""
        if form == "veripb":
            yield from self._enumeration()
            return
        number = len(self.clauses)
        # per depth, the children by placement, each with the number of the clause that excludes it
        clauses_at: list[dict[int, int]] = [{}]
        for path, item in self._visits():
            while len(clauses_at) <= len(path) + 1:
                clauses_at.append({})
            if item < 0:
                clauses_at[len(path)][path[-1]] = self._number[self._exclude(*path)]
                continue
            children, clauses_at[len(path) + 1] = clauses_at[len(path) + 1], {}
            clause = tuple(-self._variable[p] for p in path)
            number += 1
            if form == "drup":
                yield from self._line(*clause, 0)
            else:
                yield from self._line(number, *clause, 0, *self._reasons(path, item, children), 0)
            derived = [n for n in children.values() if n > len(self.clauses)]
            if form == "lrat" and derived and path:
                yield from self._line(number, "d", *derived, 0)
            if path:
                clauses_at[len(path)][path[-1]] = number

    def _enumeration(self) -> Iterator[str]:
        """Yield the lines of the proof for VeriPB, which numbers an equation twice."""
        # an equation without options is written as one inequality that is false
        number = sum(2 if variables else 1 for _, _, variables in constraints(self._cover))
        yield from self._line("pseudo-Boolean proof version 3.0")
        yield from self._line("f", number, ";")
        tilings = 0
        derived_at: dict[int, list[int]] = {}  # per depth, the numbers of derived clauses
        for path, item in self._visits():
            number += 1
            variables = sorted(self._variable[placement] for placement in path)
            if item < 0:
                tilings += 1
                yield from self._line("solx", *(f"x{v}" for v in variables), ";")
                continue
            yield from self._line("rup", *(f"1 ~x{v}" for v in variables), ">= 1 ;")
            if derived := derived_at.pop(len(path) + 1, []):
                yield from self._line("del id", *derived, ";")
            derived_at.setdefault(len(path), []).append(number)
        yield from self._line("output NONE ;")
        yield from self._line("conclusion ENUMERATION_COMPLETE", tilings, ":", number, ";")
        yield from self._line("end pseudo-Boolean proof ;")

    def _line(self, *words: int | str) -> Iterator[str]:
        line = " ".join(map(str, words)) + "\n"
        self._check_size(len(line))
        yield line

    def _reasons(self, path: tuple[int, ...], item: int, children: dict[int, int]) -> Iterator[int]:
        """Yield the numbers of the clauses from which the clause of a node follows.

        For each placement of its item, a clause excludes it; the last clause demands one of them.
        """
        placements = [p for p in _bits(self._board.placements_of_item[item]) if p in self._variable]
        for placement in placements:
            yield children.get(placement) or self._exclusion_clause(path, placement)
        yield self._number[tuple(self._variable[p] for p in placements)]

    def _exclusion_clause(self, path: tuple[int, ...], placement: int) -> int:
        """Return the number of a clause by which the placements of a path exclude another."""
        board = self._board
        for other in path:
            if not board.compatible_with[other] >> placement & 1:
                return self._number[self._exclude(other, placement)]
        kind = board.kind_of[placement]
        copies = [other for other in path if board.kind_of[other] == kind]
        return self._number[self._exclude(*copies, placement)]

    def _exclude(self, *placements: int) -> Literals:
        """Return the clause "not all of these placements"."""
        return tuple(-v for v in sorted(self._variable[p] for p in placements))


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest_bit = number & -number
        yield lowest_bit.bit_length() - 1
        number ^= lowest_bit


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


def prove_formula(formula: ExportedFormula, text: str, tilings: Mapping[Reveal, int]) -> int:
    """Return the number of tilings of a formula that a certificate proves.

    ``text`` and ``tilings`` are the certificate's puzzle and numbers. The formula must have the
    clauses of satcal's export of that puzzle.

    Raises:
        OptionError: the formula was exported from another puzzle, or is of some tilings only.
        FormatError: its clauses are not those of satcal's export.
        CertificateRefused: the certificate does not state a reveal of the formula.
    """
    puzzle = convert_puzzle(parse_normal_form(text))
    if formula.blocked_tilings(puzzle) or formula.head.places:
        raise OptionError(
            f"{formula.where}: --place or further clauses exclude tilings, which the certificate "
            "counts; export it without"
        )
    reveal = formula.head.reveal_on(puzzle)
    reveals = list(puzzle.reveals()) if reveal is None else [reveal]
    for each in reveals:
        if each not in tilings:
            raise CertificateRefused(f"it says nothing about {format_reveal(each)}")
    return sum(tilings[each] for each in reveals)
