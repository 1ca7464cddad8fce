"""`satcal store`: what is kept, listed, moved, checked and removed from the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
import pytest
from stored import located

from satcal.cli.store import store as group
from satcal.store.keys import Method
from satcal.store.results import Store

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.fixture
def filled(satcal, small, where, monkeypatch) -> str:
    monkeypatch.setenv("SATCAL_STORE", where)
    assert satcal("verify", "-b", str(small), "--all-reveals", "-q").code == 0
    return where


@pytest.mark.parametrize("name", ["info", "list", "export", "import", "check", "prune"])
def test_every_subcommand_and_option_has_help(satcal, name) -> None:
    command = group.commands[name]
    assert command.help
    for parameter in command.params:
        assert isinstance(parameter, click.Argument) or parameter.help, parameter.name
    assert satcal("store", name, "--help").out.startswith(f"Usage: satcal store {name} ")


def test_info_says_where_and_how_much(satcal, filled) -> None:
    said = satcal("store", "info")
    lines = said.out.splitlines()
    assert lines[0].startswith("store: ")
    assert lines[1] == (
        "schema: 1 results, 2 boards and their puzzles, 3 evidence, 4 jobs, "
        "5 whose puzzles were posted"
    )
    assert lines[2] == "results: 6"
    assert [line.rpartition(" by ")[2] for line in lines[3:-1]] == ["diagram: 3", "sat: 3"]
    assert lines[-1] == "evidence: 0 checked certificates"


def test_list_shows_the_rows_that_are_asked_for(satcal, small, filled) -> None:
    assert len(satcal("store", "list").out.splitlines()) == 6
    said = satcal("store", "list", "-b", str(small), "--reveal", "b", "--method", "sat")
    assert said.out.startswith("small  b  4  sat ladder cadical195 ")
    assert len(satcal("store", "list", "--limit", "2").out.splitlines()) == 2
    assert satcal("store", "list", "--digest", "zz").out == ""
    assert satcal("store", "list", "-b", str(small), "--digest", "ab").code == 2


@pytest.mark.parametrize("reveal", ["Thu,Oct,23", "thu,oct,23", "23 OCT thu", "oct, 23, Thu"])
def test_a_reveal_is_found_in_any_order_and_case(satcal, where, reveal) -> None:
    with Store(located(where)) as store:
        store.record("ab" * 32, "daily", "", Method("sat"), {"23 Oct Thu": 7, "24 Fri Oct": 8})
    said = satcal("store", "list", "--store", where, "--reveal", reveal)
    assert (said.code, said.out) == (0, "daily  23 Oct Thu  7  sat\n")
    assert satcal("store", "prune", "--store", where, "--reveal", reveal).out.startswith("1 result")


def test_a_reveal_that_may_be_two_is_none_but_in_the_capitals_of_one(satcal, where) -> None:
    with Store(located(where)) as store:
        store.record("ab" * 32, "daily", "", Method("sat"), {"6 OCT": 7, "6 Oct": 8})
    said = satcal("store", "prune", "--store", where, "--reveal", "oct,6")
    assert (said.code, said.out) == (2, "")
    assert "--reveal oct 6: it may be '6 OCT' or '6 Oct'; write capitals as the store" in said.err
    said = satcal("store", "list", "--store", where, "--reveal", "Oct,6")
    assert said.out == "daily  6 Oct  8  sat\n"
    assert satcal("store", "list", "--store", where, "--reveal", "oct,7").out == ""


def test_a_reveal_of_a_board_is_checked_by_the_board(satcal, small, filled) -> None:
    board = ("-b", str(small), "--reveal")
    assert len(satcal("store", "list", *board, "B").out.splitlines()) == 2
    said = satcal("store", "list", *board, "z")
    assert (said.code, "reveal: small has no label 'z'" in said.err) == (2, True)


def test_conditions_are_listed_with_their_rows(satcal, small, filled) -> None:
    satcal("count", "-b", str(small), "--reveal", "a", "--place", "I@r1c0", "--method", "sat")
    listed = satcal("store", "list").out
    assert "  a  [##x2@r1c0]  " in listed


def test_an_export_is_imported_elsewhere_and_a_lie_is_a_contradiction(
    satcal, filled, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.csv.gz"
    assert satcal("store", "export", "-o", str(saved)).err.startswith("6 results written to ")
    assert satcal("store", "export", "-o", str(saved)).code == 2  # it is there already
    elsewhere = ("--store", str(tmp_path / "other.sqlite"))
    assert satcal("store", "import", str(saved), *elsewhere).out == "6 of 6 results are new\n"
    assert satcal("store", "import", str(saved), *elsewhere).out == "0 of 6 results are new\n"
    out = satcal("store", "export").out
    assert satcal("store", "export", *elsewhere).out == out
    assert len(list(csv.DictReader(io.StringIO(out)))) == 6
    lie = tmp_path / "lie.json"
    records = json.loads(satcal("store", "export", "--format", "json").out)
    lie.write_text(json.dumps([{**records[0], "tilings": "5"}]))
    said = satcal("store", "import", str(lie), *elsewhere)
    assert said.code == 1
    assert said.out == "1 of 1 results are new\n"
    assert "CONTRADICTION small a: 4 by diagram" in said.err
    assert satcal("store", "check", *elsewhere).code == 1
    assert satcal("store", "check").code == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("puzzle,board", "board", "line 2: its fields are not puzzle,board"),
        (",4,1,", ",4.5,1,", "line 2: tilings '4.5' is not as an export writes it"),
        (",4,1,", ",4,0,", "line 2: times '0' is not"),
        (",diagram,", ",,", "line 2: method '' is not"),
    ],
)
def test_a_text_that_no_export_wrote_is_refused_whole(
    satcal, filled, tmp_path: Path, old, new, message
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(satcal("store", "export").out.replace(old, new, 1))
    said = satcal("store", "import", str(path), "--store", str(tmp_path / "other.sqlite"))
    assert said.code == 2
    assert message in said.err
    assert "results: 0" in satcal("store", "info", "--store", str(tmp_path / "other.sqlite")).out


@pytest.mark.parametrize("text", ["[1", "{1", '[{"puzzle": 1}]', "[1]"])
def test_broken_json_is_refused(satcal, tmp_path: Path, file, text) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    assert satcal("store", "import", str(path), "--store", str(file)).code == 2


NO_EXPORT = {
    "[" * 5000: "x.csv: from line 1 on: not JSON: nested too deeply; export it anew",
    '{"puzzle": "a"}\n' + '{"puzzle":' * 5000: "x.csv: line 1: its fields are not puzzle,board",
    '{"puzzle":' * 5000: "x.csv: from line 1 on: not JSON: nested too deeply",
    "[\n1,\n]": "x.csv: line 3: not JSON: ",
    '[{"puzzle": ' + "1" * 5000 + "}]": "x.csv: entry 1: its fields are not puzzle,board",
    "[" + "1" * 5000 + "]": "x.csv: entry 1: its fields are not puzzle,board",
    '{"a": ' + "1" * 5000 + "}": "x.csv: line 1: its fields are not puzzle,board",
    "puzzle,board\n" + 'a,"' + "b" * 200_000: "x.csv: line 2: not CSV: field larger than field",
    "puzzle,board\n\na,b\n": "x.csv: line 3: its fields are not puzzle,board",
    "a" * 200_000: "x.csv: line 1: not CSV: field larger than field limit (131072); is a quotation",
}


@pytest.mark.parametrize("text", NO_EXPORT, ids=lambda text: text[:12])
def test_what_no_export_writes_is_refused_with_its_line(
    satcal, tmp_path: Path, monkeypatch, file, text
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text(text)
    said = satcal("store", "import", "x.csv", "--store", str(file))
    assert said.code == 2
    assert NO_EXPORT[text] in said.err


@pytest.mark.parametrize("field", ["board", "reveal", "counted_at"])
def test_text_that_no_database_takes_is_refused(satcal, filled, tmp_path: Path, field) -> None:
    records = json.loads(satcal("store", "export", "--format", "json").out)
    path = tmp_path / "x.json"
    path.write_text(json.dumps([records[0] | {field: "\ud800"}]))
    said = satcal("store", "import", str(path), "--store", str(tmp_path / "other.sqlite"))
    assert (said.code, f"entry 1: {field} is no text; export it anew" in said.err) == (2, True)


def test_an_empty_file_holds_no_results(satcal, tmp_path: Path, file) -> None:
    (tmp_path / "x.csv").touch()
    said = satcal("store", "import", str(tmp_path / "x.csv"), "--store", str(file))
    assert (said.code, said.out) == (0, "0 of 0 results are new\n")


def test_rows_are_imported_from_lines_of_any_kind(satcal, filled, tmp_path: Path) -> None:
    for number, style in enumerate(("csv", "json", "ndjson")):
        text = satcal("store", "export", "--format", style).out
        path = tmp_path / f"x.{style}"
        path.write_bytes(text.replace("\n", "\r\n").encode())
        elsewhere = ("--store", str(tmp_path / f"other{number}.sqlite"))
        assert satcal("store", "import", str(path), *elsewhere).out == "6 of 6 results are new\n"
        assert satcal("store", "export", "--format", style, *elsewhere).out == text


def test_prune_removes_what_is_chosen_and_never_all_unasked(satcal, filled) -> None:
    assert satcal("store", "prune").code == 2
    said = satcal("store", "prune", "--method", "sat", "--dry-run")
    assert said.out == "3 results would be removed\n"
    assert satcal("store", "prune", "--method", "sat").out == "3 results are removed\n"
    assert satcal("store", "prune", "--damaged").out == "0 results are removed\n"
    assert "results: 3" in satcal("store", "info").out


def test_check_of_a_sound_store_says_so(satcal, filled) -> None:
    said = satcal("store", "check")
    assert said.out == (
        "6 results, 0 counted more than once\nnothing is damaged, nothing contradicts\n"
    )


def test_without_a_store_there_is_nothing_to_look_at(satcal) -> None:
    assert satcal("store", "info", "--store", "none").code == 2
    assert satcal("count", "--store", "none", "--fresh").code == 2


def test_looking_at_a_store_that_is_not_there_makes_none(satcal, file) -> None:
    for command in ("info", "list", "check", "export", "evidence", "prune --damaged"):
        said = satcal("store", *command.split(), "--store", str(file))
        assert (said.code, said.out) == (2, "")
        assert said.err == (
            f"satcal: error: store {file}: there is none; name the one you mean by --store\n"
        )
    assert not file.exists()


def test_a_store_is_for_its_owner_alone(satcal, file, small, monkeypatch, tmp_path) -> None:
    call = ("count", "-b", str(small), "--method", "sat", "--all-reveals")
    assert satcal(*call, "--store", str(file)).code == 0
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("store.sqlite*")} == {0o600}
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SATCAL_STORE")
    assert satcal(*call).code == 0
    assert (tmp_path / "data" / "satcal").stat().st_mode & 0o777 == 0o700


def test_a_misspelt_folder_of_a_store_is_not_made(satcal, small, tmp_path) -> None:
    where = tmp_path / "typo" / "x.sqlite"
    said = satcal(
        "count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", str(where)
    )
    assert (said.code, said.out) == (3, "")
    assert f"there is no folder {where.parent}" in said.err
    assert not where.parent.exists()
