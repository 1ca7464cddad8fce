"""Each figure of the paper is read from a file of results/."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path

from satcal.encoding import ENCODINGS
from satcal.puzzle.loading import library

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
TEXT = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8").partition("# Summary")[2]
MARKED = re.compile(r"([\w,]+) <!-- ([a-z ]+) -->", re.ASCII)
DATE = ("a-puzzle-a-day", "Oct 6")
WORDS = {12: "twelve"}


def rows(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader((RESULTS / path).read_text(encoding="utf-8").splitlines()))


def verdicts() -> tuple[int, int]:
    """Return the wrong and the settled statements by the page of results/."""
    page = (RESULTS / "README.md").read_text(encoding="utf-8")
    first = re.search(r"(\d+) are wrong, (\d+) are settled", page)
    large = re.search(r"judges (\d+) more: (\d+) are right, \S+ is settled\.", page)
    assert first and large
    return int(first[1]) + int(large[1]) - int(large[2]) - 1, int(first[2]) + 1


def in_python() -> list[list[str]]:
    """Return the rows of the table of statements that Python decides."""
    page = (RESULTS / "in-python.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def figures() -> dict[str, int]:
    theorems = rows("counts/theorems.csv")
    files = [*RESULTS.glob("published/*.toml"), *RESULTS.glob("published/large/*.toml")]
    wrong, settled = verdicts()
    return {
        "encodings": sum(each.dimacs for each in ENCODINGS.values()),
        "theorem boards": len(theorems),
        "boards": len(library()),
        "theorems": sum(int(row["numbers"]) for row in theorems),
        "statements": len(in_python())
        + sum(len(tomllib.loads(file.read_text())["statement"]) for file in files),
        "more": sum(
            len(tomllib.loads(file.read_text())["statement"])
            for file in RESULTS.glob("published/large/*.toml")
        ),
        "wrong": wrong,
        "settled": settled,
    }


def test_the_marked_figures_are_those_of_results_and_no_other_stands_in_the_text():
    found = {name: number for number, name in MARKED.findall(TEXT)}
    assert found == {n: WORDS.get(value, f"{value:,}") for n, value in figures().items()}
    rest = re.sub(r"^\|.*$|`[^`]*`|\]\([^)]*\)", "", MARKED.sub("", TEXT), flags=re.MULTILINE)
    rest = rest.replace("Oct 6", "").replace("VeriPB 3", "")
    assert re.findall(r"\b[0-9]+", rest) == []


def test_the_table_of_proofs_is_the_measured_one():
    measured = [
        f"| {row['proof']} | {int(row['bytes']):,} | {row['make']} | {row['check']} |"
        for row in rows("benchmarks/proofs.csv")
        if (row["board"], row["reveal"]) == DATE
    ]
    assert measured == [line for line in TEXT.splitlines() if re.match(r"\|.*\d \|$", line)]


def test_the_census_names_as_many_repositories_as_the_page_says():
    repository = re.compile(r"[\w.-]+/[\w.-]+(?=[, ]|$)")
    sources = [row["source"] for row in rows("census.csv")] + [row[-1] for row in in_python()]
    for file in RESULTS.glob("published/**/*.toml"):
        sources.append(tomllib.loads(file.read_text(encoding="utf-8")).get("source", ""))
    names = {match[0] for match in map(repository.match, sources) if match}
    page = (RESULTS / "README.md").read_text(encoding="utf-8")
    assert f"the {len(names)} repositories that were looked through" in page


def test_the_page_of_proofs_has_the_measured_bytes():
    page = (RESULTS / "benchmarks" / "proofs.md").read_text(encoding="utf-8")
    measured: dict[str, set[str]] = {}
    for row in rows("benchmarks/proofs.csv"):
        date = f"`{row['board']}` {row['reveal']} ({int(row['tilings']):,})"
        measured.setdefault(date, {"-", "not reached"}).add(f"{int(row['bytes'] or 0):,}")
    shown = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    dates = {date: set(figures) for date, *figures in shown if date in measured}
    assert dates.keys() == measured.keys()
    assert all(figures <= measured[date] for date, figures in dates.items())
