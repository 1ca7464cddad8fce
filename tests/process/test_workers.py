"""Children with limits: they end with their parent, and their errors come home."""

import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from command import Clock
from helpers.waiting import PATIENCE, gone, until
from satcal.errors import BudgetExhausted, Stopped
from satcal.launcher import limit_resource
from satcal.processes import Call, LocalProcesses, tell
from satcal.resources import limit_command, memory_to_use

MEMORY = 700 * 10**6


def blocked(process):
    """Return the set of signals that a process has blocked."""
    with open(f"/proc/{process}/status") as status:
        (line,) = (line for line in status if line.startswith("SigBlk:"))
    return int(line.split()[1], 16)


def test_workers_leave_ctrl_c_to_their_parent_and_need_no_semaphores(monkeypatch, new_children):
    """Without a usable /dev/shm there are none."""
    import _multiprocessing

    monkeypatch.delattr(_multiprocessing, "SemLock")
    with LocalProcesses(2) as executor:
        assert list(executor.map(abs, [-1, 2, -3])) == [1, 2, 3]
        for child in new_children():
            assert blocked(child) & 1 << (signal.SIGINT - 1)
    assert not blocked(os.getpid()) & 1 << (signal.SIGINT - 1)


def squares(most):
    for number in range(most):
        yield number * number


def stuck_after_telling():
    tell(2)
    tell(3)
    tell((1, 4, "layer"))
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    signal.pause()


@pytest.mark.usefixtures("new_children")
def test_a_task_beyond_its_time_is_ended_and_its_messages_stay(monkeypatch):
    messages, clock = [], Clock()
    monkeypatch.setattr("satcal.processes.time", clock)

    def note(message):
        messages.append(message)
        if isinstance(message, tuple):
            clock.later += 2e6

    late = clock.monotonic() + 1e6
    with LocalProcesses(1, until=late, on_message=note) as executor:
        stuck, queued = executor.submit(stuck_after_telling), executor.submit(abs, -1)
        with pytest.raises(BudgetExhausted) as caught:
            stuck.result()
        with pytest.raises(BudgetExhausted):
            queued.result()
    assert (caught.value.found, messages) == (3, [2, 3, (1, 4, "layer")])


def iterate(produce, *args):
    with LocalProcesses(1) as processes:
        yield from processes.iterate(produce, *args)


def dying():
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.usefixtures("new_children")
def test_a_generator_in_a_process_yields_and_raises_the_same_and_ends_with_its_reader():
    assert list(iterate(squares, 1000)) == list(squares(1000))
    endless = iterate(squares, 10**9)
    assert next(endless) == 0
    endless.close()
    for produce, arguments, error in ((squares, ["x"], TypeError), (dying, [], Stopped)):
        with pytest.raises(error):
            list(iterate(produce, *arguments))


def in_child(fn, *args, memory=None, wanted=None):
    with LocalProcesses(1, memory=memory) as processes:
        return processes.run(Call(fn, args), until=time.monotonic() + PATIENCE, wanted=wanted)


def memory_to_use_within(limit):
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return memory_to_use()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux caps the address space")
def test_the_limit_of_a_process_bounds_the_memory_to_use():
    assert in_child(memory_to_use_within, 400_000_000) < 300_000_000


def limit_after(allowed):
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))
    limit_resource("AS", 3 * 10**9)
    return resource.getrlimit(resource.RLIMIT_AS)


@pytest.mark.parametrize(("allowed", "expected"), [(2 * 10**9, 2 * 10**9), (-1, 3 * 10**9)])
def test_a_process_takes_no_more_memory_than_its_user_may(allowed, expected):
    assert in_child(limit_after, allowed) == (expected, expected)


def ran(command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout


def test_a_program_does_not_start_if_its_parent_has_already_ended():
    command = limit_command(["echo", "here"])
    assert ran(command) == "here\n"
    assert ran(["1" if each == str(os.getpid()) else each for each in command]) == ""


@pytest.mark.parametrize(
    ("function", "argument", "limits", "error"),
    [
        (bytearray, [10**9], {}, MemoryError),
        (signal.pause, [], {"wanted": lambda: False}, Stopped),
    ],
    ids=["memory", "unwanted"],
)
def test_what_fails_in_a_child_is_raised_here(function, argument, limits, error):
    assert in_child(len, bytes(10**6), memory=MEMORY) == 10**6
    with pytest.raises(error):
        in_child(function, *argument, memory=MEMORY, **limits)


def test_a_call_that_does_not_fit_into_a_child_is_a_memory_error():
    with pytest.raises(MemoryError):
        in_child(len, bytes(MEMORY // 3), memory=MEMORY // 3)


def test_a_fresh_child_does_not_outlive_a_parent_that_is_killed(tmp_path):
    """Beside another thread nothing is forked, and the kernel ties a child to its thread."""
    note = tmp_path / "child"
    work = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(99)"
    start = (
        "import threading; from satcal.processes import Call, LocalProcesses\n"
        f"run = LocalProcesses(1, memory={MEMORY}).run\n"
        f"threading.Thread(target=run, args=(Call(exec, ({work!r},)),)).start()"
    )
    parent = subprocess.Popen([sys.executable, "-c", start])
    until(lambda: note.exists() and note.read_text())
    parent.kill()
    parent.wait()
    assert gone(int(note.read_text()))


def test_a_process_is_kept_for_the_next_executor_unless_it_died():
    kept = []
    with LocalProcesses(1, kept=kept) as first:
        pid = first.submit(os.getpid).result()
    with LocalProcesses(1, kept=kept) as second:
        assert second.submit(os.getpid).result() == pid
        with pytest.raises(Stopped):
            second.submit(os._exit, 1).result()
    assert kept == []
