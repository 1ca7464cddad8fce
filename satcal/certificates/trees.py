"""Making search trees: the search for all tilings, and how it is written down.

Placements are bits of an integer. A node names the cell, or the piece with one copy, with the
fewest placements that still fit (Knuth, TAOCP 7.2.2.1), the first of several. So the tree below a
state depends on the state alone, and one that comes again is not searched, but remembered.
docs/reference/certificates.md has the bytes; nobody has to trust this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satcal.proof.board import Board, Left

SMALLEST = 4
"""Nodes of the smallest tree that is remembered: with 2, files are 6 % smaller, and making them
takes 20 % longer (the 372 reveals of a-puzzle-a-day)."""

Thing = tuple[int, int, int]
"""What can be named: its number, the bit of this number, the placements that decide it."""


TWO_BYTES = bytes(range(128, 256))
"""The first bytes of tokens of two."""


class Tree:
    """The tree below a state that may come again: its tokens, with other such trees in place.

    ``uses`` counts how often the search came to it, and ``written`` is whether its tokens are.
    """

    __slots__ = ("nodes", "parts", "tilings", "uses", "written")

    def __init__(self, parts: list[bytes | Tree], nodes: int, tilings: int) -> None:
        self.parts, self.nodes, self.tilings = parts, nodes, tilings
        self.uses, self.written = 1, False


Known = dict[tuple[int, Left], Tree]
"""The trees that may come again, by what is open and the copies that are left."""


class _Node:
    """A node on the path of the search, and what was found below it so far."""

    __slots__ = ("fits", "left", "nodes", "open", "parts", "text", "things", "tilings", "ways")

    def __init__(
        self, open_: int, left: Left, fits: int, things: list[Thing], ways: int, token: bytes
    ) -> None:
        self.open, self.left, self.fits = open_, left, fits
        self.things, self.ways = things, ways
        self.parts: list[bytes | Tree] = []
        self.text = token
        self.nodes, self.tilings = 1, 0

    def add(self, tree: Tree) -> None:
        """Note a tree that may come again below this node."""
        self.parts += (self.text, tree)
        self.text = b""
        self.nodes += tree.nodes
        self.tilings += tree.tilings

    def inline(self, text: bytes, nodes: int, tilings: int) -> None:
        """Note a tree that is too small to be remembered."""
        self.text += text
        self.nodes += nodes
        self.tilings += tilings


def _token(number: int) -> bytes:
    return bytes([number] if number < 128 else [number & 127 | 128, number >> 7])


TOKENS = [_token(2 * steps) for steps in range(2048)]
"""Of unmarked nodes, by their steps; there are at most 1,024 cells, and as many pieces."""


def grow(board: Board, reveal: Sequence[str], known: Known) -> Tree:
    """The search tree of a reveal; adds to what is ``known``. It is empty where areas differ."""
    open_, left, fits = board.state(reveal)
    if (open_ & board.cells).bit_count() != board.area:
        return Tree([], 0, 0)
    things = [(n, 1 << n, ways) for n, ways in enumerate(board.deciding) if open_ >> n & 1]
    ways, token = _named(open_, fits, things)
    path = [_Node(open_, left, fits, things, ways, token)]
    while True:
        node = path[-1]
        if not node.ways:
            path.pop()
            if not path:
                return Tree([*node.parts, node.text], node.nodes, node.tilings)
            if node.nodes < SMALLEST:
                path[-1].inline(node.text, node.nodes, node.tilings)
                continue
            tree = Tree([*node.parts, node.text], node.nodes, node.tilings)
            known[node.open, node.left] = tree
            path[-1].add(tree)
            continue
        first = node.ways & -node.ways
        node.ways ^= first
        placement = first.bit_length() - 1
        open_ = node.open & ~board.decides[placement]
        if not open_ & board.cells:
            node.tilings += 1
            continue
        left, fits = node.left, node.fits & board.leaves[placement]
        if (piece := board.several[placement]) is not None:
            left, fits = board.use(piece, left, fits)
        if again := known.get((open_, left)):
            again.uses += 1
            node.add(again)
            continue
        things = [thing for thing in node.things if thing[1] & open_]
        ways, token = _named(open_, fits, things)
        if ways:
            path.append(_Node(open_, left, fits, things, ways, token))
        else:
            node.inline(token, 1, 0)


def _named(open_: int, fits: int, things: list[Thing]) -> tuple[int, bytes]:
    """The placements of what a node names, and its token: the fewest that fit, or none."""
    fewest = 1 << 30
    named = chosen = 0
    for number, _, deciding in things:
        ways = fits & deciding
        count = ways.bit_count()
        if count < fewest:
            fewest, named, chosen = count, number, ways
            if not count:
                break
    return chosen, TOKENS[named + 1 - (open_ & -open_).bit_length()]


class WrittenTree(NamedTuple):
    """The tokens of a tree, and what is stated of it."""

    tokens: bytes
    tilings: int
    nodes: int
    marks: int


def write(root: Tree) -> WrittenTree:
    """The tokens of a tree; one that comes again is written once, with a mark."""
    tokens: list[bytes] = []
    marks = 0
    path: list[Iterator[bytes | Tree]] = [iter([root])]
    while path:
        part = next(path[-1], None)
        if part is None:
            path.pop()
        elif isinstance(part, bytes):
            tokens.append(part)
        elif not part.written:
            part.written = True
            path.append(iter(part.parts))
            if part.uses > 1:
                marks += 1
                token = next(path[-1])
                assert isinstance(token, bytes)  # a node's own token comes before all below it
                tokens.append(bytes([token[0] | 1]) + token[1:])
    written = b"".join(tokens)
    nodes = len(written.translate(None, delete=TWO_BYTES))  # the last byte of each token is lower
    return WrittenTree(written, root.tilings, nodes, marks)
