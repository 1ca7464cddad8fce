"""Some lines as a user types them, and what starting costs."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

PYTHON = shlex.quote(sys.executable)
TRACE = """
import json, sys
from satcal.cli.main import run
import satcal.cli.{command}
line = {line!r}.split()
run(line)  # all modules are imported
seen = set()
def note(frame, event, argument):
    code = frame.f_code
    # a frame of a function, but not of a class body; and not what it comprehends
    if event == "call" and code.co_flags & 1 and code.co_name[0] != "<":
        if "/satcal/" in code.co_filename:
            seen.add((code.co_filename.rpartition("/satcal/")[2], code.co_qualname))
traces = []
for _ in range(3):  # an answer that is late adds steps
    seen.clear()
    sys.setprofile(note)
    code = run(line + ["--force"] * ("certify" in line))
    sys.setprofile(None)
    traces.append(sorted(seen))
print(json.dumps([code, min(traces, key=len)]))
"""


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("satcal count rhombus 2025-10-23 -q", "201"),
        ("satcal count Oct 6", "the fewest of 365"),
        ("satcal count --board rhombus --year 2025 -q -o - | tail -1", "1411"),
        ("satcal solve Oct 6 --rank 7", "solution 7 of 7"),
        ("touch 6; satcal count Oct 6 -q", ",7,"),
        ("satcal LIST", "boards"),
    ],
)
def test_a_line_is_answered(shell, line, word) -> None:
    answer = shell(line)
    assert word in answer.out + answer.err
    assert answer.code == (2 if "LIST" in line else 0)


def test_help_imports_no_solver_no_numpy_no_rich_and_no_networkx(shell) -> None:
    slow = {"numpy", "networkx", "pysat", "matplotlib", "rich", "babel", "sqlite3"}
    for line in ("['--help']", "['count', '--help']"):
        code = f"import sys; from satcal.cli.main import run; run({line}); print(*sys.modules)"
        imported = shell(f'{PYTHON} -c "{code}"').out.splitlines()[-1].split()
        assert slow.isdisjoint(imported) or "count" in line, line


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("count", "count --date 2025-10-06 --method sat"),
        ("certify", "certify --date 2025-10-06 -o there.satcert"),
    ],
)
def test_the_way_from_the_words_to_the_number_is_short(shell, folder, command, line) -> None:
    (folder / "trace.py").write_text(TRACE.format(command=command, line=line))
    answer = shell(f"{PYTHON} trace.py")
    code, seen = json.loads(answer.out.splitlines()[-1])
    assert code == 0, answer.err
    assert len(seen) <= 65, seen
    assert len({file for file, _ in seen}) <= 16
