"""The formula behind a proof for SAT checkers is an export with blocking clauses."""

import runpy
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

import satcal
from helpers.certificates import five_made
from helpers.solvers import ENCODINGS_FOLDER
from satcal.certificates.lrat import Proof, read_proof
from satcal.encoding.decode import read_formula
from satcal.errors import InputError, NoTiling, TooLarge, Unsatisfiable
from satcal.external.answers import decode_answer
from satcal.puzzle.loading import load

LETTERS = load(str(ENCODINGS_FOLDER / "puzzles" / "letter-and-digit.toml"))
DOCS = ENCODINGS_FOLDER.parent / "docs"
SCRIPT = DOCS / "blocked.py"


def blocked(monkeypatch: pytest.MonkeyPatch, path: Path, number: int) -> None:
    """Run the script of the documentation in this process."""
    monkeypatch.setattr("sys.argv", [str(SCRIPT), str(path), str(number)])
    runpy.run_path(str(SCRIPT), run_name="__main__")


@pytest.fixture
def proof(in_process) -> Proof:
    """The proof of four tilings."""
    return read_proof(satcal.certify(LETTERS, "A,1"), ("A", "1"))


def test_the_script_sees_that_the_blocked_models_are_different_ones(
    proof, monkeypatch, tmp_path, capsys
):
    *lines, last = proof.dimacs()
    path = tmp_path / "proof.cnf"
    path.write_text("".join([*lines, last]))
    blocked(monkeypatch, path, 4)
    assert "4 different models" in capsys.readouterr().out
    shorter = " ".join([*last.split()[1:-1], "0"]) + "\n"
    for wrong in (lines[-1], shorter, last.replace("-", ""), "-1 -2 0\n"):
        path.write_text("".join([*lines, wrong]))
        with pytest.raises(SystemExit, match=r"proof\.cnf: "):
            blocked(monkeypatch, path, 4)


def test_what_is_not_stated_or_too_large_has_no_proof(monkeypatch):
    with pytest.raises(InputError, match="a 4"):
        read_proof(five_made("a3"), ("a", "4"))
    monkeypatch.setattr("satcal.certificates.lrat.MAX_SIZE", 1000)
    with pytest.raises(TooLarge, match="1,000"):
        list(read_proof(five_made("a3"), ("a", "3")).lines("lrat"))


def test_lrat_deletes_each_clause_after_its_last_use(proof):
    """Those of the root and its children have at most one literal; the proof ends with them."""
    deleted, derived = [], []
    for number, *words in map(str.split, proof.lines("lrat")):
        if words[0] == "d":
            deleted += words[1:-1]
        elif words.index("0") > 1:
            derived.append(number)
    assert sorted(deleted) == sorted(derived) != []
    assert not any("d" in line for line in proof.lines("drup"))


def test_it_is_read_and_named_like_an_export(proof):
    text = "".join(proof.dimacs())
    export = satcal.export(LETTERS, "A,1", encoding="plain").splitlines()
    named = [line for line in export if line.startswith("c var ")]
    assert [line for line in text.splitlines() if line.startswith("c var ")] == named
    formula = read_formula(text, "proof.cnf", "dimacs")
    tilings = set(map(tuple, satcal.tilings(LETTERS, "A,1")))
    assert formula.blocked_tilings(LETTERS) == tilings
    assert len(tilings) == 4
    assert not Solver(bootstrap_with=CNF(from_string=text)).solve()
    with pytest.raises(Unsatisfiable, match="besides the 4"):
        decode_answer(LETTERS, "s UNSATISFIABLE\n", formula)
    option = {placement: n for n, placement in enumerate(formula.cover_on(LETTERS).options, 1)}
    model = " ".join(str(option[placement]) for placement in min(tilings, key=str))
    with pytest.raises(NoTiling, match="excludes"):
        decode_answer(LETTERS, f"s SATISFIABLE\nv {model} 0\n", formula)
