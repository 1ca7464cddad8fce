"""What certificates cost is measured of certificates that were checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from certificates import five

from benchmarks import certificates
from benchmarks.measure import ROOT
from satcal.evidence.certify import CUT_ABOVE

RESULTS = ROOT / "results" / "benchmarks"


def test_a_cut_date_has_more_proofs_of_as_many_tilings(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = certificates.cut(five(), ("a", "1"), 10**9)
    parts = certificates.cut(five(), ("a", "1"), 5)
    assert (whole["tilings"], whole["proofs"]) == ("29", "1")
    assert (parts["tilings"], parts["proofs"]) == ("29", "45")
    assert certificates.cut_table([whole, parts]).count(" none ") == 1


def test_what_is_measured_already_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("certificates.csv", "certificates-cuts.csv"):
        (tmp_path / name).write_bytes((RESULTS / name).read_bytes())
    monkeypatch.delattr(certificates, "cut")
    certificates.cuts(tmp_path)
    certificates.write(tmp_path)
    assert (tmp_path / "certificates.md").read_text() == (RESULTS / "certificates.md").read_text()


def test_the_committed_cuts_try_what_is_the_default() -> None:
    rows = certificates.read(RESULTS / "certificates-cuts.csv")
    assert str(CUT_ABOVE) in {row["cut_above"] for row in rows}
