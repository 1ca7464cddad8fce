"""A report of a puzzle, written in Markdown: for a terminal, and as one HTML file with pictures."""

from __future__ import annotations

import io
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from satcal.designing.examining import DesignReport
from satcal.draw import pictures
from satcal.draw.board import draw_tiling
from satcal.draw.svg import Picture
from satcal.draw.theme import load_theme
from satcal.puzzle.model import Reveal, cell_name
from satcal.tables import count_of, screen_width, some_of, tabulated

LISTED = 12  # of dates, cells and the like: a reader wants some, and how many more there are
WIDTH = 100  # columns of a report that goes to no terminal
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 "DejaVu Sans", Verdana, Arial, sans-serif; color: {theme.text};
  background: {theme.background}; margin: 0 auto; max-width: 60rem; padding: 1rem;
  overflow-wrap: anywhere; }}
h1, h2 {{ font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "DejaVu Serif", serif; }}
h1 {{ font-size: 1.6rem; }} h2 {{ font-size: 1.2rem; margin-top: 2.5rem; }}
svg {{ max-width: 100%; height: auto; max-height: 32rem; }}
div {{ overflow-x: auto; margin: 1rem 0; }} table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.2rem 0.8rem 0.2rem 0;
  border-bottom: 1px solid {theme.grid}; white-space: nowrap; font-variant-numeric: tabular-nums; }}
</style>
{body}</html>
"""
Block = str | tuple[Picture, str]
"""Markdown, or a picture for HTML, and what the other forms draw in its place, if anything."""


def rendered(blocks: Iterable[Block], style: str) -> str:
    """A report, whose first block is its title, as ``text``, ``markdown`` or ``html``."""
    if style == "html":
        from markdown_it import MarkdownIt

        title, *rest = blocks
        write = MarkdownIt("commonmark", {"html": False}).enable("table").render
        parts = [
            write(block) if isinstance(block, str) else block[0].svg() for block in (title, *rest)
        ]
        body = "".join(parts).replace("<table>", "<div><table>").replace("/table>", "/table></div>")
        heading = escape(str(title).removeprefix("# "))
        return PAGE.format(title=heading, body=body, theme=load_theme())
    drawn = (
        block if isinstance(block, str) else block[1] and f"```\n{block[1]}\n```"
        for block in blocks
    )
    text = "\n\n".join(part.rstrip("\n") for part in drawn if part) + "\n"
    if style == "markdown":
        return text
    from rich.console import Console
    from rich.markdown import Markdown

    out, width = io.StringIO(), min(WIDTH, screen_width())
    console = Console(file=out, width=width, force_terminal=sys.stdout.isatty())
    console.print(Markdown(text, code_theme="bw"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def report(design: DesignReport, odd: Sequence[str] = ()) -> Iterator[Block]:
    """Yield the report of a puzzle; ``odd`` is what is legal in its file, but odd."""
    puzzle = design.puzzle
    noun = "reveal" if puzzle.calendar.parts is None else "date"
    yield f"# {pictures.title_of(puzzle)}: the design, checked"
    yield from _summary(design, noun, odd)
    if not all(design.counts.values()):
        yield from _remedies(design, noun)
    if puzzle.categories:
        yield from _profile(design, noun)
    yield from _hard(design, noun)
    yield from _changes(design, noun)
    yield from _symmetries(design, noun)


def _every(design: DesignReport, noun: str) -> str:
    return f"every {noun}" if design.puzzle.categories else "the board"


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    return tabulated(rows, list(rows[0]), "markdown")


def _listed(reveals: Sequence[Reveal]) -> str:
    return some_of([" ".join(reveal) for reveal in reveals], LISTED) or "none"


def _key_figures(counts: Sequence[int]) -> dict[str, float]:
    median = statistics.median(counts)
    return {
        "without": counts.count(0),
        "exactly one": counts.count(1),
        "fewest": min(counts),
        "median": median if median % 1 else int(median),
        "most": max(counts),
        "in all": sum(counts),
    }


def _summary(design: DesignReport, noun: str, odd: Sequence[str]) -> Iterator[Block]:
    puzzle, counts = design.puzzle, design.counts
    without = [reveal for reveal, tilings in counts.items() if not tilings]
    total = count_of(sum(counts.values()), "tiling")
    copies = count_of(sum(piece.copies for piece in puzzle.pieces), "piece")
    yield f"{count_of(len(puzzle.cells), 'cell')}, {copies}, {total}."
    if puzzle.categories:
        solved = len(counts) - len(without)
        figures = _key_figures(list(counts.values()))
        least, most = (
            (number, some_of([" ".join(reveal) for reveal, n in counts.items() if n == number]))
            for number in (figures["fewest"], figures["most"])
        )
        yield (
            f"**Only {solved:,} of {len(counts):,} {noun}s can be solved**; {len(without):,} "
            f"without a tiling: {_listed(without)}."
            if without
            else f"**Every {noun} can be solved**: all {len(counts):,}."
        )
        yield (
            f"Fewest tilings {least[0]:,} ({least[1]}), most {most[0]:,} ({most[1]}), "
            f"median {figures['median']:,}. Exactly one: "
            f"{_listed([reveal for reveal, tilings in counts.items() if tilings == 1])}."
        )
    yield from (f"Odd, but legal: {oddity}." for oddity in odd)
    yield pictures.board_picture(puzzle, load_theme()), ""
    if design.hardest:
        reveal, tiling = design.hardest
        caption = f"{' '.join(reveal)} (hardest)"
        picture = pictures.tiling_picture(puzzle, reveal, tiling, load_theme(), caption)
        yield picture, draw_tiling(puzzle, reveal, tiling)


def _remedies(design: DesignReport, noun: str) -> Iterator[Block]:
    yield f"## How to make {_every(design, noun)} solvable"
    good = [change for kind in design.tried for change in kind.shown[:3] if change.solves]
    if good:
        texts = (f"- {change.text}" for change in good)
        yield "\n".join(["Any one of these changes is enough (details below):", "", *texts])
    else:
        yield (
            "None of the changes counted below is enough. `satcal design` searches for other sets "
            "of pieces, and `satcal arrange` for other positions of the labels."
        )
    if design.reasons:
        reasons = ", ".join(f"{number:,} {why}" for why, number in design.reasons.most_common())
        unseen = sum(not n for n in design.counts.values()) - design.reasons.total()
        more = f"; for {unseen:,} the reason is not known" if unseen else ""
        yield f"Why {noun}s have no tiling: {reasons}{more}."


def _profile(design: DesignReport, noun: str) -> Iterator[Block]:
    yield "## By label"
    medians: dict[str, float] = {}
    for index, (category, texts) in enumerate(design.puzzle.categories.items()):
        groups: dict[str, list[int]] = {text: [] for text in texts}
        for reveal, tilings in design.counts.items():
            groups[reveal[index]].append(tilings)
        figures = {text: _key_figures(group) for text, group in groups.items() if group}
        medians |= {text: figure["median"] for text, figure in figures.items()}
        yield _table(
            [
                {category: text, f"{noun}s": len(groups[text]), **figure}
                for text, figure in figures.items()
            ]
        )
    yield pictures.labels_picture(design.puzzle, medians, load_theme()), ""


def _hard(design: DesignReport, noun: str) -> Iterator[Block]:
    yield "## What makes it hard"
    yield (
        "A piece is harder to place if a smaller share of its placements occur in some tiling; a "
        "cell is harder to cover if fewer of these placements cover it."
    )
    rows = []
    for piece in design.puzzle.pieces:
        every = [n for placed, n in design.used.items() if placed.piece == piece.name]
        good = len(every) - every.count(0)
        rows.append(
            {
                "piece": piece.name,
                "copies": piece.copies,
                "squares": piece.area,
                "placements": len(every),
                "in a tiling": good,
                "percent": round(100 * good / max(1, len(every)), 1),
            }
        )
    yield _table(sorted(rows, key=lambda row: float(row["percent"])))
    lying = Counter(cell for placed, n in design.used.items() if n for cell in placed.cells)
    at = design.puzzle.label_at
    least = sorted(design.puzzle.cells, key=lying.__getitem__)[:6]
    names = (f"{at[c].text if c in at else cell_name(c)} ({lying[c]:,})" for c in least)
    yield f"Hardest cells to cover (number of such placements): {', '.join(names)}."
    if design.difficulty:
        yield (
            f"How hard some {noun}s are by two other measures (satcal manual difficulty): "
            "the three with the fewest tilings, one in the middle, and the one with the most."
        )
        yield _table(
            [
                {noun: " ".join(difficulty.reveal), "tilings": difficulty.tilings}
                | {
                    name: n
                    for name, n in difficulty.record().items()
                    if name in ("guesses_mean", "share")
                }
                for difficulty in design.difficulty
            ]
        )


def _changes(design: DesignReport, noun: str) -> Iterator[Block]:
    yield "## What changes"
    now = _key_figures(list(design.counts.values()))
    for kind in design.tried:
        text = f"**{kind.kind}**: none."
        if kind.number:
            text = (
                f"**{kind.kind}**: {kind.number:,} tried; {kind.solving:,} "
                f"{'leaves' if kind.solving == 1 else 'leave'} {_every(design, noun)} solvable."
            )
        if kind.refuted:
            text += (
                f" {kind.refuted:,} {'does' if kind.refuted == 1 else 'do'} not: the {noun} that "
                "is now the hardest would have no tiling, or a chessboard colouring rules "
                f"{'it' if kind.refuted == 1 else 'them'} out."
            )
        if kind.unknown:
            text += f" {kind.unknown:,} {'was' if kind.unknown == 1 else 'were'} not counted "
            text += "(too slow)."
        yield text
        if kind.shown:
            rows = [{"change": change.text, **_key_figures(change.counts)} for change in kind.shown]
            yield _table([{"change": "as it is", **now}, *rows])


def _symmetries(design: DesignReport, noun: str) -> Iterator[Block]:
    yield "## Symmetries of the board"
    number = len(design.symmetries)
    symmetries = "1 symmetry" if number == 1 else f"{number:,} symmetries"
    laid = f"With these pieces, the board has {symmetries}, counting the identity"
    alike = [some for some in design.equivalent() if len(some) > 1]
    if alike:
        shown = "; ".join(" = ".join(map(" ".join, some)) for some in alike[:3])
        yield (
            f"{laid}; {sum(map(len, alike)) - len(alike):,} of {len(design.counts):,} {noun}s are "
            f"mirror images or rotations of another one, such as {shown}."
        )
    else:
        alone = f"; no two {noun}s are the same puzzle" if design.puzzle.categories else ""
        yield f"{laid}{alone}."
