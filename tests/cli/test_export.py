"""``satcal export``: where formulas go, and what their files are called."""

import csv
import hashlib

import pytest
from pysat.formula import CNF

from satcal.encoding.export import export_text
from satcal.files import read_text
from satcal.puzzle.loading import load
from satcal.puzzle.placed import parse_place


def names(folder):
    """Return the names of the files in a folder, but for the manifest."""
    return sorted(path.name for path in folder.iterdir() if path.name != "manifest.csv")


def test_the_command_prints_what_the_library_returns(run):
    daily, small = load("a-puzzle-a-day"), load("small.toml")
    placed = parse_place(small, "I:r0c0,r0c1")
    seams = {
        "export 2025-10-06 --lemmas closed": export_text(daily, ("Oct", "6"), lemmas="closed"),
        "export small.toml --reveal a": export_text(small, ("a",)),
        "export -b small.toml --open --format asp": export_text(small, None, format="asp"),
        "export small.toml --open --place I:r0c0,r0c1": export_text(small, None, place=placed),
    }
    for line, text in seams.items():
        answer = run(line)
        assert (answer.code, answer.out) == (0, text), line


def test_a_file_has_the_format_of_its_name(run, folder):
    for suffix, mark in ((".opb", "* "), (".dlx", "| "), (".lp", "% "), (".cnf.xz", "c ")):
        assert run(f"export small.toml --reveal a -o y{suffix}").code == 0
        assert read_text(folder / f"y{suffix}", "formula").startswith(mark)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("--reveal Oct,6 --lemmas closed -o cnfs/", "a-puzzle-a-day-Oct-6.ladder.closed.cnf"),
        ("2026-12-31 --encoding plain -o cnfs/", "a-puzzle-a-day-2026-12-31.plain.cnf"),
        ("pentomino-3x20 --format opb -o cnfs/", "pentomino-3x20.opb"),
        ("-b small.toml --open -o cnfs/", "small-open.ladder.cnf"),
    ],
)
def test_the_name_of_a_file_says_what_is_in_it(run, folder, line, name):
    assert run(f"export {line}").code == 0
    assert names(folder / "cnfs") == [name]


def test_the_manifest_says_what_the_files_of_a_folder_are(run, folder):
    line = "export --reveal Oct,6 --reveal Feb,30 --lemmas closed -o cnfs/"
    assert run(f"{line} --encoding plain,ladder").code == 0
    assert run("export small.toml --reveal a -o cnfs/").code == 0
    assert run("export small.toml --reveal a --format opb -o cnfs/").code == 0
    with open(folder / "cnfs" / "manifest.csv") as stream:
        rows = {row["file"]: row for row in csv.DictReader(stream)}
    assert list(rows) == names(folder / "cnfs")
    for name, row in rows.items():
        text = read_text(folder / "cnfs" / name, "formula")
        assert hashlib.sha256(text.encode()).hexdigest() == row["sha256"]
        if name.endswith("opb"):
            assert (row["encoding"], row["clauses"], row["tilings"]) == ("", "", "")
            continue
        cnf = CNF(from_string=text)
        assert row["lemmas"] == ("none" if row["puzzle"] == "small" else "closed")
        assert row["encoding"] in name
        assert row["determined"] == "yes"
        assert int(row["clauses"]) == len(cnf.clauses)
        assert int(row["literals"]) == sum(map(len, cnf.clauses))
        assert f"p cnf {row['variables']} {row['clauses']}\n" in text
        assert row["digest"] in text
        assert row["tilings"] == {"Oct,6": "7", "Feb,30": "34", "a": ""}[row["reveal"]]


def test_a_folder_with_another_manifest_is_left_alone(refused, folder):
    (folder / "cnfs").mkdir()
    (folder / "cnfs" / "manifest.csv").write_text("mine\n")
    refused("export small.toml --reveal a -o cnfs/", 2, "manifest.csv")
    assert names(folder / "cnfs") == []


def test_nothing_is_written_where_one_of_the_files_exists(run, refused, folder):
    (folder / "cnfs").mkdir()
    there = folder / "cnfs" / "small-b.ladder.cnf"
    there.write_text("mine")
    refused("export small.toml --all-reveals -o cnfs/", 2, there.name)
    assert list((folder / "cnfs").iterdir()) == [there]
    assert run("export small.toml --all-reveals -o cnfs/ --force").code == 0
    assert names(folder / "cnfs") == ["small-a.ladder.cnf", "small-b.ladder.cnf"]
    assert there.read_text() != "mine"


def test_an_encoding_that_needs_projection_says_so(run):
    line = "export small.toml --reveal a --encoding card-totalizer"
    assert "projection" in run(line).err
    assert run(f"{line} -q").err == ""
