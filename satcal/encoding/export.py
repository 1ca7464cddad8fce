"""Exports of exact covers as texts for solvers; the same call gives the same bytes.

>>> from satcal.puzzle.loading import load
>>> text = export_text(load("a-puzzle-a-day"), ("Oct", "6"), encoding="plain")
>>> text.splitlines()[8]
'c var 1 place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from satcal.encoding import cardinality, encode_with_lemmas, encoding_named
from satcal.encoding.formula import Formula, constraints, option_name
from satcal.encoding.head import head_of
from satcal.errors import OptionError, unknown
from satcal.puzzle.model import Placement, Puzzle, Reveal, cell_name
from satcal.puzzle.placed import cover_with
from satcal.puzzle.placements import Cover

DEFAULT_FORMAT = "dimacs"
DEFAULT_ENCODING = "ladder"  # determined: counters without projection count right


def export_text(
    puzzle: Puzzle,
    reveal: Reveal | None,
    *,
    format: str = DEFAULT_FORMAT,
    encoding: str | None = None,
    lemmas: str = "none",
    place: Sequence[Placement] = (),
) -> str:
    """Return the text of a reveal's exact cover, or of the open one of all reveals.

    ``encoding`` and ``lemmas`` are for DIMACS only. Options that ``place`` excludes have no
    variable.

    Raises:
        UnknownName: there is no such format or encoding.
        OptionError: the options contradict each other, or the encoding does not suit the puzzle.
        PlacementError: placements overlap, or are more than the copies of a piece.
        TooLarge: the cover has too many options for lemmas.
    """
    cover = cover_with(puzzle, reveal, place)
    text_format = format_named(format)
    if format == DEFAULT_FORMAT:
        lines = write_dimacs(cover, place, encoding or DEFAULT_ENCODING, lemmas)
    elif (encoding is None or (format, encoding) == ("opb", cardinality.NATIVE)) and (
        lemmas == "none"
    ):
        lines = text_format.lines(cover, head_of(puzzle, reveal, place).lines(len(cover.options)))
    else:
        raise OptionError(
            f"format {format} has no clauses, so --encoding and --lemmas mean nothing; leave them "
            "out, or use --format dimacs"
        )
    return "\n".join(lines) + "\n"


def write_dimacs(cover: Cover, place: Sequence[Placement], name: str, lemmas: str) -> Iterator[str]:
    """Yield the lines of DIMACS CNF; raise OptionError for an encoding without DIMACS."""
    cover, formula = encode_clauses(cover, name, lemmas)
    *comments, projection = write_comments(cover, formula, place, name, lemmas)
    yield from comments
    yield f"p cnf {formula.variables} {len(formula.clauses)}"
    yield projection
    for clause in formula.clauses:
        yield " ".join(map(str, [*clause, 0]))


def encode_clauses(cover: Cover, name: str, lemmas: str) -> tuple[Cover, Formula]:
    """Return the formula of a cover, and the cover whose options are its first variables.

    Raises:
        OptionError: the encoding has constraints that are not clauses.
    """
    if not encoding_named(name).dimacs:
        raise OptionError(
            f"the encoding {name} has constraints that DIMACS cannot express; use --encoding "
            "ladder or --format opb"
        )
    return encode_with_lemmas(cover, name, lemmas)


def write_comments(
    cover: Cover, formula: Formula, place: Sequence[Placement], name: str, lemmas: str
) -> Iterator[str]:
    """Yield the comments of a formula in DIMACS: its head, and the meaning of each variable.

    The first, ``c t``, and the last, ``c p show``, are those of the model counting competition. The
    track is ``mc`` where the models are the tilings, else ``pmc``: count projected on the options.
    The last is right in both, and helps: d4 took a quarter of the time with it.
    """
    head = head_of(cover.puzzle, cover.reveal, place).lines(len(cover.options))
    track = track_of(name)
    determined = "yes" if track == "mc" else "no, so count with projection on the options"
    yield f"c t {track}"
    yield from _comments("c", [*head, f"encoding {name}", f"determined {determined}"])
    if lemmas != "none":
        yield f"c lemmas {lemmas}, which exclude no tiling"
    names = enumerate(formula.names, start=1)
    yield from _comments("c", (f"var {number} {name}" for number, name in names))
    yield " ".join(["c p show", *map(str, range(1, formula.shown + 1)), "0"])


def track_of(encoding: str) -> str:
    """Return the track of the model counting competition for which an encoding is right."""
    return "mc" if encoding_named(encoding).determined else "pmc"


def write_opb(cover: Cover, head: Sequence[str]) -> Iterator[str]:
    """Yield the lines of OPB: each constraint is one equation; variable ``x17`` is option 17.

    Format: https://www.cril.univ-artois.fr/PB24/OPBcompetition.pdf, with the two counts that every
    parser supports in the first line, and all comments above the equations.
    """
    equations = list(constraints(cover))
    # an equation needs a term, so without options there is a variable x1 without a meaning
    yield f"* #variable= {max(1, len(cover.options))} #constraint= {len(equations)}"
    options = enumerate(map(option_name, cover.options), start=1)
    names = enumerate((name for name, _, _ in equations), start=1)
    yield from _comments("*", head)
    yield from _comments("*", (f"var x{number} {name}" for number, name in options))
    yield from _comments("*", (f"constraint {number} {name}" for number, name in names))
    for _, bound, variables in equations:
        # a constraint without options is unsatisfiable, and an equation without terms is invalid
        terms = " ".join(f"+1 x{variable}" for variable in variables)
        yield f"{terms} = {bound} ;" if terms else "+1 x1 >= 2 ;"


def write_dlx(cover: Cover, head: Sequence[str]) -> Iterator[str]:
    """Yield the lines of Knuth's exact-cover format, for his programs DLX1 to DLX3 and XCC.

    The first line names Knuth's items (pieces, categories, cells), each further line is an option.
    Lines that begin with a bar are comments. Only a piece with copies has a multiplicity, as
    ``2:2|L4``, which DLX3, MCC and SSMCC read and DLX1 does not. Source: the introductions of
    dlx1.w and dlx3.w, Knuth's programs (TAOCP 7.2.2.1).
    """
    pieces = len(cover.puzzle.pieces)
    names = [item.name for item in cover.items]
    categories = names[pieces:]
    # Knuth allows eight bytes and no bar or colon; categories may have any name
    names[pieces:] = [f"#{number}" for number in range(1, len(categories) + 1)]
    yield from _comments("|", head)
    numbered = enumerate(categories, start=1)
    yield from _comments("|", (f"#{n} is the category {name}" for n, name in numbered))
    items = [
        f"{item.copies}:{item.copies}|{name}" if item.copies > 1 else name
        for name, item in zip(names, cover.items, strict=True)
    ]
    yield " ".join([*items, *map(cell_name, cover.cells)])
    for item_of, option in zip(cover.item_of, cover.options, strict=True):
        yield " ".join([names[item_of], *map(cell_name, option.cells)])


# "#defined" silences the warning about a puzzle without any option
RULES = """\
#defined option/2.
#defined covers/2.
1 { place(Option) : covers(Option, Cell) } 1 :- cell(Cell).
Copies { place(Option) : option(Option, Item) } Copies :- item(Item, Copies).
#show place/1."""


def write_asp(cover: Cover, head: Sequence[str]) -> Iterator[str]:
    """Yield the lines of an answer-set program for clingo; ``place(17)`` is option 17."""
    pieces = len(cover.puzzle.pieces)
    # a category may have any name, so its term has a number, and a comment its name
    terms = [
        f'"{item.name}"' if index < pieces else f"category({index - pieces + 1})"
        for index, item in enumerate(cover.items)
    ]
    yield from _comments("%", head)
    for term, item in zip(terms, cover.items, strict=True):
        yield f"item({term}, {item.copies}).  % {_printable(item.name)}"
    yield from (f"cell({cell_name(cell)})." for cell in cover.cells)
    options = zip(cover.item_of, cover.options, strict=True)
    for number, (item_of, option) in enumerate(options, start=1):
        cells = ";".join(map(cell_name, option.cells))
        meaning = _printable(option_name(option))
        yield f"option({number}, {terms[item_of]}). covers({number}, ({cells})).  % {meaning}"
    yield RULES


def _comments(mark: str, texts: Iterable[str]) -> Iterator[str]:
    return (f"{mark} {_printable(text)}" for text in texts)


def _printable(text: str) -> str:
    """Return a text with ``?`` for characters that could end a comment."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "?" for c in text)


class Format(NamedTuple):
    """A way to write a cover, the suffix of its files, and the mark of its comments."""

    suffix: str
    mark: str
    lines: Callable[..., Iterator[str]]


FORMATS = {
    "dimacs": Format(".cnf", "c", write_dimacs),
    "opb": Format(".opb", "*", write_opb),
    "dlx": Format(".dlx", "|", write_dlx),
    "asp": Format(".lp", "%", write_asp),
}


def format_named(name: str) -> Format:
    """Return the format with this name; raise UnknownName if there is no such format."""
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return FORMATS[name]
