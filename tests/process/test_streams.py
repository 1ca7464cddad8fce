"""Standard streams: full, closed, not read on, of few letters."""

import pytest

from helpers.checkers import DOCS
from process.conftest import PYTHON

VECTOR = DOCS.parent / "tests" / "proof" / "vectors" / "good-three.satcert"


@pytest.mark.parametrize(
    "line",
    [
        "satcal solve --all > /dev/full",
        "satcal boards >&-",
        f"satcal check {VECTOR} > /dev/full",
        "satcal nonsense 2>&-",
        "satcal --help > /dev/full 2> /dev/full",
    ],
)
def test_a_full_or_closed_stream_is_exit_3(shell, line):
    answer = shell(line)
    assert answer.code == 3
    assert "Traceback" not in answer.err
    assert len(answer.err.splitlines()) <= 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"check.py {VECTOR} > /dev/full", 2),
        (f"check.py {VECTOR} >&-", 2),
        ("check.py", 2),
        ("check.py missing.satcert", 2),
        (f"check.py {VECTOR.parent}/bad-tilings.satcert", 1),
        (f"check.py {VECTOR} mine.txt", 0),
        (f"check.py {VECTOR.parent}/good-dominoes.satcert mine.txt", 1),
        (f"blocked.py {VECTOR}", 2),
        (f"blocked.py {VECTOR} many", 2),
        ("blocked.py missing.cnf 3", 2),
        ("count.py", 1),
        (f"count.py {VECTOR}", 1),
    ],
)
def test_a_program_of_the_documents_gives_no_verdict_that_it_cannot_write(
    shell, folder, line, code
):
    puzzle = VECTOR.read_bytes().partition(b"\ngroup ")[0].split(b"\n", 2)[2]
    (folder / "mine.txt").write_bytes(puzzle + b"\n")
    answer = shell(f"{PYTHON} {DOCS}/{line}")
    assert (answer.code, "Traceback" in answer.err) == (code, False)


def test_a_full_standard_error_costs_no_result_and_is_exit_3(shell):
    answer = shell("satcal count --reveal Oct,6 --no-verify 2> /dev/full")
    assert (answer.code, answer.rows[0]["tilings"]) == (3, "7")


def test_a_reader_that_has_seen_enough_is_no_error(shell):
    answer = shell("satcal solve --all --format lines | head -n 1; exit ${PIPESTATUS[0]}")
    assert (answer.code, answer.err, len(answer.out.splitlines())) == (0, "", 1)


def test_a_terminal_of_few_letters_is_no_error(shell):
    answer = shell("satcal solve", PYTHONIOENCODING="latin-1")
    assert (answer.code, answer.err) == (0, "")
    assert "\\u2500" in answer.out


def test_rows_come_while_others_are_counted(begun):
    process = begun("count rhombus 2025 --method search --jobs 1 -q", at_work=False)
    assert process.stdout is not None
    head, first = process.stdout.readline(), process.stdout.readline()
    assert process.poll() is None
    assert head.startswith("date,")
    assert first.startswith("2025-01-01,Wed,Jan,1,")
