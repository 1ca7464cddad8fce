"""Every check of the trusted base is needed: without it something is accepted that must not be.

Each check is listed with what it is for:

soundness   without it a false count is accepted, or a formula that has a model is "refuted"
strictness  without it nothing false is accepted, but something that is no certificate is
clarity     without it nothing else is accepted, but a traceback or another reason is met

and with a witness: a file or a proof that the whole checker refuses for the reason of just this
check. Below are lines that decide without refusing: replaced, they accept what is false (soundness)
or no certificate (strictness), or refuse what is right (weakness).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from certificates import CUBES, PROOF, TILINGS, Forged
from claimed import (
    IM,
    IM_CUBES,
    IM_TILINGS,
    File,
    I,
    M,
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
from mutants import Check, Edit, checks, refusals, whole, without
from mutants import edited as with_edits
from proofs import free, groups, numbers, step, varint, written
from small import Small

from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.archive import pack
from satcal.proof.certificate import PUZZLE, README, STATEMENT

Room = SimpleNamespace
Made = Callable[[Room], File | Proof]
REFUSED = (CertificateRefused, TooLarge)

# --- what is right ------------------------------------------------------------------------------

SECOND = "0001-proof-0002.hints.xz"
ABSURD = free(2, [(), (1,)])  # a formula with an empty clause, so that all follows


def right(room: Room) -> File:
    return claim(room, IM, IM_TILINGS)


def right_in_cubes(room: Room) -> File:
    return claim(room, IM, IM_TILINGS, IM_CUBES)


def right_with_copies(room: Room) -> File:
    small = row(4, ("I", ("##",), 1, True), ("M", ("#",), 2, True))
    return claim(room, small, [
        (at("I", 0, 1), at("M", 2), at("M", 3)),
        (at("I", 1, 2), at("M", 0), at("M", 3)),
        (at("I", 2, 3), at("M", 0), at("M", 1)),
    ])  # fmt: skip


def right_with_labels(room: Room) -> File:
    small = Small((("x0", "y0", "*"),), {"x": ("x0",), "y": ("y0",)}, (("M", ("#",), 1, True),))
    return claim(room, small, [(at("M", 2),)], reveal=("x0", "y0"))


def right_and_none(room: Room) -> File:
    return claim(room, row(4, I, M), [])


RIGHT = (right, right_in_cubes, right_with_copies, right_with_labels, right_and_none)


@pytest.mark.parametrize("made", RIGHT)
def test_what_is_right_is_accepted(made: Made) -> None:
    file = made(whole())
    assert not file.is_false(whole())


# --- what is wrong ------------------------------------------------------------------------------


def edit(made: Made, change: Callable[[Forged], object]) -> Made:
    return lambda room: edited(made(whole()), change)


def stated(cert: Forged, **entry: object) -> None:
    cert.statement["reveals"][0].update(entry)


def appended(cert: Forged, name: str, content: bytes) -> None:
    cert.parts[name] += content


def resized(cert: Forged, name: str, size: object) -> None:
    cert.statement["sizes"][name] = size


def added(cert: Forged, name: str, like: str) -> None:
    cert.parts[name] = cert.parts[like]
    cert.statement["sizes"][name] = cert.statement["sizes"][like]


def limited(made: Made, name: str, limit: int) -> Made:
    return lambda room: File(IM, made(whole()).data, (name, limit))


def with_statement(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    parts = Forged(data).parts
    parts[STATEMENT] = change(parts[STATEMENT])
    return pack(parts)


def a_piece_on_no_cell(room: Room) -> File:
    small = row(3, ("I", ("##",), 2, True))
    return claim(room, small, [(at("I", 0, 1), at("I", 2, 3))], cubes(2, at("I", 1, 2)))


def a_piece_on_the_reveal(room: Room) -> File:
    small = row(4, ("I", ("##",), 2, True), revealed=1)
    cut = cubes(1, at("I", 1, 2))
    return claim(room, small, [(at("I", 0, 1), at("I", 2, 3))], cut, ("x0",))


def a_placement_named_twice(room: Room) -> File:
    return claim(room, row(2, ("I", ("##",), 2, True)), [(at("I", 0, 1), at("I", 0, 1))])


def a_piece_in_two_parts(room: Room) -> File:
    return claim(room, IM, [*IM_TILINGS, (at("I", 0, 2), at("M", 1))], IM_CUBES)


def a_piece_left_out(room: Room) -> File:
    return claim(room, row(2, I, M), [(at("I", 0, 1),)])


def a_cell_left_out(room: Room) -> File:
    return claim(room, row(3, I), [(at("I", 0, 1),)])


def a_copy_under_another_name(room: Room) -> File:
    small = row(4, ("A", ("##",), 1, True), ("B", ("##",), 1, True))
    listed = [(at("A", 0, 1), at("A", 2, 3)), (at("B", 0, 1), at("A", 2, 3))]
    return claim(room, small, listed, cubes(0, at("A", 0, 1)))


def two_pieces_of_four_cells(room: Room, first: int = 0, second: int = 0) -> File:
    """Each of two pieces, of which one may not be flipped, fills the board alone."""
    drawn = ("###", "#..")
    small = Small(
        (("*",) * 3, ("*", ".", ".")), {}, (("A", drawn, 1, True), ("B", drawn, 1, False))
    )
    cells = frozenset({(0, 0), (0, 1), (0, 2), (1, 0)})
    cut = ((((0, first), ("A", cells)),), (((0, second), ("B", cells)),))
    return claim(room, small, [], cut)


def a_cube_left_out(room: Room) -> File:
    return edit(right_in_cubes, lambda c: (
        c.edit(CUBES, lambda lines: lines[1:]), stated(c, proofs=1),
        c.parts.pop(SECOND), c.statement["sizes"].pop(SECOND),
    ))(room)  # fmt: skip


def a_cube_too_many(room: Room) -> File:
    return edit(right_in_cubes, lambda c: (
        c.edit(CUBES, lambda lines: [*lines, "r0c0=M:r0c1"]), stated(c, proofs=3),
        added(c, "0001-proof-0003.hints.xz", PROOF),
    ))(room)  # fmt: skip


def of_format_1(cert: Forged) -> None:
    cert.parts = {name.replace("hints", "drat"): part for name, part in cert.parts.items()}
    sizes = cert.statement["sizes"]
    cert.statement["sizes"] = {name.replace("hints", "drat"): sizes[name] for name in sizes}
    cert.statement["format"] = "satcal certificate 1"


def a_reveal_twice(room: Room) -> File:
    one = section(whole(), IM, IM_TILINGS)
    return File(IM, certificate(IM, one, one))


def tail(content: bytes) -> Callable[[Room], Proof]:
    return lambda room: Proof(ABSURD, written([step((), 1)], 2) + content)


def zeros(room: Room) -> Proof:
    first, *others = numbers([step((), 1)], 2)
    return Proof(ABSURD, varint(first, zeros=1) + groups(others))


class Listed(NamedTuple):
    """A check: its module, its function, a piece of its message, its label, its witness."""

    module: str
    function: str
    message: str
    label: str
    made: Made
    why: str = ""


SOUND, STRICT, CLEAR, WEAK = "soundness", "strictness", "clarity", "weakness"
LISTED = [
    Listed("verifier", "fault", "there is no piece {}", CLEAR,
           edit(right, lambda c: c.edit(TILINGS, lambda lines: [lines[0].replace("I:", "Q:")])),
           "no drawing is found under a name that nothing has: KeyError"),
    Listed("verifier", "fault", "{}, which is not on the board", SOUND, a_piece_on_no_cell),
    Listed("verifier", "fault", "{}, which the reveal leaves", SOUND, a_piece_on_the_reveal),
    Listed("verifier", "fault", "{}, which is covered already", SOUND, a_placement_named_twice),
    Listed("verifier", "fault", "no rotated or flipped copy", SOUND, a_piece_in_two_parts),
    Listed("verifier", "fault", "{} is used {} times, not {}", SOUND, a_piece_left_out),
    Listed("verifier", "fault", "r{}c{} is not covered", SOUND, a_cell_left_out),
    Listed("formula", "placements", "more than {} placements", STRICT,
           limited(right, "formula.MAX_PLACEMENTS", 1)),
    Listed("formula", "_by_choice", "do not choose for the same cell", STRICT,
           lambda room: two_pieces_of_four_cells(room, 0, 1)),
    Listed("formula", "_by_choice", "there is none for {} over {}", CLEAR, a_cube_left_out,
           "no cube is left one choice deeper, which is refused there: another reason"),
    Listed("formula", "_by_choice", "those over {} are not in order", CLEAR, a_cube_too_many,
           "there are fewer tasks than cubes: ValueError of zip"),
    Listed("replay", "replay", "{} comes after the empty clause", STRICT,
           lambda room: proof(ABSURD, step((), 1), step((), 1))),
    Listed("replay", "replay", "is the last one, and not the empty", SOUND,
           lambda room: proof(free(1, [(1,)]), model={1})),
    Listed("replay", "_followed", "no assignment makes this clause", STRICT,
           lambda room: proof(ABSURD, step((1, -1), 1), step((), 1))),
    Listed("replay", "_followed", "there is no clause {}, or it is f", CLEAR,
           lambda room: proof(ABSURD, step((1,), -1), step((), 1)),
           "what is not there has no literals: AttributeError"),
    Listed("replay", "_followed", "{} follows a clause that is false", STRICT,
           lambda room: proof(ABSURD, step((), 1, 1))),
    Listed("replay", "_followed", "the hint {} is true already", STRICT,
           lambda room: proof(ABSURD, step((), 2, 2, 1))),
    Listed("replay", "_followed", "the hint {} has {} literals left", SOUND,
           lambda room: proof(free(2, [(1, 2), (-2,)]), step((), 1, 2), model={1})),
    Listed("replay", "_followed", "this clause does not follow from", SOUND,
           lambda room: proof(free(1, [(1,)]), step(()), model={1})),
    Listed("replay", "as_clause", "there is no variable {}", STRICT,
           lambda room: proof(ABSURD, step((3,), 1), step((), 1))),
    Listed("replay", "lemmas", "more or fewer numbers than it states", STRICT, tail(b"\0")),
    Listed("replay", "_numbers", "a number of 2 ** 28 or more", CLEAR, tail(b"\xff" * 5 + b"\1"),
           "integers of megabytes, or OverflowError; no formula has so many clauses"),
    Listed("replay", "_numbers", "a number with leading zeros", STRICT, zeros),
    Listed("replay", "_numbers", "it is cut off within a number", STRICT, tail(b"\x80")),
    Listed("archive", "unpack", "larger than {} bytes", STRICT,
           limited(right, "archive.MAX_FILE", 1000)),
    Listed("archive", "unpack", "more than {} parts", STRICT,
           limited(right, "archive.MAX_PARTS", 3)),
    Listed("archive", "unpack", "packing its parts again gives other", STRICT,
           lambda room: File(IM, right(whole()).data[:-1])),
    Listed("archive", "unsqueeze", "it does not end where the {} bytes", STRICT,
           edit(right, lambda c: appended(c, PROOF, b"more"))),
    Listed("certificate", "__init__", "its sizes are no table of bytes", STRICT,
           edit(right, lambda c: resized(c, CUBES, True))),
    Listed("certificate", "__init__", "its parts have more than {} bytes", STRICT,
           limited(right, "check.MAX_CONTENT", 10)),
    Listed("certificate", "__init__", "its parts are not those it states", STRICT,
           edit(right, lambda c: c.parts.update({"extra.txt": b""}))),
    Listed("certificate", "__init__", "its sizes are not those of its parts", STRICT,
           edit(right, lambda c: resized(c, "extra.txt", 0))),
    Listed("certificate", "__init__", "it is not the text of this format", STRICT,
           edit(right, lambda c: appended(c, README, b"Send money."))),
    Listed("certificate", "content", "it does not hold the {} bytes", STRICT,
           edit(right, lambda c: resized(c, PUZZLE, 1000))),
    Listed("certificate", "_lines", "it is cut off within its last line", STRICT,
           edit(right, lambda c: c.write(TILINGS, c.text(TILINGS) + "and"))),
    Listed("certificate", "_statement", "more than {} bytes", STRICT,
           limited(right, "certificate.MAX_STATEMENT", 100)),
    Listed("certificate", "_statement", "not written as Python's json would", STRICT,
           lambda room: File(IM, with_statement(right(whole()).data, lambda text: text + b"\n"))),
    Listed("certificate", "_statement", "its format is not", CLEAR,
           edit(right, lambda c: c.statement.update(format="satcal certificate 3")),
           "no ending of a proof's name is known: KeyError"),
    Listed("certificate", "_statement", "it is not made of {}", STRICT,
           edit(right, lambda c: c.statement.update(note="trust me"))),
    Listed("certificate", "_statement", "it states no reveal", STRICT,
           lambda room: File(IM, certificate(IM))),
    Listed("certificate", "_statement", "its versions are no table of texts", STRICT,
           edit(right, lambda c: c.statement.update(versions={"solver": "\x1b[2J"}))),
    Listed("certificate", "_stated", "a reveal is not stated as it should", STRICT,
           edit(right, lambda c: stated(c, note="trust me"))),
    Listed("certificate", "_stated", "a reveal is no list of labels", STRICT,
           edit(right, lambda c: stated(c, reveal=""))),
    Listed("certificate", "_stated", "the numbers of a reveal are none", STRICT,
           edit(right, lambda c: stated(c, proofs=True))),
    Listed("certificate", "_cell", "{} is no cell such as r2c3", CLEAR,
           edit(right_in_cubes, lambda c: c.write(CUBES, c.text(CUBES).replace("r0c0=", "here="))),
           "nothing is matched: TypeError"),
    Listed("certificate", "_placed", "{} is no placement such as", CLEAR,
           edit(right, lambda c: c.edit(TILINGS, lambda lines: ["trust me", *lines])),
           "nothing is matched: TypeError"),
    Listed("certificate", "_placed", "{} covers a cell twice", STRICT,
           edit(right, lambda c: c.write(TILINGS, c.text(TILINGS).replace("r0c0", "r0c0,r0c0")))),
    Listed("check", "check", "nothing here replays the proofs of a {}", CLEAR,
           edit(right, of_format_1), "the base alone has no replay of such proofs: KeyError"),
    Listed("check", "check", "the reveal {} is there twice", STRICT, a_reveal_twice),
    Listed("check", "check", "{} cubes, but {} proofs", STRICT,
           edit(right, lambda c: (stated(c, proofs=2), added(c, SECOND, PROOF)))),
    Listed("check", "check", "{} tilings are stated, but {} are listed", SOUND,
           edit(right, lambda c: c.count(3))),
    Listed("check", "_check_reveal", "has not one label per category", CLEAR,
           edit(right_with_labels, lambda c: stated(c, reveal=["x0"])),
           "there are fewer labels than categories: ValueError of zip"),
    Listed("check", "_check_reveal", "the reveal has {}, which is no {}", STRICT,
           edit(right_with_labels, lambda c: stated(c, reveal=["y0", "x0"]))),
    Listed("check", "_tilings", "{} is none: {}", SOUND, a_cell_left_out),
    Listed("check", "_tilings", "{} is a copy of another piece", SOUND, a_copy_under_another_name),
    Listed("check", "_tilings", "{} is the same as tiling {}", STRICT,
           edit(right, lambda c: c.edit(TILINGS, lambda x: [*x, " ".join(x[0].split(" ")[::-1])]))),
]  # fmt: skip


def check_of(listed: Listed) -> Check:
    """Return the check that is listed; it is the only one."""
    (check,) = (
        check for check in checks()
        if (check.module, check.function) == (listed.module, listed.function)
        and listed.message in check.message
    )  # fmt: skip
    return check


def test_every_check_is_listed_and_no_other() -> None:
    assert sorted(map(check_of, LISTED)) == sorted(checks())


def test_what_refuses_is_a_check_or_the_translation_of_an_error() -> None:
    by_if = [check.message for check in checks() if check.module != "verifier"]
    assert sorted(refusals(ast.Raise)) == sorted([*by_if, *refusals(ast.ExceptHandler)])


@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: f"{listed.module}: {listed.message}")
def test_without_a_check_its_witness_is_accepted(listed: Listed) -> None:
    check = check_of(listed)
    mutant = without(check)
    witness = listed.made(mutant)
    with pytest.raises(REFUSED) as refusal:
        witness.accepted(whole())
    for piece in check.message.split("{}"):
        assert piece in str(refusal.value)
    if listed.label != CLEAR:
        assert witness.is_false(mutant) == (listed.label == SOUND)
        return
    with pytest.raises(Exception) as refusal:  # whatever is said, nothing is accepted
        witness.accepted(mutant)
    other = isinstance(refusal.value, REFUSED)
    assert ("another reason" if other else type(refusal.value).__name__) in listed.why


# --- lines that decide ---------------------------------------------------------------------------


def lacking(small: Small, *listed: tuple, **cut: object) -> Made:
    """Return a claim that leaves tilings out, with proofs as the room wants them."""
    return lambda room: claim(room, small, listed, **cut)


TWO_M = row(2, ("M", ("#",), 2, True))
CORNER = Small((("*", "*"), ("*", ".")), {}, (("V", (".#", "##"), 1, False),))
FLIPPED = Small((("*", "*", "*"), (".", ".", "*")), {}, (("L", ("###", "#.."), 1, True),))
DOWN = Small((("*",), ("*",)), {}, (("M", ("#",), 2, True),))
NAMESAKES = row(4, ("A", ("##",), 1, True), ("B", ("##",), 1, True))
NO_CUBE = 'raise CertificateRefused(f"cubes: there is none for {placed[0]} over {name}")'

WRONG: list[tuple[str, str, Made, *tuple[Edit, ...]]] = [
    ("a clause is false whatever is left of it", SOUND,
     lambda room: proof(free(1, [(1,)]), step((), 1), model={1}),
     Edit("replay", "absurd = not left", "absurd = True")),
    ("a piece has one copy fewer than it has", SOUND,
     lambda room: proof(free(2, [(1,), (2,)], copies=2), step((), 1, 2), model={1, 2}),
     Edit("replay", ".bit_count() >= copies", ".bit_count() >= copies - 1")),
    ("a negative literal that is left is true and false", SOUND,
     lambda room: proof(free(1, [(-1,)]), step((), 1), model=()),
     Edit("replay", "clause.negative & ~true", "clause.negative & ~true & ~clause.negative")),
    ("a lemma is assumed to be false in all of its variables and in others", SOUND,
     lambda room: proof(free(1, [(1,)]), step((), 1), model={1}),
     Edit("replay", "true, false = 0, lemma.positive", "true, false = 0, -1")),
    ("a piece is turned three times at most", SOUND, lacking(CORNER),
     Edit("formula", "for _ in range(4)", "for _ in range(2)")),
    ("a piece is not turned over", SOUND, lacking(FLIPPED),
     Edit("formula", "(shape, mirrored) if flip else (shape,)", "(shape,)")),
    ("nothing is placed in the last row", SOUND, lacking(DOWN),
     Edit("formula", "range(1 + max((row ", "range(max((row ")),
    ("a placement shares its cells with all others of its piece", SOUND, lacking(TWO_M),
     Edit("formula", "others |= covering[cell]", "others |= of_piece['M']")),
    ("every piece has one copy", SOUND, lacking(TWO_M),
     Edit("formula", "(of_piece[name], copies[name])", "(of_piece[name], 1)")),
    ("pieces that look alike have the copies of the last", SOUND, lacking(NAMESAKES),
     Edit("formula", "known + piece.copies", "piece.copies")),
    ("a tiling that is listed excludes all others", SOUND, lacking(IM, IM_TILINGS[0]),
     Edit("formula", "sum(bits[placed] for placed in tiling - chosen)", "0")),
    ("a tiling excludes others in cubes that it is not in", SOUND,
     lacking(IM, IM_TILINGS[1], cut=IM_CUBES),
     Edit("formula", "if chosen <= tiling", "if True"),
     Edit("formula", "bits[placed] for", "bits.get(placed, 0) for")),
    ("a placement needs no cube", SOUND, lacking(IM, IM_TILINGS[0], cut=IM_CUBES[:1]),
     Edit("formula", NO_CUBE, "choices = [each for each in choices if each[1]]")),
    ("the cells of a cube's placements are still to be covered", SOUND, lacking(IM, cut=IM_CUBES),
     Edit("formula", "self.cells - cells", "self.cells")),
    ("a cube's placement uses a copy of every piece", SOUND, lacking(IM, cut=IM_CUBES),
     Edit("formula", "k - (n == name)", "k - 1")),
    ("the tilings that are listed are not looked at", SOUND, a_piece_left_out,
     Edit("check", "        if fault:", "        if not tiling:")),
    ("a proof is not replayed", SOUND,
     edit(right, lambda c: (c.edit(TILINGS, lambda lines: lines[1:]), c.count(1))),
     Edit("check", "replays[opened.format](refuted, opened.content(name), name)", "1")),

    ("a clause that is forgotten is still there", STRICT,
     lambda room: proof(ABSURD, step((1,), -1), step((), 1)),
     Edit("replay", "clauses.pop(hinted, None) if hint & 1 else clauses.get(hinted)",
          "clauses.get(hinted)")),
    ("a literal may stand in a lemma twice", STRICT,
     lambda room: Proof(ABSURD, groups([2, 2, 1, 0, 1, 0, 0, 2, 4])),
     Edit("replay", "literal += 1 + skipped", "literal = max(literal, 0) + skipped")),
    ("numbers of cells may have leading zeros", STRICT,
     edit(right, lambda c: c.write(TILINGS, c.text(TILINGS).replace("r0c0", "r00c0"))),
     Edit("certificate", 'r"r(0|[1-9][0-9]{0,2})c', 'r"r([0-9]{1,3})c')),
    ("a placement may end in a comma", STRICT,
     edit(right, lambda c: c.write(TILINGS, c.text(TILINGS).replace(" M:", ", M:"))),
     Edit("certificate", 'words[2].split(",")', 'words[2].strip(",").split(",")')),
    ("what follows the digest is not looked at", STRICT,
     lambda room: File(IM, right(whole()).data + b"\0"),
     Edit("archive", "if pack(parts) != data:", "if not data.startswith(pack(parts)):")),

    ("placements that share a cell do not exclude each other", WEAK,
     lambda room: proof(free(2, [(1,), (2,)], apart=[(1, 2)]), step((), 1, 2)),
     Edit("replay", "    false |= formula.sharing[variable]\n", "")),
    ("a piece may be used more often than it has copies", WEAK, right_and_none,
     Edit("replay", ".bit_count() >= copies", ".bit_count() > copies")),
    ("what a lemma makes false is forgotten", WEAK,
     lambda room: proof(free(1, [(-1,), (1,)]), step((), 1, 2)),
     Edit("replay", "        false |= negative\n", "")),
    ("what a lemma makes true is forgotten", WEAK, right,
     Edit("replay", "        if positive:\n", "        if False:\n")),
    ("a cube's placement leaves its piece as many copies", WEAK, right_in_cubes,
     Edit("formula", "k - (n == name)", "k")),
    ("a tiling that is listed excludes nothing", WEAK, right,
     Edit("formula", "if chosen <= tiling", "if False")),
    ("the verifier turns no piece", WEAK,
     lambda room: claim(room, CORNER, [(("V", frozenset({(0, 0), (0, 1), (1, 0)})),)]),
     Edit("verifier", "((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))",
          "((1, 0, 0, 1),)")),
]  # fmt: skip


@pytest.mark.parametrize(("label", "made", "edits"), [
    pytest.param(label, made, edits, id=name) for name, label, made, *edits in WRONG
])  # fmt: skip
def test_with_a_line_that_is_wrong_the_checker_accepts_or_refuses_too_much(
    label: str, made: Made, edits: list[Edit]
) -> None:
    mutant = with_edits(edits)
    witness = made(whole() if label == WEAK else mutant)
    lax, strict = (whole(), mutant) if label == WEAK else (mutant, whole())
    assert witness.is_false(lax) == (label == SOUND)
    with pytest.raises(REFUSED):
        witness.accepted(strict)
