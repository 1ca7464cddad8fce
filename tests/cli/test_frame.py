"""The frame of all commands: help, names, words, and where a result goes."""

from __future__ import annotations

import gzip
import json
import lzma

import click
import pytest

from command import commands
from satcal.cli.main import COMMANDS, MEANINGS, cli


def test_the_help_lists_17_commands_and_fits_a_screen(run) -> None:
    lines = run("--help").out.splitlines()
    assert len(COMMANDS) == 17
    assert len(lines) <= 30
    assert all(any(name in line.split() for line in lines) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_help_with_every_option(run, monkeypatch, name) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words, command in commands(name):
        answer = run(f"{words} --help")
        assert answer.code == 0
        assert len(answer.out.splitlines()) <= (45 if name == "count" else 60)
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert not parameter.hidden
                assert parameter.help
                assert max(parameter.opts, key=len) in answer.out


def test_an_option_has_one_short_name_everywhere() -> None:
    names: dict[str, set[str]] = {}
    for _, command in commands():
        for option in command.params:
            for short in (name for name in option.opts if name[1:2] != "-" and name[0] == "-"):
                names.setdefault(short, set()).add(max(option.opts, key=len))
    assert {short for short, long in names.items() if len(long) > 1} == set()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("slove", "solve"),
        ("conut", "count"),
        ("crosscheck", "cross-check"),
        ("list", "boards"),
        ("verify", "--method"),
        ("draw", "solve -o"),
        ("stats", "count -o"),
        ("LIST", "boards"),
        ("xyzzy", "--help"),
    ],
)
def test_a_wrong_command_is_answered_by_the_nearest_name_or_by_its_meaning(
    run, wrong, named
) -> None:
    answer = run(wrong)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err.splitlines()[-1]


def test_every_meaning_is_a_command_that_exists() -> None:
    assert len(MEANINGS) >= 20
    for wrong, meant in MEANINGS.items():
        assert wrong not in COMMANDS
        assert meant.split()[0] in (*COMMANDS, "--help", "--version")


def test_no_command_at_all_shows_the_help_and_the_version_is_told(run) -> None:
    assert "Verify" in run("").err + run("").out
    assert "version" in run("--version").out


def test_a_bug_is_one_line_and_exit_70(run, monkeypatch) -> None:
    monkeypatch.setattr("satcal.cli.count.select", lambda *_, **__: 1 / 0)
    answer = run("count")
    assert (answer.code, len(answer.err.splitlines())) == (70, 1)


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("satcal cou", "count"),
        ("satcal count rh", "rhombus"),
        ("satcal count -b weekday-", "weekday-monday"),
        ("satcal count --fewer", "--fewer-than"),
        ("satcal solve --method s", "search"),
    ],
)
def test_words_are_completed(run, monkeypatch, line, values) -> None:
    words = line.split()
    monkeypatch.setenv("_SATCAL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert f"plain,{values}" in run("").out.splitlines()


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "rhombus 2025-10-23",
        "2025-10-23 RHOMBUS",
        "--board Rhombus --date 2025-10-23",
        "rhombus Oct 23 --year 2025",
        "rhombus --board rhombus Thursday, 23 October 2025",
    ],
)
def test_board_and_date_are_words_in_any_order(run, line) -> None:
    (row,) = run(f"count -q {line}").rows
    assert (row["date"], row["tilings"]) == ("2025-10-23", "201")


def test_a_file_in_the_folder_makes_no_word_a_board(run, folder) -> None:
    (folder / "6").touch()
    (folder / "rhombus").touch()
    assert run("count -q Oct 6").rows[0]["tilings"] == "7"
    assert run("count -q rhombus 2025-10-23").rows[0]["tilings"] == "201"


@pytest.mark.parametrize(("line", "rows"), [("", 2), ("a-puzzle-a-day all", 366)])
def test_the_environment_names_the_usual_board(run, monkeypatch, line, rows) -> None:
    monkeypatch.setenv("SATCAL_BOARD", "small.toml")
    assert len(run(f"count -q {line}").rows) == rows


def test_the_environment_names_a_board_as_a_word_does(run, monkeypatch) -> None:
    monkeypatch.setenv("SATCAL_BOARD", "Dragonfjord")
    assert run("count -q Oct 6").rows[0]["tilings"] == "7"


# --- where a result goes -------------------------------------------------------------------------

LINE = "count small.toml --all-reveals -q"


def test_dash_is_standard_output(run, folder) -> None:
    before = sorted(folder.iterdir())
    assert run(f"{LINE} -o -").rows == run(LINE).rows
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("name", ["t.csv", "new/folder/t.csv", "T.CSV"])
def test_a_suffix_chooses_the_format_and_a_folder_is_made(run, folder, name) -> None:
    answer = run(f"{LINE} -o {name}")
    assert (answer.code, answer.out) == (0, "")
    assert (folder / name).read_text() == run(LINE).out


@pytest.mark.parametrize(("suffix", "read"), [(".gz", gzip.open), (".xz", lzma.open)])
def test_what_is_packed_is_what_is_printed(run, folder, suffix, read) -> None:
    assert run(f"{LINE} -o t.csv{suffix}").code == 0
    with read(folder / f"t.csv{suffix}", "rt") as file:
        assert file.read() == run(LINE).out


def test_a_file_is_replaced_by_force_only(run, refused, folder) -> None:
    assert run(f"{LINE} -o a.json").code == 0
    before = (folder / "a.json").read_text()
    refused(f"{LINE} -o a.json", 2, "--force")
    assert (folder / "a.json").read_text() == before
    assert run("count small.toml --reveal a -q -o a.json --force").code == 0
    assert [row["tilings"] for row in json.loads((folder / "a.json").read_text())] == [2]


def test_what_is_wrong_leaves_no_file(run, folder) -> None:
    before = sorted(folder.iterdir())
    assert run(f"{LINE} --method sat --encoding nothing -o a.csv").code == 2
    assert run("solve small.toml --reveal a --rank 3 -o a.txt").code == 1
    assert sorted(folder.iterdir()) == before


def test_what_quiet_leaves_out_is_said_on_standard_error(run) -> None:
    assert run(LINE).err == ""
    assert run(LINE.replace("-q", "")).err != ""
    assert run(LINE).out == run(LINE.replace("-q", "")).out


def test_the_options_of_the_group_are_those_of_the_program() -> None:
    assert [parameter.name for parameter in cli.params] == ["version"]
