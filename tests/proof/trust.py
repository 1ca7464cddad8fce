"""How many lines of ours a reader has to believe, for each way of docs/explanation/trust.md.

    PYTHONPATH=tests python -m proof.trust

writes the numbers into the page.

Counted are the lines that are not blank, comments included, of a file and of all that it imports of
satcal at its head. What a function imports later is not run for a number that is right.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "trust.md"
VERIFIED = ("Spec.v", "Extract.v", "uint63.ml", "values.ml", "orders.ml", "theorem.ml", "main.ml")
JAVASCRIPT = ("Spec.v", "ExtractSmall.v", "uint63.ml", "javascript.ml")
METHODS = ("diagram", "sat", "search", "listing")


def path_of(module: str) -> Path | None:
    """Return the file of a module of satcal, None if it is of another package."""
    path = ROOT / module.replace(".", "/")
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def imported(path: Path) -> Iterator[Path]:
    """Yield the files that a file imports to run, not only to be checked by mypy."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    yield from filter(None, map(path_of, sorted(n for n in names if n.startswith("satcal."))))


def needed(*files: str) -> set[Path]:
    """Return files and all that they import."""
    found: set[Path] = set()
    todo = [ROOT / file for file in files]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += imported(path) if path.suffix == ".py" else []
    return found


def lines(files: Iterable[Path]) -> int:
    """Return the number of lines that are not blank."""
    return sum(sum(map(bool, map(str.strip, path.read_text().splitlines()))) for path in files)


def ways() -> dict[str, int]:
    """Return the lines for each way of the page's table, by the words that name it."""
    methods = [needed(f"satcal/counting/{name}.py") for name in METHODS]
    theorem = [ROOT / "theorem" / name for name in VERIFIED]
    small = [ROOT / "theorem" / name for name in JAVASCRIPT]
    counted = {name: lines(each) for name, each in zip(METHODS, methods, strict=True)}
    return counted | {
        "methods agree": lines(set.intersection(*methods)),
        "proof": lines(needed("satcal/proof/check.py")),
        "satcal check": lines(needed("satcal/cli/check.py", "satcal/cli/main.py")),
        "check.js": lines([ROOT / "satcal/site/static/check.js"]),
        "check.py": lines([ROOT / "docs/check.py"]),
        "cake_lpr": lines(needed("satcal/certificates/lrat.py")),
        "satcal-verified check": lines(theorem),
        "satcal-verified.js": lines(small),
        "count.py": lines([ROOT / "docs/count.py"]),
        "Spec.v": lines([ROOT / "theorem/Spec.v"]),
    }


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    for name, number in ways().items():
        text = re.sub(rf"[\d,]+ <!-- {re.escape(name)} -->", f"{number:,} <!-- {name} -->", text)
    PAGE.write_text(text, encoding="utf-8")
