"""`satcal store`: what is kept, listed, moved, checked and removed from the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
import pytest

from satcal.cli.store import store as group

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
    assert lines[1] == "schema: 1 results, 2 boards and their puzzles, 3 evidence, 4 jobs"
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


def test_a_store_that_is_not_there_yet_is_an_empty_one(satcal, file) -> None:
    said = satcal("store", "list", "--store", str(file))
    assert (said.code, said.out) == (0, "")
