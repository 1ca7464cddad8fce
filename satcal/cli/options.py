"""Options that several commands share, and what they select."""

from __future__ import annotations

import datetime
import functools
import io
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from satcal.cli.progress import note
from satcal.counting.settings import METHODS, Settings, chosen_solver, solver_names
from satcal.counting.tilings import diagram_for
from satcal.draw.tables import TABULAR, tabulated
from satcal.errors import FormatError, OptionError
from satcal.files import check_output, compress, write_bytes
from satcal.processes import LONGEST
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.loading import ALIASES, library, load, origin_of
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, Row, describe, select

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

Command = TypeVar("Command", bound=Callable[..., Any])
DEFAULT_BOARD = "a-puzzle-a-day"
MOST = 2**31 - 1  # no list, database or solver takes a larger limit
UNITS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Selection:
    """What the shared options name: a puzzle, rows, and what is placed already.

    ``origin`` is the board as it was named: by it a store notices that its file has changed.
    """

    puzzle: Puzzle
    wanted: Range
    now: datetime.date
    demands: tuple[Demand, ...]
    origin: str = ""

    @functools.cached_property
    def rows(self) -> list[Row]:
        """The rows; on first use, because not every command needs some."""
        return select(self.puzzle, self.wanted, self.now)

    @property
    def reveals(self) -> list[Reveal]:
        """The reveals of the rows, each once."""
        return list(dict.fromkeys(row.reveal for row in self.rows))

    @property
    def words(self) -> str:
        """The range in words."""
        return describe(self.wanted, self.now) if self.puzzle.categories else "the board"

    def one_row(self, what: str) -> Row:
        """Return the only row, as ``what`` needs it; several are an OptionError."""
        if (rows := len(self.rows)) > 1:
            raise OptionError(f"{what} shows one date, not {rows:,}; give --date or --reveal")
        return self.rows[0]

    def unless_given(self, **wanted: Any) -> Selection:
        """Return a selection of other rows where no option chose any."""
        if self.wanted.given():
            return self
        return replace(self, wanted=replace(self.wanted, **wanted))

    def diagram(self, reveals: Collection[Reveal] | None = None) -> PuzzleDiagram:
        """Return the diagram of some reveals, by default those of the rows."""
        asked = self.reveals if reveals is None else reveals
        return diagram_for(self.puzzle, asked, Settings(demands=self.demands))


def size(text: str) -> int:
    """Return the bytes of a size such as ``500M`` or ``2G``."""
    match = re.fullmatch(r"(\d{1,6})([KMGT])B?", text.upper())
    if not match:
        raise click.BadParameter(f"'{text}' is not a size; write it as 500M or 2G")
    return int(match[1]) * UNITS[match[2]]


class Limit(click.IntRange):
    """The greatest number of something; beyond ``MOST`` it makes no difference."""

    def convert(self, value: Any, *where: Any) -> Any:
        """Return the number."""
        return min(super().convert(value, *where), MOST)


def some(text: str) -> int:
    """Return the number of ``N|all``, which for ``all`` is ``MOST``."""
    if text != "all" and not re.fullmatch("[0-9]{1,9}", text):
        raise click.BadParameter(f"'{text}' is neither a number nor all")
    return MOST if text == "all" else int(text)


class Amount(click.FloatRange):
    """A number, such as that of seconds; click would let ``nan`` pass."""

    def convert(self, value: Any, *where: Any) -> Any:
        """Return the number; beyond ``LONGEST`` it makes no difference."""
        number = min(super().convert(value, *where), LONGEST)
        return number if number == number else self.fail(f"'{value}' is not a number.", *where)


seconds = Amount(min=0)


def today(ctx: click.Context) -> datetime.date:
    """Return today; a caller may put another clock into the context's object."""
    clock: Callable[[], datetime.date] = ctx.obj if callable(ctx.obj) else datetime.date.today
    return clock()


class Listed(click.Option):
    """An option whose values are listed when its help or its completion is asked for.

    Not before: to know the solvers takes an import that is slow. ``files``: or any path.
    """

    def __init__(
        self, *names: Any, values: Callable[[], Iterable[str]], files: bool = False, **more: Any
    ) -> None:
        super().__init__(*names, **more)
        self.values, self._files = values, files

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the line of the help, with the values."""
        record = super().get_help_record(ctx)
        return record and (record[0], f"{record[1]}  [{', '.join(self.values())}]")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the values that begin so, or leave it to the shell to complete a path."""
        items = [CompletionItem(each) for each in self.values() if each.startswith(incomplete)]
        return items or [CompletionItem(incomplete, "file")] * self._files


def boards() -> list[str]:
    """Return the names of the library."""
    return sorted([*library(), *ALIASES])


def complete_board(ctx: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """Return the names of the library that begin so."""
    return [name for name in boards() if name.startswith(start)]


def _complete_labels(ctx: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """Return what can follow in a reveal: the board's labels that begin as the last one does."""
    before, comma, last = start.rpartition(",")
    labels = load(ctx.params.get("board") or DEFAULT_BOARD).labels
    return [before + comma + each for each in labels if each.casefold().startswith(last.casefold())]


def given(*names: str) -> list[str]:
    """Return which options of these parameters the command line has."""
    context = click.get_current_context()
    return [
        next(word for word in parameter.opts if word.startswith("--"))
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name)
        in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    ]


def refuse(reason: str, *names: str) -> None:
    """Raise OptionError for the first of these parameters that the command line has.

    ``reason`` says why it means nothing here, after its name: ``is about --laser``.
    """
    for name in given(*names):
        raise OptionError(f"{name} {reason}; leave it out")


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds options in the order of the help."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


SUFFIXES = {
    ".csv": "csv", ".json": "json", ".ndjson": "ndjson", ".md": "markdown",
    ".html": "html",
}  # fmt: skip
"""What a file's name says of its format."""


def tabular(
    *own: str, pictures: Sequence[str] = (), writes: bool = False, tables: bool = True
) -> Callable[[Command], Callable[..., Any]]:
    """Add ``--format``, ``--output``, ``--force`` and ``--quiet``.

    The command takes ``style`` and prints: what it prints goes to the file.
    ``own`` are formats before those of ``tables``, if any. The first of all is the default; unless
    it is text, only on a terminal, and csv elsewhere. The suffix of one of ``pictures`` is a style,
    too. A command that ``writes`` more files takes ``force``.
    """
    styles = (*own, *(style for style in TABULAR if tables and style not in own))
    elsewhere = "text" if styles[0] == "text" else "csv"
    default = styles[0] + (" on a terminal, csv elsewhere" if elsewhere != styles[0] else "")
    suffixes = {suffix: style for suffix, style in SUFFIXES.items() if style in styles}
    suffixes |= {suffix: suffix for suffix in pictures}
    meaning = "json is one value, ndjson a line each." if tables else "As the file's name says."

    def style_of(path: Path) -> str:
        parts = [part.lower() for part in path.suffixes if part not in (".gz", ".xz")] or [""]
        if parts[-1] not in (*suffixes, "", ".txt"):
            known = ", ".join(suffixes)
            raise FormatError(f"{path}: end the file's name with {known}, or give --format")
        return suffixes.get(parts[-1], elsewhere)

    def decorate(command: Command) -> Callable[..., Any]:
        @click.option(
            "--format", "style", type=click.Choice(styles),
            help=f"{meaning}  [default: {default}]",
        )  # fmt: skip
        @output_option
        @force_option
        @quiet_option
        @functools.wraps(command)
        def wrapped(style: str | None, output: str, force: bool, **rest: Any) -> Any:
            if writes:
                rest["force"] = force
            elif output == "-":
                refuse("is about the file that --output names", "force")
            if output == "-":
                style = style or (styles[0] if sys.stdout.isatty() else elsewhere)
                return command(style=style, **rest)
            path = Path(output)
            style = style or style_of(path)
            check_output(path, force)
            printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
            try:
                with redirect_stdout(printed):
                    return command(style=style, **rest)
            finally:  # what was printed before an error stays, as after >
                if data := printed.buffer.getvalue():
                    write_bytes(path, compress(path, data), force)
                    note(f"{output}: {len(data):,} bytes")

        return wrapped

    return decorate


def echo(records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str) -> None:
    """Print records in one of the formats of tables."""
    click.echo(tabulated(records, fields, style), nl=False)


def memory_option(help: str, default: str | None = None) -> Callable[[Command], Command]:
    """Return ``--memory-limit``, in bytes."""
    return click.option("--memory-limit", type=size, default=default, metavar="500M|2G", help=help)


board_option = click.option(
    "--board", "-b", default=DEFAULT_BOARD, envvar="SATCAL_BOARD", show_envvar=True, cls=Listed,
    values=boards, files=True, help="Library name or path of a puzzle file.",
)  # fmt: skip


def only_board_option(help: str) -> Callable[[Command], Command]:
    """Return ``--board`` where no board is meant without it."""
    return click.option("--board", "-b", cls=Listed, values=library, files=True, help=help)


pieces_option = click.option(
    "--pieces", shell_complete=complete_board,
    help="Library name or path whose piece set replaces the board's own.",
)  # fmt: skip

flip_option = click.option(
    "--flip", metavar="all|none|N,L4", help="Which pieces may be turned over."
)

board_options = together(board_option, pieces_option, flip_option)

reveal_option = click.option(
    "--reveal", multiple=True, metavar="Thu,Oct,23", shell_complete=_complete_labels,
    help="One label per category, which `satcal show` draws. May be repeated.",
)  # fmt: skip


all_reveals_option = click.option(
    "--all-reveals", is_flag=True, help="Every combination of labels."
)


def date_option(default: str = "") -> Callable[[Command], Command]:
    """Return ``--date``, whose help says what is meant without any date."""
    return click.option(
        "--date", metavar="DATE",
        help="A day, month or year: 2025-12-25, Dec 25, today, tomorrow, 2025-12."
        + (f"  [default: {default}]" if default else ""),
    )  # fmt: skip


def range_options(default: str) -> Callable[[Command], Command]:
    """Return the options that choose dates and reveals; ``default`` is what is meant without."""
    return together(
        date_option(default),
        click.option("--month", metavar="2025-02", help="The dates of a month."),
        click.option("--year", type=int, metavar="2025", help="The dates of a year."),
        click.option("--from", "start", metavar="DATE", help="From this date on ..."),
        click.option("--to", "end", metavar="DATE", help="... to this one, or to the year's end."),
        reveal_option,
        click.option("--all-dates", is_flag=True, help="Every date that some year has."),
        all_reveals_option,
    )


place_option = click.option(
    "--place", multiple=True, metavar="N:r2c3,... | N@r2c3 | @FILE",
    help="What is placed already: a placement, a piece on a cell, or a file of these "
    "or of a partly filled board. May be repeated.",
)  # fmt: skip

output_option = click.option(
    "--output", "-o", default="-", show_default=False, metavar="FILE",
    help="A file; its suffix says the format.  [default: standard output]",
)  # fmt: skip

force_option = click.option("--force", is_flag=True, help="Replace files that exist.")


def _note_quiet(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta["quiet"] = value


quiet_option = click.option(
    "--quiet", "-q", is_flag=True, expose_value=False, callback=_note_quiet,
    help="No progress and no summary.",
)  # fmt: skip

statistics_option = click.option(
    "--statistics", "counted", is_flag=True,
    help="Say at the end what each method did: seconds, nodes, prunings, placements tried, "
    "propagations, conflicts.",
)  # fmt: skip

theme_option = click.option(
    "--theme", default="light", metavar="NAME|FILE.toml",
    help="light, dark, print, or a file with colours of your own.",
)  # fmt: skip

DATES = [each.name for each in fields(Range)]
"""The parameters of :func:`range_options`."""

jobs_option = click.option(
    "--jobs", "-j", type=click.IntRange(min=1, max=1024), help="Processes.  [default: all cores]"
)

cluster_option = click.option(
    "--cluster", metavar="tcp://HOST:8786|local",
    help="Work on this Dask cluster: a scheduler's address, or a local one of --jobs workers. "
    'Needs `pip install "satcal[cluster]"`.',
)  # fmt: skip

store_option = click.option(
    "--store", "where", envvar="SATCAL_STORE", show_envvar=True, metavar="URL|FILE|none",
    help="Where finished counts are kept.  [default: a file in the user's data directory]",
)  # fmt: skip


def method_option(
    methods: Sequence[str] = METHODS, default: str = METHODS[0]
) -> Callable[[Command], Command]:
    """Return ``--method``; None if it is not given."""
    help = f"How to count.  [default: {default}]"
    return click.option("--method", type=click.Choice(methods), help=help)


def _encodings() -> Iterable[str]:
    from satcal.encoding import ENCODINGS

    return ENCODINGS


encoding_option = click.option(
    "--encoding", cls=Listed, values=_encodings, help="Of the clauses.  [default: ladder]"
)

_budget_options = (
    encoding_option,
    click.option(
        "--solver", cls=Listed, values=solver_names,
        help="Of PySAT, for the method sat.  [default: cadical195]",
    ),
    click.option(
        "--lemmas", type=click.Choice(["auto", "none", "single", "pair", "closed"]),
        default="auto", help="Of the method sat.",
    ),
    click.option(
        "--order", type=click.Choice(["static", "free"]), default="static",
        help="Whether the solver decides along the cells, where it can.",
    ),
    click.option(
        "--pruning", type=click.Choice(["none", "smallest", "sums"]), default="sums",
        help="Of the method search.",
    ),
    click.option("--conflicts", type=Limit(min=1), help="Budget of each SAT count."),
    click.option(
        "--up-to-symmetry", is_flag=True,
        help="Count tilings that are turned or flipped images of each other once.",
    ),
    click.option(
        "--time-limit", type=seconds, metavar="SECONDS",
        help="Budget of the whole run.",
    ),
    memory_option(
        "Of the diagram. Where it is too large, fewer dates are counted at once, and with "
        "--cluster shares of a date.  [default: 3/4 of what is free, on Linux]"
    ),
    click.option(
        "--cache/--no-cache", "use_cache", default=True,
        help="Keep diagrams in the user's cache directory (SATCAL_CACHE moves it).",
    ),
)  # fmt: skip

_task_options = (
    jobs_option,
    click.option(
        "--cubes", type=Limit(min=1), metavar="N",
        help="Cut dates of more than N tilings into cubes, each a task of sat or search.",
    ),
    cluster_option,
)  # fmt: skip


def selecting_from(default: str) -> Callable[[Command], Callable[..., Any]]:
    """Add board, range and place options; the command takes a ``selection``.

    ``default`` says which dates the command takes without any option.
    """

    def decorate(command: Command) -> Callable[..., Any]:
        @board_options
        @range_options(default)
        @place_option
        @functools.wraps(command)
        def wrapped(
            board: str, pieces: str | None, flip: str | None, place: tuple[str, ...], **rest: Any
        ) -> Any:
            rest["reveal"] = rest["reveal"] or None
            wanted = Range(**{name: rest.pop(name) for name in DATES})
            puzzle = load(board, pieces, flip)
            demands = tuple(parse_demands(puzzle, place))
            now = today(click.get_current_context())
            selection = Selection(puzzle, wanted, now, demands, origin_of(board, pieces, flip))
            return command(selection=selection, **rest)

        return wrapped

    return decorate


selecting = selecting_from("today")


def chosen(puzzle: Puzzle, date: str | None, reveals: tuple[str, ...]) -> list[Reveal]:
    """Return the reveals that ``--date`` and ``--reveal`` name; none without them."""
    wanted = Range(date=date, reveal=reveals or None)
    rows = select(puzzle, wanted, today(click.get_current_context())) if wanted.given() else []
    return [row.reveal for row in rows]


USED_BY = {
    "encoding": ("sat",), "solver": ("sat",), "lemmas": ("sat",), "order": ("sat",),
    "conflicts": ("sat",), "pruning": ("search",), "cubes": ("sat", "search"),
}  # fmt: skip
"""Options that only some methods heed."""


def counting_options(
    tasks: bool = True, methods: Sequence[str] = METHODS, default: str = METHODS[0]
) -> Callable[[Command], Callable[..., Any]]:
    """Add method, encoding, solver and budgets; the command takes ``settings``.

    Without ``methods`` to choose from there is no ``--method``. ``tasks``: how many are done at a
    time, and by whom, is an option too.
    """
    named = [method_option(methods, default)] if methods else []

    def decorate(command: Command) -> Callable[..., Any]:
        @together(*named, *_budget_options, *(_task_options if tasks else ()))
        @functools.wraps(command)
        def wrapped(selection: Selection, **rest: Any) -> Any:
            names = [each.name for each in fields(Settings) if each.name in rest]
            values = {name: rest.pop(name) for name in names}
            values["encoding"] = values["encoding"] or Settings.encoding
            values["method"] = values.get("method") or default
            if methods and not rest.get("verify"):
                _refuse_unused(values["method"])
            settings = Settings(demands=selection.demands, **values)
            return command(selection=selection, settings=settings, **rest)

        return wrapped

    return decorate


def _refuse_unused(method: str) -> None:
    """Raise OptionError for an option that a method does not heed.

    Where none is named others count a sample again, or find the first tiling, and heed theirs.
    """
    named = given("method")
    for name, users in USED_BY.items():
        if method not in users and (named or name == "cubes"):
            which = "methods " + " and ".join(users) if users[1:] else f"method {users[0]}"
            refuse(f"is about the {which}, not {method}", name)


def check(settings: Settings) -> None:
    """Raise at once what every count would: an unknown solver or encoding."""
    if settings.method == "sat":
        chosen_solver(settings)
