"""Every example of docs/reference/http.md runs, and prints what the text says."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from helpers.programs import named_in, need

TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "http.md").read_text()


def examples():
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield pytest.param(command, output.strip("\n"), id=command[:70])


@pytest.mark.parametrize(("command", "output"), list(examples()))
def test_an_example_prints_what_the_text_says(server, command, output) -> None:
    need(*named_in(command))
    said = subprocess.run(
        ["bash", "-c", command],
        env=os.environ | {"SATCAL": server.url},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert said.stdout.strip("\n") == output
