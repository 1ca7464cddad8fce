"""Tables of plain texts, aligned without a library, are those of the library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcal import tables

TEXTS = st.one_of(
    st.sampled_from(["", "1,234", "two words", " lead", "trail ", "ü", "two\nlines", "[b]"]),
    st.integers(1, 30).map("x".__mul__),
)


@given(
    rows=st.integers(1, 6).flatmap(
        lambda columns: st.lists(st.lists(TEXTS, min_size=columns, max_size=columns), min_size=1)
    ),
    right=st.sets(st.integers(0, 5)),
    width=st.sampled_from([20, 40, 80, tables.WIDEST]),
)
def test_a_table_is_the_same_with_and_without_the_library(rows, right, width):
    head, *rows = rows
    right &= set(range(len(head)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tables, "screen_width", lambda: width)
        as_usual = tables.aligned(head, rows, right)
        patched.setattr(tables, "_plainly", lambda *_: None)
        assert tables.aligned(head, rows, right) == as_usual
