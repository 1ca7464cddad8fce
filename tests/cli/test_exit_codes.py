"""What exit codes mean, met by the real program: lost streams, Ctrl-C, limits, clusters."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small import domino_rectangle, write

SATCAL = [sys.executable, "-m", "satcal"]
SOON = 20.0  # seconds: a hang would be forever, a loaded machine is not


def shell(command: str) -> subprocess.CompletedProcess[str]:
    satcal = shlex.join(SATCAL)
    return subprocess.run(
        ["bash", "-c", f"{satcal} {command}"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def stuck_file(tmp_path_factory) -> str:
    """A board that a solver does not finish: a chessboard without two opposite corners."""
    board = domino_rectangle(20, 20, corners=False)
    return str(write(board, tmp_path_factory.mktemp("stuck") / "stuck.toml"))


COMMANDS = ["--help", "count --help", "boards", "show", "export", "solve --all", "store --help"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_standard_output_is_said_and_exit_3(command):
    said = shell(f"{command} > /dev/full")
    assert said.stderr == ("satcal: standard output cannot be written: No space left on device\n")
    assert said.returncode == 3


@pytest.mark.parametrize("command", ["--help", "boards", "nonsense", "count --verify 0"])
def test_a_closed_stream_is_said_on_the_other_one_and_exit_3(command):
    said = shell(f"{command} >&-")
    assert said.stderr == "satcal: standard output cannot be written: it is closed\n"
    assert said.returncode == 3
    said = shell(f"{command} 2>&-")
    assert said.stdout == "satcal: standard error cannot be written: it is closed\n"
    assert said.returncode == 3
    assert shell(f"{command} >&- 2>&-").returncode == 3


def test_a_full_standard_error_costs_no_result_and_is_exit_3():
    said = shell("count --reveal Oct,6 --verify 0 2> /dev/full")
    assert said.returncode == 3
    assert said.stdout.splitlines() == [
        "date,month,day,tilings,methods",
        ",Oct,6,7,diagram",
        "satcal: standard error cannot be written: No space left on device",
    ]
    assert shell("nonsense 2> /dev/full").returncode == 3
    assert shell("nonsense > /dev/full 2> /dev/full").returncode == 3


def test_a_terminal_of_few_letters_is_no_error():
    said = subprocess.run(
        [*SATCAL, "solve"], capture_output=True, text=True, check=False, timeout=60,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )  # fmt: skip
    assert (said.returncode, said.stderr) == (0, "")
    assert "\\u2500" in said.stdout


STUCK = [
    "solve --method sat --lemmas none",
    "draw",
    "count --method sat --lemmas none",
    "animate --what sat -o never.gif",
]


@pytest.mark.parametrize("command", STUCK)
def test_ctrl_c_inside_a_solver_is_exit_3(stuck_file, command):
    process = subprocess.Popen(
        [*SATCAL, *command.split(), "--board", stuck_file],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    time.sleep(5)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, err = process.communicate(timeout=SOON)
    assert "stopped by Ctrl-C" in err
    assert "Traceback" not in err
    assert process.returncode == 3


LIMITED = [
    "solve --method sat",
    "count --method sat",
    "count --method sat --jobs 2",
    "verify --methods diagram,sat,search",
    "count --method search",
    "solve --method search",
]


@pytest.mark.parametrize("command", LIMITED)
def test_a_time_limit_holds_inside_a_solver_too(stuck_file, command):
    begun = time.monotonic()
    said = shell(f"{command} --time-limit 3 --board {stuck_file}")
    # the limit, the grace of a worker, and starting Python on a machine with other work
    assert time.monotonic() - begun < 3 + 1 + 6
    assert said.returncode == 3
    assert "Traceback" not in said.stderr


def test_a_time_limit_holds_for_what_is_counted_again(stuck_file):
    assert shell(f"count --verify 0 --board {stuck_file}").returncode == 0  # it is in the cache
    begun = time.monotonic()
    said = shell(f"count --time-limit 3 --board {stuck_file}")
    assert time.monotonic() - begun < 3 + 1 + 6
    assert said.returncode == 3
    assert said.stderr.endswith(
        "diagram counted 1 of 1; not counted again: 1 by sat "
        "(--verify-time gives more, --verify 0 asks none)\n"
    )


def test_a_summary_claims_only_what_was_compared(stuck_file, small):
    said = shell(f"count -b {small} --all-reveals --verify 2")
    assert said.stderr.endswith(
        "diagram counted 2 of 2, sat 2 of these again, search 1 of these again: they agree\n"
    )
    said = shell(f"verify -b {small} --all-reveals --time-limit 0 --no-cache")
    assert "diagram counted 0, sat counted 0 of 2; none is compared\n" in said.stderr
    assert said.returncode == 3


@pytest.mark.parametrize(
    ("address", "message", "code"),
    [
        ("foo", "--cluster 'foo': give a scheduler such as tcp://10.0.0.1:8786", 2),
        ("tcp://127.0.0.1:1", "no scheduler answers at tcp://127.0.0.1:1: start one", 3),
    ],
)
def test_a_cluster_that_is_none_is_said_in_one_line_and_soon(address, message, code):
    pytest.importorskip("distributed")
    begun = time.monotonic()
    said = shell(f"count --method sat --cluster {address}")
    assert time.monotonic() - begun < 8  # 3 s on an idle machine, 20 s before
    assert said.returncode == code
    assert said.stderr.startswith(f"satcal: error: {message}")
    assert len(said.stderr.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to mount")
def test_without_a_shared_memory_of_the_system_everything_works(small):
    hidden = "mount -t tmpfs -o ro tmpfs /dev/shm"
    for command in (f"verify -b {small} --all-reveals", f"count -b {small} --all-reveals"):
        said = subprocess.run(
            ["unshare", "-m", "sh", "-c", f"{hidden} && {shlex.join(SATCAL)} {command}"],
            capture_output=True, text=True, check=False, timeout=60, cwd=Path.cwd(),
        )  # fmt: skip
        if "unshare" in said.stderr or "mount:" in said.stderr:
            pytest.skip("needs the right to mount")
        assert said.returncode == 0, said.stderr
        assert "they agree" in said.stderr


def test_a_pipe_is_read_and_waiting_for_one_ends_with_ctrl_c(tmp_path, small):
    said = shell(f"count --all-reveals --verify 0 -q --board <(cat {small})")
    assert (said.returncode, len(said.stdout.splitlines())) == (0, 3), said.stderr
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*SATCAL, "show", "--board", str(pipe)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SOON)
    assert err.strip() == "satcal: stopped by Ctrl-C"
    assert process.returncode == 3


def test_a_file_that_grows_while_it_is_read_is_too_large_at_most(small):
    said = shell(f"show --board <(cat {small}; yes '#')")
    assert said.returncode == 2
    assert "larger than" in said.stderr
