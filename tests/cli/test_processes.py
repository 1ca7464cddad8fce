"""The command line as a process of its own: start-up, terminals, Ctrl-C, pipes."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time

SATCAL = [sys.executable, "-m", "satcal"]


def run(*arguments, **rest):
    return subprocess.run(
        [*SATCAL, *arguments], capture_output=True, text=True, timeout=120, check=False, **rest
    )


def test_help_imports_no_solver_no_numpy_and_no_networkx():
    code = (
        "import sys; from satcal.cli.main import run; run(['--help']); "
        "print(sorted({'numpy', 'networkx', 'pysat', 'matplotlib', 'rich', 'sqlalchemy'}"
        " & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.splitlines()[-1] == "[]"


def test_version_and_completion_answer():
    assert run("--version").stdout.startswith("satcal, version 0.")
    completion = run(env=os.environ | {"_SATCAL_COMPLETE": "bash_source"})
    assert "_satcal_completion" in completion.stdout


def test_real_worker_processes_count_a_range_in_order():
    said = run(
        "count", "--from", "2025-10-05", "--to", "2025-10-07", "--method", "sat", "--jobs", "2"
    )
    assert said.returncode == 0
    assert [line.split(",")[3] for line in said.stdout.splitlines()[1:]] == ["13", "7", "92"]


def test_progress_is_plain_lines_where_stderr_is_no_terminal():
    said = run("count", "--from", "2025-10-05", "--to", "2025-10-06", "--method", "sat")
    assert "counting by sat: 0 of 2\n" in said.stderr
    assert "counting by sat: 2 of 2, " in said.stderr
    assert "\x1b" not in said.stderr


def test_progress_is_a_live_display_on_a_terminal():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*SATCAL, "count", "--from", "2025-10-05", "--to", "2025-10-06", "--method", "sat"],
        stderr=theirs, stdout=subprocess.PIPE, env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end of a closed pseudo-terminal
            break
        if not piece:
            break
        shown += piece
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert out.startswith(b"date,month,day,tilings,methods\n")
    assert b"counting by sat" in shown
    assert b"\x1b[" in shown
    assert b"0 of 2" not in shown


# Who starts the tests in the background of a shell makes all their children ignore Ctrl-C.
LISTENING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from satcal.cli.main import main
main(sys.argv[1:])
"""


def test_ctrl_c_ends_the_workers_and_shows_what_was_counted():
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, "count", "--board", "weekday", "--year", "2025",
         "--method", "sat"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    time.sleep(12)  # a date of this board takes some seconds
    children = _children(process.pid)
    assert children
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "Traceback" not in err
    assert "stopped by Ctrl-C" in err
    assert "partial, " in err
    lines = out.splitlines()
    assert len(lines) == 366
    assert any(line.endswith(",,") for line in lines)
    assert not [child for child in children if _alive(child)]


def _children(parent):
    path = f"/proc/{parent}/task/{parent}/children"
    with open(path) as listed:
        return listed.read().split()


def _alive(process):
    """Whether a process runs; one that waits for init to collect it does not."""
    try:
        with open(f"/proc/{process}/stat") as status:
            return status.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m satcal solve --all --format lines | head -n 1"
    said = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert said.returncode == 0
    assert len(said.stdout.splitlines()) == 1
    assert said.stderr == ""


def test_a_bug_is_one_line_and_not_a_traceback():
    code = (
        "import satcal.cli.boards as b, sys; b.load = lambda *a: 1 / 0; "
        "from satcal.cli.main import main; main(['boards'])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert said.returncode == 1
    assert "internal error: ZeroDivisionError" in said.stderr
    assert "Traceback" not in said.stderr


def test_a_part_that_leaves_by_itself_is_no_reader_that_has_gone():
    code = (
        "import satcal.cli.boards as b, sys; b.load = lambda *a: sys.exit(3); "
        "from satcal.cli.main import main; main(['show'])"
    )
    said = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert said.returncode == 3


def test_workers_end_with_a_parent_that_is_killed():
    process = subprocess.Popen(
        [*SATCAL, "count", "--board", "pentomino-6x10", "--method", "sat", "--verify", "0"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    time.sleep(5)  # by now its worker is inside a long call of the solver
    children = _children(process.pid)
    assert children
    process.kill()
    process.wait(timeout=10)
    time.sleep(1)
    assert not [child for child in children if _alive(child)]
