"""``satcal decode``: from a formula and an answer to verified tilings."""

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from satcal.encoding.decode import read_formula
from satcal.external.answers import decode_answer
from satcal.puzzle.loading import load

BOARD = "-b small.toml"


@pytest.fixture
def answered(run, folder):
    """Export a formula as F.cnf, and write an answer to it as A, as solvers print it."""

    def call(line):
        assert run(f"export {line} -o F.cnf").code == 0
        with Solver(bootstrap_with=CNF(from_file=str(folder / "F.cnf"))) as solver:
            assert solver.solve()
            model = " ".join(map(str, solver.get_model()))
        (folder / "A").write_text(f"s SATISFIABLE\nv {model} 0\n")

    return call


def test_a_formula_says_whose_answer_it_is(run, answered, folder):
    answered("rhombus --reveal Thu,Sep,6 --lemmas closed")
    formula = read_formula((folder / "F.cnf").read_text(), "F.cnf", "dimacs")
    (found,) = decode_answer(load("rhombus"), (folder / "A").read_text(), formula)
    assert run("decode F.cnf A").out.startswith("Thu Sep 6, verified\n")
    lines = run("decode F.cnf A --format lines").out
    assert lines == " ".join(map(str, found.tiling)) + "\n"


def test_the_answer_may_be_standard_input(run, answered, folder):
    answered(f"{BOARD} --open")
    answer = run(f"decode F.cnf A {BOARD}")
    assert (answer.code, "verified" in answer.out) == (0, True)
    piped = run(f"decode F.cnf - {BOARD}", text=(folder / "A").read_text())
    assert (piped.code, piped.out) == (0, answer.out)
    assert run(f"decode F.cnf - {BOARD}", text="").code == 2


def test_unsatisfiable_is_an_answer_or_a_disagreement(run):
    line = f"export {BOARD} --reveal a"
    for name in ("F.cnf", "F.opb", "F.lp"):
        assert run(f"{line} -o {name}").code == 0
        answer = run(f"decode {name} unsat.txt {BOARD}")
        assert (answer.code, "2 solutions" in answer.err) == (1, True)
    assert run(f"{line} --place I:r0c1,r1c1 -o N.cnf").code == 0  # no place is left for the other
    answer = run(f"decode N.cnf unsat.txt {BOARD}")
    assert (answer.code, "so does satcal" in answer.out, answer.err) == (1, True, "")
