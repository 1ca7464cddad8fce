"""Every example of docs/service.md runs, and prints what the text says."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest
from programs import named_in, need

from satcal.service.config import Limits

TEXT = (Path(__file__).parents[2] / "docs" / "service.md").read_text()


def examples():
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield pytest.param(command, output.strip("\n"), id=command[:70])


@pytest.mark.parametrize(("command", "output"), list(examples()))
def test_an_example_prints_what_the_text_says(server, command, output) -> None:
    need(*named_in(command))
    said = subprocess.run(
        ["bash", "-c", command], env=os.environ | {"SATCAL": server.url},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert said.stdout.strip("\n") == output


def test_the_limits_are_those_of_the_text() -> None:
    known = {field.name: field.default for field in fields(Limits)}
    for name, text in {
        "cells": "{} cells", "pieces": "{} pieces", "reveals": "{:,} reveals", "posted": "{} are",
        "build_seconds": "{:.0f} s to build", "answer_seconds": "{:.0f} s for a question",
        "queued": "{} waiting", "kept_jobs": "{} kept", "connections": "| {}, 64 |",
        "small": "{} cells without", "diagrams": "| {}, each",
        "rate": "{:.0f} requests", "burst": "{:.0f} at once",
    }.items():  # fmt: skip
        assert text.format(known[name]) in TEXT, name
    for name, text in {
        "body": "| {}, a certificate", "upload": "a certificate {}",
        "bodies": "on their way | {}", "uploads": "their verdict | {}",
    }.items():  # fmt: skip
        size = known[name] // 1024
        shown = text.format(f"{size // 1024} MiB" if size >= 1024 else f"{size} KiB")
        assert shown in TEXT, name
