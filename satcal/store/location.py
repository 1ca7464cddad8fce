"""Where a store is: a file or a PostgreSQL database."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from satcal.errors import OptionError, shown

NONE = "none"
PATIENCE = 10.0  # seconds to wait for another process's lock; a transaction of ours takes far less
# File systems whose locks or shared memory other machines do not see; WAL needs both.
REMOTE = ("9p", "afs", "ceph", "cifs", "fuse", "gfs", "glusterfs", "lustre", "nfs", "smb", "ncp")


@dataclass(frozen=True)
class Location:
    """Where a store is: the ``path`` of a file, or the ``url`` of a database."""

    path: Path | None = None
    url: str = ""
    patience: float = PATIENCE  # of a file; PostgreSQL has the option lock_timeout for that

    def __str__(self) -> str:
        if self.path is not None:
            return str(self.path)
        from sqlalchemy import make_url

        return str(make_url(self.url).set(query={}))  # without its password, in either place


def parse_location(text: str | None) -> Location | None:
    """The location that ``--store`` names, None for ``none``; or OptionError."""
    if text == NONE:
        return None
    if not text:
        return Location(usual_path())
    if "://" in text:
        return _of_url(text)
    try:
        return Location(Path(text).expanduser())
    except RuntimeError as error:
        raise OptionError(
            f"--store {text}: there is no such user; write the whole path, or ./{text}"
        ) from error


def usual_path() -> Path:
    """The path of a store that is not named: its folder is ours to make."""
    return Path(platformdirs.user_data_dir("satcal")) / "store.sqlite"


def _of_url(text: str) -> Location:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    scheme = text.partition("://")[0].partition("+")[0]
    if scheme not in ("postgresql", "postgres", "sqlite"):
        raise OptionError(
            f"--store: no database {shown(scheme)}; use a file, sqlite:///FILE, "
            "postgresql://USER@HOST/DATABASE, or none"
        )
    try:
        url = make_url(text)
        patience = float(str(url.query.get("timeout", PATIENCE)))
    except (ArgumentError, ValueError) as error:  # which quote the password
        raise OptionError(
            f"--store {scheme}://…: not a database's URL; write postgresql://USER@HOST:PORT/NAME "
            "or sqlite:///FILE?timeout=SECONDS, and special characters of a password as %XX"
        ) from error
    if scheme != "sqlite":
        url = url.set(drivername="postgresql+psycopg")
        return Location(url=url.render_as_string(hide_password=False))
    if url.host or not url.database or url.database == ":memory:":
        raise OptionError("--store sqlite://…: write the file as sqlite:///FILE, or FILE alone")
    return Location(Path(url.database), patience=patience)


def is_local(path: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Whether a file is on a disk of this machine."""
    try:
        lines = [line.split() for line in mounts.read_text().splitlines()]
    except OSError:
        return not str(path).startswith("\\\\")
    target = Path(os.path.realpath(path))
    folders = {Path(folder.replace("\\040", " ")): kind for _, folder, kind, *_ in lines}
    nearest = next((folder for folder in [target, *target.parents] if folder in folders), None)
    return nearest is None or not folders[nearest].startswith(REMOTE)
