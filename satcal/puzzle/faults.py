"""The mistakes of a file, all of them, with their lines.

The checks of a puzzle file report to :class:`satcal.toml.Faults`, which raises the first mistake;
with :class:`Kept` in its place they go on. tomllib tells no positions, nor does tomlkit: so a
text is cut into its statements, which tomllib then reads one by one.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from satcal import toml
from satcal.errors import PuzzleError, SatcalError, shown
from satcal.puzzle.toml import KEYS

MOST = 100  # findings: nobody reads more, and a stranger's file may have thousands
REFERENCE = "docs/puzzle-file.md"
SECTIONS = (*KEYS, "area")
_UNCLOSED = r'"""(?:[^"\\]|\\.|"(?!""))*+\Z|' r"'''(?:[^']|'(?!''))*+\Z"
_TOKEN = re.compile(
    rf"{_UNCLOSED}|{toml.OPAQUE.pattern}|[\[\]{{}},=\n]|[^\s\[\]{{}},=\"'#]+", re.DOTALL
)
_STATEMENT = re.compile(r"\s*(?:\[|[\w-]+\s*=)")  # its beginning, where one before it is broken
_HEAD = re.compile(r"\s*\[")
_SWALLOWED = re.compile(r"\n(?:\[\w+\]\s*\n|\w+ *= *[\"{\[])")  # by a text that is not closed
_Path = tuple[str | int, ...]
"""Keys and indices that lead to a value."""
_NEAR: dict[_Path, _Path] = {("area",): ("pieces",), ("calendar",): ("categories",)}
"""Where that is looked at which need not be written at all."""


class Finding(NamedTuple):
    """What is ``wrong`` or ``odd`` in a line (from 1) of a file, and where to read about it."""

    file: str
    line: int
    kind: str
    text: str
    see: str


class Ended(Exception):
    """No more of a file can be read; why is kept."""


class Kept(toml.Faults):
    """Faults that are kept, so that the reading goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[Finding] = []
        self._where = ""
        self._read: list[tuple[str, Mapping[_Path, tuple[int, str]]]] = []
        self._labels: set[_Path] = set()  # that are wrong
        self._places: Mapping[_Path, tuple[int, str]] = {(): (1, "")}

    @contextmanager
    def of(self, where: str, text: str) -> Iterator[None]:
        """Surround the checks of a file."""
        if self._where != where:  # it is no table, but a drawing
            self._where, self._places = where, {(): (1, f'"""{text}')}
        self._read.append((self._where, self._places))
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
            missed = row is None and path in {*self._labels, *((key,) for key in self.lost)}
            self.lost.add(loses)
            if path and isinstance(path[-1], int):
                self._labels.add(path)
            if not missed:  # because of another mistake
                self.keep(str(error), *path, row=row)

    def return_to_board(self) -> None:
        """Take what follows to be about the file that was read first."""
        self._where, self._places = self._read[0]

    def table(self, text: str, where: str) -> dict[str, Any]:
        """Return the table of a text, less the statements that are broken or there twice."""
        self._where = where
        while True:
            try:
                table = toml.parse(text, where, PuzzleError)
                self._places = places(text)
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
        read = list(itertools.takewhile(lambda each: each[0] <= last, statements(text)))
        heads = [statement for _, statement in read if _HEAD.match(statement)]
        swallowing = [each for each in read if _SWALLOWED.search(each[1])]
        first, statement = swallowing[0] if swallowing else read[-1]
        if swallowing or "overwrite" in message:
            message = f"not valid TOML: this is {'not closed' if swallowing else 'there twice'}"
        keys = [re.findall(r"[\w-]+", each)[0:1] for each in (*heads[-1:], statement)]
        # tomllib names the end of what is there twice, or not closed, and of all else the place
        self._places = {(): (last if "character" in message else first, "")}
        beginning = shown(statement.strip().splitlines()[0])
        self.keep(f"{message}; mend or drop what begins with {beginning}", *keys[0])
        self.lost.update(*keys)
        # nobody can tell whose keys they are that follow a broken head
        begins = _STATEMENT if "=" in statement.partition("\n")[0] else _HEAD
        lines = text.split("\n")
        after = (number for number in range(first, len(lines)) if begins.match(lines[number]))
        end = next(after, len(lines))
        return "\n".join(lines[: first - 1] + [""] * (end - first + 1) + lines[end:])

    def keep(
        self, text: str, *path: str | int, row: int | None = None, kind: str = "wrong"
    ) -> None:
        """Note what is wrong or odd at the keys of a path, or in a row of the drawing there."""
        section = path[0] if path and path[0] in SECTIONS else "the-toml-form"
        path = path if path in self._places else _NEAR.get(path, path)
        known = next(path[:end] for end in range(len(path), -1, -1) if path[:end] in self._places)
        line, statement = self._places[known]
        for key in path[len(known) :]:
            inner = list(re.finditer(rf"\b{re.escape(str(key))}\s*=", statement))
            if isinstance(key, int):  # of a list of labels
                texts = toml.OPAQUE.finditer(statement, statement.index("="))
                inner = [each for each in texts if each[0][0] != "#"][key:]
            if inner:
                start = inner[0].start()
                line, statement = line + statement.count("\n", 0, start), statement[start:]
        before, *drawing = re.split("[\"']{3}", statement, maxsplit=1)
        rows = enumerate("".join(drawing).split("\n"))
        if row is not None and (drawn := [number for number, text in rows if text.strip()]):
            line += before.count("\n") + drawn[min(row, len(drawn) - 1)]
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


def places(text: str) -> dict[_Path, tuple[int, str]]:
    """Return the line and text of the statement of each key of a TOML text."""
    found: dict[_Path, tuple[int, str]] = {(): (1, "")}
    head: _Path = ()
    for line, statement in statements(text):
        value: Any = tomllib.loads(statement)
        path = head
        if _HEAD.match(statement):
            path = head = ()
        while isinstance(value, dict) and value:
            path = (*path, next(iter(value)))
            value = value[path[-1]]
            found.setdefault(path, (line, statement))
        head = path if _HEAD.match(statement) else head
    return found
