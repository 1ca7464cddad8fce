"""A forger of certificates: true files, changed so that they might prove something false.

It knows the format well: after most changes it writes what is stated, lengths and digest anew, so
that only what was changed can be found out.
"""

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from helpers.certificates import File, Group, Reveal, deflated, line_of, made, signed
from oracle import small_puzzles

Kind = Callable[[st.DrawFn, File, File], bytes]
"""A change of a file, for which it may take parts of another."""
TOKENS = st.sampled_from((0, 0, 0, 2, 4, 1, 3, 40, 127, 128, 255))
ODD = st.sampled_from(" \t\r\n\x85\u2028\u00a0\u200b\ufe0f\u05d0\"'\\#.*019,=[]ab")
DRAWINGS = [
    ("x0", "x1"), ("x1", "y0"), ("y0", "x0"), ("x0", "* "),  # a label elsewhere
    ("* ", ". "), (". ", "* "), (" *", " ."), (" .", " *"),  # a hole
    ("flip = true", "flip = false"), ("flip = false", "flip = true"),
    ("copies = 1,", "copies = 2,"), ("copies = 2,", "copies = 1,"), ("copies = 2,", "copies = 3,"),
    ("##", "#."), ("#.", "##"), (".#", "#."), ('"#', '".#'), ('#"', '#."'), ("#\\n#", "##"),
]  # fmt: skip
LINES = [
    (b" tilings ", b" tilings 0"), (b" ", b"  "), (b"r", b"R"), (b"nodes", b"node"), (b"0", b"00"),
    (b" marks", b"\tmarks"), (b" ", b" -"), (b" ", b" +"), (b"1", "\u0661".encode()),
    (b"1", b"1_0"), (b"\n", b" \n"), (b"\n", b"\r\n"), (b'"', b"'"), (b" work ", b" works "),
]  # fmt: skip


@st.composite
def certificates(draw: st.DrawFn) -> File:
    """Draw a true certificate of all reveals of a small puzzle, in one group or in many."""
    puzzle = draw(small_puzzles()).load()
    return made(puzzle, puzzle.reveals(), apart=draw(st.booleans()))


@st.composite
def forgeries(draw: st.DrawFn, number: int) -> list[bytes]:
    """Draw files that are made of two true ones, some of which are true too."""
    file, other = draw(certificates()), draw(certificates())
    kinds = [draw(st.sampled_from(KINDS)) for _ in range(number)]
    note(f"made by {[kind.__name__ for kind in kinds]}")
    return [kind(draw, file, other) for kind in kinds]


@st.composite
def edited(draw: st.DrawFn, whole: Any, new: Any) -> Any:
    """Draw a sequence of which a part is left out, doubled, moved, or replaced by a new one."""
    length = st.integers(1, 5) | st.integers(0, len(whole))
    begin = draw(st.integers(0, max(0, len(whole) - 1)))
    middle = begin + draw(length)
    end = middle + draw(length)
    head, first, second = whole[:begin], whole[begin:middle], whole[middle:end]
    part = draw(st.sampled_from([second, first + first + second, second + first, new + second]))
    return head + part + whole[end:]


def another(draw: st.DrawFn, number: int) -> int:
    """Draw another number."""
    return max(0, number + draw(st.sampled_from((-7, -1, 1, 1, 5, 10**6))))


def with_group(draw: st.DrawFn, file: File, change: Callable[[Group], dict[str, Any]]) -> bytes:
    """Draw one of the groups, and return the file with that group changed."""
    at = draw(st.integers(0, len(file.groups) - 1))
    return file.with_group(at, **change(file.groups[at])).written()


def restated(draw: st.DrawFn, group: Group, steps: tuple[int, ...]) -> dict[Reveal, int]:
    """Return the tilings of a group, one of them by a step larger or smaller."""
    reveal = draw(st.sampled_from(list(group.stated)))
    return group.stated | {reveal: max(0, group.stated[reveal] + draw(st.sampled_from(steps)))}


# --- what is stated ---


def tilings(draw: st.DrawFn, file: File, other: File) -> bytes:
    """State another number of tilings."""
    return with_group(draw, file, lambda group: {"stated": restated(draw, group, (-1, 1, 7))})


def sizes_of_a_group(draw: st.DrawFn, file: File, other: File) -> bytes:
    """State another size of a group."""
    at = draw(st.integers(0, 3))
    name = ("reveals", "nodes", "marks", "work")[at]
    return with_group(draw, file, lambda group: {name: another(draw, group.sizes(file.board)[at])})


def sizes_of_the_file(draw: st.DrawFn, file: File, other: File) -> bytes:
    """State another sum in the head."""
    at = draw(st.integers(0, 3))
    name = ("puzzle", "number", "reveals", "work")[at]
    return replace(file, **{name: another(draw, file.sizes()[at])}).written()  # type: ignore[arg-type]


def reveals(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Leave out reveals, state them twice, or in another order than their trees."""

    def change(group: Group) -> dict[str, Any]:
        rows = draw(edited(list(group.stated.items()), []))
        return {"stated": dict(rows), "lines": [line_of(*row) for row in rows]}

    return with_group(draw, file, change)


def groups(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Leave out groups, write them twice, or in another order; the last is a true file."""
    number = draw(st.sampled_from((None, len(file.groups))))
    groups = draw(edited(file.groups, other.groups))
    return replace(file, groups=groups, number=number).written()


def borders(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Cut the trees into other groups, so that one uses what another remembers."""
    rows = [row for group in file.groups for row in group.stated.items()]
    tokens = b"".join(group.tokens for group in file.groups)
    row, token = draw(st.integers(0, len(rows))), draw(st.integers(0, len(tokens)))
    halves = [Group(dict(rows[:row]), tokens[:token]), Group(dict(rows[row:]), tokens[token:])]
    return replace(file, groups=[half for half in halves if half.stated]).written()


# --- the trees ---


def tokens(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Leave out tokens, write them twice, move them, or write others; mark or name another."""
    new = bytes(draw(st.lists(TOKENS, max_size=3)))

    def change(group: Group) -> dict[str, Any]:
        changed = draw(edited(group.tokens, new) | turned(group.tokens or b"\0", bits=2))
        return {"tokens": changed, "stated": restated(draw, group, (-1, 0, 0, 1))}

    return with_group(draw, file, change)


def other_trees(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Take the trees of another group, make other choices, or state nothing without a tree."""
    nothing = draw(st.booleans())

    def change(group: Group) -> dict[str, Any]:
        number = len(group.tokens)
        chosen = st.lists(TOKENS, min_size=number, max_size=number).map(bytes)
        taken = st.sampled_from([each.tokens for each in [*file.groups, *other.groups]])
        stated = dict.fromkeys(group.stated, 0) if nothing else restated(draw, group, (-1, 0, 1))
        return {"tokens": draw(chosen | taken | st.just(b"")), "stated": stated}

    return with_group(draw, file, change)


def stream(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Compress trees in another way, some of which are true; or write a head of zlib or gzip."""
    level, bits = draw(st.sampled_from(((0, -15), (1, -9), (9, -15), (6, 15), (6, 31))))
    packer = zlib.compressobj(level, zlib.DEFLATED, bits)
    flush = draw(st.sampled_from((zlib.Z_NO_FLUSH, zlib.Z_FULL_FLUSH)))

    def change(group: Group) -> dict[str, Any]:
        return {"packed": packer.compress(group.tokens) + packer.flush(flush) + packer.flush()}

    return with_group(draw, file, change)


def packed(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Write other bytes where the trees are: damage, a bomb, more than one stream."""

    def change(group: Group) -> dict[str, Any]:
        whole, zeros = deflated(group.tokens), bytes(draw(st.integers(0, 200_000)))
        bombs = st.sampled_from([deflated(group.tokens + zeros), whole + zeros])
        return {"packed": draw(bombs | edited(whole, deflated(b"\0")) | turned(whole))}

    return with_group(draw, file, change)


# --- the puzzle ---


def drawing(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Draw another board or another piece."""
    old, new = draw(st.sampled_from([each for each in DRAWINGS if each[0] in file.text]))
    text = file.text.replace(old, new, draw(st.sampled_from((1, -1))))
    return replace(file, text=text).written()


def puzzle(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Take lines of another puzzle, or all; leave lines out, write them twice, or move them."""
    lines, strange = (each.text.splitlines(keepends=True) for each in (file, other))
    changed = draw(edited(lines, strange[5:6]) | st.just(strange))
    return replace(file, text="".join(changed)).written()


def characters(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Leave characters of the puzzle out, write them twice, move them, or write an odd one."""
    return replace(file, text=draw(edited(file.text, draw(ODD)))).written()


# --- the file ---


@st.composite
def turned(draw: st.DrawFn, data: bytes, bits: int = 8) -> bytes:
    """Draw the same bytes with one of the lowest bits of a byte turned over."""
    changed = bytearray(data)
    changed[draw(st.integers(0, len(data) - 1))] ^= 1 << draw(st.integers(0, bits - 1))
    return bytes(changed)


def line(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Write a line in another way."""
    body = file.body()
    lines = [at for at in range(len(body)) if body.startswith((b"group", b"reveal", b"puzzle"), at)]
    at = draw(st.sampled_from(lines))
    return signed(body[:at] + body[at:].replace(*draw(st.sampled_from(LINES)), 1))


def body(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Change bytes of the file, and write its digest anew."""
    whole = file.body()
    return signed(draw(edited(whole, b"\n") | turned(whole)))


def whole(draw: st.DrawFn, file: File, other: File) -> bytes:
    """Change bytes of the file and no more, cut it off, or add bytes at the end."""
    data = file.written()
    cut = st.integers(0, len(data) - 1).map(lambda end: data[:end])
    more = st.binary(min_size=1, max_size=2).map(data.__add__)
    return draw(edited(data, b"\n") | turned(data) | cut | more)


KINDS: list[Kind] = [
    tilings, sizes_of_a_group, sizes_of_the_file, reveals, groups, borders, tokens, other_trees,
    stream, packed, drawing, puzzle, characters, line, body, whole,
]  # fmt: skip
