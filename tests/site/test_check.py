"""The check of a certificate in a browser; of others, in node: tests/proof/test_vectors.py."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from helpers.player import tilings_of
from helpers.waiting import until
from oracle import LETTERS, write
from satcal.certificates.certify import make_certificate
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


def test_a_report_has_a_line_for_each_reveal_and_names_another_subject_first(
    windows, hosted, tmp_path
):
    page = windows.open()
    puzzle = load(write(LETTERS, tmp_path / "small.toml"))
    counts = {reveal[0]: len(tilings_of(puzzle, reveal)) for reveal in puzzle.reveals()}
    lines = {label: f'small: "{label}": exactly {n} tiling' for label, n in counts.items()}
    selected = [("A",)], [("B",)], list(puzzle.reveals())
    first, other, every = (make_certificate(puzzle, reveals)[0] for reveals in selected)
    out = tmp_path / "out"
    build_site(out, {"small": puzzle}, "small", force=True)
    page.goto(f"{hosted(out)}#evidence/small/A")
    for content, words, expected in (
        (first, f"{counts['A']} solution", [lines["A"]]),
        (other, "This certificate says nothing about A.", [lines["B"]]),
        (every, f"{counts['A']} solution", lines.values()),
        (
            make_certificate(load("a-puzzle-a-day"), [("Oct", "6")])[0],
            "about another puzzle",
            ["| calls itself"],
        ),
        (first[:-3], "", ["refused: "]),
    ):
        file = tmp_path / "file.satcert"
        file.write_bytes(content)
        page.locator("#report").evaluate("each => { each.textContent = ''; }")
        page.locator("#upload").set_input_files(file)
        for line in expected:
            expect(page.locator("#report")).to_contain_text(line)
        expect(page.locator("#checked")).to_contain_text(words)
        assert str(sum(counts.values())) not in page.locator("#checked").inner_text()


def test_the_sheet_says_that_it_counts_until_it_knows(windows, hosted, tmp_path):
    page = windows.open()
    puzzle = load(write(LETTERS, tmp_path / "small.toml"))
    build_site(tmp_path / "out", {"small": puzzle}, "small", force=True)
    held: list[Route] = []
    page.route("**/*.evidence.json", lambda route, _: held.append(route))
    page.goto(f"{hosted(tmp_path / 'out')}#evidence/small/A")
    body = page.locator("#sheet-body")
    expect(body).to_have_text("Counting…")
    until(lambda: page.title() and held)
    held[0].continue_()
    expect(body.locator("#evidence")).to_contain_text("counted by")


def test_a_view_stays_that_is_opened_right_after_another_is_closed(visit):
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
      let steps = 0; // back, which takes its time
      history.go = (by) => { steps += by; };
      await closed;
      return [location.hash, steps];
    }"""
    assert visit().page.evaluate(opened) == ["#more", 0]
