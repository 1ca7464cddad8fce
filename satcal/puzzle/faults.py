"""The mistakes of a file, all of them, with their lines.

The checks of a puzzle file report to :class:`satcal.toml.Faults`, which raises the first mistake;
with :class:`Kept` in its place they go on. tomllib tells no positions, nor does tomlkit: so a
text is cut into its statements, which tomllib then reads one by one.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from satcal import toml
from satcal.errors import PuzzleError, SatcalError

MOST = 100  # findings: nobody reads more, and a stranger's file may have thousands
REFERENCE = "docs/puzzle-file.md"
SECTIONS = ("name", "title", "source", "board", "categories", "calendar", "pieces", "flip", "area")
_TOKEN = re.compile(rf"{toml.OPAQUE.pattern}|[\[\]{{}},=\n]|[^\s\[\]{{}},=\"'#]+", re.DOTALL)
_STATEMENT = re.compile(r"\s*(?:\[|[\w-]+\s*=)")  # its beginning, where one before it is broken
_HEAD = re.compile(r"\s*\[")
_Path = tuple[str | int, ...]
"""Keys and indices that lead to a value."""


class Finding(NamedTuple):
    """What is ``wrong`` or ``odd`` in a line (from 1) of a file, and where to read about it."""

    file: str
    line: int
    kind: str
    text: str
    see: str


class Spot(NamedTuple):
    """Where a value is written: its line, and those of the rows of its text, blank ones aside."""

    line: int
    rows: Sequence[int] = ()


class Ended(Exception):
    """No more of a file can be read; why is kept."""


class Kept(toml.Faults):
    """Faults that are kept, so that the reading goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[Finding] = []
        self._where = ""
        self._spots: Mapping[_Path, Spot] = {}

    @contextmanager
    def of(self, where: str, text: str) -> Iterator[None]:
        """Surround the checks of a file."""
        if self._where != where:  # it is no table, but a drawing
            rows = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
            self._where, self._spots = where, {(): Spot(1, rows)}
        try:
            yield
        except SatcalError as error:
            self.keep(str(error))
            raise Ended from error

    @contextmanager
    def at(self, *path: str | int, row: int | None = None, loses: str = "") -> Iterator[None]:
        """Keep an error that is raised within, and what is lost by it."""
        try:
            yield
        except SatcalError as error:
            if len(self.findings) >= MOST:
                raise
            self.lost.add(loses)
            self.keep(str(error), *path, row=row)

    def table(self, text: str, where: str) -> dict[str, Any]:
        """Return the table of a text, less the statements that are broken or there twice."""
        self._where = where
        while True:
            try:
                table = toml.parse(text, where, PuzzleError)
                self._spots = spots(text)
                return table
            except PuzzleError as error:
                message = str(error).removeprefix(f"{where}: ")
                at = re.fullmatch(r"(.*) \(at (?:line (\d+), .*|end of document)\)", message)
                if at is None or len(self.findings) >= MOST:
                    self.keep(message)
                    raise Ended from error
                text = self._without_broken(text, at[1], int(at[2] or text.count("\n") + 1))

    def _without_broken(self, text: str, message: str, last: int) -> str:
        """Return the text less what is from a broken statement on, up to the next one."""
        read = [each for each in statements(text) if each[0] <= last]
        heads = [statement for _, statement in read if _HEAD.match(statement)]
        first, statement = read[-1]
        table = re.findall(r"[\w-]+", (heads or [statement])[-1])[:1]
        self._spots = {(): Spot(first)}
        self.keep(f"{message}; mend or drop `{statement.strip().splitlines()[0]}`", *table)
        self.lost.update(table)
        # nobody can tell whose keys they are that follow a broken head
        begins, lines = _HEAD if _HEAD.match(statement) else _STATEMENT, text.split("\n")
        after = (number for number in range(first, len(lines)) if begins.match(lines[number]))
        end = next(after, len(lines))
        return "\n".join(lines[: first - 1] + [""] * (end - first + 1) + lines[end:])

    def keep(
        self, text: str, *path: str | int, row: int | None = None, kind: str = "wrong"
    ) -> None:
        """Note what is wrong or odd at the keys of a path, or in a row of what is there."""
        section = path[0] if path and path[0] in SECTIONS else "the-toml-form"
        while path and path not in self._spots:
            path = path[:-1]
        line, rows = self._spots.get(path, Spot(1))
        if row is not None and rows:
            line = rows[min(row, len(rows) - 1)]
        self.findings.append(Finding(self._where, line, kind, text, f"{REFERENCE}#{section}"))


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each statement: a table's head, or a key with its value."""
    line, start, depth = 1, 0, 0
    for match in _TOKEN.finditer(text := text + "\n"):
        depth += (match[0] in ("[", "{")) - (match[0] in ("]", "}"))
        if (match[0] == "\n" and depth <= 0) or match.end() == len(text):
            statement = text[start : match.end()]
            if statement.strip():
                yield line, statement
            line, start, depth = line + statement.count("\n"), match.end(), 0


def spots(text: str) -> dict[_Path, Spot]:
    """Return where the values of a TOML text are written, by keys and indices."""
    found: dict[_Path, Spot] = {(): Spot(1)}
    head: _Path = ()
    for line, statement in statements(text):
        nodes = list(_nodes(tomllib.loads(statement)))
        if _HEAD.match(statement):
            head = nodes[-1][0]
            found[head] = Spot(line)
            continue
        found.update((head + path, Spot(line)) for path, _ in nodes)
        plain = [path for path, value in nodes if not isinstance(value, (dict, list))]
        for path, (below, token) in zip(plain, _values(statement), strict=False):
            written = enumerate(token.split("\n"), line + below)
            rows = [number for number, row in written if row.strip("\"' \t\r")]
            found[head + path] = Spot(line + below, rows)
    return found


def _nodes(value: Any, path: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    """Yield all that a table holds, with the way to it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield (*path, key), each
        if isinstance(each, (dict, list)):
            yield from _nodes(each, (*path, key))


def _values(statement: str) -> Iterator[tuple[int, str]]:
    """Yield the strings, numbers and so on of a statement, each after so many line breaks."""
    tokens = [match for match in _TOKEN.finditer(statement) if match[0][0] not in "[]{},\n#"]
    for match, after in itertools.zip_longest(tokens, tokens[1:]):
        if match[0] != "=" and (after is None or after[0] != "="):
            yield statement.count("\n", 0, match.start()), match[0]
