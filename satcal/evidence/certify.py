"""Making certificates: the tilings of a reveal, and proofs that there are no others.

The tilings come from the loop of :mod:`satcal.counting.sat` with all its lemmas. Each proof
comes from one fresh run of CaDiCaL on the plain encoding and a blocking clause per tiling: what
the loop has learnt, and every lemma, stays out of it. A reveal with many tilings is cut into
cubes; the rest of a cube is a smaller puzzle without labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from importlib.metadata import version
from typing import Any

from satcal import __version__
from satcal.counting import sat
from satcal.counting.cubes import Cube, Plan, plans, remaining
from satcal.counting.methods import Settings
from satcal.counting.solvers import DEFAULT, STATIC
from satcal.encoding import encode
from satcal.errors import Disagreement
from satcal.evidence.archive import squeeze
from satcal.evidence.certificate import Certificate, Packed, Section, to_bytes
from satcal.evidence.proof import from_binary
from satcal.evidence.rebuild import Placed
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, cover
from satcal.puzzle.writing import to_toml

# Tilings of a proof. Cutting costs up to five times the CPU time of making and checking, but the
# checker's memory grows with the longest proof: 2.3 GB for the 1,472 tilings of pentomino-4x15.
# Measured by python -m benchmarks.certificates --cuts
CUT_ABOVE = 2000
EMPTY_CLAUSE = b"0\n"
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
    order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    for reveal, cubes in plans:
        found: list[Tiling] = []
        proofs: list[Packed] = []
        for _ in cubes:
            tilings, proof = next(answers)
            found += tilings
            proofs.append(proof)
            if progress:
                progress(f"{' '.join(reveal)} {len(proofs)} of {len(cubes)}")
        found.sort(key=lambda tiling: [(order[p.piece], p.cells) for p in tiling])
        yield Section(
            reveal,
            tuple(tuple(map(_placed, tiling)) for tiling in found),
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
    if not rest.cells:
        return [chosen], _packed(EMPTY_CLAUSE)
    todo = cover(rest, ())
    found = list(sat.tilings(todo))
    proof = _packed(refute(todo, found))
    order = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    return [
        tuple(sorted((*chosen, *tiling), key=lambda p: (order[p.piece], p.cells)))
        for tiling in found
    ], proof


def _packed(text: bytes) -> Packed:
    return Packed(len(text), squeeze(text))


def refute(todo: Cover, tilings: Sequence[Tiling]) -> bytes:
    """Return a proof that the plain encoding has no model besides these tilings."""
    plain = encode(todo, "plain")
    if [] in plain.clauses:
        return EMPTY_CLAUSE
    number = {option: index for index, option in enumerate(todo.options, start=1)}
    blocks = [[-number[placement] for placement in tiling] for tiling in tilings]
    inside = sat.numbering(todo, plain, static=True)
    outside = [0] * len(inside)
    for mine, its in enumerate(inside):
        outside[its] = mine
    clauses = ([inside[x] if x > 0 else -inside[-x] for x in c] for c in plain.clauses + blocks)
    return from_binary(_solved(clauses), outside)


def _solved(clauses: Iterator[list[int]]) -> bytes:
    """Return the binary proof that one run of the solver writes.

    PySAT's own ``get_proof`` turns it into text in a way that makes an empty clause of a
    truncated tail, so the bytes are taken as they are.
    """
    import pysolvers
    from pysat.solvers import Cadical195

    solver: Any = Cadical195(with_proof=True)
    try:
        solver.configure(STATIC[DEFAULT])
        for clause in clauses:
            solver.add_clause(clause)
        if solver.solve():
            raise Disagreement(
                "the solver finds one more tiling in a second run, so its count is wrong; "
                "please report it"
            )
        pysolvers.flushpr(solver.prfp)
        solver.prfile.seek(0)
        proof: bytes = solver.prfile.read()
        return proof
    finally:
        solver.delete()
