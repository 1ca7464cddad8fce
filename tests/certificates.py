"""Certificates of a small puzzle, and how to take one apart and put it together again."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from satcal.counting.cubes import plans
from satcal.evidence.certify import CUT_ABOVE, sealed, sections
from satcal.proof.archive import pack, unpack
from satcal.proof.certificate import STATEMENT
from satcal.puzzle.model import Puzzle
from satcal.puzzle.toml import parse_puzzle

FIVE = '''
name = "five"
board = """
a b c d e
1 * * * *
2 * * * *
3 * * * *
4 * * * *
"""
[categories]
letter = ["a", "b", "c", "d", "e"]
number = ["1", "2", "3", "4"]
[pieces]
P = "##\\n##\\n#."
L = "#.\\n#.\\n#.\\n##"
V = "#..\\n#..\\n###"
Y = ".#\\n##\\n.#\\n.#"
I = "###"
'''
# tilings by reveal, each counted by hand of the diagram and of the search
COUNTS = {("a", "1"): 29, ("a", "3"): 5, ("c", "1"): 0, ("e", "1"): 37}
TILINGS, CUBES, PROOF = "0001-tilings.txt.xz", "0001-cubes.txt.xz", "0001-proof-0001.hints.xz"


@cache
def five() -> Puzzle:
    """A 5 x 5 board with 20 reveals, of which 8 have no tiling."""
    return parse_puzzle(FIVE, "five.toml")


@cache
def made(*reveals: str, cut_above: int = CUT_ABOVE) -> bytes:
    """Return a certificate of reveals such as ``a1``."""
    planned = plans(five(), [(reveal[0], reveal[1]) for reveal in reveals], cut_above)
    return sealed(five(), list(sections(five(), planned)))


class Forged:
    """The parts of a certificate, to be edited, and sealed again with a digest that fits.

    What is written is compressed with the ``preset`` of xz: 0 is quick.
    """

    def __init__(self, data: bytes, preset: int = 6) -> None:
        self.parts = unpack(data)
        self.preset = preset
        self.statement: dict[str, Any] = json.loads(self.parts[STATEMENT])

    def content(self, name: str) -> bytes:
        """Return a part's content, decompressed."""
        part = self.parts[name]
        return lzma.decompress(part) if name.endswith(".xz") else part

    def text(self, name: str) -> str:
        """Return a part's text."""
        return self.content(name).decode(errors="replace")

    def write(self, name: str, text: str | bytes) -> None:
        """Replace a part's content and the size that is stated of it."""
        raw = text.encode() if isinstance(text, str) else text
        self.parts[name] = lzma.compress(raw, preset=self.preset) if name.endswith(".xz") else raw
        self.statement["sizes"][name] = len(raw)

    def lines(self, name: str) -> list[str]:
        """Return the lines of a part."""
        return self.text(name).split("\n")[:-1]

    def write_lines(self, name: str, lines: Iterable[str]) -> None:
        """Replace the lines of a part."""
        self.write(name, "".join(f"{line}\n" for line in lines))

    def edit(self, name: str, change: Callable[[list[str]], list[str]]) -> None:
        """Change the lines of a part."""
        self.write_lines(name, change(self.lines(name)))

    def count(self, tilings: int) -> None:
        """State another number of tilings."""
        self.statement["reveals"][0]["tilings"] = tilings

    def sealed(self) -> bytes:
        """Return the archive, its digest right."""
        if STATEMENT in self.parts:
            text = json.dumps(self.statement, indent=1, ensure_ascii=False) + "\n"
            self.parts[STATEMENT] = text.encode()
        return pack(self.parts)
