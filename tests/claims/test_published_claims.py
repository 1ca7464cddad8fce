"""The published statements: all load, and each that the tables decide turns with its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tiny import changed

from satcal.errors import BudgetExhausted
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
from satcal.evidence.claims.kinds import KINDS, OPEN
from satcal.evidence.claims.sources import TablesFirst
from satcal.evidence.folder import results_folder
from satcal.evidence.tables import Tables
from satcal.puzzle.model import Puzzle, Reveal, Tiling

FILES = [load_claims(path) for path in published()]
STATEMENTS = {statement.id: (file, statement) for file in FILES for statement in file.statements}


def no_method(puzzle: Puzzle, *_: object) -> dict[Reveal, int]:
    raise BudgetExhausted(f"{puzzle.name} has no table")


def no_tilings(puzzle: Puzzle, reveal: Reveal) -> Iterator[Tiling]:
    raise BudgetExhausted(f"{puzzle.name} is not enumerated here")


@pytest.fixture(scope="module")
def tables() -> Sources:
    """The tables alone: what they do not hold stays undecided."""
    first = TablesFirst(Tables(results_folder() / "counts"))
    return Sources(lambda puzzle, reveals: first.counts(puzzle, reveals, no_method), no_tilings)


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
    id: str, tables: Sources
) -> None:
    found = verdict(id, tables)
    statement = found.statement
    if found.judgement is Judgement.UNDECIDED:
        assert found.reason
        return
    assert found.finding
    if found.judgement is Judgement.REFUTED:
        assert set(found.finding.truth) <= set(statement.fields)
        assert evaluate(_with(statement, found), tables).holds
        return
    others = changed(statement, found.finding.truth)
    assert others or 0 in found.finding.truth.values()  # no number is below "at most 0"
    for other in others:
        assert not evaluate(other, tables).holds


def _with(statement: Statement, found: Verdict) -> Statement:
    assert found.finding
    return replace(statement, fields={**statement.fields, **found.finding.truth})


REFUTED = {
    "3b": ("216 (Jan 25)", "Jan 25"),
    "6b": ("at most 7", "Oct 6"),
    "7a": ("66.68 (from 66.680)", ""),
    "7b": ("216 (Jan 25)", "Jan 25"),
    "22a": ("2,604 reveals", ""),
    "22b": ("2,562 reveals", ""),
    "30": ("4 symmetries", ""),
    "33": ("40,320 orders", ""),
}
CONFIRMED = (
    "1a", "1b", "1c", "1d", "1e", "2a", "2b", "2c", "3a", "3c", "3d", "3e", "4a", "4b", "4c",
    "5a", "6a", "9a", "9b", "9c", "11a", "11b", "11c", "11d", "11e", "11f", "12a", "12b", "13",
    "14a", "14b", "16c", "23a", "23b", "24a", "24b", "24c", "25", "sh1ura-9a", "sh1ura-9b",
)  # fmt: skip


@pytest.mark.parametrize("id", REFUTED)
def test_a_wrong_statement_is_refuted_with_the_truth_and_an_example(
    id: str, tables: Sources
) -> None:
    found = verdict(id, tables)
    assert found.judgement is Judgement.REFUTED
    assert (found.truth, found.example) == REFUTED[id]


def test_the_right_statements_are_confirmed(tables: Sources) -> None:
    wrong = [id for id in CONFIRMED if verdict(id, tables).judgement is not Judgement.CONFIRMED]
    assert wrong == []


def test_statements_that_need_what_satcal_does_not_have_are_undecided(tables: Sources) -> None:
    open_ids = {id for id, (_, statement) in STATEMENTS.items() if statement.kind == OPEN}
    assert open_ids == {"5b", "8a", "8b", "31"}
    for id in open_ids:
        assert verdict(id, tables).judgement is Judgement.UNDECIDED


def test_a_file_is_a_claim_file_of_its_source() -> None:
    file = next(file for file in FILES if file.where == "kuniga.me")
    assert isinstance(file, ClaimFile)
    assert (file.source, file.year) == ("A Puzzling Calendar", 2022)


def test_the_description_of_the_format_names_every_kind_and_field() -> None:
    text = (results_folder() / "published" / "README.md").read_text("utf-8")
    for name, kind in KINDS.items():
        assert all(f"`{word}`" in text for word in (name, *kind.claimed, *kind.about))
