"""Who believes a certified count believes these modules, the parser, and Python: nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from satcal import proof

FOLDER = Path(proof.__file__).parent
ALLOWED = {
    "satcal.errors", "satcal.puzzle.model", "satcal.puzzle.toml", "satcal.proof.archive",
    "satcal.proof.certificate", "satcal.proof.formula", "satcal.proof.replay",
    "satcal.proof.verifier",
}  # fmt: skip
PARSER = {
    "satcal.puzzle.calendar",
    "satcal.puzzle.drawings",
    "satcal.puzzle.shapes",
    "satcal.toml",
}  # what model and toml need
PROGRAM = """
import sys
import satcal.proof.check
print(*sorted(sys.modules))
"""


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "write the whole name of a module"
            found.add(str(node.module))
        elif isinstance(node, ast.Name):
            assert node.id not in ("__import__", "eval", "exec"), f"{path.name}: {node.id}"
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_module_imports_the_standard_library_and_the_trusted_base(path: Path) -> None:
    names = imported(path)
    of_satcal = {name for name in names if name.split(".")[0] == "satcal"}
    assert of_satcal <= ALLOWED
    assert {name.split(".")[0] for name in names - of_satcal} <= sys.stdlib_module_names
    assert "importlib" not in names


@pytest.mark.parametrize("name", ["verifier", "replay"])
def test_the_verifier_stands_alone_and_the_replay_needs_the_formula(name: str) -> None:
    of_satcal = {x for x in imported(FOLDER / f"{name}.py") if x.startswith("satcal")}
    assert of_satcal == {
        "verifier": set(), "replay": {"satcal.errors", "satcal.proof.formula"},
    }[name]  # fmt: skip


def test_a_fresh_interpreter_that_checks_loads_nothing_else() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
        cwd=FOLDER.parent.parent,
    )  # fmt: skip
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sorted(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = set(done.stdout.split()) - set(bare.stdout.split())
    of_satcal = {name for name in names if name.split(".")[0] == "satcal"}
    assert of_satcal <= ALLOWED | PARSER | {
        "satcal", "satcal.version", "satcal.puzzle", "satcal.proof", "satcal.proof.check",
    }  # fmt: skip
    assert {name.split(".")[0] for name in names - of_satcal} <= sys.stdlib_module_names
