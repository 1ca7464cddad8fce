"""The certificates in `results/certificates`."""

import re

import pytest

from helpers import checkers
from helpers.certificates import taken_apart
from satcal.analysis.survey import count_sets
from satcal.certificates.certify import make_certificate
from satcal.certificates.checking import check
from satcal.proof.normal import digest
from satcal.published.shipped import results_folder, shipped_counts
from satcal.puzzle.loading import load

RESULTS = results_folder()
FILES = sorted((RESULTS / "certificates").glob("*.satcert"))
PAIR = "a-puzzle-a-day.without-22-24"
OF_BOARDS = [path for path in FILES if path.stem != PAIR]
DESIGNS = sorted((RESULTS / "design").glob("*.satcert"))
SMALL = [path for path in [*FILES, *DESIGNS] if path.stat().st_size < 50_000]


def test_every_certificate_that_a_claim_names_is_there():
    texts = (file.read_text() for file in (RESULTS / "published").glob("*.toml"))
    named = {name for text in texts for name in re.findall(r'^certificate = "(.*)"', text, re.M)}
    assert named <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", OF_BOARDS, ids=lambda path: path.stem)
def test_a_kept_certificate_states_what_the_table_says(path):
    """All of it, or the reveal in the name of the file."""
    file = taken_apart(path.read_bytes())
    name, _, labels = path.stem.partition(".")
    puzzle, table = load(name), shipped_counts(load(name))
    reveals = [tuple(labels.split("-"))] if labels else list(puzzle.reveals())
    stated = {reveal: n for group in file.groups for reveal, n in group.stated.items()}
    assert digest(file.text) == puzzle.digest
    assert stated == {reveal: table[reveal] for reveal in reveals}


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_small_one_is_accepted_by_satcal_and_by_the_strangers_checker(path):
    verdict = checkers.stranger(path.read_bytes())
    assert (verdict.word, verdict.tilings) == ("accepted", check(path).tilings)


def test_a_kept_certificate_is_made_again_with_the_same_bytes():
    path = RESULTS / "certificates" / "rhombus.Thu-Sep-6.satcert"
    assert make_certificate(load("rhombus"), [("Thu", "Sep", "6")])[0] == path.read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_kept_certificate_is_accepted(path):
    check(path)


def test_no_tiling_leaves_22_and_24_uncovered():
    """Claim 8a rests on this certificate, which is one of a survey's 903."""
    found = count_sets(load("a-puzzle-a-day"))
    (cells,) = [cells for cells in found.having(0) if found.labels(cells) == ["22", "24"]]
    report = check(RESULTS / "certificates" / f"{PAIR}.satcert")
    assert report.digest == found.board_without(cells).digest
    assert report.tilings == {(): 0}
