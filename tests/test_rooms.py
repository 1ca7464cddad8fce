"""The rooms of satcal: each imports only from those below it, and nothing imports in a circle.

What the room of proofs may import is narrower still: tests/proof/test_imports.py.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = (
    "ground",
    "puzzle",
    "proof",
    "encoding",
    "diagram",
    "counting",
    "analysis",
    "designing",
    "certificates",
    "published",
    "external",
    "store",
    "draw",
    "api",
    "site",
    "service",
    "cli",
    "entry",
)
"""From the ground up; whose files lie in satcal/ itself are in ``AT_THE_TOP`` or the ground."""
AT_THE_TOP = {
    "satcal.api": "api",
    "satcal.arguments": "api",
    "satcal.formulas": "api",
    "satcal": "entry",
    "satcal.__main__": "entry",
}


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {name_of(path): path for path in sorted((ROOT / "satcal").rglob("*.py"))}


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path):
    """Yield the modules that a file imports, anywhere in it; also those for types alone."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{path}: write the whole name of a module"
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                yield module if module in FILES else node.module


@pytest.fixture(scope="module")
def internal():
    """What each module imports of satcal."""
    return {name: set(imported(path)) & FILES.keys() for name, path in FILES.items()}


def room_of(module):
    if module in AT_THE_TOP:
        return AT_THE_TOP[module]
    room = module.split(".")[1]
    return room if room in ROOMS else "ground"


def test_no_room_imports_from_one_above_it(internal):
    for module, others in internal.items():
        for other in others:
            assert ROOMS.index(room_of(module)) >= ROOMS.index(room_of(other)), (module, other)


def test_no_modules_import_each_other_in_a_circle(internal):
    TopologicalSorter(internal).prepare()


def test_no_scripts_of_the_page_import_each_other_in_a_circle():
    """An import for types alone counts; one that runs later, by ``import()``, does not."""
    link = r'^(?:import|export)\b[^;]*?"\./([\w.-]+)"|@import \{[^}]*\} from "\./([\w.-]+)"'
    scripts = {}
    for path in (ROOT / "satcal" / "site" / "static").glob("*.js"):
        found = re.findall(link, path.read_text(encoding="utf-8"), re.MULTILINE)
        scripts[path.name] = {static or of_types for static, of_types in found}
    assert scripts["app.js"] >= {"game.js", "tools.js"}
    TopologicalSorter(scripts).prepare()


def test_no_import_renames_what_it_imports_of_satcal():
    renamed = [
        f"{name}: {ast.unparse(node)}"
        for name, path in FILES.items()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).split(".")[0] == "satcal"
        and alias.asname not in (None, alias.name.split(".")[-1])
    ]
    assert renamed == []


def test_the_package_does_not_know_what_lies_outside_of_it():
    for name, path in FILES.items():
        roots = {module.split(".")[0] for module in imported(path)}
        assert roots.isdisjoint({"tools", "benchmarks"}), name


def test_no_class_name_stands_for_two_things():
    """A protocol of the room of proofs, which imports no model, is a view of the class it names."""
    places = defaultdict(list)
    for name, path in FILES.items():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef) and "Protocol" not in map(ast.unparse, node.bases):
                places[node.name].append(name)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_eleven_lines_stand_twice():
    places = defaultdict(list)
    for name, path in FILES.items():
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        for start in range(len(lines) - 10):
            places["\n".join(lines[start : start + 11])].append(name)
    assert [where for where in places.values() if len(where) > 1] == []
