from pathlib import Path

import click
import pytest

from satcal.cli.main import COMMANDS, cli

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_every_option_has_help_and_a_place_in_the_guide(satcal, name):
    command = cli.get_command(click.Context(cli), name)
    for each in (command, *getattr(command, "commands", {}).values()):
        assert each.help, each.name
        for parameter in each.params:
            assert isinstance(parameter, click.Argument) or parameter.help, parameter.name
    said = satcal(f"{name} --help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: satcal {name} ")
    assert f"satcal {name}" in GUIDE


def test_the_help_lists_every_command_in_order(satcal):
    listed = satcal("--help").out.partition("Commands:")[2].splitlines()
    assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS)


def test_no_command_at_all_shows_the_help(satcal):
    said = satcal()
    assert said.code == 2
    assert "Usage: satcal" in said.err + said.out


def test_the_version_is_told(satcal):
    assert satcal("--version").out.startswith("satcal, version 0.")


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [(ZeroDivisionError(), 1, "internal error: ZeroDivisionError"), (SystemExit(3), 3, "")],
)
def test_a_bug_is_one_line_and_what_leaves_by_itself_keeps_its_exit_code(
    satcal, monkeypatch, raised, code, message
):
    def failing(*_):
        raise raised

    monkeypatch.setattr("satcal.cli.boards.load", failing)
    said = satcal("boards")
    assert (said.code, message in said.err, len(said.err.splitlines()) <= 1) == (code, True, True)
