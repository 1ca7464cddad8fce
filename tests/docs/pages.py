"""The pages of the documentation that people write."""

from __future__ import annotations

import csv
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RESULTS = ROOT / "results"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(DOCS.glob("*.md")),
    *(
        page
        for page in sorted(DOCS.glob("*/*.md"))
        if page.parent.name != "counts" and page.name != "routes.md"
    ),
]

OTHERS = [
    ROOT / "CHANGELOG.md",
    ROOT / "CODE_OF_CONDUCT.md",
    ROOT / "paper" / "paper.md",
    *(ROOT / room / "README.md" for room in ("benchmarks", "encodings", "theorem")),
    *sorted((ROOT / "results").rglob("*.md")),
    *sorted(DOCS.rglob("*.ipynb")),
]
"""Pages beside the documentation, with links but without examples that a test runs."""


def headings(text: str) -> set[str]:
    """Return the headings of a page as links name them."""
    found, fenced = set(), False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if not fenced and (match := re.match(r"#+ (.*)", line)):
            found.add(re.sub(r"[^\w -]", "", match[1].lower()).strip().replace(" ", "-"))
    return found


def in_words(page: str) -> str:
    """Return a page with single blanks."""
    return " ".join((ROOT / page).read_text("utf-8").split())


def rows(table: str) -> list[dict[str, str]]:
    """Return the rows of a table of results/."""
    return list(csv.DictReader((RESULTS / table).read_text("utf-8").splitlines()))
