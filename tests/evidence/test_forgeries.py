"""No false certificate is accepted: each kind of forgery is refused for its own reason.

Every forgery here is sealed with a digest that fits, unless the digest is what is forged.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import random
import tarfile
from collections.abc import Callable

import pytest
from certificates import CUBES, PROOF, TILINGS, Forged, five, made

from satcal.errors import CertificateRefused, SatcalError, TooLarge
from satcal.evidence.archive import pack
from satcal.evidence.certificate import STATEMENT
from satcal.evidence.certify import remaining, sealed, sections
from satcal.evidence.checker import check
from satcal.puzzle.placements import cover

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


@forgery("0001-proof-0001.drat.xz: step 1: clause is neither RUP nor RAT")
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


@forgery("0001-proof-0001.drat.xz: step 1: clause is neither RUP nor RAT")
def a_step_that_does_not_follow(cert: Forged) -> None:
    cert.edit(PROOF, lambda lines: ["7 0", *lines])


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


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: lines[:-1], "cubes, but"),
        (lambda lines: [*lines[:-2], lines[-1], lines[-1]], "no cube, or not in order"),
        (lambda lines: [*lines[1:], lines[0]], "no cube, or not in order"),
        (lambda lines: [lines[0].replace("r4c0=", "r3c0=", 1), *lines[1:]], "the same cell"),
        (lambda lines: [x.replace("r4c0=", "r0c0=", 1) for x in lines], "still to be covered"),
        (lambda lines: ["", *lines[1:]], "the same cell"),
        (lambda lines: ["over there", *lines[1:]], "is no cell such as r2c3"),
    ],
)  # fmt: skip
def test_forged_cubes_are_refused(change: Callable[[list[str]], list[str]], reason: str) -> None:
    cert = Forged(made("a1", cut_above=28))
    assert cert.text(CUBES).startswith("r4c0=")
    cert.edit(CUBES, change)
    with pytest.raises(CertificateRefused, match=reason):
        check(cert.sealed())


def test_a_missing_cube_with_its_proof_is_refused() -> None:
    cert = Forged(made("a1", cut_above=28))
    last = list(cert.parts)[-1]
    del cert.parts[last], cert.statement["sizes"][last]
    cert.statement["reveals"][0]["proofs"] -= 1
    cert.edit(CUBES, lambda lines: lines[:-1])
    with pytest.raises(CertificateRefused, match="no cube, or not in order"):
        check(cert.sealed())


def test_each_cube_needs_a_proof_of_its_own() -> None:
    todo = cover(remaining(five(), ("c", "1"), ()), ())
    cubes = [(((0, 1), todo.placements[number]),) for number in todo.by_cell[0, 1]]
    whole = sealed(five(), list(sections(five(), [(("c", "1"), cubes)])))
    assert check(whole).proved == ((("c", "1"), 0, len(cubes)),)
    cert = Forged(whole)
    texts = {name: cert.text(name) for name in cert.parts if "proof" in name}
    longest = max(texts, key=lambda name: len(texts[name]))
    cert.write(longest, "0\n")  # enough for cubes whose formula unit propagation refutes
    with pytest.raises(CertificateRefused, match=f"{longest}: step 1: clause is neither"):
        check(cert.sealed())


def test_a_reveal_that_is_there_twice_is_refused() -> None:
    cert = Forged(made("a1", "a3"))
    cert.statement["reveals"][1]["reveal"] = ["a", "1"]
    with pytest.raises(CertificateRefused, match="the reveal a 1 is there twice"):
        check(cert.sealed())


@pytest.mark.parametrize("kind", ["changed", "dropped", "added"])
def test_every_changed_dropped_or_added_byte_is_refused_by_the_digest(kind: str) -> None:
    whole = made("a3")
    step = 1 if len(whole) < 4000 else 7
    for position in [*range(0, len(whole), step), len(whole) - 1]:
        data = bytearray(whole)
        if kind == "changed":
            data[position] ^= 1
        elif kind == "dropped":
            del data[position]
        else:
            data.insert(position, data[position] ^ 0x55)
        with pytest.raises(CertificateRefused, match=r"^archive: "):
            check(bytes(data))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE]
)
def test_links_folders_and_devices_are_refused(kind: bytes) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        info = tarfile.TarInfo("README.txt")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(CertificateRefused, match=r"the part README.txt is no plain file"):
        check(stream.getvalue())


def test_a_part_that_is_there_twice_is_refused() -> None:
    parts = Forged(made("a3")).parts
    twice = pack({"README.txt": parts["README.txt"]})[: -4 * 512] + made("a3")
    with pytest.raises(CertificateRefused, match=r"the part README.txt is there twice"):
        check(twice)


def test_a_header_with_another_owner_is_refused_even_with_a_digest_that_fits() -> None:
    whole = made("a3")
    header = tarfile.TarInfo.frombuf(whole[:512], "ascii", "strict")
    header.uname = "root"
    forged = header.tobuf(tarfile.USTAR_FORMAT) + whole[512 : -4 * 512]
    with pytest.raises(CertificateRefused, match="the digest does not fit"):
        check(forged + whole[-4 * 512 :])
    digest = hashlib.sha256(forged).hexdigest().encode() + b"\n"
    with pytest.raises(CertificateRefused, match="bytes that belong to no part"):
        check(forged + whole[-4 * 512 :][:512] + digest.ljust(512, b"\0") + bytes(1024))


@pytest.mark.parametrize("data", [b"", b"x", bytes(512), bytes(100_000), b"PK\3\4" + bytes(600)])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(CertificateRefused, match=r"^archive: "):
        check(data)


def fuzzed(data: bytes, generator: random.Random) -> bytes:
    """Return a certificate with random edits in random parts, sealed again."""
    cert = Forged(data)
    for _ in range(generator.choice([1, 1, 1, 2, 5])):
        name = generator.choice(list(cert.statement["sizes"]))
        text = bytearray(cert.text(name).encode())
        place = generator.randrange(len(text) + 1)
        match generator.randrange(6):
            case 0 if text:
                text[place % len(text)] = generator.choice(b"0123456789 -dracPLVYI:,\n")
            case 1:
                text[place:place] = bytes(generator.choices(b"0123456789 -d\n", k=3))
            case 2:
                del text[place : place + generator.choice([1, 10, 100])]
            case 3:
                lines = bytes(text).split(b"\n")
                generator.shuffle(lines)
                text = bytearray(b"\n".join(lines))
            case 4:
                lines = bytes(text).split(b"\n")
                del lines[generator.randrange(len(lines))]
                text = bytearray(b"\n".join(lines))
            case _:
                lines = bytes(text).split(b"\n")
                lines.insert(generator.randrange(len(lines)), generator.choice(lines))
                text = bytearray(b"\n".join(lines))
        cert.write(name, bytes(text))
        if "tilings" in name:
            cert.count(bytes(text).count(b"\n"))
    return cert.sealed()


def fuzz(seed: int, until: Callable[[], bool]) -> tuple[int, int]:
    """Edit and seal again until told to stop; return how many were accepted, of how many.

    What is accepted must be true: the puzzle is asked for its counts in another way.
    """
    from satcal.counting.diagram.puzzle import PuzzleDiagram

    generator = random.Random(seed)
    originals = [made("a1"), made("a3"), made("c1"), made("a1", cut_above=28)]
    tried = accepted = 0
    while not until():
        data = fuzzed(generator.choice(originals), generator)
        tried += 1
        try:
            report = check(data)
        except SatcalError as error:
            assert error.exit_code == 1 or isinstance(error, TooLarge), error
            continue
        accepted += 1
        diagram = PuzzleDiagram.build(report.puzzle, None)
        for reveal, tilings, _ in report.proved:
            assert diagram.count(reveal) == tilings
    return accepted, tried


def test_edited_and_sealed_again_nothing_false_is_accepted() -> None:
    rounds = iter(range(200))
    _, tried = fuzz(1, lambda: next(rounds, None) is None)
    assert tried == 200


@pytest.mark.long
def test_ten_minutes_of_editing_and_sealing_again() -> None:
    import time

    end = time.monotonic() + 600
    accepted, tried = fuzz(2, lambda: time.monotonic() > end)
    print(f"{tried} edited certificates, {accepted} accepted, all of them true")
    assert tried > accepted


def test_there_are_at_least_25_kinds_of_forgery() -> None:
    assert len(FORGERIES) >= 25
    assert five().name == "five"
