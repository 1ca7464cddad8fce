"""One set of words: an option has one name, meaning, default and form wherever it is."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from certificates import made
from stored import DIGEST, SAT, located

from satcal.cli.main import COMMANDS, cli
from satcal.draw.tables import TABULAR
from satcal.files import read_text
from satcal.store.results import Store

OF_ITS_COMMAND = {
    "--limit": "at most so many of what the command lists",
    "--seed": "of what the command draws at random",
    "--size": "of the picture, in pixels",
    "--what": "which picture or plot",
    "--with": "with which boards or programs",
    "--all": "all of what the command finds",
    "--verify": "of count",
    "--list": "of design",
    "--memory-limit": "of what takes the memory",
    "--time-limit": "of what takes the time",
}
"""Options with one meaning whose help names what their command has."""

ELSEWHERE = {
    ("--board", "check"): "refuses other boards, so it has no default",
    ("--board", "store"): "chooses rows, so it has no default",
    ("--board", "site"): "several, all of the library by default",
    ("--pieces", "design"): "several sets, compared with those found",
    ("--flip", "design"): "of all pieces at once: they are not chosen yet",
    ("--board", "serve"): "of the library alone",
    ("--store", "check"): "notes nothing unless it is named",
    ("--jobs", "serve"): "the jobs of the service",
    ("--cluster", "serve"): "the same, with an environment variable",
    ("--output", "certify"): "a file or a folder",
    ("--output", "export"): "a file or a folder",
    ("--output", "draw"): "a picture",
    ("--output", "animate"): "a film",
    ("--output", "arrange"): "a puzzle",
    ("--output", "new"): "a puzzle",
    ("--format", "export"): "of a formula",
    ("--format", "check-design"): "of a report",
    ("--method", "store"): "chooses rows",
    ("--reveal", "store"): "chooses rows",
    ("--copies", "new"): "of a piece",
}
"""Where an option is of another kind, and why."""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The working directory, with a certificate and a store of one count."""
    monkeypatch.chdir(tmp_path)
    Path("five.satcert").write_bytes(made("a3"))
    with Store(located("new.db")) as store:
        store.record(DIGEST, "daily", "", SAT, {"6 Oct": 7})
    return tmp_path


def options() -> Iterator[tuple[str, str, click.Option]]:
    """Yield each option of each command with the names of both."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        groups = command.commands.values() if isinstance(command, click.Group) else [command]
        for each in groups:
            for parameter in each.params:
                if isinstance(parameter, click.Option):
                    long = next(word for word in parameter.opts if word.startswith("--"))
                    yield name, long, parameter


def told(parameter: click.Option) -> tuple[object, ...]:
    """Return what must be alike: short name, form, whether it repeats, default, help."""
    short = tuple(sorted(word for word in parameter.opts if len(word) == 2))
    form = parameter.metavar or type(parameter.type).__name__
    default = None if callable(parameter.default) else repr(parameter.default)
    help = re.sub(r" +\[default: .*\]", "", parameter.help)
    return short, form, parameter.is_flag, parameter.multiple, parameter.envvar, default, help


def test_an_option_has_one_short_name_form_default_and_help_everywhere():
    seen = defaultdict(lambda: defaultdict(list))
    for command, name, parameter in options():
        if name not in OF_ITS_COMMAND and (name, command) not in ELSEWHERE:
            seen[name][told(parameter)].append(command)
    assert not {name: dict(forms) for name, forms in seen.items() if len(forms) > 1}


def test_tabular_formats_are_the_same_and_in_one_order():
    for command, name, parameter in options():
        if name == "--format" and (name, command) not in ELSEWHERE:
            own = [each for each in parameter.type.choices if each not in TABULAR]
            assert own in ([], ["calendar"], ["text"], ["text", "lines"]), command
            assert set(parameter.type.choices) == {*own, *TABULAR}


@pytest.mark.parametrize(
    "command",
    ["boards", "show", "hint", "solve --limit 2", "stats --month 2025-10", "count -q",
     "count --difficulty -q", "plan -q --reveal Oct,6", "check five.satcert",
     "store list --store new.db"],
)  # fmt: skip
def test_json_is_one_value_and_ndjson_and_csv_have_a_line_for_each_row(satcal, folder, command):
    call = command.split()
    whole = json.loads(satcal(*call, "--format", "json").out)
    lines = [json.loads(line) for line in satcal(*call, "--format", "ndjson").out.splitlines()]
    timed = command.startswith(("plan", "check"))
    assert timed or lines == (whole if isinstance(whole, list) else [whole])
    rows = satcal(*call, "--format", "csv").rows()
    assert len(rows) == len(lines)
    assert satcal(*call, "--format", "markdown").out.splitlines()[1].startswith("|--")
    assert satcal(*call, "--format", "table").out.split()[0] == next(iter(rows[0]))


def test_what_is_printed_goes_to_the_output_whose_suffix_says_the_format(satcal, folder):
    for name, style in (("a.json", "json"), ("a.md", "markdown"), ("a.csv.gz", "csv")):
        said = satcal("boards", "-o", name)
        assert (said.code, said.out) == (0, "")
        assert said.err.startswith(f"{name}: ")
        assert read_text(Path(name), "list") == satcal("boards", "--format", style).out
        assert satcal("boards", "-o", name).err.endswith(
            "exists already; remove it or pass --force\n"
        )
        assert satcal("boards", "-o", name, "--force", "-q").err == ""
    said = satcal("solve", "--place", "O@r6c0", "--place", "O@r0c0", "-o", "none.txt")
    assert (said.code, Path("none.txt").exists()) == (1, False)


def test_what_another_method_heeds_is_no_option_without_effect(satcal):
    for heeded in ("--encoding plain", "--method search --encoding plain --verify 1"):
        assert satcal("count", "--reveal", "Oct,6", *heeded.split()).code == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [("boards --json", "boards --format json"), ("show --json", "show --format json"),
     ("solve --format=board", "solve --format text")],
)  # fmt: skip
def test_an_old_form_is_understood_with_a_warning(satcal, old, new):
    said = satcal(*old.split())
    assert said.out == satcal(*new.split()).out
    assert said.err.endswith(" now; a later version knows only that\n")


def test_a_command_that_is_misspelt_is_guessed(satcal):
    for wrong, right in (("cuont", "count"), ("board", "boards"), ("crosscheck", "cross-check")):
        assert f"no command '{wrong}'; did you mean '{right}'?" in satcal(wrong).err


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("ve", ["verify"]), ("count -b rh", ["rhombus"]),
        ("count --encoding pl", ["plain"]), ("count --solver cadical19", ["cadical195"]),
        ("count --format ca", ["calendar"]), ("export --format d", ["dimacs", "dlx"]),
        ("count --reveal No", ["Nov"]), ("count -b rhombus --reveal Thu,oc", ["Thu,Oct"]),
        ("check --board tet", ["tetromino"]), ("count --pieces weekday-", ["weekday-monday"]),
    ],
)  # fmt: skip
def test_values_are_completed(satcal, monkeypatch, words, answers):
    monkeypatch.setenv("_SATCAL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"satcal {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert satcal().out == "".join(f"plain,{answer}\n" for answer in answers)


def test_help_lists_encodings_solvers_and_boards(satcal):
    said = " ".join(satcal("count", "--help").out.split()).replace("- ", "-")
    for value in ("card-seqcounter", "cadical195", "pentomino-8x8-hole", "dragonfjord"):
        assert value in said


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize(
    "command",
    ["boards", "stats --month 2025-10", "stats --what compare", "count --year 2025 -q",
     "count -b rhombus --month 2025-10 --format table -q", "solve -b rhombus --date 2025-10-23"],
)  # fmt: skip
def test_no_table_map_or_board_is_wider_than_the_terminal(satcal, monkeypatch, columns, command):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("satcal.draw.tables.sys.stdout.isatty", lambda: True, raising=False)
    shown = re.sub(r"\x1b\[[\d;]*m", "", satcal(*command.split()).out)
    assert max(map(len, shown.splitlines())) <= columns
