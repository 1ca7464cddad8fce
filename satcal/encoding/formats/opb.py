"""OPB, the pseudo-Boolean format: each "exactly" of the cover is one equation, no auxiliaries.

Format: https://www.cril.univ-artois.fr/PB24/OPBcompetition.pdf, with the two counts that
every reader knows in the first line and all comments above the first equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satcal.encoding.formats.comments import chunks, constraints, printable
from satcal.encoding.formula import option_name
from satcal.puzzle.placements import Cover


def write(cover: Cover, about: Sequence[str]) -> Iterator[str]:
    """Yield the equations of a cover in chunks; variable ``x17`` is option 17."""
    demands = list(constraints(cover))
    # an equation needs a term: where there is no option at all, x1 is a variable without meaning
    yield f"* #variable= {max(1, len(cover.options))} #constraint= {len(demands)}\n"
    yield from chunks(f"* {printable(line)}" for line in about)
    yield from chunks(
        f"* var x{number} {printable(option_name(option))}"
        for number, option in enumerate(cover.options, start=1)
    )
    yield from chunks(
        f"* constraint {number} {name}" for number, (name, _, _) in enumerate(demands, start=1)
    )
    yield from chunks(_equation(bound, variables) for _, bound, variables in demands)


def _equation(bound: int, variables: list[int]) -> str:
    if not variables:
        return "+1 x1 >= 2 ;"  # nothing can cover it, and no term means a syntax error
    return f"{' '.join(f'+1 x{variable}' for variable in variables)} = {bound} ;"
