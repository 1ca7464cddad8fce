"""The proved checker as JavaScript proves the same numbers as the program, and refuses the same."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given

from helpers.forger import forgeries
from helpers.programs import need
from satcal.counting import verified
from satcal.counting.verified import plain_text
from satcal.errors import CertificateRefused
from theorem.test_checker import parts

BUILT = Path(__file__).parents[2] / "theorem" / "build" / "satcal-verified.js"
ASK = """
require("./checker.cjs");
const questions = JSON.parse(require("fs").readFileSync("questions.json"));
console.log(JSON.stringify(questions.map((each) => satcalVerified(...each))));
"""


def test_it_finds_and_refuses_what_the_program_does(program, tmp_path):
    need("node", "js_of_ocaml")
    if not BUILT.is_file():
        pytest.skip(f"{BUILT.name} is not built: make theorem")
    shutil.copy(BUILT, tmp_path / "checker.cjs")
    (tmp_path / "ask.cjs").write_text(ASK)
    questions, expected = [], []

    @given(forgeries(5))
    def ask(files: list[bytes]) -> None:
        for puzzle, stated, tree in [part for data in files for part in parts(data)]:
            reveals = list(stated)
            names = verified.tokens_by_label(puzzle, reveals)
            lines = "\n".join(" ".join(names[label] for label in reveal) for reveal in reveals)
            questions.append([plain_text(puzzle, reveals), lines, tree.decode("latin-1")])
            try:
                expected.append("\n".join(map(str, verified.prove_counts(puzzle, reveals, tree))))
            except CertificateRefused:
                expected.append("refused")

    ask()
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    done = subprocess.run(
        ["node", "ask.cjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == expected
    assert "refused" in expected
    assert len(set(expected)) > 3
