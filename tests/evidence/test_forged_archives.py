"""Certificates forged as a whole: cubes, archives, single bytes, and random edits."""

from __future__ import annotations

import hashlib
import io
import random
import tarfile
import time
from collections.abc import Callable

import pytest
from certificates import CUBES, Forged, five, made

from satcal.counting.diagram.puzzle import PuzzleDiagram
from satcal.errors import CertificateRefused, SatcalError, TooLarge
from satcal.evidence.archive import pack
from satcal.evidence.certify import remaining, sealed, sections
from satcal.evidence.checker import check
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import cover
from satcal.puzzle.toml import parse_puzzle


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
    with pytest.raises(CertificateRefused, match=f"{longest}: step 1: clause is not RUP"):
        check(cert.sealed())


def test_a_cube_of_a_thousand_choices_is_read_to_its_end() -> None:
    board = "\n".join(["* " * 34] * 30)
    puzzle = parse_puzzle(
        f'name = "ones"\nboard = """\n{board}\n"""\n'
        '[pieces]\nM = { shape = "#", copies = 1020 }', "ones",
    )  # fmt: skip
    choices = tuple((cell, Placement("M", (cell,))) for cell in puzzle.cells)
    cert = Forged(sealed(puzzle, list(sections(puzzle, [((), [choices])]))))
    assert check(cert.sealed()).proved == (((), 1, 1),)
    cert.edit(CUBES, lambda lines: [lines[0].replace("r29c33=", "r0c0=")])
    with pytest.raises(CertificateRefused, match="cubes: r0c0 is no cell that is still to be cov"):
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
    end = time.monotonic() + 600
    accepted, tried = fuzz(2, lambda: time.monotonic() > end)
    print(f"{tried} edited certificates, {accepted} accepted, all of them true")
    assert tried > accepted
