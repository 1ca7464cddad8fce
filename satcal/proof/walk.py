"""The walk through the search trees of a group.

A tree is a sequence of tokens, one for each node, depth first. A node names an item: a cell still
to be covered, or a kind with one copy still to be placed. Every tiling continues with exactly one
of the placements that fit and cover this item. All of them are the node's children, in the order of
their numbers. When no cell is left to cover, the path is a tiling. When all children of a marked
node are visited, its state is remembered with its number of tilings. Where a remembered state
occurs again, the tree has no token. The lowest bit of a token is 1 if the node is marked. The other
bits tell how far the item's number is above that of the lowest item still to be covered.

The check and the proofs for SAT checkers read the visits of this walk. A visit is NODE (the walk
comes to a node with children), DONE (all of them are visited), DEAD (a node without children),
REMEMBERED or TILING. During a visit, ``path`` holds the nodes above it, each with the placement of
the child that is visited; at NODE it ends with this node.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from satcal.errors import CertificateRefused
from satcal.proof.board import Board

NODE, DEAD, DONE, REMEMBERED, TILING = range(5)
Visit = tuple[int, int]
"""A kind of visit, and the item that its node names; -1 for REMEMBERED and TILING."""


@dataclass(slots=True)
class Node:
    """A node on the path of a walk.

    ``fitting`` is the set of placements that fit its state, ``item`` the number of the item that it
    names, ``children`` the set of children still to be visited, ``placement`` the child that is
    visited now. ``key`` is its state as bytes if it is marked, else None. ``token`` is the index of
    its token, ``tilings_before`` the number of tilings found before it. ``return_token`` is the
    token at which :meth:`Walk.visits_expanded` goes on after this node if it jumped to the node,
    else -1.
    """

    state: int
    fitting: int
    item: int
    children: int
    key: bytes | None
    token: int
    return_token: int
    tilings_before: int
    placement: int = -1


class Walk:
    """The walk through the trees of a group, in their order.

    ``nodes`` and ``marks`` are numbers of all trees. ``work`` (the number of children visited) and
    ``tilings`` are those of the trees visited so far; ``work`` may not exceed ``limit``. With
    ``keep_ranges``, the walk keeps the range of tokens of each remembered state, which
    :meth:`visits_expanded` needs.
    """

    def __init__(
        self, board: Board, tokens: bytes | bytearray, limit: int, keep_ranges: bool = False
    ) -> None:
        self.board, self.limit = board, limit
        self.path: list[Node] = []
        self.work = self.tilings = 0
        self._tokens = decode_tokens(tokens)
        self.nodes = len(self._tokens)
        self.marks = sum(token & 1 for token in self._tokens)
        self._index = 0  # of the next token
        # keyed by bytes, whose hash is randomised: else a hostile file could make states collide
        self._counts: dict[bytes, int] = {}
        self._ranges: dict[bytes, tuple[int, int]] | None = {} if keep_ranges else None
        self._roots: dict[tuple[str, ...], int] = {}

    def visits(self, reveal: tuple[str, ...]) -> Iterator[Visit]:
        """Yield the visits of the next tree, that of a reveal; yield none if areas differ."""
        self._roots[reveal] = self._index
        return self._visits(reveal, expand=False)

    def visits_expanded(self, reveal: tuple[str, ...]) -> Iterator[Visit]:
        """Yield the visits of a tree that was visited before, with remembered states expanded.

        At such a state the walk jumps to the tokens of its tree, then back. The first walk read
        the tokens in order. So when it came to a token, it had remembered a state exactly if all
        tokens of the state's tree stand before this token.
        """
        self._index = self._roots[reveal]
        return self._visits(reveal, expand=True)

    def end(self) -> None:
        """Raise CertificateRefused if there are more tokens than the trees have."""
        if self._index != self.nodes:
            self._refuse("there are more tokens than the trees have")

    def _visits(self, reveal: tuple[str, ...], expand: bool) -> Iterator[Visit]:
        """Yield the visits of the tree at the next token; without recursion, as it may be deep."""
        board, path, tokens, counts = self.board, self.path, self._tokens, self._counts
        cells, items, placements_of_item = board.cells, board.items, board.placements_of_item
        decrements, copies_masks = board.decrements, board.copies_masks
        compatible_with, ranges = board.compatible_with, self._ranges or {}
        state_bytes, index, tilings, work = board.state_bytes, self._index, 0, self.work
        state, fitting = board.begin(reveal)
        if not board.areas_match(state):
            return
        path.clear()
        while True:
            if not state & cells:
                tilings += 1
                yield TILING, -1
            elif (key := state.to_bytes(state_bytes, "little")) in counts and not expand:
                tilings += counts[key]
                yield REMEMBERED, -1
            else:
                back = -1
                if expand and ranges.get(key, (0, index + 1))[1] <= index:
                    back, index = index, ranges[key][0]
                if index == len(tokens):
                    self._refuse(f"node {index + 1}: the trees end too early")
                token, index = tokens[index], index + 1
                item = (state & -state).bit_length() - 1 + (token >> 1)
                if not state & items & 1 << item:
                    self._refuse(f"node {index}: no item of this number is still to be covered")
                mark = key if token & 1 and not expand else None
                if children := fitting & placements_of_item[item]:
                    path.append(
                        Node(state, fitting, item, children, mark, index - 1, back, tilings)
                    )
                    yield NODE, item
                else:
                    if mark:
                        self._remember(mark, 0, index - 1, index)
                    index = back if back >= 0 else index
                    yield DEAD, item
            while path and not path[-1].children:
                node = path.pop()
                if node.key:
                    self._remember(node.key, tilings - node.tilings_before, node.token, index)
                index = node.return_token if node.return_token >= 0 else index
                yield DONE, node.item
            if not path:
                break
            node = path[-1]
            lowest_bit = node.children & -node.children
            node.children ^= lowest_bit
            node.placement = placement = lowest_bit.bit_length() - 1
            work += 1
            if work > self.limit and not expand:
                self._refuse("there is more work than stated")
            state = node.state - decrements[placement]
            fitting = node.fitting & compatible_with[placement]
            if copies_masks[placement] and not state & copies_masks[placement]:
                fitting &= ~board.placements_of_kind[board.kind_of[placement]]
        self._index = index
        if not expand:
            self.tilings, self.work = self.tilings + tilings, work

    def _remember(self, key: bytes, tilings: int, start: int, end: int) -> None:
        """Remember a state's tilings, and the first token of its tree and the one after it."""
        self._counts[key] = tilings
        if self._ranges is not None:
            self._ranges[key] = start, end

    def _refuse(self, reason: str) -> NoReturn:
        raise CertificateRefused(f"trees: {reason}")


def decode_tokens(tokens: bytes | bytearray) -> array[int]:
    """Return the numbers of tokens: 7 bits in one byte, or 14 in two, the low bits first."""
    numbers, stream = array("H"), iter(tokens)
    for low in stream:
        high = next(stream, 0) if low >= 128 else 1
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
