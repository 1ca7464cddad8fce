"""Workers of this machine: they end with whoever made them, and their errors come home."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from satcal.errors import BudgetExhausted, Stopped
from satcal.processes import LocalProcesses, apart


def blocked(process: int) -> int:
    """Return the set of signals that a process does not hear."""
    with open(f"/proc/{process}/status") as status:
        (line,) = (line for line in status if line.startswith("SigBlk:"))
    return int(line.split()[1], 16)


def test_workers_leave_ctrl_c_to_their_parent_and_need_no_semaphores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a usable /dev/shm there are none."""
    import _multiprocessing

    monkeypatch.delattr(_multiprocessing, "SemLock")
    with LocalProcesses(2) as executor:
        assert list(executor.map(abs, [-1, 2, -3])) == [1, 2, 3]
        for pid in executor.pids():
            assert blocked(pid) & 1 << (signal.SIGINT - 1)
    assert not blocked(os.getpid()) & 1 << (signal.SIGINT - 1)


def squares(most: int) -> Iterator[int]:
    for number in range(most):
        yield number * number


def stuck_after_three() -> Iterator[int]:
    yield from squares(3)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    while True:
        time.sleep(1)


def dying() -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_generator_in_a_process_of_its_own_yields_the_same_and_ends_with_its_reader() -> None:
    assert list(apart(squares, 1000)) == list(squares(1000))
    endless = apart(squares, 10**9)
    assert next(endless) == 0
    endless.close()
    assert not active_children()


def test_what_a_generator_raises_in_a_process_of_its_own_comes_home() -> None:
    found = apart(stuck_after_three, deadline=time.monotonic() + 0.5)
    with pytest.raises(BudgetExhausted, match="after 3 tilings") as caught:
        list(found)
    assert caught.value.found == 3
    with pytest.raises(TypeError):
        list(apart(squares, "x"))
    with pytest.raises(Stopped, match="its worker process died"):
        list(apart(dying))
    assert not active_children()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux caps the address space")
def test_the_limit_of_a_process_bounds_the_memory_to_use() -> None:
    asked = "import resource; from satcal.processes import memory_to_use\n"
    asked += "resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))\n"
    asked += "print(memory_to_use())"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert 100_000_000 < int(said.stdout) < 300_000_000
