"""The vectors of docs/reference/certificates.md: each bad one is refused, for its reason."""

from __future__ import annotations

import io

import pytest

from helpers import checkers, vectors
from helpers.certificates import tree_text
from satcal.errors import CertificateRefused
from satcal.proof.check import check

REASONS = {
    "tilings": "reveal a: node 9: 5 tilings are stated, and 4 found",
    "nodes-too-few": "reveal a: node 8: its tree goes on",
    "nodes-too-many": "reveal b: node 13: 14 nodes are stated, and 13 found",
    "marks": "reveal a: node 9: 1 marks are stated, and 0 found",
    "tree-cut-off": "reveal b: node 13: its tree ends too early",
    "tree-goes-on": "reveal b: node 13: its tree is the last one, but more follows",
    "revealed-cell": "reveal b: node 1: number 4 is not open",
    "nothing-of-this-number": "reveal a: node 1: number 13 is not open",
    "two-bytes-for-a-small-number": "reveal a: node 1: a token is not written in the shortest way",
    "number-beyond-14-bits": "reveal a: node 1: a token is not written in the shortest way",
    "token-cut-off": "reveal aa: node 1: its tree ends too early",
    "reveal-twice": "byte 3[0-9]{2}: the line before has not one label of each category, or is",
    "label-of-no-category": "byte 3[0-9]{2}: the line before has not one label of each category",
    "label-missing": "byte 3[0-9]{2}: the line before has not one label of each category",
    "number-with-a-zero-in-front": "byte 3[0-9]{2}: the line before is not of the form reveal",
    "blank-too-many": "byte 3[0-9]{2}: the line before is not of the form reveal",
    "puzzle-blank-at-the-end": "puzzle: line 5: ",
    "puzzle-next-line": r"puzzle: line 5: U\+0085 is not printable",
    "puzzle-tab": r"puzzle: line 5: U\+0009 is not printable",
    "puzzle-copies-zero": "puzzle: piece V has 0 copies, not 1 to 1024",
    "puzzle-piece-twice": "puzzle: no piece, or two of one name",
    "puzzle-in-two-parts": "puzzle: the squares of piece I3 do not hang together",
    "puzzle-empty-column": "puzzle: the drawing of piece I3 begins with an empty row or column",
    "puzzle-length": "puzzle: its text is cut off, or goes on",
    "trees-length": "byte 3[0-9]{2}: the trees do not end where the bytes that are stated end",
    "deflate-bomb": "byte [45][0-9]{2}: the trees are longer than their nodes can be",
    "deflate-damaged": "byte 3[0-9]{2}: damaged compressed data",
    "after-deflate": "byte 3[0-9]{2}: the trees do not end where the bytes that are stated end",
    "piece-with-copies": "node 1: number 4 is not open",
    "piece-used": "node 2: number 4 is not open",
    "areas-differ": "node 0: 1 tilings are stated, and 0 found",
    "areas-differ-and-a-tree": "node 0: 1 nodes are stated, and 0 found",
    "digest": "byte [0-9]+: the line before is not the digest of all bytes before it",
    "after-the-digest": "byte [0-9]+: the file goes on after its digest",
    "no-statement": "byte [0-9]+: the line before is not of the form puzzle BYTES",
    "no-digest": "byte [0-9]+: a line of text should stand here",
    "first-line": "byte 21: the first line is not 'satcal certificate 3'",
    "carriage-return": "byte 22: the first line is not 'satcal certificate 3'",
    "revealed-cell-and-no-tiling": "reveal b: node 1: number 4 is not open",
    "piece-used-and-no-tiling": "node 2: number 3 is not open",
    "name-empty": "puzzle: name has 0 characters, not 1 to 200",
    "name-too-long": "puzzle: name has 201 characters, not 1 to 200",
    "title-too-long": "puzzle: title has 1001 characters, not 0 to 1000",
    "title-of-two-lines": "puzzle: no name, title or source",
    "title-with-a-delete": r"puzzle: line 2: U\+007F is not printable",
    "title-with-a-format-mark": r"puzzle: line 2: U\+200B is not printable",
    "title-with-a-line-separator": r"puzzle: line 2: U\+2028 is not printable",
    "title-missing": "puzzle: no name, title or source",
    "designer-empty": "puzzle: designer has 0 characters, not 1 to 1000",
    "designer-too-long": "puzzle: designer has 1001 characters, not 1 to 1000",
    "source-too-long": "puzzle: source has 1001 characters, not 0 to 1000",
    "board-of-65-columns": "puzzle: the board has more than 64 rows or columns",
    "board-of-65-rows": "puzzle: the board has more than 64 rows or columns",
    "board-of-1025-cells": "puzzle: the board does not have 1 to 1024 cells",
    "board-uneven": "puzzle: line 6: '.  .' should stand where '.' is",
    "board-blank-too-many": "puzzle: line 5: '.' should stand where ' .' is",
    "board-blank-missing": "puzzle: line 6: ' .' should stand where '.' is",
    "board-quotation-mark": "puzzle: line 5: '.* .' should stand where '. .' is",
    "board-empty-column": "puzzle: line 5: 'aa .' should stand where 'aa .  .' is",
    "board-without-rows": "puzzle: the categories do not list each label of the board once, and",
    "board-without-cells": "puzzle: the board does not have 1 to 1024 cells",
    "category-without-a-name": "puzzle: '' is not the name of a category, or it has no label",
    "category-too-long": "puzzle: 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk' is not the name of a",
    "category-reserved": "puzzle: 'date' is not the name of a category, or it has no label",
    "category-twice": "puzzle: line 10: '' should stand where '\"k\" = .\"aa\".' is",
    "category-empty-line": r"puzzle: line 11: '.pieces.' should stand where '' is",
    "label-too-long": "puzzle: label 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is too long, has a",
    "label-with-a-no-break-space": r"puzzle: line 5: U\+00A0 is not printable",
    "label-with-a-comma": "puzzle: label 'a,a' is too long, has a comma, or is on cells that do",
    "label-apart": "puzzle: label 'aa' is too long, has a comma, or is on cells that do",
    "piece-of-65-columns": "puzzle: piece V has more than 64 rows or columns",
    "piece-in-two-parts": "puzzle: the squares of piece V do not hang together",
    "piece-by-its-corners": "puzzle: the squares of piece V do not hang together",
    "piece-by-its-other-corners": "puzzle: the squares of piece V do not hang together",
    "piece-with-a-loose-hook": "puzzle: the squares of piece V do not hang together",
    "piece-uneven": "puzzle: line 12: '.\", copies = 1, flip = true }' should stand where",
    "piece-without-copies": "puzzle: piece V has 0 copies, not 1 to 1024",
    "piece-missing": "puzzle: no piece, or two of one name",
    "piece-named-twice": "puzzle: no piece, or two of one name",
    "piece-of-1025-copies": "puzzle: piece V has 1025 copies, not 1 to 1024",
    "pieces-of-1025-squares": "puzzle: the pieces have more than 1024 squares",
    "puzzle-goes-on": "puzzle: its text is cut off, or goes on",
    "puzzle-ends-without-line-feed": "puzzle: its text is cut off, or goes on",
    "no-line-feed-at-the-end": "byte [0-9]+: a line of text should stand here; the file is",
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
