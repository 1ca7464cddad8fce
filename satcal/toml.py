"""TOML that a stranger may have written: every file and posted text is parsed here.

The parser of the standard library takes time and memory quadratic in the number of a key's parts:
24 kB of ``a.a.a.a`` take 564 MiB. So regular expressions inspect the text before it is parsed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from satcal.errors import FormatError, InputError, PuzzleError, SatcalError

DEEPEST = 16  # parts of a key; `categories.month` has two
MOST = 20_000  # keys and tables; a number for each of 2,604 reveals is the most we know of
# Strings and comments, as the parser delimits them; one that is not closed takes the rest of its
# line, or of the text where it has several lines. That is where the parser stops, and as every
# alternative matches once it has begun, no character is looked at again: time grows with the text.
OPAQUE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{0,5}|'
    r"'''(?:[^']|'(?!''))*+'{0,5}|"
    r'"(?:[^"\\\n]|\\[^\n])*+"?|'
    r"'[^'\n]*+'?|"
    r"#[^\n]*+",
    re.DOTALL,
)
_DEEP = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")
_HEAD = re.compile(r"^[ \t]*\[", re.MULTILINE)
_ENDED_LINE = r"Illegal character '\n'"


def parse(
    text: str,
    where: str,
    kind: type[InputError] = FormatError,
    parse_float: Callable[[str], Any] = float,
) -> dict[str, Any]:
    """The table of a TOML text; raises an error of this ``kind`` if it is none.

    ``where`` names the text; it may not have more keys, or deeper ones, than any of ours.
    """
    bare = OPAQUE.sub(lambda match: "" if match[0][0] == "#" else "s", text)
    if _DEEP.search(bare):
        raise kind(f"{where}: a key has more than {DEEPEST} parts; write tables that are less deep")
    if bare.count("=") + len(_HEAD.findall(bare)) > MOST:
        raise kind(f"{where}: more than {MOST:,} keys and tables; is it the right file?")
    try:
        table = tomllib.loads(text, parse_float=parse_float)
        repr(table)  # no error message could show a hexadecimal number of thousands of digits
        return table
    except tomllib.TOMLDecodeError as error:
        message = str(error).replace(
            _ENDED_LINE, 'a string is not closed at the end of the line; for several lines, use """'
        )
        raise kind(f"{where}: not valid TOML: {message}") from error
    except ValueError as error:
        raise kind(f"{where}: not valid TOML: a number has thousands of digits") from error
    except RecursionError as error:
        raise kind(f"{where}: not valid TOML: nested too deeply") from error


class Faults:
    """What becomes of the mistakes that checks find: here the first one ends the reading.

    `satcal lint` keeps them all instead (:class:`satcal.puzzle.lint.Kept`).
    """

    def __init__(self) -> None:
        self.lost: set[str] = set()  # keys whose mistakes kept them from being read

    @contextmanager
    def of(self, where: str, text: str) -> Iterator[None]:
        """Begin the text of every error with the name of the file that it is about."""
        try:
            yield
        except SatcalError as error:
            raise type(error)(f"{where}: {error}") from error

    def at(self, *path: str | int, loses: str = "") -> AbstractContextManager[None]:
        """Surround a check of what the keys of ``path`` lead to."""
        return nullcontext()

    def expect(self, holds: bool, text: str, *path: str | int, loses: str = "") -> bool:
        """Raise PuzzleError, or keep it, unless something holds; return whether it does."""
        with self.at(*path, loses=loses):
            if not holds:
                raise PuzzleError(text)
        return holds

    def table(self, text: str, where: str) -> dict[str, Any]:
        """The table of a TOML text."""
        return parse(text, where, PuzzleError)
