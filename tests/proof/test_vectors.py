"""The vectors of docs/reference/certificates.md: all checkers say of each what its name says."""

from __future__ import annotations

import pytest

from helpers import checkers
from helpers.certificates import tree_text
from proof import make_vectors
from proof.make_vectors import FOLDER

FILES = sorted(path.name for path in FOLDER.glob("*.satcert"))
WORDS = {"good": "accepted", "bad": "refused", "beyond": "not checked"}


def test_the_files_are_what_the_tool_writes() -> None:
    assert {name: (FOLDER / name).read_bytes() for name in FILES} == make_vectors.files()


def test_the_page_shows_a_file_and_a_tree_whole() -> None:
    page = (checkers.DOCS / "reference" / "certificates.md").read_text(encoding="utf-8")
    for text in (tree_text(make_vectors.three(), ("a",)), make_vectors.three().text):
        shown = "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())
        assert shown in page


@pytest.mark.parametrize("name", FILES)
def test_two_checkers_say_the_same(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    said = checkers.trusted(data)
    assert said.word == WORDS[name.partition("-")[0]]
    assert checkers.stranger(data) == said


@pytest.mark.needs("node")
def test_the_checker_of_the_page_says_the_same() -> None:
    said = checkers.page(FOLDER)
    assert said == {name: checkers.trusted((FOLDER / name).read_bytes()) for name in FILES}
