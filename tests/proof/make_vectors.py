"""The vectors of docs/reference/certificates.md: good files, and others for each rule and bound.

PYTHONPATH=tests python -m proof.make_vectors    writes them into tests/proof/vectors
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from helpers.certificates import (
    FIRST,
    File,
    Group,
    deflated,
    five,
    line_of,
    made,
    puzzle_of,
    signed,
)

FOLDER = Path(__file__).parent / "vectors"
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
board = """
* * * *
* * * *
* * * *
* * * *
"""
[pieces]
I2 = { shape = "##", copies = 8 }
'''
TWO = """\
name = "two"
board = \"\"\"
* *
* *
\"\"\"

[categories]

[pieces]
I2 = { shape = "##", copies = 2, flip = true }
"""
ROW = """\
name = "row"
board = \"\"\"
* * *
\"\"\"

[categories]

[pieces]
I2 = { shape = "##", copies = 1, flip = true }
I1 = { shape = "#", copies = 1, flip = true }
"""
ROOMLESS = """\
name = "roomless"
board = \"\"\"
aa *
\"\"\"

[categories]
"k" = ["aa"]

[pieces]
V = { shape = "##\\n#.", copies = 1, flip = true }
"""
"""Its areas differ, so that no tree is needed to state whatever else is wrong."""
PIECE = ROOMLESS.splitlines(keepends=True)[-1]


@cache
def three() -> File:
    """Return the file that the page shows whole."""
    puzzle = puzzle_of(THREE)
    return made(puzzle, puzzle.reveals())


def roomless(old: str = "", new: str = "", reveal: tuple[str, ...] = ("aa",)) -> File:
    """Return the file that says that a puzzle which is changed at one place has no tiling."""
    assert old in ROOMLESS
    return File(ROOMLESS.replace(old, new, 1), [Group({reveal: 0}, b"", None, 0, 0, 0)])


def raw(text: str, tilings: int, tokens: list[int], work: int) -> File:
    """Return a file about a puzzle without categories."""
    marks = sum(token & 1 for token in tokens)
    return File(text, [Group({(): tilings}, bytes(tokens), 1, len(tokens), marks, work)])


def field(rows: int, columns: int) -> str:
    """Return the drawing of a board with a label in its corner."""
    row = " ".join("*" * columns)
    return "\n".join(["aa" + row[1:], *[row] * (rows - 1)])


def rods(*lengths: int) -> str:
    """Return the lines of straight pieces."""
    return "".join(
        f'R{number} = {{ shape = "{"#" * length}", copies = 1, flip = true }}\n'
        for number, length in enumerate(lengths)
    )


def two_bytes(*tokens: int) -> File:
    """Return the file that says that one piece fits 67 cells: its only node names cell 65.

    Without its second byte the token would name cell 1, which is revealed.
    """
    row = "* " * 33 + "*"
    drawing = "#." + "#" * 32 + "\\n" + "#" * 34
    text = ROOMLESS.replace("aa *", f"* aa {row[4:]}\n{row}").replace("##\\n#.", drawing)
    return File(text, [Group({("aa",): 1}, bytes(tokens), 1, 1, 0, 1)])


def labelled(label: str) -> File:
    """Return the file about a board with this label."""
    text = ROOMLESS.replace("aa", label)
    return File(text, [Group({(label,): 0}, b"", 1, 0, 0, 0)])


def empty(reveals: int) -> list[Group]:
    """Return groups of one reveal each."""
    return [Group({("aa",): 0}, b"", 1, 0, 0, 0)] * reveals


@cache
def twenty_groups() -> File:
    """Return a file with a group for each reveal of a puzzle."""
    reveals = list(five().reveals())
    groups = [made(five(), [reveal]).groups[0] for reveal in reveals]
    return replace(made(five(), reveals), groups=groups)


def good() -> dict[str, File]:
    """Return files that are accepted."""
    tokens = [254, 15, 128, 1, 126, 131, 1, *[0] * 1020]  # of one byte and of two
    board = "\n".join([" ".join("*" * 64)] * 16)
    large = ROOMLESS.replace("aa *", board).replace('"k" = ["aa"]\n', "")
    large = large.replace(
        'V = { shape = "##\\n#.", copies = 1,', 'A = { shape = "#", copies = 1024,'
    )
    small = large.replace(board, "*").replace("1024", "1").replace('"roomless"', '""')
    wide = ROOMLESS.replace('V = { shape = "##\\n#."', 'U = { shape = "#.#\\n###"')
    wide += 'S = { shape = ".##\\n##.", copies = 1, flip = false }\n' + rods(*[64] * 15, 55)
    dominoes, puzzle = puzzle_of(DOMINOES), puzzle_of(THREE)
    first, second = (made(puzzle, [reveal]) for reveal in puzzle.reveals())
    odd = three().text.replace("a * *\n", " a  * * .\n").replace("* b *\n", "*   b *  . .\n")
    odd = odd.replace('shape = "###"', 'shape = ".\\n.###."')
    cut = ROOMLESS.replace("aa *", "aa * aa").replace("##\\n#.", "#")  # one label, two places
    twin = "J" + three().text.splitlines(keepends=True)[-2].removeprefix("I3")
    many = "".join(f'"{n}" = ["l{n}"]\n' for n in range(16))
    row = " ".join(f"l{n}" for n in range(16))
    sixteen = ROOMLESS.replace("aa *", row).replace('"k" = ["aa"]\n', many)
    return {
        "three": three(),
        "twenty-groups": twenty_groups(),
        "two-groups": replace(first, groups=[*first.groups, *second.groups]),
        "dominoes": made(dominoes, [()]),
        "areas-differ": roomless(),
        "cells-1024": File(large, [Group({(): 1}, bytes(tokens), 1, 1024, 1, 1024)]),
        "one-cell-and-no-name": File(small, [Group({(): 1}, b"\0")]),
        "squares-1024": File(wide, [Group({("aa",): 0}, b"", 1, 0, 0, 0)]),
        "columns-64": roomless("aa *", field(1, 64)),
        "rows-64": roomless("aa *", field(64, 1)),
        "token-of-two-bytes": two_bytes(130, 1),
        "odd-layout": replace(three(), text=odd),
        "label-apart": File(cut, [Group({("aa",): 1}, b"\0")]),
        "pieces-that-look-alike": File(
            three().text.replace("I2 =", twin + "I2 ="), [Group({("a",): 0}, b"", 1, 0, 0, 0)]
        ),
        "pieces-in-two-parts": File(
            ROW.replace('I2 = { shape = "##"', 'I2 = { shape = "#.#"'), [Group({(): 1}, b"\6\0")]
        ),
        "category-date": roomless('"k"', '"date"'),
        "categories-16": File(
            sixteen, [Group({tuple(f"l{n}" for n in range(16)): 0}, b"", 1, 0, 0, 0)]
        ),
        "label-right-to-left": labelled("\u064a\u0646\u0627"),
        "label-with-a-joiner": labelled("\u0633\u200c\u0634"),
        "label-unassigned": labelled("\u0378"),
        "label-long": labelled("a" * 200),
        "label-with-a-comma": labelled("a,a"),
        "tilings-in-full": raw(
            ROW.replace("* * *", " ".join("*" * 64)).replace("copies = 1", "copies = 32", 1)
            .replace('I1 = { shape = "#", copies = 1, flip = true }\n', ""),
            1, [0] * 32, 32,
        ),
    }  # fmt: skip


def bad_files() -> dict[str, File]:
    """Return a file for each rule that only it breaks."""
    (group,) = three().groups
    (a, tilings_a), (b, tilings_b) = group.stated.items()
    packed, tokens = deflated(group.tokens), group.tokens
    nodes, work = 22, 32
    first = tokens[0]
    line_a, line_b = line_of(a, tilings_a), line_of(b, tilings_b)

    def walking(*changed: int, at: int = 0) -> File:
        new = tokens[:at] + bytes(changed) + tokens[at + 1 :]
        return three().with_group(tokens=new, nodes=nodes, marks=0, work=work)

    def heading(old: str, new: str) -> File:
        assert old in line_a
        return three().with_group(lines=[line_a.replace(old, new, 1), line_b])

    other_two = replace(three(), groups=[replace(group, stated={a: tilings_a}, tokens=tokens[:9])])
    return {
        "tilings": three().with_group(stated={a: tilings_a + 1, b: tilings_b}),
        "tilings-of-5000-digits": heading(f"tilings {tilings_a}", "tilings " + "1" * 5000),
        "nodes-too-few": three().with_group(nodes=nodes - 1),
        "nodes-too-many": three().with_group(nodes=nodes + 1),
        "marks": three().with_group(marks=1),
        "work-too-little": three().with_group(work=work - 1),
        "work-too-much": three().with_group(work=work + 1),
        "head-work-too-little": replace(three(), work=work - 1),
        "head-work-too-much": replace(three(), work=work + 1),
        "head-reveals-too-few": replace(three(), reveals=1),
        "head-reveals-too-many": replace(three(), reveals=3),
        "head-groups-too-few": replace(other_two, groups=other_two.groups * 1, number=2),
        "head-without-groups": File(three().text, [], None, 0, 0, 0),
        "group-without-reveals": replace(
            three(), groups=[group, Group({}, b"", 0, 0, 0, 0, lines=None)]
        ),
        "reveal-in-two-groups": replace(other_two, groups=other_two.groups * 2),
        "tree-cut-off": three().with_group(tokens=tokens[:-1], nodes=nodes - 1, marks=0, work=work),
        "tree-goes-on": three().with_group(
            tokens=tokens + b"\0", nodes=nodes + 1, marks=0, work=work
        ),
        "revealed-cell": walking(2 * 4, at=9),
        "nothing-of-this-number": walking(2 * 12),
        "two-bytes-for-a-small-number": walking(first + 128, 0),
        "number-beyond-14-bits": walking(first + 128, 128),
        "token-cut-off": two_bytes(130),
        "reveal-twice": three().with_group(
            lines=[line_a, line_a], tokens=tokens[:9] * 2, nodes=18, marks=0, work=24
        ),
        "label-of-no-category": heading('"a"', '"c"'),
        "label-missing": heading(' "a"', ""),
        "label-twice": heading('"a"', '"a" "a"'),
        "number-with-a-zero-in-front": heading("tilings ", "tilings 0"),
        "number-with-a-plus": heading("tilings ", "tilings +"),
        "number-in-other-digits": heading(f"tilings {tilings_a}", "tilings \u0664"),
        "blank-too-many": heading("tilings ", "tilings  "),
        "line-of-65537-bytes": heading('"a"', '"' + "a" * 65_536 + '"'),
        "puzzle-length": replace(three(), puzzle=len(three().text) - 1),
        "trees-length": three().with_group(size=len(packed) + 1),
        "deflate-bomb": three().with_group(
            tokens=tokens + bytes(100_000), nodes=nodes, marks=0, work=work
        ),
        "deflate-damaged": three().with_group(packed=b"\x07" + packed[1:]),
        "after-deflate": three().with_group(packed=packed + b"\0"),
        "deflate-without-end": three().with_group(packed=packed[:-1]),
        "piece-with-copies": raw(TWO, 2, [8, 0, 0], 4),
        "revealed-cell-and-no-tiling": replace(
            three(), groups=[Group({b: 0}, bytes([2 * 4]), 1, 1, 0, 0)]
        ),
        "piece-used-and-no-tiling": raw(ROW, 0, [6, 2, 6], 2),
        "piece-used": raw(ROW, 2, [8, 6, 0, 0], 5),
        "areas-differ": raw(TWO.replace("copies = 2", "copies = 1"), 1, [], 0),
        "areas-differ-and-a-tree": raw(TWO.replace("copies = 2", "copies = 1"), 0, [0], 0),
        "no-such-reveal": raw(TWO, 2, [0, 0, 0], 4).with_group(lines=['reveal "a" tilings 2']),
    } | bad_puzzles()


def bad_puzzles() -> dict[str, File]:
    """Return a file without a tree for each rule of the puzzle's text."""
    unnamed = ROOMLESS.replace('"k" = ["aa"]\n', "")
    cases = {
        "tab": ("aa *", "aa\t*"),
        "carriage-return": ("aa *\n", "aa *\r\n"),
        "next-line": ("aa *\n", "aa *\u0085"),
        "delete": ("roomless", "\x7f"),
        "zero-width-space": ("roomless", "\u200b"),
        "line-separator": ("roomless", "\u2028"),
        "override": ("roomless", "\u202e"),
        "isolate": ("roomless", "\u2066"),
        "variation-selector": ("roomless", "\ufe0f"),
        "braille-blank": ("roomless", "\u2800"),
        "hangul-filler": ("roomless", "\u3164"),
        "halfwidth-filler": ("roomless", "\uffa0"),
        "grapheme-joiner": ("roomless", "\u034f"),
        "soft-hyphen": ("roomless", "\u00ad"),
        "no-break-space": ("roomless", "\u00a0"),
        "private-character": ("roomless", "\ue000"),
        "tag": ("roomless", "\U000e0041"),
        "name-of-two-lines": ('"roomless"', '"room\nless"'),
        "name-with-an-escape": ('"roomless"', '"room\\"less"'),
        "name-missing": ('name = "roomless"\n', ""),
        "title": ("board =", 'title = ""\nboard ='),
        "board-quotation-mark": ("aa *", 'aa *"'),
        "board-backslash": ("aa *", "aa \\"),
        "board-empty-row": ("aa *\n", "aa *\n\n"),
        "board-without-rows": ("aa *\n", ""),
        "category-empty": ('"k" = ["aa"]\n', '"k" = ["aa"]\n"l" = []\n'),
        "category-empty-line": ('"k" = ["aa"]\n', '"k" = ["aa"]\n\n'),
        "category-without-blank": ('"k" = ', '"k"='),
        "label-listed-twice": ('["aa"]', '["aa", "aa"]'),
        "label-not-on-the-board": ('["aa"]', '["aa", "bb"]'),
        "label-in-no-category": ("aa *", "aa bb"),
        "piece-without-squares": ('"##\\n#."', '"..\\n.."'),
        "piece-other-mark": ('"##\\n#."', '"##\\n#o"'),
        "piece-without-copies": ("copies = 1", "copies = 0"),
        "piece-copies-with-a-zero-in-front": ("copies = 1", "copies = 01"),
        "piece-copies-in-other-digits": ("copies = 1", "copies = \u0661"),
        "piece-copies-in-two-kinds-of-digits": ("copies = 1", "copies = 1\u0660"),
        "piece-copies-of-16-digits": ("copies = 1", f"copies = {10**15}"),
        "piece-without-a-line": ('"##\\n#."', '""'),
        "piece-missing": (PIECE, ""),
        "piece-named-twice": (PIECE, PIECE * 2),
        "piece-name-of-four-digits": ("V =", "V1234 ="),
        "piece-name-in-other-digits": ("V =", "V\u0661 ="),
        "piece-name-in-other-letters": ("V =", "Ä ="),
        "piece-flip-in-capitals": ("flip = true", "flip = True"),
        "piece-drawn-with-40-other-characters": ("##\\n#.", "\U0001f600" * 40),
        "category-before-a-bound": ('"k" = ["aa"]\n', "none\n" * 17),
        "puzzle-goes-on": (PIECE, PIECE + "\n"),
        "puzzle-ends-without-line-feed": (PIECE, PIECE[:-1]),
    }
    twice = ROOMLESS.replace('"k" = ["aa"]\n', '"k" = ["aa"]\n"k" = ["bb"]\n')
    return {f"puzzle-{name}": roomless(*case) for name, case in cases.items()} | {
        "puzzle-category-twice": File(
            twice.replace("aa *", "aa bb"), [Group({("bb",): 0}, b"", None, 0, 0, 0)]
        ),
        "puzzle-category-twice-with-a-reveal-of-both": File(
            twice.replace("aa *", "aa bb"), [Group({("aa", "bb"): 0}, b"", None, 0, 0, 0)]
        ),
        "puzzle-board-without-cells": File(
            unnamed.replace("aa *", ". ."), [Group({(): 0}, b"", 1, 0, 0, 0)]
        ),
    }


def beyond() -> dict[str, File]:
    """Return files beyond the bounds, which are not checked."""
    many = "".join(f'"{n}" = ["l{n}"]\n' for n in range(17))
    seventeen = ROOMLESS.replace("aa *", " ".join(f"l{n}" for n in range(17)))
    reveal = tuple(f"l{n}" for n in range(17))
    board = "\n".join([" ".join("*" * 64)] * 16)
    looks = "".join(
        f'P{number} = {{ shape = "{shape}", copies = 1, flip = true }}\n'
        for number, shape in enumerate(("####\\n#...", "###\\n##.", "###.\\n..##", "####\\n.#.."))
    )
    placements = ROOMLESS.replace("aa *", board).replace('"k" = ["aa"]\n', "").replace(PIECE, looks)
    none = Group({(): 0}, b"", 1, 0, 0, 0)
    return {
        "groups-10001": replace(roomless(), number=10_001),
        "reveals-100001": replace(roomless(), reveals=100_001),
        "work-of-the-head": replace(roomless(), work=400_000_001),
        "puzzle-bytes": replace(roomless(), puzzle=1_048_577),
        "group-reveals": replace(roomless().with_group(reveals=100_001), reveals=1),
        "group-nodes": roomless().with_group(nodes=20_000_001),
        "group-marks": roomless().with_group(marks=500_001),
        "group-work": replace(roomless().with_group(work=400_000_001), work=0),
        "columns-65": roomless("aa *", field(1, 65)),
        "rows-65": roomless("aa *", field(65, 1)),
        "cells-1025": roomless("aa *", field(41, 25)),
        "categories-17": File(
            seventeen.replace('"k" = ["aa"]\n', many), [Group({reveal: 0}, b"", 1, 0, 0, 0)]
        ),
        "piece-columns-65": roomless("##\\n#.", "#" * 65),
        "piece-rows-65": roomless("##\\n#.", "\\n".join("#" * 65)),
        "copies-1025": roomless("copies = 1", "copies = 1025"),
        "squares-1025": roomless(PIECE, rods(*[64] * 16, 1)),
        "placements": File(placements, [none]),
        "bound-before-a-mistake": replace(roomless("copies = 1", "copies = 1025"), work=1),
        "bound-before-the-labels": roomless("aa *", "bb " + "* " * 64),
        "bound-before-the-form-of-a-category": roomless(
            '"k" = ["aa"]\n', many.replace('"16" = ', "16 = ")
        ),
    }


def changed_bytes() -> dict[str, bytes]:
    """Return files that are wrong as bytes."""
    body, whole = three().body(), three().written()
    digest = len(body)

    def changed(old: str, new: str) -> bytes:
        assert old.encode() in body
        return signed(body.replace(old.encode(), new.encode(), 1))

    return {
        "digest": whole[:-2] + (b"0" if whole[-2:-1] != b"0" else b"1") + b"\n",
        "digest-in-capitals": body + whole[digest:].upper().replace(b"SHA", b"sha"),
        "after-the-digest": whole + b"\n",
        "no-group": signed(body[: body.index(b"group ")]),
        "no-digest": body,
        "no-line-feed-at-the-end": whole[:-1] + b" ",
        "first-line": signed(body.replace(b"certificate 4", b"certificate 3", 1)),
        "carriage-return": signed(body.replace(FIRST, FIRST[:-1] + b"\r\n", 1)),
        "byte-order-mark": signed(b"\xef\xbb\xbf" + body),
        "line-not-utf-8": signed(body.replace(b'reveal "a"', b'reveal "\xff"', 1)),
        "puzzle-not-utf-8": signed(body.replace(b'"three"', b'"thre\xff"', 1)),
        "nodes-in-other-digits": changed("nodes 22", "nodes 2\u0662"),
        "nodes-with-a-zero-in-front": changed("nodes 22", "nodes 022"),
        "nodes-of-16-digits": changed("nodes 22", f"nodes {10**15}"),
        "groups-in-other-digits": changed("groups 1", "groups 1\u0660"),
        "groups-of-16-digits": changed("groups 1", f"groups {10**15}"),
        "no-groups": changed("groups 1", "groups 0"),
        "puzzle-with-a-zero-in-front": changed("puzzle 240", "puzzle 0240"),
        "tilings-of-1401-digits": changed("tilings 4", "tilings " + "4" * 1401),
        "tilings-in-other-digits": changed("tilings 4", "tilings 4\u0660"),
        "tilings-in-two-kinds-of-digits": signed(
            made(puzzle_of(DOMINOES), [()]).body().replace(b"tilings 36", b"tilings 3\xd9\xa6")
        ),
        "groups-in-two-kinds-of-digits": signed(
            twenty_groups().body().replace(b"groups 20", b"groups 2\xd9\xa0")
        ),
        "puzzle-surrogate": signed(body.replace(b'"three"', b'"th\xed\xa0\x80"', 1)),
        "cut-off-in-the-puzzle": body[:100],
        "cut-off-in-the-trees": body[:-5],
        "empty": b"",
    }


def files() -> dict[str, bytes]:
    """Return the files by their names."""
    kinds = {"good": good(), "bad": bad_files(), "beyond": beyond()}
    named = {
        f"{kind}-{name}": file.written() for kind, of in kinds.items() for name, file in of.items()
    }
    named |= {f"bad-bytes-{name}": data for name, data in changed_bytes().items()}
    return {f"{name}.satcert": data for name, data in sorted(named.items())}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.satcert"):
        path.unlink()
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
