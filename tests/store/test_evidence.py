"""Checked certificates are kept by the digest of their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from certificates import FIVE, five, made
from sqlalchemy import update
from stored import SAT

from satcal.store import schema
from satcal.store.checking import check
from satcal.store.evidence import evidence, record_evidence
from satcal.store.results import Store

PROVED = {("a", "1"): 29}


def test_evidence_is_kept_once_for_each_file_and_checker(store: Store) -> None:
    for by in ("cdclkit 1", "cdclkit 1", "drat-trim"):
        record_evidence(store, five(), PROVED, b"bytes", by)
    rows, broken = evidence(store)
    for row, by in zip(rows, ("cdclkit 1", "drat-trim"), strict=True):
        assert row[2:7] == ("five", "1 a", 29, 5, by)
    assert (broken, check(store).evidence, check(store).sound) == (0, 2, True)
    store.record(five().digest, "five", "", SAT, {"1 a": 28})
    assert check(store).contradictions == [
        f"five 1 a: 29 by certificate, 29 by certificate, 28 by {SAT}"
    ]


@pytest.mark.parametrize("damage", [{"tilings": "30"}, {"seal": "x"}, {"checked_by": "nobody"}])
def test_damaged_evidence_is_not_believed(store: Store, damage: dict[str, Any]) -> None:
    record_evidence(store, five(), PROVED, b"bytes", "cdclkit 1")
    with store.writing() as connection:
        connection.execute(update(schema.evidence).values(**damage))
    assert evidence(store) == ([], 1)
    assert check(store).damage == ["1 rows of evidence with a broken seal"]


def test_certify_and_check_note_what_was_accepted(
    satcal: Callable[..., Any], tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SATCAL_STORE", str(file))
    Path("five.toml").write_text(FIVE)
    satcal("certify", "-b", "five.toml", "--reveal", "a,1", "-o", "x.satcert")
    Path("y.satcert").write_bytes(made("a3"))
    satcal("check", "y.satcert", "--store", str(file))
    said = satcal("store", "evidence")
    assert [line.split("  ")[:3] for line in said.out.splitlines()] == [
        ["five", "1 a", "29"], ["five", "3 a", "5"],
    ]  # fmt: skip
    assert "evidence: 2 checked certificates" in satcal("store", "info").out
    assert satcal("store", "check").code == 0


def test_a_store_that_cannot_be_written_costs_no_certificate(
    satcal: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("five.toml").write_text(FIVE)
    Path("store").write_text("no database at all, and long enough to be looked at\n" * 99)
    call = ("certify", "-b", "five.toml", "--reveal", "a,3", "-o", "x.satcert", "--store", "store")
    said = satcal(*call)
    assert said.code == 2
    assert "the certificate is written, but not noted: store" in said.err
    assert Path("x.satcert").exists()
