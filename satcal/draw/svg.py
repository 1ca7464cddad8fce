"""Small, valid SVG: elements, text, and a document with title and description."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from satcal.draw.outline import number

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
# XML 1.0 has no way to write these
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Return text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def element(name: str, content: str | None = None, /, **attributes: str | float) -> str:
    """Return an element; ``stroke_width`` becomes ``stroke-width``; content is not escaped."""
    pairs = "".join(
        f' {key.replace("_", "-")}="{escape(clean(_text(value)))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{pairs}/>" if content is None else f"<{name}{pairs}>{content}</{name}>"


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else number(value)


def words(text: str, x: float, y: float, size: float, colour: str, anchor: str = "middle") -> str:
    """Return text that is centred vertically on ``y``, and horizontally by its anchor."""
    # capitals and digits of common fonts are about 0.7 high, so half of that is below the centre
    return element(
        "text", escape(clean(text)), x=x, y=y + 0.36 * size, font_size=size, fill=colour,
        text_anchor=anchor,
    )  # fmt: skip


def fitting(text: str, width: float, size: float) -> float:
    """Return a font size, at most ``size``, at which a text is about as wide as ``width``."""
    return min(size, width / (0.64 * max(1, len(text))))


def group(content: Iterable[str], **attributes: str | float) -> str:
    """Return a group of elements."""
    return element("g", "".join(content), **attributes)


@dataclass
class Picture:
    """A picture before it is written: its extent in user units, and elements from back to front."""

    width: float
    height: float
    title: str
    description: str
    background: str | None = None
    elements: list[str] = field(default_factory=list)
    unit: str = ""

    def add(self, *elements: str) -> None:
        """Draw elements above those that are there."""
        self.elements += elements

    def svg(self, longer_side: float | None = None) -> str:
        """Return the SVG document.

        ``longer_side`` scales the picture to that many pixels; None keeps a pixel, or the
        picture's own ``unit`` such as ``mm``, for each user unit.
        """
        scale = 1.0 if longer_side is None else longer_side / max(self.width, self.height)
        head = element(
            "svg", "", xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            width=f"{number(self.width * scale)}{self.unit}",
            height=f"{number(self.height * scale)}{self.unit}", role="img", font_family=FONT,
            stroke_linejoin="round", fill_rule="evenodd",
        )  # fmt: skip
        if self.unit:
            head = head.replace(
                "<svg ", '<svg xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ', 1
            )
        back = []
        if self.background:
            back = [element("rect", width=self.width, height=self.height, fill=self.background)]
        lines = [
            head.removesuffix("</svg>"),
            element("title", escape(clean(self.title))),
            element("desc", escape(clean(self.description))),
            *back,
            *self.elements,
            "</svg>\n",
        ]
        return "\n".join(lines)
