"""The benchmarks measure what they say, on puzzles whose counts brute force knows."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks import certificates, enumeration, growth, peers, run
from benchmarks.measure import RESULTS, ROOT, Ended, measure
from docs.pages import rows
from helpers.programs import need
from oracle import TINY, truth, write
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import cover_of

LEAP_DAY = ("Feb", "29")
DOMINOES = parse_puzzle(growth.rectangle(4, 4, {"I2": ("##", 8)}), "rectangle")
RIVALS = [(kind, rival) for kind, rivals in enumeration.RIVALS.items() for rival in rivals]
MODULES = {"CP-SAT": "ortools", "CryptoMiniSat": "pycryptosat"}


def counted(name: str, puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> peers.Counts:
    """Return what a peer counts in this process, or its program."""
    peer = peers.PEERS[name]
    for module in peer.modules:
        pytest.importorskip(module)
    if peer.count is not None:
        return peer.count(puzzle, reveal)
    need("gcc")
    assert peer.prepare is not None
    program = peer.prepare(puzzle, reveal, folder)
    text = Path(program.stdin).read_text()
    done = subprocess.run(program.command, input=text, capture_output=True, text=True, check=True)
    return [int(number, program.base) for number in done.stdout.split()]


@pytest.mark.parametrize("name", ["satcal-diagram", "c-rows", "c-diagram"])
def test_a_peer_that_knows_copies_counts_every_reveal_like_brute_force(name, tmp_path):
    puzzle = TINY.load()
    assert counted(name, puzzle, None, tmp_path) == list(truth(TINY).values())
    assert counted(name, puzzle, LEAP_DAY, tmp_path) == [truth(TINY)[LEAP_DAY]]


def test_a_peer_that_does_not_know_copies_refuses_them():
    with pytest.raises(peers.Unsuitable):
        peers.PEERS["xcover"].count(TINY.load(), None)


@pytest.mark.parametrize("name", growth.PEERS)
def test_peers_of_growing_boards_count_dominoes(name, tmp_path):
    assert counted(name, DOMINOES, None, tmp_path) in (36, [36])


def test_a_measurement_is_a_process_with_times_memory_and_an_answer(tmp_path):
    board = str(write(TINY, tmp_path / "tiny.toml"))
    found = measure("satcal-diagram", board, "-", 60)
    assert found["status"] == "ok"
    assert found["counts"] == list(truth(TINY).values())
    assert 0 < found["seconds"] < found["wall"]
    assert found["peak"] > 10_000_000
    assert measure("satcal-diagram", board, "-", 0.01)["status"] == "late"
    assert measure("c-dominoes", board, "-", 60)["status"] == "unsuitable"
    assert measure("satcal-diagram", "no-board", "-", 60)["status"] == "failed"


def test_a_different_answer_and_a_failure_are_named():
    right, wrong = ({"status": "ok", "tilings": 12, "counts": each} for each in ([5, 7], [6, 6]))
    failed = {"status": "failed", "why": "killed"}
    cells = {"satcal-diagram": right, "c-rows": right, "xcover": wrong, "c-diagram": failed}
    assert run.disagreements({"rhombus": cells}) == [
        "rhombus: xcover counts 12",
        "rhombus: c-diagram failed: killed",
    ]


def test_the_kept_pages_are_what_their_figures_make(tmp_path):
    kept = {path.name: path.read_text() for path in RESULTS.iterdir()}
    run.write(json.loads(kept["peers.json"]), tmp_path)
    certificates.write(rows("benchmarks/certificates.csv"), tmp_path)
    proofs = rows("benchmarks/proofs.csv")
    certificates.write(certificates.kept_proofs(RESULTS, proofs), tmp_path)
    for name in ("peers.json", "peers.md", "certificates.csv", "proofs.csv"):
        assert (tmp_path / name).read_text() == kept[name], name
    assert growth.markdown(json.loads(kept["growth.json"])) == kept["growth.md"]


@pytest.mark.needs("clasp", "gcc")
@pytest.mark.parametrize(("kind", "rival"), RIVALS)
def test_every_rival_finds_the_same_number(kind, rival):
    for word, module in MODULES.items():
        if word in rival:
            pytest.importorskip(module)
    puzzle = load(str(ROOT / "encodings" / "puzzles" / "letter-and-digit.toml"))
    assert enumeration.RIVALS[kind][rival](cover_of(puzzle, ("A", "1"))) == 4
    assert f"| {rival} | " in (RESULTS / "enumeration.md").read_text()


def test_a_wrong_count_ends_the_run_and_a_late_one_is_infinite(monkeypatch):
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
