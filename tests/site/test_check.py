"""The check of a certificate in a browser; of others, in node: tests/proof/test_vectors.py."""

from __future__ import annotations

from playwright.sync_api import expect

from helpers.player import tilings_of
from oracle import LETTERS, write
from satcal.puzzle.loading import load
from satcal.site.edition import build_site


def test_a_tree_is_checked_where_it_is_played(windows, hosted, tmp_path):
    page = windows.open()
    puzzle = load(write(LETTERS, tmp_path / "small.toml"))
    out = tmp_path / "out"
    address = hosted(out)
    build_site(out, {"small": puzzle}, "small", force=True, certified=["small"])
    for reveal in puzzle.reveals():
        count = len(tilings_of(puzzle, reveal))
        page.goto(f"{address}#small/{reveal[0]}")
        expect(page.locator("#sheet")).to_be_hidden()  # which was of another reveal
        page.goto(f"{address}#evidence/small/{reveal[0]}")
        expect(page.locator("#evidence")).to_contain_text(f"{count} solution")
        expect(page.locator("#evidence")).to_contain_text("proved")
        page.locator("#check").click()
        expect(page.locator("#checked")).to_contain_text("checked here in ")
        expect(page.locator("#checked")).to_contain_text(f"{count} solution")
    tree = out / "data" / "small.trees" / f"{b'A'.hex()}.satcert"
    other = tree.with_name(f"{b'B'.hex()}.satcert")
    tree.write_bytes(other.read_bytes())  # a good certificate, of something else
    page.goto(f"{address}#small/A")
    expect(page.locator("#sheet")).to_be_hidden()
    page.goto(f"{address}#evidence/small/A")
    page.locator("#check").click()
    expect(page.locator("#checked")).to_contain_text("The certificate is wrong")


def test_a_view_stays_that_is_opened_right_after_another_is_closed(player):
    opened = """async () => {
      const sheet = document.getElementById("sheet");
      const go = (hash) => new Promise((resolve) => {
        addEventListener("hashchange", resolve, { once: true });
        location.hash = hash;
      });
      const task = () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
      await go("#more");
      while (!sheet.open) await new Promise(requestAnimationFrame);
      const closed = new Promise((resolve) => sheet.addEventListener("close", resolve));
      await go("#");
      while (sheet.open) await task(); // the event of its closing comes with the next frame
      await go("#more");
      await closed;
      for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
      return location.hash;
    }"""
    assert player().page.evaluate(opened) == "#more"
