"""No false certificate is accepted: each kind of forgery is refused for its own reason.

Every forgery here is sealed with a digest that fits, unless the digest is what is forged.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable

import pytest
from certificates import PROOF, TILINGS, Forged, five, made
from proofs import Step, as_literals, step, written

from satcal.errors import CertificateRefused, TooLarge
from satcal.evidence.checking import check
from satcal.proof.certificate import STATEMENT
from satcal.proof.formula import formula, task

Forge = Callable[[Forged], None]
FORGERIES: dict[str, tuple[Forge, str]] = {}


def forgery(reason: str) -> Callable[[Forge], Forge]:
    """Note a forgery of the certificate of a1 (29 tilings, one proof) and its refusal."""

    def note(forge: Forge) -> Forge:
        FORGERIES[forge.__name__] = (forge, reason)
        return forge

    return note


def given(cert: Forged) -> int:
    """Return how many clauses are refuted: cells, pieces and tilings."""
    cells, pieces = 23, 5
    return cells + pieces + cert.text(TILINGS).count("\n")


def rewritten(cert: Forged, *steps: Step) -> None:
    """Replace the proof by these steps."""
    cert.write(PROOF, written(steps, given(cert)))


# tilings


@forgery("0001-proof-0001.hints.xz: step")
def a_tiling_dropped(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: lines[1:])
    cert.count(28)


@forgery("29 tilings are stated, but 28 are listed")
def a_tiling_dropped_and_not_said(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: lines[1:])


@forgery("a 1 tiling 30 is the same as tiling 1")
def a_tiling_twice(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [*lines, lines[0]])
    cert.count(30)


@forgery("a 1 tiling 30 is the same as tiling 1")
def a_tiling_twice_in_another_order(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [*lines, " ".join(reversed(lines[0].split(" ")))])
    cert.count(30)


@forgery("a 1 tiling 1 is none: P covers r1c0, which the reveal leaves uncovered")
def a_piece_moved_onto_the_reveal(cert: Forged) -> None:
    moved = "P:r0c1,r0c2,r1c0,r1c1,r1c2"
    cert.edit(TILINGS, lambda lines: [_with(lines[0], "P", moved), *lines[1:]])


@forgery("which is covered already")
def overlapping_pieces(cert: Forged) -> None:
    def overlap(lines: list[str]) -> list[str]:
        cells = next(w for w in lines[0].split(" ") if w.startswith("L:")).split(":")[1]
        return [_with(lines[0], "P", f"P:{cells}"), *lines[1:]]

    cert.edit(TILINGS, overlap)


@forgery("a 1 tiling 1 is none: I covers r0c5, which is not on the board")
def a_piece_off_the_board(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [_with(lines[0], "I", "I:r0c5,r0c6,r0c7"), *lines[1:]])


@forgery("no rotated or flipped copy of its drawing")
def another_shape(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [_with(lines[0], "I", "I:r0c1,r0c2,r4c4"), *lines[1:]])


@forgery("there is no piece Q")
def an_unknown_piece(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [lines[0].replace("P:", "Q:"), *lines[1:]])


@forgery("is used 0 times, not 1")
def a_piece_missing(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [" ".join(lines[0].split(" ")[:-1]), *lines[1:]])


@forgery("is no placement such as N:r2c3,r2c4")
def words_instead_of_a_tiling(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: ["trust me", *lines[1:]])


@forgery("covers a cell twice")
def a_cell_named_twice(cert: Forged) -> None:
    cert.edit(TILINGS, lambda lines: [_with(lines[0], "I", "I:r0c1,r0c1,r0c2"), *lines[1:]])


@forgery("0001-tilings.txt.xz: it is cut off within its last line")
def tilings_without_an_end(cert: Forged) -> None:
    cert.write(TILINGS, cert.text(TILINGS)[:-1])


# puzzle and reveal


@forgery("which is not on the board")
def the_board_edited(cert: Forged) -> None:
    cert.write("puzzle.toml", cert.text("puzzle.toml").replace("4 * * * *", "4 * * * ."))


@forgery("no rotated or flipped copy of its drawing")
def a_piece_edited(cert: Forged) -> None:
    _in_puzzle(cert, 'P = { shape = "##\\n##\\n#."', 'P = { shape = "##\\n#.\\n##"')


@forgery("no rotated or flipped copy of its drawing")
def a_piece_no_longer_flipped(cert: Forged) -> None:
    _in_puzzle(
        cert, 'shape = "##\\n##\\n#.", copies = 1, flip = true',
        'shape = "##\\n##\\n#.", copies = 1, flip = false',
    )  # fmt: skip


@forgery("I is used 1 times, not 2")
def a_piece_with_another_copy(cert: Forged) -> None:
    _in_puzzle(cert, 'I = { shape = "###", copies = 1', 'I = { shape = "###", copies = 2')


@forgery("is used 0 times, not 1")
def a_piece_added(cert: Forged) -> None:
    cert.write("puzzle.toml", cert.text("puzzle.toml") + 'O = "##\\n##"\n')


@forgery("which the reveal leaves uncovered")
def a_label_moved(cert: Forged) -> None:
    text = cert.text("puzzle.toml").replace("a b c d e", "b a c d e")
    cert.write("puzzle.toml", text)


@forgery("puzzle.toml: not valid TOML")
def no_puzzle(cert: Forged) -> None:
    cert.write("puzzle.toml", "}")


@forgery("puzzle.toml: it is not UTF-8 text")
def a_puzzle_in_another_encoding(cert: Forged) -> None:
    cert.write("puzzle.toml", b'name = "\xff"')


@forgery("which the reveal leaves uncovered")
def the_reveal_of_another_date(cert: Forged) -> None:
    cert.statement["reveals"][0]["reveal"] = ["e", "1"]


@forgery("the reveal has 'f', which is no letter here")
def a_reveal_of_no_date(cert: Forged) -> None:
    cert.statement["reveals"][0]["reveal"] = ["f", "1"]


@forgery("the reveal a has not one label per category")
def half_a_reveal(cert: Forged) -> None:
    cert.statement["reveals"][0]["reveal"] = ["a"]


@forgery("the reveal has '1', which is no letter here")
def labels_in_another_order(cert: Forged) -> None:
    cert.statement["reveals"][0]["reveal"] = ["1", "a"]


# proofs; "rewritten" ones are made of a few small numbers, which tests/proofs.py writes


@forgery("0001-proof-0001.hints.xz: step")
def the_proof_of_another_date(cert: Forged) -> None:
    cert.write(PROOF, Forged(made("e1")).content(PROOF))


@forgery("0001-proof-0001.hints.xz: it holds more or fewer numbers than it states")
def an_empty_proof(cert: Forged) -> None:
    cert.write(PROOF, b"")


@forgery("0001-proof-0001.hints.xz: step 0 is the last one, and not the empty clause")
def a_proof_without_a_step(cert: Forged) -> None:
    rewritten(cert)


@forgery("0001-proof-0001.hints.xz: step 1: this clause does not follow from its hints")
def a_proof_of_the_empty_clause_alone(cert: Forged) -> None:
    rewritten(cert, step(()))


@forgery("step 1: the hint 1 has 23 literals left")
def a_hint_that_leaves_too_much(cert: Forged) -> None:
    rewritten(cert, step((), 1))


@forgery("0001-proof-0001.hints.xz: it is cut off within a number")
def a_proof_cut_within_a_number(cert: Forged) -> None:
    cert.write(PROOF, cert.content(PROOF) + b"\x80")


@forgery("0001-proof-0001.hints.xz: it holds more or fewer numbers than it states")
def a_proof_cut_before_its_last_number(cert: Forged) -> None:
    cert.write(PROOF, cert.content(PROOF)[:-1])


@forgery("0001-proof-0001.hints.xz: it holds more or fewer numbers than it states")
def a_proof_that_states_a_step_more(cert: Forged) -> None:
    content = cert.content(PROOF)
    cert.write(PROOF, bytes([content[0] + 1]) + content[1:])


@forgery("step 1: this clause does not follow from its hints")
def a_step_that_does_not_follow(cert: Forged) -> None:
    rewritten(cert, step((7,)), step((), given(cert) + 1))


@forgery("step 1: there is no clause 0, or it is forgotten")
def a_hint_before_the_first_clause(cert: Forged) -> None:
    rewritten(cert, step((), 0))


@forgery("byte 7: a number of 2 ** 28 or more")
def a_hint_at_the_step_itself(cert: Forged) -> None:
    rewritten(cert, step((), given(cert) + 1))


@forgery("step 2: there is no clause 1, or it is forgotten")
def a_clause_that_is_forgotten_before_its_use(cert: Forged) -> None:
    first = as_literals(formula(task(five(), ("a", "1")), (), ()).clauses[0])
    rewritten(cert, step(first, -1), step((), 1))


@forgery("step 1: no assignment makes this clause false")
def a_tautology(cert: Forged) -> None:
    rewritten(cert, step((1, -1), 1))


@forgery("step 1: no assignment makes this clause false")
def a_clause_that_every_cover_satisfies(cert: Forged) -> None:
    rewritten(cert, step((-1, -2), 1))


@forgery("step 1: there is no variable 1001")
def a_variable_of_an_extension(cert: Forged) -> None:
    rewritten(cert, step((1001, -1)), step((-1001, 1)))


@forgery("step 1: this clause does not follow from its hints")
def a_unit_kept_after_its_reason_is_deleted(cert: Forged) -> None:
    """No tiling at all, "proved" by a RAT step on the negation of a unit that is still believed."""
    cert.write(TILINGS, "")
    cert.count(0)
    first = given(cert) + 1
    rewritten(
        cert, step((150,)), step((151, -150), first), step((-151,), -first - 1),
        step((), first, first + 1, first + 2),
    )  # fmt: skip


@forgery("0001-proof-0001.hints.xz: ")
def words_instead_of_a_proof(cert: Forged) -> None:
    cert.write(PROOF, "q.e.d.")


@forgery("0001-proof-0001.hints.xz: byte 1: a number with leading zeros")
def a_number_that_is_longer_than_it_needs_to_be(cert: Forged) -> None:
    cert.write(PROOF, bytes([0x81, 0]) + cert.content(PROOF)[1:])


# the archive


@forgery("archive: its parts are not those it states: '0001-proof-0001.hints.xz'")
def a_part_missing(cert: Forged) -> None:
    del cert.parts[PROOF]


@forgery("certificate.json: it is missing, or no JSON")
def the_statement_missing(cert: Forged) -> None:
    del cert.parts[STATEMENT]


@forgery("0001-proof-0001.hints.xz: it does not end where the")
def a_part_of_length_zero(cert: Forged) -> None:
    cert.parts[PROOF] = b""


@forgery("archive: its parts are not those it states: '0001-proof-0001.hints.xz'")
def a_part_renamed(cert: Forged) -> None:
    cert.parts["0001-proof-9999.hints.xz"] = cert.parts.pop(PROOF)


@forgery("archive: its parts are not those it states: 'extra.txt'")
def a_part_added(cert: Forged) -> None:
    cert.parts["extra.txt"] = b"hello"


@forgery("archive: its parts are not those it states: 'their order'")
def parts_in_another_order(cert: Forged) -> None:
    cert.parts[TILINGS] = cert.parts.pop(TILINGS)


@forgery("archive: its parts are not those it states: '../../etc/cron.d/x'")
def a_path_upwards(cert: Forged) -> None:
    cert.parts["../../etc/cron.d/x"] = b"evil"


@forgery("archive: its parts are not those it states: '/tmp/x'")
def an_absolute_path(cert: Forged) -> None:
    cert.parts["/tmp/x"] = b"evil"


@forgery("it does not end where the 100 bytes stated end")
def an_archive_bomb(cert: Forged) -> None:
    cert.parts[PROOF] = lzma.compress(bytes(300_000_000), preset=0)
    cert.statement["sizes"][PROOF] = 100


@forgery("its parts have more than 2147483648 bytes")
def an_honest_archive_bomb(cert: Forged) -> None:
    cert.statement["sizes"][PROOF] = 2**40


@forgery("damaged compressed data")
def a_damaged_part(cert: Forged) -> None:
    cert.parts[PROOF] = cert.parts[PROOF][:-30] + bytes(30)


@forgery("it does not end where the")
def bytes_behind_the_compressed_ones(cert: Forged) -> None:
    cert.parts[PROOF] += b"more"


@forgery("README.txt: it is not the text of this format")
def another_explanation(cert: Forged) -> None:
    cert.parts["README.txt"] = b"Send money."


@forgery("certificate.json: its sizes are not those of its parts")
def a_size_missing(cert: Forged) -> None:
    del cert.statement["sizes"][PROOF]


@forgery("certificate.json: its sizes are no table of bytes")
def a_negative_size(cert: Forged) -> None:
    cert.statement["sizes"][PROOF] = -1


@forgery('certificate.json: its format is not "satcal certificate 2"')
def another_format(cert: Forged) -> None:
    cert.statement["format"] = "satcal certificate 3"


@forgery('certificate.json: its format is not "satcal certificate 2"')
def a_format_that_is_a_list(cert: Forged) -> None:
    cert.statement["format"] = []


@forgery("certificate.json: it states no reveal")
def a_statement_of_nothing(cert: Forged) -> None:
    cert.statement["reveals"] = []


@forgery("archive: its parts are not those it states: '0001-proof-0002.hints.xz'")
def a_statement_of_endless_proofs(cert: Forged) -> None:
    cert.statement["reveals"][0]["proofs"] = 10**15


@forgery("certificate.json: the numbers of a reveal are none")
def a_count_that_is_true(cert: Forged) -> None:
    cert.statement["reveals"][0]["tilings"] = True


@forgery("certificate.json: its versions are no table of texts")
def versions_that_are_none(cert: Forged) -> None:
    cert.statement["versions"] = {"solver": "\x1b[2J"}


def _with(line: str, piece: str, placement: str) -> str:
    """Return a tiling with another placement of a piece, which is looked at first."""
    others = [word for word in line.split(" ") if not word.startswith(f"{piece}:")]
    first = piece != "P" or "r1c0" in placement
    return " ".join([placement, *others] if first else [*others, placement])


def _in_puzzle(cert: Forged, old: str, new: str) -> None:
    text = cert.text("puzzle.toml")
    assert text.count(old) == 1
    cert.write("puzzle.toml", text.replace(old, new))


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_for_its_own_reason(name: str) -> None:
    forge, reason = FORGERIES[name]
    cert = Forged(made("a1"))
    forge(cert)
    with pytest.raises((CertificateRefused, TooLarge)) as refusal:
        check(cert.sealed())
    assert reason in str(refusal.value)


def test_the_certificate_that_is_forged_is_accepted_as_it_was_made() -> None:
    cert = Forged(made("a1"))
    cert.write(PROOF, cert.content(PROOF))  # compressed in another way, and still true
    assert [each.tilings for each in check(cert.sealed()).proved] == [29]
