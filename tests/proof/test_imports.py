"""Who believes a certified count believes these modules, and Python: nothing else."""

import ast
import sys
from pathlib import Path

import pytest

from satcal import proof

FOLDER = Path(proof.__file__).parent
FILES = sorted(FOLDER.glob("*.py"))
BASE = {f"satcal.proof.{path.stem}" for path in FILES}


def of_satcal(names: set[str]) -> set[str]:
    """Return the modules of satcal; all others have to be of the standard library."""
    modules = {name for name in names if name.split(".")[0] == "satcal"}
    assert {name.split(".")[0] for name in names - modules} <= sys.stdlib_module_names
    return modules


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_module_imports_the_base_and_the_errors(path):
    names: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # what stands below TYPE_CHECKING is for mypy and does not run
    guarded = [node for node in tree.body if ast.unparse(node).startswith("if TYPE_CHECKING:")]
    tree.body = [node for node in tree.body if node not in guarded]
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                names.update(alias.name for alias in node.names)
            case ast.ImportFrom():
                assert not node.level, "write the whole name of a module"
                names.add(str(node.module))
            case ast.Name():
                assert node.id not in ("__import__", "eval", "exec")
    assert of_satcal(names) <= {"satcal.errors", *BASE}
    assert "importlib" not in names
