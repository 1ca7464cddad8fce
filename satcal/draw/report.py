"""A report of a puzzle: for a terminal, as Markdown, and as one HTML file with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from satcal.design.changes import Change
from satcal.design.examining import Examination, Figures
from satcal.draw import pictures
from satcal.draw.board import draw_shape, draw_tiling
from satcal.draw.svg import Picture
from satcal.draw.tables import count_of, tabulated
from satcal.draw.theme import load_theme
from satcal.puzzle.model import Reveal, cell_name
from satcal.puzzle.shapes import Cell
from satcal.puzzle.symmetry import symmetries

LISTED = 12  # of dates, cells and the like: a reader wants some, and how many more there are
STYLE = """
body { font: 16px/1.5 "DejaVu Sans", Verdana, Arial, sans-serif; color: #222; background: #fff;
  margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
svg { max-width: 100%; height: auto; max-height: 32rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #ccc; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
"""
Rows = Sequence[Mapping[str, object]]


@dataclass
class Part:
    """A part of a report: paragraphs, tables, and what HTML draws; ``drawn`` is for the others."""

    title: str
    text: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    drawn: str = ""


def rendered(title: str, parts: Sequence[Part], style: str) -> str:
    """Return a report as ``text``, ``markdown`` or ``html``; it ends with a newline."""
    return _html(title, parts) if style == "html" else _plain(title, parts, style)


def _plain(title: str, parts: Sequence[Part], style: str) -> str:
    marks = ("# ", "## ") if style == "markdown" else ("", "")
    blocks = [marks[0] + title]
    for part in parts:
        rule = "" if style == "markdown" else "\n" + "-" * len(part.title)
        blocks += [f"{marks[1]}{part.title}{rule}", *part.text]
        if part.drawn:
            blocks.append(f"```\n{part.drawn}\n```" if style == "markdown" else part.drawn)
        for rows in part.tables:
            form = "markdown" if style == "markdown" else "table"
            blocks.append(tabulated(rows, list(rows[0]), form).rstrip("\n"))
    return "\n\n".join(blocks) + "\n"


def _html(title: str, parts: Sequence[Part]) -> str:
    lines = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n<h1>{escape(title)}</h1>",
    ]
    for part in parts:
        lines.append(f"<section>\n<h2>{escape(part.title)}</h2>")
        lines += [f"<p>{escape(text)}" for text in part.text]
        lines += [picture.svg() for picture in part.pictures]
        lines += map(_table, part.tables)
        lines.append("</section>")
    return "\n".join([*lines, "</html>\n"])


def _table(rows: Rows) -> str:
    lines = ['<div class="wide"><table>']
    lines.append("<tr>" + "".join(f"<th>{escape(name)}" for name in rows[0]))
    for row in rows:
        cells = []
        for value in row.values():
            number = isinstance(value, int | float)
            text = f"{value:,}" if number else escape(str(value))
            cells.append(f'<td class="number">{text}' if number else f"<td>{text}")
        lines.append("<tr>" + "".join(cells))
    return "\n".join([*lines, "</table></div>"])


# --- what is said -------------------------------------------------------------------------------


def parts_of(examined: Examination, odd: Sequence[str] = ()) -> Iterator[Part]:
    """Yield the parts of the report of a puzzle; ``odd`` is what is legal in its file, but odd."""
    said = _Said(examined)
    yield said.summary(odd)
    if examined.without:
        yield said.remedies()
    if examined.puzzle.categories:
        yield said.profile()
    yield said.hard()
    yield said.faces()
    yield said.doubled()
    if examined.puzzle.categories:
        yield said.labels()
    yield said.symmetries()
    yield said.near()
    yield said.upright()


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more


class _Said:
    """The parts of a report."""

    def __init__(self, examined: Examination) -> None:
        self.of, self.puzzle, self.theme = examined, examined.puzzle, load_theme()
        self.noun = "reveal" if self.puzzle.calendar.parts is None else "date"
        self.number = len(examined.counts)

    def every(self) -> str:
        return f"every {self.noun}" if self.puzzle.categories else "the board"

    def dates(self, reveals: Sequence[Reveal]) -> str:
        return _listed([" ".join(reveal) for reveal in reveals])

    def cell(self, cell: Cell) -> str:
        label = self.puzzle.label_at.get(cell)
        return label.text if label else cell_name(cell)

    def row(self, figures: Figures) -> dict[str, object]:
        return {
            "without": figures.without, "exactly one": figures.unique, "fewest": figures.fewest,
            "median": figures.median, "most": figures.most,
        }  # fmt: skip

    def changes(self, changes: Sequence[Change]) -> Rows:
        """Return a table of changes below the puzzle as it is."""
        total = sum(self.of.counts.values())
        rows = [{"change": "as it is", **self.row(self.of.figures), "in all": total}]
        for change in changes:
            row: dict[str, object] = dict.fromkeys(rows[0], "")
            if change.counts:
                row = {**self.row(figures_of(change.counts)), "in all": sum(change.counts)}
            why = f": no tiling on {' '.join(change.refuted_by)}" if change.refuted_by else ""
            rows.append({**row, "change": change.text + why})
        return [{name: row[name] for name in rows[0]} for row in rows]
