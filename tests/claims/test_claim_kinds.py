"""Each kind of statement, on a tiny puzzle, against brute force.

The counts: Jan 1 = 4, Jan 29 = 2, Jan 30 = 2, Feb 1 = 0, Feb 29 = 2, Feb 30 = 0 (no date).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tiny import FREE, ONE_FACE, OTHER_FACE, SOURCES, TINY, changed, one, truth

from satcal.errors import BudgetExhausted
from satcal.evidence.claims import ClaimFile, Judgement, Undecided, evaluate, faces, judge

ALL = 'range = "all-reveals"'
DATES = 'range = "all-dates"'

TRUE = [
    'kind = "count"\nreveal = "Jan 1"\ntilings = 4',
    'kind = "count"\ndate = 2024-02-29\ntilings = 2',
    'kind = "count"\ndate = "2024-02-29"\nat_least = 1',
    'kind = "count"\nreveal = "Feb 1"\nat_most = 0',
    'kind = "count"\nboard = "free.toml"\ntilings = 2',
    f'kind = "total"\n{ALL}\ntilings = 10',
    'kind = "total"\nrange = "2024-01"\ntilings = 8',
    'kind = "total"\nrange = "2024"\ntilings = 10',
    'kind = "total"\nrange = "2023-12-25 to 2025-02-01"\ntilings = 18',
    f'kind = "mean"\n{DATES}\ntilings = 2',
    f'kind = "mean"\n{DATES}\ntilings = 2.0',
    f'kind = "mean"\n{ALL}\ntilings = 1.667',
    f'kind = "mean"\n{ALL}\ntilings = 1.66\nrounding = "down"',
    f'kind = "mean"\n{ALL}\ntilings = 1\nrounding = "down"',
    f'kind = "minimum"\n{ALL}\ntilings = 0\nreveal = "Feb 30"',
    f'kind = "minimum"\n{DATES}\ntilings = 0\nreveal = "Feb 1"',
    f'kind = "maximum"\n{DATES}\ntilings = 4',
    f'kind = "maximum"\n{DATES}\ntilings = 4\nreveal = "Jan 1"',
    f'kind = "every"\n{DATES}\nat_least = 0\nof = 5',
    f'kind = "every"\n{ALL}\nat_most = 4\nof = 6',
    'kind = "every"\nrange = "2024-02-29 to 2024-02-29"\nexactly = 2',
    f'kind = "some"\n{DATES}\nat_least = 4',
    f'kind = "some"\n{DATES}\nat_most = 1',
    f'kind = "some"\n{DATES}\nexactly = 2',
    f'kind = "how-many"\n{ALL}\nat_most = 0\nreveals = 2',
    f'kind = "how-many"\n{DATES}\nexactly = 2\nreveals = 3',
    f'kind = "fewer"\n{ALL}\nreveal = "Jan 29"\nreveals = 2',
    f'kind = "fewer"\n{DATES}\nreveal = "Jan 1"\nat_most = 4',
    'kind = "table"\nfile = "counts.csv"',
    f'kind = "fewest-of"\nboards = ["tiny.toml", "one-face.toml"]\nwinner = "one-face.toml"\n{ALL}',
    f'kind = "most-of"\nboards = ["tiny.toml", "one-face.toml"]\nwinner = "tiny.toml"\n{ALL}',
    'kind = "up-to-symmetry"\nboard = "free.toml"\nclasses = 1',
    'kind = "up-to-symmetry"\nreveal = "Jan 1"\nclasses = 4',
    'kind = "survey-total"\ntilings = 104',
    'kind = "survey-how-many"\nexactly = 0\nsets = 24',
    'kind = "survey-how-many"\nat_most = 0\ncut_off = true\nsets = 4',
    'kind = "survey-how-many"\nat_most = 0\ncut_off = false\nsets = 20',
    'kind = "survey-how-many"\nboard = "free.toml"\nat_least = 2\nsets = 1',
    'kind = "placements-per-piece"\nper_piece = { V = 24, L4 = 28 }',
    'kind = "orientations"\norientations = 12',
    'kind = "placements"\nreveal = "Jan 1"\nplacements = 35',
    f'kind = "mean-placements"\n{ALL}\nplacements = 22',
    f'kind = "mean-placements"\n{ALL}\nplacements = 20\nunit = 10\nrounding = "down"',
    'kind = "board"\ncells = 12\narea = 10\noff_board = 0',
    f'kind = "reveals"\n{ALL}\nreveals = 6',
    f'kind = "reveals"\n{DATES}\nreveals = 5',
    'kind = "reveals"\nrange = "2023"\nreveals = 4',
    'kind = "symmetries"\nboard = "free.toml"\nsymmetries = 4',
    'kind = "symmetries"\nsymmetries = 1',
    'kind = "orders"\norders = 6',
    'kind = "count"\nreveal = "Jan 30"\nflip = "none"\nfaces = "unsaid"\ntilings = 1',
    f'kind = "some"\n{ALL}\nflip = "none"\nfaces = "unsaid"\nat_most = 0',
    'kind = "count"\nboard = "free.toml"\nflip = "none"\nfaces = "unsaid"\ntilings = 2',
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the statements refer to."""
    (tmp_path / "one-face.toml").write_text(ONE_FACE.text())
    (tmp_path / "counts.csv").write_text("month,day,tilings\nJan,1,4\n2,29,2\nFeb,1,0\n")
    return tmp_path


def test_the_brute_force_says_what_the_heading_of_this_file_says() -> None:
    assert list(truth(TINY).values()) == [4, 2, 2, 0, 2, 0]
    assert list(truth(ONE_FACE).values()) == [0, 0, 1, 0, 2, 0]
    assert list(truth(OTHER_FACE).values()) == [4, 2, 1, 0, 0, 0]
    assert truth(FREE) == {(): 2}


@pytest.mark.parametrize("text", TRUE)
def test_a_true_statement_holds_and_turns_with_each_number(text: str, folder: Path) -> None:
    statement = one(folder, text)
    finding = evaluate(statement, SOURCES)
    assert finding.holds
    for wrong in changed(statement, finding.truth):
        found = evaluate(wrong, SOURCES)
        assert not found.holds
        right = replace(wrong, fields={**wrong.fields, **found.truth})
        assert evaluate(right, SOURCES).holds


def test_every_kind_but_open_is_among_the_true_statements() -> None:
    from satcal.evidence.claims.kinds import KINDS, OPEN

    assert {text.split('"')[1] for text in TRUE} == set(KINDS) - {OPEN}


def test_a_reveal_that_is_not_the_extreme_is_refuted_with_the_one_that_is(folder: Path) -> None:
    statement = one(folder, f'kind = "maximum"\n{DATES}\ntilings = 4\nreveal = "Jan 29"')
    finding = evaluate(statement, SOURCES)
    assert (finding.holds, finding.truth) == (False, {"tilings": 4, "reveal": ("Jan", "1")})


def test_a_wrong_table_is_refuted_with_its_first_wrong_row(folder: Path) -> None:
    (folder / "counts.csv").write_text("month,day,tilings\nJan,1,4\nJan,29,9\nJan,30,9\n")
    statement = one(folder, 'kind = "table"\nfile = "counts.csv"')
    assert evaluate(statement, SOURCES).says == "2 of 3 rows differ: Jan 29 has 2, not 9"


def verdict(folder: Path, text: str):
    return judge(ClaimFile("x.toml", "somebody", ()), one(folder, text), SOURCES)


def test_what_holds_for_some_choices_of_faces_only_is_undecided(folder: Path) -> None:
    found = verdict(
        folder,
        'kind = "count"\nreveal = "Feb 29"\nflip = "none"\nfaces = "unsaid"\ntilings = 2',
    )
    assert found.judgement is Judgement.UNDECIDED
    assert found.reason == (
        "the source does not say which face is up. As drawn the truth is 2, with every piece "
        "turned over 0; it holds for 1 of the 2 choices of faces: turned over are none"
    )


def test_what_holds_for_no_choice_of_faces_is_refuted_with_all_counts(folder: Path) -> None:
    found = verdict(
        folder,
        'kind = "count"\nreveal = "Feb 29"\nflip = "none"\nfaces = "unsaid"\ntilings = 1',
    )
    assert found.judgement is Judgement.REFUTED
    assert found.truth == "0, 2 for the 2 choices of faces"


def test_where_no_piece_has_two_faces_the_truth_is_that_of_the_drawing(folder: Path) -> None:
    found = verdict(
        folder,
        'kind = "count"\nboard = "free.toml"\nflip = "none"\nfaces = "unsaid"\ntilings = 1',
    )
    assert (found.judgement, found.truth) == (Judgement.REFUTED, "2")


def test_too_many_choices_of_faces_are_undecided(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faces, "MAX_FACES", 32)
    found = verdict(
        folder,
        'kind = "count"\nboard = "pentomino-3x20"\nflip = "none"\nfaces = "unsaid"\ntilings = 1\n',
    )
    assert found.judgement is Judgement.UNDECIDED
    assert found.reason == "64 choices of faces, more than 32"


def test_too_much_work_is_undecided_with_the_reason(folder: Path) -> None:
    text = 'kind = "count"\nboard = "a-puzzle-a-day"\nreveal = "Oct 6"\ntilings = 7'
    found = verdict(folder, text)
    assert found.judgement is Judgement.UNDECIDED
    assert found.reason == "a-puzzle-a-day: no brute force for it"
    with pytest.raises(BudgetExhausted):
        evaluate(found.statement, SOURCES)


def test_an_open_statement_is_undecided_with_what_it_needs(folder: Path) -> None:
    found = verdict(folder, 'kind = "open"\nneeds = "needs the survey, which is not here yet"')
    assert found.judgement is Judgement.UNDECIDED
    assert found.reason == "needs the survey, which is not here yet"
    assert (found.claimed, found.truth) == ("", "")
    with pytest.raises(Undecided, match="needs the survey"):
        evaluate(found.statement, SOURCES)


def test_a_verdict_says_claim_truth_and_deciding_reveal_in_words(folder: Path) -> None:
    found = verdict(folder, f'kind = "every"\n{DATES}\nat_least = 1\nof = 5').as_fields()
    assert found == {
        "id": "1",
        "verdict": "refuted",
        "board": "small",
        "statement": "so",
        "claimed": "at least 1 (5 reveals)",
        "truth": "at least 0 (5 reveals)",
        "example": "Feb 1",
        "reason": "",
        "source": "somebody",
        "file": "x.toml",
        "quotation": "",
        "note": "",
        "certificate": "",
        "see": "",
    }
