"""The walk through the search trees of a group.

A tree is a sequence of tokens, one for each node, depth first. A node names an item: a cell still
to be covered, or a kind with one copy still to be placed. Every tiling continues with exactly one
of the placements that fit and cover this item. All of them are the node's children, in the order of
their numbers. When no cell is left to cover, the path is a tiling. When all children of a marked
node are visited, its state is remembered with its number of tilings. Where a remembered state
occurs again, the tree has no token. The lowest bit of a token is 1 if the node is marked. The other
bits tell how far the item's number is above that of the lowest item still to be covered.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import NoReturn

from satcal.errors import CertificateRefused
from satcal.proof.board import Board


@dataclass(slots=True)
class Node:
    """A node on the path of a walk.

    ``fitting`` is the set of placements that fit its state, ``children`` the set of children still
    to be visited. ``key`` is its state as bytes if it is marked, else None. ``tilings_before`` is
    the number of tilings found before it.
    """

    state: int
    fitting: int
    children: int
    key: bytes | None
    tilings_before: int


class Walk:
    """The walk through the trees of a group, in their order.

    ``nodes`` and ``marks`` are numbers of all trees. ``work`` is the number of children visited so
    far, which may not exceed ``limit``.
    """

    def __init__(self, board: Board, tokens: bytes | bytearray, limit: int) -> None:
        self.board, self.limit, self.work = board, limit, 0
        self._tokens = decode_tokens(tokens)
        self.nodes = len(self._tokens)
        self.marks = sum(token & 1 for token in self._tokens)
        self._index = 0  # of the next token
        # keyed by bytes, whose hash is randomised: else a hostile file could make states collide
        self._counts: dict[bytes, int] = {}

    def count(self, reveal: tuple[str, ...], item_of: dict[bytes, int] | None = None) -> int:
        """Return the number of tilings of a reveal, which the next tree proves.

        If the areas differ, it is 0, and there is no tree. ``item_of`` gets the item that a node
        names for each state. There is no recursion, as a tree may be deep.
        """
        board, tokens, counts = self.board, self._tokens, self._counts
        cells, items, placements_of_item = board.cells, board.items, board.placements_of_item
        state_bytes, after = board.state_bytes, board.after
        path: list[Node] = []
        tilings, work, index = 0, self.work, self._index
        state, fitting = board.begin(reveal)
        if not board.areas_match(state):
            return 0
        while True:
            if not state & cells:
                tilings += 1
            elif (key := state.to_bytes(state_bytes, "little")) in counts:
                tilings += counts[key]
            else:
                if index == len(tokens):
                    self._refuse(f"node {index + 1}: the trees end too early")
                token, index = tokens[index], index + 1
                item = (state & -state).bit_length() - 1 + (token >> 1)
                if not state & items & 1 << item:
                    self._refuse(f"node {index}: no item of this number is still to be covered")
                if item_of is not None:
                    item_of[key] = item
                mark = key if token & 1 else None
                if children := fitting & placements_of_item[item]:
                    path.append(Node(state, fitting, children, mark, tilings))
                elif mark:
                    counts[mark] = 0
            while path and not path[-1].children:
                node = path.pop()
                if node.key:
                    counts[node.key] = tilings - node.tilings_before
            if not path:
                break
            node = path[-1]
            lowest_bit = node.children & -node.children
            node.children ^= lowest_bit
            work += 1
            if work > self.limit:
                self._refuse("there is more work than stated")
            state, fitting = after(node.state, node.fitting, lowest_bit.bit_length() - 1)
        self.work, self._index = work, index
        return tilings

    def end(self) -> None:
        """Raise CertificateRefused if there are more tokens than the trees have."""
        if self._index != self.nodes:
            self._refuse("there are more tokens than the trees have")

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
