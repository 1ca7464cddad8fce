"""``satcal decode``: from a formula and an answer to verified tilings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from command import Answer
from satcal.counting.diagram import DiagramMethod
from satcal.counting.method import Meter
from satcal.puzzle.loading import load

Run = Callable[..., Answer]


def solve(path: Path) -> str:
    """Return PySAT's answer to a DIMACS file as solvers print it."""
    with Solver(bootstrap_with=CNF(from_file=str(path))) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model() or []))} 0\n"


@pytest.fixture
def answered(run: Run, folder: Path) -> Callable[[str], None]:
    """Export a formula as F.cnf, and write an answer to it as A."""

    def call(line: str) -> None:
        assert run(f"export {line} -o F.cnf --force").code == 0
        (folder / "A").write_text(solve(folder / "F.cnf"))

    return call


@pytest.mark.parametrize(
    ("line", "reveal"),
    [
        ("Oct 6", ("Oct", "6")),
        ("rhombus --reveal Thu,Sep,6", ("Thu", "Sep", "6")),
        ("Oct 6 --lemmas closed --encoding plain", ("Oct", "6")),
        ("tetromino 2025-10-30", ("Oct", "30")),
        ("pentomino-3x20", ()),
    ],
)
def test_a_formula_says_whose_answer_it_is(
    run: Run, answered: Callable[[str], None], line: str, reveal: tuple[str, ...]
) -> None:
    answered(line)
    (record,) = run("decode F.cnf A --format csv").rows
    assert record["reveal"] == " ".join(reveal)
    board = line.split()[0] if line[0].islower() else "a-puzzle-a-day"
    every = DiagramMethod().tilings(load(board), reveal, (), Meter())
    assert record["tiling"] in {" ".join(map(str, tiling)) for tiling in every}
    assert run("decode F.cnf A --format lines").out == record["tiling"] + "\n"


def test_a_board_of_your_own_is_named(
    run: Run, answered: Callable[[str], None], folder: Path
) -> None:
    answered("-b small.toml --open")
    answer = run("decode F.cnf A -b small.toml")
    assert (answer.code, "verified" in answer.out) == (0, True)


def test_standard_input_is_an_answer(
    run: Run, answered: Callable[[str], None], folder: Path
) -> None:
    answered("Oct 6 --lemmas closed")
    piped = run("decode F.cnf -", text=(folder / "A").read_text())
    assert (piped.code, piped.out) == (0, run("decode F.cnf A").out)
    assert run("decode F.cnf -", text="").code == 2


def test_unsatisfiable_is_an_answer_or_a_disagreement(run: Run, folder: Path) -> None:
    for line in ("Oct 6 -o F.cnf", "Oct 6 -o F.opb", "Oct 6 -o F.lp"):
        assert run(f"export {line}").code == 0
        answer = run(f"decode {line.split()[-1]} unsat.txt")
        assert (answer.code, "7 solutions" in answer.err) == (1, True)
    place = "O:r4c4,r4c5,r4c6,r5c4,r5c5,r5c6;Z:r0c0,r0c1,r1c1,r2c1,r2c2"
    assert run(f"export Oct 6 --place {place} -o N.cnf").code == 0
    answer = run("decode N.cnf unsat.txt")
    assert (answer.code, "so does satcal" in answer.out, answer.err) == (1, True, "")
    answer = run("decode N.cnf unsat.txt --format csv")
    assert (answer.code, answer.out) == (1, "reveal,tiling\n")


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("decode F.cnf silent.txt", 2, "silent.txt"),
        ("decode F.cnf missing.txt", 2, "missing.txt"),
        ("decode missing.cnf unsat.txt", 2, "missing.cnf"),
        ("decode unsat.txt F.cnf", 2, "unsat.txt"),
        ("decode F.cnf -b rhombus unsat.txt", 2, "rhombus"),
        ("decode own.cnf unsat.txt", 2, "--board"),
        ("decode edited.cnf unsat.txt", 2, "edited.cnf"),
        ("decode other.cnf unsat.txt", 2, "other.cnf"),
    ],
)
def test_it_is_refused(
    run: Run,
    refused: Callable[[str, int, str], None],
    folder: Path,
    line: str,
    code: int,
    word: str,
) -> None:
    assert run("export Oct 6 -o F.cnf").code == 0
    assert run("export small.toml --reveal a -o own.cnf").code == 0
    text = (folder / "F.cnf").read_text()
    (folder / "edited.cnf").write_text(f"{text}1 0\n")
    (folder / "other.cnf").write_text("p cnf 1 1\n1 0\n")
    answer = run(line)
    assert answer.code == code, answer.err
    assert word in answer.err + answer.out
    assert "Traceback" not in answer.err
