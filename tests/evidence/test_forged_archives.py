"""Certificates forged as a whole: cubes, archives, and single bytes."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Callable

import pytest
from certificates import CUBES, Forged, five, made

from satcal.counting.cubes import remaining
from satcal.errors import CertificateRefused
from satcal.evidence.certify import sealed, sections
from satcal.evidence.checking import check
from satcal.proof.archive import pack
from satcal.puzzle.model import Placement
from satcal.puzzle.placements import cover
from satcal.puzzle.toml import parse_puzzle


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: lines[:-1], "cubes, but"),
        (lambda lines: [*lines[:-2], lines[-1], lines[-1]], "there is none for"),
        (lambda lines: [*lines[1:], lines[0]], "not in order, or one too many"),
        (lambda lines: [lines[0].replace("r4c0=", "r3c0=", 1), *lines[1:]], "the same cell"),
        (lambda lines: [x.replace("r4c0=", "r0c0=", 1) for x in lines], "those over r0c0 are"),
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
    with pytest.raises(CertificateRefused, match="cubes: there is none for"):
        check(cert.sealed())


def test_each_cube_needs_a_proof_of_its_own() -> None:
    todo = cover(remaining(five(), ("c", "1"), ()), ())
    cubes = [(((0, 1), todo.placements[number]),) for number in todo.by_cell[0, 1]]
    whole = sealed(five(), list(sections(five(), [(("c", "1"), cubes)])))
    assert check(whole).proved[0][:3] == (("c", "1"), 0, len(cubes))
    cert = Forged(whole)
    proofs = {name: cert.content(name) for name in cert.parts if "proof" in name}
    longest = max(proofs, key=lambda name: len(proofs[name]))
    shortest = min(proofs, key=lambda name: len(proofs[name]))
    cert.write(longest, proofs[shortest])
    with pytest.raises(CertificateRefused, match=f"{longest}: step 1: "):
        check(cert.sealed())


def test_a_cube_of_a_thousand_choices_is_read_to_its_end() -> None:
    board = "\n".join(["* " * 34] * 30)
    puzzle = parse_puzzle(
        f'name = "ones"\nboard = """\n{board}\n"""\n'
        '[pieces]\nM = { shape = "#", copies = 1020 }', "ones",
    )  # fmt: skip
    choices = tuple((cell, Placement("M", (cell,))) for cell in puzzle.cells)
    cert = Forged(sealed(puzzle, list(sections(puzzle, [((), [choices])]))))
    assert check(cert.sealed()).proved[0][:3] == ((), 1, 1)
    cert.edit(CUBES, lambda lines: [lines[0].replace("r29c33=", "r0c0=")])
    with pytest.raises(CertificateRefused, match="cubes: those over r0c0 are not"):
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
    with pytest.raises(CertificateRefused, match=r"^archive: "):
        check(stream.getvalue())


def test_a_part_that_is_there_twice_is_refused() -> None:
    parts = Forged(made("a3")).parts
    twice = pack({"README.txt": parts["README.txt"]})[: -4 * 512] + made("a3")
    with pytest.raises(
        CertificateRefused, match=r"^archive: packing its parts again gives other bytes"
    ):
        check(twice)


def test_a_header_with_another_owner_is_refused_even_with_a_digest_that_fits() -> None:
    whole = made("a3")
    header = tarfile.TarInfo.frombuf(whole[:512], "ascii", "strict")
    header.uname = "root"
    forged = header.tobuf(tarfile.USTAR_FORMAT) + whole[512 : -4 * 512]
    with pytest.raises(CertificateRefused, match=r"^archive: packing its parts again"):
        check(forged + whole[-4 * 512 :])
    digest = hashlib.sha256(forged).hexdigest().encode() + b"\n"
    with pytest.raises(CertificateRefused, match=r"^archive: packing its parts again"):
        check(forged + whole[-4 * 512 :][:512] + digest.ljust(512, b"\0") + bytes(1024))


@pytest.mark.parametrize("data", [b"", b"x", bytes(512), bytes(100_000), b"PK\3\4" + bytes(600)])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(CertificateRefused, match=r"^archive: "):
        check(data)
