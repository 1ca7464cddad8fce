"""The published statements: satcal judges them as the pages of results/ say."""

from __future__ import annotations

import csv
import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import pytest

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.published import verdicts
from satcal.published.evaluating import Lookup, Truth
from satcal.published.reading import claim_files, load_claims
from satcal.published.shipped import results_folder
from satcal.published.statements import Statement
from satcal.published.verdicts import ClaimFile, Judgement, Verdict, judge
from satcal.puzzle.loading import load
from satcal.puzzle.shapes import reflect

RESULTS = results_folder()
SOURCES = Lookup()
README = (RESULTS / "README.md").read_text("utf-8")
DEAR = {"37b": 287, "37c": 12}
"""What takes seconds to find is found by a long test, and believed by the others."""


@functools.cache
def statements() -> dict[str, tuple[ClaimFile, Statement]]:
    """Return all statements, with their files."""
    files = [load_claims(path) for path in claim_files()]
    return {statement.id: (file, statement) for file in files for statement in file.statements}


@functools.cache
def verdict(id: str) -> Verdict:
    file, statement = statements()[id]
    if id not in DEAR:
        return judge(file, statement, SOURCES)
    with mock.patch.object(verdicts, "evaluate", lambda *_: Truth(DEAR[id])):
        return judge(file, statement, SOURCES)


def with_verdict(judgement: Judgement) -> list[str]:
    """Return the statements that are judged so."""
    return sorted(id for id in statements() if verdict(id).judgement is judgement)


@pytest.mark.long
@pytest.mark.parametrize("id", DEAR)
def test_what_takes_seconds_to_find_is_what_the_other_tests_believe(id):
    truth = judge(*statements()[id], SOURCES).truth
    assert truth is not None
    assert truth.value == DEAR[id]


def cells(heads: str) -> Iterator[list[str]]:
    """Yield the rows of the table of the findings with these heads."""
    for line in README.partition(heads)[2].partition("\n\n")[0].splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(
    ("heading", "judgement"), [("true", Judgement.REFUTED), ("the fact", Judgement.SETTLED)]
)
def test_the_findings_name_each_such_statement_with_the_truth(heading, judgement):
    named = []
    for names, _, fact, by in cells(f"| claim | published | {heading} |"):
        for id in names.split(", "):
            named.append(id)
            number = re.search(r"[0-9][0-9,.]*", verdict(id).truth_in_words)
            assert number
            assert number[0] in fact, id
            assert by in (verdict(id).file.source if id != "22" else "a forum")
    assert sorted(named) == with_verdict(judgement)


def test_the_findings_say_how_many_are_right_and_which_cannot_be_decided():
    right, wrong, settled, undecided = (len(with_verdict(each)) for each in Judgement)
    assert (
        f"Of {len(statements())} published statements {right} are right, {wrong} are wrong, "
        f"{settled} are settled and {undecided} cannot be decided."
    ) in " ".join(README.split())
    assert re.findall(r"\*\*(\d+)\.\*\* ", README) == with_verdict(Judgement.UNDECIDED)
    assert all(verdict(id).reason for id in with_verdict(Judgement.UNDECIDED))


def test_the_table_of_all_counts_is_that_of_the_counted_tables():
    for names, *figures in cells("| board | reveals | tilings | fewest | most |"):
        for name in names.split(", "):
            rows = csv.DictReader((RESULTS / "counts" / f"{name}.csv").read_text().splitlines())
            counts = [int(row["tilings"]) for row in rows]
            true = (len(counts), sum(counts), min(counts), max(counts))
            assert figures == [f"{number:,}" for number in true], name


def test_what_is_not_right_is_shown_by_a_certificate_or_a_file_that_is_there():
    for id, (_, statement) in statements().items():
        for file in statement.see:
            assert (RESULTS / file).is_file(), f"{id}: {file}"
        if verdict(id).judgement in (Judgement.REFUTED, Judgement.SETTLED):
            assert statement.see or verdict(id).as_fields()["certificate"], id


def test_of_four_sets_of_pieces_crea_makerspace_has_fewest_tilings_and_tetromino_most():
    boards = ["crea-makerspace", "jarring-words", "a-puzzle-a-day", "tetromino"]
    totals = []
    for board in boards:
        puzzle = load(board)
        dates = [reveal for reveal in puzzle.reveals() if puzzle.calendar.is_date(reveal)]
        totals.append(sum(SOURCES.find_or_count(puzzle, dates).values()))
    assert totals == sorted(totals)
    assert (
        ", ".join(f"{board} {total:,}" for board, total in zip(boards, totals, strict=True))
        in README
    )


@pytest.mark.long
def test_no_choice_of_faces_solves_every_date_without_turning_a_piece_over():
    puzzle = statements()["10"][1].puzzle
    dates = [("Oct", "6"), ("Jan", "6"), ("Jan", "15")]  # no choice solves all three
    faces = []
    for piece in puzzle.drawn:
        over = replace(piece, shape=reflect(piece.shape))
        faces.append([piece] if over.shape in piece.orientations else [piece, over])
    for drawn in itertools.product(*faces):
        diagram = PuzzleDiagram.build(replace(puzzle, drawn=drawn), dates)
        assert not all(diagram.counts().values())
