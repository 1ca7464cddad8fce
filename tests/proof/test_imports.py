"""Who believes a certified count believes these modules, the parser, and Python: nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from satcal import proof

FOLDER = Path(proof.__file__).parent
BASE = {f"satcal.proof.{path.stem}" for path in FOLDER.glob("[a-z]*.py")}
ALLOWED = {"satcal.errors", "satcal.puzzle.model", "satcal.puzzle.toml", *BASE}
PARSER = {"satcal.puzzle.calendar", "satcal.puzzle.shapes", "satcal.toml"}  # what those two need
PACKAGES = {"satcal", "satcal.version", "satcal.puzzle", "satcal.proof"}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "write the whole name of a module"
            names.add(str(node.module))
        elif isinstance(node, ast.Name):
            assert node.id not in ("__import__", "eval", "exec"), f"{path.name}: {node.id}"
    return names


def of_satcal(names: set[str]) -> set[str]:
    """Return the modules of satcal; all others have to be of the standard library."""
    own = {name for name in names if name.split(".")[0] == "satcal"}
    assert {name.split(".")[0] for name in names - own} <= sys.stdlib_module_names
    return own


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_module_imports_the_standard_library_and_the_trusted_base(path: Path) -> None:
    names = imported(path)
    assert of_satcal(names) <= ALLOWED
    assert "importlib" not in names


def test_the_verifier_names_a_type_and_the_replay_needs_the_formula() -> None:
    assert of_satcal(imported(FOLDER / "verifier.py")) == {"satcal.puzzle.model"}
    assert of_satcal(imported(FOLDER / "replay.py")) == {"satcal.errors", "satcal.proof.formula"}


def test_of_a_puzzle_nothing_is_read_but_what_its_file_says() -> None:
    said = {"cells", "labels", "categories", "drawn", "name", "shape", "copies", "flip"}
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert node.value.id not in ("puzzle", "piece") or node.attr in said, node.lineno


@pytest.mark.parametrize(
    ("module", "allowed"), [("check", ALLOWED | PARSER), ("verifier", {"satcal.proof.verifier"})]
)
def test_a_fresh_interpreter_that_checks_loads_nothing_else(module: str, allowed: set[str]) -> None:
    program = "import sys; before = set(sys.modules); import satcal.proof.{}; "
    program += "print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", program.format(module)], capture_output=True, text=True, check=True,
        cwd=FOLDER.parent.parent,
    )  # fmt: skip
    assert of_satcal(set(done.stdout.split())) <= allowed | PACKAGES
