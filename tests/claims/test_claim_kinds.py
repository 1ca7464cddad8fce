"""Each kind of statement, on a tiny puzzle, against brute force.

The counts: Jan 1 = 4, Jan 29 = 2, Jan 30 = 2, Feb 1 = 0, Feb 29 = 2, Feb 30 = 0 (no date).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import FREE, ONE_FACE, OTHER_FACE, TINY, changed, one, truth

from satcal.evidence.claims.facts import Sources
from satcal.evidence.claims.kinds import KINDS
from satcal.evidence.claims.verdicts import ClaimFile, Judgement, Statement, Verdict, judge
from satcal.evidence.tables import Tables

ALL = 'range = "all-reveals"'
DATES = 'range = "all-dates"'

TRUE = [
    'kind = "count"\nreveal = "Jan 1"\ntilings = 4',
    'kind = "count"\ndate = 2024-02-29\ntilings = 2',
    'kind = "count"\nreveal = "Feb 1"\nat_most = 0',
    'kind = "count"\nboard = "free.toml"\ntilings = 2',
    f'kind = "total"\n{ALL}\ntilings = 10',
    'kind = "total"\nrange = "2024-01"\ntilings = 8',
    'kind = "total"\nrange = "2024"\ntilings = 10',
    'kind = "total"\nrange = "2023-12-25 to 2025-02-01"\ntilings = 18',
    f'kind = "mean"\n{DATES}\ntilings = 2',
    f'kind = "mean"\n{ALL}\ntilings = 1.667',
    f'kind = "mean"\n{ALL}\ntilings = 1.66\nrounding = "down"',
    f'kind = "minimum"\n{ALL}\ntilings = 0\nreveal = "Feb 30"',
    f'kind = "maximum"\n{DATES}\ntilings = 4\nreveal = "Jan 1"',
    f'kind = "every"\n{DATES}\nat_least = 0\nof = 5',
    f'kind = "every"\n{ALL}\nat_most = 4\nof = 6',
    'kind = "every"\nrange = "2024-02-29 to 2024-02-29"\nexactly = 2',
    f'kind = "some"\n{DATES}\nat_least = 4',
    f'kind = "some"\n{DATES}\nexactly = 2',
    f'kind = "how-many"\n{ALL}\nat_most = 0\nreveals = 2',
    f'kind = "how-many"\n{DATES}\nexactly = 2\nreveals = 3',
    f'kind = "fewer"\n{ALL}\nreveal = "Jan 29"\nreveals = 2',
    f'kind = "minimum"\n{DATES}\nreveal = "Feb 1"',
    'kind = "table"\nfile = "counts.csv"',
    f'kind = "fewest-of"\nboards = ["tiny.toml", "one-face.toml"]\nwinner = "one-face.toml"\n{ALL}',
    f'kind = "most-of"\nboards = ["tiny.toml", "one-face.toml"]\nwinner = "tiny.toml"\n{ALL}',
    'kind = "up-to-symmetry"\nboard = "free.toml"\nclasses = 1',
    'kind = "up-to-symmetry"\nreveal = "Jan 1"\nclasses = 4',
    'kind = "ways-to-place"\nboard = "square.toml"\nways = 19',
    'kind = "ways-to-place"\nboard = "square.toml"\ntogether = 2\nways = 277',
    'kind = "ways-to-place"\nboard = "square.toml"\nnamed = ["L4"]\nways = 6',
    'kind = "ways-in-tilings"\nboard = "square.toml"\nat_least = 2\nways = 4',
    'kind = "covers"\nboard = "square.toml"\ncovers = 826',
    'kind = "survey-total"\ntilings = 104',
    'kind = "survey-how-many"\nexactly = 0\nsets = 24',
    'kind = "survey-how-many"\nat_most = 0\ncut_off = true\nsets = 4',
    'kind = "survey-how-many"\nboard = "free.toml"\nat_least = 2\nsets = 1',
    'kind = "placements-per-piece"\nper_piece = { V = 24, L4 = 28 }',
    'kind = "orientations"\norientations = 12',
    'kind = "placements"\nreveal = "Jan 1"\nplacements = 35',
    f'kind = "mean-placements"\n{ALL}\nplacements = 22',
    f'kind = "mean-placements"\n{ALL}\nplacements = 20\nunit = 10\nrounding = "down"',
    'kind = "board"\ncells = 12\narea = 10\noff_board = 0',
    f'kind = "reveals"\n{ALL}\nreveals = 6',
    f'kind = "reveals"\n{DATES}\nreveals = 5',
    'kind = "symmetries"\nboard = "free.toml"\nsymmetries = 4',
    'kind = "orders"\norders = 6',
    'kind = "piece-by-piece"\nreveal = "Jan 1"\nside = 4\ntried = 2712\nvalid = 82',
    'kind = "pruning"\nreveal = "Jan 1"\ntimes = 1',
]


WRONG = {  # with the judgement, and the truth or the reason in words
    f'kind = "maximum"\n{DATES}\ntilings = 4\nreveal = "Jan 29"': "refuted: 4 (Jan 1)",
    f'kind = "every"\n{DATES}\nat_least = 1\nof = 5': "refuted: at least 0 (5 reveals)",
    'kind = "table"\nfile = "wrong.csv"': "refuted: 2 of 3 rows differ: Jan 29 has 2, not 9",
    'kind = "open"\nneeds = "needs more time"': "undecided: needs more time",
    f'kind = "minimum"\n{DATES}\nhedge = "it may be"': "settled: the fewest is 0",
    f'kind = "maximum"\n{DATES}\nhedge = "it may be"': "settled: the most is 4",
    f'kind = "fewer"\n{DATES}\nreveal = "Jan 29"\nhedge = "it may be"': (
        "settled: 1 of 5 reveals have fewer than its 2"
    ),
    'kind = "count"\nreveal = "Jan 1"\ntilings = 4\nhedge = "it may be"': "settled: 4",
    'kind = "pruning"\nreveal = "Jan 1"\nhedge = "it may be"': (
        "settled: 1.1 times (39 placements tried for 41)"
    ),
}


def verdict(statement: Statement) -> Verdict:
    without_tables = Sources(Tables(Path("none")), "diagram", None)
    return judge(ClaimFile("x.toml", "somebody", ()), statement, without_tables)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the statements refer to."""
    (tmp_path / "one-face.toml").write_text(ONE_FACE.text())
    (tmp_path / "counts.csv").write_text("month,day,tilings\nJan,1,4\nFeb,29,2\nFeb,1,0\n")
    (tmp_path / "wrong.csv").write_text("month,day,tilings\nJan,1,4\nJan,29,9\nJan,30,9\n")
    return tmp_path


def test_the_brute_force_says_what_the_heading_of_this_file_says() -> None:
    assert list(truth(TINY).values()) == [4, 2, 2, 0, 2, 0]
    assert list(truth(ONE_FACE).values()) == [0, 0, 1, 0, 2, 0]
    assert list(truth(OTHER_FACE).values()) == [4, 2, 1, 0, 0, 0]
    assert truth(FREE) == {(): 2}


@pytest.mark.parametrize("text", TRUE)
def test_a_true_statement_is_confirmed_and_turns_with_each_number(text: str, folder: Path) -> None:
    statement = one(folder, text)
    true = verdict(statement)
    assert true.judgement is Judgement.CONFIRMED
    for wrong in changed(statement, true.answer.truth):
        assert verdict(wrong).judgement is Judgement.REFUTED


def test_every_kind_but_open_is_among_the_true_statements() -> None:
    assert {text.split('"')[1] for text in TRUE} == set(KINDS) - {"open"}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_confirmed_comes_with_the_truth_or_the_reason(text: str, folder: Path) -> None:
    found = verdict(one(folder, text)).as_fields()
    said = found["reason"] if found["verdict"] == "undecided" else found["truth"]
    assert f"{found['verdict']}: {said}" == WRONG[text]
    assert (found["reason"] == "it may be") == (found["verdict"] == "settled")
