"""Options that several commands share, and what they select."""

from __future__ import annotations

import datetime
import functools
import itertools
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from satcal.cli import option_groups
from satcal.cli.progress import note
from satcal.counting.settings import Question
from satcal.counting.tilings import diagram_for
from satcal.errors import FormatError, OptionError, UnknownName, did_you_mean, quoted
from satcal.files import printing
from satcal.processes import LONGEST
from satcal.puzzle import dates
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.loading import ALIASES, library, load, origin_of
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.ranges import Range, Row, describe, select
from satcal.tables import TABULAR, tabulating

if TYPE_CHECKING:
    from satcal.diagram.puzzle import PuzzleDiagram

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
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
        if not self.puzzle.categories:
            return "the board"
        if self.wanted.date and not any(row.date for row in self.rows):
            return "; ".join(map(str, self.rows))  # of 29 February without a year
        return describe(self.wanted, self.now)

    @property
    def noun(self) -> str:
        """What a row is: a date, or a reveal."""
        return "date" if any(row.date for row in self.rows) else "reveal"

    def one_row(self, what: str) -> Row:
        """The only row, as ``what`` needs it; several are an OptionError."""
        if (rows := len(self.rows)) > 1:
            one = f"{what} shows one {self.noun}, not {rows:,}"
            raise OptionError(f"{one}; give --date or --reveal")
        return self.rows[0]

    def unless_given(self, **wanted: Any) -> Selection:
        """A selection of other rows where no option chose any."""
        if self.wanted.given():
            return self
        return replace(self, wanted=replace(self.wanted, **wanted))

    def diagram(self, reveals: Collection[Reveal] | None = None) -> PuzzleDiagram:
        """The diagram of some reveals, by default those of the rows."""
        asked = self.reveals if reveals is None else reveals
        return diagram_for(Question(self.puzzle, asked, self.demands))


def size(text: str) -> int:
    """The bytes of a size such as ``500M`` or ``2G``."""
    match = re.fullmatch(r"(\d{1,6})([KMGT])B?", text.upper())
    if not match:
        raise click.BadParameter(f"'{text}' is not a size; write it as 500M or 2G")
    return int(match[1]) * UNITS[match[2]]


class Limit(click.IntRange):
    """The greatest number of something; beyond ``MOST`` it makes no difference."""

    def convert(self, value: Any, *where: Any) -> Any:
        """The number."""
        return min(super().convert(value, *where), MOST)


def some(text: str) -> int:
    """The number of ``N|all``, which for ``all`` is ``MOST``."""
    if text != "all" and not re.fullmatch("[0-9]{1,9}", text):
        raise click.BadParameter(f"'{text}' is neither a number nor all")
    return MOST if text == "all" else int(text)


class Amount(click.FloatRange):
    """A number, such as that of seconds; click would let ``nan`` pass."""

    def convert(self, value: Any, *where: Any) -> Any:
        """The number; beyond ``LONGEST`` it makes no difference."""
        number = min(super().convert(value, *where), LONGEST)
        return number if number == number else self.fail(f"'{value}' is not a number.", *where)


seconds = Amount(min=0)


class Command(click.Command):
    """A command that refuses an option's second value where it can have one only.

    ``ctx.meta["order"]`` has the parameters of the command line as they were written.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, of which ``--date`` takes those of a date: ``--date Oct 6``."""
        if any("--date" in parameter.opts for parameter in self.params):
            args = _dates_joined(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            name = unknown.option_name
            text = f"No such option {name!r}."
            if meant := self._meant(name.lstrip("-"), ctx):
                text += f" Did you mean {' or '.join(map(repr, meant))}?"
            raise click.NoSuchOption(name, text, ctx=ctx) from None

    def _has_a_value(self, option: click.Parameter, value: Any, ctx: click.Context) -> None:
        """Refuse an option as the value of another: ``-o --force`` means no file ``--force``."""
        known = {name for one in self.get_params(ctx) for name in (*one.opts, *one.secondary_opts)}
        for word in value if isinstance(value, list) else [value]:
            if isinstance(option, click.Option) and word in known:
                name = max(option.opts, key=len)
                text = f"{name} needs a value; '{word}' after it is an option"
                raise click.UsageError(text, ctx)

    def _meant(self, word: str, ctx: click.Context) -> list[str]:
        """The options that begin with a word, else those about it, else the nearest one."""
        names = [
            name
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and not parameter.hidden
            for name in parameter.opts
            if name.startswith("--")
        ]
        begun = [name for name in names if name.startswith(f"--{word}-")]
        near = get_close_matches(word, [name[2:] for name in names], n=1)
        return begun or self._own_about(word) or [f"--{name}" for name in near]

    def _own_about(self, word: str) -> list[str]:
        """The options of this command alone whose help has a word, which somebody typed."""
        common = set().union(*option_groups.GROUPS.values())
        about = []
        for parameter in self.params:
            if isinstance(parameter, click.Option) and parameter.name not in common:
                found = re.search(rf"\b{re.escape(word)}", parameter.help or "", re.IGNORECASE)
                about += [(found.start(), max(parameter.opts, key=len))] if found else []
        return [name for _, name in sorted(about, key=itemgetter(0))]  # the earlier, the nearer

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, with ``--help-all`` where rare options are left to it."""
        found = super().get_params(ctx)
        return [*found, option_groups.HELP_ALL] if option_groups.has_rare(self) else found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups."""
        option_groups.write_options(self, ctx, formatter)

    def make_parser(self, ctx: click.Context) -> Any:
        """Click's parser, which looks at what it has read."""
        parser = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Any:
            values, rest, order = parse(args)
            ctx.meta["order"] = [parameter.name for parameter in order]
            for index, parameter in enumerate(order):
                if parameter in order[:index] and not _repeats(parameter):
                    name = max(parameter.opts, key=len)
                    raise click.UsageError(f"{name} is given twice; give it once", ctx)
                self._has_a_value(parameter, values[parameter.name], ctx)
            return values, rest, order

        parser.parse_args = parse_once  # type: ignore[method-assign]
        return parser


class Group(click.Group):
    """A group of such commands."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command and what is left of the words."""
        name = args[0]
        if name not in self.commands and not (name.startswith("-") or ctx.resilient_parsing):
            near = did_you_mean(name, self.commands)
            near = near or f"; the commands are {', '.join(self.commands)}"
            raise click.UsageError(f"no command {f'{ctx.info_name} {name}'!r}{near}", ctx)
        return super().resolve_command(ctx, args)


def _dates_joined(args: Sequence[str]) -> list[str]:
    """The words of a command line with those of each ``--date`` as one.

    It takes the words up to the next option, but those that are no date: a board, or a file.
    """
    joined: list[str] = []
    at = 0
    while at < len(args):
        at += 1
        if args[at - 1] == "--":
            return [*joined, *args[at - 1 :]]
        if args[at - 1] != "--date":
            joined.append(args[at - 1])
            continue
        words = list(itertools.takewhile(lambda word: not word.startswith("-"), args[at:]))
        at += len(words)
        read, left = dates.split([word for word in words if not is_board(word)])
        if read:
            left += filter(is_board, words)
        else:  # whatever the first word is, it was meant as a date
            read, left = words[:1], words[1:]
        joined += [part for date in read for part in ("--date", date)] or ["--date"]
        joined += left
    return joined


def is_board(word: str) -> bool:
    """Whether a word names a puzzle of the library, or a file, and no date."""
    if word in library() or word in ALIASES:
        return True
    return not dates.readable(word) and ("." in word or "/" in word or _exists(word))


def _exists(name: str) -> bool:
    """Whether there is a file or folder of a name; the name may be an impossible one."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def _repeats(parameter: click.Parameter) -> bool:
    """Whether a parameter may be written several times."""
    return parameter.multiple or getattr(parameter, "count", False)


command = functools.partial(click.command, cls=Command)


def today(ctx: click.Context) -> datetime.date:
    """Today's date; a caller may put another clock into the context's object."""
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
        """The line of the help, with the values; `satcal boards` lists those of files."""
        record = super().get_help_record(ctx)
        if self._files:
            return record
        return record and (record[0], f"{record[1]}  [{', '.join(self.values())}]")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The values that begin so, or a request to the shell to complete a path."""
        items = [CompletionItem(value) for value in self.values() if value.startswith(incomplete)]
        return items or [CompletionItem(incomplete, "file")] * self._files


def boards() -> list[str]:
    """The names of the library."""
    return sorted([*library(), *ALIASES])


def complete_board(ctx: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """The names of the library that begin so."""
    return [name for name in boards() if name.startswith(start)]


def _complete_labels(ctx: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """The labels that can follow in a reveal: those that begin as the last one does."""
    before, comma, last = start.rpartition(",")
    labels = load(ctx.params.get("board") or DEFAULT_BOARD).labels
    return [
        before + comma + label for label in labels if label.casefold().startswith(last.casefold())
    ]


def given(*names: str) -> list[str]:
    """The options of these parameters that the command line has."""
    context = click.get_current_context()
    return [
        next((word for word in parameter.opts if word.startswith("--")), "a board or a date")
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name)
        in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    ]


def refuse(reason: str, *names: str) -> None:
    """Raise OptionError for the first of these parameters that the command line has.

    ``reason`` says after its name why it means nothing here: ``needs --random``.
    """
    for name in given(*names):
        raise OptionError(f"{name} {reason}")


def together(*options: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """A decorator that adds options in the order of the help."""

    def decorate(command: Decorated) -> Decorated:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".ndjson": "ndjson",
    ".md": "markdown",
    ".html": "html",
}
"""What a file's name says of its format."""


def tabular(
    *own: str, pictures: Sequence[str] = (), writes: bool = False, tables: bool = True
) -> Callable[[Decorated], Callable[..., Any]]:
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
    meaning = "Set by the suffix of --output."
    if tables:
        meaning = "json writes one list, ndjson one object per line."

    def style_of(path: Path) -> str:
        parts = [part.lower() for part in path.suffixes if part not in (".gz", ".xz")] or [""]
        if parts[-1] not in (*suffixes, "", ".txt"):
            known = ", ".join(suffixes)
            text = f"{quoted(path)}: end the file's name with {known}, or give --format"
            drawn = "; for a picture: satcal draw" if parts[-1] in (".svg", ".png", ".pdf") else ""
            raise FormatError(text + drawn)
        return suffixes.get(parts[-1], elsewhere)

    def decorate(command: Decorated) -> Callable[..., Any]:
        @click.option(
            "--format",
            "style",
            type=click.Choice(styles),
            help=f"{meaning}  [default: {default}]",
        )
        @output_option
        @force_option
        @quiet_option
        @functools.wraps(command)
        def wrapped(style: str | None, output: str, force: bool, **rest: Any) -> Any:
            if writes:
                rest["force"] = force
            elif output == "-":
                refuse("needs --output", "force")
            if output == "-":
                style = style or (styles[0] if sys.stdout.isatty() else elsewhere)
                return command(style=style, **rest)
            path = Path(output)
            style = style or style_of(path)

            def done(size: int) -> None:
                note(f"{quoted(output)}: {size:,} bytes")

            with printing(path, force, done) as printed, redirect_stdout(printed):
                return command(style=style, **rest)

        return wrapped

    return decorate


def echo(records: Iterable[Mapping[str, object]], fields: Sequence[str], style: str) -> None:
    """Print records in one of the formats of tables, each as it comes where that can be done."""
    for text in tabulating(records, fields, style):
        click.echo(text, nl=False)


def memory_option(help: str, default: str | None = None) -> Callable[[Decorated], Decorated]:
    """The option ``--memory-limit``, in bytes."""
    return click.option("--memory-limit", type=size, default=default, metavar="500M|2G", help=help)


board_option = click.option(
    "--board",
    "-b",
    default=DEFAULT_BOARD,
    envvar="SATCAL_BOARD",
    show_envvar=True,
    cls=Listed,
    values=boards,
    files=True,
    help="A name that `satcal boards` lists, or the path of a puzzle file.",
)


words_argument = click.argument(
    "words", nargs=-1, metavar="[BOARD] [DATE]...", shell_complete=complete_board
)
only_board_argument = click.argument(
    "words", nargs=-1, metavar="[BOARD]", shell_complete=complete_board
)


def only_board(words: Sequence[str], board: str) -> str:
    """The board of bare words, as of :func:`board_and_dates`; raises OptionError for a date."""
    board, said = board_and_dates(words, board)
    if said:
        raise OptionError(f"{said[0]}: this command does not depend on the date; leave it out")
    return board


def board_and_dates(words: Sequence[str], board: str) -> tuple[str, tuple[str, ...]]:
    """The board and the dates of bare words; ``board`` is what ``--board`` says.

    A word that is a board is the board; the others are read together, as dates.

    Raises:
        OptionError: two boards.
        UnknownName: a word that is neither.
    """
    _refuse_range(words)
    named = [word for word in words if is_board(word)]
    read, left = dates.split([word for word in words if word not in named])
    both = dict.fromkeys([*named, *([board] if given("board") else [])])
    if len(both) > 1:
        first, second, *_ = both
        every = f"; satcal birthday {read[0]} asks every calendar" if read else ""
        raise OptionError(f"two boards, {first!r} and {second!r}; give one of them{every}")
    board = named[0] if named else board
    if board.casefold().endswith(".csv"):
        raise OptionError(f"{board} is a table, not a puzzle file; try satcal claims {board}")
    if left:
        said = [word for word in words if word not in named]
        near = _as_reveal(board, said) or did_you_mean(left[0], [*boards(), *MONTHS])
        raise UnknownName(f"{left[0]!r} is neither a board nor a date{near}")
    if board in library() and _exists(board):
        note(f"using {board} from the library; for the file of that name write ./{board}")
    return board, tuple(read)


def _refuse_range(words: Sequence[str]) -> None:
    """Raise OptionError for a range of dates written as ``A to B`` or ``A..B``."""
    text = " ".join(word for word in words if word not in boards() and not _exists(word))
    ends = re.split(r"\.\.+| to ", text)
    if len(ends) == 2 and all(map(dates.readable, ends)):
        start, end = (shlex.quote(date.strip()) for date in ends)
        raise OptionError(f"{text}: write a range as --from {start} --to {end}")


def _as_reveal(board: str, words: Sequence[str]) -> str:
    """Advice how to ask for the reveal of these words; empty if one is not a board's label."""
    known = load(board).labels
    return f"; its labels go with --reveal {','.join(words)}" if set(words) <= set(known) else ""


def only_board_option(help: str) -> Callable[[Decorated], Decorated]:
    """The option ``--board`` where no board is meant without it."""
    return click.option("--board", "-b", cls=Listed, values=library, files=True, help=help)


file_argument = click.argument(
    "file", metavar="[FILE]", required=False, shell_complete=complete_board
)
one_board_option = only_board_option("The same as FILE.")


def one_board(file: str | None, board: str | None) -> str:
    """The board that FILE or ``--board`` names; raises OptionError for two or none."""
    if file and board and file != board:
        raise OptionError(f"two boards, {file!r} and {board!r}; give one of them")
    if not (file or board):
        raise OptionError("no puzzle given; name a file or a library puzzle")
    return file or board or ""


pieces_option = click.option(
    "--pieces",
    shell_complete=complete_board,
    help="Use the pieces of this puzzle (library name or path) instead of the board's own.",
)

flip_option = click.option(
    "--flip",
    metavar="all|none|N,L4",
    help="Which pieces may be turned over: all, none, or those named.  [default: as the puzzle "
    "file says]",
)

board_options = together(board_option, pieces_option, flip_option)

reveal_option = click.option(
    "--reveal",
    multiple=True,
    metavar="Thu,Oct,23",
    shell_complete=_complete_labels,
    help="The labels to leave uncovered (a reveal), one from each category; `satcal show` lists "
    "the labels. May be repeated.",
)


all_reveals_option = click.option(
    "--all-reveals", is_flag=True, help="Every combination of labels."
)


def date_option(default: str = "") -> Callable[[Decorated], Decorated]:
    """The option ``--date``, whose help says what is meant without any date."""
    return click.option(
        "--date",
        multiple=True,
        metavar="DATE",
        help="A day, month or year: 2025-12-25, Dec 25, today, tomorrow, 2025-12. May be repeated."
        + (f"  [default: {default}]" if default else ""),
    )


def range_options(default: str) -> Callable[[Decorated], Decorated]:
    """The options that choose dates and reveals; ``default`` is what is meant without."""
    return together(
        date_option(default),
        click.option(
            "--month",
            multiple=True,
            metavar="2025-02",
            help="The dates of a month. May be repeated.",
        ),
        click.option(
            "--year",
            type=int,
            multiple=True,
            metavar="2025",
            help="The dates of a year. May be repeated.",
        ),
        click.option(
            "--from",
            "start",
            multiple=True,
            metavar="DATE",
            help="First date of a range; without it, the range starts on 1 January. May be "
            "repeated.",
        ),
        click.option(
            "--to",
            "end",
            multiple=True,
            metavar="DATE",
            help="Last date of a range; without it, the range ends on 31 December. May be "
            "repeated.",
        ),
        reveal_option,
        click.option(
            "--all-dates",
            is_flag=True,
            help="Every date that occurs in any year, including 29 February.",
        ),
        all_reveals_option,
    )


place_option = click.option(
    "--place",
    multiple=True,
    metavar="N:r2c3,... | N@Jan | @FILE",
    help="A piece that is already on the board: N:r2c3,... lists all its cells, N@Jan names one of "
    "them. A cell is a label, or its row and column, counted from 0 at the top left. @FILE reads "
    "such placements, or a drawing of the partly filled board, from a file. May be repeated.",
)

output_option = click.option(
    "--output",
    "-o",
    default="-",
    show_default=False,
    metavar="FILE",
    help="Write to this file; its suffix sets the format.  [default: standard output]",
)

certify_option = click.option(
    "--certify",
    type=click.Path(path_type=Path),
    metavar="FILE.satcert",
    help="Prove the results: write a certificate with a search tree for each set. An interrupted "
    "run continues from what it has written.",
)
force_option = click.option("--force", is_flag=True, help="Replace files that exist.")


def _note_quiet(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta["quiet"] = value


quiet_option = click.option(
    "--quiet",
    "-q",
    is_flag=True,
    expose_value=False,
    callback=_note_quiet,
    help="No progress and no summary.",
)

statistics_option = click.option(
    "--statistics",
    "with_statistics",
    is_flag=True,
    help="Say at the end what each method did: seconds, nodes, prunings, propagations, conflicts.",
)

theme_option = click.option(
    "--theme",
    type=click.Choice(["light", "dark", "print"]),
    default="light",
    help="Colours.",
)

DATES = [field.name for field in fields(Range)]
"""The parameters of :func:`range_options`."""

jobs_option = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1, max=1024),
    help="Number of processes.  [default: all cores]",
)

cluster_option = click.option(
    "--cluster",
    metavar="tcp://HOST:8786|local",
    help='Run on a Dask cluster: the address of its scheduler, or "local" for one with --jobs '
    "workers on this machine.",
)

store_option = click.option(
    "--store",
    "where",
    envvar="SATCAL_STORE",
    show_envvar=True,
    metavar="URL|FILE|none",
    help="Where finished counts are kept.  [default: a file in the user's data directory]",
)


def _encodings() -> Iterable[str]:
    from satcal.encoding import ENCODINGS

    return ENCODINGS


encoding_option = click.option(
    "--encoding",
    cls=Listed,
    values=_encodings,
    help="How the puzzle is written as clauses. With card-sortnetwrk, card-cardnetwrk and "
    "card-totalizer, use a projected model counter; an ordinary one finds too many models.  "
    "[default: ladder]",
)


NO_DATE = "none: the empty board"


def selecting_from(default: str) -> Callable[[Decorated], Callable[..., Any]]:
    """Add board, range and place options; the command takes a ``selection``.

    ``default`` says which dates the command takes without any option.
    """

    def decorate(command: Decorated) -> Callable[..., Any]:
        @words_argument
        @board_options
        @range_options(default)
        @place_option
        @functools.wraps(command)
        def wrapped(
            words: tuple[str, ...],
            board: str,
            pieces: str | None,
            flip: str | None,
            place: tuple[str, ...],
            **rest: Any,
        ) -> Any:
            context = click.get_current_context()
            board, said = board_and_dates(words, board)
            rest["date"] += said
            starts, ends = paired(context.meta["order"], rest.pop("start"), rest.pop("end"))
            names = [name for name in DATES if name in rest]
            wanted = Range(start=starts, end=ends, **{name: rest.pop(name) for name in names})
            puzzle = load(board, pieces, flip)
            dateless = puzzle.categories and puzzle.calendar.parts is None
            if dateless and not wanted.given() and default != NO_DATE:
                wanted = Range(all_reveals=True)  # today means nothing to it
            demands = tuple(parse_demands(puzzle, place))
            now = today(context)
            selection = Selection(puzzle, wanted, now, demands, origin_of(board, pieces, flip))
            return command(selection=selection, **rest)

        return wrapped

    return decorate


selecting = selecting_from("today")


def paired(
    order: Sequence[str | None], starts: Sequence[str], ends: Sequence[str]
) -> tuple[tuple[str | None, ...], tuple[str | None, ...]]:
    """The values of ``--from`` and ``--to``, those of a range at one place of both.

    A ``--from`` belongs to the ``--to`` that follows it; what has no partner so, to one before it.
    """
    values = {"start": iter(starts), "end": iter(ends)}
    pairs: list[tuple[str | None, str | None]] = []
    for name in order:
        if name == "start":
            pairs.append((next(values[name]), None))
        elif name == "end" and pairs and pairs[-1][1] is None:
            pairs[-1] = (pairs[-1][0], next(values[name]))
        elif name == "end":
            pairs.append((None, next(values[name])))
    for at in range(len(pairs) - 1, 0, -1):
        (start, last), (first, end) = pairs[at - 1 : at + 1]
        if start is None and end is None:
            pairs[at - 1 : at + 1] = [(first, last)]
    return tuple(start for start, _ in pairs), tuple(end for _, end in pairs)


def chosen(puzzle: Puzzle, dates: tuple[str, ...], reveals: tuple[str, ...]) -> list[Reveal]:
    """The reveals that ``--date`` and ``--reveal`` name; none without them."""
    wanted = Range(date=dates, reveal=reveals)
    rows = select(puzzle, wanted, today(click.get_current_context())) if wanted.given() else []
    return [row.reveal for row in rows]
