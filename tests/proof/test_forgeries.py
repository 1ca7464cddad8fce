"""More forgeries than one for each check of test_mutants.py, each refused for its own reason.

Every one is sealed with a digest that fits, unless the digest is what is forged.
"""

from __future__ import annotations

import hashlib
import itertools
import lzma
import tarfile
from collections.abc import Callable
from typing import Any

import pytest
from certificates import CUBES, PROOF, TILINGS, Forged
from claimed import certificate
from mutants import whole
from proof.test_mutants import (
    REFUSED,
    SECOND,
    Made,
    edit,
    mirrored,
    right,
    right_in_cubes,
)
from proofs import step, written
from small import Small

from satcal.errors import CertificateRefused
from satcal.evidence.certify import Section, packed
from satcal.proof.archive import pack
from satcal.proof.certificate import PUZZLE, STATEMENT
from satcal.proof.check import check

ARCHIVE = "archive: its parts are not those it states: "


def a_piece_no_longer_flipped(cert: Forged) -> None:
    cert.replace(PUZZLE, "flip = true", "flip = false")


def a_puzzle_in_another_encoding(cert: Forged) -> None:
    cert.write(PUZZLE, b'name = "\xff"')


def a_hint_before_the_first_clause(cert: Forged) -> None:
    cert.write(PROOF, written([step((), 0)], given=7))


def a_unit_kept_after_its_reason_is_deleted(cert: Forged) -> None:
    """No tiling, by a RAT step on the negation of a unit that is believed without its reason."""
    cert.write(TILINGS, "")
    cert.state(tilings=0)
    steps = [step((1,)), step((2, -1), 6), step((-2,), -7), step((), 6, 7, 8)]
    cert.write(PROOF, written(steps, given=5))


def an_archive_bomb(cert: Forged) -> None:
    cert.parts[PROOF] = lzma.compress(bytes(10**8), preset=0)
    cert.resize(PROOF, 100)


FORGERIES: list[tuple[Made, Callable[[Forged], object], str]] = [
    (mirrored, a_piece_no_longer_flipped, "no rotated or flipped copy of its drawing"),
    (right, lambda cert: cert.write(PUZZLE, "}"), "puzzle.toml: not valid TOML"),
    (right, a_puzzle_in_another_encoding, "puzzle.toml: it is not UTF-8 text"),
    (right, lambda cert: cert.write(PROOF, b""), "it holds more or fewer numbers than it states"),
    (right, a_hint_before_the_first_clause, "step 1: there is no clause 0, or it is forgotten"),
    (right, a_unit_kept_after_its_reason_is_deleted, "step 1: this clause does not follow from"),
    (right, lambda cert: cert.parts.pop(PROOF), f"{ARCHIVE}'{PROOF}'"),
    (right, lambda cert: cert.parts.pop(STATEMENT), "certificate.json: it is missing, or no JSON"),
    (right, lambda cert: cert.parts.update({TILINGS: cert.parts.pop(TILINGS)}), "their order"),
    (right, an_archive_bomb, "it does not end where the 100 bytes stated end"),
    (right, lambda cert: cert.parts.update({PROOF: b"xz"}), "it does not end where the"),
    (right, lambda cert: cert.parts.update({PROOF: bytes(50)}), "damaged compressed data"),
    (right, lambda cert: cert.resize(PROOF, -1), "its sizes are no table of bytes"),
    (right, lambda cert: cert.state(reveal=["\x1b[2J"]), "a reveal is no list of labels"),
    (right, lambda cert: cert.state(proofs=10**15), f"{ARCHIVE}'{SECOND}'"),
    (right_in_cubes, lambda cert: cert.write(SECOND, bytes([1, 0, 0])), f"{SECOND}: step 1: "),
    (
        right_in_cubes,
        lambda cert: cert.edit(CUBES, lambda cubes: ["", cubes[1]]),
        "they do not choose for the same cell",
    ),
    (
        right_in_cubes,
        lambda cert: cert.write(CUBES, cert.text(CUBES).replace("r0c0=", "r1c0=")),
        "those over r1c0 are not in order, or one too many",
    ),
]


@pytest.mark.parametrize(("made", "change", "reason"), FORGERIES)
def test_a_forgery_is_refused_for_its_own_reason(
    made: Made, change: Callable[[Forged], object], reason: str
) -> None:
    with pytest.raises(REFUSED) as refusal:
        check(edit(made, change)(whole()).data)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("depth", [200, 900, 5000])  # read by C, written again by Python
def test_a_statement_nested_deeply_is_refused(depth: int) -> None:
    lines = [" " * level + "[" for level in range(depth - 1)]
    ends = [" " * level + "]" for level in reversed(range(depth - 1))]
    text = "\n".join([*lines, " " * (depth - 1) + "[]", *ends, ""])
    parts = Forged(right(whole()).data).parts | {STATEMENT: text.encode()}
    with pytest.raises(REFUSED, match=r"^certificate\.json: "):
        check(pack(parts))


def test_a_cube_of_a_thousand_choices_is_read_to_its_end() -> None:
    ones = Small((("*",) * 34,) * 30, {}, (("M", ("#",), 1020, True),))
    cells = [*itertools.product(range(30), range(34))]
    cube = tuple((cell, ("M", frozenset({cell}))) for cell in [*cells[:-1], (0, 0)])
    data = certificate(ones, Section((), (), (cube,), (packed(b""),)))
    with pytest.raises(CertificateRefused, match="cubes: those over r0c0 are not"):
        check(data)


# What is no archive that satcal writes, whatever is in it.


def refused_as_archive(data: bytes) -> None:
    with pytest.raises(CertificateRefused, match=r"^archive: "):
        check(data)


def test_every_changed_dropped_or_added_byte_is_refused_by_the_digest() -> None:
    data = right(whole()).data
    for position in [*range(0, len(data), 7), len(data) - 1]:
        old, new = data[position], data[position] ^ 1
        for other in ([new], [], [new, old]):
            refused_as_archive(data[:position] + bytes(other) + data[position + 1 :])


def resealed(body: bytes) -> bytes:
    """Return an archive with a digest that fits."""
    digest = hashlib.sha256(body).hexdigest().encode() + b"\n"
    return body + pack({})[:512] + digest.ljust(512, b"\0") + bytes(1024)


@pytest.mark.parametrize(
    "fields",
    [
        {"uname": "root"},
        {"mtime": 1},
        {"type": tarfile.DIRTYPE},
        {"type": tarfile.CHRTYPE},
        {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
        {"type": tarfile.LNKTYPE, "linkname": "/etc/passwd"},
    ],
)
def test_links_folders_devices_and_owners_are_refused(fields: dict[str, Any]) -> None:
    data = right(whole()).data
    header = tarfile.TarInfo.frombuf(data[:512], "ascii", "strict")
    body = data[512 : -4 * 512]
    assert resealed(header.tobuf(tarfile.USTAR_FORMAT) + body) == data
    for name, value in fields.items():
        setattr(header, name, value)
    refused_as_archive(resealed(header.tobuf(tarfile.USTAR_FORMAT) + body))


def test_a_part_that_is_there_twice_is_refused() -> None:
    body = right(whole()).data[: -4 * 512]
    refused_as_archive(resealed(body + body))


@pytest.mark.parametrize("data", [b"", b"x", bytes(512), bytes(100_000), b"PK\3\4" + bytes(600)])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    refused_as_archive(data)
