"""What users get wrong: every line of docs/wrong-inputs.md, written by running it.

``SATCAL_WRITE_DOCS=1 pytest tests/cli/test_wrong_inputs.py`` writes the table anew.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from satcal.store.location import Location
from satcal.store.results import Store

WRITE = bool(os.environ.get("SATCAL_WRITE_DOCS"))
ANEW = "write it anew: SATCAL_WRITE_DOCS=1 pytest tests/cli/test_wrong_inputs.py"
DOCS = Path(__file__).parents[2] / "docs" / "wrong-inputs.md"
HEAD = """# Wrong inputs

What satcal says to a wrong input, and its exit code: 2 where the input is wrong, 1 where there is
no tiling, 3 where it stopped before the end, 4 where something is missing. The table is written by
the tests that run each line; the files are those of
[tests/cli/test_wrong_inputs.py](../tests/cli/test_wrong_inputs.py).

| command | what is wrong | message | exit |
|---|---|---|---|
"""

SMALL = '''name = "small"
board = """
a b *
* * *
"""
[categories]
letter = ["a", "b"]
[pieces]
I = """
##
"""
V = """
##
#.
"""
'''


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new)


FILES: dict[str, str | bytes] = {
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
    "same.toml": changed('["a", "b"]', '["a", "b", "a"]'),
    "text.toml": changed('["a", "b"]', '"ab"'),
    "number.toml": changed('["a", "b"]', "[1, 2]"),
    "reserved.toml": changed("letter =", "tilings ="),
    "no-pieces.toml": SMALL.partition("[pieces]")[0],
    "diagonal.toml": changed("##\n#.", "#.\n.#"),
    "no-square.toml": changed("##\n#.", "..\n.."),
    "cross.toml": changed("##\n#.", "##\n#x"),
    "area.toml": changed("##\n#.", "##\n##"),
    "larger.toml": changed("##\n#.", "#####"),
    "name.toml": changed("V =", "VV ="),
    "shape.toml": changed('V = """\n##\n#.\n"""', "V = 3"),
    "copies.toml": changed('V = """\n##\n#.\n"""', 'V = { shape = "##", copies = 0 }'),
    "many.toml": changed('V = """\n##\n#.\n"""', 'V = { shape = "##", copies = 99999999 }'),
    "flip.toml": 'flip = "Q"\n' + SMALL,
    "calendar.toml": SMALL + '[calendar]\nmonth = "letter"\n',
    "control.toml": changed('"small"', '"s\\u001b[2Jm"'),
    "lines.toml": changed('"small"', '"s\\nm"'),
    "right-to-left.toml": changed('"small"', '"s\\u202em"'),
    "labels.toml": 'name = "l"\nboard = """\n'
    + "\n".join(" ".join(f"x{row}y{n}" for n in range(20)) for row in range(15))
    + '\n"""\n[categories]\nx = ['
    + ", ".join(f'"x{row}y{n}"' for row in range(15) for n in range(20))
    + ']\n[pieces]\nI = "##"\n',
    "hundred.toml": 'name = "h"\nboard = """\n' + ("* " * 100 + "\n") * 100 + '"""\n[pieces]\n'
    'I = { shape = "##", copies = 5000 }\n',
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
    "theme.toml": 'backgruond = "#fff"\n',
    "claims.toml": "[[claim]]\n",
    "x.satcert": b"no certificate",
    "there.svg": "mine",
    "there.cnf": "mine",
    "there.csv": "mine",
}  # fmt: skip

BOARD = "show --board"
CASES = [
    # commands and options
    ("cuont", "no such command"),
    ("count --bord rhombus", "no such option"),
    ("count --board", "an option without its value"),
    ("count rhombus", "an argument that belongs to no option"),
    ("count --method sat2", "no such method"),
    ("count --jobs 0", "no process"),
    ("count --jobs many", "no number"),
    ("count --time-limit soon", "no number"),
    ("count --time-limit -1", "a limit below 0"),
    ("count --memory-limit lots", "no size"),
    ("count --verify some", "no number"),
    ("count --verify -1", "a number below 0"),
    ("count --format xml", "no such format"),
    ("count --cubes 0", "cubes of no tiling"),
    ("count --method sat --cubes 5 --place N@r0c0", "cubes of a board that is filled in part"),
    ("count --up-to-symmetry --place N@r0c0", "a board that turns with what is placed"),
    ("count --method sat --encoding plane", "no such encoding"),
    ("count --method sat --solver cadical", "no such solver"),
    ("count --method sat --solver kissat404", "a solver that cannot go on"),
    ("count --method sat --solver cadical195 --conflicts 9", "a solver without a budget"),
    ("count --method sat --encoding native --solver glucose4", "a solver without such clauses"),
    ("count --method sat --cluster foo", "no address"),
    ("count --method sat --cluster tcp://127.0.0.1:1", "nobody listens there"),
    ("count --fresh --store none", "afresh without a store"),
    ("verify --methods sat", "nothing to compare with"),
    ("verify --methods sat,cat", "no such method"),
    ("verify --method sat", "one method where two are compared"),
    ("solve --random --all", "options that exclude each other"),
    ("solve --limit 0", "no tiling"),
    ("solve --format csv", "no such format"),
    ("cross-check --with nobody", "no such program"),
    ("cross-check --with ,", "no program"),
    ("cross-check --golden nowhere", "no such folder"),
    ("cross-check --golden . --date 2025-12-25", "golden files have their own dates"),
    ("survey --limit -1", "a number below 0"),
    ("serve --port 99999", "no port"),
    # boards
    ("count --board rombus", "a typing mistake"),
    ("count --board no/such.toml", "no such file"),
    ("count --board .", "a folder"),
    ("count --board /dev/null", "a device"),
    ("count --board /dev/zero", "an endless device"),
    ("count --pieces nothing", "no such pieces"),
    ("count --pieces rhombus", "pieces of another area"),
    ("count --flip Q", "no such piece"),
    ("show rhombus --board weekday", "two boards"),
    *[
        (f"{BOARD} {name}", what)
        for name, what in {
            "empty.toml": "an empty file",
            "binary.toml": "a picture",
            "latin.toml": "a file that is not UTF-8",
            "utf16.toml": "a file that is not UTF-8",
            "large.toml": "a file that is too large",
            "cut.toml.gz": "a compressed file that was cut off",
            "brackets.toml": "no TOML",
            "twice.toml": "a piece twice",
            "key.toml": "a key with a typing mistake",
            "list.toml": "a board that is no drawing",
            "no-board.toml": "a board of no row",
            "dots.toml": "a board of no cell",
            "ragged.toml": "rows of different lengths",
            "unknown.toml": "a label of no category",
            "typo.toml": "a label in another case",
            "apart.toml": "a label at two places",
            "nowhere.toml": "a label without a cell",
            "same.toml": "a label twice",
            "text.toml": "labels that are no list",
            "number.toml": "labels that are no text",
            "reserved.toml": "a category with the name of a column",
            "no-pieces.toml": "no pieces",
            "diagonal.toml": "a piece that falls apart",
            "no-square.toml": "a piece of no square",
            "cross.toml": "another character in a piece",
            "area.toml": "pieces that are too large together",
            "larger.toml": "a piece larger than the board",
            "name.toml": "a piece's name",
            "shape.toml": "a piece that is no drawing",
            "copies.toml": "no copy of a piece",
            "many.toml": "too many copies of a piece",
            "flip.toml": "no such piece to turn over",
            "calendar.toml": "a calendar that is none",
            "control.toml": "a control character in a name",
            "lines.toml": "a line break in a name",
            "right-to-left.toml": "a name that turns the text around",
            "labels.toml": "300 labels, one piece",
            "long.toml": "100,000 cells in a row",
            "digits.toml": "a number of 5,000 digits",
            "deep.toml": "3,000 nested lists",
        }.items()
    ],
    ("count -b hundred.toml", "10,000 cells"),
    ("draw -b hundred.toml", "10,000 cells"),
    ("survey -b hundred.toml", "10,000 cells"),
    # dates
    ("count --date 2025-02-29", "no such day"),
    ("count --date 25.12.2025", "a date of another form"),
    ("count --date 2025-13-01", "no such month"),
    ("count --date 0000-01-01", "no such year"),
    ("count --month 2025-13", "no such month"),
    ("count --year 0", "no such year"),
    ("count --year 10000", "no such year"),
    ("count --year last", "no number"),
    ("count --from 2025-01-01", "a range without an end"),
    ("count --from 2025-02-01 --to 2025-01-01", "a range that ends before it starts"),
    ("count --year 2025 --all-dates", "two ranges"),
    ("count --reveal Oct", "a category without a label"),
    ("count --reveal Oct,6,7", "a category with two labels"),
    ("count --reveal Okt,6", "no such label"),
    ("count --reveal ,", "no label"),
    ("count -b pentomino-6x10 --year 2025", "a board without dates"),
    ("count -b small.toml", "today on a board without dates"),
    ("draw --what sheet --year 2025", "a sheet of many dates"),
    # what is placed
    ("solve --place Q@r0c0", "no such piece"),
    ("solve --place N@c0r0", "no cell"),
    ("solve --place N@r0c6", "a cell off the board"),
    ("solve --place N:r0c0,r0c1", "cells that are no such piece"),
    ("solve --date 2025-12-25 --place N@r1c5", "on the date itself"),
    ("solve --place N@r0c0 --place P@r0c0", "two pieces on a cell"),
    ("solve --place @nowhere.txt", "no such file"),
    ("solve --place @silent.txt", "an empty file"),
    ("solve -b small.toml --reveal a --place @grid.txt", "a drawing with too few rows"),
    ("solve -b small.toml --reveal a --place @rows.txt", "a row that is too short"),
    ("solve --place hello", "neither a placement nor a drawing"),
    ("hint --year 2025", "a hint for many dates"),
    (
        "hint --reveal Oct,6 --place O:r0c0,r0c1,r0c2,r1c0,r1c1,r1c2",
        "a board that cannot be solved",
    ),
    # files out
    ("draw -o there.svg", "a file that exists"),
    ("stats -o there.csv --reveal Oct,6", "a file that exists"),
    ("export -o there.cnf", "a file that exists"),
    ("draw -o nowhere/a.svg", "no such folder"),
    ("stats -o nowhere/a.csv", "no such folder"),
    ("animate -o nowhere/a.gif", "no such folder"),
    ("export -o nowhere/x.cnf", "no such folder"),
    ("export -o x.cnf.zip", "another compression"),
    ("export --year 2025", "many formulas on standard output"),
    ("export --format xml", "no such format"),
    ("export --format opb --encoding plain", "an encoding where there are no clauses"),
    ("export --open --date 2025-12-25", "a date of the formula of all dates"),
    ("export -o /dev/full", "a full device"),
    ("draw -o a.bmp", "another kind of picture"),
    ("draw -o a.svg --theme lihgt", "no such theme"),
    ("draw -o a.svg --theme theme.toml", "a theme with a typing mistake"),
    ("draw -o a.png --size 0", "a picture of no size"),
    ("draw --laser -o a.png", "cut lines in pixels"),
    ("draw --laser --cell -1", "a cell of no size"),
    ("stats --what weekday -o a.csv", "a board without weekdays"),
    ("stats -o a.xls", "another kind of table"),
    ("animate -o a.mp4", "another kind of film"),
    ("animate -o a.gif --frames 0", "a film of no picture"),
    ("browse", "no terminal"),
    # files in
    ("decode answer.txt", "an answer that is not whole"),
    ("decode nothing.txt", "no answer of a solver"),
    ("decode silent.txt", "an empty answer"),
    ("decode unsat.txt", "an answer that there is none"),
    ("decode nowhere.txt", "no such file"),
    ("decode --year 2025 answer.txt", "one answer for many dates"),
    ("claims missing.toml", "no such file"),
    ("claims claims.toml", "a claim that says nothing"),
    ("check x.satcert", "no certificate"),
    ("check nowhere.satcert", "no such file"),
    # stores
    ("store info --store typo.db", "no such store"),
    ("store info --store foreign.db", "a file of another program"),
    ("store info --store .", "a folder"),
    ("store info --store none", "no store to look at"),
    ("store info --store mysql://x/y", "another database"),
    ("store info --store postgresql://127.0.0.1:1/x", "a server that is not there"),
    ("count --method sat --store no/such/x.db", "no such folder"),
    ("store import results.csv --store new.db", "other columns"),
    ("store import results.json --store new.db", "no JSON"),
    ("store import nowhere.csv --store new.db", "no such file"),
    ("store prune --store new.db", "everything at once"),
    ("store export --store new.db -o there.csv", "a file that exists"),
    ("store list --store new.db --reveal Oct,6 --board x --digest y", "two puzzles"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("wrong")
    for name, data in FILES.items():
        (here / name).write_bytes(data.encode() if isinstance(data, str) else data)
    Store(Location(here / "new.db")).close()
    return here


TOLD: dict[str, str] = {}


@pytest.mark.parametrize(("command", "what"), CASES)
def test_a_wrong_input_is_told_what_is_wrong(satcal, folder, monkeypatch, command, what):
    monkeypatch.chdir(folder)
    before = set(folder.iterdir())
    said = satcal(*shlex.split(command))
    lines = [line for line in said.err.splitlines() if not line.startswith(("Usage:", "Try '"))]
    message = " ".join((" ".join(lines) or said.out).split())
    assert said.code in (1, 2, 3, 4), said
    assert said.err.isprintable() or all(line.isprintable() for line in said.err.splitlines())
    for never in ("Traceback", "internal error", str(folder), "Errno"):
        assert never not in said.err
    assert {path.name for path in set(folder.iterdir()) - before} <= {"new.db-wal", "new.db-shm"}
    row = [f"`satcal {command}`", what, message.replace("|", "\\|"), str(said.code)]
    TOLD[command] = f"| {' | '.join(row)} |"
    if not WRITE:
        assert TOLD[command] in DOCS.read_text().splitlines(), f"stale; {ANEW}"


def test_the_table_in_the_docs_has_these_inputs_and_no_others():
    if WRITE:
        DOCS.write_text(HEAD + "\n".join(TOLD[command] for command, _ in CASES) + "\n")
    assert len(CASES) >= 120
    text = DOCS.read_text()
    assert text.startswith(HEAD)
    rows = text.removeprefix(HEAD).splitlines()
    starts = [f"| `satcal {command}` | {what} | " for command, what in CASES]
    assert len(rows) == len(starts), ANEW
    assert all(row.startswith(start) for row, start in zip(rows, starts, strict=True)), ANEW
