"""``satcal hint``: help with a partly filled board, no more than was asked for."""

from __future__ import annotations

import click

from satcal.cli.draw import one_row
from satcal.cli.options import Selection, selecting
from satcal.draw.words import count_of
from satcal.errors import NoTiling


@click.command()
@selecting
@click.option("--more", "-m", count=True, help="More help; -mm gives a whole tiling.")
def hint(selection: Selection, more: int) -> None:
    """Help with a partly filled board, which --place describes.

    Says whether it can still be solved, how many tilings remain, which piece has the fewest
    places left, and one next placement. Exit 1 when it cannot be solved any more.
    """
    from satcal.counting.hint import hint as find
    from satcal.counting.settings import Settings
    from satcal.counting.tilings import diagram_for
    from satcal.draw.board import draw_tiling
    from satcal.draw.terminal import colours_wanted, draw_coloured

    row, puzzle, demands = one_row(selection, "a hint"), selection.puzzle, selection.demands
    diagram = diagram_for(puzzle, [row.reveal], Settings(demands=demands))
    found = find(diagram, row.reveal, demands)
    if not found.tilings:
        raise NoTiling("it cannot be solved any more: take a piece back")
    click.echo(f"{row or puzzle.name}: it can be solved, {count_of(found.tilings, 'tiling')} left")
    tightest, following = found.tightest, found.next()
    if tightest is None or following is None:
        click.echo("every piece is placed")
        return
    places = count_of(len(found.places[tightest]), "place")
    click.echo(f"the piece {tightest} has the fewest left: {places}")
    click.echo(f"one next placement: {following}")
    if more:
        for name, options in sorted(found.places.items(), key=lambda item: len(item[1])):
            click.echo(f"  {name:<4}{count_of(len(options), 'place')}")
    draw = draw_coloured if colours_wanted() else draw_tiling
    if more == 1:
        click.echo(draw(puzzle, row.reveal, (following,)), color=True)
    elif more:
        click.echo(draw(puzzle, row.reveal, diagram.tiling(0, row.reveal, demands)), color=True)
