"""The test vectors of docs/certificates.md are what it says, down to the bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from certificates import PROOF, Forged

from satcal.errors import CertificateRefused
from satcal.evidence.checking import check
from satcal.proof.replay import lemmas

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "certificates.md").read_text()


def vector(name: str) -> bytes:
    return (DOCS / "vectors" / f"{name}.satcert").read_bytes()


def test_the_good_vector_proves_two_tilings() -> None:
    assert check(vector("good")).proved[0].tilings == 2


@pytest.mark.parametrize("name", ["forged-tilings", "forged-proof"])
def test_a_forged_vector_is_refused_in_the_words_of_the_docs(name: str) -> None:
    with pytest.raises(CertificateRefused) as refusal:
        check(vector(name))
    assert f"    {name}.satcert: refused: {refusal.value}\n" in TEXT


def test_the_docs_show_the_bytes_of_the_good_proof() -> None:
    lines = re.findall(r"^    ((?:[0-9a-f]{2} ?)+)$", TEXT, re.MULTILINE)
    assert bytes.fromhex(" ".join(lines)) == Forged(vector("good")).content(PROOF)


def test_the_docs_show_the_lemmas_of_the_good_proof() -> None:
    rows = re.findall(r"^\| (1[2-9]) \| ?(-?\d*) \| ([\d* ]+) \|", TEXT, re.MULTILINE)
    content = Forged(vector("good")).content(PROOF)
    for number, (codes, hints) in enumerate(lemmas(content, PROOF), start=12):
        literals = " ".join(str(-1 - (x >> 1) if x & 1 else 1 + (x >> 1)) for x in codes)
        named = " ".join(f"{number - 1 - (hint >> 1)}{'*' * (hint & 1)}" for hint in hints)
        assert rows[number - 12] == (str(number), literals, named)
    assert len(rows) == 8


def test_the_docs_state_the_size_of_the_trusted_base() -> None:
    files = (DOCS.parent / "satcal" / "proof").glob("*.py")
    lines = sum(len(path.read_text().splitlines()) for path in files)
    stated = re.search(r"`satcal/proof/`, some (\d+) lines", TEXT)
    assert stated is not None
    assert abs(lines - int(stated[1])) <= 50
