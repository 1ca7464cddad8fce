"""The bytes of a certificate, and its reveals in texts."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from satcal.errors import printable
from satcal.files import failing
from satcal.puzzle.model import Reveal, name_reveal

Source = Path | bytes
"""A certificate: its file, or its bytes."""


def open_source(source: Source) -> AbstractContextManager[BinaryIO]:
    """Open a certificate.

    Raises:
        FileTrouble: the file cannot be read.
    """
    if isinstance(source, bytes):
        return BytesIO(source)
    with failing(f"certificate {printable(source)}"):
        return open(source, "rb")


def format_reveal(reveal: Reveal) -> str:
    """Return a reveal for an error or a summary, as :func:`quote_labels`, with words isolated."""
    return isolate(quote_labels(reveal))


def quote_labels(reveal: Reveal) -> str:
    """Return the labels of a reveal; quote one with other characters than words have."""
    labels = (label if re.fullmatch(r"[\w.-]+", label) else f'"{label}"' for label in reveal)
    return name_reveal(tuple(labels))


def isolate(text: str) -> str:
    """Return a text in which no word moves the text beside it by its direction of writing.

    >>> isolate("Oct 6"), len(isolate("אוק 6"))
    ('Oct 6', 7)
    """
    return re.sub(
        r"[^\s\"',:]+",  # linear: one way to match
        lambda word: word[0] if word[0].isascii() else f"\u2068{word[0]}\u2069",
        text,
    )
