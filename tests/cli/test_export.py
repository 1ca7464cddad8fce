import gzip
import lzma
import subprocess

import pytest
from programs import need


def test_an_export_goes_to_stdout_or_to_a_file_compressed_by_its_name(satcal, tmp_path):
    plain = satcal("export", "--date", "2025-10-06").out
    assert "\np cnf " in plain
    for name, opened in (("x.cnf", open), ("x.cnf.gz", gzip.open), ("x.cnf.xz", lzma.open)):
        path = tmp_path / name
        assert satcal("export", "--date", "2025-10-06", "-o", str(path)).code == 0
        with opened(path, "rt") as stream:
            assert stream.read() == plain


def test_a_range_makes_a_file_for_each_date(satcal, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    said = satcal(
        "export", "--from", "2025-10-06", "--to", "2025-10-08", "-o", f"{folder}/",
        "--compress", "gz", "--format", "opb",
    )  # fmt: skip
    assert said.code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        f"a-puzzle-a-day-Oct-{day}.opb.gz" for day in (6, 7, 8)
    ]


@pytest.mark.parametrize("style", ["dimacs", "opb", "dlx", "asp"])
def test_the_open_formula_comes_in_every_format(satcal, small, style):
    said = satcal("export", "-b", small, "--open", "--format", style)
    assert said.code == 0
    assert "open: one label of each category is revealed" in said.out


def solved(program, formula, tmp_path):
    need(program)
    path = tmp_path / "formula.cnf"
    path.write_text(formula)
    return subprocess.run(
        [program, "-q", str(path)], capture_output=True, text=True, check=False, timeout=60
    ).stdout


def test_the_answer_of_cadical_comes_back_as_a_drawn_tiling(satcal, tmp_path):
    answer = tmp_path / "answer.txt"
    answer.write_text(solved("cadical", satcal("export", "--date", "2025-10-06").out, tmp_path))
    said = satcal("decode", "--date", "2025-10-06", str(answer))
    assert said.code == 0
    assert said.out.startswith("Oct 6, verified\n┌───")
    assert "│ Oct │" in said.out
    lines = satcal("decode", "--date", "2025-10-06", "--format", "lines", str(answer)).out
    every = satcal("solve", "--date", "2025-10-06", "--all", "--format", "lines").out
    assert lines.strip() in every.splitlines()


def test_the_answer_to_an_open_formula_says_which_reveal_it_chose(satcal, small, tmp_path):
    answer = tmp_path / "answer.txt"
    answer.write_text(solved("cadical", satcal("export", "-b", small, "--open").out, tmp_path))
    said = satcal("decode", "-b", small, "--open", str(answer))
    assert said.code == 0
    assert said.out.split(",")[0] in ("a", "b")
