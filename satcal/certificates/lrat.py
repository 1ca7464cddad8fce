"""A search tree as a proof that SAT checkers read: DIMACS with DRUP or LRAT.

The formula is the plain encoding with a clause against each tiling. After its children, each node
gives the lemma "not all placements of this path": of the placements that the named cell (or
piece) could have, each is excluded by one of the path or, as a child, by its own lemma. So the last
lemma, that of the root, is empty. LRAT (Cruz-Filipe and others, CADE 2017) names these reasons.
"""

from __future__ import annotations

from collections.abc import Iterator

from satcal.encoding import encode
from satcal.encoding.export import comments_of
from satcal.errors import InputError, TooLarge
from satcal.proof.board import Board
from satcal.proof.check import Group
from satcal.proof.walk import DEAD, DONE, TILING, Walk, count
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover_of

MAX_SIZE = 1024**3  # bytes of a formula and a proof
FORMS = ("drup", "lrat")
Literals = tuple[int, ...]


def walk_trees(board: Board, group: Group) -> Walk:
    """Walk through the trees of a group, so that each can be visited with nothing remembered."""
    walk = Walk(board, group.tokens, group.work, places=True)
    for reveal in group.stated:
        count(walk, reveal)
    return walk


class Proof:
    """The formula of a reveal, and its tree as a proof that it has no model.

    Raises:
        InputError: its areas differ, so it has no tree.
        TooLarge: formula and proof have more than ``max_size`` bytes.
    """

    def __init__(
        self, puzzle: Puzzle, walk: Walk, reveal: Reveal, max_size: int = MAX_SIZE
    ) -> None:
        cover, board = cover_of(puzzle, reveal), walk.board
        if len(cover.cells) != board.area:
            raise InputError(
                "--proof: the pieces do not have the area to be covered, so there is no tiling and "
                "no tree; name another reveal"
            )
        self._board, self._walk, self._reveal, self._left = board, walk, reveal, max_size
        names = {piece.name: index for index, piece in enumerate(puzzle.pieces)}
        place = {
            (kind, used & board.cells): index
            for index, (kind, used) in enumerate(zip(board.kind_of, board.uses, strict=True))
        }
        fitting = [
            place[names[p.piece], sum(1 << board.cell_number[cell] for cell in p.cells)]
            for p in cover.placements
        ]
        self._variable = {placement: n for n, placement in enumerate(fitting, start=1)}
        formula = encode(cover, "plain")
        # what an export says of its variables, without the lines for model counters
        self.comments = list(comments_of(cover, formula, (), "plain", "none"))[1:-1]
        self.variables = formula.variables
        self.clauses: list[Literals] = [tuple(clause) for clause in formula.clauses]
        for path, named in self._visits():
            if named < 0:
                blocking = self._against(*path)
                self._take(sum(map(len, map(str, blocking))) + len(blocking) + 2)
                self.clauses.append(blocking)
        self._number = {clause: n for n, clause in enumerate(self.clauses, start=1)}

    def _visits(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the nodes after their children, so that the root comes last, and the tilings.

        Each comes with the placements above it, and with what it names, a tiling with -1.
        """
        for kind, named in self._walk.visits_expanded(self._reveal):
            if kind in (TILING, DEAD, DONE):
                yield tuple(node.chosen for node in self._walk.path), named

    def _take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise TooLarge(
                f"--proof: formula and proof together are larger than {MAX_SIZE:,} bytes"
            )

    def dimacs(self) -> Iterator[str]:
        """Yield the lines of the formula, which ``satcal decode`` reads like an export."""
        for comment in self.comments:
            yield from self._line(comment)
        yield f"p cnf {self.variables} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield from self._line(*clause, 0)

    def lines(self, form: str) -> Iterator[str]:
        """Yield the lines of the proof, in DRUP or in LRAT."""
        number = len(self.clauses)
        below: list[dict[int, int]] = [{}]  # per depth the children, and the clauses against them
        for path, named in self._visits():
            while len(below) <= len(path) + 1:
                below.append({})
            if named < 0:
                below[len(path)][path[-1]] = self._number[self._against(*path)]
                continue
            children, below[len(path) + 1] = below[len(path) + 1], {}
            lemma = tuple(-self._variable[p] for p in path)
            number += 1
            if form == "drup":
                yield from self._line(*lemma, 0)
            else:
                yield from self._line(number, *lemma, 0, *self._reasons(path, named, children), 0)
            mine = [n for n in children.values() if n > len(self.clauses)]
            if form == "lrat" and mine and path:
                yield from self._line(number, "d", *mine, 0)
            if path:
                below[len(path)][path[-1]] = number

    def _line(self, *words: int | str) -> Iterator[str]:
        line = " ".join(map(str, words)) + "\n"
        self._take(len(line))
        yield line

    def _reasons(
        self, path: tuple[int, ...], named: int, children: dict[int, int]
    ) -> Iterator[int]:
        """Yield the clauses that exclude what is named: all its placements, then itself."""
        covering = [p for p in _bits(self._board.deciding[named]) if p in self._variable]
        for placement in covering:
            yield children.get(placement) or self._exclusion_clause(path, placement)
        yield self._number[tuple(self._variable[p] for p in covering)]

    def _exclusion_clause(self, path: tuple[int, ...], placement: int) -> int:
        """Return the number of a clause by which the placements of a path exclude another."""
        board = self._board
        for other in path:
            if not board.compatible[other] >> placement & 1:
                return self._number[self._against(other, placement)]
        piece = board.kind_of[placement]
        same = [other for other in path if board.kind_of[other] == piece]
        return self._number[self._against(*same, placement)]

    def _against(self, *placements: int) -> Literals:
        return tuple(-v for v in sorted(self._variable[p] for p in placements))


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
