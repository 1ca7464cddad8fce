"""No false file is accepted: a forger makes many, and all checkers say the same of each."""

import hashlib

import pytest
from hypothesis import given

from helpers import checkers
from helpers.certificates import Reveal
from helpers.forger import certificates, forgeries
from oracle import Piece, Small
from satcal.proof.normal import ParsedPuzzle, digest, parse_normal_form


def is_true(puzzle: ParsedPuzzle, reveal: Reveal, tilings: int) -> bool:
    """Return whether brute force finds as many tilings as are proved."""
    hidden = sum(len(puzzle.labels[label]) for label in reveal)
    area = sum(len(piece.squares) * piece.copies for piece in puzzle.pieces)
    if len(puzzle.cells) - hidden != area:
        return tilings == 0
    return tilings == len(small_of(puzzle).tilings(reveal))


def small_of(puzzle: ParsedPuzzle) -> Small:
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


@given(certificates(), certificates())
def test_a_true_file_is_refused_for_another_puzzle(file, other):
    same = digest(other.text) == digest(file.text)
    for ask in (checkers.trusted, checkers.stranger):
        assert ask(file.written(), file.text).word == "accepted"
        assert (ask(file.written(), other.text).word == "accepted") == same


@pytest.mark.needs("node")
def test_no_false_file_is_accepted_and_three_checkers_agree(tmp_path):
    """The fourth, that of the theorem, judges a sample in tests/theorem/test_checker.py."""
    said: dict[str, checkers.Verdict] = {}

    @given(forgeries(40))
    def attack(files: list[bytes]) -> None:
        for data in files:
            verdict = checkers.trusted(data)
            assert checkers.stranger(data) == verdict
            if verdict.word == "accepted":
                text = data.split(b"\n", 2)[2][: int(data.split(b" ", 4)[3])].decode()
                puzzle = parse_normal_form(text)
                assert all(is_true(puzzle, *row) for row in verdict.tilings.items())
            path = tmp_path / f"{hashlib.sha256(data).hexdigest()}.satcert"
            path.write_bytes(data)
            said[path.name] = verdict

    attack()
    assert checkers.page(tmp_path) == said
    taken = sum(verdict.word == "accepted" for verdict in said.values())
    assert 0 < taken < len(said) / 3  # a true file now and then: a swap of equal trees
