"""One set of words: an option has one name, meaning, default and form wherever it is."""

import json
import re
from collections import defaultdict
from pathlib import Path

import click
import pytest

from helpers.certificates import made
from helpers.commands import commands
from helpers.stores import DIGEST, SAT, located
from satcal.files import read_text
from satcal.store.results import Store
from satcal.tables import TABULAR

OF_ITS_COMMAND = (
    "--limit --seed --size --what --with --all --verify --list --memory-limit --time-limit --open"
)
"""Options with one meaning whose help names what their command has."""

ELSEWHERE = {
    # it refuses other boards, notes nothing unless told, writes a proof, and prints a report
    "check": "--board --store --output --format",
    "store": "--board --method --reveal",  # they choose rows
    "site": "--board --output",  # several, and a folder
    "lint": "--board",  # without it no board is meant
    "claims": "--board --certify",  # of a table; a folder
    "serve": "--board --jobs --cluster",  # those of the service
    "design": "--pieces --flip",  # several sets, and all pieces at once
    "certify": "--output",
    "export": "--output --format",  # a folder, too; of a formula
    "draw": "--output",
    "animate": "--output",
    "fabricate": "--output",
    "arrange": "--output --proof",
    "new": "--output --copies",
    "check-design": "--format --board",  # of a report; as of lint
}
"""Options that are of another kind where they are."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with a certificate and a store of one count."""
    monkeypatch.chdir(tmp_path)
    Path("five.satcert").write_bytes(made("a3"))
    with Store(located("new.db")) as store:
        store.record(DIGEST, "daily", "", SAT, {"6 Oct": 7})
    return tmp_path


def options():
    """Yield each option of each command with the names of both, unless it is of another kind."""
    for words, command in commands():
        name = words.split()[0]
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                long = next(word for word in parameter.opts if word.startswith("--"))
                if long not in ELSEWHERE.get(name, "").split():
                    yield name, long, parameter


def told(parameter):
    """Return what must be alike: short name, form, whether it repeats, default, help."""
    short = tuple(sorted(word for word in parameter.opts if len(word) == 2))
    form = parameter.metavar or type(parameter.type).__name__
    default = None if callable(parameter.default) else repr(parameter.default)
    help = re.sub(r" +\[default: .*\]", "", parameter.help)
    return short, form, parameter.is_flag, parameter.multiple, parameter.envvar, default, help


def test_an_option_has_one_short_name_form_default_and_help_everywhere():
    seen = defaultdict(lambda: defaultdict(list))
    for command, name, parameter in options():
        if name not in OF_ITS_COMMAND.split():
            seen[name][told(parameter)].append(command)
    assert not {name: dict(forms) for name, forms in seen.items() if len(forms) > 1}


def test_tabular_formats_are_the_same_and_in_one_order():
    for command, name, parameter in options():
        if name == "--format":
            own = [each for each in parameter.type.choices if each not in TABULAR]
            assert own in ([], ["calendar"], ["text"], ["text", "lines"]), command
            assert set(parameter.type.choices) == {*own, *TABULAR}


@pytest.mark.parametrize(
    "command",
    [
        "boards",
        "show",
        "hint",
        "solve --limit 2",
        "stats --month 2025-10",
        "count -q",
        "count --difficulty -q",
        "check five.satcert",
        "store list --store new.db",
    ],
)
def test_json_is_one_value_and_ndjson_and_csv_have_a_line_for_each_row(satcal, folder, command):
    whole = json.loads(satcal(f"{command} --format json").out)
    lines = [json.loads(line) for line in satcal(f"{command} --format ndjson").out.splitlines()]
    timed = command.startswith("check")
    assert timed or lines == (whole if isinstance(whole, list) else [whole])
    rows = satcal(f"{command} --format csv").rows()
    assert len(rows) == len(lines)
    assert satcal(f"{command} --format markdown").out.splitlines()[1].startswith("|--")
    assert satcal(f"{command} --format table").out.split()[0] == next(iter(rows[0]))


def test_what_is_printed_goes_to_the_output_whose_suffix_says_the_format(satcal, folder):
    for name, style in (("a.json", "json"), ("a.md", "markdown"), ("a.csv.gz", "csv")):
        said = satcal(f"boards -o {name}")
        assert (said.code, said.out) == (0, "")
        assert said.err.startswith(f"{name}: ")
        assert read_text(Path(name), "list") == satcal(f"boards --format {style}").out
        assert satcal(f"boards -o {name} --force -q").err == ""
    said = satcal("solve --place O@r6c0 --place O@r0c0 -o none.txt")
    assert (said.code, Path("none.txt").exists()) == (1, False)


def test_what_another_method_heeds_is_no_option_without_effect(satcal):
    for heeded in ("--encoding plain", "--method search --encoding plain --verify 1"):
        assert satcal(f"count --reveal Oct,6 {heeded}").code == 0


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("ve", ["verify"]),
        ("count -b rh", ["rhombus"]),
        ("count --encoding pl", ["plain"]),
        ("count --solver cadical19", ["cadical195"]),
        ("count --format ca", ["calendar"]),
        ("export --format d", ["dimacs", "dlx"]),
        ("count --reveal No", ["Nov"]),
        ("count -b rhombus --reveal Thu,oc", ["Thu,Oct"]),
        ("check --board tet", ["tetromino"]),
        ("count --pieces weekday-", ["weekday-monday"]),
    ],
)
def test_values_are_completed(satcal, monkeypatch, words, answers):
    monkeypatch.setenv("_SATCAL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"satcal {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert satcal().out == "".join(f"plain,{answer}\n" for answer in answers)


def test_help_lists_encodings_and_solvers_and_the_boards_have_a_command(satcal):
    said = " ".join(satcal("count --help-all").out.split()).replace("- ", "-")
    for value in ("card-seqcounter", "cadical195", "`satcal boards`"):
        assert value in said
    assert "pentomino-8x8-hole" not in said


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize(
    "command",
    [
        "boards",
        "stats --month 2025-10",
        "count --year 2025 -q",
        "count -b rhombus --month 2025-10 --format table -q",
        "solve -b rhombus --date 2025-10-23",
    ],
)
def test_no_table_map_or_board_is_wider_than_the_terminal(satcal, monkeypatch, columns, command):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("satcal.tables.sys.stdout.isatty", lambda: True, raising=False)
    shown = re.sub(r"\x1b\[[\d;]*m", "", satcal(command).out)
    assert max(map(len, shown.splitlines())) <= columns
