"""The check of a certificate in a browser; of others, in node: tests/proof/test_vectors.py."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from helpers.browser import script
from helpers.waiting import until
from oracle import LETTERS, TINY, truth
from satcal.certificates.certify import make_certificate
from satcal.site.edition import build_site

SMALL = LETTERS.load()
COUNTS = {label: count for (label,), count in truth(LETTERS).items()}


@pytest.fixture(scope="module")
def address(hosted, tmp_path_factory) -> str:
    """The address of the evidence for two boards, one with certificates and one without."""
    out = tmp_path_factory.mktemp("small") / "out"
    build_site(out, {"small": SMALL, "tiny": TINY.load()}, "small", certified=["small"])
    return f"{hosted(out)}#evidence/"


def test_a_tree_is_checked_where_it_is_played(windows, address):
    page = windows.open()
    for label, count in COUNTS.items():
        page.goto(f"{address}small/{label}".replace("evidence/", ""))
        expect(page.locator("#sheet")).to_be_hidden()  # which was of another reveal
        page.goto(f"{address}small/{label}")
        expect(page.locator("#evidence")).to_contain_text(f"{count} solution")
        expect(page.locator("#evidence")).to_contain_text("proved")
        page.locator("#check").click()
        expect(page.locator("#checked")).to_contain_text("checked here in ")
        expect(page.locator("#checked")).to_contain_text(f"{count} solution")


def test_a_report_has_a_line_for_each_reveal_and_names_another_subject_first(
    windows, address, tmp_path
):
    page = windows.open()
    lines = {label: f'small: "{label}": exactly {n} tiling' for label, n in COUNTS.items()}
    first, other, every = (
        make_certificate(SMALL, [(label,) for label in labels])[0] for labels in ("A", "B", COUNTS)
    )
    stranger = make_certificate(TINY.load(), [("Jan", "1")])[0]
    page.goto(f"{address}small/A")
    for content, words, expected in (
        (first, f"{COUNTS['A']} solution", [lines["A"]]),
        (other, "This certificate says nothing about A.", [lines["B"]]),
        (every, f"{COUNTS['A']} solution", lines.values()),
        (stranger, "about another puzzle", ["| calls itself"]),
        (first[:-3], "", ["refused: "]),
    ):
        file = tmp_path / "file.satcert"
        file.write_bytes(content)
        page.locator("#report").evaluate("each => { each.textContent = ''; }")
        page.locator("#upload").set_input_files(file)
        for line in expected:
            expect(page.locator("#report")).to_contain_text(line)
        expect(page.locator("#checked")).to_contain_text(words)
        assert str(sum(COUNTS.values())) not in page.locator("#checked").inner_text()


def test_the_sheet_says_that_it_counts_until_it_knows(windows, address):
    page = windows.open()
    held: list[Route] = []
    page.route("**/*.evidence.json", lambda route, _: held.append(route))
    page.goto(f"{address}tiny/Jan,1")
    body = page.locator("#sheet-body")
    expect(body).to_have_text("Counting…")
    until(lambda: page.title() and held)
    held[0].continue_()
    expect(body.locator("#evidence")).to_contain_text("counted by")


def test_a_view_stays_that_is_opened_right_after_another_is_closed(visit):
    assert visit().page.evaluate(script("reopen")) == ["#more", 0]
