"""The benchmarks measure what they say, on puzzles whose counts brute force knows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import growth, peers, run
from benchmarks.measure import measure
from helpers.programs import need
from oracle import TINY, truth, write
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle, Reveal

LEAP_DAY = ("Feb", "29")
DOMINOES = growth.rectangle(4, 4, {"I2": ("##", 8)})


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


def test_a_peer_that_does_not_know_copies_refuses_them(tmp_path):
    with pytest.raises(peers.Unsuitable):
        peers.PEERS["xcover"].count(TINY.load(), None)
    with pytest.raises(peers.Unsuitable):
        counted("c-dominoes", TINY.load(), None, tmp_path)


@pytest.mark.parametrize("name", growth.PEERS)
def test_peers_of_growing_boards_count_dominoes(name, tmp_path):
    assert counted(name, parse_puzzle(DOMINOES, "rectangle"), None, tmp_path) in (36, [36])


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
    answers = {"satcal-diagram": [5, 7], "c-rows": [5, 7], "xcover": [6, 6]}
    cells = {
        name: {"status": "ok", "tilings": sum(counts), "counts": counts}
        for name, counts in answers.items()
    }
    cells["c-diagram"] = {"status": "failed", "why": "killed"}
    assert run.disagreements({"rhombus": cells}) == [
        "rhombus: xcover counts 12",
        "rhombus: c-diagram failed: killed",
    ]
