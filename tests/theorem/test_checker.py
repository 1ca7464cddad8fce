"""The extracted checker proves what search trees prove, and nothing that a forger makes."""

from __future__ import annotations

import random
import re
import subprocess
import zlib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import checkers
from helpers.certificates import taken_apart
from helpers.commands import Fake
from helpers.forger import Forger
from oracle import Piece, Small, dominoes, rectangle, small_puzzles
from proof.make_vectors import FOLDER as VECTORS
from satcal.certificates.checking import puzzle_of
from satcal.counting.verified import NAME, plain_text, prove_counts
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import CertificateRefused, Disagreement, SatcalError, Stopped
from satcal.proof.board import Board
from satcal.proof.normal import read
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.normal import normal_form

LONG = pytest.mark.long
HEAD = re.compile(rb"satcal certificate 4\npuzzle (\d+) .*\n")
GROUP = re.compile(rb"group reveals (\d+) .* trees (\d+)\n")
REVEAL = re.compile(r'reveal((?: "[^"]*")*) tilings (\d+)')


def searched(board: Board, reveal: Reveal, known: dict[int, int], marks: bool) -> bytes:
    """Return a tree that names the cell or the single piece with the fewest placements."""

    def walk(state: int, fits: int) -> int:
        if not state & board.cells:
            return 1
        if state in known:
            return known[state]
        names = [at for at in range(len(board.deciding)) if state >> at & 1]
        at = min(names, key=lambda at: (fits & board.deciding[at]).bit_count())
        token = 2 * (at - names[0]) + marks
        tree.extend([token] if token < 128 else [128 + token % 128, token // 128])
        tilings, ways = 0, fits & board.deciding[at]
        for way in range(ways.bit_length()):
            if ways >> way & 1:
                rest, left = state - board.uses[way], fits & board.leaves[way]
                if board.fields[way] and not rest & board.fields[way]:
                    left &= ~board.of_kind[board.kinds[way]]
                tilings += walk(rest, left)
        if marks:
            known[state] = tilings
        return tilings

    tree = bytearray()
    begin = board.begin(reveal)
    if board.adds_up(begin[0]):
        walk(*begin)
    return bytes(tree)


def trees(puzzle: Puzzle, marks: bool = True) -> bytes:
    """Return the trees of all reveals of a puzzle, one after another."""
    board, known = Board(read(normal_form(puzzle))), dict[int, int]()
    return b"".join(searched(board, reveal, known, marks) for reveal in puzzle.reveals())


# --- what is right ---


def stated(data: bytes) -> tuple[Puzzle, dict[Reveal, int], bytes]:
    """Return what the first group of a file says, and its trees; nothing is checked."""
    head = HEAD.match(data)
    assert head
    text, rest = data[head.end() :][: int(head[1])], data[head.end() + int(head[1]) :]
    group = GROUP.match(rest)
    assert group
    *lines, packed = rest[group.end() :].split(b"\n", int(group[1]))
    numbers = {
        tuple(re.findall('"([^"]*)"', labels)): int(tilings)
        for labels, tilings in REVEAL.findall(b"\n".join(lines).decode())
    }
    inflated = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed[: int(group[2])], 10**7)
    return puzzle_of(read(text.decode())), numbers, inflated


@pytest.mark.parametrize("name", ["good-three", "good-dominoes", "good-two-groups"])
def test_vectors_are_proved(program: str, name: str) -> None:
    puzzle, numbers, tree = stated((VECTORS / f"{name}.satcert").read_bytes())
    assert prove_counts(puzzle, list(numbers), tree) == list(numbers.values())


def certified(program: str, small: Small, marks: bool) -> None:
    puzzle = small.load()
    reveals = small.reveals
    numbers = [len(small.tilings(reveal)) for reveal in reveals]
    assert prove_counts(puzzle, reveals, trees(puzzle, marks)) == numbers


@pytest.mark.parametrize("examples", [20, pytest.param(2000, marks=LONG)])
def test_random_puzzles(program: str, examples: int) -> None:
    tried = given(st.just(program), small_puzzles(), st.booleans())(certified)
    settings(max_examples=examples)(tried)()


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(1, 30), (1, 64), *(pytest.param(*size, marks=LONG) for size in [(1, 63), (2, 64)])],
)
def test_words_of_every_width(program: str, rows: int, columns: int) -> None:
    half = columns // 2
    lengths = {"I": half, "J": columns - half - 1, "M": 1}
    pieces = [Piece(name, ("#" * length,), rows) for name, length in lengths.items()]
    certified(program, rectangle(rows, columns, *pieces), True)


@pytest.mark.parametrize(
    ("rows", "columns", "tilings"), [(4, 4, 36), pytest.param(8, 8, 12_988_816, marks=LONG)]
)
def test_dominoes_are_counted_by_remembered_states(
    program: str, rows: int, columns: int, tilings: int
) -> None:
    puzzle = dominoes(rows, columns).load()
    assert prove_counts(puzzle, [()], trees(puzzle)) == [tilings]


# --- what is wrong ---


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the program without limits: to set them takes ten times as long as a small check."""
    monkeypatch.setattr("satcal.counting.verified.limit_command", list)


def seeds(quick: int, many: int) -> list:
    """Few seeds for every run, and many for the long one."""
    return [range(quick), pytest.param(range(10_000, 10_000 + many), marks=LONG)]


@cache
def originals() -> list[tuple[Puzzle, list[Reveal], bytes, list[int]]]:
    """Puzzles, the trees of all their reveals, and the true numbers."""
    found = []
    for name in ("good-three", "good-dominoes"):
        puzzle = stated((VECTORS / f"{name}.satcert").read_bytes())[0]
        reveals = list(puzzle.reveals())
        diagram = PuzzleDiagram.build(puzzle, None)
        numbers = [diagram.count(reveal) for reveal in reveals]
        found += [(puzzle, reveals, trees(puzzle, marks), numbers) for marks in (False, True)]
    return found


def forged(tree: bytes, generator: random.Random) -> bytes:
    """A tree with nodes exchanged, marked, dropped, doubled, moved or cut off."""
    nodes = list(tree)
    for _ in range(generator.choice([1, 1, 2, 4])):
        at, other = (generator.randrange(len(nodes) + 1) for _ in range(2))
        nodes = generator.choice(
            [
                [*nodes[:at], *([nodes[at] ^ 1] if nodes[at:] else []), *nodes[at + 1 :]],
                [*nodes[:at], generator.choice([0, 2, 4, 6, 127, 128, 255]), *nodes[at + 1 :]],
                [*nodes[:at], generator.randrange(16), *nodes[at:]],
                [*nodes[: min(at, other)], *nodes[max(at, other) :]],
                [*nodes[: max(at, other)], *nodes[min(at, other) :]],
                nodes[:at],
                [*nodes[:at], *generator.choice(originals())[2]],
            ]
        )
    return bytes(nodes)


@pytest.mark.parametrize("seeds", seeds(100, 20_000), ids=len)
@pytest.mark.usefixtures("unlimited")
def test_no_forged_tree_proves_a_false_number(program: str, seeds: range) -> None:
    true = 0
    for seed in seeds:
        generator = random.Random(seed)
        puzzle, reveals, tree, numbers = generator.choice(originals())
        try:
            assert prove_counts(puzzle, reveals, forged(tree, generator)) == numbers, f"seed {seed}"
        except CertificateRefused:
            continue
        true += 1
    assert true < len(seeds)


def numbers_proved(data: bytes) -> dict[Reveal, int] | None:
    """The numbers that the program proves of the first statement of a file; None if it refuses.

    What it is given is read with the expressions above, which check nothing.
    """
    try:
        puzzle, claimed, tree = stated(data)
        assert claimed.keys() <= set(puzzle.reveals())
        numbers = prove_counts(puzzle, list(claimed), tree)
    except (SatcalError, AssertionError, ValueError, zlib.error):
        return None
    count = PuzzleDiagram.build(puzzle, None).count
    assert numbers == [count(reveal) for reveal in claimed]
    return dict(zip(claimed, numbers, strict=True))


@pytest.mark.parametrize("files", [100, pytest.param(20_000, marks=LONG)])
@pytest.mark.usefixtures("unlimited")
def test_three_checkers_judge_forged_files_alike(program: str, files: int) -> None:
    """What ours and the stranger's accept is proved; what is proved of a refused file is true."""
    forger, taken = Forger(11), 0
    for number in range(files):
        kind, data = forger.forge()
        ours, theorem = checkers.trusted(data), numbers_proved(data)
        assert ours == checkers.stranger(data), (number, kind)
        if ours.word == "accepted":
            claimed = dict(taken_apart(data).groups[0].stated)
            assert theorem == claimed, (number, kind)
            taken += 1
    assert taken < files


@pytest.mark.parametrize(
    "name",
    [
        "areas-differ-and-a-tree",
        "deflate-bomb",
        "nothing-of-this-number",
        "number-beyond-14-bits",
        "piece-used",
        "piece-with-copies",
        "revealed-cell",
        "tree-cut-off",
        "tree-goes-on",
        "two-bytes-for-a-small-number",
    ],
)
def test_what_is_wrong_with_a_tree_is_refused(program: str, name: str) -> None:
    puzzle, numbers, tree = stated((VECTORS / f"bad-{name}.satcert").read_bytes())
    with pytest.raises(CertificateRefused, match=NAME):
        prove_counts(puzzle, list(numbers), tree)


@pytest.mark.parametrize("name", ["marks", "nodes-too-few", "nodes-too-many", "tilings"])
def test_what_is_stated_of_a_tree_is_not_believed(program: str, name: str) -> None:
    puzzle, numbers, tree = stated((VECTORS / f"bad-{name}.satcert").read_bytes())
    assert prove_counts(puzzle, list(numbers), tree) == [4, 8]


def checked(
    program: str, text: str, labels: list[str], tree: bytes, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run the program on a puzzle, reveals and trees."""
    (folder / "puzzle").write_text(text)
    (folder / "trees").write_bytes(tree)
    words = [program, "check", str(folder / "puzzle"), str(folder / "trees")]
    reveals = "".join(f"{line}\n" for line in labels)
    return subprocess.run(words, input=reveals, capture_output=True, text=True, check=False)


IM = "board\na * *\ncategory a\npiece\n##\n"


@pytest.mark.parametrize(
    ("text", "labels", "tree", "reason"),
    [
        (IM, ["a"], b"", "too early"),
        (IM, ["a"], b"\0\0", "with 1 bytes, after the last"),
        (IM, ["a"], b"\6", "names what is decided"),
        (IM, ["a"], b"\x80\0", "too early"),
        (IM, ["a"], b"\x80\x80", "too early"),
        (IM, ["b"], b"\0", "one label of each category"),
        (IM, [""], b"\0", "one label of each category"),
        (IM, ["a", "a"], b"\0", "too early"),
        ("board\n* *\npiece\n#\npiece\n#\n", [""], b"\4", "names what is decided"),
        ("board\n* *\npiece\n#\n", [""], b"\0", "with 1 bytes, after the last"),
    ],
)
def test_what_is_refused_is_refused_with_its_reason(
    program: str, text: str, labels: list[str], tree: bytes, reason: str, tmp_path: Path
) -> None:
    done = checked(program, text, labels, tree, tmp_path)
    assert (done.returncode, reason in done.stderr) == (2, True), done


def test_areas_that_differ_need_no_tree(program: str, tmp_path: Path) -> None:
    done = checked(program, "board\n* *\npiece\n#\n", [""], b"", tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0")


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        ("echo 'no proof' >&2; exit 2", CertificateRefused, f"{NAME} refuses it: no proof"),
        ("exit 1", Stopped, "ended without a verdict: exit 1"),
        ("echo 0.0,4", Disagreement, "read a different puzzle"),
        ("sed 's/^/# /' \"$2\"; echo 0.1,4", Disagreement, "other reveals"),
    ],
)
def test_only_a_number_for_what_was_asked_is_an_acceptance(
    script: str, error: type[Exception], message: str, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", script)))
    puzzle, numbers, tree = stated((VECTORS / "good-three.satcert").read_bytes())
    with pytest.raises(error, match=message):
        prove_counts(puzzle, list(numbers)[:1], tree)


def test_the_puzzle_that_it_draws_is_the_one_that_it_was_given(
    program: str, fake: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program that reads another puzzle is found out, whatever it counts."""
    puzzle, numbers, tree = stated((VECTORS / "good-three.satcert").read_bytes())
    assert plain_text(puzzle, list(numbers)).startswith("board\n0.0 * *\n* 0.1 *\n* * *\n")
    script = f'sed \'s/^##$/#./\' "$2" > puzzle; exec {program} check puzzle "$3"'
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", script)))
    with pytest.raises((CertificateRefused, Disagreement)):
        prove_counts(puzzle, list(numbers), tree)
