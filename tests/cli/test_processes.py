"""The command line as a process: start-up, streams, terminals, Ctrl-C, limits, exit codes."""

import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from inspect import CO_OPTIMIZED
from pathlib import Path

import psutil
import pytest

import satcal as package
from helpers.commands import Said
from helpers.puzzles import domino_rectangle, write

# Who starts the tests in the background of a shell makes all their children ignore Ctrl-C.
LISTENING = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from satcal.cli.main import main; main(sys.argv[1:])"
)
SATCAL = [sys.executable, "-c", LISTENING]
PACKAGE = Path(package.__file__).parent
SOON = 20.0  # seconds: a hang would be forever, a loaded machine is not


def ran(*command, **options):
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, **options
    )
    return Said(done.returncode, done.stdout, done.stderr)


def python(code):
    return ran(sys.executable, "-c", f"import sys; from satcal.cli.main import main; {code}")


def shell(command, **options):
    return ran("bash", "-c", f"{shlex.join(SATCAL)} {command}", **options)


def children(process):
    return psutil.Process(process.pid).children(recursive=True)


def begun(command):
    """Start a command, and come back when a child of it has been at work for a while."""
    process = subprocess.Popen(
        [*SATCAL, *command.split()],
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + SOON
    while not any(child.cpu_times().user > 0.5 for child in children(process)):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    return process


@pytest.fixture(scope="module")
def stuck(tmp_path_factory):
    """A board that a solver does not finish: a chessboard without two opposite corners."""
    board = domino_rectangle(20, 20, corners=False)
    return str(write(board, tmp_path_factory.mktemp("stuck") / "stuck.toml"))


# --- start-up ---------------------------------------------------------------------------------


def test_help_imports_no_solver_no_numpy_no_rich_and_no_networkx():
    slow = {"numpy", "networkx", "pysat", "matplotlib", "rich", "sqlalchemy"}
    said = python("from satcal.cli.main import run; run(['--help']); print(*sys.modules)")
    assert slow.isdisjoint(said.out.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("command", "most"), [("count --board rhombus --month 2025-10", 38), ("draw tiling", 25)]
)
def test_a_command_passes_through_few_files(satcal, command, most, cache):
    """What a module or a class does by itself does not count, nor what it comprehends."""
    files = set()

    def note(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_flags & CO_OPTIMIZED and code.co_name[0] != "<":
            files.add(code.co_filename)

    sys.setprofile(note)
    said = satcal(command)
    sys.setprofile(None)
    assert said.out
    assert len([name for name in files if name.startswith(f"{PACKAGE}/")]) <= most


def test_the_diagram_counts_where_a_system_knows_no_limits_of_resources():
    said = python(
        "sys.modules['resource'] = None; "
        "main(['count', '--reveal', 'Oct,6', '--verify', '0', '--format', 'csv', '-q'])"
    )
    assert (said.code, said.out.splitlines()[-1]) == (0, ",Oct,6,7,diagram"), said.err


# --- streams ----------------------------------------------------------------------------------


@pytest.mark.promise("a standard stream that is full or closed")
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("--help > /dev/full", "output cannot be written: No space left on device"),
        ("solve --all > /dev/full", "output cannot be written: No space left on device"),
        ("boards >&-", "output cannot be written: it is closed"),
        ("nonsense 2>&-", "error cannot be written: it is closed"),
    ],
)
def test_a_full_or_closed_stream_is_said_on_the_other_one_and_exit_3(command, reason):
    said = shell(command)
    assert (said.code, said.out + said.err) == (3, f"satcal: standard {reason}\n")


@pytest.mark.promise("a standard stream that is full or closed")
@pytest.mark.parametrize("streams", [">&- 2>&-", "> /dev/full 2> /dev/full"])
def test_where_nobody_can_be_told_the_exit_code_is_3(streams):
    assert shell(f"nonsense {streams}").code == 3


def test_a_full_standard_error_costs_no_result_and_is_exit_3():
    said = shell("count --reveal Oct,6 --verify 0 2> /dev/full")
    assert said.code == 3
    assert said.out.splitlines() == [
        "date,month,day,tilings,methods",
        ",Oct,6,7,diagram",
        "satcal: standard error cannot be written: No space left on device",
    ]


def test_a_reader_that_has_seen_enough_is_no_error():
    said = shell("solve --all --format lines | head -n 1; exit ${PIPESTATUS[0]}")
    assert (said.code, said.err, len(said.out.splitlines())) == (0, "", 1)


def test_a_terminal_of_few_letters_is_no_error():
    said = shell("solve", env=os.environ | {"PYTHONIOENCODING": "latin-1"})
    assert (said.code, said.err) == (0, "")
    assert "\\u2500" in said.out


def test_progress_is_a_live_display_on_a_terminal():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*SATCAL, "count", "--from", "2025-10-05", "--to", "2025-10-06", "--method", "sat"],
        stderr=theirs,
        stdout=subprocess.PIPE,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(theirs)
    shown = b""
    with open(ours, "rb", buffering=0) as stream, suppress(OSError):  # the other end is closed
        while piece := stream.read(4096):
            shown += piece
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.startswith(b"date,month,day,tilings,methods\n")
    assert b"counting by sat" in shown
    assert b"\x1b[" in shown
    assert b"0 of 2" not in shown


# --- Ctrl-C, limits, clusters -----------------------------------------------------------------


@pytest.mark.promise("Ctrl-C, or the time limit")
def test_ctrl_c_inside_a_solver_is_exit_3(stuck):
    process = begun(f"draw tiling --board {stuck}")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, err = process.communicate(timeout=SOON)
    assert "stopped by Ctrl-C" in err
    assert "Traceback" not in err
    assert process.returncode == 3


def test_ctrl_c_ends_the_workers_and_shows_what_was_counted():
    process = begun("count --board rhombus --month 2025-10 --method sat")
    workers = children(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "Traceback" not in err
    assert "stopped by Ctrl-C" in err
    assert "partial, " in err
    rows = Said(3, out, err).rows()
    assert len(rows) == 31
    assert any(row["tilings"] == "" for row in rows)
    assert not psutil.wait_procs(workers, timeout=SOON)[1]


def test_workers_end_with_a_parent_that_is_killed(stuck):
    process = begun(f"count --board {stuck} --method sat --lemmas none")
    workers = children(process)
    process.kill()
    process.communicate(timeout=SOON)
    assert not psutil.wait_procs(workers, timeout=SOON)[1]


@pytest.mark.promise("Ctrl-C, or the time limit")
@pytest.mark.parametrize("command", ["solve --method sat", "verify --methods diagram,sat,search"])
def test_a_time_limit_holds_inside_a_solver_too(stuck, command):
    begin = time.monotonic()
    said = shell(f"{command} --time-limit 1 --board {stuck}")
    assert time.monotonic() - begin < SOON
    assert said.code == 3
    assert "Traceback" not in said.err


@pytest.mark.promise("no usable `/dev/shm`")
@pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to mount")
def test_without_a_shared_memory_of_the_system_everything_works(small):
    without = "mount -t tmpfs -o ro tmpfs /dev/shm && "
    verify = f"{shlex.join(SATCAL)} verify -b {small} --all-reveals"
    said = ran("unshare", "-m", "sh", "-c", without + verify)
    if "unshare" in said.err or "mount:" in said.err:
        pytest.skip("needs the right to mount")
    assert said.code == 0, said.err
    assert "checked: sat agrees on all 2 reveals" in said.err
