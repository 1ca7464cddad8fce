"""What several pages are made of: heads, pictures, files, and what a command prints."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import satcal


def head(description: str) -> Iterator[str]:
    """What a search engine, and a page that links here, shows of a page."""
    text = json.dumps(description.replace("**", ""), ensure_ascii=False)
    yield "---\nmyst:\n  html_meta:"
    yield f"    description: {text}\n    property=og:description: {text}\n---\n"


def shown(name: str, what: str, more: str = "") -> str:
    """A picture in the theme that the page has."""
    light = f"![{what}]({name}.svg){{.only-light{more}}}"
    return f"{light}![{what}]({name}.dark.svg){{.only-dark{more}}}"


def draw(stem: Path, *about: Any) -> None:
    """Write a picture in both themes, for what ``satcal.picture`` takes."""
    for theme, suffix in (("light", ".svg"), ("dark", ".dark.svg")):
        picture = satcal.picture(*about, theme=theme)
        stem.with_name(stem.name + suffix).write_text(picture.svg(), encoding="utf-8")


def kept(folder: Path, *paths: Path) -> Iterator[str]:
    """Links to files, which are copied into the folder."""
    for path in paths:
        shutil.copy(path, folder)
        yield f"- {{download}}`{path.name} <{path.name}>`"


def asked(*words: str) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "satcal", *words, "--quiet"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
