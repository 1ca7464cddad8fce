"""Small, valid SVG, also as the bytes of a PNG or PDF file."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from satcal.draw.outline import format_coordinate
from satcal.errors import FormatError, Missing, OptionError
from satcal.files import write_bytes
from satcal.parts import command_for

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
SUFFIXES = (".svg", ".png", ".pdf")
SIZES = range(16, 20_001)  # pixels; a PNG takes four bytes for each while drawn
DEFAULT_SIZE = 1200
DPI = 96  # as in CSS
# XML 1.0 has no way to write these
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def element(name: str, content: str | None = None, /, **attributes: str | float) -> str:
    """An element with ``stroke-width`` for ``stroke_width``; content is not escaped."""
    pairs = ""
    for key, value in attributes.items():
        text = value if isinstance(value, str) else format_coordinate(value)
        pairs += f' {key.replace("_", "-")}="{escape(clean(text))}"'
    return f"<{name}{pairs}/>" if content is None else f"<{name}{pairs}>{content}</{name}>"


def text_element(
    text: str, x: float, y: float, size: float, colour: str, anchor: str = "middle", **more: str
) -> str:
    """Text that is centred vertically, and horizontally by its anchor."""
    # capitals and digits are about 0.7 high: half of that is below the centre
    place = {"x": x, "y": y + 0.36 * size, "font_size": size}
    return element("text", escape(clean(text)), **more, **place, fill=colour, text_anchor=anchor)


def font_size_for(text: str, width: float, size: float) -> float:
    """A font size, at most ``size``, at which a text fits a width."""
    return min(size, width / (0.64 * max(1, len(text))))


@dataclass
class Picture:
    """A picture before it is written: its extent, and elements from back to front.

    ``length_unit`` is a unit such as ``mm``; empty means pixels.
    """

    width: float
    height: float
    title: str
    description: str
    background: str | None = None
    elements: list[str] = field(default_factory=list)
    length_unit: str = ""

    def add(self, *elements: str) -> None:
        """Draw elements above those that are there."""
        self.elements += elements

    def headline(self, y: float, size: float, margin: float, colour: str) -> None:
        """Write the title in the middle, smaller where it needs the margin."""
        size = font_size_for(self.title, self.width - margin, size)
        self.add(text_element(self.title, self.width / 2, y, size, colour))

    def credit(self, designer: str, size: float, colour: str) -> None:
        """Name the designer of the puzzle, if known, in the lower right corner."""
        if designer:
            text = f"designed by {designer}"
            size = font_size_for(text, self.width - 2 * size, size)
            x, y = self.width - size, self.height - 0.9 * size
            self.add(text_element(text, x, y, size, colour, "end"))

    def svg(self, longer_side: float | None = None) -> str:
        """The SVG document, whose longer side may be given in pixels."""
        scale = 1.0 if longer_side is None else longer_side / max(self.width, self.height)
        spaces = {"xmlns:inkscape": INKSCAPE} if self.length_unit else {}
        lines = [
            "",
            element("title", escape(clean(self.title))),
            element("desc", escape(clean(self.description))),
        ]
        if self.background:
            size = {"width": self.width, "height": self.height}
            lines.append(element("rect", **size, fill=self.background))
        document = element(
            "svg",
            "\n".join([*lines, *self.elements, ""]),
            **spaces,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {format_coordinate(self.width)} {format_coordinate(self.height)}",
            width=f"{format_coordinate(self.width * scale)}{self.length_unit}",
            height=f"{format_coordinate(self.height * scale)}{self.length_unit}",
            role="img",
            font_family=FONT,
            stroke_linejoin="round",
            fill_rule="evenodd",
        )
        return f"{document}\n"

    def __repr__(self) -> str:
        return f"<Picture {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: str | os.PathLike[str], size: int | None = None) -> None:
        """Write a file, whose name ends in .svg, .png or .pdf; ``size`` as of :meth:`encode`."""
        write_bytes(Path(path), self.encode(suffix_of(os.fspath(path)), size))

    def encode(self, suffix: str, size: int | None = None) -> bytes:
        """The picture as a file of this suffix (see ``SUFFIXES``).

        The same picture gives the same bytes.
        Its longer side has ``size`` pixels, or that of the picture, or 1200 for a PNG. Raises
        OptionError for a size out of range; Missing without cairosvg, cairo, or a font.
        """
        if suffix not in SUFFIXES:
            raise FormatError(f"{suffix}: use {', '.join(SUFFIXES)}")
        if size is not None and size not in SIZES:
            raise OptionError(f"--size {size}: use {SIZES[0]} to {SIZES[-1]:,} pixels")
        if suffix == ".svg":
            return self.svg(size).encode()
        cairosvg = _cairosvg()
        if suffix == ".png":
            return bytes(cairosvg.svg2png(bytestring=self.svg(size or DEFAULT_SIZE).encode()))
        return _undated(bytes(cairosvg.svg2pdf(bytestring=self.svg(size).encode())))


def pdf_of(pages: Iterable[Picture]) -> bytes:
    """A PDF with a page for each picture, always the same; errors as of ``encode``."""
    _cairosvg()
    from cairosvg.parser import Tree
    from cairosvg.surface import PDFSurface

    out = io.BytesIO()
    written: list[Any] = []  # the first page, whose cairo surface the others continue

    class BookPage(PDFSurface):  # type: ignore[misc]
        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            if not written:
                return super()._create_surface(width, height)  # type: ignore[no-any-return]
            written[0].cairo.show_page()
            written[0].cairo.set_size(width, height)
            return written[0].cairo, width, height

    for page in pages:
        drawn = BookPage(Tree(bytestring=page.svg().encode()), out, DPI)
        written = written or [drawn]
    for first in written:
        first.finish()
    return _undated(out.getvalue())


def _undated(pdf: bytes) -> bytes:
    return re.sub(rb"(/CreationDate \(D:)[0-9]{14}", rb"\g<1>20000101000000", pdf)


def suffix_of(path: str, *others: str) -> str:
    """A file's suffix, SVG for ``-``; raises FormatError if it is no picture's or other."""
    suffix, known = ".svg" if path == "-" else Path(path).suffix.lower(), (*SUFFIXES, *others)
    if suffix not in known:
        raise FormatError(f"{path}: the file name must end in one of {', '.join(known)}")
    return suffix


def _cairosvg() -> ModuleType:
    try:
        import cairocffi
        import cairosvg
    except ImportError as error:
        raise Missing(
            f"PNG and PDF need cairosvg: {command_for('draw')}; a picture as SVG needs nothing"
        ) from error
    except OSError as error:  # the Python part is there, the C library is not
        raise Missing(
            "PNG and PDF need the cairo library: apt-get install libcairo2 (or brew install "
            "cairo); SVG needs nothing"
        ) from error
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_A8, 8, 8)
    if not cairocffi.Context(surface).text_extents("8")[2]:
        raise Missing("no font was found: apt-get install fonts-dejavu-core; SVG needs none")
    module: ModuleType = cairosvg
    return module
