"""The strict reader of the normal form: it reads what satcal's parser reads, or refuses."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from helpers.puzzles import random_small
from satcal.certificates.certify import normal_form
from satcal.errors import CertificateRefused, InputError
from satcal.proof.normal import Written, read, write
from satcal.puzzle.loading import library, load, parse_puzzle
from satcal.puzzle.model import Puzzle

ODD = [" ", "  ", "\t", "\r", "\n", "\x85", "\u2028", "\u00a0", "\u200b", "\x00", "\x7f"]
ODD += ['"', "\\", "\\n", '\\"', "#", ".", "*", ",", "0", "1", "9", "-", "a", "Z", "=", "[", "é"]
QUICK, MANY = 4_000, 200_000


def same(written: Written, puzzle: Puzzle) -> bool:
    """Whether two readers have read the same."""
    pieces = [tuple(piece) for piece in written.pieces]
    return (
        written.about["name"] == puzzle.name
        and written.about["title"] == puzzle.title
        and written.about["source"] == puzzle.source
        and written.about.get("designer", "") == puzzle.designer
        and written.cells == puzzle.cells
        and dict(written.labels) == {name: label.cells for name, label in puzzle.labels.items()}
        and list(written.categories.items()) == list(puzzle.categories.items())
        and pieces == [(p.name, p.shape, p.copies, p.flip) for p in puzzle.drawn]
    )


def texts(seeds: int) -> list[str]:
    """The library in normal form, one with odd labels, and random puzzles."""
    named = [normal_form(load(name)) for name in library()]
    odd = load("a-puzzle-a-day")
    odd = replace(odd, title='a "quoted" \\ title', designer="É. Ü. 見本")
    quoted = normal_form(odd).replace("Jan", 'J\\"').replace("Feb", "\\\\b")
    small = [normal_form(random_small(seed).load()) for seed in range(seeds)]
    return [*named, normal_form(odd), _aligned(quoted), *small]


def _aligned(text: str) -> str:
    """The text with its board as the normal form has it: the edit made some labels shorter."""
    return normal_form(parse_puzzle(text, "odd"))


def test_what_satcal_writes_is_read_as_its_parser_reads_it() -> None:
    for text in texts(300):
        written = read(text)
        assert write(written) == text
        assert same(written, parse_puzzle(text, "normal"))


@pytest.mark.long
def test_2000_random_puzzles_are_read_as_the_parser_reads_them() -> None:
    for text in texts(2000):
        assert same(read(text), parse_puzzle(text, "normal"))


def edited(text: str, rng: random.Random) -> str:
    """A text with one to three characters, or lines, changed."""
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(text) + 1)
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:place] + rng.choice(ODD) + text[place:]
        elif kind == 1:
            text = text[:place] + rng.choice(ODD) + text[place + 1 :]
        elif kind == 2:
            text = text[:place] + text[place + 1 :]
        elif kind == 3:
            text = "\n".join([*lines[:line], lines[line], *lines[line:]])
        elif kind == 4:
            moved = lines.pop(line)
            lines.insert(rng.randrange(len(lines) + 1), moved)
            text = "\n".join(lines)
        else:
            other = rng.randrange(len(text) + 1)
            text = text[:place] + text[other : other + rng.randint(1, 3)] + text[place:]
        if not text:
            break
    return text


def read_alike(rounds: int) -> tuple[int, int]:
    """How many edited texts the reader takes, all as the parser reads them, and refuses."""
    sources, rng = texts(60), random.Random("edits")
    taken = 0
    for _ in range(rounds):
        text = edited(rng.choice(sources), rng)
        try:
            written = read(text)
        except CertificateRefused:
            continue
        taken += 1
        try:
            puzzle = parse_puzzle(text, "edited")
        except InputError as error:
            raise AssertionError(f"the parser refuses {text!r}") from error
        assert same(written, puzzle), text
        assert normal_form(puzzle) == text
    return taken, rounds - taken


def test_an_edited_text_is_refused_or_read_as_the_parser_reads_it() -> None:
    taken, refused = read_alike(QUICK)
    assert taken > QUICK / 100 and refused > QUICK / 2


@pytest.mark.long
def test_200000_edited_texts_are_refused_or_read_as_the_parser_reads_them() -> None:
    read_alike(MANY)


@pytest.mark.parametrize("place", [0, 1, 2, 5, 40, 200, 400])
def test_a_text_that_is_cut_off_is_refused(place: int) -> None:
    text = normal_form(load("a-puzzle-a-day"))
    with pytest.raises(CertificateRefused, match=r"^puzzle: "):
        read(text[:place])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('title = "', 'title = "' + 1001 * "x", "title has 10[0-9]+ characters, not 0 to 1000"),
        ('source = "', 'sauce = "', "name, title or source is missing"),
        ('"Jan"', '"Jan", "Jan"', "each label of the board once"),
        ('"Jan", ', "", "each label of the board once"),
        ('"month"', '"date"', "'date' is not a valid category name"),
        ('"month"', '"day"', "each label of the board once|line "),
        ('name = "', 'designer = ""\nname = "', "designer has 0 characters|line 1: "),
        ('name = "', 'name = "\n', "name has 0 characters|name"),
        ("copies = 1", "copies = 1025", "has 1025 copies, not 1 to 1024"),
        ("Jan ", "1   ", "each label of the board once"),
    ],
)
def test_each_rule_refuses(old: str, new: str, reason: str) -> None:
    text = normal_form(load("a-puzzle-a-day"))
    assert old in text
    with pytest.raises(CertificateRefused, match=reason):
        read(text.replace(old, new, 1))
