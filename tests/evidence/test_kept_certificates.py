"""The certificates in `results/certificates`, and the test vectors of docs/certificates.md."""

from __future__ import annotations

import re
from pathlib import Path

import lrat
import pytest
from certificates import PROOF, Forged

from satcal.errors import CertificateRefused
from satcal.evidence.checking import check, same_puzzle
from satcal.evidence.lrat import literals_of
from satcal.evidence.tables import Tables, results_folder
from satcal.proof.certificate import PUZZLE, Opened
from satcal.proof.replay import lemmas
from satcal.puzzle.loading import load
from satcal.puzzle.toml import parse_puzzle

RESULTS = results_folder()
FILES = sorted((RESULTS / "certificates").glob("*.satcert"))
DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "certificates.md").read_text()


def test_every_certificate_that_a_claim_names_is_there() -> None:
    texts = (file.read_text() for file in (RESULTS / "published").glob("*.toml"))
    named = {name for text in texts for name in re.findall(r'^certificate = "(.*)"', text, re.M)}
    assert named == {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_kept_certificate_is_whole_and_states_what_the_table_says(path: Path) -> None:
    board, _, reveal = path.stem.partition(".")
    opened = Opened(path.read_bytes())
    puzzle = parse_puzzle(opened.text(PUZZLE), path.stem)
    assert same_puzzle(puzzle, load(board))
    (stated,) = opened.stated
    table = Tables(RESULTS / "counts").find(puzzle)
    assert table is not None
    assert stated.reveal == tuple(reveal.split("-"))
    assert stated.tilings == table.tilings(stated.reveal)


@pytest.mark.long  # one of them is checked by a command, in test_certify_commands.py
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_kept_certificate_is_accepted_and_a_second_replayer_agrees(
    path: Path, tmp_path: Path
) -> None:
    (proved,) = check(path.read_bytes(), export=tmp_path).proved
    stem = tmp_path / "0001-proof-0001"
    formula, proof = stem.with_suffix(".cnf").read_text(), stem.with_suffix(".lrat").read_text()
    assert lrat.replay(formula, proof) == proved.steps


def vector(name: str) -> bytes:
    return (DOCS / "vectors" / f"{name}.satcert").read_bytes()


def test_the_good_vector_proves_two_tilings() -> None:
    assert check(vector("good")).proved[0].tilings == 2


@pytest.mark.parametrize("name", ["forged-tilings", "forged-proof"])
def test_a_forged_vector_is_refused_in_the_words_of_the_docs(name: str) -> None:
    with pytest.raises(CertificateRefused) as refusal:
        check(vector(name))
    assert f"    {name}.satcert: refused: {refusal.value}\n" in TEXT


def test_the_docs_show_the_bytes_and_the_lemmas_of_the_good_proof() -> None:
    content = Forged(vector("good")).content(PROOF)
    lines = re.findall(r"^    ((?:[0-9a-f]{2} ?)+)$", TEXT, re.MULTILINE)
    assert bytes.fromhex(" ".join(lines)) == content
    rows = re.findall(r"^\| (1[2-9]) \| ?(-?\d*) \| ([\d* ]+) \|", TEXT, re.MULTILINE)
    for number, (codes, hints) in enumerate(lemmas(content, PROOF), start=12):
        literals = " ".join(map(str, literals_of(codes)))
        named = " ".join(f"{number - 1 - (hint >> 1)}{'*' * (hint & 1)}" for hint in hints)
        assert rows[number - 12] == (str(number), literals, named)
    assert len(rows) == 8


def test_the_docs_state_the_size_of_the_trusted_base() -> None:
    files = (DOCS.parent / "satcal" / "proof").glob("*.py")
    lines = sum(len(path.read_text().splitlines()) for path in files)
    stated = re.search(r"`satcal/proof/`, some (\d+) lines", TEXT)
    assert stated is not None
    assert abs(lines - int(stated[1])) <= 50
