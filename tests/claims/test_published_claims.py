"""The published statements: all load, and each that is decided turns with its number."""

from __future__ import annotations

import csv
import functools
import inspect
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tiny import changed

from satcal.cli.claims import render
from satcal.counting.survey import survey
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.evidence.claims.facts import Sources
from satcal.evidence.claims.kinds import KINDS, Bound
from satcal.evidence.claims.reading import load_claims, published
from satcal.evidence.claims.verdicts import Judgement, Statement, Verdict, judge
from satcal.evidence.tables import Tables, results_folder
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal, Tiling
from satcal.puzzle.shapes import reflect
from tools.claim_pictures import main

pytestmark = pytest.mark.xdist_group("published claims")  # so that each is decided once

RESULTS = results_folder()
FILES = [load_claims(path) for path in published()]
STATEMENTS = {statement.id: (file, statement) for file in FILES for statement in file.statements}
README = (RESULTS / "README.md").read_text("utf-8")
REFUTED = {
    "3b": "216 (Jan 25)", "6b": "at most 7", "7a": "66.68 (from 66.680)", "7b": "216 (Jan 25)",
    "18a": "866", "18b": "765", "19": "1,343", "22": "2,562 reveals", "30": "4 symmetries",
    "33": "40,320 orders",
}  # fmt: skip
SETTLED = {
    "8a": "1 set (22 and 24)", "20a": "the fewest is 97", "20b": "the most is 10,374",
    "27": "the fewest is 4", "29": "2,339 up to symmetry", "sh1ura-11": "24,602,294",
    "34": "59,787",
    "32": "892 of 2,562 reveals have fewer than its 287",
    "41": "697,200,268 tried, 2,492,794 of them valid (Dec 25)",
    "42": "3.7 times (4,467,348 placements tried for 16,539,852)",
}  # fmt: skip
UNDECIDED = {"31": "", "38": "", "39": ""}
LISTED = dict(zip(list(Judgement)[1:], (REFUTED, SETTLED, UNDECIDED), strict=True))


class Remembering(Sources):
    """Diagrams asked once for each answer: a statement is evaluated many times."""

    def __init__(self) -> None:
        super().__init__(Tables(RESULTS / "counts"), "diagram", None)
        self._counts: dict[str, dict[Reveal, int]] = {}
        self._tilings: dict[tuple[str, Reveal], list[Tiling]] = {}

    def counted(self, puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        known = self._counts.setdefault(puzzle.digest, {})
        known |= super().counted(puzzle, [reveal for reveal in reveals if reveal not in known])
        return {reveal: known[reveal] for reveal in reveals}

    def tilings(self, puzzle: Puzzle, reveal: Reveal) -> list[Tiling]:
        key = puzzle.digest, reveal
        if key not in self._tilings:
            self._tilings[key] = list(super().tilings(puzzle, reveal))
        return self._tilings[key]


SOURCES = Remembering()


@functools.cache
def verdict(id: str) -> Verdict:
    return judge(*STATEMENTS[id], SOURCES)


def judged(statement: Statement) -> Judgement:
    return judge(FILES[0], replace(statement, hedge=""), SOURCES).judgement


def test_each_statement_has_an_id_of_its_own_and_every_claim_has_a_statement() -> None:
    assert len(STATEMENTS) == sum(len(file.statements) for file in FILES)
    numbers = {int("".join(c for c in id if c.isdigit())) for id in STATEMENTS if id[0].isdigit()}
    assert numbers == set(range(1, 43))


@pytest.mark.parametrize("id", sorted(STATEMENTS))
def test_a_statement_has_its_verdict_and_turns_with_its_number(id: str) -> None:
    found = verdict(id)
    statement, truth = found.statement, found.answer.truth
    listed = [judgement for judgement, ids in LISTED.items() if id in ids]
    assert [found.judgement] == (listed or [Judgement.CONFIRMED])
    if found.judgement is Judgement.CONFIRMED:
        others = changed(statement, truth)
        assert others or 0 in truth.values()  # no number is below "at most 0"
        assert all(judged(other) is Judgement.REFUTED for other in others)
    elif found.judgement is Judgement.UNDECIDED:
        assert found.reason
    else:
        assert found.truth == (REFUTED | SETTLED)[id]
        right = {name: truth[name] for name in truth if name in statement.fields}
        if "bound" in right and isinstance(statement.fields["bound"], Bound):
            right["bound"] = statement.fields["bound"]._replace(number=right["bound"])
        assert judged(replace(statement, fields=statement.fields | right)) is Judgement.CONFIRMED


def test_no_choice_of_faces_solves_every_date_without_turning_a_piece_over() -> None:
    puzzle = STATEMENTS["10"][1].puzzle
    dates = [("Oct", "6"), ("Jan", "6"), ("Jan", "15")]  # none of the 32 choices solves them all
    faces = []
    for piece in puzzle.drawn:
        over = replace(piece, shape=reflect(piece.shape))
        faces.append([piece] if over.shape in piece.orientations else [piece, over])
    for drawn in itertools.product(*faces):
        diagram = PuzzleDiagram.build(replace(puzzle, drawn=drawn), dates)
        assert not all(diagram.counts().values())


def test_what_is_wrong_or_settled_is_shown_by_a_certificate_or_a_file_that_is_there() -> None:
    for id in STATEMENTS:
        found, statement = verdict(id).as_fields(), STATEMENTS[id][1]
        for file in statement.see:
            assert (RESULTS / file).is_file(), f"{id}: {file}"
        if id in REFUTED or id in SETTLED:
            assert statement.certificate or statement.see
        if statement.certificate:  # of the reveal that decides
            name = [statement.puzzle.name, found["example"].replace(" ", "-")]
            assert statement.certificate == ".".join(filter(None, name))


def test_the_description_of_the_format_names_every_kind_and_field() -> None:
    text = (RESULTS / "published" / "README.md").read_text("utf-8")
    for name, kind in KINDS.items():
        fields = set(inspect.signature(kind).parameters) - {"facts", "bound"}
        assert all(f"`{word}`" in text for word in (name, *fields))


def test_the_list_of_verdicts_is_what_satcal_says() -> None:
    verdicts = [verdict(statement.id) for file in FILES for statement in file.statements]
    said = (RESULTS / "claims.md").read_text("utf-8")
    assert said == render(verdicts, "markdown"), "make claims"


def cells(heads: str) -> Iterator[list[str]]:
    """Yield the rows of the table of the findings with these heads."""
    for line in README.partition(heads)[2].partition("\n\n")[0].splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(("heading", "ids"), [("true", REFUTED), ("the fact", SETTLED)])
def test_the_findings_name_each_such_statement_with_the_truth(heading, ids) -> None:
    named = []
    for names, _, fact, by in cells(f"| claim | published | {heading} |"):
        for id in names.split(", "):
            named.append(id)
            number = re.search(r"[0-9][0-9,.]*", verdict(id).truth)
            assert number
            assert number[0] in fact, id
            assert by in (verdict(id).file.source if id != "22" else "a forum")
    assert sorted(named) == sorted(ids)


def test_the_findings_say_how_many_statements_are_right() -> None:
    right = len(STATEMENTS) - sum(map(len, LISTED.values()))
    assert (
        f"Of {len(STATEMENTS)} published statements {right} are right, {len(REFUTED)} are wrong, "
        f"{len(SETTLED)} are settled and {len(UNDECIDED)} cannot be decided."
    ) in " ".join(README.split())
    assert all(f"**{id}.** " in README for id in UNDECIDED)


def test_the_table_of_all_counts_is_that_of_the_counted_tables() -> None:
    for names, *figures in cells("| board | reveals | tilings | fewest | most |"):
        for name in names.split(", "):
            rows = csv.DictReader((RESULTS / "counts" / f"{name}.csv").read_text().splitlines())
            counts = [int(row["tilings"]) for row in rows]
            true = (len(counts), sum(counts), min(counts), max(counts))
            assert figures == [f"{number:,}" for number in true], name


def test_the_drawings_of_what_is_refuted_are_what_satcal_draws(tmp_path: Path) -> None:
    assert main(tmp_path) == 0
    drawn, kept = (
        {path.name: path.read_bytes() for path in folder.iterdir()}
        for folder in (tmp_path, RESULTS / "claims")
    )
    assert drawn == kept, "make claims"


def test_after_each_placement_on_29_the_cell_31_stands_alone_if_22_and_24_are_uncovered() -> None:
    puzzle = load("a-puzzle-a-day")
    found = survey(puzzle)
    cell = {text: region.cells[0] for text, region in puzzle.labels.items()}
    pair = (cell["22"], cell["24"])
    assert (found.counts[pair], found.cut_off(pair)) == (0, frozenset())
    impasse = found.impasse(pair)
    assert impasse is not None
    assert (impasse.cell, impasse.cut_off) == (cell["29"], ((cell["31"],),) * 3)
    assert [placed.piece for placed in impasse.ways] == ["U", "Z", "L"]
    (once,) = found.having(1)  # has a tiling
    assert found.impasse(once) is None
