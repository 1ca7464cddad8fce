"""A forger: wrong proofs of formulas that have a model, and certificates with edited parts.

All randomness comes from the generator that is given, so a seed tells which forgery it was.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, TypeVar

import proofs
from certificates import TILINGS, Forged
from proofs import Step, groups, step

from satcal.proof.certificate import PUZZLE
from satcal.proof.formula import Clause, Formula

Item = TypeVar("Item")


def edited(items: Iterable[Item], new: Item, generator: random.Random) -> list[Item]:
    """Return a list with an item left out, doubled, replaced or added, or cut off."""
    items = list(items)
    at, away = (generator.randrange(len(items) + 1) for _ in range(2))
    place, others = generator.choice((
        (slice(at, at + 1), []), (slice(at, at + 5), []), (slice(at, None), []),
        (slice(away, away), items[at : at + 1]), (slice(at, at + 1), [new]),
        (slice(at, at), [new]),
    ))  # fmt: skip
    items[place] = others
    return items


# --- proofs -------------------------------------------------------------------------------------


class Target(NamedTuple):
    """A formula, a model of it, and what would be a proof if this model were excluded, too."""

    formula: Formula
    model: frozenset[int]
    steps: tuple[Step, ...]


@cache
def targets() -> tuple[Target, ...]:
    """Return random formulas, each with a model, and each with a proof that is almost right."""
    generator = random.Random(1)
    chosen: list[Target] = []
    while len(chosen) < 60:
        formula = proofs.planted(generator)
        all_models = list(proofs.models(formula))
        if len(all_models) > 20:
            continue
        number = generator.randrange(len(all_models))
        missing = len(formula.clauses) + 1 + number
        clauses = [*formula.clauses, *proofs.against(all_models, len(formula.placements))]
        steps = tuple(
            step(each.literals, *(hint - (hint > missing) for hint in each.hints))
            for each in proofs.refutation(replace(formula, clauses=list(clauses)))
        )
        del clauses[missing - 1]
        chosen.append(Target(replace(formula, clauses=clauses), all_models[number], steps))
    return tuple(chosen)


def forged_proof(target: Target, generator: random.Random) -> bytes:
    """Return the bytes of a proof that is wrong, whatever it looks like."""
    return _ProofForger(target, generator, len(target.formula.clauses), []).forged()


@dataclass
class _ProofForger:
    target: Target
    random: random.Random
    given: int
    steps: list[Step]

    def forged(self) -> bytes:
        starts = (self.right_for_another, self.believed, self.kept_unit)
        changes = (self.steps_changed, self.literals_changed, self.hints_changed, self.forgetting)
        self.steps = list(self.random.choices(starts, (3, 2, 1))[0]())
        for _ in range(self.random.choice((0, 1, 1, 1, 2, 4))):
            self.steps = self.steps or [step(())]
            place = self.random.randrange(len(self.steps))
            self.random.choice(changes)(place, self.steps[place])
        values = proofs.numbers(self.steps, self.given)
        at = self.random.randrange(len(values))
        if self.random.random() < 0.1:
            values[at] = self.random.choice((0, 1, 2, 5, 127, 2**28, 2**64))
        content = groups(values)
        if self.random.random() < 0.9:
            return content
        longer = proofs.varint(values[at], zeros=self.random.choice((1, 2, 5)))
        return self.random.choice((
            groups(values[:at]) + longer + groups(values[at + 1 :]), content[:at],
            content + self.random.randbytes(1 + at % 4), self.random.randbytes(at),
        ))  # fmt: skip

    def literal(self) -> int:
        return self.random.choice((1, -1)) * self.random.randint(1, len(self.target.formula.rivals))

    # what the proof looks like at first

    def right_for_another(self) -> Sequence[Step]:
        """The proof of the formula without the model."""
        return self.target.steps

    def believed(self) -> Sequence[Step]:
        """The proof of who takes the formula for another one, that excludes more."""
        formula = self.target.formula
        sharing, rivals, clauses = formula.sharing[:], formula.rivals[:], formula.clauses[:]
        for _ in range(self.random.randint(1, 3)):
            one, other = (self.random.randrange(len(sharing)) for _ in range(2))
            match self.random.randrange(3):
                case 0 if one != other:
                    sharing[one] |= 1 << other
                    sharing[other] |= 1 << one
                case 1 if rivals[one][1] > 1:
                    mask, copies = rivals[one]
                    rivals = [(mask, copies - 1) if x == (mask, copies) else x for x in rivals]
                case _:
                    place = self.random.randrange(len(clauses))
                    positive, negative = clauses[place]
                    clauses[place] = Clause(positive & ~(1 << one), negative & ~(1 << other))
        try:
            return proofs.refutation(Formula(formula.placements, sharing, rivals, clauses))
        except ValueError:  # it has a model all the same
            return self.target.steps

    def kept_unit(self) -> Sequence[Step]:
        """A definition by RAT steps, then a unit that is kept after its reason is forgotten."""
        one, other = self.literal(), self.literal()
        first = self.given + 1
        return (
            step((one,), self.random.randint(1, first)),
            step((other, -one), first, self.random.choice((1 - first, first))),
            step((-one,), self.random.choice((1, -1)) * (first + 1), first),
            step((), first, first + 2, first + 1),
        )

    # what becomes of it

    def steps_changed(self, place: int, _: Step) -> None:
        """Change the list of steps; the numbers of the others stay."""
        before = range(1, self.given + place + 1)
        new = step((), *self.random.choices(before, k=self.random.randint(0, 3)))
        self.steps = edited(self.steps, new, self.random)

    def literals_changed(self, place: int, lemma: Step) -> None:
        turned = [-literal for literal in lemma.literals]
        new = self.random.choice((*turned, self.literal(), self.literal(), self.literal() * 1000))
        literals = [] if self.random.random() < 0.2 else edited(lemma.literals, new, self.random)
        self.steps[place] = step(dict.fromkeys(literals), *lemma.hints)

    def hints_changed(self, place: int, lemma: Step) -> None:
        """Change the hints, also to those at later clauses and at the step itself."""
        here = self.given + place + 1
        before = (self.random.randint(1, here), self.random.randint(1, self.given))
        odd = (here, here + 1, here - 1, 0, -1, 2**27, 2**31, here - 2**27, here - 2**31)
        new = self.random.choice((*before, *odd))
        self.steps[place] = step(lemma.literals, *edited(lemma.hints, new, self.random))

    def forgetting(self, *_: object) -> None:
        """Forget clauses at some of their uses, or at all."""
        often = self.random.choice((0.1, 0.5, 1))
        for place, each in enumerate(self.steps):
            hints = (-x if self.random.random() < often else abs(x) for x in each.hints)
            self.steps[place] = step(each.literals, *hints)


# --- certificates -------------------------------------------------------------------------------

ODD = ([], {}, "", "x", None, True, False, -1, 0, 1, 1.0, 10**30, float("nan"), [[]], ["a", 3])
LETTERS = b"abcde1234*.#PLVYI \n\"':,=23truefalsrc"


def forged_certificate(originals: Sequence[bytes], generator: random.Random) -> bytes:
    """Return a certificate with edits in its parts, sealed again."""
    cert, other = (Forged(generator.choice(originals)) for _ in range(2))
    forger = _CertificateForger(cert, other, generator)
    edits = (
        forger.lines_edited, forger.left_out, forger.stated, forger.exchanged, forger.bytes_edited,
    )  # fmt: skip
    for edit in generator.choices(edits, (2, 2, 1, 1, 3), k=generator.choice((1, 1, 2, 3))):
        edit()
    if generator.random() < 0.7:  # what is stated fits to what is listed
        for number, entry in enumerate(cert.statement["reveals"], start=1):
            name = f"{number:04}-tilings.txt.xz"
            if name in cert.parts:
                entry["tilings"] = len(cert.lines(name))
    if generator.random() < 0.1:
        forger.json_edited()
    return cert.sealed()


@dataclass
class _CertificateForger:
    cert: Forged
    other: Forged
    random: random.Random

    def part(self, kind: str, source: Forged) -> str:
        return self.random.choice([name for name in source.parts if kind in name])

    def lines_edited(self) -> None:
        """Change the list of tilings or cubes, or the words of one of them."""
        name = self.part(self.random.choice(("tilings", "cubes")), self.cert)
        lines = self.cert.lines(name) or [""]
        others = self.other.lines(name) if name in self.other.parts else []
        place, new = self.random.randrange(len(lines)), self.random.choice(others or lines)
        if self.random.random() < 0.8:
            lines = edited(lines, new, self.random)
        else:
            words = edited(lines[place].split(" "), new.split(" ")[0], self.random)
            lines[place] = " ".join(words)
        self.cert.edit(name, lambda _: lines)

    def left_out(self) -> None:
        """Leave a tiling out, or none, and shorten the proofs to their end."""
        at = self.random.randrange(len(self.cert.lines(TILINGS)) + 1)
        self.cert.edit(TILINGS, lambda lines: lines[:at] + lines[at + 1 :])
        hint = self.random.randrange(8)
        hints = self.random.choice(([], [hint], [hint, 0]))
        for name in [name for name in self.cert.parts if "proof" in name]:
            self.cert.write(name, groups([1, 0, len(hints), *hints]))

    def stated(self) -> None:
        """State of a reveal what another certificate states, or that one, too."""
        reveals = self.cert.statement["reveals"]
        entry = self.random.choice(reveals)
        another = self.random.choice(self.other.statement["reveals"])
        key = self.random.choice([*entry, "all"])
        if key == "all":
            reveals.append(another)
        else:
            entry[key] = another[key]

    def json_edited(self) -> None:
        """Write something of another kind anywhere in a statement."""
        place: Any = None
        below: Any = self.cert.statement
        while isinstance(below, dict | list) and below:
            if place is not None and self.random.random() < 0.2:
                break
            place = below
            key = self.random.choice([*place] if isinstance(place, dict) else range(len(place)))
            below = place[key]
        if self.random.random() < 0.2 and isinstance(place, dict):
            place[self.random.choice(("format", "note", "README.txt"))] = place.pop(key)
        else:
            place[key] = self.random.choice(ODD)

    def exchanged(self) -> None:
        """Exchange two parts, or take one of another certificate."""
        kind = self.random.choice(("tilings", "cubes", "proof", "proof"))
        source = self.random.choice((self.cert, self.other))
        self.cert.write(self.part(kind, self.cert), source.content(self.part(kind, source)))

    def bytes_edited(self) -> None:
        """Change the bytes of any part, most often of a proof or of the puzzle."""
        kind = self.random.choice(("proof", "proof", PUZZLE, *self.cert.statement["sizes"]))
        proof = kind == "proof"
        name = self.part(kind, self.cert) if proof else kind
        letters = b"\0\1\2\3" + self.random.randbytes(1) if proof else LETTERS
        new, content = self.random.choice(letters), self.cert.content(name)
        self.cert.write(name, bytes(edited(content, new, self.random)))
