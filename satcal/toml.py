"""TOML that may be hostile: every file and posted text is parsed here.

The parser of the standard library takes time and memory quadratic in the number of a key's parts:
24 kB of ``a.a.a.a`` take 564 MiB. So regular expressions inspect the text before it is parsed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from satcal.errors import FormatError, InputError

MAX_DEPTH = 16  # parts of a key; `categories.month` has two
MAX_KEYS = 20_000  # keys and tables; a number for each of 2,604 reveals is the most we know of
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
DEEP = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}")
HEAD = re.compile(r"^[ \t]*\[", re.MULTILINE)
ENDED_LINE = r"Illegal character '\n'"


def parse(
    text: str,
    where: str,
    kind: type[InputError] = FormatError,
    parse_float: Callable[[str], Any] = float,
) -> dict[str, Any]:
    """Return the table of a TOML text; raise an error of this ``kind``, which names ``where``.

    A text may not have more keys, or deeper ones, than any of ours.
    """
    bare = OPAQUE.sub("s", text)  # as part of a key a string is one word, and a comment ends it
    if DEEP.search(bare):
        raise kind(f"{where}: a key has more than {MAX_DEPTH} parts; write fewer nested tables")
    if bare.count("=") + len(HEAD.findall(bare)) > MAX_KEYS:
        raise kind(f"{where}: more than {MAX_KEYS:,} keys and tables; is it the right file?")
    try:
        table = tomllib.loads(text, parse_float=parse_float)
        repr(table)  # no error message could show a hexadecimal number of thousands of digits
        return table
    except tomllib.TOMLDecodeError as error:
        message = str(error).replace(
            ENDED_LINE, 'a string is not closed at the end of the line; for several lines, use """'
        )
        raise kind(f"{where}: not valid TOML: {message}") from error
    except ValueError as error:
        raise kind(f"{where}: not valid TOML: a number has thousands of digits") from error
    except RecursionError as error:
        raise kind(f"{where}: not valid TOML: nested too deeply") from error
