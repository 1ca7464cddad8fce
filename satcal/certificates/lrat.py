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
from satcal.encoding.export import export_text, write_comments
from satcal.encoding.formula import constraints
from satcal.errors import InputError, TooLarge
from satcal.proof.board import Board
from satcal.proof.check import Certificate
from satcal.proof.normal import ParsedPuzzle
from satcal.proof.walk import Walk
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


class Proof:
    """The formula of a reveal, and its tree as a proof that the formula has no model.

    ``item_of`` is the item that the trees name for each state. The areas must match.

    Raises:
        TooLarge: formula and proof have more than ``MAX_SIZE`` bytes.
    """

    def __init__(self, board: Board, item_of: Mapping[bytes, int], reveal: Reveal) -> None:
        puzzle = convert_puzzle(board.puzzle)
        cover = cover_of(puzzle, reveal)
        self._board, self._item_of, self._reveal, self._cover = board, item_of, reveal, cover
        self._bytes_left = MAX_SIZE
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
                self.clauses.append(self._exclude(*path))
        self._number = {clause: n for n, clause in enumerate(self.clauses, start=1)}

    def _visits(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the tilings, and the nodes after their children, so that the root comes last.

        Each is the placements of its path and its item, or -1 for a tiling. A state that occurs
        again has the same tree again.
        """
        board = self._board
        state, fitting = board.begin(self._reveal)
        nodes: list[tuple[int, int, int, Iterator[int]]] = []  # the last are the children to visit
        path: list[int] = []
        while True:
            if state & board.cells:
                item = self._item_of[state.to_bytes(board.state_bytes, "little")]
                children = _bits(fitting & board.placements_of_item[item])
                nodes.append((state, fitting, item, children))
            else:
                yield tuple(path), -1
                path.pop()
            while (placement := next(nodes[-1][3], -1)) < 0:
                yield tuple(path), nodes.pop()[2]
                if not nodes:
                    return
                path.pop()
            state, fitting = board.after(*nodes[-1][:2], placement)
            path.append(placement)

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
        self._bytes_left -= len(line)
        if self._bytes_left < 0:
            raise TooLarge(
                f"--proof: formula and proof together are larger than {MAX_SIZE:,} bytes"
            )
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


def read_proofs(source: Source, wanted: Reveal | None = None) -> Iterator[tuple[Reveal, Proof]]:
    """Yield the wanted reveal of a certificate, or each, with its proof; none without a tree."""
    with open_source(source) as stream:
        file = Certificate(stream)
        board = file.board
        for group in file.groups():
            if wanted is not None and wanted not in group.stated_tilings:
                continue
            walk, item_of = Walk(board, group.tokens, group.work), dict[bytes, int]()
            for reveal in group.stated_tilings:
                walk.count(reveal, item_of)
            for reveal in group.stated_tilings if wanted is None else [wanted]:
                # if the areas differ, the count is 0 and needs no tree
                if board.areas_match(board.begin(reveal)[0]):
                    yield reveal, Proof(board, item_of, reveal)


def read_proof(source: Source, reveal: Reveal) -> Proof:
    """Return the formula of one reveal and its tree as a proof for SAT checkers.

    Raises:
        InputError: the certificate has no tree of the reveal.
    """
    for _, proof in read_proofs(source, reveal):
        return proof
    raise InputError(
        f"--proof: the certificate has no tree of {format_reveal(reveal)}, as it says nothing "
        "about it, or the areas differ; name another reveal"
    )
