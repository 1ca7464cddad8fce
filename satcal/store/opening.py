"""Where a store is, and how it is opened.

>>> import tempfile
>>> from satcal.store.counts import Key
>>> store = open_store(Path(tempfile.mkdtemp(), "counts.sqlite"))
>>> key = Key(puzzle="ab" * 32, question="", method="sat 0123")
>>> store.put(key, {("Thu", "Oct", "23"): 201})
[]
>>> store.recall(key, [("Thu", "Oct", "23"), ("Fri", "Oct", "24")])
{('Thu', 'Oct', '23'): 201}
>>> store.put(key, {("Thu", "Oct", "23"): 202})  # doctest: +ELLIPSIS
['abababababab 23 Oct Thu: 202 by sat 0123, but 201 by sat 0123 is stored since ...']
>>> store.close()
"""

from __future__ import annotations

import re
from pathlib import Path

import platformdirs

from satcal.errors import FileTrouble, OptionError, Stopped, StoreUnavailable
from satcal.files import make_folder
from satcal.store.postgres import Postgres
from satcal.store.sqlite import SQLite

URL = re.compile(r"([A-Za-z][A-Za-z0-9+.]*)://")
Store = SQLite | Postgres


def default_path() -> Path:
    """Return the path of the default store.

    Raises:
        StoreUnavailable: the user has no home directory.
    """
    try:
        return Path(platformdirs.user_data_dir("satcal"), "store.sqlite")
    except RuntimeError as error:
        text = "there is no home directory for the default store; set HOME or name a --store"
        raise StoreUnavailable(text) from error


def open_store(location: str | Path = "", create: bool = True) -> Store:
    """Open the store at a path or ``postgresql://`` URL, or the default store.

    With ``create``, a missing file is created.

    Raises:
        OptionError: the URL names another database; or the file is missing and is not created.
        StoreDamaged: the file was damaged and has been moved aside; opening it again creates one.
        StoreForeign: the file or database is not a satcal store; it is not changed.
        StoreOtherSchema: another version of satcal made the store.
        StoreError: the store cannot be opened for another reason.
    """
    text = str(location)
    scheme = URL.match(text)
    if scheme is None:
        path = Path(text) if text else default_path()
        if not create and not path.exists():
            raise OptionError(f"store {path}: no such file; name one with --store")
        if not text:
            try:
                make_folder(path.parent, 0o700)
            except (FileTrouble, Stopped) as error:
                raise StoreUnavailable(f"{error}; name a --store") from error
        store: Store = SQLite(path)
    elif scheme[1] in ("postgresql", "postgres"):
        store = Postgres(text)
    else:
        raise OptionError(
            f"--store {scheme[1]}://...: not a database that satcal knows; name a file, or "
            "postgresql://USER@HOST/DATABASE"
        )
    try:
        store.transact(lambda cursor: None)
    except BaseException:
        store.close()
        raise
    return store
