"""Making certificates: the tilings of a reveal, and proofs that there are no others.

The tilings come from the loop of :mod:`satcal.counting.sat` with all its lemmas. Each proof
comes from one fresh run of CaDiCaL on the checker's own formula, which has a clause against each
tiling: what the loop has learnt, and every lemma, stays out of it. A reveal with many tilings is
cut into cubes; the rest of a cube is a smaller puzzle without labels.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from importlib.metadata import version

from satcal.counting import sat
from satcal.counting.cubes import Cube, Plan, plans, remaining
from satcal.counting.sat import DEFAULT, STATIC
from satcal.counting.settings import Settings
from satcal.errors import Disagreement
from satcal.evidence.certificate import Certificate, Packed, Section, packed, to_bytes
from satcal.evidence.hints import Lemma, compact, encode
from satcal.evidence.standard import Standard
from satcal.proof.formula import Clause, Formula, Placed, formula, task
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.order import cell_order
from satcal.puzzle.placements import cover
from satcal.puzzle.writing import to_toml
from satcal.version import __version__

# Tilings of a proof. Cutting costs up to five times the CPU time of making and checking, but the
# checker's memory grows with the longest proof: 2.3 GB for the 1,472 tilings of pentomino-4x15.
# Measured by python -m benchmarks.certificates --cuts
CUT_ABOVE = 2000
Progress = Callable[[str], None]


def certify(
    puzzle: Puzzle,
    reveal: Reveal,
    *,
    cut_above: int = CUT_ABOVE,
    executor: Executor | None = None,
    progress: Progress | None = None,
    use_cache: bool = True,
) -> bytes:
    """Return the certificate of one reveal.

    Args:
        puzzle: the puzzle.
        reveal: one label per category.
        cut_above: tilings that a proof may have at most.
        executor: proves cubes in parallel; None: one after the other in this process.
        progress: told of each proof that is made.
        use_cache: whether the diagram that tells where to cut is kept.

    Raises:
        TooLarge: the plain encoding has too many clauses.
        Disagreement: the solver contradicts itself.
    """
    planned = plans(puzzle, [reveal], cut_above, Settings(use_cache=use_cache))
    (section,) = sections(puzzle, planned, executor=executor, progress=progress)
    return sealed(puzzle, [section])


def sealed(puzzle: Puzzle, proved: Sequence[Section]) -> bytes:
    """Return one certificate of these sections."""
    versions = {"satcal": __version__, "python-sat": version("python-sat"), "solver": DEFAULT}
    return to_bytes(Certificate(to_toml(puzzle), tuple(proved), versions))


def sections(
    puzzle: Puzzle,
    plans: Sequence[Plan],
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Section]:
    """Yield what is proved of each planned reveal, in their order, as it is done.

    Raises:
        As :func:`certify`.
    """
    tasks = [(reveal, cube) for reveal, cubes in plans for cube in cubes]
    answers = _answers(puzzle, tasks, executor)
    for reveal, cubes in plans:
        found: list[Tiling] = []
        proofs: list[Packed] = []
        for _ in cubes:
            tilings, proof = next(answers)
            found += tilings
            proofs.append(proof)
            if progress:
                progress(f"{' '.join(reveal)} {len(proofs)} of {len(cubes)}")
        yield Section(
            reveal,
            tuple(tuple(map(_placed, tiling)) for tiling in _canonical(puzzle, found)),
            tuple(tuple((cell, _placed(chosen)) for cell, chosen in cube) for cube in cubes),
            tuple(proofs),
        )


def _answers(
    puzzle: Puzzle, tasks: Sequence[tuple[Reveal, Cube]], executor: Executor | None
) -> Iterator[tuple[list[Tiling], Packed]]:
    if executor is None:
        yield from (prove(puzzle, reveal, cube) for reveal, cube in tasks)
        return
    futures: list[Future[tuple[list[Tiling], Packed]]] = [
        executor.submit(prove, puzzle, reveal, cube) for reveal, cube in tasks
    ]
    futures.reverse()
    while futures:
        yield futures.pop().result()  # and the result is free to go


def _placed(placement: Placement) -> Placed:
    return placement.piece, frozenset(placement.cells)


def prove(puzzle: Puzzle, reveal: Reveal, cube: Cube) -> tuple[list[Tiling], Packed]:
    """Return the tilings of a cube, and the packed proof that there are no others.

    Raises:
        As :func:`certify`.
    """
    chosen = tuple(placement for _, placement in cube)
    rest = remaining(puzzle, reveal, cube)
    tilings = list(sat.tilings(cover(rest, ()))) if rest.cells else [()]
    whole = _canonical(puzzle, ((*chosen, *tiling) for tiling in tilings))
    listed = [frozenset(map(_placed, tiling)) - set(map(_placed, chosen)) for tiling in whole]
    collecting = gc.isenabled()
    gc.disable()  # it would look again and again at millions of numbers, none in a cycle
    try:
        return whole, packed(refute(formula(task(rest, ()), (), listed)))
    finally:
        if collecting:
            gc.enable()


def _canonical(puzzle: Puzzle, tilings: Iterable[Iterable[Placement]]) -> list[Tiling]:
    """Return tilings in the order of a certificate, which numbers the clauses against them."""
    order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}

    def place(placement: Placement) -> tuple[int, tuple[tuple[int, int], ...]]:
        return order[placement.piece], placement.cells

    return sorted(
        (tuple(sorted(tiling, key=place)) for tiling in tilings),
        key=lambda tiling: list(map(place, tiling)),
    )


def refute(refuted: Formula) -> bytes:
    """Return a proof for the replay that a formula has no model.

    Raises:
        As :func:`certify`.
    """
    if Clause(0, 0) in refuted.clauses:  # nothing covers a cell, or the cube is a whole tiling
        empty = Lemma([], [1 + refuted.clauses.index(Clause(0, 0))])
        return encode({len(refuted.clauses) + 1: empty}, refuted)
    outside = [0, *_static_order(refuted)]
    inside = {number: its for its, number in enumerate(outside)}
    given, implied = Standard(refuted).parts()
    raw = _solved([inside[abs(x)] * (1 if x > 0 else -1) for x in c] for c in implied + given)
    return compact(raw, refuted, len(implied), outside)


def _static_order(refuted: Formula) -> list[int]:
    """Return the variables, 1-based, in the order that lets the solver decide along the cells.

    CaDiCaL without scores decides the last variable first: placements by falling first cell.
    """
    cells = {cell for _, covered in refuted.placements for cell in covered}
    rank = {cell: number for number, cell in enumerate(cell_order(sorted(cells)))}
    first = [min(rank[cell] for cell in covered) for _, covered in refuted.placements]
    return sorted(range(1, len(first) + 1), key=lambda variable: (-first[variable - 1], variable))


def _solved(clauses: Iterable[list[int]]) -> bytes:
    """Return the binary LRAT proof that one run of the solver writes.

    PySAT's own class starts to trace before hints can be asked for, so the solver is called as
    that class calls it.
    """
    import pysolvers

    solver = pysolvers.cadical195_new()
    try:
        with tempfile.TemporaryFile() as file:
            for option, value in {**STATIC[DEFAULT], "lrat": 1}.items():
                pysolvers.cadical195_set(solver, option, value)
            trace = pysolvers.cadical195_tracepr(solver, file)
            for clause in clauses:
                pysolvers.cadical195_add_cl(solver, clause)
            if pysolvers.cadical195_solve(solver, [], 0):
                raise Disagreement(
                    "the solver finds one more tiling in a second run, so its count is wrong; "
                    "please report it"
                )
            pysolvers.flushpr(trace)
            file.seek(0)
            return file.read()
    finally:
        pysolvers.cadical195_del(solver, None)
