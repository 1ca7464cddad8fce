"""Children with limits: of memory, of time, and of their parent's life."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from external import gone
from stored import unprivileged

from satcal.errors import BudgetExhausted, Stopped
from satcal.processes import bounded, limited

MEMORY, SOON = 700 * 10**6, 30.0


def ran(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_a_program_whose_parent_has_gone_before_it_starts_does_not_start() -> None:
    command = limited(["echo", "here"])
    assert ran(command) == "here\n"
    assert ran(["1" if each == str(os.getpid()) else each for each in command]) == ""


@pytest.mark.parametrize(("allowed", "expected"), [(2 * 10**9, 2 * 10**9), (-1, 3 * 10**9)])
def test_a_process_takes_no_more_memory_than_its_user_may(allowed: int, expected: int) -> None:
    begin = (
        f"import resource as r; r.setrlimit(r.RLIMIT_AS, ({allowed}, {allowed}))\n"
        "from satcal.limited import bound; bound(r.RLIMIT_AS, 3 * 10**9)\n"
        "print(r.getrlimit(r.RLIMIT_AS))"
    )
    as_user, _ = unprivileged()
    assert ran([*as_user, sys.executable, "-c", begin]) == f"({expected}, {expected})\n"


def test_a_function_answers_from_a_child_or_raises_there() -> None:
    assert bounded(len, bytes(10**6), memory=MEMORY, seconds=SOON) == 10**6
    with pytest.raises(ZeroDivisionError):
        bounded(divmod, 1, 0, memory=MEMORY, seconds=SOON)


def test_a_function_has_so_much_memory_and_so_much_time() -> None:
    with pytest.raises(MemoryError):
        bounded(bytearray, 10**9, memory=MEMORY, seconds=SOON)
    with pytest.raises(BudgetExhausted, match="stopped by the time limit"):
        bounded(time.sleep, SOON, memory=MEMORY, seconds=0.1)


def test_a_child_that_dies_or_that_nobody_waits_for_has_no_answer() -> None:
    with pytest.raises(Stopped, match="its worker process died"):
        bounded(os._exit, 1, memory=MEMORY, seconds=SOON)
    with pytest.raises(Stopped, match="nobody waits"):
        bounded(time.sleep, SOON, memory=MEMORY, seconds=SOON, wanted=lambda: False)


def test_a_fresh_child_does_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    """Beside another thread nothing is forked, and the kernel ties a child to its thread."""
    note = tmp_path / "child"
    work = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(99)"
    start = (
        "import threading; from satcal.processes import bounded; threading.Thread(target=bounded, "
        f"args=(exec, {work!r}), kwargs={{'memory': {MEMORY}, 'seconds': 99}}).start()"
    )
    parent = subprocess.Popen([sys.executable, "-c", start])
    until = time.monotonic() + SOON
    while not note.exists() or not note.read_text():
        assert time.monotonic() < until
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    assert gone(int(note.read_text()))
