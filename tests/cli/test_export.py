import gzip
import lzma

import pytest
from external import run


def test_an_export_goes_to_stdout_or_to_a_file_compressed_by_its_name(satcal, tmp_path):
    plain = satcal("export --date 2025-10-06").out
    assert "\np cnf " in plain
    for name, opened in (("x.cnf", open), ("x.cnf.gz", gzip.open), ("x.cnf.xz", lzma.open)):
        path = tmp_path / name
        assert satcal(f"export --date 2025-10-06 -o {path}").code == 0
        with opened(path, "rt") as stream:
            assert stream.read() == plain


def test_a_range_makes_a_file_for_each_date(satcal, tmp_path):
    dates = "--from 2025-10-06 --to 2025-10-08"
    assert satcal(f"export {dates} -o {tmp_path}/ --compress gz --format opb").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"a-puzzle-a-day-Oct-{day}.opb.gz" for day in (6, 7, 8)
    ]


@pytest.mark.parametrize("style", ["dimacs", "opb", "dlx", "asp"])
def test_the_open_formula_comes_in_every_format(satcal, small, style):
    said = satcal(f"export -b {small} --open --format {style}")
    assert said.code == 0
    assert "open: one label of each category is revealed" in said.out


@pytest.fixture
def decoded(satcal, tmp_path):
    """Let CaDiCaL answer what is exported, and decode that."""

    def call(options):
        formula, answer = tmp_path / "formula.cnf", tmp_path / "answer.txt"
        assert satcal(f"export {options} -o {formula} --force").code == 0
        answer.write_text(run("cadical", "-q", str(formula)))
        said = satcal(f"decode {options} {answer}")
        assert said.code == 0
        return said.out

    return call


def test_the_answer_of_cadical_comes_back_as_one_of_the_tilings(satcal, decoded):
    drawn = decoded("--date 2025-10-06")
    assert drawn.startswith("Oct 6, verified\n┌───")
    every = satcal("solve --date 2025-10-06 --all").out
    assert drawn.partition("\n")[2] in every


def test_the_answer_to_an_open_formula_says_which_reveal_it_chose(decoded, small):
    assert decoded(f"-b {small} --open").split(",")[0] in ("a", "b")
