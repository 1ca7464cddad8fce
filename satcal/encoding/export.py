"""Exports: the text of a puzzle's tilings, in some format, for somebody else's solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.encoding.formats import DEFAULT, DEFAULT_ENCODING, dimacs, format_named
from satcal.errors import OptionError
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.placements import Cover, cover

# Of encodings/README.md: raised when the same export gets other bytes, so that a file says by
# which text to read it. The package's version would change golden files without a reason.
SPECIFICATION = 1


def export(
    puzzle: Puzzle,
    reveal: Reveal | None,
    *,
    format: str = DEFAULT,
    encoding: str | None = None,
    demands: Sequence[Demand] = (),
) -> Iterator[str]:
    """Return the text of an exact cover in chunks: the same call, the same bytes.

    Without a reveal it is the open formula of all reveals. ``format`` is a name in
    ``FORMATS``; ``encoding``, for the format dimacs alone, one in ``ENCODINGS``. The
    options that ``demands`` exclude get no variable.

    Raises:
        UnknownName: no such format or encoding.
        OptionError: an encoding that the format, or a piece with copies, cannot have.
        PlacementError: demands that exclude each other, or are on a revealed cell.
        TooLarge: the plain encoding of a board with many copies.
    """
    whole = place(cover(puzzle, reveal), demands)
    chosen, about = format_named(format), describe(whole, demands)
    if format == DEFAULT:
        return dimacs(whole, about, encoding or DEFAULT_ENCODING)
    if encoding is not None:
        raise OptionError(
            f"format {format} has no clauses, so --encoding {encoding} means nothing; "
            "drop one of the two, or use --format dimacs"
        )
    return chosen.text(whole, about)


def describe(whole: Cover, demands: Sequence[Demand] = ()) -> list[str]:
    """Return the head lines of an export: which puzzle, which reveal, how many options."""
    reveal = "open: one label of each category is revealed"
    if whole.reveal is not None:
        reveal = ",".join(whole.reveal) or "nothing"
    return [
        f"satcal export, specification {SPECIFICATION}",
        f"puzzle {whole.puzzle.name}",
        f"digest {whole.puzzle.digest}",
        f"reveal {reveal}",
        *(f"place {demand}" for demand in demands),
        f"options {len(whole.options)}",
    ]
