"""The vectors of docs/reference/certificates.md: all checkers say of each what its name says."""

import io
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from helpers import checkers
from helpers.certificates import bits, taken_apart
from satcal.certificates.checking import check as certificate_report
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof import board
from satcal.proof import check as checking
from satcal.proof.board import Board
from satcal.proof.check import Certificate, check

FOLDER = Path(__file__).parent / "vectors"
FILES = sorted(path.stem for path in FOLDER.glob("*.satcert"))
TABLE = (FOLDER.parent / "reasons.tsv").read_text(encoding="ascii").splitlines()
"""What each checker says (satcal's, docs/check.py, the page's), and the bad files so refused."""
REASONS = {
    f"bad-{name}": reasons
    for *reasons, names in (line.split("\t") for line in TABLE)
    for name in names.split()
}
ISOLATES = "\u2068\u2069"
WORDS = {"good": "accepted", "bad": "refused", "beyond": "not checked"}


def vector(name: str) -> bytes:
    """Return a file."""
    return (FOLDER / f"{name}.satcert").read_bytes()


def draw_tree(
    board: Board, tokens: Iterator[int], state: int, fits: int, head: str = "root", depth: int = 0
) -> Iterator[str]:
    """Yield a line for each node and tiling: what it names, its token, the placement above it."""
    cells = ["r{}c{}".format(*cell) for cell in board.puzzle.cells]
    names = [piece.name for piece in board.puzzle.pieces]  # each has one copy
    if not state & board.cells:
        yield f"{'  ' * depth}{head}: a tiling"
        return
    token = next(tokens)
    item = bits(state)[0] + token // 2
    children = bits(fits & board.placements_of_item[item])
    dead = "" if children else ", dead"
    yield f"{'  ' * depth}{head}: {[*cells, *names][item]}{dead} ({token:02x})"
    for child in children:
        covered = ",".join(cells[n] for n in bits(board.decrements[child] & board.cells))
        placement = f"{names[board.kind_of[child]]}:{covered}"
        yield from draw_tree(board, tokens, *board.after(state, fits, child), placement, depth + 1)


def test_the_page_shows_a_file_and_a_tree_whole():
    page = (checkers.DOCS / "reference" / "certificates.md").read_text(encoding="utf-8")
    file = taken_apart(vector("good-three"))
    assert file.board
    tree = "\n".join(draw_tree(file.board, iter(file.groups[0].tokens), *file.board.begin(("a",))))
    for text in (tree, file.text):
        shown = "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())
        assert shown in page


@pytest.mark.parametrize("name", FILES)
def test_two_checkers_say_the_same(name):
    data = vector(name)
    trusted, stranger = checkers.trusted(data), checkers.stranger(data)
    assert trusted.word == WORDS[name.partition("-")[0]]
    assert stranger == trusted
    for verdict, reason in zip((trusted, stranger), REASONS.get(name, ()), strict=False):
        assert reason in verdict.reason


def test_every_bad_file_has_the_reasons_of_its_rule():
    assert REASONS.keys() == {name for name in FILES if name.startswith("bad-")}


# --- what a report draws ---


def drawn(name: str) -> list[str]:
    """Return what docs/check.py prints of a good file, which it calls x."""
    return list(checkers.CHECK.report("x", None, *checkers.CHECK.check(io.BytesIO(vector(name)))))


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("good-")])
def test_no_line_of_a_file_is_drawn_like_a_verdict(name):
    """On a screen of 80 columns, what does not begin with the mark begins with a digest."""
    head, *lines = drawn(name)
    digest = checkers.trusted(vector(name)).digest[:32]
    assert head == f"'x': accepted; puzzle {digest}, drawn:"
    report = list(
        certificate_report(vector(name)).lines()
    )  # what satcal prints below its first line
    for line in [*lines, *report]:
        assert sum(1 + (character > "~") for character in line if character not in ISOLATES) <= 76
        assert line.startswith(("| ", f"puzzle {digest}: ")) or line == report[-1]


@pytest.mark.needs("node")
def test_the_checker_of_the_page_says_and_draws_the_same():
    verdicts = checkers.page(FOLDER)
    assert verdicts == {f"{name}.satcert": checkers.trusted(vector(name)) for name in FILES}
    for name in FILES:
        verdict = verdicts[f"{name}.satcert"]
        head, *lines = verdict.lines
        if verdict.word == "accepted":
            assert [f"'x': {head}", *lines] == drawn(name)
        else:
            assert (head, lines) == (f"{verdict.word}: {verdict.reason}", [])
    for name, (_, _, reason) in REASONS.items():
        assert reason in verdicts[f"{name}.satcert"].reason, name


# --- what refuses is looked at where others would refuse later ---


def test_a_bomb_is_not_inflated_to_its_end(monkeypatch):
    inflater = mock.Mock(eof=False)
    inflater.decompress.side_effect = lambda block, most: bytes(most)
    monkeypatch.setattr("zlib.decompressobj", lambda bits: inflater)
    with pytest.raises(CertificateRefused, match="too long"):
        next(Certificate(io.BytesIO(vector("bad-deflate-bomb"))).groups())
    assert inflater.decompress.call_args.args[1] == 2 * 22 + 1


def test_what_follows_a_deflate_stream_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(checking, "BLOCK", 1)
    data = vector("bad-after-deflate-more-than-a-block")
    position = checkers.trusted(data).reason.removeprefix("byte ").partition(":")[0]
    assert int(position) < len(data) - 60_000


@pytest.mark.parametrize("seekable", [True, False])
@pytest.mark.parametrize(
    ("run", "refusal"), [(check, TooLarge), (checkers.CHECK.check, checkers.CHECK.Stop)]
)
def test_nothing_is_read_of_a_file_that_is_too_large(run, refusal, seekable, monkeypatch):
    data = vector("good-three")
    stream = mock.Mock(wraps=io.BytesIO(data))
    stream.seekable.return_value = seekable
    monkeypatch.setattr(checking, "MAX_FILE", len(data) - 1)
    monkeypatch.setitem(checkers.CHECK.BOUNDS, "file", len(data) - 1)
    with pytest.raises(refusal, match=r"file|bytes"):
        run(stream)
    assert bool(stream.readline.called) != seekable
    monkeypatch.setattr(checking, "MAX_FILE", len(data))
    monkeypatch.setitem(checkers.CHECK.BOUNDS, "file", len(data))
    run(io.BytesIO(data))


@pytest.mark.needs("node")
def test_the_page_asks_for_the_puzzle_of_its_reader_and_reads_no_file_that_is_too_large():
    digest = checkers.trusted(vector("good-three")).digest
    accepted, another, large = checkers.ask_page("wanted", FOLDER / "good-three.satcert", digest)
    assert accepted == [
        f"accepted; puzzle {digest[:32]}, that of mine",
        'mine: "a": exactly 4 tilings',
        'mine: "b": exactly 8 tilings',
    ]
    assert another == ["refused: it is about another puzzle"]
    assert large == ["not checked: file: 268435457; at most 268435456 are checked"]


@pytest.mark.parametrize(
    ("name", "word"), [("good-three", "accepted"), ("bad-after-deflate", "refused")]
)
def test_a_deflate_stream_may_end_with_a_block(name, word, monkeypatch):
    monkeypatch.setattr(checking, "BLOCK", 1)
    assert checkers.trusted(vector(name)).word == word


@pytest.mark.parametrize("bound", ["MAX_PLACEMENTS", "MAX_PLACED"])
def test_exactly_as_many_placements_as_allowed_are_checked(bound, monkeypatch):
    whole = Certificate(io.BytesIO(vector("good-three"))).board
    puzzle, number = whole.puzzle, len(whole.kind_of)
    squares = sum((used & whole.cells).bit_count() for used in whole.decrements)
    most = number if bound == "MAX_PLACEMENTS" else squares
    monkeypatch.setattr(board, bound, most)
    assert len(Board(puzzle).kind_of) == number
    monkeypatch.setattr(board, bound, most - 1)
    with pytest.raises(TooLarge):
        Board(puzzle)


def test_the_nodes_and_the_work_of_all_groups_are_summed():
    steps = []
    data = vector("good-two-groups")
    proved = check(io.BytesIO(data), step=lambda *step: steps.append(step))
    groups = list(Certificate(io.BytesIO(data)).groups())
    assert proved.nodes == sum(group.nodes for group in groups)
    work = sum(group.work for group in groups)
    assert steps == [(groups[0].work, work), (work, work)]
