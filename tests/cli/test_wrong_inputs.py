"""What users get wrong: exit code, and that the message names thing, place and way out.

Each row of wrong-inputs.tsv is run; the texts of its last column must be in the message.
"""

import shlex
from pathlib import Path

import pytest

from helpers.puzzles import TWO_EACH, Small, domino_rectangle
from satcal.store.location import Location
from satcal.store.results import Store

_, *LINES = Path(__file__).with_name("wrong-inputs.tsv").read_text().splitlines()
ROWS = [line.split("\t") for line in LINES]  # exit code, command, what is wrong, what is named

SMALL = TWO_EACH.text()
PIECE = r"##\n#."
LABELS = tuple(tuple(f"x{row}y{column}" for column in range(20)) for row in range(15))


def changed(old, new):
    assert old in SMALL
    return SMALL.replace(old, new)


FILES = {
    "small.toml": SMALL,
    "empty.toml": "",
    "binary.toml": b"\x89PNG\r\n\x1a\n\0\0",
    "latin.toml": changed("small", "caf\xe9").encode("latin-1"),
    "utf16.toml": SMALL.encode("utf-16"),
    "large.toml": "#" * 300_000,
    "cut.toml.gz": b"\x1f\x8b\x08\0\0\0\0\0",
    "brackets.toml": changed("[pieces]", "[pieces"),
    "twice.toml": SMALL + 'I = "##"\n',
    "key.toml": changed("board =", "bord ="),
    "list.toml": changed('"""\na b *\n* * *\n"""', "[1, 2]"),
    "no-board.toml": changed('"""\na b *\n* * *\n"""', '""'),
    "dots.toml": changed("a b *\n* * *", ". . .\n. . ."),
    "ragged.toml": changed("* * *", "* *"),
    "unknown.toml": changed("a b *", "a c *"),
    "typo.toml": changed("a b *", "a B *"),
    "apart.toml": changed("* * *", "* * b"),
    "nowhere.toml": changed("a b *", "a a *"),
    "same.toml": changed("['a', 'b']", "['a', 'b', 'a']"),
    "text.toml": changed("['a', 'b']", "'ab'"),
    "number.toml": changed("['a', 'b']", "[1, 2]"),
    "reserved.toml": changed("letter =", "tilings ="),
    "no-pieces.toml": SMALL.partition("[pieces]")[0],
    "diagonal.toml": changed(PIECE, "#.\\n.#"),
    "no-square.toml": changed(PIECE, "..\\n.."),
    "cross.toml": changed(PIECE, "##\\n#x"),
    "area.toml": changed(PIECE, "##\\n##"),
    "larger.toml": changed(PIECE, "#####"),
    "name.toml": changed("V =", "VV ="),
    "shape.toml": changed(f'"{PIECE}"', "3"),
    "copies.toml": changed("copies = 1", "copies = 0"),
    "many.toml": changed("copies = 1", "copies = 99999999"),
    "flip.toml": 'flip = "Q"\n' + SMALL,
    "calendar.toml": SMALL + '[calendar]\nmonth = "letter"\n',
    "control.toml": changed('"small"', '"s\\u001b[2Jm"'),
    "lines.toml": changed('"small"', '"s\\nm"'),
    "right-to-left.toml": changed('"small"', '"s\\u202em"'),
    "labels.toml": Small(LABELS, {"x": sum(LABELS, ())}, (("I", ("##",), 1, True),)).text(),
    "hundred.toml": domino_rectangle(100, 100).text(),
    "long.toml": changed("* * *", "* " * 100_000),
    "digits.toml": changed('"small"', "9" * 5000),
    "deep.toml": "a = " + "[" * 3000 + "]" * 3000,
    "grid.txt": "_ _ _ _\n",
    "rows.txt": "_ _ _\n_ _\n",
    "answer.txt": "s SATISFIABLE\nv 1 2 0\n",
    "nothing.txt": "hello\n",
    "silent.txt": "",
    "unsat.txt": "s UNSATISFIABLE\n",
    "results.csv": "puzzle,tilings\nx,1\n",
    "results.json": "[1, 2\n",
    "foreign.db": "something else",
    "claims.toml": "[[claim]]\n",
    "x.satcert": b"no certificate",
    "there.svg": "mine",
    "there.cnf": "mine",
    "there.csv": "mine",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("wrong")
    for name, data in FILES.items():
        (here / name).write_bytes(data.encode() if isinstance(data, str) else data)
    Store(Location(here / "new.db")).close()
    return here


def contents(folder):
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.startswith("new.db")  # SQLite's
    }


def answered(satcal, folder, monkeypatch, command):
    """The answer to a wrong command, and its message in one line; no file has changed."""
    monkeypatch.chdir(folder)
    before = contents(folder)
    said = satcal(*shlex.split(command))
    lines = [line for line in said.err.splitlines() if not line.startswith(("Usage:", "Try '"))]
    assert all(line.isprintable() for line in said.err.splitlines())
    assert not said.out or "satcal: error" not in said.err
    elsewhere = said.err.replace(f"no such file in {folder}", "")  # says where it looked
    for never in ("Traceback", "internal error", str(folder), "Errno"):
        assert never not in elsewhere
    assert contents(folder) == before
    return said, " ".join((" ".join(lines) or said.out).split())


@pytest.mark.parametrize(("code", "command", "what", "named"), ROWS, ids=[row[1] for row in ROWS])
def test_a_message_names_what_is_wrong_where_and_what_to_do(
    satcal, folder, monkeypatch, code, command, what, named
):
    said, message = answered(satcal, folder, monkeypatch, command)
    assert said.code == int(code), said
    assert [text for text in named.split(" ¦ ") if text not in message] == [], message
