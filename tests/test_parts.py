"""A part that is missing comes with the command that adds it, whichever way satcal came here."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from satcal import parts

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def packages(extra):
    """Return the names of an extra's packages, and of those of extras that it includes."""
    names = set()
    for each in EXTRAS[extra]:
        if inner := re.fullmatch(r"satcal\[(.*)\]", each):
            names |= packages(inner[1])
        else:
            names.add(re.match(r"[\w-]+(\[\w+\])?", each)[0])
    return names


@pytest.mark.parametrize("part", parts.PARTS)
def test_a_part_has_the_packages_of_its_extra(part):
    assert set(parts.PARTS[part]) == packages(part)


@pytest.mark.parametrize(
    ("pip", "command"),
    [
        (True, "{python} -m pip install 'psycopg[binary]'"),
        (None, "uv pip install --python {python} 'psycopg[binary]'"),
    ],
)
def test_without_pip_the_command_is_one_of_uv(monkeypatch, pip, command):
    monkeypatch.setattr(parts, "find_spec", lambda name: pip)
    assert parts.command_for("postgres") == command.format(python=sys.executable)


def test_no_message_and_no_page_installs_an_extra_of_satcal_from_an_index():
    sources = [ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"), *ROOT.glob("satcal/**/*.py")]
    assert not [path.name for path in sources if "satcal[" in path.read_text()]
