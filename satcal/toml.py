"""The parser of TOML files and posted texts, which may be hostile.

The parser of the standard library takes time and memory quadratic in the number of parts of a key:
24 kB of ``a.a.a.a`` take 564 MiB. Therefore regular expressions check the text first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from satcal.errors import FormatError, InputError

MAX_DEPTH = 16  # parts of a key; `categories.month` has two
MAX_KEYS = 20_000  # keys and tables; the largest known file has 2,604, one per reveal
# Strings and comments, as the parser delimits them. An unclosed string is an error for the parser;
# here it extends to the end of its line, or of the text if it may have several lines. Every
# alternative that begins to match does match, so no character is read twice: the time is linear.
OPAQUE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{0,5}|'
    r"'''(?:[^']|'(?!''))*+'{0,5}|"
    r'"(?:[^"\\\n]|\\[^\n])*+"?|'
    r"'[^'\n]*+'?|"
    r"#[^\n]*+",
    re.DOTALL,
)
DEEP = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}")
HEAD = re.compile(r"^[ \t]*\[", re.MULTILINE)
ENDED_LINE = r"Illegal character '\n'"


def parse_toml(
    text: str,
    source: str,
    kind: type[InputError] = FormatError,
    parse_float: Callable[[str], Any] = float,
) -> dict[str, Any]:
    """Return the table of a TOML text; raise an error of class ``kind`` that names ``source``.

    The number and the depth of keys are limited.
    """
    bare = OPAQUE.sub("s", text)  # in a key, a string is one part
    if DEEP.search(bare):
        raise kind(f"{source}: a key has more than {MAX_DEPTH} parts; write fewer nested tables")
    if bare.count("=") + len(HEAD.findall(bare)) > MAX_KEYS:
        raise kind(f"{source}: more than {MAX_KEYS:,} keys and tables; is it the right file?")
    try:
        table = tomllib.loads(text, parse_float=parse_float)
        repr(table)  # raises for hexadecimal numbers of thousands of digits
        return table
    except tomllib.TOMLDecodeError as error:
        message = str(error).replace(
            ENDED_LINE, 'a string is not closed at the end of the line; for several lines, use """'
        )
        raise kind(f"{source}: not valid TOML: {message}") from error
    except ValueError as error:
        raise kind(f"{source}: not valid TOML: a number has thousands of digits") from error
    except RecursionError as error:
        raise kind(f"{source}: not valid TOML: nested too deeply") from error
