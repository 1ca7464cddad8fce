"""`satcal store`: what is kept, listed, moved, checked and removed from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.certificates import FIVE, made
from helpers.stores import DIGEST, SAT, located
from satcal.store.results import Store


@pytest.fixture
def filled(satcal, small, where, monkeypatch):
    monkeypatch.setenv("SATCAL_STORE", where)
    assert satcal("verify", "-b", str(small), "--all-reveals", "-q").code == 0
    return where


def test_info_says_where_and_how_much_and_check_that_it_is_sound(satcal, filled):
    where, *lines, evidence = satcal("store", "info").out.splitlines()
    assert where.startswith("store: ")
    assert [line.rpartition(" by ")[2] for line in lines] == ["results: 6", "diagram: 3", "sat: 3"]
    assert evidence == "evidence: 0 certified counts"
    assert satcal("store", "check").out == (
        "6 results, 0 counted more than once\nno damage, no contradictions\n"
    )


def test_list_shows_the_rows_that_are_asked_for(satcal, small, filled):
    satcal("count", "-b", str(small), "--reveal", "a", "--place", "I@r1c0", "--method", "sat")
    listed = satcal("store", "list").out.splitlines()
    assert len(listed) == 7
    assert sum("  a  [##x2@r1c0]  " in line for line in listed) == 1
    said = satcal("store", "list", "-b", str(small), "--reveal", "b", "--method", "sat")
    assert said.out.startswith("small  b  4  sat ladder cadical195 ")
    assert len(satcal("store", "list", "--limit", "2").out.splitlines()) == 2
    assert satcal("store", "list", "--digest", "zz").out == ""
    said = satcal("store", "list", "-b", str(small), "--reveal", "z")
    assert (said.code, "reveal: small has no label 'z'" in said.err) == (2, True)


def test_a_reveal_is_found_in_any_order(satcal, file):
    with Store(located(str(file))) as store:
        store.record(DIGEST, "daily", "", SAT, {"23 Oct Thu": 7, "6 Oct": 8})
    call = ("--store", str(file), "--reveal")
    for reveal in ("Thu,Oct,23", "23 Oct Thu", "Oct, 23, Thu"):
        assert satcal("store", "list", *call, reveal).out == f"daily  23 Oct Thu  7  {SAT}\n"
    assert satcal("store", "list", *call, "Oct,7").out == ""
    assert satcal("store", "prune", *call, "Oct,6").out == "1 result removed\n"


def test_an_export_is_imported_elsewhere_and_a_lie_is_a_contradiction(satcal, filled, tmp_path):
    saved, lie = tmp_path / "saved.csv.gz", tmp_path / "lie.json"
    assert satcal("store", "export", "-o", str(saved)).err.startswith("6 results\n")
    elsewhere = ("--store", str(tmp_path / "other.sqlite"))
    assert satcal("store", "import", str(saved), *elsewhere).out == "6 of 6 results are new\n"
    assert satcal("store", "import", str(saved), *elsewhere).out == "0 of 6 results are new\n"
    assert satcal("store", "export", *elsewhere).out == satcal("store", "export").out
    records = json.loads(satcal("store", "export", "--format", "json").out)
    lie.write_text(json.dumps([{**records[0], "tilings": "5"}]))
    said = satcal("store", "import", str(lie), *elsewhere)
    assert (said.code, said.out) == (1, "1 of 1 results are new\n")
    assert "CONTRADICTION small a: 4 by diagram" in said.err
    assert satcal("store", "check", *elsewhere).code == 1


def test_prune_removes_what_is_chosen_and_never_all_unasked(satcal, filled):
    assert satcal("store", "prune").code == 2
    said = satcal("store", "prune", "--method", "sat", "--dry-run")
    assert said.out == "3 results to remove\n"
    assert satcal("store", "prune", "--method", "sat").out == "3 results removed\n"
    assert "results: 3" in satcal("store", "info").out


def test_looking_at_a_store_that_is_not_there_makes_none(satcal, file):
    for command in ("info", "list", "check", "export", "evidence", "prune --method sat"):
        said = satcal("store", *command.split(), "--store", str(file))
        assert (said.code, f"store {file}: no such file" in said.err) == (2, True)
    assert not file.exists()


def test_a_store_is_for_its_owner_alone(satcal, file, small, monkeypatch, tmp_path):
    call = ("count", "-b", str(small), "--method", "sat", "--all-reveals")
    assert satcal(*call, "--store", str(file)).code == 0
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("store.sqlite*")} == {0o600}
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SATCAL_STORE")
    assert satcal(*call).code == 0
    assert (tmp_path / "data" / "satcal").stat().st_mode & 0o777 == 0o700


def test_certify_and_check_note_what_was_accepted(satcal, tmp_path, file, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SATCAL_STORE", str(file))
    Path("five.toml").write_text(FIVE)
    satcal("certify", "-b", "five.toml", "--reveal", "a,1", "-o", "x.satcert")
    Path("y.satcert").write_bytes(made("a3"))
    satcal("check", "y.satcert", "--store", str(file))
    lines = satcal("store", "evidence").out.splitlines()
    noted = [line.split("  ")[:3] for line in lines]
    assert noted == [["five", "1 a", "29"], ["five", "3 a", "5"]]
    assert "evidence: 2 certified counts" in satcal("store", "info").out
    assert satcal("store", "check").code == 0


BOARD = "pentomino-3x20"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "diagrams"))
    return tmp_path / "diagrams"


def test_the_kept_diagrams_are_listed_by_board_and_removed(satcal, cache, small):
    assert satcal("count", "-q", "-b", str(small), "--all-reveals", "--no-cache").code == 0
    assert satcal("store", "diagrams").out == f"{cache}: 0 diagrams, 0 bytes\n"
    for board in (BOARD, str(small)):
        assert satcal("count", "-q", "-b", board, "--all-reveals").code == 0
    sizes = {path.stat().st_size for path in cache.iterdir()}
    kept = json.loads(satcal("store", "diagrams", "--format", "json").out)
    assert {each["board"] for each in kept} == {BOARD, ""}
    assert {each["bytes"] for each in kept} == sizes
    (cache / "of-somebody-else").touch()
    there = f"{cache}: 2 diagrams, {sum(sizes):,} bytes"
    for call, said in (
        (["store", "diagrams"], there),
        (["store", "diagrams", "--remove"], f"{there} removed"),
    ):
        assert satcal(*call).out.splitlines()[0] == said
    assert [path.name for path in cache.iterdir()] == ["of-somebody-else"]


def test_a_diagram_that_cannot_be_removed_is_named(satcal, cache):
    (cache / "diagram-0.zip").mkdir(parents=True)
    said = satcal("store", "diagrams", "--remove")
    assert said.code == 2
    assert "Is a directory" in said.err
    assert "diagram-0.zip" in said.err
