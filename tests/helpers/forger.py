"""A forger of certificates: true files, changed so that they might prove something false.

It knows the format well: after most changes it writes what is stated, lengths and digest anew, so
that only what was changed can be found out.
"""

from __future__ import annotations

import io
import random
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from hypothesis import Phase, given, settings

from helpers.certificates import (
    FIRST,
    File,
    Group,
    Reveal,
    board_of,
    deflated,
    line_of,
    signed,
    taken_apart,
)
from oracle import Piece, Small, small_puzzles
from satcal.certificates.certify import certify
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.check import Proved, check
from satcal.proof.normal import Written
from satcal.puzzle.model import Puzzle

BASES = 120
Forged = tuple[str, bytes]
"""What was done, and the file."""


@cache
def puzzles() -> list[Puzzle]:
    """Return small puzzles with copies, holes, one face, and labels; always the same."""
    drawn: list[Puzzle] = []

    @settings(max_examples=BASES, derandomize=True, phases=[Phase.generate])
    @given(small_puzzles())
    def draw(small: Small) -> None:
        drawn.append(small.load())

    draw()
    return drawn


@cache
def bases() -> list[bytes]:
    """Return true certificates of the puzzles."""
    return [certify(puzzle, list(puzzle.reveals())) for puzzle in puzzles()]


@cache
def files() -> list[File]:
    """Return the same, taken apart; some of them in groups of one reveal."""
    apart = list(map(taken_apart, bases()))
    for number, puzzle in enumerate(puzzles()):
        if number % 3 == 0:
            groups = [taken_apart(certify(puzzle, [r])).groups[0] for r in puzzle.reveals()]
            apart[number] = replace(apart[number], groups=groups)
    return apart


class Forger:
    """Makes one false file after another; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"forger {seed}")

    def forge(self) -> Forged:
        """Return the next file, and what was done to it."""
        kind = self.random.choice(KINDS)
        file = self.random.choice(files())
        return kind.__name__, kind(self, file)

    def at(self, file: File) -> int:
        """Return the number of one of the groups."""
        return self.random.randrange(len(file.groups))

    def place(self, tokens: bytes) -> int:
        """Return a place among tokens."""
        return self.random.randrange(len(tokens) or 1)

    def but(self, number: int) -> int:
        """Return another number."""
        return max(0, number + self.random.choice((-7, -1, 1, 1, 5, 10**6)))

    def with_group(self, file: File, at: int, **changed: object) -> bytes:
        """Return the file with another group."""
        groups = list(file.groups)
        groups[at] = replace(groups[at], **changed)  # type: ignore[arg-type]
        return replace(file, groups=groups).written()

    def walked(self, file: File, change: Callable[[bytes], bytes]) -> bytes:
        """Return the file with other tokens, which states what they are as far as it can."""
        at = self.at(file)
        group = file.groups[at]
        stated = dict(group.stated)
        reveal = self.random.choice(list(stated))
        stated[reveal] = max(0, stated[reveal] + self.random.choice((-1, 0, 0, 1)))
        return self.with_group(file, at, tokens=change(group.tokens), stated=stated)


Kind = Callable[[Forger, File], bytes]


# What is stated.


def tilings(forger: Forger, file: File) -> bytes:
    """State another number of tilings."""
    at = forger.at(file)
    stated = dict(file.groups[at].stated)
    reveal = forger.random.choice(list(stated))
    stated[reveal] = max(0, stated[reveal] + forger.random.choice((-1, 1, 7)))
    return forger.with_group(file, at, stated=stated)


def tilings_swapped(forger: Forger, file: File) -> bytes:
    """State the numbers of other reveals."""
    at = forger.at(file)
    stated = file.groups[at].stated
    numbers = list(stated.values())
    forger.random.shuffle(numbers)
    return forger.with_group(file, at, stated=dict(zip(stated, numbers, strict=True)))


def size(forger: Forger, file: File) -> bytes:
    """State another size of a group."""
    at = forger.at(file)
    sizes = file.groups[at].sizes(board_of(file.text))
    which = forger.random.randrange(4)
    name = ("reveals", "nodes", "marks", "work")[which]
    return forger.with_group(file, at, **{name: forger.but(sizes[which])})


def size_of_the_file(forger: Forger, file: File) -> bytes:
    """State another sum in the head."""
    head = file.body().split(b"\n")[1].split()
    which = forger.random.randrange(4)
    name = ("puzzle", "number", "reveals", "work")[which]
    return replace(file, **{name: forger.but(int(head[2 * which + 1]))}).written()  # type: ignore[arg-type]


def work_in_two_groups(forger: Forger, file: File) -> bytes:
    """State less work in a group and more in another, so that the sum is right."""
    sizes = [group.sizes(board_of(file.text)) for group in file.groups]
    first, second = (forger.at(file) for _ in range(2))
    groups = list(file.groups)
    groups[first] = replace(groups[first], work=max(0, sizes[first][3] - 1))
    groups[second] = replace(groups[second], work=sizes[second][3] + 1)
    return replace(file, groups=groups, work=sum(each[3] for each in sizes)).written()


def reveals_in_another_order(forger: Forger, file: File) -> bytes:
    """State the reveals in another order than their trees."""
    at = forger.at(file)
    rows = list(file.groups[at].stated.items())
    forger.random.shuffle(rows)
    return forger.with_group(file, at, stated=dict(rows))


def reveal_left_out(forger: Forger, file: File) -> bytes:
    """Leave out a reveal, not its tree."""
    at = forger.at(file)
    rows = list(file.groups[at].stated.items())
    rows.pop(forger.random.randrange(len(rows)))
    return forger.with_group(file, at, stated=dict(rows))


def reveal_twice_in_a_group(forger: Forger, file: File) -> bytes:
    """State a reveal twice."""
    at = forger.at(file)
    group = file.groups[at]
    lines = [line_of(*row) for row in group.stated.items()]
    lines.insert(forger.random.randrange(len(lines) + 1), forger.random.choice(lines))
    tokens = group.tokens * forger.random.randint(1, 2)
    return forger.with_group(file, at, lines=lines, tokens=tokens, reveals=len(lines))


def reveal_in_two_groups(forger: Forger, file: File) -> bytes:
    """Add a group that is there already."""
    return replace(file, groups=[*file.groups, file.groups[forger.at(file)]]).written()


def reveal_of_another_puzzle(forger: Forger, file: File) -> bytes:
    """Add a group of another puzzle."""
    other = forger.random.choice(files())
    return replace(file, groups=[*file.groups, forger.random.choice(other.groups)]).written()


def group_left_out(forger: Forger, file: File) -> bytes:
    """Leave out a group that the head counts."""
    groups = list(file.groups)
    groups.pop(forger.at(file))
    number = len(file.groups) if forger.random.random() < 0.5 else None
    return replace(file, groups=groups, number=number).written()


def groups_in_another_order(forger: Forger, file: File) -> bytes:
    """Write the groups in another order; that is a true file."""
    groups = list(file.groups)
    forger.random.shuffle(groups)
    return replace(file, groups=groups).written()


def groups_joined(forger: Forger, file: File) -> bytes:
    """Join groups, so that what one remembers is used by another."""
    stated: dict[Reveal, int] = {}
    for group in file.groups:
        stated |= group.stated
    tokens = b"".join(group.tokens for group in file.groups)
    return replace(file, groups=[Group(stated, tokens)]).written()


def group_cut_in_two(forger: Forger, file: File) -> bytes:
    """Cut a group in two, so that what the first remembers is lost."""
    at = forger.at(file)
    group = file.groups[at]
    rows = list(group.stated.items())
    middle, place = forger.random.randint(0, len(rows)), forger.place(group.tokens)
    halves = [
        Group(dict(rows[:middle]), group.tokens[:place]),
        Group(dict(rows[middle:]), group.tokens[place:]),
    ]
    groups = [*file.groups[:at], *halves, *file.groups[at + 1 :]]
    return replace(file, groups=groups).written()


def sum_of_the_tilings_kept(forger: Forger, file: File) -> bytes:
    """Move a tiling from one reveal to another, so that the sum is right."""
    at = forger.at(file)
    stated = dict(file.groups[at].stated)
    giver, taker = (forger.random.choice(list(stated)) for _ in range(2))
    by = min(1, stated[giver])
    stated[giver] -= by
    stated[taker] += by
    return forger.with_group(file, at, stated=stated)


def sizes_exchanged(forger: Forger, file: File) -> bytes:
    """State the nodes as marks, or the work as nodes."""
    at = forger.at(file)
    _, nodes, marks, work = file.groups[at].sizes(board_of(file.text))
    if forger.random.random() < 0.5:
        return forger.with_group(file, at, nodes=marks, marks=nodes)
    return forger.with_group(file, at, nodes=work, work=nodes)


def beyond_the_bounds(forger: Forger, file: File) -> bytes:
    """State more than is checked, in the head or in a group."""
    most = 10 ** forger.random.choice((9, 14, 15, 400))
    at, name = forger.at(file), forger.random.choice(("reveals", "nodes", "marks", "work"))
    if forger.random.random() < 0.5:
        return forger.with_group(file, at, **{name: most})
    name = forger.random.choice(("puzzle", "number", "reveals", "work"))
    return replace(file, **{name: most}).written()  # type: ignore[arg-type]


def reveals_moved(forger: Forger, file: File) -> bytes:
    """Move a reveal, but not its tree, to the group after it."""
    groups = list(file.groups)
    if len(groups) < 2:
        return reveal_left_out(forger, file)
    at = forger.random.randrange(len(groups) - 1)
    stated = dict(groups[at].stated)
    reveal = forger.random.choice(list(stated))
    moved = {reveal: stated.pop(reveal)}
    groups[at] = replace(groups[at], stated=stated)
    groups[at + 1] = replace(groups[at + 1], stated=moved | groups[at + 1].stated)
    return replace(file, groups=groups).written()


def trees_exchanged(forger: Forger, file: File) -> bytes:
    """Exchange the trees of two groups, not their reveals."""
    groups = list(file.groups)
    first, second = (forger.at(file) for _ in range(2))
    tokens = groups[first].tokens
    groups[first] = replace(groups[first], tokens=groups[second].tokens)
    groups[second] = replace(groups[second], tokens=tokens)
    return replace(file, groups=groups).written()


def empty_group(forger: Forger, file: File) -> bytes:
    """Add a group that has no reveals, or one more that has no tree."""
    stated = forger.random.choice(({}, dict.fromkeys(file.groups[0].stated, 0)))
    groups = list(file.groups)
    groups.insert(forger.random.randrange(len(groups) + 1), Group(dict(stated), b""))
    return replace(file, groups=groups).written()


def labels_of_a_reveal(forger: Forger, file: File) -> bytes:
    """State a reveal with its labels exchanged, one too many, one too few, or one that is none."""
    at = forger.at(file)
    rows = list(file.groups[at].stated.items())
    which = forger.random.randrange(len(rows))
    reveal, tilings = rows[which]
    changed = (reveal[::-1], (*reveal, "x0"), reveal[1:], (*reveal[1:], "nobody"))
    rows[which] = forger.random.choice(changed), tilings
    lines = [line_of(*row) for row in rows]
    return forger.with_group(file, at, lines=lines)


def category(forger: Forger, file: File) -> bytes:
    """Exchange categories, leave one out, or write one twice."""
    head, rest = file.text.split("[categories]\n")
    lines, pieces = rest.split("\n[pieces]\n")
    rows = lines.splitlines(keepends=True)
    if rows:
        change = forger.random.randrange(3)
        row = forger.random.randrange(len(rows))
        rows = (rows[::-1], [*rows[:row], *rows[row + 1 :]], [*rows, rows[row]])[change]
    return replace(file, text=f"{head}[categories]\n{''.join(rows)}\n[pieces]\n{pieces}").written()


def drawing(forger: Forger, file: File) -> bytes:
    """Add, move or remove a square of a piece."""
    pairs = ("##", "#."), ("#.", "##"), (".#", "#."), ('"#', '".#'), ('#"', '#."'), ("#\\n#", "##")
    return replaced(forger, file, *pairs)


def pieces_joined(forger: Forger, file: File) -> bytes:
    """Write a piece's copies as pieces of their own: what can be named stays, or does not."""
    lines = file.text.splitlines(keepends=True)
    for at in range(lines.index("[pieces]\n") + 1, len(lines)):
        if "copies = 2," in lines[at]:
            one = lines[at].replace("copies = 2,", "copies = 1,")
            lines[at] = one + "Y9" + one[1:].lstrip("0123456789")
    return replace(file, text="".join(lines)).written()


def piece_named(forger: Forger, file: File) -> bytes:
    """Name a piece in another way; that may be a true file."""
    names = ("A", "a1", "Z9999", "Z\u0661", "\u00c4", "", "9", "Z_")
    head, pieces = file.text.split("[pieces]\n")
    _, rest = pieces.split(" = {", 1)
    text = f"{head}[pieces]\n{forger.random.choice(names)} = {{{rest}"
    return replace(file, text=text).written()


def digest_of_less(forger: Forger, file: File) -> bytes:
    """Write the digest of a part, in capitals, cut off, or of nothing."""
    body = file.body()
    place = forger.random.randrange(len(body))
    line = signed(body[:place])[place:]
    change = forger.random.randrange(4)
    true = signed(body)[len(body) :]
    lines = (line, true.upper(), true[:-2] + b"\n", b"")
    return body + lines[change]


# The trees.


def token(forger: Forger, file: File) -> bytes:
    """Name something else."""

    def change(tokens: bytes) -> bytes:
        new, place = bytearray(tokens or b"\0"), forger.place(tokens)
        new[place] = forger.random.choice((new[place] ^ 2, forger.random.randrange(60), 2, 0, 250))
        return bytes(new)

    return forger.walked(file, change)


def tokens_dropped(forger: Forger, file: File) -> bytes:
    """Leave out some tokens."""
    length = forger.random.randint(1, 6)

    def change(tokens: bytes) -> bytes:
        place = forger.place(tokens)
        return tokens[:place] + tokens[place + length :]

    return forger.walked(file, change)


def tokens_doubled(forger: Forger, file: File) -> bytes:
    """Write some tokens twice."""
    length = forger.random.randint(1, 6)

    def change(tokens: bytes) -> bytes:
        place = forger.place(tokens)
        return tokens[:place] + tokens[place : place + length] + tokens[place:]

    return forger.walked(file, change)


def tokens_swapped(forger: Forger, file: File) -> bytes:
    """Swap parts of trees."""

    def change(tokens: bytes) -> bytes:
        first, second = sorted((forger.place(tokens), forger.place(tokens)))
        third = forger.random.randint(second, len(tokens))
        return tokens[:first] + tokens[second:third] + tokens[first:second] + tokens[third:]

    return forger.walked(file, change)


def tokens_cut(forger: Forger, file: File) -> bytes:
    """Cut a tree off."""
    return forger.walked(file, lambda tokens: tokens[: forger.place(tokens)])


def tokens_of_another(forger: Forger, file: File) -> bytes:
    """Take the trees of another group."""
    other = forger.random.choice(forger.random.choice(files()).groups)
    return forger.walked(file, lambda tokens: other.tokens)


def marks_changed(forger: Forger, file: File) -> bytes:
    """Mark other nodes."""

    def change(tokens: bytes) -> bytes:
        new = bytearray(tokens or b"\0")
        for _ in range(forger.random.randint(1, 3)):
            new[forger.random.randrange(len(new))] ^= 1
        return bytes(new)

    return forger.walked(file, change)


def all_marked(forger: Forger, file: File) -> bytes:
    """Mark all nodes, or none."""
    bit = forger.random.randrange(2)
    return forger.walked(file, lambda tokens: bytes(t & ~1 | bit for t in tokens))


def long_tokens(forger: Forger, file: File) -> bytes:
    """Write a token in two bytes, or in a wrong form."""

    def change(tokens: bytes) -> bytes:
        place = forger.place(tokens)
        high = forger.random.choice((0, 1, 127, 128, 255))
        return tokens[:place] + bytes([128 | (tokens or b"\0")[place], high]) + tokens[place + 1 :]

    return forger.walked(file, change)


def fitted(forger: Forger, file: File) -> bytes:
    """Make other choices, some of them wrong."""
    choices = (0, 0, 0, 2, 4, 1, 40)
    return forger.walked(
        file, lambda tokens: bytes(forger.random.choice(choices) for _ in range(len(tokens)))
    )


def nothing(forger: Forger, file: File) -> bytes:
    """State that there is no tiling, without a tree."""
    at = forger.at(file)
    stated = dict.fromkeys(file.groups[at].stated, 0)
    return forger.with_group(file, at, stated=stated, tokens=b"")


# The puzzle.


def replaced(forger: Forger, file: File, *pairs: tuple[str, str]) -> bytes:
    """Return the file with something else in the text of its puzzle."""
    old, new = forger.random.choice([pair for pair in pairs if pair[0] in file.text] or [("", "")])
    text = file.text.replace(old, new, forger.random.choice((1, -1)))
    return replace(file, text=text).written()


def label(forger: Forger, file: File) -> bytes:
    """Put a label elsewhere, or exchange two."""
    return replaced(forger, file, ("x0", "x1"), ("x1", "y0"), ("y0", "x0"), ("x0", "* "))


def labels_exchanged(forger: Forger, file: File) -> bytes:
    """Exchange two labels on the board: another puzzle with the same labels."""
    board, rest = file.text.split('\n"""\n', 1)
    board = board.replace("x0", "@").replace("x1", "x0").replace("@", "x1")
    return replace(file, text=f'{board}\n"""\n{rest}').written()


def face(forger: Forger, file: File) -> bytes:
    """Let a piece be turned over, or not."""
    pairs = ("flip = true", "flip = false"), ("flip = false", "flip = true")
    return replaced(forger, file, *pairs)


def copies(forger: Forger, file: File) -> bytes:
    """State another number of copies."""
    old, new = (forger.random.randint(1, 3) for _ in range(2))
    return replaced(forger, file, (f"copies = {old},", f"copies = {new},"))


def hole(forger: Forger, file: File) -> bytes:
    """Add or remove a cell."""
    return replaced(forger, file, ("* ", ". "), (". ", "* "), (" *", " ."), (" .", " *"))


def piece_left_out(forger: Forger, file: File) -> bytes:
    """Leave out a piece, or add one again."""
    lines = file.text.splitlines(keepends=True)
    first = lines.index("[pieces]\n") + 1
    number = forger.random.randrange(first, len(lines))
    if forger.random.random() < 0.5:
        lines.pop(number)
    else:
        lines.insert(number, "Z" + lines[number][1:])
    return replace(file, text="".join(lines)).written()


def pieces_in_another_order(forger: Forger, file: File) -> bytes:
    """Write the pieces in another order, which numbers placements anew."""
    head, pieces = file.text.split("[pieces]\n")
    lines = pieces.splitlines(keepends=True)
    forger.random.shuffle(lines)
    return replace(file, text=f"{head}[pieces]\n{''.join(lines)}").written()


def rows_in_another_order(forger: Forger, file: File) -> bytes:
    """Write the rows of the board in another order."""
    head, rest = file.text.split('"""\n', 1)
    board, rest = rest.split('"""\n', 1)
    lines = board.splitlines(keepends=True)
    forger.random.shuffle(lines)
    return replace(file, text=f'{head}"""\n{"".join(lines)}"""\n{rest}').written()


def text(forger: Forger, file: File) -> bytes:
    """Write another character somewhere."""
    place = forger.random.randrange(len(file.text))
    odd = forger.random.choice(" \t\r\n\x85\u2028\u00a0\u200b\ufe0f\u05d0\"'\\#.*019,=[]ab")
    after = place + forger.random.randrange(2)
    return replace(file, text=file.text[:place] + odd + file.text[after:]).written()


def puzzle_of_another(forger: Forger, file: File) -> bytes:
    """Put another puzzle in the place of this."""
    return replace(file, text=forger.random.choice(files()).text).written()


def two_puzzles(forger: Forger, file: File) -> bytes:
    """Write two puzzles into one file."""
    other = forger.random.choice(files())
    body = file.body()
    head = other.body().partition(b"\n")[2]
    return signed(body + head)


def name(forger: Forger, file: File) -> bytes:
    """Write another name, which may have two lines; some of these are true files."""
    said = forger.random.choice(("rhombus", "", 'a"b', "a\\", "a\nb", "a\x1b", "\u202eb"))
    return replace(file, text=f'name = "{said}"\n' + file.text.partition("\n")[2]).written()


def characters(forger: Forger, file: File) -> bytes:
    """Write a label with another character everywhere; a true file if it is one of the set."""
    odd = forger.random.choice(
        "\u05d0\u0301\u200d\u115f\u2800\u3164\ufe0f\ufffe\u0378\U0001f600\U000e0001"
    )
    old, new = "x0", f"x{odd}"
    groups = []
    for group in file.groups:
        rows = group.stated.items()
        stated = {tuple(new if label == old else label for label in r): n for r, n in rows}
        groups.append(replace(group, stated=stated))
    return replace(file, text=file.text.replace(old, new), groups=groups).written()


def blanks(forger: Forger, file: File) -> bytes:
    """Write blanks around tokens, or holes after them, which changes nothing but the digest."""
    odd = forger.random.choice((" \n", " .\n", "  \n", "\t\n", "\u00a0\n", "\n\n", ". "))
    head, rest = file.text.split('"""\n', 1)
    return replace(file, text=f'{head}"""\n{rest.replace(chr(10), odd, 1)}').written()


def board_grown(forger: Forger, file: File) -> bytes:
    """Write a board at the bounds, or beyond."""
    rows = forger.random.choice((1, 17, 62, 65))
    columns = forger.random.choice((1, 63, 64, 65))
    head, rest = file.text.split('"""\n', 1)
    return replace(file, text=f'{head}"""\n{(" *" * columns + chr(10)) * rows}{rest}').written()


def many_copies(forger: Forger, file: File) -> bytes:
    """State copies at the bound or beyond, or none."""
    many = forger.random.choice(("0", "01", "1023", "1024", "1025", "9" * 15, "9" * 16, "-1"))
    return replaced(forger, file, ("copies = 1,", f"copies = {many},"))


def stream(forger: Forger, file: File) -> bytes:
    """Compress trees in another way, some of which are true; or write a head of zlib or gzip."""
    at = forger.at(file)
    level, bits = forger.random.choice(((0, -15), (1, -9), (9, -15), (6, 15), (6, 31)))
    packer = zlib.compressobj(level, zlib.DEFLATED, bits)
    packed = packer.compress(file.groups[at].tokens)
    if forger.random.random() < 0.3:
        packed += packer.flush(zlib.Z_FULL_FLUSH)
    return forger.with_group(file, at, packed=packed + packer.flush())


# The file.


def line(forger: Forger, file: File) -> bytes:
    """Write a line in another way."""
    body = file.body()
    lines = [at for at in range(len(body)) if body.startswith((b"group", b"reveal", b"puzzle"), at)]
    at = forger.random.choice(lines)
    old, new = forger.random.choice(
        [
            (b" tilings ", b" tilings 0"),
            (b" ", b"  "),
            (b"r", b"R"),
            (b"nodes", b"node"),
            (b"0", b"00"),
            (b" marks", b"\tmarks"),
            (b" ", b" -"),
            (b" ", b" +"),
            (b"1", "\u0661".encode()),
            (b"1", b"1_0"),
            (b"\n", b" \n"),
            (b"\n", b"\r\n"),
            (b'"', b"'"),
            (b" work ", b" works "),
        ]
    )
    return signed(body[:at] + body[at:].replace(old, new, 1))


def length(forger: Forger, file: File) -> bytes:
    """State another length of the trees."""
    at = forger.at(file)
    true = len(deflated(file.groups[at].tokens))
    by = forger.random.choice((-5, -1, 1, 5, 10**9))
    return forger.with_group(file, at, size=max(0, true + by))


def packed(forger: Forger, file: File) -> bytes:
    """Write other bytes where the trees are: damage, a bomb, more than one stream."""
    at = forger.at(file)
    tokens = file.groups[at].tokens
    stream = bytearray(deflated(tokens))
    kind = forger.random.randrange(5)
    if kind == 0:
        stream[forger.random.randrange(len(stream))] ^= 1 << forger.random.randrange(8)
    elif kind == 1:
        stream = bytearray(deflated(tokens + bytes(forger.random.randrange(200_000))))
    elif kind == 2:
        stream += deflated(b"\0")
    elif kind == 3:
        stream = stream[:-1]
    else:
        stream += bytes(forger.random.randint(1, 70_000))
    return forger.with_group(file, at, packed=bytes(stream))


def cut(forger: Forger, file: File) -> bytes:
    """Cut the file off."""
    data = file.written()
    return data[: forger.random.randrange(len(data))]


def longer(forger: Forger, file: File) -> bytes:
    """Add a byte at the end."""
    return file.written() + bytes([forger.random.randrange(256)])


def bit(forger: Forger, file: File) -> bytes:
    """Turn a bit over."""
    data = bytearray(file.written())
    data[forger.random.randrange(len(data))] ^= 1 << forger.random.randrange(8)
    return bytes(data)


def signed_bit(forger: Forger, file: File) -> bytes:
    """Turn a bit over, and write the digest anew."""
    data = bytearray(file.body())
    data[forger.random.randrange(len(data))] ^= 1 << forger.random.randrange(8)
    return signed(bytes(data))


def part_doubled(forger: Forger, file: File) -> bytes:
    """Write a part of the file twice, and the digest anew."""
    body = file.body()
    first, second = sorted(forger.random.randrange(len(body)) for _ in range(2))
    return signed(body[:second] + body[first:])


def version(forger: Forger, file: File) -> bytes:
    """State another format."""
    return signed(
        file.body().replace(FIRST, FIRST.replace(b"4", forger.random.choice((b"3", b"5"))))
    )


KINDS: list[Kind] = [
    tilings, tilings_swapped, size, size_of_the_file, work_in_two_groups, reveals_in_another_order,
    reveal_left_out, reveal_twice_in_a_group, reveal_in_two_groups, reveal_of_another_puzzle,
    group_left_out, groups_in_another_order, groups_joined, group_cut_in_two, token, tokens_dropped,
    tokens_doubled, tokens_swapped, tokens_cut, tokens_of_another, marks_changed, all_marked,
    long_tokens, fitted, nothing, label, labels_exchanged, face, copies, hole, piece_left_out,
    pieces_in_another_order, rows_in_another_order, text, puzzle_of_another, two_puzzles, name,
    line, length, packed, cut, longer, bit, signed_bit, part_doubled, version,
    sum_of_the_tilings_kept, sizes_exchanged, beyond_the_bounds, reveals_moved, trees_exchanged,
    empty_group, labels_of_a_reveal, category, drawing, pieces_joined, piece_named, digest_of_less,
    characters, blanks, board_grown, many_copies, stream,
]  # fmt: skip


def proved(data: bytes) -> Proved | None:
    """Return what a file proves, None if it is not accepted."""
    try:
        return check(io.BytesIO(data))
    except (CertificateRefused, TooLarge):
        return None


def small_of(puzzle: Written) -> Small:
    """Return a puzzle that the reader has read, for the brute force."""
    tokens = dict.fromkeys(puzzle.cells, "*")
    tokens |= {cell: label for label, cells in puzzle.labels.items() for cell in cells}
    rows, columns = (1 + max(axis) for axis in zip(*puzzle.cells, strict=True))
    board = tuple(tuple(tokens.get((r, c), ".") for c in range(columns)) for r in range(rows))
    pieces = []
    for name, squares, copies, flip in puzzle.pieces:
        high, wide = (1 + max(axis) for axis in zip(*squares, strict=True))
        drawing = ("".join(".#"[(r, c) in squares] for c in range(wide)) for r in range(high))
        pieces.append(Piece(name, tuple(drawing), copies, flip))
    return Small(board, tuple(pieces), tuple(puzzle.categories.items()))


def is_true(puzzle: Written, reveal: Reveal, tilings: int) -> bool:
    """Return whether brute force finds as many tilings as are proved."""
    hidden = sum(len(puzzle.labels[label]) for label in reveal)
    area = sum(len(piece.squares) * piece.copies for piece in puzzle.pieces)
    if len(puzzle.cells) - hidden != area:
        return tilings == 0
    return tilings == len(small_of(puzzle).tilings(reveal))
