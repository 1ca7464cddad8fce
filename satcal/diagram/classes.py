"""Classes of tilings up to the symmetries of a puzzle, counted without a list of the tilings.

Burnside's lemma: the number of classes is the mean, over all symmetries, of the number of tilings
that a symmetry maps to themselves. The identity keeps every tiling. A tiling that another symmetry
keeps has, with each placement, its images: it is an exact cover of the *orbits* of the cells by
orbits of placements. Such a cover is a problem for the diagram, on half of the cells or fewer. An
orbit uses as many copies of a piece as it has placements of it.

With pieces on the table, the tilings are those that contain them, and the symmetries are those
that map the set of these pieces to itself.

>>> from satcal.puzzle.loading import load
>>> count_classes(load("pentomino-3x20"), [()])  # of 8 tilings
{(): 2}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import TypeVar

from satcal.diagram.counts import count_problem, counts_by_diagram
from satcal.diagram.model import ExactCover
from satcal.errors import Disagreement
from satcal.progress import Progress
from satcal.puzzle.model import Placement, Puzzle, Reveal
from satcal.puzzle.placed import compatible_options
from satcal.puzzle.placements import cover_of, quickest_order
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import Symmetry, symmetries

Member = TypeVar("Member", bound=Hashable)


def count_classes(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    placed: Sequence[Placement] = (),
    *,
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> dict[Reveal, int]:
    """Return the number of classes of the tilings of each reveal.

    Two tilings that contain what is placed are in one class if a symmetry that keeps the set of
    placed pieces maps one to the other.

    Raises:
        TooLarge: a diagram does not fit into memory.
        PlacementError: pieces that overlap, or more of one than there are.
    """
    group = symmetries(puzzle, placed)
    sums, _ = counts_by_diagram(puzzle, reveals, placed, use_cache, memory_limit, progress)
    # a symmetry and its inverse have the same orbits, and keep the same tilings
    alike: dict[frozenset[frozenset[Cell]], list[Symmetry]] = {}
    for symmetry in group[1:]:
        cells = frozenset(map(frozenset, orbits(puzzle.cells, symmetry.image.__getitem__)))
        alike.setdefault(cells, []).append(symmetry)
    for same in alike.values():
        kept = count_fixed(puzzle, list(sums), placed, same[0], memory_limit, progress)
        for reveal, number in kept.items():
            sums[reveal] += number * len(same)
    if uneven := [reveal for reveal, total in sums.items() if total % len(group)]:
        raise Disagreement(
            f"classes of {puzzle.name}, {' '.join(uneven[0])}: {sums[uneven[0]]} is not a multiple "
            f"of the {len(group)} symmetries; please report it"
        )
    return {reveal: total // len(group) for reveal, total in sums.items()}


def count_fixed(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    placed: Sequence[Placement],
    symmetry: Symmetry,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal that a symmetry maps to themselves."""
    problem = orbit_problem(puzzle, placed, symmetry)
    usable = range(len(problem.mask))
    counts, _ = count_problem(puzzle, problem, usable, reveals, False, memory_limit, progress)
    return counts


def orbit_problem(puzzle: Puzzle, placed: Sequence[Placement], symmetry: Symmetry) -> ExactCover:
    """Return the exact cover of the orbits of cells by orbits of placements, then by labels.

    An orbit of cells is named by its first cell. Pieces that the symmetry exchanges are one item:
    an orbit has as many placements of the one as of the other.
    """
    cover = cover_of(puzzle, None)
    first = {
        cell: orbit[0]
        for orbit in orbits(cover.cells, symmetry.image.__getitem__)
        for cell in orbit
    }
    items: dict[str, int] = {}
    for piece in puzzle.pieces:
        items.setdefault(
            piece.name, items.get(symmetry.renamed[piece.name], len(set(items.values())))
        )
    names = Counter(items.values())
    copies = [0] * len(names) + [1] * len(puzzle.categories)
    for piece in puzzle.pieces:
        copies[items[piece.name]] = piece.copies
    options: list[tuple[int, int, set[Cell]]] = []  # item, weight, cells
    usable = [
        option
        for option, may in zip(cover.options, compatible_options(cover, placed), strict=True)
        if may and isinstance(option, Placement)
    ]
    for orbit in orbits(usable, symmetry.of_placement):
        cells = {cell for placement in orbit for cell in placement.cells}
        item = items[orbit[0].piece]
        weight = len(orbit) // names[item]
        if weight <= copies[item] and len(cells) == len(orbit) * len(orbit[0].cells):
            options.append((item, weight, {first[cell] for cell in cells}))
    categories = list(puzzle.categories)
    for label in puzzle.labels.values():
        item = len(names) + categories.index(label.category)
        options.append((item, 1, {first[cell] for cell in label.cells}))
    named = sorted(set(first.values()))
    order = quickest_order(named, [sorted(covered) for _, _, covered in options])
    bit = {named[index]: 1 << rank for rank, index in enumerate(order)}
    return ExactCover(
        cells=len(named),
        copies=copies,
        item=[item for item, _, _ in options],
        mask=[sum(map(bit.__getitem__, covered)) for _, _, covered in options],
        categories=len(categories),
        weight=[weight for _, weight, _ in options],
    )


def orbits(members: Sequence[Member], image: Callable[[Member], Member]) -> Iterator[list[Member]]:
    """Yield the orbits of a permutation, each from its first member on.

    >>> list(orbits("abcd", {"a": "c", "c": "a", "b": "b", "d": "d"}.get))
    [['a', 'c'], ['b'], ['d']]
    """
    seen: set[Member] = set()
    for member in members:
        if member not in seen:
            orbit = [member]
            while (following := image(orbit[-1])) != member:
                orbit.append(following)
            seen.update(orbit)
            yield orbit
