"""The wheel works where the checkout is out of the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder into which the wheel is installed, without what it depends on."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)],
        cwd=ROOT, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    (wheel,) = folder.glob("satcal-*.whl")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--target", str(folder / "site"), str(wheel)],
        cwd=folder, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return folder / "site"


def run(site, *command):
    return subprocess.run(
        [sys.executable, *command], cwd=site.parent, env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_installed_package_is_the_one_that_runs(site):
    said = run(site, "-c", "import satcal; print(satcal.__file__)")
    assert said.stdout.strip() == str(site / "satcal" / "__init__.py")


def test_the_wheel_counts_and_knows_the_library(site):
    said = run(site, "-m", "satcal", "count", "--reveal", "Oct,6")
    assert said.returncode == 0, said.stderr
    assert ",Oct,6,7,diagram" in said.stdout
    assert "rhombus" in run(site, "-m", "satcal", "boards").stdout


def test_the_wheel_carries_published_claims_and_tables(site):
    files = sorted((site / "satcal" / "results" / "published").glob("*.toml"))
    assert [f.name for f in files] == sorted(
        f.name for f in (ROOT / "results" / "published").glob("*.toml")
    )
    said = run(
        site, "-c", "from satcal.evidence.claims.reading import published; print(*published())"
    )
    assert said.stdout.split() == list(map(str, files))
    (claim,) = (f for f in files if f.name.startswith("kuniga"))
    said = run(site, "-m", "satcal", "claims", str(claim), "--recount", "1")
    assert said.returncode == 0, said.stderr
    assert "equal to satcal's tables: 1 of a-puzzle-a-day" in said.stderr
    assert "5 statements: 5 confirmed, 0 refuted, 0 settled, 0 undecided" in said.stderr
