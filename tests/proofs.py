"""Formulas that are satisfiable or not by construction, and proofs, right and wrong ones.

Nothing here propagates with the replay's masks: assignments are sets, clauses are tuples of
literals 1, -1, 2, -2, …, as in LRAT. What is written down wrongly is written down all the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from satcal.proof.formula import Clause, Formula

Literals = tuple[int, ...]


class Step(NamedTuple):
    """A lemma and the clauses that are to show it; those below 0 are forgotten after their use."""

    literals: Literals
    hints: tuple[int, ...]


def step(literals: Iterable[int], *hints: int) -> Step:
    """Return a step."""
    return Step(tuple(literals), hints)


# --- writing ------------------------------------------------------------------------------------


def written(steps: Sequence[Step], given: int) -> bytes:
    """Return the bytes of a proof of a formula with that many clauses."""
    return groups(numbers(steps, given))


def numbers(steps: Sequence[Step], given: int) -> list[int]:
    """Return the numbers that code a proof, those of clauses to come modulo 2 ** 32."""
    sizes, skipped, hints = [], [], []
    for number, each in enumerate(steps, start=given + 1):
        codes = sorted(2 * abs(x) - 2 + (x < 0) for x in each.literals)
        sizes += (len(codes), len(each.hints))
        skipped += (b - a - 1 for a, b in zip([-1, *codes], codes, strict=False))
        hints += (2 * (number - 1 - abs(hint)) + (hint < 0) for hint in each.hints)
    return [len(steps), *sizes, *(x % 2**32 for x in skipped + hints)]


def groups(values: Iterable[int]) -> bytes:
    """Return numbers in groups of 7 bits, the least first, bit 8 on all but the last."""
    return b"".join(map(varint, values))


def varint(value: int, zeros: int = 0) -> bytes:
    """Return a number's bytes, with so many groups of leading zeros more than it needs."""
    parts = [value & 127]
    while value := value >> 7:
        parts.append(value & 127)
    parts += [0] * zeros
    return bytes([*(group | 128 for group in parts[:-1]), parts[-1]])


# --- what a formula means -----------------------------------------------------------------------


def as_clause(literals: Iterable[int]) -> Clause:
    """Return literals as a clause of the formula."""
    literals = list(literals)
    positive, negative = ([sign * x - 1 for x in literals if sign * x > 0] for sign in (1, -1))
    return Clause(mask(positive), mask(negative))


def as_literals(clause: Clause) -> Literals:
    """Return a clause of the formula as literals."""
    return (*(1 + x for x in ones(clause.positive)), *(-1 - x for x in ones(clause.negative)))


def ones(mask: int) -> list[int]:
    """Return which bits of a mask are set."""
    return [place for place, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def mask(variables: Iterable[int]) -> int:
    """Return a set of bits as a mask."""
    return sum(1 << variable for variable in set(variables))


def meets(true: frozenset[int], literals: Iterable[int]) -> bool:
    """Return whether a clause holds in this assignment (true placements, from 0)."""
    return any((abs(x) - 1 in true) == (x > 0) for x in literals)


def satisfies(formula: Formula, true: frozenset[int]) -> bool:
    """Return whether this assignment is a model of the formula."""
    excluded = any(formula.sharing[a] >> b & 1 for a, b in combinations(sorted(true), 2))
    too_many = any(len(true.intersection(ones(r))) > k for r, k in set(formula.rivals))
    met = all(meets(true, as_literals(clause)) for clause in formula.clauses)
    return met and not excluded and not too_many


def models(formula: Formula) -> Iterator[frozenset[int]]:
    """Yield all models, by trying everything."""
    variables = range(len(formula.placements))
    for size in range(len(variables) + 1):
        for true in map(frozenset, combinations(variables, size)):
            if satisfies(formula, true):
                yield true


def against(models: Iterable[frozenset[int]], variables: int) -> list[Clause]:
    """Return the clauses that exclude just these assignments."""
    return [Clause(mask(range(variables)) & ~mask(true), mask(true)) for true in models]


# --- making -------------------------------------------------------------------------------------


def free(
    variables: int, clauses: Iterable[Literals] = (), apart: Iterable[tuple[int, int]] = (),
    copies: int | None = None,
) -> Formula:  # fmt: skip
    """Return a formula over variables from 1, of which those pairs share a cell.

    With ``copies`` all are placements of one piece, else each is of a piece of its own.
    """
    whole = (1 << variables) - 1
    rivals = [(whole, copies) if copies else (1 << x, 1) for x in range(variables)]
    return _formula(rivals, ((a - 1, b - 1) for a, b in apart), clauses)


def _formula(
    rivals: list[tuple[int, int]], apart: Iterable[tuple[int, int]], clauses: Iterable[Literals]
) -> Formula:
    sharing = [0 for _ in rivals]
    for one, other in apart:
        sharing[one] |= 1 << other
        sharing[other] |= 1 << one
    placements = [("A", frozenset({(0, number)})) for number, _ in enumerate(rivals)]
    return Formula(placements, sharing, rivals, list(map(as_clause, clauses)))


def planted(generator: random.Random) -> Formula:
    """Return a random formula that an assignment satisfies: whatever refutes it lies."""
    variables = range(generator.randint(2, 8))
    true = frozenset(x for x in variables if generator.random() < 0.4)
    apart = [
        pair for pair in combinations(variables, 2)
        if not true.issuperset(pair) and generator.random() < 0.25
    ]  # fmt: skip
    piece_of = [generator.randrange(1 + len(variables) // 2) for _ in variables]
    pieces = {}
    for piece in sorted(set(piece_of)):
        members = [x for x in variables if piece_of[x] == piece]
        copies = max(len(true.intersection(members)), generator.choice((1, 1, 2)))
        pieces[piece] = (mask(members), copies)
    clauses = []
    for _ in range(generator.randint(1, 8)):
        signed = [x + 1 if generator.random() < 0.6 else -x - 1 for x in variables]
        some = generator.sample(signed, generator.randint(1, min(4, len(signed))))
        if not meets(true, some):
            some[0] = -some[0]
        clauses.append(tuple(some))
    formula = _formula([pieces[piece] for piece in piece_of], apart, clauses)
    assert satisfies(formula, true)
    return formula


# --- proving ------------------------------------------------------------------------------------


def refutation(formula: Formula) -> list[Step]:
    """Return a proof of a formula without model: one placement after the other is assumed.

    Raises ValueError if it has one.
    """
    clauses = [as_literals(clause) for clause in formula.clauses]
    steps: list[Step] = []
    assumed: list[int] = []
    variables = range(1, 1 + len(formula.placements))
    while True:
        true, used, refuted = propagated(formula, clauses, assumed)
        if refuted:
            steps.append(step([-x for x in assumed], *used))
            clauses.append(steps[-1].literals)
            if not assumed:
                return steps
            assumed.pop()
            continue
        rest = [x for x in variables if not true.intersection((x, -x))]
        if not rest:
            raise ValueError(f"{sorted(true)} is a model")
        assumed.append(rest[0])


def propagated(
    formula: Formula, clauses: Sequence[Literals], assumed: Iterable[int]
) -> tuple[set[int], list[int], bool]:
    """Return what is true by unit propagation, the clauses used, and whether one is false."""
    true: set[int] = set()

    def take(literal: int) -> None:
        true.add(literal)
        if literal > 0:
            true.update(-1 - x for x in ones(formula.sharing[literal - 1]))
            rivals, copies = formula.rivals[literal - 1]
            others = [-1 - x for x in ones(rivals) if 1 + x not in true]
            if len(ones(rivals)) - len(others) >= copies:
                true.update(others)

    for literal in assumed:
        take(literal)
    used: list[int] = []
    before = -1
    while before < len(used):
        before = len(used)
        for number, clause in enumerate(clauses, start=1):
            left = [x for x in clause if -x not in true]
            if len(left) > 1 or true.intersection(clause):
                continue
            used.append(number)
            if not left:
                return true, used, True
            take(left[0])
    return true, used, False
