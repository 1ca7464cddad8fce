"""No false certificate is accepted: each kind of forgery is refused for its own reason.

Every forgery here is sealed with a digest that fits, unless the digest is what is forged.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable

import pytest
from certificates import PROOF, TILINGS, Forged, five, made

from satcal.errors import CertificateRefused, TooLarge
from satcal.evidence.certificate import STATEMENT
from satcal.evidence.checker import check

Forge = Callable[[Forged], None]
FORGERIES: dict[str, tuple[Forge, str]] = {}


def forgery(reason: str) -> Callable[[Forge], Forge]:
    """Note a forgery of the certificate of a1 (29 tilings, one proof) and its refusal."""

    def note(forge: Forge) -> Forge:
        FORGERIES[forge.__name__] = (forge, reason)
        return forge

    return note


# tilings


@forgery("0001-proof-0001.drat.xz: step")
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


# proofs


@forgery("0001-proof-0001.drat.xz: step")
def the_proof_of_another_date(cert: Forged) -> None:
    cert.write(PROOF, Forged(made("e1")).text(PROOF))


@forgery("0001-proof-0001.drat.xz: it is empty")
def an_empty_proof(cert: Forged) -> None:
    cert.write(PROOF, "")


@forgery("0001-proof-0001.drat.xz: step 1: clause is not RUP")
def a_proof_of_the_empty_clause_alone(cert: Forged) -> None:
    cert.write(PROOF, "0\n")


@forgery("no step derives the empty clause")
def a_proof_cut_before_its_last_step(cert: Forged) -> None:
    cert.edit(PROOF, lambda lines: lines[:-1])


@forgery("0001-proof-0001.drat.xz: it is empty, or cut off within its last line")
def a_proof_cut_within_a_step(cert: Forged) -> None:
    cert.write(PROOF, cert.text(PROOF)[:-1])


@forgery("0001-proof-0001.drat.xz: step")
def a_proof_without_its_middle(cert: Forged) -> None:
    cert.edit(PROOF, lambda lines: [*lines[: len(lines) // 3], "0"])


@forgery("0001-proof-0001.drat.xz: step 1: clause is not RUP")
def a_step_that_does_not_follow(cert: Forged) -> None:
    cert.edit(PROOF, lambda lines: ["7 0", *lines])


@forgery("0001-proof-0001.drat.xz: step 1: clause is not RUP")
def a_unit_kept_after_its_reason_is_deleted(cert: Forged) -> None:
    """No tiling at all, "proved" by a RAT step on the negation of a unit that is still believed."""
    cert.write(TILINGS, "")
    cert.count(0)
    cert.write(PROOF, "243 0\n244 -243 0\nd 244 -243 0\n-244 0\n0\n")


@forgery("0001-proof-0001.drat.xz: line 1 is no step of a proof")
def words_instead_of_a_proof(cert: Forged) -> None:
    cert.edit(PROOF, lambda lines: ["q.e.d.", *lines])


@forgery("0001-proof-0001.drat.xz: line 1: a variable above 1000000")
def a_variable_beyond_measure(cert: Forged) -> None:
    cert.edit(PROOF, lambda lines: ["9999999 0", *lines])


@forgery("proof-0001.drat.xz: step")
def clauses_deleted_that_are_needed(cert: Forged) -> None:
    gone = [f"d -{a} -{b} 0" for a in range(1, 60) for b in range(a + 1, 60)]
    cert.edit(PROOF, lambda lines: [*gone, *lines])


# the archive


@forgery("archive: its parts are not those it states: 0001-proof-0001.drat.xz")
def a_part_missing(cert: Forged) -> None:
    del cert.parts[PROOF]


@forgery("archive: the part certificate.json is missing")
def the_statement_missing(cert: Forged) -> None:
    del cert.parts[STATEMENT]


@forgery("0001-proof-0001.drat.xz: it does not hold the")
def a_part_of_length_zero(cert: Forged) -> None:
    cert.parts[PROOF] = b""


@forgery("archive: its parts are not those it states: 0001-proof-0001.drat.xz")
def a_part_renamed(cert: Forged) -> None:
    cert.parts["0001-proof-9999.drat.xz"] = cert.parts.pop(PROOF)


@forgery("archive: its parts are not those it states: extra.txt")
def a_part_added(cert: Forged) -> None:
    cert.parts["extra.txt"] = b"hello"


@forgery("archive: its parts are not those it states: their order")
def parts_in_another_order(cert: Forged) -> None:
    cert.parts[TILINGS] = cert.parts.pop(TILINGS)


@forgery("archive: '../../etc/cron.d/x' is no name of a part")
def a_path_upwards(cert: Forged) -> None:
    cert.parts["../../etc/cron.d/x"] = b"evil"


@forgery("archive: '/tmp/x' is no name of a part")
def an_absolute_path(cert: Forged) -> None:
    cert.parts["/tmp/x"] = b"evil"


@forgery("it does not hold the 100 bytes that are stated")
def an_archive_bomb(cert: Forged) -> None:
    cert.parts[PROOF] = lzma.compress(bytes(300_000_000), preset=0)
    cert.statement["sizes"][PROOF] = 100


@forgery("its parts have more than 2147483648 bytes")
def an_honest_archive_bomb(cert: Forged) -> None:
    cert.statement["sizes"][PROOF] = 2**40


@forgery("damaged compressed data")
def a_damaged_part(cert: Forged) -> None:
    cert.parts[PROOF] = cert.parts[PROOF][:-30] + bytes(30)


@forgery("it does not hold the")
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


@forgery('certificate.json: its format is not "satcal certificate 1"')
def another_format(cert: Forged) -> None:
    cert.statement["format"] = "satcal certificate 2"


@forgery("certificate.json: it states no reveal")
def a_statement_of_nothing(cert: Forged) -> None:
    cert.statement["reveals"] = []


@forgery("certificate.json: more than 20000 parts")
def a_statement_of_endless_proofs(cert: Forged) -> None:
    cert.statement["reveals"][0]["proofs"] = 10**15


@forgery("certificate.json: a reveal is not stated as it should be")
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
    cert.write(PROOF, cert.text(PROOF))  # compressed in another way, and still true
    assert [each.tilings for each in check(cert.sealed()).proved] == [29]


def test_a_proof_with_steps_that_it_does_not_need_is_accepted() -> None:
    cert = Forged(made("a1"))
    cert.edit(PROOF, lambda lines: [*lines[:-1], *(f"{n} -{n} 0" for n in range(1, 9)), "0"])
    assert check(cert.sealed()).proved[0].tilings == 29


def test_there_are_at_least_25_kinds_of_forgery() -> None:
    assert len(FORGERIES) >= 25
    assert five().name == "five"
