"""In which order to fill the cells: the number of states depends on it more than on anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GROWTH = 1.5
"""States per reachable cell: 1.5 ranks the eight orders of all library puzzles like their time."""


def choose_order(squares: Sequence[tuple[int, int]], options: Sequence[Sequence[int]]) -> list[int]:
    """Return the cells (indices into ``squares``) in a good order of filling.

    By rows or by columns, from any of the four corners, whichever has the least
    :func:`effort`: that is the fastest of the eight, or within 10 % of it, on the library.

    Args:
        squares: row and column of every cell.
        options: the cells, as such indices, that each option covers.
    """
    return min(orders(squares), key=lambda order: effort(order, options))


def orders(squares: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield the eight orders: by rows, then by columns, from each of the four corners."""
    cells = range(len(squares))
    for long, short in ((0, 1), (1, 0)):
        for down in (1, -1):
            for right in (1, -1):
                place = [(down * square[long], right * square[short]) for square in squares]
                yield sorted(cells, key=place.__getitem__)


def effort(order: Sequence[int], options: Sequence[Sequence[int]]) -> float:
    """Return an estimate of the number of states, for comparison only.

    The sum over the layers of ``GROWTH`` to the number of cells that the placements before
    may reach into: the frontier can be nearly any set of those.
    """
    place = {cell: number for number, cell in enumerate(order)}
    starting = [0] * len(order)
    for cells in options:
        numbers = [place[cell] for cell in cells]
        starting[min(numbers)] |= sum(1 << number for number in numbers)
    total, reached = 0.0, 0
    for layer, mask in enumerate(starting):
        total += GROWTH ** (reached >> layer).bit_count()
        reached |= mask
    return total
