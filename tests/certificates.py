"""Certificates of a small puzzle, and how to take one apart and put it together again."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from functools import cache
from typing import Any

from satcal.counting.cubes import plans
from satcal.evidence.certify import CUT_ABOVE, sealed, sections
from satcal.proof.archive import pack, unpack
from satcal.proof.certificate import OLD, STATEMENT
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
    """The parts of a certificate, to be edited, and sealed again with a digest that fits."""

    def __init__(self, data: bytes) -> None:
        self.parts = unpack(data)
        self.statement: dict[str, Any] = json.loads(self.parts[STATEMENT])

    def content(self, name: str) -> bytes:
        """Return a part's content, decompressed."""
        part = self.parts[name]
        return lzma.decompress(part) if name.endswith(".xz") else part

    def text(self, name: str) -> str:
        """Return a part's text."""
        return self.content(name).decode(errors="replace")

    def lines(self, name: str) -> list[str]:
        """Return the lines of a part."""
        return self.text(name).split("\n")[:-1]

    def write(self, name: str, text: str | bytes) -> None:
        """Replace a part's content and the size that is stated of it."""
        raw = text.encode() if isinstance(text, str) else text
        self.parts[name] = lzma.compress(raw, preset=0) if name.endswith(".xz") else raw
        self.resize(name, len(raw))

    def edit(self, name: str, change: Callable[[list[str]], list[str]]) -> None:
        """Change the lines of a part."""
        self.write(name, "".join(f"{line}\n" for line in change(self.lines(name))))

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace what stands in a part just once."""
        text = self.text(name)
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def resize(self, name: str, size: object) -> None:
        """State another size of a part."""
        self.statement["sizes"][name] = size

    def state(self, **entry: object) -> None:
        """State something else of the first reveal."""
        self.statement["reveals"][0].update(entry)

    def as_format_1(self) -> None:
        """State the format whose proofs are DRUP, and rename the proofs."""
        self.statement["format"] = OLD
        sizes = self.statement["sizes"]
        for table in (self.parts, sizes):
            for name in list(table):
                table[name.replace("hints", "drat")] = table.pop(name)

    def sealed(self) -> bytes:
        """Return the archive, its digest right."""
        if STATEMENT in self.parts:
            text = json.dumps(self.statement, indent=1, ensure_ascii=False) + "\n"
            self.parts[STATEMENT] = text.encode()
        return pack(self.parts)
