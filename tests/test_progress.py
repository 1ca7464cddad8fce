"""The line that says how far long work is."""

import io
import sys

import pytest

from satcal.progress import FIRST_SECONDS, LIVE_SECONDS, Line


@pytest.mark.parametrize(
    ("live", "shown"),
    [
        (True, "\r\x1b[Kcounting: 1,000 of 2,000, Oct 6\r\x1b[Kcounting: 3 of 4\r\x1b[K"),
        (False, "counting: 1,000 of 2,000, Oct 6\n"),
    ],
)
def test_the_line_comes_after_a_second_changes_on_a_terminal_and_is_gone_at_the_end(
    monkeypatch, live, shown
):
    output, now = io.StringIO(), [0.0]
    output.isatty = lambda: live
    monkeypatch.setattr(sys, "stderr", output)
    with Line("counting", clock=lambda: now[0]) as line:
        line(1, 4, "too early")
        now[0] = FIRST_SECONDS
        line(1000, 2000, "Oct 6")
        line(2, 4, "too early again")
        now[0] += LIVE_SECONDS
        line(3, 4, "")
    assert output.getvalue() == shown
