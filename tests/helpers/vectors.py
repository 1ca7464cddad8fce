"""The vectors of docs/reference/certificates.md: good files, and a bad one for each rule.

PYTHONPATH=tests python -m helpers.vectors     writes them into docs/vectors
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from helpers.certificates import FIRST, Raw, deflated, head, sealed, signed, taken_apart
from satcal.certificates.certify import certify, normal_form
from satcal.proof.walk import Stated
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle

FOLDER = Path(__file__).parents[2] / "docs" / "vectors"
THREE = '''
name = "three"
board = """
a * *
* b *
* * *
"""
[categories]
letter = ["a", "b"]
[pieces]
V = "##\\n#."
I3 = "###"
I2 = "##"
'''
"""Two reveals, the second of which makes a ring."""
DOMINOES = '''
name = "dominoes"
title = "Dominoes on 4 by 4: equal states are remembered"
board = """
* * * *
* * * *
* * * *
* * * *
"""
[pieces]
I2 = { shape = "##", copies = 8 }
'''
MUTILATED = '''
name = "mutilated"
board = """
. * *
* * *
* * .
"""
[pieces]
I2 = { shape = "##", copies = 3 }
'''
"""Seven cells for three dominoes: the areas differ."""
TWO = 'name = "two"\nboard = """\n* *\n* *\n"""\n[pieces]\nI2 = { shape = "##", copies = 2 }\n'
ROW = 'name = "row"\nboard = """\n* * *\n"""\n[pieces]\nI2 = "##"\nI1 = "#"\n'

ROOMLESS = """\
name = "roomless"
title = ""
source = ""
board = \"\"\"
aa *
\"\"\"

[categories]
"k" = ["aa"]

[pieces]
V = { shape = "##\\n#.", copies = 1, flip = true }
"""
"""In normal form; its areas differ, so that no tree is needed to state whatever else is wrong."""


def puzzle(text: str) -> Puzzle:
    return parse_puzzle(text, "vector")


def raw(text: str, tilings: int, nodes: int, marks: int, tokens: list[int]) -> Raw:
    """A statement of a puzzle without categories."""
    return Raw(normal_form(puzzle(text)), [Stated((), tilings, nodes, marks)], bytes(tokens))


@cache
def three() -> Raw:
    made = puzzle(THREE)
    return taken_apart(certify(made, list(made.reveals())))[0]


def roomless(old: str, new: str, reveal: str = "aa") -> Raw:
    """The statement that a puzzle which is changed at one place has no tiling."""
    assert old in ROOMLESS
    return Raw(ROOMLESS.replace(old, new, 1), [Stated((reveal,), 0, 0, 0)], b"")


def field(rows: int, columns: int) -> str:
    """The drawing of a board with a label in its corner."""
    row = "  ".join("*" * columns)
    return "\n".join(["aa" + row[2:], *[row] * (rows - 1)])


def rods(*lengths: int) -> list[str]:
    """The lines of straight pieces."""
    return [
        f'R{number} = {{ shape = "{"#" * length}", copies = 1, flip = true }}\n'
        for number, length in enumerate(lengths)
    ]


def at_the_limits() -> list[Raw]:
    """Statements of puzzles that are as small, or as large, as a puzzle may be."""
    tokens = [254, 15, 128, 1, 126, 131, 1, *[0] * 1020]  # of one byte and of two
    board = "\n".join([" ".join("*" * 64)] * 16)
    large = ROOMLESS.replace("aa *", board).replace('"k" = ["aa"]\n', "")
    large = large.replace(
        'V = { shape = "##\\n#.", copies = 1,', 'A = { shape = "#", copies = 1024,'
    )
    small = large.replace(board, "*").replace("1024", "1").replace("roomless", "n")
    small = small.replace("\nsource", '\ndesigner = "d"\nsource')
    wide = ROOMLESS.replace("aa", "a" * 32).replace('"k"', f'"{"k" * 32}"')
    wide = wide.replace("roomless", "n" * 200).replace(
        'title = ""\nsource = ""',
        "\n".join(f'{key} = "{"x" * 1000}"' for key in ("title", "designer", "source")),
    )
    for name, drawing in ("I", "#" * 64), ("U", "#.#\\n###"), ("S", ".##\\n##."):
        wide += f'{name} = {{ shape = "{drawing}", copies = 1, flip = false }}\n'
    wide += "".join(rods(*[64] * 14, 52))  # 1024 squares in all
    return [
        Raw(large, [Stated((), 1, 1024, 1)], bytes(tokens)),
        Raw(small, [Stated((), 1, 1, 0)], b"\0"),
        Raw(wide, [Stated(("a" * 32,), 0, 0, 0)], b""),
        roomless("aa *", field(64, 1)),
        two_bytes(130, 1),
    ]


def two_bytes(*tokens: int) -> Raw:
    """The statement that one piece fits 67 cells: its only node names cell 65, 130 in bytes.

    Without its second byte the token would name cell 1, which is revealed.
    """
    row = "*  " * 33 + "*"
    drawing = "#." + "#" * 32 + "\\n" + "#" * 34
    text = ROOMLESS.replace("aa *", f"*  aa {row[6:]}\n{row}").replace("##\\n#.", drawing)
    return Raw(text, [Stated(("aa",), 1, 1, 0)], bytes(tokens))


def good() -> dict[str, bytes]:
    others = [taken_apart(certify(puzzle(text), [()]))[0] for text in (DOMINOES, MUTILATED)]
    return {
        "three": sealed(three()),
        "dominoes": sealed(others[0]),
        "several": sealed(three(), *others),
        "limits": sealed(*at_the_limits()),
    }


def stating(reveal: int = 0, **changed: int) -> Raw:
    """The statement with another number for one of its reveals."""
    stated = list(three().stated)
    stated[reveal] = stated[reveal]._replace(**changed)
    return replace(three(), stated=stated)


def heading(old: str, new: str) -> Raw:
    """The statement with something else in the line of its first reveal."""
    first, second = map(head, three().stated)
    assert old in first
    return replace(three(), heads=[first.replace(old, new), second])


def reading(old: str, new: str) -> Raw:
    """The statement with something else in the text of its puzzle."""
    assert old in three().text
    return replace(three(), text=three().text.replace(old, new, 1))


def walking(*tokens: int, at: int = 0) -> Raw:
    """The statement with other tokens from a place on."""
    old = three().tokens
    return replace(three(), tokens=old[:at] + bytes(tokens) + old[at + 1 :])


def bad_statements() -> dict[str, Raw]:
    """A statement for each rule that only it breaks."""
    a, b = three().stated
    packed = deflated(three().tokens)
    first = three().tokens[0]
    return {
        "tilings": stating(tilings=a.tilings + 1),
        "nodes-too-few": stating(nodes=a.nodes - 1),
        "nodes-too-many": stating(1, nodes=b.nodes + 1),
        "marks": stating(marks=a.marks + 1),
        "tree-cut-off": replace(three(), tokens=three().tokens[:-1]),
        "tree-goes-on": replace(three(), tokens=three().tokens + b"\0"),
        "revealed-cell": walking(2 * 4, at=a.nodes),
        "nothing-of-this-number": walking(2 * 12),
        "two-bytes-for-a-small-number": walking(first + 128, 0),
        "number-beyond-14-bits": walking(first + 128, 128, 1),
        "token-cut-off": two_bytes(130),
        "reveal-twice": replace(three(), stated=[a, a], tokens=three().tokens[: a.nodes] * 2),
        "label-of-no-category": heading('"a"', '"c"'),
        "label-missing": heading(' "a"', ""),
        "number-with-a-zero-in-front": heading("tilings ", "tilings 0"),
        "blank-too-many": heading("tilings ", "tilings  "),
        "puzzle-blank-at-the-end": reading("a * *\n", "a * * \n"),
        "puzzle-next-line": reading("a * *\n", "a * *\u0085"),
        "puzzle-tab": reading("a * *\n", "a\t* *\n"),
        "puzzle-copies-zero": reading("copies = 1", "copies = 0"),
        "puzzle-piece-twice": reading("I3 =", "V ="),
        "puzzle-in-two-parts": reading('shape = "###"', 'shape = "#.#"'),
        "puzzle-empty-column": reading('shape = "###"', 'shape = ".###"'),
        "puzzle-length": replace(three(), text_size=len(three().text) - 1),
        "trees-length": replace(three(), packed_size=len(packed) + 1),
        "deflate-bomb": replace(three(), tokens=three().tokens + bytes(100_000)),
        "deflate-damaged": replace(three(), packed=b"\x07" + packed[1:]),
        "after-deflate": replace(three(), packed=packed + b"\0"),
        "piece-with-copies": raw(TWO, 4, 5, 0, [8, 0, 0, 0, 0]),
        "revealed-cell-and-no-tiling": replace(
            three(), stated=[Stated(("b",), 0, 1, 0)], tokens=bytes([2 * 4])
        ),
        "piece-used-and-no-tiling": raw(ROW, 0, 3, 0, [6, 2, 6]),
        "piece-used": raw(ROW, 2, 4, 0, [8, 6, 0, 0]),
        "areas-differ": raw(MUTILATED, 1, 0, 0, []),
        "areas-differ-and-a-tree": raw(MUTILATED, 0, 1, 0, [0]),
    }


def bad_puzzles() -> dict[str, Raw]:
    """A statement without a tree for each rule of the normal form."""
    piece = ROOMLESS.splitlines(keepends=True)[-1]
    return {
        "name-empty": roomless('"roomless"', '""'),
        "name-too-long": roomless("roomless", "n" * 201),
        "title-too-long": roomless('title = ""', f'title = "{"t" * 1001}"'),
        "title-of-two-lines": roomless('title = ""', 'title = "\n"'),
        "title-with-a-delete": roomless('title = ""', 'title = "\x7f"'),
        "title-with-a-format-mark": roomless('title = ""', 'title = "\u200b"'),
        "title-with-a-line-separator": roomless('title = ""', 'title = "\u2028"'),
        "title-missing": roomless('title = ""\n', ""),
        "designer-empty": roomless("source", 'designer = ""\nsource'),
        "designer-too-long": roomless("source", f'designer = "{"d" * 1001}"\nsource'),
        "source-too-long": roomless('source = ""', f'source = "{"s" * 1001}"'),
        "board-of-65-columns": roomless("aa *", field(1, 65)),
        "board-of-65-rows": roomless("aa *", field(65, 1)),
        "board-of-1025-cells": roomless("aa *", field(41, 25)),
        "board-uneven": roomless("aa *", "aa *\n*"),
        "board-blank-too-many": roomless("aa *", "aa  *"),
        "board-blank-missing": roomless("aa *", "aa *\n* *"),
        "board-quotation-mark": Raw(
            ROOMLESS.replace("aa *", 'a" *').replace('"aa"', r'"a\""'),
            [Stated(('a"',), 0, 0, 0)],
            b"",
        ),
        "board-empty-column": roomless("aa *", "aa *  ."),
        "board-without-rows": roomless("aa *\n", ""),
        "board-without-cells": Raw(
            ROOMLESS.replace("aa *", ".").replace('"k" = ["aa"]\n', ""),
            [Stated((), 0, 0, 0)],
            b"",
        ),
        "category-without-a-name": roomless('"k"', '""'),
        "category-too-long": roomless('"k"', f'"{"k" * 33}"'),
        "category-reserved": roomless('"k"', '"date"'),
        "category-twice": roomless('"k" = ["aa"]\n', '"k" = ["aa"]\n' * 2),
        "category-empty-line": roomless('"k" = ["aa"]\n', '"k" = ["aa"]\n\n'),
        "label-too-long": Raw(
            ROOMLESS.replace("aa", "a" * 33), [Stated(("a" * 33,), 0, 0, 0)], b""
        ),
        "label-with-a-no-break-space": Raw(
            ROOMLESS.replace("aa", "a\u00a0a"), [Stated(("a\u00a0a",), 0, 0, 0)], b""
        ),
        "label-with-a-comma": Raw(ROOMLESS.replace("aa", "a,a"), [Stated(("a,a",), 0, 0, 0)], b""),
        "label-apart": roomless("aa *", "aa *  aa"),
        "piece-of-65-columns": roomless("##\\n#.", "#" * 65),
        "piece-in-two-parts": roomless("##\\n#.", "#.#"),
        "piece-by-its-corners": roomless("##\\n#.", "#.\\n.#"),
        "piece-by-its-other-corners": roomless("##\\n#.", ".#\\n#."),
        "piece-with-a-loose-hook": roomless("##\\n#.", "##..\\n.#.#\\n.##."),
        "piece-uneven": roomless("##\\n#.", "##\\n#"),
        "piece-without-copies": roomless("copies = 1", "copies = 0"),
        "piece-missing": roomless(piece, ""),
        "piece-named-twice": roomless(piece, piece * 2),
        "piece-of-1025-copies": roomless("copies = 1", "copies = 1025"),
        "pieces-of-1025-squares": roomless(piece, "".join(rods(*[64] * 16, 1))),
        "puzzle-goes-on": roomless(piece, piece + "\n"),
        "puzzle-ends-without-line-feed": roomless(piece, piece[:-1]),
    }


def bad() -> dict[str, bytes]:
    whole = sealed(three())
    digest = whole.rindex(b"sha256 ")
    body = whole[:digest]
    return {
        name: sealed(statement) for name, statement in (bad_statements() | bad_puzzles()).items()
    } | {
        "digest": whole[:-2] + (b"0" if whole[-2:-1] != b"0" else b"1") + b"\n",
        "after-the-digest": whole + b"\n",
        "no-statement": sealed(),
        "no-digest": whole[:digest],
        "no-line-feed-at-the-end": whole[:-1] + b" ",
        "first-line": signed(body.replace(b"certificate 3", b"certificate 4", 1)),
        "carriage-return": signed(body.replace(FIRST, FIRST[:-1] + b"\r\n", 1)),
        "line-not-utf-8": signed(body.replace(b'reveal "a"', b'reveal "\xff"', 1)),
        "puzzle-not-utf-8": signed(body.replace(b'"three"', b'"thre\xff"', 1)),
    }


def files() -> dict[str, bytes]:
    """The files by their names."""
    named = {f"good-{name}": data for name, data in good().items()}
    named |= {f"bad-{name}": data for name, data in bad().items()}
    return {f"{name}.satcert": data for name, data in named.items()}


if __name__ == "__main__":
    for path in FOLDER.glob("*.satcert"):
        path.unlink()
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
