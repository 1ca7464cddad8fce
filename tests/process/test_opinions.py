"""A checker of others that hangs is ended with the process that asked it."""

from __future__ import annotations

import pytest

from helpers.certificates import five_made
from helpers.commands import Fake
from satcal.certificates.checking import check_within
from satcal.errors import BudgetExhausted


def test_a_program_that_hangs_is_waited_for_until_the_time_limit(fake: Fake) -> None:
    fake("cake_lpr", "exec sleep 600")
    with pytest.raises(BudgetExhausted, match="--time-limit"):
        check_within(five_made("a3"), ["cake_lpr"], seconds=0.5)
