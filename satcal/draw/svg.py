"""Pictures in SVG, and their conversion to PNG and PDF."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from types import ModuleType

from satcal.draw.outline import format_coordinate
from satcal.errors import FormatError, Missing, OptionError
from satcal.files import write_bytes
from satcal.parts import command_for

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
SUFFIXES = (".svg", ".png", ".pdf")
SIZES = range(16, 20_001)  # pixels; to draw a PNG takes four bytes of memory per pixel
DEFAULT_SIZE = 1200


def element(name: str, content: str | None = None, /, **attributes: str | float) -> str:
    """Return an element; ``stroke_width`` becomes ``stroke-width``; content is not escaped."""
    pairs = ""
    for key, value in attributes.items():
        text = value if isinstance(value, str) else format_coordinate(value)
        pairs += f' {key.replace("_", "-")}="{escape(text)}"'
    return f"<{name}{pairs}/>" if content is None else f"<{name}{pairs}>{content}</{name}>"


def text_element(
    text: str, x: float, y: float, size: float, colour: str, anchor: str = "middle"
) -> str:
    """Return a text that is centred vertically at y, and anchored horizontally at x."""
    # capitals and digits are about 0.7 font sizes high, half of it below the centre
    attributes = {"x": x, "y": y + 0.36 * size, "font_size": size}
    return element("text", escape(text), **attributes, fill=colour, text_anchor=anchor)


def font_size_for(text: str, width: float, size: float) -> float:
    """Return a font size, at most ``size``, at which a text fits a width."""
    return min(size, width / (0.64 * max(1, len(text))))


@dataclass
class Picture:
    """A picture of SVG elements, from back to front; width and height are in pixels."""

    width: float
    height: float
    title: str
    description: str
    background: str
    elements: list[str] = field(default_factory=list)

    def add(self, *elements: str) -> None:
        """Add elements above the others."""
        self.elements += elements

    def headline(self, y: float, size: float, margin: float, colour: str) -> None:
        """Add the title, centred at ``y``, with a smaller font if it would reach the margin."""
        size = font_size_for(self.title, self.width - margin, size)
        self.add(text_element(self.title, self.width / 2, y, size, colour))

    def credit(self, designer: str, size: float, colour: str) -> None:
        """Add the name of the puzzle's designer, if any, in the lower right corner."""
        if designer:
            text = f"designed by {designer}"
            size = font_size_for(text, self.width - 2 * size, size)
            x, y = self.width - size, self.height - 0.9 * size
            self.add(text_element(text, x, y, size, colour, "end"))

    def svg(self, longer_side: float | None = None) -> str:
        """Return the SVG document; ``longer_side`` is in pixels."""
        scale = 1.0 if longer_side is None else longer_side / max(self.width, self.height)
        lines = [
            "",
            element("title", escape(self.title)),
            element("desc", escape(self.description)),
            element("rect", width=self.width, height=self.height, fill=self.background),
        ]
        document = element(
            "svg",
            "\n".join([*lines, *self.elements, ""]),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {format_coordinate(self.width)} {format_coordinate(self.height)}",
            width=self.width * scale,
            height=self.height * scale,
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
        """Write a file, whose name ends in .svg, .png or .pdf; ``size`` as in :meth:`encode`."""
        write_bytes(Path(path), self.encode(Path(path).suffix.lower(), size))

    def encode(self, suffix: str, size: int | None = None) -> bytes:
        """Return the picture as a file of one of the ``SUFFIXES``, always the same bytes.

        Its longer side has ``size`` pixels; the default is that of the picture, or 1200 for a PNG.

        Raises:
            FormatError: the suffix is not one of ``SUFFIXES``.
            OptionError: the size is out of range.
            Missing: cairosvg, the cairo library or a font is missing.
        """
        if suffix not in SUFFIXES:
            raise FormatError(f"{suffix or 'no suffix'}: a picture is {', '.join(SUFFIXES)}")
        if size is not None and size not in SIZES:
            raise OptionError(f"size {size}: use {SIZES[0]} to {SIZES[-1]:,} pixels")
        if suffix == ".svg":
            return self.svg(size).encode()
        cairosvg = _import_cairosvg()
        if suffix == ".png":
            return bytes(cairosvg.svg2png(bytestring=self.svg(size or DEFAULT_SIZE).encode()))
        pdf = bytes(cairosvg.svg2pdf(bytestring=self.svg(size).encode()))
        return re.sub(rb"(/CreationDate \(D:)[0-9]{14}", rb"\g<1>20000101000000", pdf)


def _import_cairosvg() -> ModuleType:
    try:
        import cairocffi
        import cairosvg
    except (ImportError, OSError) as error:  # of the C library
        raise Missing(
            f"PNG and PDF need cairosvg: {command_for('draw')}, and its C library: apt-get install "
            "libcairo2 (or brew install cairo); a picture as SVG needs nothing"
        ) from error
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_A8, 8, 8)
    if not cairocffi.Context(surface).text_extents("8")[2]:
        raise Missing("no font was found: apt-get install fonts-dejavu-core; SVG needs none")
    module: ModuleType = cairosvg
    return module
