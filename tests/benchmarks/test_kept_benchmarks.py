"""The kept pages are what their figures make, and enumerators are compared fairly."""

from __future__ import annotations

import csv
import json

import pytest

from benchmarks import certificates, enumeration, growth, run
from benchmarks.measure import RESULTS, ROOT, Ended
from helpers.programs import need
from satcal.puzzle.loading import load
from satcal.puzzle.placements import cover_of

RIVALS = [(kind, rival) for kind, rivals in enumeration.RIVALS.items() for rival in rivals]


def test_the_kept_pages_are_what_their_figures_make(tmp_path):
    peers, growing = (json.loads((RESULTS / f"{n}.json").read_text()) for n in ("peers", "growth"))
    run.write(peers, tmp_path)
    rows = list(csv.DictReader((RESULTS / "certificates.csv").read_text().splitlines()))
    certificates.write(rows, tmp_path)
    proofs = list(csv.DictReader((RESULTS / "proofs.csv").read_text().splitlines()))
    certificates.write(certificates.kept_proofs(RESULTS, proofs), tmp_path)
    for name in ("peers.json", "peers.md", "certificates.csv", "proofs.csv"):
        assert (tmp_path / name).read_text() == (RESULTS / name).read_text(), name
    assert growth.markdown(growing) == (RESULTS / "growth.md").read_text()


@pytest.mark.needs("clasp")
@pytest.mark.parametrize(("kind", "rival"), RIVALS)
def test_every_rival_finds_the_same_number(kind, rival):
    if "CP-SAT" in rival:
        pytest.importorskip("ortools")
    if "CryptoMiniSat" in rival:
        pytest.importorskip("pycryptosat")
    if rival in ("first cell in C", "bit sets in C"):
        need("gcc")
    puzzle = load(str(ROOT / "encodings" / "puzzles" / "letter-and-digit.toml"))
    assert enumeration.RIVALS[kind][rival](cover_of(puzzle, ("A", "1"))) == 4


def test_a_wrong_count_ends_the_run_and_a_late_one_is_infinite(
    monkeypatch,
):
    (date, tilings), *_ = enumeration.DATES.items()
    for code, output, figure in ((0, f"[{tilings}, 2.5]", 2.5), (None, "", float("inf"))):
        ended = Ended(code, 1, 1, 1, output, "")
        monkeypatch.setattr(enumeration, "run", lambda *_, ended=ended: ended)
        found = enumeration.measure([date], 1, 9)
        assert {s for cells in found[date].values() for (s,) in cells.values()} == {figure}
    wrong = Ended(0, 1, 1, 1, f"[{tilings + 1}, 2.5]", "")
    monkeypatch.setattr(enumeration, "run", lambda *_: wrong)
    with pytest.raises(SystemExit, match="DIFFERENT"):
        enumeration.measure([date], 1, 9)


def test_the_page_of_enumerators_names_every_rival():
    page = (RESULTS / "enumeration.md").read_text()
    assert all(f"| {rival} | " in page for _, rival in RIVALS)
