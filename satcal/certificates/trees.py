"""The making of search trees: the search for all tilings, and its tokens.

A node names the item (a cell, or a piece with one copy) that the fewest fitting placements cover,
the first of several (Knuth, TAOCP 7.2.2.1). So the tree below a state depends on the state alone.
It is searched once and remembered. docs/reference/certificates.md describes the bytes. This module
need not be trusted: the check finds its faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satcal.proof.board import Board

MIN_NODES = 4
"""Nodes of the smallest tree that is remembered: with 2, files are 6 % smaller, and making them
takes 20 % longer (the 372 reveals of a-puzzle-a-day)."""

Item = tuple[int, int, int]
"""An item's number, the bit of this number, and the set of placements that cover it."""


class Tree:
    """A search tree: its tokens, in parts between which remembered trees lie.

    ``tokens`` are those after the last remembered tree. ``nodes`` and ``tilings`` are those of the
    whole tree. ``work`` is the number of children of its own nodes, without the remembered trees.
    ``uses`` is the number of times that the search came to its state, and ``is_written`` tells
    whether its tokens are in the output.
    """

    __slots__ = ("is_written", "nodes", "parts", "tilings", "tokens", "uses", "work")

    def __init__(self, tokens: bytes, work: int) -> None:
        self.parts: list[bytes | Tree] = []
        self.tokens, self.work = tokens, work
        self.nodes, self.tilings = 1, 0
        self.uses, self.is_written = 1, False

    def add(self, tree: Tree) -> None:
        """Add the tree of a child, which is remembered if it is large enough."""
        if tree.nodes < MIN_NODES:
            self.tokens += tree.tokens
            self.work += tree.work
        else:
            self.parts += (self.tokens, tree)
            self.tokens = b""
        self.nodes += tree.nodes
        self.tilings += tree.tilings


TreeOfState = dict[bytes, Tree]
"""The remembered trees by their states."""


@dataclass(slots=True)
class Branch:
    """A node on the path of the search, and its tree so far.

    ``items`` are those still to be covered, ``children`` the set of placements still to be tried.
    """

    state: int
    fitting: int
    items: list[Item]
    children: int
    tree: Tree


def encode_token(number: int) -> bytes:
    """Return a token: 7 bits in one byte, or 14 in two, the low bits first."""
    return bytes([number] if number < 128 else [number & 127 | 128, number >> 7])


TOKENS = [encode_token(2 * steps) for steps in range(2048)]
"""Tokens of unmarked nodes, by the distance of their item from the first item still to be covered;
there are at most 1,024 cells and 1,024 pieces."""


def grow(board: Board, reveal: Sequence[str], trees: TreeOfState) -> Tree:
    """Return the search tree of a reveal, empty if areas differ; keep its parts in ``trees``."""
    state, fitting = board.begin(reveal)
    if not board.areas_match(state):
        return Tree(b"", 0)
    items = [(n, 1 << n, p) for n, p in enumerate(board.placements_of_item) if state >> n & 1]
    children, token = choose_item(state, fitting, items)
    path = [Branch(state, fitting, items, children, Tree(token, children.bit_count()))]
    while True:
        node, tree = path[-1], path[-1].tree
        if not node.children:
            path.pop()
            if not path:
                return tree
            if tree.nodes >= MIN_NODES:
                trees[node.state.to_bytes(board.state_bytes, "little")] = tree
            path[-1].tree.add(tree)
            continue
        lowest_bit = node.children & -node.children
        node.children ^= lowest_bit
        state, fitting = board.after(node.state, node.fitting, lowest_bit.bit_length() - 1)
        if not state & board.cells:
            tree.tilings += 1
            continue
        if remembered_tree := trees.get(state.to_bytes(board.state_bytes, "little")):
            remembered_tree.uses += 1
            tree.add(remembered_tree)
            continue
        items = [item for item in node.items if item[1] & state]
        children, token = choose_item(state, fitting, items)
        if children:
            child = Tree(token, children.bit_count())
            path.append(Branch(state, fitting, items, children, child))
        else:
            tree.tokens += token
            tree.nodes += 1


def choose_item(state: int, fitting: int, items: list[Item]) -> tuple[int, bytes]:
    """Choose the item that the fewest fitting placements cover; return these and its token."""
    fewest = 1 << 30
    best_item = best_children = 0
    for item, _, placements in items:
        children = fitting & placements
        count = children.bit_count()
        if count < fewest:
            fewest, best_item, best_children = count, item, children
            if not count:
                break
    return best_children, TOKENS[best_item + 1 - (state & -state).bit_length()]


def encode_trees(roots: Sequence[Tree]) -> tuple[bytes, int, int]:
    """Return tokens, marks and work of trees; write each once, with a mark if it has more uses."""
    tokens: list[bytes] = []
    marks = work = 0
    path: list[Iterator[bytes | Tree]] = [iter(roots)]
    while path:
        part = next(path[-1], None)
        if part is None:
            path.pop()
        elif isinstance(part, bytes):
            tokens.append(part)
        elif not part.is_written:
            part.is_written = True
            work += part.work
            parts = [*part.parts, part.tokens]
            if part.uses > 1 and isinstance(parts[0], bytes):  # a node's own token comes first
                marks += 1
                parts[0] = bytes([parts[0][0] | 1]) + parts[0][1:]
            path.append(iter(parts))
    return b"".join(tokens), marks, work
