"""What solvers print, and what formulas come with it, become verified tilings or are refused."""

from __future__ import annotations

import random

import pytest
from pysat.formula import CNF

from helpers.commands import run as output_of
from helpers.programs import need
from oracle import Piece, rectangle
from satcal.encoding.answer import parse_answer
from satcal.encoding.decode import read_formula
from satcal.encoding.export import export_text
from satcal.errors import (
    BudgetExhausted,
    Disagreement,
    FormatError,
    Missing,
    NoTiling,
    OptionError,
    SatcalError,
    Unsatisfiable,
)
from satcal.external.answers import decode_answer

# eight options; the tilings are options 1 and 4, and 6 and 7
TWO_L4 = rectangle(2, 4, Piece("L4", ("###", "#.."), 2)).load()
PLAIN = export_text(TWO_L4, (), encoding="plain")
LADDER = export_text(TWO_L4, ())
FIRST = "L4:r0c0,r0c1,r0c2,r1c0 L4:r0c3,r1c1,r1c2,r1c3"
SECOND = "L4:r0c0,r1c0,r1c1,r1c2 L4:r0c1,r0c2,r0c3,r1c3"
BOTH = [FIRST, SECOND]


def model(*true: int, top: int = 8) -> str:
    return " ".join(str(v if v in true else -v) for v in range(1, top + 1))


ONE, TWO = model(1, 4), model(6, 7)
ASP_COMPETITION = """\
% Answer: 1
ANSWER
place(1). place(4).
% Answer: 2
ANSWER
place(6). place(7).
% Models : 2
SATISFIABLE
"""


def tilings(answer: str, formula: str = PLAIN, format: str = "dimacs") -> list[str]:
    """Return the tilings of an answer to a formula."""
    found = decode_answer(TWO_L4, answer, read_formula(formula, "f", format))
    return [" ".join(map(str, each.tiling)) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"c cadical\n\ns SATISFIABLE\nv {ONE[:9]}\nv\t{ONE[9:]}\nv 0\nc bye\n", [FIRST]),
        (f"SAT\r\n{ONE} 0\r\n", [FIRST]),
        ("s SATISFIABLE\nv x1 -x2 -x3 x4 -x5\nv -x6 -x7 -x8\nc pseudo-Boolean\n", [FIRST]),
        ("s SATISFIABLE\nv x1 -x2 -x3 x4 -x5 -x6 -x7 -x8", [FIRST]),
        (f"v {TWO} 9 0\nv {ONE} 9 0\nv {TWO} -9 0\ns SATISFIABLE\n", BOTH[::-1]),
        ("s SATISFIABLE\nv 1 4 0\n", [FIRST]),
        (f"s SATISFIABLE\nv {ONE} 0\ns SATISFIABLE\nv {TWO} 0\ns UNSATISFIABLE\n", BOTH),
        (f"s SATISFIABLE\nv {ONE} 0\ns INDETERMINATE\n", [FIRST]),
        (f"s SATISFIABLE\nv {ONE} 0\ns SATISFIABLE\nv {TWO} 0\ns SOLUTIONS 2\n", BOTH),
        ("Solving...\nAnswer: 1\nplace(4) place(1)\nSATISFIABLE\n\nModels       : 1+\n", [FIRST]),
        (ASP_COMPETITION, BOTH),
    ],
)
def test_an_answer_in_any_form_is_read_as_its_tilings_each_once(text, expected):
    assert tilings(text, LADDER) == expected


@pytest.mark.parametrize(
    ("text", "error", "word"),
    [
        *((text, Disagreement, "2 ") for text in ("s UNSATISFIABLE", "UNSAT", "UNSATISFIABLE")),
        *((text, BudgetExhausted, "UNKNOWN") for text in ("s UNKNOWN\n", "c UNKNOWN", "INDET\n")),
        (f"s SATISFIABLE\nv {ONE} 0\ns UNSATISFIABLE\n", Disagreement, "2 solutions"),
        (f"v {ONE} 0\nc Models : 1\ns SATISFIABLE\n", Disagreement, "2 solutions"),
        (f"v {ONE} 0\nv {TWO} 0\ns SOLUTIONS 3\n", FormatError, "3 models and has 2"),
        (f"s SATISFIABLE\nv {model(1)} 0", NoTiling, "L4"),
        (f"v {ONE} 0\nv {model(1, 5)} 0\ns SATISFIABLE", NoTiling, "model 2"),
        ("s SATISFIABLE\nv 0", NoTiling, "L4"),
        ("", FormatError, "empty"),
        ("nothing", FormatError, "status"),
        ("c t mc\np cnf 8 42\n1 5 7 0\n", FormatError, "line 2"),
        (f"s OPTIMUM FOUND\nv {ONE} 0\n", FormatError, "line 1"),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", FormatError, "contradicts line 1"),
        (f"s UNSATISFIABLE\nv {ONE} 0\n", FormatError, "line 2"),
        (f"v {ONE} 0\ns UNSATISFIABLE\nv {TWO} 0\n", FormatError, "line 3"),
        (f"c Answer: 1\nv {ONE}\nc Answer: 2\nv {TWO} 0\ns SATISFIABLE\n", FormatError, "line 2"),
        ("s SATISFIABLE\nv 1_0 4 0\n", FormatError, "'1_0'"),
        (f"s SATISFIABLE\nv {'9' * 5000} 0\n", FormatError, "line 2"),
        (f"s SATISFIABLE\nv {ONE}\nv 2 0\n", FormatError, "-2"),
        ("=====\n| Number of variables: 8 |\nSATISFIABLE\n", FormatError, "line 3"),
        ("s SATISFIABLE\nv 1 4 9 0\n", FormatError, "9 is beyond the formula's 8 variables"),
        ("s SATISFIABLE\nv 1 4 -9 0\n", FormatError, "9 is beyond the formula's 8 variables"),
    ],
)  # fmt: skip
def test_what_is_no_tiling_or_no_answer_is_refused_and_unknown_is_neither(text, error, word):
    with pytest.raises(SatcalError, match=r"^answer:") as refused:
        tilings(text)
    assert type(refused.value) is error
    assert word in str(refused.value)


LAYOUTS = {
    "tabs and windows": lambda text: text.replace(" 0\n", "\t0\r\n"),
    "another order": lambda text: "\n".join(reversed(text.splitlines())),
    "comments between": lambda text: text.replace("\n-1 -2 0", "\nc here\n-1 -2 0"),
    "as PySAT writes it": lambda text: CNF(from_string=text).to_dimacs() + "\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_formula_is_its_clauses_however_they_are_laid_out(layout):
    text = LAYOUTS[layout](PLAIN)
    assert text != PLAIN
    assert tilings(f"s SATISFIABLE\nv {ONE} 0\n", text) == [FIRST]
    with pytest.raises(Disagreement, match=r"UNSATISFIABLE.*2 solutions"):
        tilings("s UNSATISFIABLE\n", text)


CHANGES = {
    "a clause that would be a tiling if options were counted from the end": lambda text: (
        f"{text}4 7 0\n"
    ),
    "a variable beyond the options": lambda text: f"{text}-1 -9 0\n",
    "a clause less": lambda text: text.replace("-1 -2 0\n", ""),
    "the empty clause": lambda text: f"{text}0\n",
    "a clause against a part of one": lambda text: f"{text}-1 0\n",
    "what is not a clause": lambda text: f"{text}-1 - 0\n",
    "fewer variables": lambda text: text.replace("p cnf 8", "p cnf 7"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_formula_with_other_clauses_is_refused(change):
    with pytest.raises(FormatError, match="not those of satcal's export"):
        tilings("s UNSATISFIABLE\n", CHANGES[change](PLAIN))


BLOCKS = {FIRST: "-1 -4 0\n", SECOND: "-7 -6 0\n"}


def test_blocking_clauses_are_read_and_the_rest_is_compared_with_the_count():
    one, both = PLAIN + BLOCKS[FIRST], PLAIN + BLOCKS[FIRST] + BLOCKS[SECOND]
    assert tilings(f"v {TWO} 0\ns SATISFIABLE\n", one) == [SECOND]
    assert tilings(f"v {TWO} 0\ns UNSATISFIABLE\n", one) == [SECOND]
    with pytest.raises(NoTiling, match="excludes"):
        tilings(f"v {ONE} 0\ns SATISFIABLE\n", one)
    with pytest.raises(Disagreement, match="1 solution besides the 1"):
        tilings("s UNSATISFIABLE\n", one)
    with pytest.raises(Unsatisfiable, match="besides the 2"):
        tilings("s UNSATISFIABLE\n", both)


def test_another_format_is_compared_by_its_statements():
    equations = export_text(TWO_L4, (), format="opb")
    program = export_text(TWO_L4, (), format="asp")
    one = f"s SATISFIABLE\nv {ONE} 0\n"
    assert tilings(one, equations.replace(" = ", "  =\t"), "opb") == [FIRST]
    assert tilings("place(1) place(4)\nSATISFIABLE", f"{program}\n% bye\n", "asp") == [FIRST]
    with pytest.raises(FormatError, match="not those of satcal's export"):
        tilings(one, f"{equations}+1 x1 = 1 ;\n", "opb")
    with pytest.raises(FormatError, match="not those of satcal's export"):
        tilings(one, f"{program}:- place(1).\n", "asp")


@pytest.mark.parametrize(
    ("old", "new", "error", "word"),
    [
        ("c satcal export", "c export", FormatError, "missing"),
        ("specification 2", "specification 9", Missing, "specification 9"),
        ("c digest ", "c digest 1", OptionError, "digests"),
        ("c reveal ", "c rev ", FormatError, "reveal"),
    ],
)
def test_a_formula_of_something_else_is_refused_by_what_is_wrong(old, new, error, word):
    assert old in PLAIN
    with pytest.raises(error, match=word):
        tilings("s UNSATISFIABLE\n", PLAIN.replace(old, new, 1))


def test_a_model_of_an_open_formula_reveals_one_label_of_each_category():
    square = rectangle(1, 2, Piece("A", ("#",)))
    puzzle = type(square)((("a", "b"),), square.pieces, (("x", ("a", "b")),)).load()
    formula = read_formula(export_text(puzzle, None, encoding="plain"), "f", "dimacs")
    (found,) = decode_answer(puzzle, "s SATISFIABLE\nv 1 -2 -3 4 0\n", formula)
    assert found.reveal == ("b",)
    blocked = read_formula(export_text(puzzle, None, encoding="plain") + "-1 -4 0\n", "f", "dimacs")
    with pytest.raises(FormatError, match="not those of satcal's export"):
        decode_answer(puzzle, "s UNSATISFIABLE\n", blocked)
    for labels, word in (("-3 -4", "no label"), ("3 4", "a and b")):
        with pytest.raises(NoTiling, match=word):
            decode_answer(puzzle, f"s SATISFIABLE\nv 1 -2 {labels} 0\n", formula)


def test_a_damaged_answer_is_refused_or_still_a_tiling():
    right = f"c Answer: 1\nv {ONE} 0\nc Answer: 2\nv {TWO} 0\ns SATISFIABLE\n"
    rng = random.Random(1)
    refused = 0
    for _ in range(300):
        text = list(right)
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice("0123456789- vscSATx\n")
        try:
            assert set(tilings("".join(text))) <= {FIRST, SECOND}
        except (FormatError, NoTiling):
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("cryptominisat5", ("--verb", "0", "--maxsol", "99")),
        ("picosat", ("--all",)),
        ("clasp", ("-n", "0")),
    ],
)
def test_a_whole_enumeration_of_a_real_solver_is_complete(program, options, daily, tmp_path):
    need(program)
    path = tmp_path / "f.cnf"
    path.write_text(text := export_text(daily, ("Oct", "6"), lemmas="closed"))
    answer = output_of(program, *options, str(path))
    assert parse_answer(answer, 32).complete
    formula = read_formula(text, "f.cnf", "dimacs")
    assert len(decode_answer(daily, answer, formula)) == 7
