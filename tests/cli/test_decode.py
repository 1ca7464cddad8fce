"""``satcal decode``: from a formula and an answer to verified tilings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from command import Answer
from satcal.encoding.decode import read_formula
from satcal.external.answers import decode_answer
from satcal.puzzle.loading import load

Run = Callable[..., Answer]
BOARD = "-b small.toml"


def solve(path: Path) -> str:
    """Return PySAT's answer to a DIMACS file as solvers print it."""
    with Solver(bootstrap_with=CNF(from_file=str(path))) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model() or []))} 0\n"


@pytest.fixture
def answered(run: Run, folder: Path) -> Callable[[str], None]:
    """Export a formula as F.cnf, and write an answer to it as A."""

    def call(line: str) -> None:
        assert run(f"export {line} -o F.cnf").code == 0
        (folder / "A").write_text(solve(folder / "F.cnf"))

    return call


@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("Oct 6 --lemmas closed --encoding plain", "a-puzzle-a-day"),
        ("rhombus --reveal Thu,Sep,6 --lemmas closed", "rhombus"),
    ],
)
def test_a_formula_says_whose_answer_it_is(
    run: Run, answered: Callable[[str], None], folder: Path, line: str, board: str
) -> None:
    answered(line)
    formula = read_formula((folder / "F.cnf").read_text(), "F.cnf", "dimacs")
    (found,) = decode_answer(load(board), (folder / "A").read_text(), formula)
    (record,) = run("decode F.cnf A --format csv").rows
    assert record["reveal"] == " ".join(found.reveal)
    assert record["tiling"] == " ".join(map(str, found.tiling))
    assert run("decode F.cnf A --format lines").out == record["tiling"] + "\n"


def test_the_answer_may_be_standard_input(
    run: Run, answered: Callable[[str], None], folder: Path
) -> None:
    answered(f"{BOARD} --open")
    answer = run(f"decode F.cnf A {BOARD}")
    assert (answer.code, "verified" in answer.out) == (0, True)
    piped = run(f"decode F.cnf - {BOARD}", text=(folder / "A").read_text())
    assert (piped.code, piped.out) == (0, answer.out)
    assert run(f"decode F.cnf - {BOARD}", text="").code == 2


def test_unsatisfiable_is_an_answer_or_a_disagreement(run: Run) -> None:
    line = f"export {BOARD} --reveal a"
    for name in ("F.cnf", "F.opb", "F.lp"):
        assert run(f"{line} -o {name}").code == 0
        answer = run(f"decode {name} unsat.txt {BOARD}")
        assert (answer.code, "2 solutions" in answer.err) == (1, True)
    assert run(f"{line} --place I:r0c1,r1c1 -o N.cnf").code == 0  # no place is left for the other
    answer = run(f"decode N.cnf unsat.txt {BOARD}")
    assert (answer.code, "so does satcal" in answer.out, answer.err) == (1, True, "")
    answer = run(f"decode N.cnf unsat.txt {BOARD} --format csv")
    assert (answer.code, answer.out) == (1, "reveal,tiling\n")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("F.cnf silent.txt", "silent.txt"),
        ("F.cnf missing.txt", "missing.txt"),
        ("missing.cnf unsat.txt", "missing.cnf"),
        ("unsat.txt F.cnf", "unsat.txt"),
        ("F.cnf -b rhombus unsat.txt", "rhombus"),
        ("own.cnf unsat.txt", "--board"),
        ("edited.cnf unsat.txt", "edited.cnf"),
        ("other.cnf unsat.txt", "other.cnf"),
    ],
)
def test_it_is_refused(
    run: Run, refused: Callable[[str, int, str], None], folder: Path, line: str, word: str
) -> None:
    assert run("export Oct 6 --lemmas closed -o F.cnf").code == 0
    assert run("export small.toml --reveal a -o own.cnf").code == 0
    (folder / "edited.cnf").write_text(f"{(folder / 'F.cnf').read_text()}1 0\n")
    (folder / "other.cnf").write_text("p cnf 1 1\n1 0\n")
    refused(f"decode {line}", 2, word)
