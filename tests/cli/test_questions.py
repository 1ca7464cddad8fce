"""What is asked on the command line is answered whole, or refused: no half of it is dropped."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from helpers.commands import commands
from satcal.cli import main as command_line
from satcal.cli import options


def dates(said):
    assert said.code == 0, said.err
    return [row["date"] for row in said.rows()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--date 2025-10-07 --date 2025-10-06", ["2025-10-06", "2025-10-07"]),
        ("--date 2025-10-06 --date 2025-10-06", ["2025-10-06"]),
        ("--date 2025-10-06 --from 2024-12-30", ["2024-12-30", "2024-12-31", "2025-10-06"]),
        ("--to 2025-01-02", ["2025-01-01", "2025-01-02"]),
        ("--from 2025-12-31 --from 2025-03-01 --to 2025-03-01", ["2025-03-01", "2025-12-31"]),
        ("--to 2025-03-02 --from 2025-03-01", ["2025-03-01", "2025-03-02"]),
        ("--to 2025-01-01 --from 2025-03-01 --to 2025-03-01", ["2025-01-01", "2025-03-01"]),
    ],
)
def test_dates_and_ranges_add_up(satcal, words, expected):
    assert dates(satcal(f"count -q --verify 0 {words}")) == expected


def test_months_and_years_add_up_and_a_row_asked_for_twice_is_one_row(satcal):
    assert len(dates(satcal("count -q --month 2025-02 --month 2024-02 --month 2025-02"))) == 57
    assert len(dates(satcal("count -q --year 2024 --year 2025 --date 2025-05-05"))) == 731


def test_certify_proves_every_date_that_is_named(satcal, tmp_path):
    both, one = tmp_path / "both.satcert", tmp_path / "one.satcert"
    assert satcal(f"certify -q --date 2025-10-05 --date 2025-10-06 -o {both}").code == 0
    assert satcal(f"check -q {both} --reveal Oct,5 --reveal Oct,6").code == 0
    assert satcal(f"certify -q --date 2025-10-05 -o {one}").code == 0
    assert satcal(f"check -q {one} --reveal Oct,5 --reveal Oct,6").code == 1


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=str)
def test_what_can_be_given_once_is_refused_the_second_time(satcal, name, command):
    assert isinstance(command, options.Command)
    for option in command.params:
        if isinstance(option, click.Option) and not (option.multiple or option.count):
            word = next(each for each in option.opts if each.startswith("--"))
            given = [word] if option.is_flag else [word, "1"]
            said = satcal(name, *given, *given)
            assert said.code == 2
            assert f"Error: {word} is given twice; give it once\n" in said.err


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=str)
def test_an_option_is_not_the_value_of_another(satcal, tmp_path, monkeypatch, name, command):
    monkeypatch.chdir(tmp_path)
    for option in command.params:
        if isinstance(option, click.Option) and not (option.is_flag or option.count):
            word = max(option.opts, key=len)
            said = satcal(name, word, "--help")
            assert said.code == 2
            assert f"Error: {word} needs a value; '--help' after it is an option\n" in said.err
    assert not list(tmp_path.iterdir())


def test_what_the_environment_sets_is_not_given_twice(satcal, monkeypatch):
    monkeypatch.setenv("SATCAL_BOARD", "rhombus")
    assert satcal("count -q -b a-puzzle-a-day --date 2025-10-06").rows()[0]["tilings"] == "7"


@pytest.mark.parametrize("option", ["--date", "--year", "--from", "--to", "--month"])
def test_four_digits_that_are_no_year_are_refused_with_what_they_may_mean(satcal, option):
    said = satcal("count", option, "1225")
    assert said.code == 2
    assert said.err == (
        f"satcal: error: {option} 1225: use a year from 1583 to 9999; did you mean Dec 25?\n"
    )


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("Dec 25", [("2025-12-25", "92")]),
        ("--date Dec 25", [("2025-12-25", "92")]),
        ("tomorrow", [("2025-12-26", "48")]),
        ("a-puzzle-a-day 12/25", [("2025-12-25", "92")]),
        ("25.12. dragonfjord", [("2025-12-25", "92")]),
        ("14 March 1985", [("1985-03-14", "44")]),
        ("Oct 6 Oct 7 2024", [("2024-10-07", "92"), ("2025-10-06", "7")]),
        ("--date Oct 6 --date Oct 7 2024", [("2024-10-07", "92"), ("2025-10-06", "7")]),
        ("rhombus Thursday 6 2025", None),
        ("rhombus --date Dec 25", [("2025-12-25", "137")]),
        ("--date Dec 25 rhombus", [("2025-12-25", "137")]),
        ("--date Dec rhombus 25", [("2025-12-25", "137")]),
        ("Feb 29", [("", "64")]),
        ("-b rhombus Feb 29", [("2028-02-29", "468")]),
        ("-b rhombus rhombus Dec 25", [("2025-12-25", "137")]),
    ],
)
def test_words_that_are_no_options_are_the_board_and_dates(satcal, words, rows):
    said = satcal(f"count -q --verify 0 --format csv {words}")
    if rows is None:
        assert said.code == 2
    else:
        assert [(row["date"], row["tilings"]) for row in said.rows()] == rows


def test_a_month_and_a_year_are_all_their_dates(satcal):
    assert len(dates(satcal("count -q --verify 0 rhombus 2026"))) == 365
    assert len(dates(satcal("count -q --verify 0 2025-02"))) == 28
    said = satcal("count --verify 0 2512")
    assert (len(dates(said)), "a-puzzle-a-day, 2512: " in said.err) == (366, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("count rhombu", "'rhombu' is neither a board nor a date; did you mean 'rhombus'?"),
        ("count Dex 25", "'Dex' is neither a board nor a date; did you mean 'Dec'?"),
        ("count rhombus weekday", "two boards, 'rhombus' and 'weekday'; give one of them"),
        ("show rhombus -b weekday", "two boards, 'rhombus' and 'weekday'; give one of them"),
        ("lint rhombus -b weekday", "two boards, 'rhombus' and 'weekday'; give one of them"),
        ("lint", "no puzzle given; name a file or a library puzzle"),
        ("count mine.toml", f"board mine.toml: no such file in {Path.cwd()}"),
        ("solve 3/4", "--date '3/4' could be Mar 4 or Apr 3; write the month as a word"),
        ("site a -o b", "two folders, a and b; give one of them"),
        ("site", "no folder given; write satcal site FOLDER"),
        ("new rhombus weekday x.toml", "'x.toml' is one name too many; write one file at a time"),
    ],
)
def test_a_word_that_is_neither_is_refused(satcal, words, message):
    said = satcal(words)
    assert (said.code, said.err) == (2, f"satcal: error: {message}\n")


@pytest.mark.parametrize(
    "command",
    [
        "count -q",
        "solve",
        "hint",
        "show",
        "draw tiling -o x.svg",
        "certify -q",
        "export -q",
        "stats",
        "animate -o x.gif",
        "lint -q",
        "check-design -q",
        "verify -q",
    ],
)
def test_every_command_that_knows_a_board_takes_it_as_a_word_and_by_its_option(
    satcal, small, command
):
    Path("folder").mkdir()
    where = {"certify": "-o folder", "export": "-o folder"}.get(command.split()[0], "")
    reveals = "" if command.split()[0] in ("lint", "check-design", "show") else "--reveal a"
    if command == "stats":
        reveals = "--all-reveals"
    as_word = satcal(f"{command} {small} {reveals} {where}")
    assert as_word.code == 0, as_word.err
    force = " --force" if "-o" in command + where else ""
    assert satcal(f"{command} -b {small} {reveals} {where}{force}").out == as_word.out


def test_the_library_wins_and_a_file_beside_it_is_named(satcal, small):
    Path("rhombus").write_text(Path(small).read_text())
    said = satcal("count rhombus Dec 25 --verify 0")
    assert said.rows()[0]["tilings"] == "137"
    assert said.err.startswith(
        "using rhombus from the library; for the file of that name write ./rhombus\n"
    )
    Path("rhombus").rename("mine.toml")
    assert satcal("count ./mine.toml --all-reveals -q").rows()[0]["tilings"] == "2"


def test_new_writes_the_file_that_it_is_given(satcal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert satcal("new mine.toml").code == 0
    assert Path("mine.toml").read_text() == satcal("new").out
    assert satcal("new rhombus ./other.toml").code == 0
    assert Path("other.toml").read_text() == satcal("new rhombus").out


def test_an_internal_error_is_no_verdict(satcal, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("x" * 1000 + "\x1b[2J")

    monkeypatch.setattr("satcal.cli.certify.checking.check", broken, raising=False)
    monkeypatch.setattr("satcal.cli.boards.library", broken)
    said = satcal("boards")
    assert said.code == 70
    assert said.err.startswith("satcal: internal error: RuntimeError: 'xxx")
    assert said.err.endswith("; please report it (SATCAL_DEBUG=1 says more)\n")
    assert len(said.err) < 160


def test_ctrl_c_while_satcal_is_imported_is_one_line(tmp_path):
    interrupting = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    (tmp_path / "click.py").write_text(interrupting)
    said = subprocess.run(
        [sys.executable, "-m", "satcal", "count", "--verify", "0"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (said.returncode, said.stdout, said.stderr) == (3, "", "satcal: stopped by Ctrl-C\n")


def test_the_installed_program_begins_where_ctrl_c_is_heard():
    wrapper = Path(sys.executable).with_name("satcal").read_text()
    assert "from satcal.__main__ import main" in wrapper


@pytest.mark.parametrize(
    "command",
    [
        "count -b",
        "lint",
        "check",
        "claims",
        "count --pieces",
        "draw tiling -o",
        "new -o",
        "certify --reveal Oct,6 -o",
        "count -q --verify 0 --place @",
    ],
)
def test_links_that_lead_to_one_another_are_named(satcal, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    name = "a.svg" if command.startswith("draw") else "a.toml"
    Path(name).symlink_to("b")
    Path("b").symlink_to(name)
    joined = command.endswith("@")
    said = satcal(*command[: -1 if joined else None].split(), f"@{name}" if joined else name)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert f"{name}: " in said.err
    assert "Too many levels of symbolic links" in said.err


@pytest.mark.parametrize("name", ["e\x1b[31mx.toml", "u\u202ex.toml", "new\nline.toml"])
@pytest.mark.parametrize(
    "command", ["count -b", "lint", "check", "count -o", "claims", "", "count --date", "count --"]
)
def test_what_a_terminal_obeys_is_quoted(satcal, tmp_path, monkeypatch, command, name):
    monkeypatch.chdir(tmp_path)
    joined = command.endswith("--")
    words = command.split()
    words = [*words[:-1], words[-1] + name] if joined else [*words, name]
    said = satcal("", *words)
    assert said.code == 2
    assert all(line.isprintable() for line in said.err.splitlines())
    assert repr(name)[1:-1] in said.err


def test_a_file_whose_name_a_terminal_obeys_is_read_and_written(satcal, small, tmp_path):
    odd = Path("\u202esmall.toml")
    odd.write_text(Path(small).read_text().replace("* * *", "* *"))
    said = satcal("count", "-b", str(odd), "--all-reveals")
    assert (said.code, said.err.startswith("satcal: error: '\\u202esmall.toml': ")) == (2, True)
    said = satcal("count", "-b", small, "--all-reveals", "-o", "\x1b.csv")
    assert (said.code, "'\\x1b.csv': " in said.err) == (0, True)
    assert Path("\x1b.csv").exists()


def test_ctrl_c_after_the_command_is_one_line(monkeypatch):
    from satcal import __main__ as program

    left = []
    monkeypatch.setattr(program, "_leave", lambda number, frame: left.append(number))

    def pressed():
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "main", pressed)
    program.main()
    assert left == [signal.SIGINT]
