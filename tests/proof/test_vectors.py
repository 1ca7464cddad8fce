"""The vectors of docs/reference/certificates.md: each bad one is refused, for its reason."""

from __future__ import annotations

import io

import pytest

from helpers import checkers, vectors
from helpers.certificates import tree_text
from satcal.errors import CertificateRefused
from satcal.proof.check import check

REASONS = {
    "tilings": "reveal a: node 9: 5 tilings stated, but 4 found",
    "nodes-too-few": "reveal a: node 8: its tree has more nodes than stated",
    "nodes-too-many": "reveal b: node 13: 14 nodes stated, but 13 found",
    "marks": "reveal a: node 9: 1 marks stated, but 0 found",
    "tree-cut-off": "reveal b: node 13: its tree ends too early",
    "tree-goes-on": "reveal b: node 13: there is more data after the last tree",
    "revealed-cell": "reveal b: node 1: number 4 is not an undecided cell or piece",
    "nothing-of-this-number": "reveal a: node 1: number 13 is not an undecided cell or piece",
    "two-bytes-for-a-small-number": "reveal a: node 1: a token is too large, or not in its",
    "number-beyond-14-bits": "reveal a: node 1: a token is too large, or not in its",
    "token-cut-off": "reveal aa: node 1: its tree ends too early",
    "reveal-twice": "byte 3[0-9]{2}: the line before does not have exactly one label of",
    "label-of-no-category": "byte 3[0-9]{2}: the line before does not have exactly one label of",
    "label-missing": "byte 3[0-9]{2}: the line before does not have exactly one label of",
    "number-with-a-zero-in-front": "byte 3[0-9]{2}: the line before is not of the form reveal",
    "blank-too-many": "byte 3[0-9]{2}: the line before is not of the form reveal",
    "puzzle-blank-at-the-end": "puzzle: line 5: ",
    "puzzle-next-line": r"puzzle: line 5: U\+0085 is not printable",
    "puzzle-tab": r"puzzle: line 5: U\+0009 is not printable",
    "puzzle-copies-zero": "puzzle: piece V has 0 copies, not 1 to 1024",
    "puzzle-piece-twice": "puzzle: there are no pieces, or two have the same name",
    "puzzle-in-two-parts": "puzzle: the squares of piece I3 are not joined edge to edge",
    "puzzle-empty-column": "puzzle: the drawing of piece I3 begins with an empty row or column",
    "puzzle-length": "puzzle: the text is too short or too long",
    "trees-length": "byte 3[0-9]{2}: the trees do not take exactly the number of bytes stated",
    "deflate-bomb": "byte [45][0-9]{2}: the trees are too long for the number of nodes stated",
    "deflate-damaged": "byte 3[0-9]{2}: damaged compressed data",
    "after-deflate": "byte 3[0-9]{2}: the trees do not take exactly the number of bytes stated",
    "piece-with-copies": "node 1: number 4 is not an undecided cell or piece",
    "piece-used": "node 2: number 4 is not an undecided cell or piece",
    "areas-differ": "node 0: 1 tilings stated, but 0 found",
    "areas-differ-and-a-tree": "node 0: 1 nodes stated, but 0 found",
    "digest": "byte [0-9]+: the line before is not the digest of all bytes before it",
    "after-the-digest": "byte [0-9]+: there is more data after the digest",
    "no-statement": "byte [0-9]+: the line before is not of the form puzzle BYTES",
    "no-digest": "byte [0-9]+: expected a line of text",
    "first-line": "byte 21: the first line is not 'satcal certificate 3'",
    "carriage-return": "byte 22: the first line is not 'satcal certificate 3'",
    "revealed-cell-and-no-tiling": "reveal b: node 1: number 4 is not an undecided cell or piece",
    "piece-used-and-no-tiling": "node 2: number 3 is not an undecided cell or piece",
    "name-empty": "puzzle: name has 0 characters, not 1 to 200",
    "name-too-long": "puzzle: name has 201 characters, not 1 to 200",
    "title-too-long": "puzzle: title has 1001 characters, not 0 to 1000",
    "title-of-two-lines": "puzzle: name, title or source is missing",
    "title-with-a-delete": r"puzzle: line 2: U\+007F is not printable",
    "title-with-a-format-mark": r"puzzle: line 2: U\+200B is not printable",
    "title-with-a-line-separator": r"puzzle: line 2: U\+2028 is not printable",
    "title-missing": "puzzle: name, title or source is missing",
    "designer-empty": "puzzle: designer has 0 characters, not 1 to 1000",
    "designer-too-long": "puzzle: designer has 1001 characters, not 1 to 1000",
    "source-too-long": "puzzle: source has 1001 characters, not 0 to 1000",
    "board-of-65-columns": "puzzle: the board has more than 64 rows or columns",
    "board-of-65-rows": "puzzle: the board has more than 64 rows or columns",
    "board-of-1025-cells": "puzzle: the board does not have 1 to 1024 cells",
    "board-uneven": "puzzle: line 6: expected '.  .', found '.'",
    "board-blank-too-many": "puzzle: line 5: expected '.', found ' .'",
    "board-blank-missing": "puzzle: line 6: expected ' .', found '.'",
    "board-quotation-mark": "puzzle: line 5: expected '.* .', found '. .'",
    "board-empty-column": "puzzle: line 5: expected 'aa .', found 'aa .  .'",
    "board-without-rows": "puzzle: the categories do not list each label of the board once, and",
    "board-without-cells": "puzzle: the board does not have 1 to 1024 cells",
    "category-without-a-name": "puzzle: '' is not a valid category name, or the category has",
    "category-too-long": "puzzle: 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk' is not a valid category",
    "category-reserved": "puzzle: 'date' is not a valid category name, or the category has",
    "category-twice": "puzzle: line 10: expected '', found '\"k\" = .\"aa\".'",
    "category-empty-line": r"puzzle: line 11: expected '.pieces.', found ''",
    "label-too-long": "puzzle: label 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is too long, has a",
    "label-with-a-no-break-space": r"puzzle: line 5: U\+00A0 is not printable",
    "label-with-a-comma": "puzzle: label 'a,a' is too long, has a comma, or is on cells that do",
    "label-apart": "puzzle: label 'aa' is too long, has a comma, or is on cells that do",
    "piece-of-65-columns": "puzzle: piece V has more than 64 rows or columns",
    "piece-in-two-parts": "puzzle: the squares of piece V are not joined edge to edge",
    "piece-by-its-corners": "puzzle: the squares of piece V are not joined edge to edge",
    "piece-by-its-other-corners": "puzzle: the squares of piece V are not joined edge to edge",
    "piece-with-a-loose-hook": "puzzle: the squares of piece V are not joined edge to edge",
    "piece-uneven": "puzzle: line 12: expected '.\", copies = 1, flip = true }', found",
    "piece-without-copies": "puzzle: piece V has 0 copies, not 1 to 1024",
    "piece-missing": "puzzle: there are no pieces, or two have the same name",
    "piece-named-twice": "puzzle: there are no pieces, or two have the same name",
    "piece-of-1025-copies": "puzzle: piece V has 1025 copies, not 1 to 1024",
    "pieces-of-1025-squares": "puzzle: the pieces have more than 1024 squares",
    "puzzle-goes-on": "puzzle: the text is too short or too long",
    "puzzle-ends-without-line-feed": "puzzle: the text is too short or too long",
    "no-line-feed-at-the-end": "byte [0-9]+: expected a line of text; the file is",
    "line-not-utf-8": "byte [0-9]+: the line before is not UTF-8 text",
    "puzzle-not-utf-8": "byte [0-9]+: the puzzle before is not UTF-8 text: invalid start byte",
}


def test_the_files_are_what_the_script_writes() -> None:
    kept = {path.name: path.read_bytes() for path in vectors.FOLDER.glob("*.satcert")}
    assert kept == vectors.files()


def test_the_docs_show_a_tree_whole() -> None:
    lines = tree_text(vectors.three()).split("\n")
    assert "".join(f"    {line}\n" for line in lines) in checkers.DOCS.joinpath(
        "reference/certificates.md"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "data"), vectors.good().items())
def test_a_good_file_is_accepted(name: str, data: bytes) -> None:
    proved = [
        (statement.puzzle.about["name"], tree.reveal, tree.tilings)
        for statement in check(io.BytesIO(data))
        for tree in statement.stated
    ]
    assert proved == checkers.accepts(data)
    assert (("three", ("a",), 4) in proved) == (name in ("three", "several"))


@pytest.mark.parametrize(("name", "data"), vectors.bad().items())
def test_a_bad_file_is_refused_for_its_reason(name: str, data: bytes) -> None:
    with pytest.raises(CertificateRefused, match=f"^{REASONS[name]}"):
        check(io.BytesIO(data))
    assert checkers.accepts(data) is None
