"""Classes of tilings up to the symmetries of a puzzle, counted without a list of the tilings.

Burnside's lemma: the number of classes is the mean, over all symmetries, of the number of tilings
that a symmetry fixes. The identity fixes every tiling. A tiling that another symmetry fixes
contains all images of each of its placements. So it is an exact cover of the *orbits* of the cells
by orbits of placements: a problem for the diagram, with fewer cells, often half as many. An orbit
uses as many copies of a piece as it has placements of it.

With placed pieces, the tilings are those that contain them, and the symmetries are those that map
the set of these pieces to itself.

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
from satcal.puzzle.placements import choose_order, cover_of
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import Symmetry, symmetries

Member = TypeVar("Member", bound=Hashable)


def count_classes(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    place: Sequence[Placement] = (),
    *,
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> dict[Reveal, int]:
    """Return the number of classes of the tilings of each reveal.

    Two tilings that contain ``place`` are in one class if a symmetry that maps the set of placed
    pieces to itself maps one tiling to the other.

    Raises:
        TooLarge: a diagram does not fit into memory.
        PlacementError: pieces in ``place`` overlap, or are more than the puzzle has.
    """
    group = symmetries(puzzle, place)
    sums, _ = counts_by_diagram(puzzle, reveals, place, use_cache, memory_limit, progress)
    # a symmetry and its inverse have the same orbits, and fix the same tilings
    by_orbits: dict[frozenset[frozenset[Cell]], list[Symmetry]] = {}
    for symmetry in group[1:]:
        cells = frozenset(map(frozenset, orbits(puzzle.cells, symmetry.image.__getitem__)))
        by_orbits.setdefault(cells, []).append(symmetry)
    for members in by_orbits.values():
        counts = count_fixed(puzzle, list(sums), place, members[0], memory_limit, progress)
        for reveal, number in counts.items():
            sums[reveal] += number * len(members)
    for reveal, total in sums.items():
        if total % len(group):
            raise Disagreement(
                f"classes of {puzzle.name}, {' '.join(reveal)}: {total} is not a multiple "
                f"of the {len(group)} symmetries; please report it"
            )
    return {reveal: total // len(group) for reveal, total in sums.items()}


def count_fixed(
    puzzle: Puzzle,
    reveals: Sequence[Reveal],
    place: Sequence[Placement],
    symmetry: Symmetry,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> dict[Reveal, int]:
    """Return the number of tilings of each reveal that a symmetry fixes."""
    problem = build_orbit_problem(puzzle, place, symmetry)
    options = range(len(problem.mask))
    counts, _ = count_problem(puzzle, problem, options, reveals, False, memory_limit, progress)
    return counts


def build_orbit_problem(
    puzzle: Puzzle, place: Sequence[Placement], symmetry: Symmetry
) -> ExactCover:
    """Return the exact cover of the orbits of cells by orbits of placements, then by labels.

    An orbit of cells is represented by its first cell. Pieces that the symmetry exchanges are one
    item: an orbit has as many placements of the one as of the other.
    """
    cover = cover_of(puzzle, None)
    representative = {
        cell: orbit[0]
        for orbit in orbits(cover.cells, symmetry.image.__getitem__)
        for cell in orbit
    }
    items: dict[str, int] = {}
    for piece in puzzle.pieces:
        items.setdefault(
            piece.name, items.get(symmetry.image_name[piece.name], len(set(items.values())))
        )
    piece_counts = Counter(items.values())
    copies = [0] * len(piece_counts) + [1] * len(puzzle.categories)
    for piece in puzzle.pieces:
        copies[items[piece.name]] = piece.copies
    options: list[tuple[int, int, set[Cell]]] = []  # item, weight, cells
    placements = [
        option
        for option, is_allowed in zip(cover.options, compatible_options(cover, place), strict=True)
        if is_allowed and isinstance(option, Placement)
    ]
    for orbit in orbits(placements, symmetry.of_placement):
        orbit_cells = {cell for placement in orbit for cell in placement.cells}
        item = items[orbit[0].piece]
        weight = len(orbit) // piece_counts[item]
        if weight <= copies[item] and len(orbit_cells) == len(orbit) * len(orbit[0].cells):
            options.append((item, weight, {representative[cell] for cell in orbit_cells}))
    categories = list(puzzle.categories)
    for label in puzzle.labels.values():
        item = len(piece_counts) + categories.index(label.category)
        options.append((item, 1, {representative[cell] for cell in label.cells}))
    cells = sorted(set(representative.values()))
    order = choose_order(cells, [sorted(option_cells) for _, _, option_cells in options])
    bit = {cells[index]: 1 << rank for rank, index in enumerate(order)}
    return ExactCover(
        cells=len(cells),
        copies=copies,
        item=[item for item, _, _ in options],
        mask=[sum(map(bit.__getitem__, option_cells)) for _, _, option_cells in options],
        categories=len(categories),
        weight=[weight for _, weight, _ in options],
    )


def orbits(members: Sequence[Member], image: Callable[[Member], Member]) -> Iterator[list[Member]]:
    """Yield the orbits of a permutation; each begins with its first member.

    >>> list(orbits("abcd", {"a": "c", "c": "a", "b": "b", "d": "d"}.get))
    [['a', 'c'], ['b'], ['d']]
    """
    seen: set[Member] = set()
    for member in members:
        if member not in seen:
            orbit = [member]
            while (next_member := image(orbit[-1])) != member:
                orbit.append(next_member)
            seen.update(orbit)
            yield orbit
