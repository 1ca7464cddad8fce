"""Where `results/` is: in a checkout, or the copy that an installed wheel carries."""

from __future__ import annotations

from pathlib import Path

from satcal.errors import Missing

_PACKAGE = Path(__file__).resolve().parent.parent


def results_folder(package: Path = _PACKAGE) -> Path:
    """Return the folder that holds ``published/`` (claims) and ``counts/`` (tables).

    Args:
        package: the folder of the package ``satcal``.

    Raises:
        Missing: neither a checkout nor a complete installation.
    """
    # the wheel's own copy first: beside an installed package stand the folders of others
    for folder in (package / "results", package.parent / "results"):
        if (folder / "published").is_dir():
            return folder
    raise Missing(
        f"the published claims and counted tables are not in {package / 'results'}; reinstall "
        "satcal, or run it from a checkout"
    )
