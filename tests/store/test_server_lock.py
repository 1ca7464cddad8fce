"""The lock that keeps a second server from a store, in a file and in PostgreSQL."""

from __future__ import annotations

import pytest

from helpers.stores import BOTH, away, located
from satcal.errors import StoreLocked, StoreUnavailable
from satcal.service.writing import only_server
from satcal.store.results import Store


@BOTH
def test_one_server_at_a_time_has_a_store(where, tmp_path) -> None:
    location, other = located(where), located(str(tmp_path / "other.sqlite"))
    with Store(location) as store, Store(other) as another:
        for _ in range(2):
            with only_server(store, location), only_server(another, other):
                second = only_server(store, location)
                with pytest.raises(StoreLocked, match="another server uses it; end that one"):
                    second.__enter__()
        assert store.rows() == []


@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_a_database_that_was_restarted_has_no_lock_until_the_server_asks_again(where) -> None:
    location = located(where)
    with Store(location) as store, only_server(store, location) as hold:
        hold()
        with away(where), pytest.raises(StoreUnavailable):
            hold()
        hold()
        with pytest.raises(StoreLocked), only_server(store, location):
            pass
    with Store(location) as store, Store(location) as other, only_server(store, location) as hold:
        with away(where):
            pass
        with only_server(other, location), pytest.raises(StoreLocked, match="another server"):
            hold()
