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

from pathlib import Path

import platformdirs

from satcal.errors import FileTrouble, OptionError, Stopped, StoreUnavailable
from satcal.files import make_folder
from satcal.store.postgres import Postgres
from satcal.store.sqlite import SQLite

Store = SQLite | Postgres


def default_path(create: bool) -> Path:
    """Return the path of the default store; create its folder if asked to.

    Raises:
        StoreUnavailable: the user has no home directory, or the folder cannot be created.
    """
    try:
        path = Path(platformdirs.user_data_dir("satcal"), "store.sqlite")
        if create:
            make_folder(path.parent, 0o700)
    except RuntimeError as error:
        text = "there is no home directory for the default store; set HOME or name a --store"
        raise StoreUnavailable(text) from error
    except (FileTrouble, Stopped) as error:
        raise StoreUnavailable(f"{error}; name a --store") from error
    return path


def open_store(location: str | Path = "", create: bool = True) -> Store:
    """Open the store at a path or ``postgresql://`` URL, or the default store.

    With ``create``, a missing file is created.

    Raises:
        OptionError: the URL names another database; or the file is missing and is not created.
        StoreDamaged: the file is damaged.
        StoreForeign: this version of satcal has not made the store; it is not changed.
        StoreError: the store cannot be opened for another reason.
    """
    text = str(location)
    scheme, colon, _ = text.partition("://")
    store: Store
    if not colon:
        path = Path(text) if text else default_path(create)
        if not create and not path.exists():
            raise OptionError(f"store {path}: no such file; name one with --store")
        store = SQLite(path)
    elif scheme in ("postgresql", "postgres"):
        store = Postgres(text)
    else:
        raise OptionError(
            f"--store {scheme}://...: not a database that satcal knows; name a file, or "
            "postgresql://USER@HOST/DATABASE"
        )
    try:
        store.probe()
    except BaseException:
        store.close()
        raise
    return store
