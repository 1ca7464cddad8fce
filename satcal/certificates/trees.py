"""Making search trees: the search for all tilings, and how it is written down.

A node names the cell, or the piece with one copy, with the fewest placements that still fit (Knuth,
TAOCP 7.2.2.1), the first of several. So the tree below a state depends on the state alone, and one
that comes again is not searched, but remembered. docs/reference/certificates.md has the bytes;
this module need not be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.proof.board import Board

SMALLEST = 4
"""Nodes of the smallest tree that is remembered: with 2, files are 6 % smaller, and making them
takes 20 % longer (the 372 reveals of a-puzzle-a-day)."""

Item = tuple[int, int, int]
"""What can be named: its number, the bit of this number, the placements that decide it."""


class Tree:
    """The tree below a state that may come again: its tokens, with other such trees in place.

    ``nodes`` and ``tilings`` are those of the whole tree, ``work`` is that of its own tokens,
    without the trees in place. ``uses`` counts how often the search came to it, and ``written`` is
    whether its tokens are.
    """

    __slots__ = ("nodes", "parts", "tilings", "uses", "work", "written")

    def __init__(self, parts: list[bytes | Tree], nodes: int, tilings: int, work: int) -> None:
        self.parts, self.nodes, self.tilings, self.work = parts, nodes, tilings, work
        self.uses, self.written = 1, False


Known = dict[bytes, Tree]
"""The trees that may come again, by their states."""


class Branch:
    """A node on the path of the search, and what was found below it so far."""

    __slots__ = ("fits", "items", "nodes", "parts", "state", "text", "tilings", "ways", "work")

    def __init__(self, state: int, fits: int, items: list[Item], ways: int, token: bytes) -> None:
        self.state, self.fits, self.items, self.ways = state, fits, items, ways
        self.parts: list[bytes | Tree] = []
        self.text = token
        self.nodes, self.tilings, self.work = 1, 0, ways.bit_count()

    def add(self, tree: Tree) -> None:
        """Note a tree that may come again below this node."""
        self.parts += (self.text, tree)
        self.text = b""
        self.nodes += tree.nodes
        self.tilings += tree.tilings

    def inline(self, text: bytes, nodes: int, tilings: int, work: int) -> None:
        """Note a tree that is too small to be remembered."""
        self.text += text
        self.nodes += nodes
        self.tilings += tilings
        self.work += work

    def tree(self) -> Tree:
        """Return the tree of the node, whose children are all done."""
        return Tree([*self.parts, self.text], self.nodes, self.tilings, self.work)


def token_of(number: int) -> bytes:
    """Return the bytes of a token."""
    return bytes([number] if number < 128 else [number & 127 | 128, number >> 7])


TOKENS = [token_of(2 * steps) for steps in range(2048)]
"""Of unmarked nodes, by their steps; there are at most 1,024 cells, and as many pieces."""


def grow(board: Board, reveal: Sequence[str], known: Known) -> Tree:
    """Return the search tree of a reveal, empty where areas differ; add to what is ``known``."""
    state, fits = board.begin(reveal)
    if not board.adds_up(state):
        return Tree([], 0, 0, 0)
    items = [(n, 1 << n, ways) for n, ways in enumerate(board.deciding) if state >> n & 1]
    ways, token = fewest(state, fits, items)
    path = [Branch(state, fits, items, ways, token)]
    while True:
        node = path[-1]
        if not node.ways:
            path.pop()
            if not path:
                return node.tree()
            if node.nodes < SMALLEST:
                path[-1].inline(node.text, node.nodes, node.tilings, node.work)
                continue
            tree = node.tree()
            known[node.state.to_bytes(board.size, "little")] = tree
            path[-1].add(tree)
            continue
        first = node.ways & -node.ways
        node.ways ^= first
        placement = first.bit_length() - 1
        state = node.state - board.uses[placement]
        if not state & board.cells:
            node.tilings += 1
            continue
        if remembered := known.get(state.to_bytes(board.size, "little")):
            remembered.uses += 1
            node.add(remembered)
            continue
        fits = node.fits & board.compatible[placement]
        field = board.fields[placement]
        if field and not state & field:
            fits &= ~board.placements_of[board.kind_of[placement]]
        items = [item for item in node.items if item[1] & state]
        ways, token = fewest(state, fits, items)
        if ways:
            path.append(Branch(state, fits, items, ways, token))
        else:
            node.inline(token, 1, 0, 0)


def fewest(state: int, fits: int, items: list[Item]) -> tuple[int, bytes]:
    """Return the placements of what a node names, the fewest that fit or none, and its token."""
    least = 1 << 30
    named = chosen = 0
    for number, _, deciding in items:
        ways = fits & deciding
        count = ways.bit_count()
        if count < least:
            least, named, chosen = count, number, ways
            if not count:
                break
    return chosen, TOKENS[named + 1 - (state & -state).bit_length()]


def write(roots: Sequence[Tree]) -> tuple[bytes, int, int]:
    """Return tokens, marks and work of trees; one that comes again is written once, with a mark."""
    tokens: list[bytes] = []
    marks = work = 0
    path: list[Iterator[bytes | Tree]] = [iter(roots)]
    while path:
        part = next(path[-1], None)
        if part is None:
            path.pop()
        elif isinstance(part, bytes):
            tokens.append(part)
        elif not part.written:
            part.written = True
            work += part.work
            parts = part.parts
            if part.uses > 1 and isinstance(parts[0], bytes):  # a node's own token comes first
                marks += 1
                parts = [bytes([parts[0][0] | 1]) + parts[0][1:], *parts[1:]]
            path.append(iter(parts))
    return b"".join(tokens), marks, work
