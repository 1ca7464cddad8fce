"""A second checker of satcal's certificates, written from its reference and not from satcal.

    python3 check.py FILE...

It needs Python 3.9 and nothing else, and shares no line with satcal. It prints what each file
proves, or why it is refused, and ends with 1 if one is refused. Read it before you believe it.
"""

import hashlib
import io
import re
import sys
import zlib

TEXT = r'"((?:[^"\\]|\\["\\])*)"'
NUMBER = r"(0|[1-9][0-9]{0,14})"
TILINGS = "(0|[1-9][0-9]{0,1399})"
REVEAL = f"reveal((?: {TEXT})*) tilings {TILINGS} nodes {NUMBER} marks {NUMBER}"
MAX_NODES = 20_000_000


class Refused(Exception):
    """What a file says is not proved, or not said as it should be."""


def need(holds, reason):
    if not holds:
        raise Refused(reason)


def plain(quoted):
    return re.sub(r"\\(.)", r"\1", quoted)


def touch(cells):
    """Whether cells hang together by edges."""
    cells, todo = set(cells), list(cells)[:1]
    while todo:
        row, column = todo.pop()
        if (row, column) in cells:
            cells.remove((row, column))
            todo += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return not cells


class Puzzle:
    """A puzzle, read line by line from its normal form."""

    def __init__(self, text):
        need(all(c == "\n" or c.isprintable() for c in text), "puzzle: an unseen character")
        self.lines, self.labels = text.split("\n"), {}
        self.name = self.said("name", 1, 200)
        self.said("title", 0, 1000)
        if self.lines[0].startswith("designer"):
            self.said("designer", 1, 1000)
        self.said("source", 0, 1000)
        self.take('board = """')
        rows = []
        while self.lines[0] != '"""':
            rows.append(plain(self.take(r'((?:[^"\\]|\\["\\])+)')[1]))
        self.read_board(rows)
        for line in ('"""', "", r"\[categories\]"):
            self.take(line)
        self.categories = {}
        while self.lines[0] != "":
            name, labels = self.take(rf"{TEXT} = \[({TEXT}(?:, {TEXT})*)\]").group(1, 2)
            name, labels = plain(name), [plain(each) for each in re.findall(TEXT, labels)]
            need(name not in self.categories and 0 < len(name) <= 32, "puzzle: a category's name")
            need(name not in ("date", "tilings", "methods"), "puzzle: a reserved name")
            self.categories[name] = labels
        listed = sum(self.categories.values(), [])
        need(sorted(listed) == sorted(self.labels), "puzzle: labels and categories")
        self.take("")
        self.take(r"\[pieces\]")
        self.read_pieces()

    def take(self, pattern):
        """The match of the next line, which goes."""
        found = len(self.lines) > 1 and re.fullmatch(pattern, self.lines.pop(0))
        need(found, f"puzzle: {pattern} expected, {len(self.lines)} lines before its end")
        return found

    def said(self, key, least, most):
        text = plain(self.take(f"{key} = {TEXT}")[1])
        need(least <= len(text) <= most, f"puzzle: the length of its {key}")
        return text

    def read_board(self, rows):
        table = [row.split() for row in rows]
        need(0 < len(table) <= 64 and all(0 < len(row) <= 64 for row in table), "board: its size")
        need(len({len(row) for row in table}) == 1, "board: rows of different lengths")
        wide = max(len(token) for row in table for token in row)
        for row, tokens in zip(rows, table):
            need(row == " ".join(t.ljust(wide) for t in tokens).rstrip(" "), "board: its blanks")
        at = {(r, c): t for r, row in enumerate(table) for c, t in enumerate(row) if t != "."}
        need(0 < len(at) <= 1024, "board: its number of cells")
        corner = (max(r for r, _ in at), max(c for _, c in at))
        need(corner == (len(table) - 1, len(table[0]) - 1), "board: an empty last row or column")
        for cell, token in at.items():
            if token != "*":
                self.labels.setdefault(token, []).append(cell)
        for label, cells in self.labels.items():
            need(touch(cells) and len(label) <= 32 and "," not in label, f"board: label {label!r}")
        self.cells = list(at)

    def read_pieces(self):
        kinds, names, area = {}, set(), 0  # orientations: (in their order, copies)
        while self.lines != [""]:
            line = self.take(
                r'([A-Za-z][0-9]{0,3}) = \{ shape = "([#.]+(?:\\n[#.]+)*)", '
                r"copies = ([1-9][0-9]{0,3}), flip = (true|false) \}"
            )
            rows, copies = line[2].split("\\n"), int(line[3])
            squares = [(r, c) for r, row in enumerate(rows) for c, m in enumerate(row) if m == "#"]
            need(line[1] not in names and copies <= 1024, "piece: its name or its copies")
            need(squares and touch(squares), f"piece {line[1]}: its squares do not hang together")
            frame = [f([cell[axis] for cell in squares]) for f in (min, max) for axis in (0, 1)]
            need(frame == [0, 0, len(rows) - 1, len(rows[0]) - 1], f"piece {line[1]}: its frame")
            need(len({len(row) for row in rows}) == 1 and max(frame) < 64, "piece: its rows")
            looks = turns(squares) + (turns([(r, -c) for r, c in squares]) * (line[4] == "true"))
            looks = tuple(dict.fromkeys(looks))
            before = kinds.get(frozenset(looks), (looks, 0))
            kinds[frozenset(looks)] = (before[0], before[1] + copies)
            names.add(line[1])
            area += len(squares)
        need(names and area <= 1024, "pieces: none, or too many squares")
        self.kinds = list(kinds.values())


def turns(squares):
    """What a drawing looks like turned clockwise by 0, 90, 180 and 270 degrees."""
    looks = []
    for _ in range(4):
        top, left = min(r for r, _ in squares), min(c for _, c in squares)
        looks.append(frozenset((r - top, c - left) for r, c in squares))
        squares = [(c, -r) for r, c in squares]
    return looks


class Board:
    """What can be named, by its number, with its placements: (piece, cells as bits), in order."""

    def __init__(self, puzzle):
        self.cells = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.copies = [copies for _, copies in puzzle.kinds]
        self.area = sum(len(looks[0]) * copies for looks, copies in puzzle.kinds)
        self.named = [[] for _ in puzzle.cells]
        self.single = {}  # the numbers of pieces with one copy
        total = 0
        for piece, (looks, copies) in enumerate(puzzle.kinds):
            placed = [(piece, cells) for look in looks for cells in self.places(look)]
            for number in self.cells.values():
                self.named[number] += [each for each in placed if each[1] >> number & 1]
            if copies == 1:
                self.single[piece] = len(self.named)
                self.named.append(placed)
            total += len(placed)
        need(total <= 20_000, "more than 20,000 placements")

    def places(self, look):
        for top in range(1 + max(row for row, _ in self.cells)):
            for left in range(1 + max(column for _, column in self.cells)):
                cells = [self.cells.get((top + row, left + column)) for row, column in look]
                if None not in cells:
                    yield sum(1 << number for number in cells)


class Walk:
    """The walk through the trees of one statement."""

    def __init__(self, board, tokens):
        self.board, self.tokens, self.known = board, iter(tokens), {}

    def count(self, hidden, most):
        """The tilings, nodes and marks of the next tree, of at most so many nodes."""
        board = self.board
        to_cover = sum(1 << n for cell, n in board.cells.items() if cell not in hidden)
        self.nodes = self.marks = tilings = 0
        if bin(to_cover).count("1") != board.area:
            return 0, 0, 0
        todo = [(to_cover, tuple(board.copies))]  # states, and what to remember when they are done
        while todo:
            uncovered, left, *marked = todo.pop()
            if marked:
                self.known[uncovered, left] = tilings - marked[0]
            elif not uncovered:
                tilings += 1
            elif (uncovered, left) in self.known:
                tilings += self.known[uncovered, left]
            else:
                self.nodes += 1
                need(self.nodes <= most, "more nodes than are stated")
                steps, mark = divmod(self.token(), 2)
                number = (uncovered & -uncovered).bit_length() - 1 + steps
                need(self.open(number, uncovered, left), f"node {self.nodes}: nothing to name")
                if mark:
                    self.marks += 1
                    todo.append((uncovered, left, tilings))
                for piece, cells in reversed(board.named[number]):
                    if left[piece] and not cells & ~uncovered:
                        rest = (*left[:piece], left[piece] - 1, *left[piece + 1 :])
                        todo.append((uncovered & ~cells, rest))
        return tilings, self.nodes, self.marks

    def open(self, number, uncovered, left):
        if number < len(self.board.cells):
            return uncovered >> number & 1
        return any(n == number and left[piece] for piece, n in self.board.single.items())

    def token(self):
        low = next(self.tokens, None)
        need(low is not None, f"node {self.nodes}: the trees end too early")
        if low < 128:
            return low
        high = next(self.tokens, 0)
        need(0 < high < 128, f"node {self.nodes}: a token in a wrong form")
        return low - 128 + 128 * high


def inflated(packed, most):
    """The bytes of a raw deflate stream, of which there may be at most so many."""
    reader = zlib.decompressobj(-15)
    try:
        data = reader.decompress(packed, most + 1)
    except zlib.error as error:
        raise Refused(f"damaged deflate stream: {error}") from error
    need(len(data) <= most, "the trees are longer than their nodes can be")
    need(reader.eof and not reader.unused_data, "the deflate stream does not end with its bytes")
    return data


def line_of(file, form):
    """The match of the next line, which has a form."""
    line = file.readline(65_536)
    found = line.endswith(b"\n") and re.fullmatch(form, line[:-1].decode())
    need(found, f"byte {file.tell()}: the line before is not {form}")
    return found


def check(data, max_nodes=MAX_NODES):
    """What a certificate proves: a list of (name of the puzzle, reveal, tilings)."""
    file, proved, nodes = io.BytesIO(data), [], 0
    line_of(file, "satcal certificate 3")
    while not proved or not data.startswith(b"sha256 ", file.tell()):
        size = int(line_of(file, f"puzzle {NUMBER}")[1])
        need(size <= 1 << 20, "a puzzle of more than 1 MiB")
        text = file.read(size)
        need(len(text) == size, "cut off within a puzzle")
        puzzle, stated = Puzzle(text.decode()), {}
        while not stated or data.startswith(b"reveal", file.tell()):
            said = line_of(file, REVEAL)
            reveal = tuple(map(plain, re.findall(TEXT, said[1])))
            fit = len(reveal) == len(puzzle.categories)
            fit = fit and all(map(list.__contains__, puzzle.categories.values(), reveal))
            need(fit and reveal not in stated, f"byte {file.tell()}: the reveal before")
            stated[reveal] = tuple(map(int, said.groups()[-3:]))
        nodes += sum(each[1] for each in stated.values())
        need(nodes <= max_nodes, f"more than {max_nodes} nodes are stated")
        size = int(line_of(file, f"trees {NUMBER}")[1])
        packed = file.read(size)
        need(len(packed) == size, "cut off within the trees")
        walk = Walk(Board(puzzle), inflated(packed, 2 * sum(each[1] for each in stated.values())))
        for reveal, numbers in stated.items():
            hidden = {cell for label in reveal for cell in puzzle.labels[label]}
            found = walk.count(hidden, numbers[1])
            need(found == numbers, f"{' '.join(reveal)}: {numbers} stated, {found} found")
            proved.append((puzzle.name, reveal, numbers[0]))
        need(next(walk.tokens, None) is None, "more tokens than the trees have")
    digest = hashlib.sha256(data[: file.tell()]).hexdigest()
    need(data[file.tell() :] == f"sha256 {digest}\n".encode(), "the digest, or what follows it")
    return proved


def main(paths):
    code = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                for name, reveal, tilings in check(file.read()):
                    print(f"{path!r}: {name!r} {' '.join(reveal)}: exactly {tilings} tilings")
        except (Refused, UnicodeDecodeError) as error:
            print(f"{path!r}: refused: {error}")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
