"""What a fresh interpreter loads: for a proof the checker, for a help nothing that is slow."""

import shlex
import sys
from pathlib import Path

import pytest

from process.conftest import PYTHON

VECTORS = Path(__file__).parents[1] / "proof" / "vectors"
PACKAGES = {"satcal", "satcal.version", "satcal.proof"}
CHECKER = {f"satcal.proof.{name}" for name in ("board", "check", "normal", "walk")}


@pytest.mark.parametrize(
    ("module", "loaded"),
    [("check", {*CHECKER, "satcal.errors"}), ("verifier", {"satcal.proof.verifier"})],
)
def test_the_checker_loads_nothing_else_of_satcal_and_only_the_standard_library(
    shell, module, loaded
):
    program = "import sys; before = set(sys.modules); import satcal.proof.{}; "
    program += "print(*set(sys.modules) - before)"
    names = shell(f"{PYTHON} -c {shlex.quote(program.format(module))}").out.split()
    of_satcal = {name for name in names if name.split(".")[0] == "satcal"}
    assert of_satcal - PACKAGES == loaded
    assert {name.split(".")[0] for name in {*names} - of_satcal} <= sys.stdlib_module_names


def test_satcal_check_loads_the_checker_and_what_prints(shell):
    """So it needs little memory, also in the process that it starts, and no room for numpy."""
    # what children import is listed as well
    answer = shell(f"{PYTHON} -X importtime -m satcal check {VECTORS}/good-three.satcert")
    assert answer.code == 0
    loaded = {line.rpartition("|")[2].strip() for line in answer.err.splitlines()}
    rooms = {name.split(".")[1] for name in loaded if name.startswith("satcal.")}
    assert {"cli", "certificates", "proof"} <= rooms
    assert not rooms & {"analysis", "counting", "diagram", "encoding", "external", "store"}
    assert not loaded & {"numpy", "networkx", "pysat", "babel"}


def test_help_imports_no_solver_no_numpy_and_no_networkx(shell):
    """And that of the whole program no rich and no sqlite3."""
    slow = {"numpy", "networkx", "pysat", "matplotlib", "babel"}
    code = "import sys; from satcal.cli.main import run\n"
    code += "for line in ['--help'], ['count', '--help']: run(line); print('with', *sys.modules)"
    lines = shell(f'{PYTHON} -c "{code}"').out.splitlines()
    whole, count = (set(line.split()) for line in lines if line.startswith("with "))
    assert whole.isdisjoint({"rich", "sqlite3", *slow})
    assert count.isdisjoint(slow)
