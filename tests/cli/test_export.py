"""``satcal export``: where formulas go, and what their files are called."""

from __future__ import annotations

import csv
import gzip
import hashlib
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from pysat.formula import CNF

from command import Answer
from satcal.encoding.decode import read_formula
from satcal.encoding.export import export
from satcal.files import locking, read_text
from satcal.puzzle.loading import load
from satcal.puzzle.placed import parse_place

Run = Callable[..., Answer]
PLACE = "P:r0c0,r0c1,r1c0,r1c1,r2c0"


def test_the_command_prints_what_the_library_returns(run: Run, folder: Path) -> None:
    daily, small = load("a-puzzle-a-day"), load("small.toml")
    place = parse_place(daily, PLACE)
    seams = {
        "export --reveal Oct,6": export(daily, ("Oct", "6")),
        "export 2025-10-06 --encoding plain": export(daily, ("Oct", "6"), encoding="plain"),
        "export Oct 6 --lemmas closed": export(daily, ("Oct", "6"), lemmas="closed"),
        f"export --reveal Oct,7 --place {PLACE}": export(daily, ("Oct", "7"), place=place),
        "export -b small.toml --open --format asp": export(small, None, format="asp"),
        "export small.toml --open --place I:r0c0,r0c1": export(
            small, None, place=parse_place(small, "I:r0c0,r0c1")
        ),
        "export pentomino-3x20 --format opb": export(load("pentomino-3x20"), (), format="opb"),
    }
    for line, text in seams.items():
        answer = run(line)
        assert (answer.code, answer.out) == (0, text), line


def test_a_file_is_packed_and_has_the_format_of_its_name(run: Run, folder: Path) -> None:
    plain = run("export Oct 6").out
    for name, opened in (("x.cnf", open), ("new/x.cnf.gz", gzip.open), ("x.cnf.xz", lzma.open)):
        assert run(f"export Oct 6 -o {name}").code == 0
        with opened(folder / name, "rt") as stream:
            assert stream.read() == plain
    for suffix, mark in ((".opb", b"* "), (".dlx", b"| "), (".lp", b"% "), (".cnf", b"c ")):
        assert run(f"export Oct 6 -o y{suffix}").code == 0
        assert (folder / f"y{suffix}").read_bytes().startswith(mark)
    assert run("export Oct 6 -o -").out == plain


def test_a_folder_has_a_file_for_each_date_and_encoding_that_sorts_by_date(
    run: Run, folder: Path
) -> None:
    line = "export rhombus 2026-12-31..2027-01-01 --encoding plain,ladder -o cnfs/"
    assert run(line).code == 0
    days = ["2026-12-31", "2027-01-01"]
    names = [f"rhombus-{day}.{name}.cnf" for day in days for name in ("ladder", "plain")]
    assert sorted(path.name for path in (folder / "cnfs").iterdir()) == ["manifest.csv", *names]
    for path in (folder / "cnfs").glob("*.cnf"):
        head = read_formula(path.read_text(), path.name, "dimacs").head
        assert path.name.endswith(f".{head.encoding}.cnf")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("export --reveal Oct,6 -o cnfs/", "a-puzzle-a-day-10-06.ladder.cnf"),
        ("export --reveal Oct,6 -o cnfs", "a-puzzle-a-day-10-06.ladder.cnf"),
        ("export rhombus --reveal Thu,Feb,30 -o cnfs/", "rhombus-02-30-Thu.ladder.cnf"),
        ("export Oct 6 --lemmas closed -o cnfs/", "a-puzzle-a-day-2025-10-06.ladder.closed.cnf"),
        ("export --open -o cnfs/", "a-puzzle-a-day-open.ladder.cnf"),
        ("export pentomino-3x20 --format opb -o cnfs/", "pentomino-3x20.opb"),
        ("export small.toml --reveal a --encoding owner -o cnfs/", "small-a.owner.cnf"),
    ],
)
def test_the_name_of_a_file_says_what_is_in_it(
    run: Run, folder: Path, line: str, name: str
) -> None:
    assert run(line).code == 0
    assert sorted(path.name for path in (folder / "cnfs").iterdir()) == sorted(
        [name, "manifest.csv"]
    )


def test_the_open_formula_takes_pieces_from_a_file(run: Run, folder: Path) -> None:
    (folder / "there.txt").write_text("O: 1 2 3 8 9 10\n")
    said = [run("export --open --place", place).out for place in ("there.txt", "O:1,2,3,8,9,10")]
    assert said[0] == said[1] != ""


def test_the_manifest_says_what_the_files_of_a_folder_are(run: Run, folder: Path) -> None:
    assert run("export --reveal Oct,6 --reveal Feb,30 --encoding plain -o cnfs/").code == 0
    assert run("export --reveal Oct,6 --lemmas closed -o cnfs/").code == 0
    assert run("export small.toml --reveal a --format opb -o cnfs/").code == 0
    with open(folder / "cnfs" / "manifest.csv") as stream:
        rows = {row["file"]: row for row in csv.DictReader(stream)}
    assert list(rows) == sorted(rows)
    assert rows.keys() == {path.name for path in (folder / "cnfs").iterdir()} - {"manifest.csv"}
    for name, row in rows.items():
        text = read_text(folder / "cnfs" / name, "formula")
        assert hashlib.sha256(text.encode()).hexdigest() == row["sha256"]
        if name.endswith("opb"):
            assert (row["encoding"], row["clauses"], row["tilings"]) == ("", "", "")
            continue
        cnf = CNF(from_string=text)
        assert (row["encoding"], row["lemmas"]) in (("plain", "none"), ("ladder", "closed"))
        assert int(row["clauses"]) == len(cnf.clauses)
        assert int(row["literals"]) == sum(map(len, cnf.clauses))
        assert f"p cnf {row['variables']} {row['clauses']}\n" in text
        assert row["digest"] in text
        assert int(row["tilings"]) == {"Oct,6": 7, "Feb,30": 34}[row["reveal"]]


def test_a_folder_with_another_manifest_is_left_alone(run: Run, folder: Path) -> None:
    (folder / "cnfs").mkdir()
    (folder / "cnfs" / "manifest.csv").write_text("mine\n")
    answer = run("export Oct 6 -o cnfs/")
    assert (answer.code, "manifest.csv" in answer.err) == (2, True)
    assert len(list((folder / "cnfs").iterdir())) == 1


def test_nothing_is_written_where_one_of_the_files_exists(run: Run, folder: Path) -> None:
    (folder / "cnfs").mkdir()
    there = folder / "cnfs" / "a-puzzle-a-day-2025-10-08.ladder.cnf"
    there.write_text("mine")
    answer = run("export 2025-10-06..2025-10-08 -o cnfs/")
    assert (answer.code, there.name in answer.err) == (2, True)
    assert list((folder / "cnfs").iterdir()) == [there]
    assert run("export 2025-10-06..2025-10-08 -o cnfs/ --force").code == 0
    assert len(list((folder / "cnfs").iterdir())) == 4  # with the manifest
    assert there.read_text() != "mine"


def test_only_one_process_writes_into_a_folder(run: Run, folder: Path) -> None:
    with locking(folder / "cnfs"):
        answer = run("export Oct 6 -o cnfs/")
    assert (answer.code, "cnfs" in answer.err) == (3, True)
    assert not list(folder.glob("cnfs/*"))
    assert run("export Oct 6 -o cnfs/").code == 0


def test_an_encoding_that_needs_projection_says_so(run: Run) -> None:
    assert "projection" in run("export Oct 6 --encoding card-totalizer").err
    assert run("export Oct 6 --encoding card-totalizer -q").err == ""


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("export Oct 6..Oct 7", 2, "-o DIR/"),
        ("export Oct 6 --encoding plain,ladder", 2, "-o DIR/"),
        ("export Oct 6 --encoding plane", 2, "plain"),
        ("export Oct 6 --encoding native", 2, "opb"),
        ("export Oct 6 --lemmas single", 2, "closed"),
        ("export Oct 6 --format opb --encoding plain", 2, "opb"),
        ("export Oct 6 --format opb --lemmas closed", 2, "--lemmas"),
        ("export Oct 6 --format opb -o x.cnf", 2, "x.cnf"),
        ("export Oct 6 -o x.txt", 2, "x.txt"),
        ("export Oct 6 -o small.toml", 2, "small.toml"),
        ("export --open Oct 6", 2, "Oct 6"),
        ("export --open --reveal Oct,6", 2, "--open"),
        ("export small.toml --date today", 2, "--reveal"),
        ("export Oct 6 --place I:r0c0", 2, "I"),
    ],
)
def test_it_is_refused(
    refused: Callable[[str, int, str], None], line: str, code: int, word: str
) -> None:
    refused(line, code, word)


def test_a_solver_that_pysat_was_built_without_is_missing(run: Run) -> None:
    answer = run("count Oct 6 --method sat --solver cryptosat")
    assert (answer.code, "cryptosat" in answer.err) == (4, True)
