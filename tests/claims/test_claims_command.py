"""`satcal claims`: verdicts as text, CSV and JSON, and what its exit code says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tiny import TINY, truth

from satcal.cli.main import run
from satcal.counting import executors
from satcal.evidence.claims import examination
from tools.tables import write_table

CLAIMS = """
source = "somebody"
[[statement]]
id = "1"
says = "Jan 1 has four"
kind = "count"
board = "tiny.toml"
reveal = "Jan 1"
tilings = 4
[[statement]]
id = "2"
says = "all pairs have a tiling"
kind = "survey-how-many"
board = "tiny.toml"
at_least = 1
sets = 66
[[statement]]
id = "3"
says = "it is beautiful"
kind = "open"
board = "tiny.toml"
needs = "nobody can count that"
"""
TEXT = """\
+ 1    confirmed: Jan 1 has four
       somebody (small)
- 2    refuted: all pairs have a tiling
       somebody (small)
       claimed 66 sets; true is 42 sets (Jan and Feb, Jan and r0c2, Jan and r0c3, …)
? 3    undecided: it is beautiful
       somebody (small)
       nobody can count that
"""

Claims = Callable[..., tuple[int, str, str]]


@pytest.fixture
def claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Claims:
    """Examine the statements above, with a table of the tiny puzzle, in this process."""
    monkeypatch.setattr(executors, "local_processes", lambda jobs: ThreadPoolExecutor(1))
    monkeypatch.setattr(examination, "results_folder", lambda: tmp_path)
    (tmp_path / "tiny.toml").write_text(TINY.text())
    (tmp_path / "claims.toml").write_text(CLAIMS)

    def call(*arguments: str, **changed: int) -> tuple[int, str, str]:
        counts = truth(TINY) | {tuple(key.split("_")): n for key, n in changed.items()}
        write_table(tmp_path / "counts", "tiny", TINY.load(), counts, "diagram")
        code = run(["claims", str(tmp_path / "claims.toml"), *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_verdicts_as_text_name_source_claim_truth_and_reason(claims: Claims) -> None:
    code, out, err = claims("--recount", "2")
    assert (code, out) == (0, TEXT)
    assert err.endswith(
        "rows counted again by diagram, equal to satcal's tables: 6 of tiny\n"
        "rows counted again by sat, equal to satcal's tables: 2 of tiny\n"
        "3 statements: 1 confirmed, 1 refuted, 1 undecided\n"
    )


def test_a_refuted_claim_is_an_error_only_if_asked_for(claims: Claims) -> None:
    assert claims("--strict")[0] == 1


def test_quiet_says_nothing_beside_the_verdicts(claims: Claims) -> None:
    assert claims("--quiet") == (0, TEXT, "")


def test_csv_json_and_lines_of_json_have_the_same_fields(claims: Claims) -> None:
    rows = list(csv.DictReader(io.StringIO(claims("--format", "csv")[1])))
    assert [row["verdict"] for row in rows] == ["confirmed", "refuted", "undecided"]
    assert json.loads(claims("--format", "json")[1]) == rows
    lines = claims("--format", "ndjson")[1].splitlines()
    assert [json.loads(line) for line in lines] == rows


@pytest.mark.parametrize("method", ["diagram", "sat"])
def test_a_wrong_table_is_a_disagreement(claims: Claims, method: str) -> None:
    code, out, err = claims("--method", method, "--recount", "all", Jan_29=3)
    assert code == 1
    assert out == TEXT
    assert err.endswith(
        f"satcal: error: tiny Jan 29: the table says 3, {method} counts 2\n"
    )  # fmt: skip


def test_a_number_of_rows_that_is_none_is_an_input_error(claims: Claims) -> None:
    code, _, err = claims("--recount", "some")
    assert code == 2
    assert "--recount 'some': use a number of rows, or all" in err
