"""The vectors of docs/reference/certificates.md: good files, and others for each rule and bound.

PYTHONPATH=tests python -m proof.make_vectors    writes them into tests/proof/vectors
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from helpers.certificates import (
    File,
    Group,
    deflated,
    five,
    line_of,
    made,
    signed,
)
from satcal.puzzle.loading import parse_puzzle

FOLDER = Path(__file__).parent / "vectors"
TABLE = FOLDER.with_suffix(".tsv")
"""Rows of a name, a good file, a place in it, and what stands there instead."""
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
    puzzle = parse_puzzle(THREE, "three")
    return made(puzzle, puzzle.reveals())


def roomless(old: str = "", new: str = "") -> File:
    """Return the file that says that a puzzle which is changed at one place has no tiling."""
    assert old in ROOMLESS
    return File(ROOMLESS.replace(old, new, 1), [Group({("aa",): 0}, b"")])


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
    return File(text, [Group({(label,): 0}, b"")])


def imitation() -> File:
    """Return a true file that is drawn with what other checkers say of other files."""
    words = ["a-puzzle-a-day:", "Oct", "6:", "exactly", "8", "tilings", "x.satcert:", "accepted:"]
    row = "* " * 40 + " ".join(words) + " *"
    name = "x" + " " * 70 + "a-puzzle-a-day: Oct 6: exactly 8 tilings"
    text = ROOMLESS.replace("aa *", row).replace("roomless", name)
    labels = ", ".join(f'"{word}"' for word in words)
    text = text.replace('["aa"]', f"[{labels}]")
    return File(text, [Group({(words[0],): 0, (words[-1],): 0}, b"")])


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
    dominoes, puzzle = parse_puzzle(DOMINOES, "dominoes"), parse_puzzle(THREE, "three")
    odd = three().text.replace("a * *\n", " a  * * .\n").replace("* b *\n", "*   b *  . .\n")
    odd = odd.replace('shape = "###"', 'shape = ".\\n.###."')
    cut = ROOMLESS.replace("aa *", "aa * aa").replace("##\\n#.", "#")  # one label, two places
    twin = "J" + three().text.splitlines(keepends=True)[-2].removeprefix("I3")
    many = "".join(f'"{n}" = ["l{n}"]\n' for n in range(16))
    row = " ".join(f"l{n}" for n in range(16))
    sixteen = ROOMLESS.replace("aa *", row).replace('"k" = ["aa"]\n', many)
    return {
        "three": three(),
        "twenty-groups": made(five(), five().reveals(), apart=True),
        "two-groups": made(puzzle, puzzle.reveals(), apart=True),
        "dominoes": made(dominoes, [()]),
        "areas-differ": roomless(),
        "imitation": imitation(),
        "cells-1024": File(large, [Group({(): 1}, bytes(tokens), 1, 1024, 1, 1024)]),
        "one-cell-and-no-name": File(small, [Group({(): 1}, b"\0")]),
        "squares-1024": File(wide, [Group({("aa",): 0}, b"")]),
        "columns-64": roomless("aa *", field(1, 64)),
        "rows-64": roomless("aa *", field(64, 1)),
        "token-of-two-bytes": two_bytes(130, 1),
        "odd-layout": replace(three(), text=odd),
        "label-apart": File(cut, [Group({("aa",): 1}, b"\0")]),
        "pieces-that-look-alike": File(
            three().text.replace("I2 =", twin + "I2 ="), [Group({("a",): 0}, b"")]
        ),
        "pieces-in-two-parts": File(
            ROW.replace('I2 = { shape = "##"', 'I2 = { shape = "#.#"'), [Group({(): 1}, b"\6\0")]
        ),
        "category-date": roomless('"k"', '"date"'),
        "categories-16": File(
            sixteen, [Group({tuple(f"l{n}" for n in range(16)): 0}, b"")]
        ),
        "label-right-to-left": labelled("\u064a\u0646\u0627"),
        "label-with-a-joiner": labelled("\u0633\u200c\u0634"),
        "label-unassigned": labelled("\u0378"),
        "label-of-32-characters": labelled("\U00020000" * 32),  # of two units in JavaScript
        "name-of-200-characters": roomless('"roomless"', f'"{"a" * 199}\U00020000"'),
        "category-of-32-characters": roomless('"k"', f'"{"a" * 31}\U00020000"'),
        "label-with-a-comma": labelled("a,a"),
        "tilings-in-full": raw(
            ROW.replace("* * *", " ".join("*" * 64)).replace("copies = 1", "copies = 32", 1)
            .replace('I1 = { shape = "#", copies = 1, flip = true }\n', ""),
            1, [0] * 32, 32,
        ),
    }  # fmt: skip


def bad() -> dict[str, File]:
    """Return files for rules that no change in one place breaks, or only one of the trees."""
    (group,) = three().groups
    (a, tilings_a), (b, _) = group.stated.items()
    packed, tokens, first = deflated(group.tokens), group.tokens, group.tokens[0]
    line_a, line_b = (line_of(*row) for row in group.stated.items())
    only_a = replace(three(), groups=[replace(group, stated={a: tilings_a}, tokens=tokens[:9])])
    one_domino = TWO.replace("copies = 2", "copies = 1")
    two_categories = ROOMLESS.replace('"k" = ["aa"]\n', '"k" = ["aa"]\n"k" = ["bb"]\n')
    two_categories = two_categories.replace("aa *", "aa bb")
    two = two_categories.replace('"k" = ["bb"]', '"l" = ["bb"]')
    pair = ROOMLESS.replace("aa *", "aa * *").replace("##\\n#.", "##")
    no_cells = ROOMLESS.replace('"k" = ["aa"]\n', "").replace("aa *", ". .")
    trees = {
        "tree-cut-off": (tokens[:-1], 21),
        "tree-goes-on": (tokens + b"\0", 23),
        "two-bytes-for-a-small-number": (bytes([first + 128, 0]) + tokens[1:], 22),
        "number-beyond-14-bits": (bytes([first + 128, 128]) + tokens[1:], 22),
        "deflate-bomb": (tokens + bytes(100_000), 22),
    }
    return {
        name: three().with_group(tokens=changed, nodes=nodes, marks=0, work=32)
        for name, (changed, nodes) in trees.items()
    } | {
        "tilings-of-5000-digits": three().with_group(
            lines=[line_a.replace(str(tilings_a), "1" * 5000), line_b]
        ),
        "line-of-65537-bytes": three().with_group(
            lines=[line_a.replace('"a"', f'"{"a" * 65_536}"'), line_b]
        ),
        "work-too-little": three().with_group(work=31),
        "work-too-much": three().with_group(work=33),
        "head-groups-too-few": replace(only_a, number=2),
        "head-without-groups": File(three().text, [], None, 0, 0, 0),
        "group-without-reveals": replace(three(), groups=[group, Group({}, b"", 0, 0, 0, 0)]),
        "reveal-in-two-groups": replace(only_a, groups=only_a.groups * 2),
        "token-cut-off": File(pair, [Group({("aa",): 1}, bytes([128]), 1, 1, 0, 1)]),
        "reveal-twice": three().with_group(
            lines=[line_a, line_a], tokens=tokens[:9] * 2, nodes=18, marks=0, work=24
        ),
        "deflate-damaged": three().with_group(packed=b"\x07" + packed[1:]),
        "after-deflate": three().with_group(packed=packed + b"\0"),
        "after-deflate-more-than-a-block": three().with_group(packed=packed + bytes(70_000)),
        "deflate-without-end": three().with_group(packed=packed[:-1]),
        "piece-with-copies": raw(TWO, 2, [8, 0, 0], 4),
        "revealed-cell": replace(three(), groups=[Group({b: 0}, bytes([2 * 4]), 1, 1, 0, 0)]),
        "nothing-of-this-number": replace(
            three(), groups=[Group({b: 0}, bytes([2 * 12]), 1, 1, 0, 0)]
        ),
        "nodes-beyond-the-work": three().with_group(nodes=32 + 2 + 1, marks=0, work=32),
        "piece-used-and-no-tiling": raw(ROW, 0, [6, 2, 6], 2),
        "piece-used": raw(ROW, 2, [8, 6, 0, 0], 5),
        "areas-differ": raw(one_domino, 1, [], 0),
        "areas-differ-and-a-tree": raw(one_domino, 0, [0, 0, 0], 2),
        "no-such-reveal": raw(TWO, 2, [0, 0, 0], 4).with_group(lines=['reveal "a" tilings 2']),
        "puzzle-category-before-a-bound": roomless('"k" = ["aa"]\n', "none\n" * 17),
        "puzzle-piece-drawn-with-40-other-characters": roomless("##\\n#.", "#" + "\U0001f600" * 40),
        "puzzle-category-twice": File(two_categories, [Group({("bb",): 0}, b"")]),
        "puzzle-category-twice-with-a-reveal-of-both": File(
            two_categories, [Group({("aa", "bb"): 0}, b"")]
        ),
        "puzzle-category-twice-with-the-same-labels": roomless(
            '"k" = ["aa"]\n', '"k" = ["aa"]\n' * 2
        ),
        "label-of-the-second-category-missing": File(two, [Group({("aa",): 0}, b"")]),
        "label-of-a-third-category": File(two, [Group({("aa", "bb", "bb"): 0}, b"")]),
        "labels-in-another-order": File(two, [Group({("bb", "aa"): 0}, b"")]),
        "puzzle-board-without-cells": File(no_cells, [Group({(): 0}, b"")]),
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
    none = Group({(): 0}, b"")
    block = "\\n".join(["#" * 13] * 13)
    large = "".join(  # six pieces of 170 squares
        f'P{n} = {{ shape = "{"." * n}#\\n{block}", copies = 1, flip = true }}\n' for n in range(6)
    )
    return {
        "columns-65": roomless("aa *", field(1, 65)),
        "rows-65": roomless("aa *", field(65, 1)),
        "cells-1025": roomless("aa *", field(41, 25)),
        "categories-17": File(seventeen.replace('"k" = ["aa"]\n', many), [Group({reveal: 0}, b"")]),
        "piece-columns-65": roomless("##\\n#.", "#" * 65),
        "piece-rows-65": roomless("##\\n#.", "\\n".join("#" * 65)),
        "squares-1025": roomless(PIECE, rods(*[64] * 16, 1)),
        "placements": File(placements, [none]),
        "squares-of-placements": File(placements.replace(looks, large), [none]),
        "label-of-33-characters": labelled("\U00020000" + "a" * 32),
        "name-of-201-characters": roomless('"roomless"', f'"{"a" * 201}"'),
        "category-of-33-characters": roomless('"k"', f'"{"a" * 33}"'),
        "bound-before-a-mistake": replace(roomless("copies = 1", "copies = 1025"), work=1),
        "bound-before-the-labels": roomless("aa *", "bb " + "* " * 64),
        "bound-before-the-form-of-a-category": roomless(
            '"k" = ["aa"]\n', many.replace('"16" = ', "16 = ")
        ),
    }


def bad_bytes() -> dict[str, bytes]:
    """Return files that are wrong as bytes."""
    body, whole = three().body(), three().written()
    return {
        "digest": whole[:-2] + (b"0" if whole[-2:-1] != b"0" else b"1") + b"\n",
        "digest-in-capitals": body + whole[len(body) :].upper().replace(b"SHA", b"sha"),
        "after-the-digest": whole + b"\n",
        "no-group": signed(body[: body.index(b"group ")]),
        "no-digest": body,
        "no-line-feed-at-the-end": whole[:-1] + b" ",
        "tilings-of-1401-digits": signed(body.replace(b"tilings 4", b"tilings " + b"4" * 1401, 1)),
        "cut-off-in-the-puzzle": body[:100],
        "cut-off-in-the-trees": body[:-5],
        "empty": b"",
    }


def table() -> dict[str, bytes]:
    """Return the files of the table: good ones with something else in one place."""
    bases, found = good(), {}
    for line in TABLE.read_text(encoding="ascii").splitlines():
        name, base, *change = line.split("\t")
        old, new = (each.encode().decode("unicode_escape").encode("latin-1") for each in change)
        body, text = bases[base].body(), bases[base].text.encode()
        assert old in body
        if old in text:
            changed = text.replace(old, new, 1)
            lengths = (b"puzzle %d" % len(each) for each in (text, changed))
            body = body.replace(text, changed, 1).replace(*lengths, 1)
        else:
            body = body.replace(old, new, 1)
        found[name] = signed(body)
    return found


def files() -> dict[str, bytes]:
    """Return the files by their names."""
    kinds = {"good": good(), "bad": bad(), "beyond": beyond()}
    named = {
        f"{kind}-{name}": file.written() for kind, of in kinds.items() for name, file in of.items()
    }
    return named | {f"bad-bytes-{name}": data for name, data in bad_bytes().items()} | table()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.satcert"):
        path.unlink()
    for name, data in files().items():
        (FOLDER / f"{name}.satcert").write_bytes(data)
