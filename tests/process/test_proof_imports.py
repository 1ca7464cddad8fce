"""A fresh interpreter that checks a proof loads the checker, and nothing else of satcal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from satcal import proof

FOLDER = Path(proof.__file__).parent
PACKAGES = {"satcal", "satcal.version", "satcal.proof"}
CHECKER = {f"satcal.proof.{name}" for name in ("board", "check", "normal", "walk")}


def of_satcal(names: set[str]) -> set[str]:
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
