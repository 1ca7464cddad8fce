"""What a process of the service says of an error: that of memory is the client's to mend."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from stored import unprivileged

TOO_LARGE = "this takes more memory than the service allows; choose a smaller board"
FAIL = "import sys; from satcal.service.child import answer; answer(lambda: exec(sys.argv[1]))"


def said(statement: str) -> tuple[dict[str, str], str]:
    """The error that a process tells of, and what it wrote to the log."""
    process = subprocess.run(
        [sys.executable, "-c", FAIL, statement], capture_output=True, text=True, check=True
    )
    assert process.stdout[0] == "E"
    return json.loads(process.stdout[1:]), process.stderr


@pytest.mark.parametrize(
    "statement",
    [
        "raise MemoryError",
        "import threading, resource as r\n"
        "r.setrlimit(r.RLIMIT_AS, (100_000_000,) * 2)\n"
        "while True: threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "raise ImportError('x.so: failed to map segment from shared object')",
    ],
)
def test_where_memory_is_short_for_data_for_a_thread_or_for_code_that_is_said(statement) -> None:
    assert said(statement) == ({"kind": "TooLarge", "detail": TOO_LARGE}, "")


def test_a_fault_of_ours_is_named_and_the_log_has_all_of_it() -> None:
    error, log = said("1 // 0")
    assert error["detail"] == "internal error: ZeroDivisionError; the server's log says more"
    assert "Traceback" in log


@pytest.mark.parametrize(
    ("hard", "expected"), [(2_000_000_000, 2_000_000_000), (-1, 3_000_000_000)]
)
def test_a_process_takes_no_more_memory_than_its_user_may(hard, expected) -> None:
    begun = (
        "import resource as r, sys; from satcal.service.child import begin; "
        f"r.setrlimit(r.RLIMIT_AS, ({hard}, {hard})); begin(); print(r.getrlimit(r.RLIMIT_AS))"
    )
    start, _ = unprivileged()
    process = subprocess.run(
        [*start, sys.executable, "-c", begun, "3000000000", "0"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert process.stderr == f"({expected}, {expected})\n"
