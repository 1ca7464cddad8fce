"""The one walk through the search trees of a group.

A tree is a row of tokens, one for each node, depth first. A node names a cell that is still to be
covered, or a kind of piece with one copy that is still to be placed. Every tiling goes on with
exactly one of the placements that still fit there: these are the children, all of them, in their
order. With nothing left to cover, a tiling is found. The state of a marked node is remembered when
all below it is done; where the state comes again, nothing is written.

Whatever reads trees (the check, proofs for SAT checkers, pictures) reads the visits of this walk.
A visit is one of NODE (the walk comes to a node with children), DONE (all of them are visited),
DEAD (a node without children), REMEMBERED and TILING. While a visit is looked at, ``path`` has the
nodes above it with the placement that was chosen at each; at NODE it ends with this node.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NoReturn

from satcal.errors import CertificateRefused
from satcal.proof.board import Board

NODE, DEAD, DONE, REMEMBERED, TILING = range(5)
Visit = tuple[int, int]
"""A kind of visit, and the number of what its node names; -1 for REMEMBERED and TILING."""


class Node:
    """A node on the path of a walk.

    ``named`` is the number of its cell or piece, ``ways`` the children still to be visited,
    ``chosen`` the placement of the one that is visited now, ``key`` its state if it is marked.
    ``begin`` is the number of its token, ``back`` the token to return to after a jump,
    else -1, and ``before`` the number of tilings found before it.
    """

    __slots__ = ("back", "before", "begin", "chosen", "fits", "key", "named", "state", "ways")

    def __init__(
        self,
        state: int,
        fits: int,
        named: int,
        ways: int,
        key: bytes | None,
        begin: int,
        back: int,
        before: int,
    ) -> None:
        self.state, self.fits, self.named, self.ways, self.key = state, fits, named, ways, key
        self.begin, self.back, self.before = begin, back, before
        self.chosen = -1


class Walk:
    """The walk through the trees of a group, in their order.

    ``nodes`` and ``marks`` are those of all trees; ``work`` (the children that were tried) and
    ``tilings`` are those of the trees visited so far, and ``work`` may not exceed ``limit``. With
    ``places`` it also remembers where the tree of each state is written, for
    :meth:`visits_expanded`.
    """

    def __init__(
        self, board: Board, tokens: bytes | bytearray, limit: int, places: bool = False
    ) -> None:
        self.board, self.limit = board, limit
        self.path: list[Node] = []
        self.work = self.tilings = 0
        self._tokens = numbers_of(tokens)
        self.nodes = len(self._tokens)
        self.marks = sum(token & 1 for token in self._tokens)
        self._place = 0
        # keyed by bytes, whose hash is randomised: else a hostile file could make states collide
        self._known: dict[bytes, int] = {}
        self._written: dict[bytes, tuple[int, int]] | None = {} if places else None
        self._roots: dict[tuple[str, ...], int] = {}

    def visits(self, reveal: tuple[str, ...]) -> Iterator[Visit]:
        """Yield the visits of the next tree, that of a reveal; none where areas differ."""
        self._roots[reveal] = self._place
        return self._visits(reveal, expanded=False)

    def visits_expanded(self, reveal: tuple[str, ...]) -> Iterator[Visit]:
        """Yield the visits of a tree that was visited before, with remembered states expanded.

        At such a state the walk jumps to the tokens of its tree, then back. Tokens were read in
        order, so a state was already remembered at a token exactly if its tree ends before it.
        """
        self._place = self._roots[reveal]
        return self._visits(reveal, expanded=True)

    def end(self) -> None:
        """Raise CertificateRefused if there are more tokens than the trees have."""
        if self._place != self.nodes:
            self._refuse("there are more tokens than the trees have")

    def _visits(self, reveal: tuple[str, ...], expanded: bool) -> Iterator[Visit]:
        """Yield the visits of the tree at the next token; without recursion, as it may be deep."""
        board, path, tokens, known = self.board, self.path, self._tokens, self._known
        cells, items, deciding, compatible = (
            board.cells,
            board.items,
            board.deciding,
            board.compatible,
        )
        uses, fields, size, written = board.uses, board.fields, board.size, self._written or {}
        place, tilings, work = self._place, 0, self.work
        state, fits = board.begin(reveal)
        if not board.adds_up(state):
            return
        path.clear()
        while True:
            if not state & cells:
                tilings += 1
                yield TILING, -1
            elif (key := state.to_bytes(size, "little")) in known and not expanded:
                tilings += known[key]
                yield REMEMBERED, -1
            else:
                back = -1
                if expanded and written.get(key, (0, place + 1))[1] <= place:
                    back, place = place, written[key][0]
                if place == len(tokens):
                    self._refuse(f"node {place + 1}: the trees end too early")
                token, place = tokens[place], place + 1
                named = (state & -state).bit_length() - 1 + (token >> 1)
                if not state & items & 1 << named:
                    self._refuse(f"node {place}: nothing of this number is to be decided")
                marked = key if token & 1 and not expanded else None
                if ways := fits & deciding[named]:
                    path.append(Node(state, fits, named, ways, marked, place - 1, back, tilings))
                    yield NODE, named
                else:
                    if marked:
                        self._remember(marked, 0, place - 1, place)
                    place = back if back >= 0 else place
                    yield DEAD, named
            while path and not path[-1].ways:
                node = path.pop()
                if node.key:
                    self._remember(node.key, tilings - node.before, node.begin, place)
                place = node.back if node.back >= 0 else place
                yield DONE, node.named
            if not path:
                break
            node = path[-1]
            first = node.ways & -node.ways
            node.ways ^= first
            node.chosen = placement = first.bit_length() - 1
            work += 1
            if work > self.limit and not expanded:
                self._refuse("there is more work than stated")
            state, fits = node.state - uses[placement], node.fits & compatible[placement]
            if fields[placement] and not state & fields[placement]:
                fits &= ~board.placements_of[board.kind_of[placement]]
        self._place = place
        if not expanded:
            self.tilings, self.work = self.tilings + tilings, work

    def _remember(self, key: bytes, tilings: int, begin: int, end: int) -> None:
        """Remember a state's tilings, and the first token of its tree and the one after it."""
        self._known[key] = tilings
        if self._written is not None:
            self._written[key] = begin, end

    def _refuse(self, reason: str) -> NoReturn:
        raise CertificateRefused(f"trees: {reason}")


def numbers_of(tokens: bytes | bytearray) -> array[int]:
    """Return the numbers of tokens: 7 bits in one byte, or 14 in two, the least first."""
    numbers, rest = array("H"), iter(tokens)
    for low in rest:
        high = next(rest, 0) if low >= 128 else 1
        if not 0 < high < 128:
            raise CertificateRefused(f"trees: node {len(numbers) + 1}: not a token")
        numbers.append(low + 128 * (high - 1))
    return numbers


def count(walk: Walk, reveal: Sequence[str]) -> int:
    """Return the number of tilings that the next tree proves for a reveal."""
    before = walk.tilings
    for _ in walk.visits(tuple(reveal)):
        pass
    return walk.tilings - before
