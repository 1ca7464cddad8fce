import re
from pathlib import Path

import click
import pytest

from helpers.commands import commands
from satcal.cli import option_groups
from satcal.cli.main import COMMANDS, GROUPS, cli

ROOT = Path(__file__).parents[2]
EXAMPLES = "\n".join(
    page.read_text() for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md")))
)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_every_option_has_help(satcal, name):
    command = cli.get_command(click.Context(cli), name)
    for each in (command, *getattr(command, "commands", {}).values()):
        assert each.help, each.name
        for parameter in each.params:
            assert isinstance(parameter, click.Argument) or parameter.help, parameter.name
    said = satcal(f"{name} --help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: satcal {name} ")


def test_the_help_lists_every_command_in_its_group_and_fits_a_screen(satcal):
    lines = satcal("--help").out.splitlines()
    assert len(lines) <= 45
    listed = [line.strip() for line in lines[lines.index("Play:") :]]
    expected = []
    for group, names in GROUPS.items():
        expected += [f"{group}:", *names]
    assert [line.split()[0] for line in listed] == expected


def listed(text):
    """Return the options that a help lists."""
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE))


def test_a_help_lists_common_options_in_groups_and_all_of_them_on_request(satcal):
    some, every = satcal("count --help").out, satcal("count --help-all").out
    titles = [f"{title}:" for title in ("Options", *option_groups.GROUPS)]
    assert [line for line in some.splitlines() if line in titles] == titles
    assert {"--lemmas", "--solver", "--cubes"} <= listed(every) - listed(some)
    assert listed(some) < listed(every)
    for name, command in commands():
        if option_groups.has_rare(command):
            assert "--help-all" in listed(satcal(f"{name} --help").out)


def test_every_option_of_a_group_is_an_option():
    known = {parameter.name for _, command in commands() for parameter in command.params}
    assert known >= {name for names in option_groups.GROUPS.values() for name in names}
    assert known >= option_groups.RARE


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=str)
def test_what_the_examples_of_the_documentation_use_is_not_left_to_help_all(name, command):
    rare = [each for each in command.params if each.name in option_groups.RARE]
    asked = "\n".join(re.findall(rf"satcal {name}\b[^\n`|]*", EXAMPLES))
    used = set(re.findall(r"(?<=\s)--?[\w-]+", asked))
    assert not [each.name for each in rare if used & set(each.opts)]


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("solve --number 3", "--rank"),
        ("fabricate --square 20", "--cell"),
        ("cross-check --program clasp", "--with"),
        ("count --less-than 20", "--fewer-than"),
    ],
)
def test_an_option_is_found_by_its_name_or_by_what_its_help_says(satcal, line, option):
    said = satcal(line)
    assert said.code == 2
    assert f"Did you mean '{option}'?" in said.err


def test_no_command_at_all_shows_the_help(satcal):
    said = satcal()
    assert said.code == 2
    assert "Usage: satcal" in said.err + said.out


def test_the_version_is_told(satcal):
    assert satcal("--version").out.startswith("satcal, version 0.")
    assert satcal("-V").out.count("\n") == 1


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [(ZeroDivisionError(), 70, "internal error: ZeroDivisionError"), (SystemExit(3), 3, "")],
)
def test_a_bug_is_one_line_and_what_leaves_by_itself_keeps_its_exit_code(
    satcal, monkeypatch, raised, code, message
):
    def failing(*_):
        raise raised

    monkeypatch.setattr("satcal.cli.boards.load", failing)
    said = satcal("boards")
    assert (said.code, message in said.err, len(said.err.splitlines()) <= 1) == (code, True, True)


@pytest.mark.parametrize("words", ["--version --verbose", "--verbose -V"])
def test_the_version_says_which_checkers_there_are(satcal, fake, monkeypatch, words):
    path = fake("drat-trim", "exit 0")
    monkeypatch.setenv("SATCAL_VERIFIED", "/nowhere")
    lines = satcal(words).out.splitlines()
    assert lines[1] == "checkers of certificates:"
    assert f"  drat-trim: {path}" in lines
    assert lines[-1] == "solvers that this PySAT lacks: none"
    assert lines[-2].startswith("  verified: SATCAL_VERIFIED=/nowhere is not a program")
    monkeypatch.setenv("SATCAL_VERIFIED", str(path))
    assert satcal(words).out.splitlines()[-2] == f"  verified: {path}"
