"""The published statements: satcal judges them as the pages of results/ say."""

import csv
import functools
import itertools
import re
import runpy
from collections.abc import Iterator
from dataclasses import replace

import pytest

from satcal.diagram.puzzle import PuzzleDiagram
from satcal.published.evaluating import Lookup
from satcal.published.reading import claim_files, load_claims
from satcal.published.shipped import results_folder
from satcal.published.statements import Statement
from satcal.published.verdicts import Judgement, Verdict, judge
from satcal.puzzle.loading import load
from satcal.puzzle.shapes import reflect

RESULTS = results_folder()
SOURCES = Lookup()
README = (RESULTS / "README.md").read_text("utf-8")
IN_PYTHON = (RESULTS / "in-python.md").read_text("utf-8")


@functools.cache
def statements() -> dict[str, Statement]:
    """Return all statements by their names."""
    return {statement.id: statement for statement in load_claims(claim_files())}


@functools.cache
def verdict(id: str) -> Verdict:
    return judge(statements()[id], SOURCES)


def words(id: str) -> tuple[str, str]:
    """Return the truth and the source of a statement."""
    return verdict(id).truth_in_words, verdict(id).statement.source


def with_verdict(judgement: Judgement) -> list[str]:
    """Return the statements that are judged so."""
    judged = [id for id in statements() if verdict(id).judgement is judgement]
    return sorted(judged + [row[0] for row in in_python() if row[3] == judgement.value])


def cells(page: str, heads: str) -> Iterator[list[str]]:
    """Yield the rows of the table of a page with these heads."""
    for line in page.partition(heads)[2].partition("\n\n")[0].splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def in_python() -> list[list[str]]:
    """Return claim, published, true, verdict and source of what Python decides."""
    return list(cells(IN_PYTHON, "| claim | published | true | verdict | by |"))


@pytest.mark.parametrize("kind", ["QUICK", pytest.param("SLOW", marks=pytest.mark.long)])
def test_what_python_decides_is_as_its_page_says(kind):
    script = runpy.run_path(str(RESULTS / "in_python.py"))
    true = {id: found for count_some in script[kind] for id, found in count_some().items()}
    rows = {row[0]: row for row in in_python() if (row[0] in ("37b", "37c")) is (kind == "SLOW")}
    assert rows.keys() == true.keys()
    for id, (_, published, number, judgement, _) in rows.items():
        found = true[id]
        assert number == (f"{found:,}" if isinstance(found, int) else " ".join(map(str, found)))
        is_published = re.search(rf"(?<![\d,]){number}(?![\d,])", published) is not None
        assert is_published is (judgement == "confirmed"), id


@pytest.mark.parametrize(
    ("heading", "judgement"), [("true", Judgement.REFUTED), ("the fact", Judgement.SETTLED)]
)
def test_the_findings_name_each_such_statement_with_the_truth(heading, judgement):
    named, others = [], {row[0]: (row[2], row[4]) for row in in_python()}
    for names, _, fact, by in cells(README, f"| claim | published | {heading} |"):
        for id in names.split(", "):
            named.append(id)
            truth, source = others[id] if id in others else words(id)
            number = re.search(r"[0-9][0-9,.]*", truth)
            assert number
            assert number[0] in fact, id
            assert by in (source if id != "22" else "a forum")
    assert sorted(named) == with_verdict(judgement)


def test_the_findings_say_how_many_are_right_and_which_cannot_be_decided():
    right, wrong, settled, undecided = (len(with_verdict(each)) for each in Judgement)
    assert (
        f"Of {len(statements()) + len(in_python())} published statements "
        f"{right} are right, {wrong} are wrong, "
        f"{settled} are settled and {undecided} cannot be decided."
    ) in " ".join(README.split())
    assert len(claim_files()) == int(re.findall(r"statements of (\d+) sources", README)[0])
    assert len(in_python()) == int(re.findall(r"decides (\d+) more", README)[0])
    assert re.findall(r"\*\*(\d+)\.\*\* ", README) == with_verdict(Judgement.UNDECIDED)
    assert all(verdict(id).reason for id in with_verdict(Judgement.UNDECIDED))


def test_the_table_of_all_counts_is_that_of_the_counted_tables():
    for names, *figures in cells(README, "| board | reveals | tilings | fewest | most |"):
        for name in names.split(", "):
            rows = csv.DictReader((RESULTS / "counts" / f"{name}.csv").read_text().splitlines())
            counts = [int(row["tilings"]) for row in rows]
            true = (len(counts), sum(counts), min(counts), max(counts))
            assert figures == [f"{number:,}" for number in true], name


def test_what_is_not_right_is_shown_by_a_certificate_or_a_file_that_is_there():
    for id, statement in statements().items():
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
        counts = SOURCES.find_or_count(puzzle, dates)
        totals.append(sum(counts[reveal] for reveal in dates))
    assert totals == sorted(totals)
    assert (
        ", ".join(f"{board} {total:,}" for board, total in zip(boards, totals, strict=True))
        in README
    )


@pytest.mark.long
def test_no_choice_of_faces_solves_every_date_without_turning_a_piece_over():
    puzzle = statements()["10"].puzzle
    dates = [("Oct", "6"), ("Jan", "6"), ("Jan", "15")]  # no choice solves all three
    faces = []
    for piece in puzzle.drawn:
        over = replace(piece, shape=reflect(piece.shape))
        faces.append([piece] if over.shape in piece.orientations else [piece, over])
    for drawn in itertools.product(*faces):
        diagram = PuzzleDiagram.build(replace(puzzle, drawn=drawn), dates)
        assert not all(diagram.counts().values())


@pytest.mark.long
def test_the_large_statements_are_judged_as_the_page_says():
    large = load_claims(sorted((RESULTS / "published/large").glob("*.toml")))
    judged = {statement.id: judge(statement, SOURCES).judgement for statement in large}
    others = {id for id, judgement in judged.items() if judgement is not Judgement.CONFIRMED}
    number, right = len(judged), len(judged) - len(others)
    assert f"judges {number} more: {right} are right" in README
    assert all(id in README for id in others)
    assert sum(judged[id] is Judgement.SETTLED for id in others) == 1
