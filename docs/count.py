"""Count the tilings of a polyomino puzzle: a program of one page that shares no line with satcal.

    python3 count.py PUZZLE.toml LABEL...      python3 count.py rhombus.toml Thu Oct 23

It takes the cell or piece with the fewest ways to go on, and tries them all; any choice gives the
same number. PUZZLE.toml is a file of satcal's; the labels are those that stay uncovered.
"""

import sys
import tomllib


def parse(text, labels):
    """Return the cells to cover, and per piece its looks and its copies."""
    table = tomllib.loads(text)
    rows = [line.split() for line in table["board"].split("\n") if line.strip()]
    at = {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row)}
    categories = table.get("categories", {})
    if len(labels) != len(categories) or not all(set(labels) & set(c) for c in categories.values()):
        sys.exit(f"name one label of each of {', '.join(categories) or 'no categories'}")
    flip, pieces = table.get("flip", "all"), {}
    for name, piece in table["pieces"].items():
        piece = piece if isinstance(piece, dict) else {"shape": piece}
        looks = turned(piece["shape"], piece.get("flip", flip == "all" or name in flip.split(",")))
        pieces[looks] = pieces.get(looks, 0) + piece.get("copies", 1)
    return frozenset(cell for cell in at if at[cell] not in (".", *labels)), pieces


def turned(drawing, flip):
    """Return all that a drawing may look like."""
    lines = enumerate(drawing.split("\n"))
    shape = [(r, c) for r, row in lines for c, mark in enumerate(row) if mark in "#1"]
    looks = set()
    for squares in (shape, [(r, -c) for r, c in shape])[: 1 + flip]:
        for _ in range(4):
            squares = [(c, -r) for r, c in squares]
            top, left = min(r for r, _ in squares), min(c for _, c in squares)
            looks.add(frozenset((r - top, c - left) for r, c in squares))
    return frozenset(looks)


def count(cells, pieces):
    """Return the number of tilings of cells by pieces: {looks: copies}."""
    if len(cells) != sum(len(min(looks, key=len)) * copies for looks, copies in pieces.items()):
        return 0
    copies = tuple(pieces.values())
    bit = {cell: 1 << n for n, cell in enumerate(sorted(cells))}
    for piece, several in enumerate(copies):
        if several == 1:  # what is to be done once: to cover a cell, to place this piece
            bit[piece] = 1 << len(bit)
    placements = [
        (piece, bit.get(piece, 0) + sum(bit[cell] for cell in at))
        for piece, looks in enumerate(pieces)
        for look in looks
        for top in range(1 + max(r for r, _ in cells))
        for left in range(1 + max(c for _, c in cells))
        if (at := frozenset((top + r, left + c) for r, c in look)) <= cells
    ]
    known = {}

    def go_on(todo, left, fits):
        if not todo:
            return 1
        if (todo, left) not in known:
            fits = [(p, at) for p, at in fits if left[p] and not at & ~todo]
            ways = [[way for way in fits if way[1] & one] for one in bit.values() if todo & one]
            known[todo, left] = sum(
                go_on(todo & ~at, (*left[:p], left[p] - 1, *left[p + 1 :]), fits)
                for p, at in min(ways, key=len)
            )
        return known[todo, left]

    return go_on(sum(bit.values()), copies, placements)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    if not sys.argv[1:]:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print(count(*parse(file.read(), sys.argv[2:])))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{sys.argv[1]}: {error!r}")
