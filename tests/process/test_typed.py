"""Some lines as a user types them, and what starting costs."""

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
    ("line", "code", "word"),
    [
        ("satcal count Oct 6 --no-verify -qo - | tail -1", 0, ",7,diagram"),
        pytest.param(
            "satcal cross-check Oct 6 --with cadical --encoding plain,owner -o a.csv",
            0,
            " MiB\ncompared: agrees 2",
            marks=pytest.mark.needs("cadical"),
        ),
    ],
)
def test_a_line_is_answered(shell, line, code, word):
    answer = shell(line)
    assert word in answer.out + answer.err
    assert answer.code == code


def test_help_imports_no_solver_no_numpy_and_no_networkx(shell):
    """And that of the whole program no rich and no sqlite3."""
    slow = {"numpy", "networkx", "pysat", "matplotlib", "babel"}
    code = "import sys; from satcal.cli.main import run\n"
    code += "for line in ['--help'], ['count', '--help']: run(line); print('with', *sys.modules)"
    lines = shell(f'{PYTHON} -c "{code}"').out.splitlines()
    whole, count = (set(line.split()) for line in lines if line.startswith("with "))
    assert whole.isdisjoint({"rich", "sqlite3", *slow})
    assert count.isdisjoint(slow)


@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("count --date 2025-10-06 --method sat", 74),
        ("certify --date 2025-10-06 -o there.satcert", 76),
    ],
)
def test_the_way_from_the_words_to_the_number_is_short(shell, folder, line, most):
    (folder / "trace.py").write_text(TRACE.format(command=line.split()[0], line=line))
    answer = shell(f"{PYTHON} trace.py")
    code, seen = json.loads(answer.out.splitlines()[-1])
    assert code == 0, answer.err
    assert len(seen) <= most, seen
    assert len({file for file, _ in seen}) <= 20
