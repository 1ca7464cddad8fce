"""The reference has every command, option, public name, file key, exit code and format."""

from __future__ import annotations

import inspect
import re
import shlex
from pathlib import Path

import click
import pytest

import satcal
import satcal.errors as errors
import satcal.published.reading as reading
from command import commands
from docs.pages import DOCS, PAGES
from satcal.cli.main import COMMANDS, INTERNAL_ERROR
from satcal.encoding.export import FORMATS
from satcal.published.evaluating import COUNTERS
from satcal.published.statements import FOLDS, RANGES
from satcal.puzzle.loading import KEYS

EXAMPLE = r"```(?:console|sh)\n(.*?)```"


def text(name: str) -> str:
    """Return the text of a page of the reference."""
    return (DOCS / "reference" / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_an_example_and_its_options_come_from_the_program(name):
    section = text("commands").partition(f"### {name}\n")[2].partition("\n### ")[0]
    (example,) = re.findall(EXAMPLE, section, re.DOTALL)
    assert f"satcal {name}" in example
    assert re.findall(r"^```{options} (.*)$", section, re.MULTILINE) == [name]


def in_column(page: str, head: str) -> set[str]:
    """Return the words in backticks of the first column of the table with this head."""
    rows = text(page).partition(f"\n| {head} |")[2].partition("\n\n")[0].splitlines()
    return {word for row in rows[2:] for word in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_the_table_of_formats_has_every_format_and_no_other():
    styles = set(FORMATS)
    for _, command in commands():
        for parameter in command.params:
            if parameter.name == "style" and isinstance(parameter.type, click.Choice):
                styles |= set(parameter.type.choices)
    assert in_column("conventions", "`--format`") == styles


def test_every_exit_code_is_described_and_no_other():
    kinds = [each for each in vars(errors).values() if inspect.isclass(each)]
    codes = {each.exit_code for each in kinds if issubclass(each, errors.SatcalError)}
    rows = text("conventions").partition("## Exit codes")[2].partition("\n## ")[0]
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", rows, re.MULTILINE)} == {
        0,
        INTERNAL_ERROR,
        *codes,
    }


def test_the_table_of_the_environment_has_every_variable_and_no_other():
    sources = [path.read_text("utf-8") for path in Path(satcal.__path__[0]).rglob("*.py")]
    named = {name for source in sources for name in re.findall(r"\bSATCAL_[A-Z]+\b", source)}
    internal = {"SATCAL_COMPLETE", "SATCAL_SERVE"}  # click's, and what `serve` tells its children
    assert in_column("conventions", "variable") - {"--cluster", "--token"} == {
        *(named - internal),
        "NO_COLOR",
    }


def test_every_public_name_is_on_the_page_of_python():
    page = text("python")
    assert "automodule:: satcal.api" in page  # which describes them; here is that each is shown
    assert {name for name in satcal.__all__ if not re.search(rf"\b{name}\b", page)} == set()


def test_the_sections_of_the_puzzle_file_are_its_keys():
    heads = re.findall(
        r"^## (.*)$", re.sub(r"```.*?```", "", text("puzzle-file"), flags=re.S), re.M
    )
    others = {"the toml form", "area", "the plain form", "pieces on the board"}
    assert {head.lower() for head in heads} - others == {*KEYS}


def test_the_tables_of_the_claim_file_have_every_key_range_and_quantity_and_no_other():
    assert in_column("claim-file", "field") == {*reading.KEYS}
    ranges = in_column("claim-file", "`over` | quantities")
    assert {*RANGES} - {"", *ranges} == set()
    page = text("claim-file")
    for word in (*FOLDS, *(quantity for quantity, _ in COUNTERS)):
        assert re.search(rf"`\"?{word}\b[^`]*`", page), word


def test_a_command_that_only_a_server_could_run_is_one_of_the_program():
    known, read = dict(commands()), 0
    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for line in re.findall(r"^satcal (.*)$", block, re.MULTILINE):
                words = shlex.split(line, comments=True)
                group = " ".join(words[:2]) in known
                command = known[" ".join(words[: 1 + group])]
                command.make_parser(click.Context(command)).parse_args(words[1 + group :])
                read += 1
    assert read > 5
