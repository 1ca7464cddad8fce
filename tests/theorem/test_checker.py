"""The extracted checker proves what search trees prove, and nothing that a forger makes."""

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import checkers
from helpers.certificates import grown, made, taken_apart
from helpers.forger import forgeries
from oracle import Piece, Small, rectangle, small_puzzles
from satcal.certificates.lrat import convert_puzzle
from satcal.counting.verified import NAME, plain_text, prove_counts
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import CertificateRefused, Disagreement, Stopped, TooLarge
from satcal.proof.normal import parse_normal_form
from satcal.puzzle.model import Puzzle, Reveal

VECTORS = Path(__file__).parents[1] / "proof" / "vectors"


def trees(puzzle: Puzzle, marks: float = 1.0) -> bytes:
    """Return trees of all reveals of a puzzle, one after another."""
    (group,) = grown(made(puzzle, puzzle.reveals()), random.Random(1), marks).groups
    return group.tokens


# --- what is right ---


def vector(name: str) -> tuple[Puzzle, dict[Reveal, int], bytes]:
    """Return what the first group of a vector says, and its trees; nothing is checked."""
    file = taken_apart((VECTORS / f"{name}.satcert").read_bytes())
    group = file.groups[0]
    return convert_puzzle(parse_normal_form(file.text)), group.stated, group.tokens


@pytest.mark.parametrize("name", ["good-three", "good-dominoes", "good-two-groups"])
def test_vectors_are_proved(program, name):
    puzzle, numbers, tree = vector(name)
    assert prove_counts(puzzle, list(numbers), tree) == list(numbers.values())


def certified(program: str, small: Small, marks: float) -> None:
    puzzle = small.load()
    reveals = small.reveals
    numbers = [len(small.tilings(reveal)) for reveal in reveals]
    assert prove_counts(puzzle, reveals, trees(puzzle, marks)) == numbers


@given(small=small_puzzles(), marks=st.sampled_from([0.0, 0.5, 1.0]))
def test_random_puzzles(program, small, marks):
    certified(program, small, marks)


@pytest.mark.parametrize(("rows", "columns"), [(1, 30), (1, 64)])
def test_words_of_every_width(program, rows, columns):
    half = columns // 2
    lengths = {"I": half, "J": columns - half - 1, "M": 1}
    pieces = [Piece(name, ("#" * length,), rows) for name, length in lengths.items()]
    certified(program, rectangle(rows, columns, *pieces), 1.0)


# --- what is wrong ---


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the program without limits: to set them takes ten times as long as a small check."""
    monkeypatch.setattr("satcal.counting.verified.limit_command", list)


def parts(data: bytes) -> list[tuple[Puzzle, dict[Reveal, int], bytes]]:
    """Return what each group of a file says, and its trees; nothing if it cannot be read."""
    try:
        file = taken_apart(data)
        puzzle = convert_puzzle(parse_normal_form(file.text))
    except (CertificateRefused, TooLarge):
        return []
    known = set(puzzle.reveals())
    return [(puzzle, g.stated, g.tokens) for g in file.groups if g.stated.keys() <= known]


@pytest.mark.usefixtures("unlimited")
def test_three_checkers_judge_forged_files_alike(program):
    """What ours and the stranger's accept is proved; what is proved of a refused file is true."""
    seen = set()

    @given(forgeries(5))
    def attack(files: list[bytes]) -> None:
        for data in files:
            ours = checkers.trusted(data)
            assert ours == checkers.stranger(data)
            seen.add(ours.word)
            for puzzle, stated, tree in parts(data):
                try:
                    numbers = prove_counts(puzzle, list(stated), tree)
                except CertificateRefused:
                    assert ours.word != "accepted"
                    seen.add("not proved")
                    continue
                proved = dict(zip(stated, numbers, strict=True))
                counts = PuzzleDiagram.build(puzzle).counts()
                assert proved == {reveal: counts[reveal] for reveal in stated}
                assert proved == stated or ours.word != "accepted"

    attack()
    assert seen >= {"accepted", "refused", "not proved"}


@pytest.mark.parametrize(
    "name",
    [
        "areas-differ-and-a-tree",
        "nothing-of-this-number",
        "number-beyond-14-bits",
        "piece-used",
        "piece-with-copies",
        "revealed-cell",
        "token-cut-off",
        "tree-cut-off",
        "tree-goes-on",
        "two-bytes-for-a-small-number",
    ],
)
def test_what_is_wrong_with_a_tree_is_refused(program, name):
    puzzle, numbers, tree = vector(f"bad-{name}")
    with pytest.raises(CertificateRefused, match=NAME):
        prove_counts(puzzle, list(numbers), tree)


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
    ("text", "labels", "tree"),
    [
        (IM, ["a"], b""),
        (IM, ["a"], b"\0\0"),
        (IM, ["a"], b"\6"),
        (IM, ["a"], b"\x80\0"),
        (IM, ["a"], b"\x80\x80"),
        (IM, ["b"], b"\0"),
        (IM, [""], b"\0"),
        (IM, ["a", "a"], b"\0"),
        ("board\n* *\npiece\n#\npiece\n#\n", [""], b"\4"),
        ("board\n* *\npiece\n#\n", [""], b"\0"),
    ],
)
def test_what_proves_nothing_is_refused(program, text, labels, tree, tmp_path):
    done = checked(program, text, labels, tree, tmp_path)
    assert (done.returncode, bool(done.stderr)) == (2, True), done


def test_areas_that_differ_need_no_tree(program, tmp_path):
    done = checked(program, "board\n* *\npiece\n#\n", [""], b"", tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0")


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        ("echo 'no proof' >&2; exit 2", CertificateRefused, f"{NAME} refuses it: no proof"),
        ("exit 1", Stopped, "ended without an answer: exit 1"),
        ("echo 0.0,4", Disagreement, "read a different puzzle"),
        ("sed 's/^/# /' \"$2\"; echo 0.1,4", Disagreement, "other reveals"),
    ],
)
def test_only_a_number_for_what_was_asked_is_an_acceptance(
    script, error, message, fake, monkeypatch
):
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", script)))
    puzzle, numbers, tree = vector("good-three")
    with pytest.raises(error, match=message):
        prove_counts(puzzle, list(numbers)[:1], tree)


def test_the_puzzle_that_it_draws_is_the_one_that_it_was_given(
    program, fake, monkeypatch, tmp_path
):
    """A program that reads another puzzle is found out, whatever it counts."""
    puzzle, numbers, tree = vector("good-three")
    assert plain_text(puzzle, list(numbers)).startswith("board\n0.0 * *\n* 0.1 *\n* * *\n")
    script = f'sed \'s/^##$/#./\' "$2" > puzzle; exec {program} check puzzle "$3"'
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SATCAL_VERIFIED", str(fake("stand-in", script)))
    with pytest.raises((CertificateRefused, Disagreement)):
        prove_counts(puzzle, list(numbers), tree)
