"""Each figure of the paper is read from a file of results/, and so are those of the proofs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from docs.pages import RESULTS, ROOT, in_words, rows
from satcal.encoding import ENCODINGS
from satcal.puzzle.loading import library

TEXT = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8").partition("# Summary")[2]
MARKED = re.compile(r"([\w,]+) <!-- ([a-z ]+) -->", re.ASCII)
DATE = ("a-puzzle-a-day", "Oct 6")
WORDS = {12: "twelve"}


def table(page: str) -> list[list[str]]:
    """Return the cells of all tables of a page of results/."""
    lines = (RESULTS / page).read_text("utf-8").splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]


def in_files(where: str) -> int:
    """Return the number of statements in claim files."""
    files = map(Path.read_text, RESULTS.glob(f"published/{where}*.toml"))
    return sum(len(tomllib.loads(file)["statement"]) for file in files)


def figures() -> dict[str, int]:
    theorems, page = rows("counts/theorems.csv"), in_words("results/README.md")
    first = re.search(r"(\d+) are wrong, (\d+) are settled", page)
    large = re.search(r"judges (\d+) more: (\d+) are right, \S+ is settled\.", page)
    assert first and large
    more, right = map(int, large.groups())
    return {
        "encodings": sum(each.dimacs for each in ENCODINGS.values()),
        "theorem boards": len(theorems),
        "boards": len(library()),
        "theorems": sum(int(row["numbers"]) for row in theorems),
        "statements": len(table("in-python.md")[1:]) + in_files("") + in_files("large/"),
        "more": in_files("large/"),
        "wrong": int(first[1]) + more - right - 1,
        "settled": int(first[2]) + 1,
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
    sources = [row["source"] for row in rows("census.csv")]
    sources += [row[-1] for row in table("in-python.md")]
    for file in RESULTS.glob("published/**/*.toml"):
        sources.append(tomllib.loads(file.read_text(encoding="utf-8")).get("source", ""))
    names = {match[0] for match in map(repository.match, sources) if match}
    assert f"the {len(names)} repositories that were looked" in in_words("results/README.md")


def test_the_page_of_proofs_has_the_measured_bytes():
    measured: dict[str, set[str]] = {}
    for row in rows("benchmarks/proofs.csv"):
        date = f"`{row['board']}` {row['reveal']} ({int(row['tilings']):,})"
        measured.setdefault(date, {"-", "not reached"}).add(f"{int(row['bytes'] or 0):,}")
    shown = {date: set(rest) for date, *rest in table("benchmarks/proofs.md") if date in measured}
    assert shown.keys() == measured.keys()
    assert all(figures <= measured[date] for date, figures in shown.items())
