"""A fresh interpreter that checks a proof loads the checker, and nothing else of satcal."""

import subprocess
import sys
from pathlib import Path

import pytest

from satcal import proof
from satcal.cli.check import write_proof
from satcal.errors import BudgetExhausted

FOLDER = Path(proof.__file__).parent
VECTORS = Path(__file__).parents[1] / "proof" / "vectors"
PACKAGES = {"satcal", "satcal.version", "satcal.proof"}
CHECKER = {f"satcal.proof.{name}" for name in ("board", "check", "normal", "walk")}


def of_satcal(names):
    """Return the modules of satcal; all others have to be of the standard library."""
    own = {name for name in names if name.split(".")[0] == "satcal"}
    assert {name.split(".")[0] for name in names - own} <= sys.stdlib_module_names
    return own


@pytest.mark.parametrize(
    ("module", "loaded"),
    [("check", {*CHECKER, "satcal.errors"}), ("verifier", {"satcal.proof.verifier"})],
)
def test_a_fresh_interpreter_that_checks_loads_nothing_else(module, loaded):
    program = "import sys; before = set(sys.modules); import satcal.proof.{}; "
    program += "print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", program.format(module)],
        capture_output=True,
        text=True,
        check=True,
        cwd=FOLDER.parent.parent,
    )
    assert of_satcal(set(done.stdout.split())) - PACKAGES == loaded


def satcal(*words, folder):
    """Run satcal in a folder, in a fresh interpreter that lists its imports, also of children."""
    return subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "satcal", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


def test_satcal_check_loads_the_checker_and_what_prints(tmp_path):
    """So it needs little memory, also in the process that it starts, and no room for numpy."""
    done = satcal("check", str(VECTORS / "good-three.satcert"), folder=tmp_path)
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    rooms = {name.split(".")[1] for name in loaded if name.startswith("satcal.")}
    assert {"cli", "certificates", "proof"} <= rooms
    assert not rooms & {"analysis", "counting", "diagram", "encoding", "external", "store"}
    assert not loaded & {"numpy", "networkx", "pysat", "babel"}


def test_a_proof_is_held_to_the_memory(tmp_path):
    words = ["--proof", "lrat", "--memory-limit", "0.12", "-q"]
    done = satcal("check", str(VECTORS / "good-dominoes.satcert"), *words, folder=tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (3, [])
    assert "not fully written" in done.stderr
    assert done.stderr.endswith("raise --memory-limit\n")


def test_a_proof_is_held_to_the_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limits = {"memory": 2**30, "seconds": -1.0}  # over, with the time to report progress too
    with pytest.raises(BudgetExhausted, match="not fully written in time; raise --time-limit"):
        write_proof(VECTORS / "good-dominoes.satcert", (), "lrat", False, **limits)
    assert not list(tmp_path.iterdir())
