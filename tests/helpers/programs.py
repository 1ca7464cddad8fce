"""What tests need besides Python packages, and the Debian package that has it.

A test says ``need("clasp")`` before it runs clasp, or is marked ``needs("clasp")``. Where clasp is
missing the test is skipped, and the end of the run says what was skipped and how to get it; under
``SATCAL_TEST_ALL=1`` nothing may be skipped.

    python3 tests/helpers/programs.py            prints the packages that this machine lacks
    python3 tests/helpers/programs.py FOLDER     makes the folder a PATH without them
"""

from __future__ import annotations

import ctypes.util
import glob
import itertools
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGES = {
    "cadical": "cadical",
    "cairo": "libcairo2",
    "chromium-headless-shell": "chromium-headless-shell",
    "clasp": "clasp",
    "clingo": "gringo",
    "coqc": "coq libcoq-stdlib",
    "coqchk": "coq",
    "cryptominisat5": "cryptominisat",
    "curl": "curl",
    "a font": "fonts-dejavu-core",
    "firefox-esr": "firefox-esr",
    "gcc": "gcc libc6-dev",
    "initdb": "postgresql",
    "js_of_ocaml": "js-of-ocaml",
    "minisat": "minisat",
    "node": "nodejs",
    "npm": "npm",
    "ocamlopt": "ocaml-nox",
    "picosat": "picosat",
    "postgres": "postgresql",
    "rsvg-convert": "librsvg2-bin",
    "setpriv": "util-linux",
    "xz": "xz-utils",
}
ALTERNATIVES = {"chromium-headless-shell": ("chromium",)}
"""Programs that do as well as one of the table."""
NEEDS = "needs "
"""How the reason of a skipped test begins."""


def path_of(name: str) -> str | None:
    """Return the path of a program, a library or a font of the table; None if it is missing."""
    if name == "cairo":
        return ctypes.util.find_library("cairo")
    if name == "a font":
        return next(glob.iglob("/usr/share/fonts/**/*.ttf", recursive=True), None)
    # Debian keeps the programs of a PostgreSQL server out of the PATH, where psql is
    servers = sorted(glob.glob("/usr/lib/postgresql/*/bin")) if shutil.which("psql") else []
    path = os.pathsep.join([os.environ["PATH"], *servers[-1:]])
    found = (shutil.which(each, path=path) for each in (name, *ALTERNATIVES.get(name, ())))
    return next(filter(None, found), None)


def packages(names: set[str]) -> str:
    """Return the Debian packages that have these, as apt-get takes them."""
    return " ".join(sorted({PACKAGES[name] for name in names}))


def need(*names: str) -> None:
    """Skip the test unless all of these are here."""
    import pytest

    missing = [name for name in names if path_of(name) is None]
    if missing:
        pytest.skip(NEEDS + ", ".join(missing))


def named_in(command: str) -> list[str]:
    """Return the programs of the table that a shell command names."""
    return [name for name in PACKAGES if re.search(rf"(?<![\w.-]){name}(?![\w.-])", command)]


def bound_by_permissions() -> list[str]:
    """Return what starts a program that may not ignore permissions and limits, as root may."""
    if os.geteuid():
        return []
    need("setpriv")
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def closing_lines(reasons: list[str]) -> Iterator[str]:
    """Yield what the end of a run says of the skipped tests: a line for each reason, and a cure."""
    counts = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    for reason, number in sorted(counts.items()):
        yield f"{number} test{'s' * (number != 1)} skipped: {reason}"
    wanted = [reason.removeprefix(NEEDS) for reason in counts if reason.startswith(NEEDS)]
    if wanted:
        missing = {name for names in wanted for name in names.split(", ")}
        yield f"to run those with needs: apt-get install {packages(missing)}"


def link_others(folder: Path) -> None:
    """Link into a folder what is on the PATH, but nothing of the table: a bare machine's PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    hidden = {*PACKAGES, *itertools.chain(*ALTERNATIVES.values()), "psql"}
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if program.name not in hidden and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)


if __name__ == "__main__":
    if sys.argv[1:]:
        link_others(Path(sys.argv[1]))
    else:
        print(packages({name for name in PACKAGES if path_of(name) is None}))
