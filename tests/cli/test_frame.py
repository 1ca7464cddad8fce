"""The frame of all commands: help, names, words, and where a result goes."""

import inspect
import sys
from pathlib import Path

import click
import pytest

import satcal
from command import commands
from satcal.cli.main import COMMANDS
from satcal.files import read_text


def test_the_help_lists_all_commands_and_fits_a_screen(run):
    lines = run("--help").out.splitlines()
    assert len(lines) <= 30
    assert all(any(name in line.split() for line in lines) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_help_with_every_option(run, monkeypatch, name):
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


def test_an_option_has_one_short_name_everywhere():
    names = {}
    for _, command in commands():
        for option in command.params:
            for short in (name for name in option.opts if name[1:2] != "-" and name[0] == "-"):
                names.setdefault(short, set()).add(max(option.opts, key=len))
    assert {short for short, long in names.items() if len(long) > 1} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_takes_one_value_is_not_given_twice(run, name):
    for words, command in commands(name):
        for option in command.params:
            if not isinstance(option, click.Option):
                continue
            first, last = max(option.opts, key=len), [*option.opts, *option.secondary_opts][-1]
            if not option.multiple and (not option.is_flag or option.secondary_opts):
                value = [] if option.is_flag else ["1"]
                answer = run(words, first, *value, last, *value)
                assert (answer.code, f"{first} " in answer.err) == (2, True), first
                assert "2 times" in answer.err


@pytest.mark.parametrize(
    ("line", "dates"),
    [
        ("--date 2026-10-08 --date 2026-10-06", ["2026-10-06", "2026-10-08"]),
        ("Oct 6 --year 2026 --year 2027", ["2026-10-06", "2027-10-06"]),
        ("Oct 6 --date 2026 --date 2027", ["2026-10-06", "2027-10-06"]),
    ],
)
def test_dates_and_years_are_collected(run, line, dates):
    assert [row["date"] for row in run(f"count -q {line}").rows] == dates


def test_no_command_at_all_shows_the_help_and_the_version_is_told(run):
    assert [(run(line).code, run(line).err) for line in ("", "store")] == [(0, ""), (0, "")]
    assert "Verify" in run("").out
    assert "import" in run("store").out
    assert "version" in run("--version").out


def test_no_error_advises_fewer_processes_to_a_command_without_them(run, monkeypatch):
    def fill(*_, **__):
        raise MemoryError

    monkeypatch.setattr("satcal.cli.show.load", fill)
    answer = run("show rhombus")
    assert (answer.code, "memory" in answer.err, "--jobs" in answer.err) == (3, True, False)


def test_a_bug_is_one_line_and_exit_70(run, monkeypatch):
    monkeypatch.setattr("satcal.cli.count.select", lambda *_, **__: 1 / 0)
    answer = run("count")
    assert (answer.code, len(answer.err.splitlines())) == (70, 1)
    monkeypatch.setenv("SATCAL_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("count")


@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("count --date 2025-10-06 --method sat", 73),
        ("certify --date 2025-10-06 -o there.satcert --force", 75),
    ],
)
def test_the_way_from_the_words_to_the_number_is_short(run, line, most):
    package, seen = Path(satcal.__file__).parent, set()

    def note(frame, event, argument):
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED and code.co_name[0] != "<"
        if event == "call" and is_function and package in Path(code.co_filename).parents:
            seen.add((code.co_filename, code.co_qualname))

    assert run(line).code == 0  # all modules are imported
    sys.setprofile(note)
    run(line)
    sys.setprofile(None)
    assert len(seen) <= most, seen
    assert len({file for file, _ in seen}) <= 20


@pytest.mark.parametrize(
    ("variable", "value", "word"),
    [
        ("SATCAL_CLUSTER", "nowhere", "--cluster"),
        ("SATCAL_TOKEN", "letmein", "16"),
    ],
)
def test_the_environment_gives_a_server_its_options(refused, monkeypatch, variable, value, word):
    monkeypatch.setenv(variable, value)
    refused("serve --port 0 --store kept.sqlite", 2, word)


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("satcal cou", "count"),
        ("satcal count rh", "rhombus"),
        ("satcal count --enc", "--encoding"),
        ("satcal export --lemmas c", "closed"),
    ],
)
def test_words_are_completed(run, monkeypatch, line, values):
    words = line.split()
    monkeypatch.setenv("_SATCAL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert f"plain,{values}" in run("").out.splitlines()


# --- words ---------------------------------------------------------------------------------------


def test_a_file_in_the_folder_makes_no_word_a_board(run, folder):
    (folder / "6").touch()
    (folder / "rhombus").touch()
    assert run("count -q Oct 6").rows[0]["tilings"] == "7"
    assert run("count -q rhombus 2025-10-23").rows[0]["tilings"] == "201"


@pytest.mark.parametrize(
    ("usual", "line", "rows"),
    [
        ("small.toml", "", 2),
        ("small.toml", "a-puzzle-a-day all", 366),
        ("Dragonfjord", "Oct 6 2025", 1),
    ],
)
def test_the_environment_names_the_usual_board(run, monkeypatch, usual, line, rows):
    monkeypatch.setenv("SATCAL_BOARD", usual)
    assert len(run(f"count -q {line}").rows) == rows


# --- where a result goes -------------------------------------------------------------------------

LINE = "count small.toml --all-reveals -q"


@pytest.mark.parametrize("name", ["t.csv", "new/folder/t.csv", "T.CSV", "t.csv.gz"])
def test_a_suffix_chooses_the_format_and_a_folder_is_made(run, folder, name):
    answer = run(f"{LINE} -o {name}")
    assert (answer.code, answer.out) == (0, "")
    assert read_text(folder / name, "table") == run(LINE).out


def test_a_file_is_replaced_by_force(run, folder):
    (folder / "a.csv").write_text("before")
    assert run(f"{LINE} -o a.csv --force").code == 0
    assert (folder / "a.csv").read_text() == run(LINE).out


def test_what_quiet_leaves_out_is_said_on_standard_error(run):
    assert run(LINE).err == ""
    assert run(LINE.replace("-q", "")).err != ""
    assert run(LINE).out == run(LINE.replace("-q", "")).out


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("export small.toml --all-reveals", ["manifest.csv", "small-a.ladder.cnf"]),
        ("certify small.toml --all-reveals", ["manifest.csv", "small-a.satcert"]),
        ("solve small.toml --all-reveals", ["small-a.txt"]),
        ("solve small.toml --all-reveals --format csv", ["small-a.csv"]),
        ("solve small.toml --all-reveals --format svg", ["small-a.svg"]),
    ],
)
def test_a_slash_or_a_folder_asks_for_a_file_for_each_date(run, refused, folder, line, names):
    (folder / "there").mkdir()
    for output in ("new/", "there"):
        assert run(f"{line} -o {output}").code == 0
        written = sorted(path.name for path in (folder / output).iterdir())
        assert [name for name in written if "small-b" not in name] == names
        assert len(written) == len(names) + 1
        before = [path.read_bytes() for path in sorted((folder / output).iterdir())]
        refused(f"{line} -o {output}", 2, "--force")
        assert [path.read_bytes() for path in sorted((folder / output).iterdir())] == before
