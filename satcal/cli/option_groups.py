"""How the help of a command lists its options: in groups, and rare ones by --help-all alone."""

from __future__ import annotations

import click

GROUPS = {
    "Board": ("board", "pieces", "flip", "place"),
    "Dates": ("date", "month", "year", "start", "end", "reveal", "all_dates", "all_reveals"),
    "Counting": (
        "method",
        "methods",
        "encoding",
        "solver",
        "lemmas",
        "order",
        "pruning",
        "up_to_symmetry",
        "cubes",
        "verify",
        "verify_time",
        "jobs",
        "cluster",
    ),
    "Limits": ("time_limit", "memory_limit", "conflicts", "max_nodes", "max_size"),
    "Files": ("style", "output", "force", "quiet", "theme", "size", "where", "fresh", "use_cache"),
}
"""Of each group the parameters; a command's other options come first, as they are its own."""
RARE = {
    "conflicts",
    "cubes",
    "lemmas",
    "max_nodes",
    "max_size",
    "order",
    "pruning",
    "solver",
    "verify_time",
}
"""Parameters that --help-all lists; no example of the documentation uses them."""


def _show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta["all options"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options, including the rare ones, and exit.",
)


def has_rare(command: click.Command) -> bool:
    """Whether a command has options that its help leaves to --help-all."""
    return any(parameter.name in RARE for parameter in command.params)


def write_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write the options of a command, group by group."""
    title_of = {name: title for title, names in GROUPS.items() for name in names}
    show_rare = ctx.meta.get("all options", False)
    lines: dict[str, list[tuple[str, str]]] = {"Options": [], **{title: [] for title in GROUPS}}
    for parameter in command.get_params(ctx):
        record = isinstance(parameter, click.Option) and parameter.get_help_record(ctx)
        if record and (show_rare or parameter.name not in RARE):
            lines[title_of.get(parameter.name or "", "Options")].append(record)
    for title, records in lines.items():
        if records:
            with formatter.section(title):
                formatter.write_dl(records)
