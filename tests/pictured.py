"""The search tree of a statement as text, which docs/reference/certificates.md shows whole."""

from __future__ import annotations

from certificates import Raw

from satcal.proof.board import Board, State
from satcal.proof.normal import read


def tree(raw: Raw, reveal: int = 0) -> str:
    """A line for each node and tiling: what it names, its token, and the placement above it."""
    board = Board(read(raw.text))
    cells = board.puzzle.cells
    tokens = iter(raw.tokens[sum(each.nodes for each in raw.stated[:reveal]) :])
    lines: list[str] = []

    def visit(state: State, above: str, depth: int) -> None:
        if not state.open & board.cells:
            lines.append("  " * depth + f"{above}: a tiling")
            return
        token = next(tokens)
        named = (state.open & -state.open).bit_length() - 1 + (token >> 1)
        single = [board.names[n] for n, copies in enumerate(board.copies) if copies == 1]
        what = (
            f"r{cells[named][0]}c{cells[named][1]}"
            if named < len(cells)
            else single[named - len(cells)]
        )
        ways = [
            n for n in range(len(board.placements)) if (state.fits & board.deciding[named]) >> n & 1
        ]
        dead = "" if ways else ", dead"
        lines.append("  " * depth + f"{above}: {what}{dead} ({token:02x})")
        for way in ways:
            piece, covered = board.placements[way]
            placed = ",".join(f"r{r}c{c}" for r, c in sorted(covered))
            visit(board.after(state, way), f"{board.names[piece]}:{placed}", depth + 1)

    visit(board.state(raw.stated[reveal].reveal), "root", 0)
    return "\n".join(lines)
