"""The check of certificates in a browser: good ones pass, each bad one is refused."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import expect

from helpers.editions import Folder
from helpers.player import tilings_of
from oracle import LETTERS, write
from satcal.puzzle.loading import load
from satcal.site.edition import build_site

VECTORS = Path(__file__).parents[1] / "proof" / "vectors"
CHECK = """async text => {
  const { check } = await import("./check.js");
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  try {
    return (await check(bytes)).stated.map(({ tilings }) => `${tilings}`);
  } catch (error) {
    return error.message;
  }
}"""


def test_good_vectors_are_accepted_and_bad_ones_refused(windows, site) -> None:
    page = windows.open()
    page.goto(f"{site}manifest.webmanifest")
    files = sorted(VECTORS.glob("*.satcert"))
    assert len(files) >= 30
    for file in files:
        said = page.evaluate(CHECK, base64.b64encode(file.read_bytes()).decode())
        assert isinstance(said, str) != file.name.startswith("good"), (file.name, said)


@pytest.mark.parametrize("where", [5, 60, -80, -20])
def test_a_byte_that_is_another_is_noticed(windows, site, where) -> None:
    page = windows.open()
    page.goto(f"{site}manifest.webmanifest")
    whole = bytearray((VECTORS / "good-three.satcert").read_bytes())
    whole[where] ^= 1
    said = page.evaluate(CHECK, base64.b64encode(bytes(whole)).decode())
    assert isinstance(said, str)


def test_a_tree_is_checked_where_it_is_played(windows, tmp_path: Path) -> None:
    page = windows.open()
    puzzle = load(write(LETTERS, tmp_path / "small.toml"))
    with Folder(tmp_path / "out") as address:
        build_site(tmp_path / "out", {"small": puzzle}, "small", force=True, proofs=["small"])
        for reveal in puzzle.reveals():
            count = len(tilings_of(puzzle, reveal))
            page.goto(f"{address}#believe/small/{reveal[0]}")
            expect(page.locator("#belief")).to_contain_text(f"{count} solution")
            expect(page.locator("#belief")).to_contain_text("proved")
            page.locator("#check").click()
            expect(page.locator("#checked")).to_contain_text("checked here in ")
            expect(page.locator("#checked")).to_contain_text(f"{count} solution")
        tree = tmp_path / "out" / "data" / "small.trees" / f"{b'A'.hex()}.satcert"
        other = tree.with_name(f"{b'B'.hex()}.satcert")
        tree.write_bytes(other.read_bytes())  # a good certificate, of something else
        page.goto("about:blank")
        page.goto(f"{address}#believe/small/A")
        page.locator("#check").click()
        expect(page.locator("#checked")).to_contain_text("The certificate is wrong")
