"""The published statements: all load, and each that is decided turns with its number."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tiny import changed

from satcal.cli.claims import render
from satcal.counting.survey import Survey
from satcal.evidence.claims import (
    ClaimFile,
    Judgement,
    Sources,
    Statement,
    Verdict,
    evaluate,
    judge,
    load_claims,
    published,
)
from satcal.evidence.claims.kinds import KINDS
from satcal.evidence.claims.sources import UNBOUNDED, ByMethod, TablesFirst
from satcal.evidence.tables import Tables, results_folder
from satcal.puzzle.model import Puzzle, Reveal, Tiling

pytestmark = pytest.mark.xdist_group("published claims")  # so that each is decided once

FILES = [load_claims(path) for path in published()]
STATEMENTS = {statement.id: (file, statement) for file in FILES for statement in file.statements}


class Remembering:
    """Tables first, diagrams otherwise, each asked once: a statement is evaluated many times."""

    def __init__(self) -> None:
        self._tables = TablesFirst(Tables(results_folder() / "counts"))
        self._method = ByMethod("diagram", UNBOUNDED)
        self._counts: dict[tuple[str, Reveal], int] = {}
        self._tilings: dict[tuple[str, Reveal], list[Tiling]] = {}
        self._surveys: dict[str, Survey] = {}

    def counts(self, puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        missing = [r for r in reveals if (puzzle.digest, r) not in self._counts]
        if missing:
            found = self._tables.counts(puzzle, missing, self._method.counts)
            self._counts |= {(puzzle.digest, r): found[r] for r in missing}
        return {r: self._counts[puzzle.digest, r] for r in reveals}

    def tilings(self, puzzle: Puzzle, reveal: Reveal) -> list[Tiling]:
        key = puzzle.digest, reveal
        if key not in self._tilings:
            self._tilings[key] = list(self._method.tilings(puzzle, reveal))
        return self._tilings[key]

    def survey(self, puzzle: Puzzle) -> Survey:
        if puzzle.digest not in self._surveys:
            self._surveys[puzzle.digest] = self._method.survey(puzzle)
        return self._surveys[puzzle.digest]


@pytest.fixture(scope="module")
def sources() -> Sources:
    """What decides the published statements, as `satcal claims` has it."""
    asked = Remembering()
    return Sources(asked.counts, asked.tilings, asked.survey)


@functools.cache
def verdict(id: str, sources: Sources) -> Verdict:
    return judge(*STATEMENTS[id], sources)


def test_each_statement_has_an_id_of_its_own_and_every_claim_has_a_statement() -> None:
    assert len(STATEMENTS) == sum(len(file.statements) for file in FILES)
    numbers = {int("".join(c for c in id if c.isdigit())) for id in STATEMENTS if id[0].isdigit()}
    assert numbers == set(range(1, 34))


def test_each_file_has_a_source_and_each_statement_says_what_it_claims() -> None:
    for file in FILES:
        assert file.source
        assert all(statement.says for statement in file.statements)


@pytest.mark.parametrize("id", sorted(STATEMENTS))
def test_a_decided_statement_turns_when_its_number_is_changed_or_the_truth_put_in(
    id: str, sources: Sources
) -> None:
    found = verdict(id, sources)
    statement = found.statement
    if found.judgement is Judgement.UNDECIDED:
        assert found.reason
        return
    assert found.finding
    if found.judgement is Judgement.REFUTED:
        assert set(found.finding.truth) <= set(statement.fields)
        assert evaluate(_with(statement, found), sources).holds
        return
    others = changed(statement, found.finding.truth)
    assert others or 0 in found.finding.truth.values()  # no number is below "at most 0"
    for other in others:
        assert not evaluate(other, sources).holds


def _with(statement: Statement, found: Verdict) -> Statement:
    assert found.finding
    return replace(statement, fields={**statement.fields, **found.finding.truth})


REFUTED = {
    "3b": ("216 (Jan 25)", "Jan 25"),
    "6b": ("at most 7", "Oct 6"),
    "7a": ("66.68 (from 66.680)", ""),
    "7b": ("216 (Jan 25)", "Jan 25"),
    "8a": ("1 set (22 and 24)", ""),
    "18a": ("866", "Mon Aug 17"),
    "18b": ("765", "Fri Dec 25"),
    "19": ("1,343", "Sat Jun 26"),
    "20a": ("at least 97", "Mon Apr 6"),
    "20b": ("at most 10,374", "Tue Jun 7"),
    "22a": ("2,604 reveals", ""),
    "22b": ("2,562 reveals", ""),
    "27": ("at most 4", "Thu Sep 6"),
    "29": ("2,339 up to symmetry", ""),
    "30": ("4 symmetries", ""),
    "32": ("892 of 2,562 reveals have fewer than its 287", "Fri Feb 29"),
    "33": ("40,320 orders", ""),
    "sh1ura-11": ("24,602,294", ""),
}
UNDECIDED = {
    "21": "the source does not say which face is up. As drawn the truth is 1, with every piece "
    "turned over 0; it holds for 6 of the 64 choices of faces: turned over are none; or L; or "
    "L4, S4, N, Z; or L4, L, S4; or L4, L, S4, Z; or L4, L, S4, N",
    "31": "a time on a machine that is not named cannot be confirmed, and one tiling per date is "
    "no count of them",
}


@pytest.mark.parametrize("id", REFUTED)
def test_a_wrong_statement_is_refuted_with_the_truth_and_an_example(
    id: str, sources: Sources
) -> None:
    found = verdict(id, sources)
    assert found.judgement is Judgement.REFUTED
    assert (found.truth, found.example) == REFUTED[id]


@pytest.mark.parametrize("id", UNDECIDED)
def test_a_statement_that_nothing_here_decides_says_why(id: str, sources: Sources) -> None:
    found = verdict(id, sources)
    assert (found.judgement, found.reason) == (Judgement.UNDECIDED, UNDECIDED[id])


@pytest.mark.parametrize("id", sorted(set(STATEMENTS) - set(REFUTED) - set(UNDECIDED)))
def test_all_other_statements_are_confirmed(id: str, sources: Sources) -> None:
    assert verdict(id, sources).judgement is Judgement.CONFIRMED


def test_a_file_is_a_claim_file_of_its_source() -> None:
    file = next(file for file in FILES if file.where == "kuniga.me")
    assert isinstance(file, ClaimFile)
    assert (file.source, file.year) == ("A Puzzling Calendar", 2022)


def test_the_description_of_the_format_names_every_kind_and_field() -> None:
    text = (results_folder() / "published" / "README.md").read_text("utf-8")
    for name, kind in KINDS.items():
        assert all(f"`{word}`" in text for word in (name, *kind.claimed, *kind.about))


RESULTS = results_folder()


def test_what_refutes_a_statement_is_a_certificate_or_a_file_that_is_there(
    sources: Sources,
) -> None:
    for id in STATEMENTS:
        found = verdict(id, sources)
        for file in found.statement.see:
            assert (RESULTS / file).is_file(), f"{id}: {file}"
        if found.judgement is Judgement.REFUTED:
            assert found.certificate or found.statement.see
        if found.statement.certificate:
            assert found.judgement is Judgement.REFUTED


def test_the_certificate_of_a_refuted_statement_is_of_the_reveal_that_decides(
    sources: Sources,
) -> None:
    for id in REFUTED:
        found = verdict(id, sources)
        if found.statement.certificate:
            name = [found.statement.puzzle.name, found.example.replace(" ", "-")]
            assert found.statement.certificate == ".".join(filter(None, name))


def test_the_list_of_verdicts_is_what_satcal_says(sources: Sources) -> None:
    verdicts = [verdict(statement.id, sources) for file in FILES for statement in file.statements]
    said = (RESULTS / "claims.md").read_text("utf-8")
    assert said == render(verdicts, "markdown"), "make claims"


def test_the_findings_name_each_wrong_statement_with_the_truth(sources: Sources) -> None:
    text = (RESULTS / "README.md").read_text("utf-8")
    table = text.partition("| claim | published |")[2].partition("\n\n")[0]
    rows = {}
    for line in table.splitlines()[2:]:
        ids, published, true, by = (cell.strip() for cell in line.strip("|").split("|"))
        rows |= dict.fromkeys(ids.split(", "), (published, true, by))
    assert rows.keys() == REFUTED.keys()
    for id, (_, true, by) in rows.items():
        found = verdict(id, sources)
        number = re.search(r"[0-9][0-9,.]*", found.truth)
        assert number
        assert number[0] in true, id
        if id.startswith("22"):
            assert by == "a forum"
        else:
            assert by in found.file.source


def test_the_findings_say_how_many_statements_are_right_and_what_is_undecided(
    sources: Sources,
) -> None:
    text = " ".join((RESULTS / "README.md").read_text("utf-8").split())
    right = len(STATEMENTS) - len(REFUTED) - len(UNDECIDED)
    assert (
        f"Of {len(STATEMENTS)} published statements {right} are right, {len(REFUTED)} are wrong, "
        f"and {len(UNDECIDED)} cannot be decided."
    ) in text
    for id in UNDECIDED:
        assert f"**{id}.** " in text


def test_the_table_of_all_counts_is_that_of_the_counted_tables() -> None:
    text = (RESULTS / "README.md").read_text("utf-8")
    table = text.partition("| board | reveals | tilings | fewest | most |\n")[2].partition("\n\n")[
        0
    ]
    for line in table.splitlines()[1:]:
        names, *figures = (cell.strip() for cell in line.strip("|").split("|"))
        for name in names.split(", "):
            rows = (RESULTS / "counts" / f"{name}.csv").read_text().splitlines()
            column = rows[0].split(",").index("tilings")
            counts = [int(row.split(",")[column]) for row in rows[1:]]
            true = (len(counts), sum(counts), min(counts), max(counts))
            assert figures == [f"{number:,}" for number in true], name
