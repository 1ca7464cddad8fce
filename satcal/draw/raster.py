"""Pictures as bytes of a format: SVG as it is, PNG and PDF by cairosvg."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from satcal.draw.svg import Picture
from satcal.errors import FormatError, Missing, OptionError

SUFFIXES = (".svg", ".png", ".pdf")
LEAST_SIZE, GREATEST_SIZE = 16, 20_000  # pixels; a PNG takes four bytes for each while drawn
DEFAULT_SIZE = 1200
_NEEDS = 'pip install "satcal[draw]"'


def encode(picture: Picture, suffix: str, size: int | None = None) -> bytes:
    """Return a picture as the bytes of a file with a suffix such as ``.png``.

    Args:
        picture: the picture.
        suffix: one of ``SUFFIXES``.
        size: the longer side in pixels; None for the picture's own (SVG, PDF), or 1200 (PNG).

    Raises:
        OptionError: a size out of range.
        FormatError: an unknown suffix.
        Missing: no cairosvg, no cairo library, or no font.
    """
    if size is not None and not LEAST_SIZE <= size <= GREATEST_SIZE:
        raise OptionError(f"--size {size}: use {LEAST_SIZE} to {GREATEST_SIZE:,} pixels")
    if suffix == ".svg":
        return picture.svg(size).encode()
    if suffix not in SUFFIXES:
        raise FormatError(
            f"'{suffix}' is no format of a picture; end the file's name with {', '.join(SUFFIXES)}"
        )
    cairosvg = _cairosvg()
    if suffix == ".pdf":
        return _undated(bytes(cairosvg.svg2pdf(bytestring=picture.svg(size).encode())))
    text = picture.svg(size or DEFAULT_SIZE)
    return bytes(cairosvg.svg2png(bytestring=text.encode()))


def suffix_of(path: str) -> str:
    """Return the suffix that decides a file's format; ``-``, standard output, is SVG.

    Raises:
        FormatError: no suffix, or one that satcal cannot write.
    """
    suffix = ".svg" if path == "-" else Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise FormatError(f"{path}: end the file's name with {', '.join(SUFFIXES)}")
    return suffix


def _cairosvg() -> ModuleType:
    try:
        import cairocffi
        import cairosvg
    except ImportError as error:
        raise Missing(f"PNG and PDF need {error.name}: {_NEEDS}; SVG needs nothing") from error
    except OSError as error:  # the Python part is there, the C library is not
        raise Missing(
            "PNG and PDF need the cairo library: apt-get install libcairo2 (or brew install "
            "cairo); SVG needs nothing"
        ) from error
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_A8, 8, 8)
    if not cairocffi.Context(surface).text_extents("8")[2]:
        raise Missing("no font was found: apt-get install fonts-dejavu-core; SVG needs none")
    found: ModuleType = cairosvg
    return found


def _undated(pdf: bytes) -> bytes:
    """Return a PDF without the clock's reading, so that the same picture has the same bytes."""
    return re.sub(rb"(/CreationDate \(D:)[0-9]{14}", rb"\g<1>20000101000000", pdf)
