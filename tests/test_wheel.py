"""The wheel works where the checkout is out of the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_wheel_counts_and_carries_the_library_the_claims_and_the_tables(tmp_path: Path) -> None:
    site = tmp_path / "site"
    published = site / "satcal" / "results" / "published"

    def python(*arguments: str) -> str:
        said = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, timeout=120,
            env=os.environ | {"PYTHONPATH": str(site)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert said.returncode == 0, said.stderr
        return said.stdout + said.stderr

    python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT))
    (wheel,) = tmp_path.glob("satcal-*.whl")
    python("-m", "pip", "install", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    assert python("-c", "import satcal; print(satcal.__file__)").startswith(f"{site}/satcal/")
    assert ",Oct,6,7,diagram" in python("-m", "satcal", "count", "--reveal", "Oct,6")
    assert "rhombus" in python("-m", "satcal", "boards")
    names = sorted(path.name for path in published.glob("*.toml"))
    assert names == sorted(path.name for path in (ROOT / "results" / "published").glob("*.toml"))
    (kuniga,) = published.glob("kuniga*")
    said = python("-m", "satcal", "claims", str(kuniga), "--recount", "1")
    assert "equal to satcal's tables: 1 of a-puzzle-a-day" in said
    assert "5 statements: 5 confirmed, 0 refuted, " in said
