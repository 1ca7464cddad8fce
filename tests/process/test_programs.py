"""External programs end with satcal, or at a time limit; what was compared is shown."""

import signal
from pathlib import Path

import pytest

from helpers.certificates import five_made
from helpers.waiting import gone
from process.conftest import PYTHON
from satcal.certificates.checking import check_within
from satcal.errors import BudgetExhausted

TWO_L4 = Path(__file__).parents[2] / "encodings" / "puzzles" / "two-L4.toml"


@pytest.mark.needs("minisat")
@pytest.mark.parametrize(
    ("how", "code", "outcomes"), [("INT", 3, ["agrees"]), ("KILL", -signal.SIGKILL, [])]
)
def test_a_program_ends_with_satcal(fake, shell, folder, how, code, outcomes):
    fake("picosat", f"echo $$ > {folder}/child; kill -{how} $PPID; exec sleep 300")
    line = f"exec {PYTHON} -m satcal cross-check --board {TWO_L4} --with minisat,picosat"
    answer = shell(line)
    assert gone(int((folder / "child").read_text()))
    assert (answer.code, [row["outcome"] for row in answer.rows]) == (code, outcomes)


def test_a_checker_that_hangs_is_waited_for_until_the_time_limit(fake):
    fake("cake_lpr", "exec sleep 600")
    with pytest.raises(BudgetExhausted, match="--time-limit"):
        check_within(five_made("a3"), ["cake_lpr"], seconds=0.5)
