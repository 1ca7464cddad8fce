"""What runs in a fresh process for each measurement; prints one line of JSON.

``count PEER BOARD REVEAL`` counts in this process, ``prepare PEER BOARD REVEAL FOLDER`` writes
a program's input, ``read PEER FILE`` reads its output, ``versions`` says who is installed.
REVEAL is ``-`` for all reveals.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.peer import Counts, Unsuitable
from benchmarks.peers import PEERS
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal


def answer(counts: Counts) -> dict[str, Any]:
    """Return what answers are compared by: the sum, and a digest of all counts if there are."""
    if isinstance(counts, int):
        return {"tilings": counts, "digest": None}
    text = " ".join(map(str, counts))
    return {"tilings": sum(counts), "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


def read_case(board: str, reveal: str) -> tuple[Puzzle, Reveal | None]:
    """Return a puzzle and the reveal that its text names."""
    puzzle = load(board)
    return puzzle, None if reveal == "-" else puzzle.check_reveal(tuple(reveal.split(",")))


def count(name: str, board: str, reveal: str) -> dict[str, Any]:
    """Count with a library.

    ``seconds`` and ``busy`` (CPU) leave out starting Python and importing modules.
    """
    peer = PEERS[name]
    assert peer.count is not None
    for module in peer.modules:
        importlib.import_module(module)
    puzzle, wanted = read_case(board, reveal)
    started, busy = time.perf_counter(), time.process_time()
    counts = peer.count(puzzle, wanted)
    taken = {"seconds": time.perf_counter() - started, "busy": time.process_time() - busy}
    return {**answer(counts), **taken}


def prepare(name: str, board: str, reveal: str, folder: str) -> dict[str, Any]:
    """Return command and standard input of a program."""
    peer = PEERS[name]
    assert peer.prepare is not None
    program = peer.prepare(*read_case(board, reveal), Path(folder))
    return {"command": program.command, "stdin": program.stdin and str(program.stdin)}


def read(name: str, path: str) -> dict[str, Any]:
    """Return the answer in a program's output."""
    peer = PEERS[name]
    assert peer.read is not None
    return answer(peer.read(Path(path).read_text()))


def versions() -> dict[str, Any]:
    """Return what is known of all peers, and Python's and numpy's version."""
    import numpy

    peers = {
        peer.name: {
            "what": peer.what,
            "version": peer.version(),
            "program": peer.prepare is not None,
            "suites": peer.suites,
            "exact": peer.exact,
        }
        for peer in PEERS.values()
    }
    return {"peers": peers, "python": platform.python_version(), "numpy": numpy.__version__}


COMMANDS = {"count": count, "prepare": prepare, "read": read, "versions": versions}

if __name__ == "__main__":
    try:
        found = COMMANDS[sys.argv[1]](*sys.argv[2:])
    except Unsuitable as reason:
        found = {"unsuitable": str(reason)}
    print("\n" + json.dumps(found))  # d4 writes to the standard output, too
