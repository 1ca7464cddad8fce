"""The extracted checker proves what search trees prove, and nothing that a forger makes."""

import json
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import checkers
from helpers.certificates import grown, made, taken_apart
from helpers.forger import forgeries
from helpers.programs import need
from oracle import Piece, Small, rectangle, small_puzzles
from satcal.certificates.lrat import convert_puzzle
from satcal.counting import verified
from satcal.counting.verified import NAME, prove_counts
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import CertificateRefused, Disagreement, TooLarge
from satcal.proof.normal import parse_normal_form
from satcal.puzzle.model import Puzzle, Reveal

VECTORS = Path(__file__).parents[1] / "proof" / "vectors"


@pytest.fixture(scope="module", autouse=True)
def unlimited() -> Iterator[None]:
    """Start the program without limits: to set them takes ten times as long as a small check."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satcal.counting.verified.limit_command", list)
        yield


def parts(data: bytes) -> list[tuple[Puzzle, dict[Reveal, int], bytes]]:
    """Return what each group of a file says, and its trees; nothing if it cannot be read."""
    try:
        file = taken_apart(data)
        puzzle = convert_puzzle(parse_normal_form(file.text))
    except (CertificateRefused, TooLarge):
        return []
    known = set(puzzle.reveals())
    return [(puzzle, g.stated, g.tokens) for g in file.groups if g.stated.keys() <= known]


def vector(name: str) -> tuple[Puzzle, dict[Reveal, int], bytes]:
    """Return what the first group of a vector says, and its trees; nothing is checked."""
    return parts((VECTORS / f"{name}.satcert").read_bytes())[0]


# --- what is right ---


@pytest.mark.parametrize(
    "name", ["good-three", "good-dominoes", "good-two-groups", "good-areas-differ"]
)
def test_vectors_are_proved(program, name):
    puzzle, numbers, tree = vector(name)
    assert prove_counts(puzzle, list(numbers), tree) == list(numbers.values())


def check_against_brute_force(small: Small, marks: float) -> None:
    """Have the numbers of all reveals proved by trees whose nodes are partly marked."""
    puzzle = small.load()
    (group,) = grown(made(puzzle, small.reveals), random.Random(1), marks).groups
    numbers = [len(small.tilings(reveal)) for reveal in small.reveals]
    assert prove_counts(puzzle, small.reveals, group.tokens) == numbers


@given(small=small_puzzles(), marks=st.sampled_from([0.0, 0.5, 1.0]))
def test_random_puzzles(program, small, marks):
    check_against_brute_force(small, marks)


@pytest.mark.parametrize(("rows", "columns"), [(1, 30), (1, 64)])
def test_words_of_every_width(program, rows, columns):
    half = columns // 2
    lengths = {"I": half, "J": columns - half - 1, "M": 1}
    pieces = [Piece(name, ("#" * length,), rows) for name, length in lengths.items()]
    check_against_brute_force(rectangle(rows, columns, *pieces), 1.0)


# --- what is wrong ---


@dataclass(frozen=True)
class Judged:
    """A group of a forged file, satcal's verdict on the file, and the numbers that are proved."""

    word: str
    puzzle: Puzzle
    stated: dict[Reveal, int]
    trees: bytes
    proved: list[int] | None


@pytest.fixture(scope="module")
def forged(program) -> list[Judged]:
    """Groups of forged files, judged by satcal and by the program."""
    groups: list[Judged] = []

    @given(forgeries(5))
    def judge(files: list[bytes]) -> None:
        for data in files:
            word = checkers.trusted(data).word
            for puzzle, stated, trees in parts(data):
                try:
                    proved = prove_counts(puzzle, list(stated), trees)
                except CertificateRefused:
                    proved = None
                groups.append(Judged(word, puzzle, stated, trees, proved))

    judge()
    return groups


def test_what_satcal_accepts_is_proved_and_what_is_proved_of_a_refused_file_is_true(forged):
    for each in forged:
        if each.proved is None:
            assert each.word != "accepted"
            continue
        proved = dict(zip(each.stated, each.proved, strict=True))
        counts = PuzzleDiagram.build(each.puzzle).counts()
        assert proved == {reveal: counts[reveal] for reveal in proved}
        assert proved == each.stated or each.word != "accepted"
    assert {each.word for each in forged} >= {"accepted", "refused"}
    assert None in (each.proved for each in forged)


def test_the_checker_as_javascript_proves_and_refuses_the_same(forged, tmp_path):
    need("node", "js_of_ocaml")
    built = verified.BUILT.with_suffix(".js")
    if not built.is_file():
        pytest.skip(f"{built.name} is not built: make theorem")
    questions, expected = [], []
    for each in forged:
        reveals = list(each.stated)
        tokens = verified.tokens_by_label(each.puzzle, reveals)
        lines = "\n".join(" ".join(tokens[label] for label in reveal) for reveal in reveals)
        text = verified.plain_text(each.puzzle, reveals)
        questions.append([text, lines, each.trees.decode("latin-1")])
        numbers = "\n".join(map(str, each.proved or ()))
        expected.append("refused" if each.proved is None else numbers)
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(questions))
    script = Path(__file__).with_name("ask.cjs")
    done = subprocess.run(["node", script, built, path], capture_output=True, check=True)
    assert json.loads(done.stdout) == expected


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


@pytest.mark.parametrize("reveals", ["b", "", "a a"])
def test_what_is_not_a_reveal_is_refused(program, reveals, tmp_path):
    (tmp_path / "puzzle").write_text("board\na * *\ncategory a\npiece\n##\n")
    (tmp_path / "trees").write_bytes(b"\0")
    done = subprocess.run(
        [program, "check", tmp_path / "puzzle", tmp_path / "trees"],
        input=f"{reveals}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, bool(done.stderr)) == (2, True), done


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        ("echo 'no proof' >&2; exit 2", CertificateRefused, f"{NAME} refuses it: no proof"),
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
