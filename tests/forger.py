"""A forger: wrong proofs of formulas that have a model, and certificates with edited parts.

All randomness comes from the generator that is given, so a seed tells which forgery it was.
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from certificates import Forged
from proofs import (
    Hint,
    Step,
    against,
    groups,
    literals,
    models,
    numbers,
    planted,
    propagated,
    refutation,
    satisfies,
    step,
    varint,
)  # fmt: skip

from satcal.proof.certificate import PUZZLE
from satcal.proof.formula import Clause, Formula

# --- proofs -------------------------------------------------------------------------------------


class Target(NamedTuple):
    """A formula, a model of it, and what would be a proof if this model were excluded, too."""

    formula: Formula
    model: frozenset[int]
    steps: tuple[Step, ...]


@cache
def targets(seed: int, many: int = 60) -> tuple[Target, ...]:
    """Return random formulas, each with a model, and each with a proof that is almost right."""
    generator = random.Random(seed)
    found: list[Target] = []
    while len(found) < many:
        formula, _ = planted(generator)
        true = list(models(formula))
        if len(true) > 20:
            continue
        variables = len(formula.placements)
        given = [*formula.clauses, *against(true, variables)]
        whole = Formula(formula.placements, formula.sharing, formula.rivals, given)
        steps = refutation(whole)
        missing = len(formula.clauses) + 1 + generator.randrange(len(true))
        del given[missing - 1]
        kept = Formula(formula.placements, formula.sharing, formula.rivals, given)
        model = true[missing - 1 - len(formula.clauses)]
        assert satisfies(kept, model)
        found.append(Target(kept, model, tuple(_shifted(each, missing) for each in steps)))
    return tuple(found)


def _shifted(each: Step, missing: int) -> Step:
    hints = (hint._replace(number=hint.number - (hint.number > missing)) for hint in each.hints)
    return each._replace(hints=tuple(hints))


def forged_proof(target: Target, generator: random.Random) -> bytes:
    """Return the bytes of a proof that is wrong, whatever it looks like."""
    steps = list(generator.choice(STRUCTURES)(target, generator))
    given = len(target.formula.clauses)
    for _ in range(generator.choice((0, 1, 1, 1, 2, 4))):
        generator.choice(CHANGES)(steps, given, target, generator)
    values = numbers(steps, given)
    if generator.random() < 0.1:
        values[generator.randrange(len(values))] = generator.choice((0, 1, 2, 5, 127, 2**28, 2**64))
    content = groups(values)
    if generator.random() < 0.1:
        content = generator.choice(BYTES)(values, content, generator)
    return content


Structure = Callable[[Target, random.Random], Sequence[Step]]


def _almost_right(target: Target, generator: random.Random) -> Sequence[Step]:
    return target.steps


def _of_another(target: Target, generator: random.Random) -> Sequence[Step]:
    """The proof of another formula."""
    return generator.choice(targets(1)).steps


def _believed(target: Target, generator: random.Random) -> Sequence[Step]:
    """The proof of who takes the formula for another one, that excludes more."""
    formula = target.formula
    sharing, rivals, clauses = list(formula.sharing), list(formula.rivals), list(formula.clauses)
    for _ in range(generator.randint(1, 3)):
        one, other = (generator.randrange(len(sharing)) for _ in range(2))
        place = generator.randrange(len(clauses))
        match generator.randrange(3):
            case 0 if one != other:
                sharing[one] |= 1 << other
                sharing[other] |= 1 << one
            case 1:
                its, copies = rivals[one]
                rivals = [(its, copies - 1) if x == rivals[one] and copies > 1 else x
                          for x in rivals]  # fmt: skip
            case _:
                positive, negative = clauses[place]
                clauses[place] = Clause(positive & ~(1 << one), negative & ~(1 << other))
    try:
        return refutation(Formula(formula.placements, sharing, rivals, clauses))
    except ValueError:  # it has a model all the same
        return target.steps


def _resolution_asymmetric(target: Target, generator: random.Random) -> Sequence[Step]:
    """A definition by RAT steps, then a unit that is kept after its reason is forgotten."""
    one, other = (_literal(target, generator) for _ in range(2))
    first = len(target.formula.clauses) + 1
    steps = [
        step((one,), generator.randint(1, first)),
        step((other, -one), first, -(first - 1) if generator.random() < 0.5 else first),
        step((-one,), generator.choice((1, -1)) * (first + 1), first),
        step((), first, first + 2, first + 1),
    ]
    return steps[generator.randrange(3) :]


def _extension(target: Target, generator: random.Random) -> Sequence[Step]:
    """A fresh variable that is defined as what two literals have in common."""
    new = len(target.formula.placements) + generator.choice((0, 1, 1, 2))
    one, other = (_literal(target, generator) for _ in range(2))
    first = len(target.formula.clauses) + 1
    return [
        step((-new, one), *generator.sample(range(1, first), 1)),
        step((-new, other)),
        step((new, -one, -other), first, first + 1),
        step((), first + 2, first + 1, first),
    ]


def _propagation(target: Target, generator: random.Random) -> Sequence[Step]:
    """Lemmas with all the units that there are, and then a clause that is not false."""
    clauses = [literals(clause) for clause in target.formula.clauses]
    steps: list[Step] = []
    for _ in range(generator.randint(1, 4)):
        lemma = [_literal(target, generator) for _ in range(generator.choice((0, 1, 1, 2)))]
        assumed = {-x - 1 for x in lemma if x < 0}
        _, _, used, _ = propagated(target.formula, clauses, sorted(assumed))
        lasts = generator.choices(range(1, len(clauses) + 1), k=generator.choice((0, 1, 1, 2)))
        steps.append(step(dict.fromkeys(lemma), *used, *lasts))
        clauses.append(steps[-1].literals)
    return [*steps, step((), *generator.sample(range(1, len(clauses) + 1), 1), len(clauses))]


def _nothing(target: Target, generator: random.Random) -> Sequence[Step]:
    """No lemma, or one, with a few hints."""
    given = len(target.formula.clauses)
    hints = generator.choices(range(1, given + 1), k=generator.randrange(4))
    return [] if generator.random() < 0.2 else [step((), *hints)]


STRUCTURES: tuple[Structure, ...] = (
    _almost_right, _almost_right, _almost_right, _of_another, _believed, _believed,
    _resolution_asymmetric, _extension, _propagation, _propagation, _nothing,
)  # fmt: skip


def _literal(target: Target, generator: random.Random) -> int:
    variable = generator.randint(1, len(target.formula.placements))
    return variable if generator.random() < 0.5 else -variable


Change = Callable[[list[Step], int, Target, random.Random], None]


def _some_step(steps: list[Step], generator: random.Random) -> int:
    if not steps:
        steps.append(step(()))
    return generator.randrange(len(steps))


def _change_steps(steps: list[Step], given: int, target: Target, generator: random.Random) -> None:
    """Leave out, double, exchange or cut off steps; the numbers of the others stay."""
    place = _some_step(steps, generator)
    match generator.randrange(5):
        case 0:
            del steps[place]
        case 1:
            steps.insert(place, steps[place])
        case 2:
            other = generator.randrange(len(steps))
            steps[place], steps[other] = steps[other], steps[place]
        case 3:
            del steps[place:]
            hints = generator.choices(range(1, given + place + 1), k=generator.randrange(4))
            steps.append(step((), *hints))
        case _:
            steps.insert(place, step((), *(generator.choices(range(1, given + 1), k=1))))


def _change_literals(
    steps: list[Step], given: int, target: Target, generator: random.Random
) -> None:
    """Leave out, turn over, or add a literal; or leave out all of them."""
    place = _some_step(steps, generator)
    its = list(steps[place].literals)
    literal = _literal(target, generator)
    match generator.randrange(4):
        case 0 if its:
            del its[generator.randrange(len(its))]
        case 1 if its:
            its[generator.randrange(len(its))] *= -1
        case 2:
            its.clear()
        case _:
            its.append(literal if generator.random() < 0.9 else literal * 1000)
    steps[place] = steps[place]._replace(literals=tuple(dict.fromkeys(its)))


def _change_hints(steps: list[Step], given: int, target: Target, generator: random.Random) -> None:
    """Leave out, double, add, replace or reorder hints: later ones, too, and the step itself."""
    place = _some_step(steps, generator)
    its = list(steps[place].hints)
    here = given + place + 1
    number = generator.choice((
        generator.randint(1, here), generator.randint(1, given), here, here + 1, here - 1, 0, -1,
        2**27, 2**31, here - 2**27, here - 2**31,
    ))  # fmt: skip
    where = generator.randrange(len(its) + 1)
    match generator.randrange(6):
        case 0 if its:
            del its[where % len(its)]
        case 1 if its:
            its.insert(where, generator.choice(its))
        case 2 if its:
            its[where % len(its)] = Hint(number)
        case 3:
            generator.shuffle(its)
        case 4:
            del its[where:]
        case _:
            its.insert(where, Hint(number))
    steps[place] = steps[place]._replace(hints=tuple(its))


def _change_forgotten(
    steps: list[Step], given: int, target: Target, generator: random.Random
) -> None:
    """Forget clauses at some of their uses, or at all."""
    often = generator.choice((0.1, 0.5, 1))
    for place, each in enumerate(steps):
        hints = (h._replace(forget=generator.random() < often) for h in each.hints)
        steps[place] = each._replace(hints=tuple(hints))


CHANGES: tuple[Change, ...] = (_change_steps, _change_literals, _change_hints, _change_forgotten)


def _not_shortest(values: list[int], content: bytes, generator: random.Random) -> bytes:
    place = generator.randrange(len(values))
    zeros = generator.choice((1, 2, 5))
    return groups(values[:place]) + varint(values[place], zeros) + groups(values[place + 1 :])


BYTES: tuple[Callable[[list[int], bytes, random.Random], bytes], ...] = (
    _not_shortest,
    lambda values, content, generator: content[: generator.randrange(len(content))],
    lambda values, content, generator: content + generator.randbytes(generator.randint(1, 4)),
    lambda values, content, generator: bytes(reversed(content)),
    lambda values, content, generator: generator.randbytes(generator.randint(0, 40)),
)

# --- certificates -------------------------------------------------------------------------------


class _Quick(Forged):
    """Parts that are compressed quickly rather than well."""

    def write(self, name: str, text: str | bytes) -> None:
        raw = text.encode() if isinstance(text, str) else text
        self.parts[name] = lzma.compress(raw, preset=0) if name.endswith(".xz") else raw
        self.statement["sizes"][name] = len(raw)


def forged_certificate(originals: Sequence[bytes], generator: random.Random) -> bytes:
    """Return a certificate with edits in its parts, sealed again."""
    cert = _Quick(generator.choice(originals))
    other = _Quick(generator.choice(originals))
    for _ in range(generator.choice((1, 1, 2, 3))):
        generator.choice(EDITS)(cert, other, generator)
    if generator.random() < 0.7:  # what is stated fits to what is listed
        for number, entry in enumerate(cert.statement["reveals"], start=1):
            name = f"{number:04}-tilings.txt.xz"
            if name in cert.parts:
                entry["tilings"] = cert.content(name).count(b"\n")
    if generator.random() < 0.1:
        _edit_json(cert.statement, generator)
    return cert.sealed()


def _part(cert: Forged, kind: str, generator: random.Random) -> str:
    return generator.choice([name for name in cert.parts if kind in name])


def _edit_lines(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Leave out, double, reorder or take over lines of tilings or cubes."""
    name = _part(cert, generator.choice(("tilings", "cubes")), generator)
    lines = cert.content(name).split(b"\n")[:-1] or [b""]
    place = generator.randrange(len(lines))
    match generator.randrange(5):
        case 0:
            del lines[place]
        case 1:
            lines.insert(generator.randrange(len(lines)), lines[place])
        case 2:
            generator.shuffle(lines)
        case 3:
            theirs = other.content(name).split(b"\n")[:-1] if name in other.parts else lines
            lines.append(generator.choice(theirs or lines))
        case _:
            words = lines[place].split(b" ")
            generator.shuffle(words)
            lines[place] = b" ".join(words[: generator.choice((len(words), 1))])
    cert.write(name, b"".join(line + b"\n" for line in lines))


def _leave_out(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Leave a tiling out, and shorten the proofs to their end."""
    lines = cert.content("0001-tilings.txt.xz").split(b"\n")[:-1] or [b""]
    del lines[generator.randrange(len(lines))]
    cert.write("0001-tilings.txt.xz", b"".join(line + b"\n" for line in lines))
    hints = generator.choice(([], [generator.randrange(8)], [generator.randrange(8), 0]))
    for name in [name for name in cert.parts if "proof" in name]:
        cert.write(name, groups([1, 0, len(hints), *hints]))


def _edit_cube(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Leave out or double a cube together with its proof."""
    cubes = cert.content("0001-cubes.txt.xz").split(b"\n")[:-1]
    proofs = [cert.content(name) for name in cert.parts if "proof" in name]
    entry = cert.statement["reveals"][0]
    if len(cert.statement["reveals"]) > 1 or len(cubes) != len(proofs) or len(proofs) < 2:
        return
    place = generator.randrange(len(proofs))
    change = generator.choice((lambda its: its.pop(place), lambda its: its.append(its[place])))
    change(cubes)
    change(proofs)
    for name in [name for name in cert.parts if "proof" in name]:
        del cert.parts[name], cert.statement["sizes"][name]
    entry["proofs"] = len(proofs)
    cert.write("0001-cubes.txt.xz", b"".join(cube + b"\n" for cube in cubes))
    for number, content in enumerate(proofs, start=1):
        cert.write(f"0001-proof-{number:04}.hints.xz", content)


def _edit_statement(cert: Forged, other: Forged, generator: random.Random) -> None:
    """State another count, another reveal, or another number of proofs."""
    reveals = cert.statement["reveals"]
    entry = generator.choice(reveals)
    match generator.randrange(4):
        case 0:
            entry["tilings"] += generator.choice((-1, 1))
        case 1:
            entry["reveal"] = generator.choice(other.statement["reveals"])["reveal"]
        case 2:
            entry["proofs"] = max(0, entry["proofs"] + generator.choice((-1, 1)))
        case _:
            reveals.append(generator.choice(other.statement["reveals"]))


def _edit_json(statement: dict[str, Any], generator: random.Random) -> None:
    """Write something of another kind anywhere in a statement."""
    place: dict[str, Any] | list[Any] = statement
    while True:
        key = generator.choice([*place] if isinstance(place, dict) else range(len(place)))
        below = place[key]
        if not isinstance(below, dict | list) or not below or generator.random() < 0.3:
            break
        place = below
    if generator.random() < 0.2 and isinstance(place, dict):
        place[generator.choice(("format", "note", "README.txt"))] = place.pop(key)
    else:
        place[key] = generator.choice(ODD)


ODD = ([], {}, "", "x", None, True, False, -1, 0, 1, 1.0, 10**30, float("nan"), [[]], ["a", 3])


def _edit_parts(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Exchange two parts, or take one of another certificate."""
    kind = generator.choice(("tilings", "cubes", "proof", "proof"))
    name = _part(cert, kind, generator)
    source = generator.choice((cert, other))
    cert.write(name, source.content(_part(source, kind, generator)))


def _edit_proof(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Change a number of a proof, or replace it by something short."""
    name = _part(cert, "proof", generator)
    content = bytearray(cert.content(name))
    place = generator.randrange(len(content) + 1)
    match generator.randrange(4):
        case 0 if content:
            content[place % len(content)] = generator.choice((0, 1, 2, 3, generator.randrange(256)))
        case 1:
            content[place:place] = generator.randbytes(1)
        case 2:
            del content[place : place + generator.choice((1, 5))]
        case _:
            content = bytearray(groups([1, 0, 1, 2 * generator.randrange(8)]))
    cert.write(name, bytes(content))


def _edit_puzzle(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Exchange or change characters of the puzzle."""
    text = bytearray(cert.content(PUZZLE))
    place = generator.randrange(len(text))
    if generator.random() < 0.5:
        text[place] = generator.choice(b"abcde1234*.#PLVYI \n\"'=23truefals")
    else:
        away = generator.randrange(len(text))
        text[place], text[away] = text[away], text[place]
    cert.write(PUZZLE, bytes(text))


def _edit_text(cert: Forged, other: Forged, generator: random.Random) -> None:
    """Change characters of any part."""
    name = generator.choice(list(cert.statement["sizes"]))
    text = bytearray(cert.content(name))
    place = generator.randrange(len(text) + 1)
    if generator.random() < 0.5:
        text[place:place] = bytes(generator.choices(b"0123456789rcPLVYI:,= \n", k=2))
    else:
        del text[place : place + generator.choice((1, 10))]
    cert.write(name, bytes(text))


EDITS: tuple[Callable[[Forged, Forged, random.Random], None], ...] = (
    _edit_lines, _edit_lines, _leave_out, _edit_cube, _edit_statement, _edit_parts, _edit_proof,
    _edit_puzzle, _edit_text,
)  # fmt: skip
