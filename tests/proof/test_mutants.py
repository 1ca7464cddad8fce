"""Every check of the trusted base is needed: without it something is accepted that must not be.

Each check is listed by a piece of its message, with a witness: a file or a proof that the whole
checker refuses for the reason of just this check. It is listed by what it is for:

SOUND   without it a false count is accepted, or a formula that has a model is "refuted"
STRICT  without it nothing false is accepted, but something that is no certificate is
CLEAR   without it nothing else is accepted, but a traceback or another reason is met

Below are lines that decide without refusing: replaced, they accept what is false, or no
certificate.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from certificates import CUBES, PROOF, TILINGS, Forged
from claimed import (
    ALL,
    IM,
    IM_CUBES,
    IM_TILINGS,
    File,
    I,
    M,
    Placements,
    Proof,
    at,
    certificate,
    claim,
    cubes,
    edited,
    proof,
    row,
    section,
)  # fmt: skip
from mutants import Edit, check_of, refusing, replaced, whole, without
from proofs import free, groups, numbers, step, varint, written
from small import Small

from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.archive import pack
from satcal.proof.certificate import PUZZLE, README, STATEMENT
from satcal.proof.formula import Cube

Room = SimpleNamespace
Made = Callable[[Room], File | Proof]
REFUSED = (CertificateRefused, TooLarge)


def listing(
    small: Small, *tilings: Placements,
    cut: tuple[Cube, ...] = ALL, reveal: tuple[str, ...] = (),
) -> Made:  # fmt: skip
    """Return a claim that a puzzle has just these tilings, with the proofs that a room wants."""
    return lambda room: claim(room, small, tilings, cut, reveal)


def edit(made: Made, change: Callable[[Forged], object]) -> Made:
    return lambda room: edited(made(whole()), change)


def limited(made: Made, name: str, limit: int) -> Made:
    return lambda room: File(IM, made(whole()).data, (name, limit))


# --- what is right ------------------------------------------------------------------------------

TWO_I, TWO_M = ("I", ("##",), 2, True), ("M", ("#",), 2, True)
LABELS = Small((("x0", "y0", "*"),), {"x": ("x0",), "y": ("y0",)}, (M,))
right = listing(IM, *IM_TILINGS)
right_in_cubes = listing(IM, *IM_TILINGS, cut=IM_CUBES)
right_with_labels = listing(LABELS, (at("M", 2),), reveal=("x0", "y0"))
right_with_copies = listing(
    row(4, I, TWO_M),
    (at("I", 0, 1), at("M", 2), at("M", 3)),
    (at("I", 1, 2), at("M", 0), at("M", 3)),
    (at("I", 2, 3), at("M", 0), at("M", 1)),
)


CORNER = Small((("*", "*"), ("*", ".")), {}, (("V", (".#", "##"), 1, False),))
FLIPPED = Small((("*", "*", "*"), (".", ".", "*")), {}, (("L", ("###", "#.."), 1, True),))
turned = listing(CORNER, (("V", frozenset({(0, 0), (0, 1), (1, 0)})),))
mirrored = listing(FLIPPED, (("L", frozenset({(0, 0), (0, 1), (0, 2), (1, 2)})),))
RIGHT: dict[str, Made] = {
    "two tilings": right,
    "two tilings in cubes": right_in_cubes,
    "a reveal": right_with_labels,
    "no tiling": listing(row(4, I, M)),
    "a piece with copies": right_with_copies,
    "a piece that is turned": turned,
    "a piece that is turned over": mirrored,
    "a proof by a cell that is shared": lambda room: proof(
        free(2, [(1,), (2,)], apart=[(1, 2)]), step((), 1, 2)),
    "a proof by a placement that is false": lambda room: proof(
        free(1, [(-1,), (1,)]), step((), 1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("made", RIGHT.values(), ids=RIGHT)
def test_what_is_right_is_accepted(made: Made) -> None:
    assert not made(whole()).is_false(whole())


# --- checks -------------------------------------------------------------------------------------

SECOND = "0001-proof-0002.hints.xz"
ABSURD = free(2, [(), (1,)])  # a formula with an empty clause, so that all follows
TWINS = row(4, ("A", ("##",), 1, True), ("B", ("##",), 1, True))


def absurd(*steps: tuple) -> Made:
    return lambda room: proof(ABSURD, *steps)


def tail(content: bytes) -> Made:
    return lambda room: Proof(ABSURD, written([step((), 1)], 2) + content)


def zeros(room: Room) -> Proof:
    first, *others = numbers([step((), 1)], 2)
    return Proof(ABSURD, varint(first, zeros=1) + groups(others))


def blank_line(room: Room) -> File:
    parts = Forged(right(whole()).data).parts
    return File(IM, pack(parts | {STATEMENT: parts[STATEMENT] + b"\n"}))


def a_reveal_twice(room: Room) -> File:
    one = section(whole(), IM, IM_TILINGS)
    return File(IM, certificate(IM, one, one))


def another_cube(cert: Forged) -> None:
    cert.state(proofs=2)
    cert.write(SECOND, cert.content(PROOF))


SOUND: dict[str, Made] = {
    # verifier
    "{}, which is not on the board": listing(
        row(3, TWO_I), (at("I", 0, 1), at("I", 2, 3)), cut=cubes(2, at("I", 1, 2))),
    "{}, which the reveal leaves": listing(
        row(4, TWO_I, revealed=1), (at("I", 0, 1), at("I", 2, 3)),
        cut=cubes(1, at("I", 1, 2)), reveal=("x0",)),
    "{}, which is covered already": listing(row(2, TWO_I), (at("I", 0, 1), at("I", 0, 1))),
    "no rotated or flipped copy": listing(
        IM, *IM_TILINGS, (at("I", 0, 2), at("M", 1)), cut=IM_CUBES),
    "{} is used {} times, not {}": listing(row(2, I, M), (at("I", 0, 1),)),
    "r{}c{} is not covered": listing(row(3, I), (at("I", 0, 1),)),
    # replay
    "is the last one, and not the empty": lambda room: proof(free(1, [(1,)]), model={1}),
    "the hint {} has {} literals left": lambda room: proof(
        free(2, [(1, 2), (-2,)]), step((), 1, 2), model={1}),
    "this clause does not follow from": lambda room: proof(
        free(1, [(1,)]), step(()), model={1}),
    # check
    "{} tilings are stated, but {} are": edit(right, lambda c: c.state(tilings=3)),
    "{} is none: {}": listing(row(3, I), (at("I", 0, 1),)),
    "{} is a copy of another piece": listing(
        TWINS, (at("A", 0, 1), at("A", 2, 3)), (at("B", 0, 1), at("A", 2, 3)),
        cut=cubes(0, at("A", 0, 1))),
}  # fmt: skip
STRICT: dict[str, Made] = {
    # formula
    "more than {} placements": limited(right, "formula.MAX_PLACEMENTS", 1),
    "do not choose for the same cell": listing(
        row(2, I, M), cut=cubes(0, at("I", 0, 1)) + cubes(1, at("M", 1))),
    # replay
    "{} comes after the empty clause": absurd(step((), 1), step((), 1)),
    "no assignment makes this clause": absurd(step((1, -1), 1), step((), 1)),
    "{} follows a clause that is false": absurd(step((), 1, 1)),
    "the hint {} is true already": absurd(step((), 2, 2, 1)),
    "there is no variable {}": absurd(step((3,), 1), step((), 1)),
    "more or fewer numbers than it states": tail(b"\0"),
    "a number with leading zeros": zeros,
    "it is cut off within a number": tail(b"\x80"),
    # archive
    "larger than {} bytes": limited(right, "archive.MAX_FILE", 1000),
    "more than {} parts": limited(right, "archive.MAX_PARTS", 3),
    "packing its parts again gives other": lambda room: File(IM, right(whole()).data[:-1]),
    "it does not end where the {} bytes": edit(
        right, lambda c: c.parts.update({PROOF: c.parts[PROOF] + b"more"})),
    # certificate
    "its sizes are no table of bytes": edit(right, lambda c: c.resize(CUBES, True)),
    "its parts have more than {} bytes": limited(right, "check.MAX_CONTENT", 10),
    "its parts are not those it states": edit(
        right, lambda c: c.parts.update({"../../etc/cron.d/x": b"evil"})),
    "its sizes are not those of its parts": edit(right, lambda c: c.resize("extra.txt", 0)),
    "it is not the text of this format": edit(
        right, lambda c: c.parts.update({README: b"Send money."})),
    "it does not hold the {} bytes": edit(right, lambda c: c.resize(PUZZLE, 1000)),
    "it is cut off within its last line": edit(
        right, lambda c: c.write(TILINGS, c.text(TILINGS) + "and")),
    "{}: more than {} bytes": limited(right, "certificate.MAX_STATEMENT", 100),
    "not written as Python's json would": blank_line,
    "it is not made of {}": edit(right, lambda c: c.statement.update(note="trust me")),
    "it states no reveal": lambda room: File(IM, certificate(IM)),
    "its versions are no table of texts": edit(
        right, lambda c: c.statement.update(versions={"solver": "\x1b[2J"})),
    "a reveal is not stated as it should": edit(right, lambda c: c.state(note="trust me")),
    "a reveal is no list of labels": edit(right, lambda c: c.state(reveal="")),
    "the numbers of a reveal are none": edit(right, lambda c: c.state(proofs=True)),
    "{} covers a cell twice": edit(
        right, lambda c: c.write(TILINGS, c.text(TILINGS).replace("r0c0", "r0c0,r0c0"))),
    # check
    "the reveal {} is there twice": a_reveal_twice,
    "{} cubes, but {} proofs": edit(right, another_cube),
    "the reveal has {}, which is no {}": edit(
        right_with_labels, lambda c: c.state(reveal=["y0", "x0"])),
    "{} is the same as tiling {}": edit(
        right, lambda c: c.edit(TILINGS, lambda x: [*x, " ".join(x[0].split(" ")[::-1])])),
}  # fmt: skip
CLEAR: dict[str, tuple[type[Exception], Made]] = {
    # verifier: no drawing is found under a name that nothing has
    "there is no piece {}": (KeyError, edit(
        right, lambda c: c.edit(TILINGS, lambda lines: [lines[0].replace("I:", "Q:")]))),
    # formula: no cube is left one choice deeper, which is refused there; a tiling has no number
    "there is none for {} over {}": (CertificateRefused, edit(
        right_in_cubes, lambda c: c.edit(CUBES, lambda cubes: [cubes[1], cubes[1]]))),
    "those over {} are not in order": (KeyError, edit(
        right_in_cubes, lambda c: c.edit(CUBES, lambda cubes: cubes[::-1]))),
    # replay: what is not there has no literals; no formula has so many clauses
    "there is no clause {}, or it is f": (AttributeError, absurd(step((1,), -1), step((), 1))),
    "a number of 2 ** 28 or more": (OverflowError, tail(b"\xff" * 5 + b"\1")),
    # certificate: no ending of a proof's name is known; nothing is matched
    "its format is not": (KeyError, edit(
        right, lambda c: c.statement.update(format="satcal certificate 3"))),
    "{} is no cell such as r2c3": (TypeError, edit(
        right_in_cubes, lambda c: c.write(CUBES, c.text(CUBES).replace("r0c0=", "here=")))),
    "{} is no placement such as": (TypeError, edit(
        right, lambda c: c.edit(TILINGS, lambda lines: ["trust me", *lines]))),
    # check: the base alone has no replay of such proofs; fewer labels than categories
    "nothing here replays the proofs of": (KeyError, edit(right, lambda c: c.as_format_1())),
    "has not one label per category": (ValueError, edit(
        right_with_labels, lambda c: c.state(reveal=["x0"]))),
}  # fmt: skip


def refused(message: str, witness: File | Proof) -> None:
    """Assert that the whole checker refuses a witness for the reason of a check."""
    with pytest.raises(REFUSED) as refusal:
        witness.accepted(whole())
    for piece in check_of(message).message.split("{}"):
        assert piece in str(refusal.value)


def test_every_check_is_listed_and_no_other() -> None:
    listed = map(check_of, [*SOUND, *STRICT, *CLEAR])
    assert sorted(listed) == sorted(refusing(ast.If))


def test_what_refuses_is_a_check_or_the_translation_of_an_error() -> None:
    by_if = [check.message for check in refusing(ast.If) if check.module != "verifier"]
    translated = [handler.message for handler in refusing(ast.ExceptHandler)]
    assert sorted(each.message for each in refusing(ast.Raise)) == sorted(by_if + translated)


@pytest.mark.parametrize("message", [*SOUND, *STRICT])
def test_without_a_check_its_witness_is_accepted(message: str) -> None:
    mutant = without(check_of(message))
    witness = (SOUND | STRICT)[message](mutant)
    refused(message, witness)
    assert witness.is_false(mutant) == (message in SOUND)


@pytest.mark.parametrize("message", CLEAR)
def test_without_a_check_for_clarity_its_witness_is_not_accepted_either(message: str) -> None:
    error, made = CLEAR[message]
    mutant = without(check_of(message))
    witness = made(mutant)
    refused(message, witness)
    with pytest.raises(error):
        witness.accepted(mutant)


# --- lines that decide ---------------------------------------------------------------------------

DOWN = Small((("*",), ("*",)), {}, (TWO_M,))
NO_CUBE = 'raise CertificateRefused(f"cubes: there is none for {placed[0]} over {name}")'

WRONG: list[tuple[str, str, Made, *tuple[Edit, ...]]] = [
    ("a clause is false whatever is left of it", "sound",
     lambda room: proof(free(1, [(1,)]), step((), 1), model={1}),
     Edit("replay", "absurd = not left", "absurd = True")),
    ("a piece has one copy fewer than it has", "sound",
     lambda room: proof(free(2, [(1,), (2,)], copies=2), step((), 1, 2), model={1, 2}),
     Edit("replay", ".bit_count() >= copies", ".bit_count() >= copies - 1")),
    ("a negative literal that is left is true and false", "sound",
     lambda room: proof(free(1, [(-1,)]), step((), 1), model=()),
     Edit("replay", "clause.negative & ~true", "clause.negative & ~true & ~clause.negative")),
    ("a lemma is assumed to be false in all of its variables and in others", "sound",
     lambda room: proof(free(1, [(1,)]), step((), 1), model={1}),
     Edit("replay", "true, false = 0, lemma.positive", "true, false = 0, -1")),
    ("a piece is turned three times at most", "sound", listing(CORNER),
     Edit("formula", "for _ in range(4)", "for _ in range(2)")),
    ("a piece is not turned over", "sound", listing(FLIPPED),
     Edit("formula", "(shape, mirrored) if flip else (shape,)", "(shape,)")),
    ("nothing is placed in the last row", "sound", listing(DOWN),
     Edit("formula", "range(1 + max((row ", "range(max((row ")),
    ("a placement shares its cells with all others of its piece", "sound", listing(row(2, TWO_M)),
     Edit("formula", "others |= covering[cell]", "others |= of_piece['M']")),
    ("every piece has one copy", "sound", listing(row(2, TWO_M)),
     Edit("formula", "(of_piece[name], copies[name])", "(of_piece[name], 1)")),
    ("pieces that look alike have the copies of the last", "sound", listing(TWINS),
     Edit("formula", "known + piece.copies", "piece.copies")),
    ("a tiling that is listed excludes all others", "sound", listing(IM, IM_TILINGS[0]),
     Edit("formula", "sum(bits[placed] for placed in tiling - chosen)", "0")),
    ("a tiling excludes others in cubes that it is not in", "sound",
     listing(IM, IM_TILINGS[1], cut=IM_CUBES),
     Edit("formula", "if chosen <= tiling", "if True"),
     Edit("formula", "bits[placed] for", "bits.get(placed, 0) for")),
    ("a placement needs no cube", "sound", listing(IM, IM_TILINGS[0], cut=IM_CUBES[:1]),
     Edit("formula", NO_CUBE, "choices = [each for each in choices if each[1]]")),
    ("the cells of a cube's placements are still to be covered", "sound", listing(IM, cut=IM_CUBES),
     Edit("formula", "self.cells - cells", "self.cells")),
    ("a cube's placement uses a copy of every piece", "sound", listing(IM, cut=IM_CUBES),
     Edit("formula", "k - (n == name)", "k - 1")),
    ("the tilings that are listed are not looked at", "sound",
     listing(row(2, I, M), (at("I", 0, 1),)),
     Edit("check", "        if fault:", "        if not tiling:")),
    ("a proof is not replayed", "sound",
     edit(right, lambda c: (c.edit(TILINGS, lambda lines: lines[1:]), c.state(tilings=1))),
     Edit("check", "replays[opened.format](refuted, opened.content(name), name)", "1")),

    ("a clause that is forgotten is still there", "strict",
     lambda room: proof(ABSURD, step((1,), -1), step((), 1)),
     Edit("replay", "clauses.pop(hinted, None) if hint & 1 else clauses.get(hinted)",
          "clauses.get(hinted)")),
    ("a literal may stand in a lemma twice", "strict",
     lambda room: Proof(ABSURD, groups([2, 2, 1, 0, 1, 0, 0, 2, 4])),
     Edit("replay", "literal += 1 + skipped", "literal = max(literal, 0) + skipped")),
    ("numbers of cells may have leading zeros", "strict",
     edit(right, lambda c: c.write(TILINGS, c.text(TILINGS).replace("r0c0", "r00c0"))),
     Edit("certificate", 'r"r(0|[1-9][0-9]{0,2})c', 'r"r([0-9]{1,3})c')),
    ("a placement may end in a comma", "strict",
     edit(right, lambda c: c.write(TILINGS, c.text(TILINGS).replace(" M:", ", M:"))),
     Edit("certificate", 'words[2].split(",")', 'words[2].strip(",").split(",")')),
    ("what follows the digest is not looked at", "strict",
     lambda room: File(IM, right(whole()).data + b"\0"),
     Edit("archive", "if pack(parts) != data:", "if not data.startswith(pack(parts)):")),
]  # fmt: skip


@pytest.mark.parametrize(("label", "made", "edits"), [
    pytest.param(label, made, edits, id=name) for name, label, made, *edits in WRONG
])  # fmt: skip
def test_with_a_line_that_is_wrong_the_checker_accepts_too_much(
    label: str, made: Made, edits: list[Edit]
) -> None:
    mutant = replaced(edits)
    witness = made(mutant)
    assert witness.is_false(mutant) == (label == "sound")
    with pytest.raises(REFUSED):
        witness.accepted(whole())
