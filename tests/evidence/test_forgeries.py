"""No false certificate is accepted: each kind of forgery is refused for its own reason.

Every forgery here is sealed with a digest that fits, unless the digest is what is forged. A
forgery for each single check of the trusted base is in tests/proof/test_mutants.py.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
from collections.abc import Callable

import pytest
from certificates import CUBES, PROOF, TILINGS, Forged, five, made
from claimed import certificate
from proofs import Step, step, written
from small import Small

from satcal.counting.cubes import remaining
from satcal.errors import CertificateRefused, TooLarge
from satcal.evidence.certify import Section, packed, sealed, sections
from satcal.evidence.checking import check
from satcal.proof.archive import pack
from satcal.proof.certificate import PUZZLE, STATEMENT
from satcal.puzzle.placements import cover

Forge = Callable[[Forged], object]
GIVEN = 23 + 5 + 29  # clauses that are refuted: cells, pieces and tilings
LAST = "0001-proof-0002.hints.xz"


def puzzle(old: str, new: str) -> Forge:
    """Return a forgery of the puzzle's text."""

    def forge(cert: Forged) -> None:
        text = cert.text(PUZZLE)
        assert text.count(old) == 1
        cert.write(PUZZLE, text.replace(old, new))

    return forge


def proof(*steps: Step) -> Forge:
    """Return a forgery with a proof of these steps."""
    return lambda cert: cert.write(PROOF, written(steps, GIVEN))


def stated(**entry: object) -> Forge:
    """Return a forgery of what is stated of the reveal."""
    return lambda cert: cert.statement["reveals"][0].update(entry)


def sized(size: object) -> Forge:
    """Return a forgery of the size that is stated of the proof."""
    return lambda cert: cert.statement["sizes"].update({PROOF: size})


def compressed(change: Callable[[bytes], bytes]) -> Forge:
    """Return a forgery of the proof in its compressed form."""
    return lambda cert: cert.parts.update({PROOF: change(cert.parts[PROOF])})


def kept_unit(cert: Forged) -> None:
    """No tiling, by a RAT step on the negation of a unit that is believed without its reason."""
    cert.write(TILINGS, "")
    cert.count(0)
    first = 23 + 5 + 1
    steps = [
        step((150,)), step((151, -150), first), step((-151,), -first - 1),
        step((), first, first + 1, first + 2),
    ]  # fmt: skip
    cert.write(PROOF, written(steps, first - 1))


BOMB = lzma.compress(bytes(10**8), preset=0)
STEP = "0001-proof-0001.hints.xz: step"
ARCHIVE = "archive: its parts are not those it states: "
FORGERIES: dict[str, tuple[str, Forge]] = {
    "a tiling dropped": (
        STEP, lambda cert: (cert.edit(TILINGS, lambda lines: lines[1:]), cert.count(28))),
    "the board edited": ("which is not on the board", puzzle("4 * * * *", "4 * * * .")),
    "a piece edited": (
        "no rotated or flipped copy of its drawing",
        puzzle('P = { shape = "##\\n##\\n#."', 'P = { shape = "##\\n#.\\n##"')),
    "a piece no longer flipped": (
        "no rotated or flipped copy of its drawing",
        puzzle('"##\\n##\\n#.", copies = 1, flip = true',
               '"##\\n##\\n#.", copies = 1, flip = false')),
    "a piece with another copy": (
        "I is used 1 times, not 2",
        puzzle('I = { shape = "###", copies = 1', 'I = { shape = "###", copies = 2')),
    "a piece added": (
        "is used 0 times, not 1",
        lambda cert: cert.write(PUZZLE, cert.text(PUZZLE) + 'O = "##\\n##"\n')),
    "a label moved": ("which the reveal leaves uncovered", puzzle("a b c d e", "b a c d e")),
    "no puzzle": ("puzzle.toml: not valid TOML", lambda cert: cert.write(PUZZLE, "}")),
    "a puzzle in another encoding": (
        "puzzle.toml: it is not UTF-8 text", lambda cert: cert.write(PUZZLE, b'name = "\xff"')),
    "the reveal of another date": ("which the reveal leaves uncovered", stated(reveal=["e", "1"])),
    "the proof of another date": (
        STEP, lambda cert: cert.write(PROOF, Forged(made("e1")).content(PROOF))),
    "an empty proof": (
        "it holds more or fewer numbers than it states", lambda cert: cert.write(PROOF, b"")),
    "words instead of a proof": (PROOF, lambda cert: cert.write(PROOF, b"q.e.d.")),
    "a hint before the first clause": (
        "step 1: there is no clause 0, or it is forgotten", proof(step((), 0))),
    "a unit kept after its reason is deleted": (
        "step 1: this clause does not follow from its hints", kept_unit),
    "a part missing": (f"{ARCHIVE}'{PROOF}'", lambda cert: cert.parts.pop(PROOF)),
    "the statement missing": (
        "certificate.json: it is missing, or no JSON", lambda cert: cert.parts.pop(STATEMENT)),
    "parts in another order": (
        f"{ARCHIVE}'their order'",
        lambda cert: cert.parts.update({TILINGS: cert.parts.pop(TILINGS)})),
    "a path upwards": (
        f"{ARCHIVE}'../../etc/cron.d/x'",
        lambda cert: cert.parts.update({"../../etc/cron.d/x": b"evil"})),
    "an archive bomb": (
        "it does not end where the 100 bytes stated end",
        lambda cert: (sized(100)(cert), compressed(lambda _: BOMB)(cert))),
    "a damaged part": (
        "damaged compressed data", compressed(lambda part: part[:-30] + bytes(30))),
    "a negative size": ("its sizes are no table of bytes", sized(-1)),
    "a reveal that clears the screen": (
        "a reveal is no list of labels", stated(reveal=["\x1b[2J", "a1: accepted"])),
    "a statement of endless proofs": (f"{ARCHIVE}'{LAST}'", stated(proofs=10**15)),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refused_for_its_own_reason(name: str) -> None:
    reason, forge = FORGERIES[name]
    cert = Forged(made("a1"))
    forge(cert)
    with pytest.raises((CertificateRefused, TooLarge)) as refusal:
        check(cert.sealed())
    assert reason in str(refusal.value)


@pytest.mark.parametrize("depth", [200, 900, 5000])  # read by C, written again by Python
def test_a_statement_nested_deeply_is_refused(depth: int) -> None:
    lines = [" " * level + "[" for level in range(depth - 1)]
    ends = [" " * level + "]" for level in reversed(range(depth - 1))]
    text = "\n".join([*lines, " " * (depth - 1) + "[]", *ends, ""])
    parts = Forged(made("a1")).parts | {STATEMENT: text.encode()}
    with pytest.raises((CertificateRefused, TooLarge), match=r"^certificate\.json: "):
        check(pack(parts))


def test_the_certificate_that_is_forged_is_accepted_as_it_was_made() -> None:
    cert = Forged(made("a1"), preset=0)
    cert.write(PROOF, cert.content(PROOF))  # compressed in another way, and still true
    assert [each.tilings for each in check(cert.sealed()).proved] == [29]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda cubes: cubes[:-1], "cubes, but"),
        (lambda cubes: [*cubes[:-2], cubes[-1], cubes[-1]], "there is none for"),
        (lambda cubes: [*cubes[1:], cubes[0]], "not in order, or one too many"),
        (lambda cubes: [cubes[0].replace("r4c0=", "r3c0=", 1), *cubes[1:]], "the same cell"),
        (lambda cubes: [x.replace("r4c0=", "r0c0=", 1) for x in cubes], "those over r0c0 are"),
        (lambda cubes: ["", *cubes[1:]], "the same cell"),
        (lambda cubes: ["over there", *cubes[1:]], "is no cell such as r2c3"),
    ],
)  # fmt: skip
def test_forged_cubes_are_refused(change: Callable[[list[str]], list[str]], reason: str) -> None:
    cert = Forged(made("a1", cut_above=28))
    assert cert.text(CUBES).startswith("r4c0=")
    cert.edit(CUBES, change)
    with pytest.raises(CertificateRefused, match=reason):
        check(cert.sealed())


def test_each_cube_needs_a_proof_of_its_own() -> None:
    todo = cover(remaining(five(), ("c", "1"), ()), ())
    cubes = [(((0, 1), todo.placements[number]),) for number in todo.by_cell[0, 1]]
    cert = Forged(sealed(five(), sections(five(), [(("c", "1"), cubes)])))
    assert check(cert.sealed()).proved[0][:3] == (("c", "1"), 0, len(cubes))
    by_size = sorted((len(cert.content(name)), name) for name in cert.parts if "proof" in name)
    (_, shortest), (_, longest) = by_size[0], by_size[-1]
    cert.write(longest, cert.content(shortest))
    with pytest.raises(CertificateRefused, match=f"{longest}: step 1: "):
        check(cert.sealed())


def test_a_cube_of_a_thousand_choices_is_read_to_its_end() -> None:
    ones = Small((("*",) * 34,) * 30, {}, (("M", ("#",), 1020, True),))
    cells = [(row, column) for row in range(30) for column in range(34)]
    cells[-1] = (0, 0)
    cube = tuple((cell, ("M", frozenset({cell}))) for cell in cells)
    data = certificate(ones, Section((), (), (cube,), (packed(b""),)))
    with pytest.raises(CertificateRefused, match="cubes: those over r0c0 are not"):
        check(data)


# What is no archive that satcal writes, whatever is in it.


def refused_as_archive(data: bytes) -> None:
    with pytest.raises(CertificateRefused, match=r"^archive: "):
        check(data)


@pytest.mark.parametrize("kind", ["changed", "dropped", "added"])
def test_every_changed_dropped_or_added_byte_is_refused_by_the_digest(kind: str) -> None:
    whole = made("a3")
    for position in [*range(0, len(whole), 7), len(whole) - 1]:
        byte = whole[position] ^ 1
        new = {"changed": [byte], "dropped": [], "added": [byte, whole[position]]}[kind]
        refused_as_archive(whole[:position] + bytes(new) + whole[position + 1 :])


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE]
)
def test_links_folders_and_devices_are_refused(kind: bytes) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        info = tarfile.TarInfo("README.txt")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    refused_as_archive(stream.getvalue())


def test_a_part_that_is_there_twice_is_refused() -> None:
    readme = {"README.txt": Forged(made("a3")).parts["README.txt"]}
    refused_as_archive(pack(readme)[: -4 * 512] + made("a3"))


def test_a_header_with_another_owner_is_refused_even_with_a_digest_that_fits() -> None:
    whole = made("a3")
    header = tarfile.TarInfo.frombuf(whole[:512], "ascii", "strict")
    header.uname = "root"
    forged = header.tobuf(tarfile.USTAR_FORMAT) + whole[512 : -4 * 512]
    refused_as_archive(forged + whole[-4 * 512 :])
    digest = hashlib.sha256(forged).hexdigest().encode() + b"\n"
    refused_as_archive(forged + whole[-4 * 512 : -3 * 512] + digest.ljust(512, b"\0") + bytes(1024))


@pytest.mark.parametrize("data", [b"", b"x", bytes(512), bytes(100_000), b"PK\3\4" + bytes(600)])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    refused_as_archive(data)
