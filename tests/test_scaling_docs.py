"""The examples of the pages about clusters and large boards print what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from satcal.cli.main import run

DOCS = Path(__file__).parent.parent / "docs"


def examples(page: str) -> list[tuple[str, str]]:
    blocks = re.findall(r"```console\n\$ (.*?)\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert blocks
    return list(blocks)


@pytest.mark.parametrize("page", ["cluster.md", "large-boards.md"])
def test_an_example_prints_what_the_page_says(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, output in examples(page):
        run(shlex.split(command)[1:])
        said = capsys.readouterr()
        assert said.out + said.err == output


@pytest.mark.parametrize("page", ["cluster.md", "large-boards.md"])
def test_every_link_of_the_page_leads_somewhere(page: str) -> None:
    for link in re.findall(r"\]\((?!http)([^)]+)\)", (DOCS / page).read_text()):
        path, _, heading = link.partition("#")
        assert (DOCS / path).exists(), link
        if heading:
            heads = re.findall(r"^#+ (.*)$", (DOCS / path).read_text(), re.MULTILINE)
            assert heading in [head.lower().replace(" ", "-") for head in heads], link
