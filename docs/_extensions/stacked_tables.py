"""Makes wide tables readable on a phone: there each row is a card, and each cell says its column.

The words are in the page, hidden where the heads are shown: see satcal.css.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes

LONG = 40  # letters of a cell that is prose
WORDY = 2  # columns with such a cell make a table wordy, of more than as many columns


def wordy(rows: list[list[nodes.entry]]) -> bool:
    """Return whether a table has more prose than fits side by side on a phone."""
    longest = (max(len(entry.astext()) for entry in column) for column in zip(*rows, strict=True))
    return len(rows[0]) > WORDY and sum(length > LONG for length in longest) >= WORDY


def pictured(rows: list[list[nodes.entry]]) -> bool:
    """Return whether a table has pictures beside its words."""
    return any(next(entry.findall(nodes.image), None) for entry in rows[0])


def stack(app: Any, doctree: nodes.document) -> None:
    """Give each cell of a table with prose or pictures the head of its column."""
    for table in doctree.findall(nodes.table):
        head, body = next(table.findall(nodes.thead), None), next(table.findall(nodes.tbody))
        rows = [list(row.findall(nodes.entry)) for row in body.children]
        if head is None or not rows or not (wordy(rows) or pictured(rows)):
            continue
        table["classes"].append("stacked")
        names = [entry.astext() for entry in head.findall(nodes.entry)]
        for row in rows:
            for name, entry in zip(names, row, strict=True):
                if not entry.astext() and not pictured([[entry]]):
                    entry.clear()  # satcal.css passes over it
                elif name:
                    entry[0].insert(0, nodes.inline("", f"{name}: ", classes=["column"]))


def setup(app: Any) -> None:
    """Connect the function above, as Sphinx asks."""
    app.connect("doctree-read", stack)
