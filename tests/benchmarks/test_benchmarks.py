"""The benchmarks measure what they say, on puzzles whose counts brute force knows."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks import growing, run, worker
from benchmarks.measure import measure
from benchmarks.peer import Peer, Unsuitable
from benchmarks.peers import PEERS
from benchmarks.suites import Case
from helpers.programs import need
from helpers.puzzles import TINY, Small, truth, write
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle, Reveal

LEAP_DAY = ("Feb", "29")
NO_COPIES = Small(
    (("a", "*", "b"), ("*", "*", "*")),
    {"letter": ("a", "b")},
    (("I2", ("##",), 1, True), ("V", ("##", "#."), 1, True)),
)
LIBRARIES = [name for name, peer in PEERS.items() if peer.count and peer.version()]


def counted(peer: Peer, puzzle: Puzzle, reveal: Reveal | None, folder: Path) -> Any:
    if peer.count is not None:
        return peer.count(puzzle, reveal)
    assert peer.prepare is not None
    assert peer.read is not None
    program = peer.prepare(puzzle, reveal, folder)
    stdin = program.stdin.read_text() if program.stdin else None
    done = subprocess.run(program.command, input=stdin, capture_output=True, text=True, check=False)
    return peer.read(done.stdout)


@pytest.mark.parametrize("name", ["c-rows", "c-diagram"])
def test_the_yardstick_counts_every_reveal_like_brute_force(name, tmp_path):
    need("gcc")
    puzzle = TINY.load()
    assert counted(PEERS[name], puzzle, None, tmp_path) == list(truth(TINY).values())
    assert counted(PEERS[name], puzzle, LEAP_DAY, tmp_path) == [truth(TINY)[LEAP_DAY]]


@pytest.mark.parametrize("name", LIBRARIES)
def test_installed_libraries_count_like_brute_force_or_refuse_copies(name, tmp_path):
    peer, want = PEERS[name], list(truth(TINY).values())
    if "whole" not in peer.suites:  # it is asked for one reveal at a time
        for small, numbers in ((TINY, want), (NO_COPIES, [2, 2])):
            puzzle = small.load()
            asked = [counted(peer, puzzle, reveal, tmp_path) for reveal in puzzle.reveals()]
            assert asked in ([[number] for number in numbers], numbers)
        return
    with contextlib.suppress(Unsuitable):
        assert counted(peer, TINY.load(), None, tmp_path) in (want, sum(want))
    found = counted(peer, NO_COPIES.load(), None, tmp_path)
    assert found in ([2, 2], 4)


def test_a_measurement_is_a_process_with_times_memory_and_an_answer(tmp_path):
    case = Case(str(write(TINY, tmp_path / "tiny.toml")))
    found = measure("satcal-diagram", False, case, 60)
    assert found["status"] == "ok"
    assert found["tilings"] == sum(truth(TINY).values())
    assert found["digest"] == worker.answer(list(truth(TINY).values()))["digest"]
    assert 0 < found["seconds"] < found["wall"]
    assert found["peak"] > 10_000_000
    assert measure("satcal-diagram", False, case, 0.01)["status"] == "late"


def test_a_different_answer_fails_the_run_unless_the_peer_is_known_for_it():
    numbers = {"satcal-diagram": 12, "xcover": 12, "xcover-zdd": 11}
    cells = {
        name: {"status": "ok", "tilings": number, "digest": None}
        for name, number in numbers.items()
    }
    peers = {name: {"exact": name != "xcover-zdd"} for name in cells}
    run.compare(cells, peers)
    found: dict[str, Any] = {"peers": peers, "suites": {"whole": {"rhombus": cells}}}
    assert run.disagreements(found) == []
    peers["xcover-zdd"]["exact"] = True
    assert run.disagreements(found) == ["rhombus: xcover-zdd counts 11"]


def test_a_peer_that_is_named_and_missing_is_an_error(monkeypatch, capsys):
    known = {"peers": {"d4": {"version": None}}, "python": "3", "numpy": "2"}
    monkeypatch.setattr(run, "ask", lambda *_: (None, known))
    assert run.main(["--peer", "d4"]) == 4
    assert run.main(["--peer", "d5"]) == 2
    assert "the peers are d4" in capsys.readouterr().err


@pytest.mark.parametrize("curve", [curve.name for curve in growing.CURVES])
def test_growing_puzzles_are_puzzles(curve):
    for _, step in zip(range(3), growing.steps(curve), strict=False):
        if step.board:
            assert step.reveals
        else:
            puzzle = parse_puzzle(step.text, "rectangle")
            assert puzzle.area == len(puzzle.cells)
