"""The page of the served edition, in a real browser: what only a server can do."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from playing import DATE
from playwright.sync_api import Page, expect
from serving import start

MORE = f"/#more/rhombus/{DATE}"


def test_prove_it_ends_in_a_certificate_that_satcal_check_accepts(desktop: Page, tmp_path) -> None:
    desktop.goto(MORE)
    desktop.locator("#certify").click()
    expect(desktop.locator("#proof")).to_contain_text(
        "4 tilings and no other: the proof was replayed by", timeout=120_000
    )
    expect(desktop.locator("#bar")).to_be_hidden()
    with desktop.expect_download() as download:
        desktop.get_by_role("link", name="Download the certificate").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "rhombus-Thu-Sep-25.satcert"
    said = subprocess.run(
        [sys.executable, "-m", "satcal", "check", str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert "Thu Sep 25: exactly 4 tilings" in said.stdout
    desktop.locator("#upload").set_input_files(file)
    expect(desktop.locator("#proof")).to_contain_text("4 tilings and no other", timeout=60_000)


def test_a_job_that_is_gone_is_said_to_be_gone(server, browser) -> None:
    desktop = browser.new_page(base_url=server.url, service_workers="block")
    gone = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no such job"}
    desktop.route("**/api/v1/jobs/*", lambda route: route.fulfill(status=404, json=gone))
    desktop.route("**/api/v1/jobs/*/events", lambda route: route.fulfill(status=404, json=gone))
    desktop.goto(MORE)
    desktop.locator("#recount").click()
    expect(desktop.locator("#proof")).to_have_text("no such job")
    expect(desktop.locator("#cancel")).to_be_hidden()
    expect(desktop.locator("#certify")).to_have_attribute("aria-disabled", "false")
    desktop.close()


def test_two_quick_clicks_make_one_job(desktop: Page) -> None:
    desktop.goto(MORE)
    expect(desktop.locator("#recount")).to_be_visible()
    posted: list[str] = []
    desktop.on("request", lambda request: posted.append(request.method))
    desktop.locator("#recount").evaluate("each => { each.click(); each.click(); }")
    expect(desktop.locator("#proof")).to_contain_text("4 tilings by SAT", timeout=60_000)
    assert posted.count("POST") == 1


def test_a_link_from_another_site_leads_to_the_page_also_after_a_visit(server, browser) -> None:
    page = browser.new_page()
    page.goto(f"{server.url}/#rhombus/{DATE}")
    expect(page.locator("#count")).to_have_text("4 tilings.")
    page.wait_for_load_state("networkidle")
    workers = "navigator.serviceWorker.getRegistrations().then(all => all.length)"
    assert page.evaluate(workers) == 0
    # an earlier version had this worker, and so may browsers have
    page.evaluate("navigator.serviceWorker.register('offline.js')")
    page.wait_for_function("navigator.serviceWorker.controller")
    page.goto(server.url.replace("127.0.0.1", "localhost") + "/docs")
    page.evaluate(
        "url => document.body.prepend(Object.assign(document.createElement('a'),"
        " {href: url, textContent: 'play'}))",
        server.url,
    )
    with page.expect_navigation() as led:
        page.get_by_role("link", name="play").click()
    assert led.value.status == 200
    expect(page.locator("#title")).to_contain_text("Praxis Rhombus")
    page.close()


def test_a_label_may_look_like_a_date_on_a_board_without_dates(desktop: Page, api) -> None:
    text = 'board = "1-2-3 2 * *"\n[categories]\nx = ["1-2-3", "2"]\n[pieces]\nI = "###"'
    name = api.post("/puzzles", json={"definition": text}).json()["id"]
    for label, tilings in (("1-2-3", "1 tiling."), ("2", "It has no tiling.")):
        desktop.goto(f"/#{name}/{label}")
        expect(desktop.locator("#title")).to_contain_text(f", {label}")
        expect(desktop.locator("#count")).to_have_text(tilings)
    desktop.goto(f"/#{name}/2025-10-23")
    words = "can leave no 2025-10-23 uncovered: it takes one x."
    expect(desktop.locator("#sorry-text")).to_contain_text(words)


def test_after_each_move_nothing_is_asked_of_the_server(desktop: Page) -> None:
    desktop.goto(f"/#rhombus/{DATE}")
    expect(desktop.locator("#count")).to_have_text("4 tilings.")
    desktop.wait_for_load_state("networkidle")
    asked: list[str] = []
    desktop.on("request", lambda request: asked.append(request.url))
    for _ in range(3):
        desktop.locator("#hint").click()
        desktop.wait_for_timeout(100)
    expect(desktop.locator("#count")).to_have_text("Solved!")
    assert [url for url in asked if "/api/" in url] == []


def test_ones_own_board_is_clicked_labelled_drawn_counted_and_solved(desktop: Page) -> None:
    desktop.goto("/make.html")
    said, count = desktop.locator("#said"), desktop.get_by_role("button", name="Count", exact=True)
    count.click()
    expect(said).to_have_text(re.compile(r"^\d+ tilings of 4 reveals\.$"), timeout=60_000)
    expect(desktop.get_by_role("link", name="Solve it")).to_be_visible()
    board = desktop.locator("#grid")
    board.get_by_label("Row 3, column 4").click()
    expect(desktop.get_by_role("link", name="Solve it")).to_have_count(0)  # it was another board
    count.click()
    expect(said).to_contain_text("the area does not add up", timeout=60_000)
    board.get_by_label("Row 3, column 4").click()
    desktop.get_by_label("type labels").check()
    board.get_by_label("Row 1, column 4").fill("<b>")
    desktop.reload()  # what was drawn is kept
    desktop.get_by_label("type labels").check()
    expect(board.get_by_label("Row 1, column 4")).to_have_value("<b>")
    count.click()
    expect(desktop.locator("#result li", has_text="<b>")).to_be_visible(timeout=60_000)
    desktop.get_by_role("link", name="Solve it").click()
    expect(desktop.locator("#title")).to_have_text("mine, A")
    expect(desktop.locator("#table text", has_text="<b>")).to_be_visible()
    assert desktop.locator("#table b").count() == 0
    desktop.get_by_label("label").select_option("B")
    expect(desktop.locator("#title")).to_have_text("mine, B")
    for _ in range(3):
        desktop.locator("#hint").click()
        desktop.wait_for_timeout(100)
    expect(desktop.locator("#count")).to_have_text("Solved!")


def test_what_is_wrong_with_a_piece_is_told_at_its_field(desktop: Page) -> None:
    desktop.goto("/make.html")
    first, second = (desktop.get_by_role("group", name=f"Piece {name}") for name in "LT")
    second.get_by_label("Name").fill("L")
    expect(desktop.locator("#wrong-1")).to_have_text("There is a piece of this name.")
    expect(second.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    desktop.get_by_role("button", name="Count", exact=True).click()
    expect(second.get_by_label("Name")).to_be_focused()
    second.get_by_label("Name").fill("T")
    for row, column in ((1, 1), (2, 1), (3, 1), (3, 2)):
        first.get_by_label(f"Row {row}, column {column}").click()
    expect(desktop.locator("#wrong-0")).to_have_text("It has no squares.")
    desktop.locator("#from").select_option("tetromino")
    expect(desktop.get_by_role("group", name="Piece O4")).to_be_visible()
    expect(desktop.locator("#area")).to_have_text(
        "43 cells on the board, 41 squares in the pieces."
    )


def test_claims_wait_for_a_server_that_is_away(browser, tmp_path, cache) -> None:
    with start(tmp_path, cache) as server:
        page = browser.new_page(service_workers="block")
        away = True
        page.route("**/api/v1/claims", lambda route: route.abort() if away else route.continue_())
        page.goto(f"{server.url}/claims.html")
        state = page.locator("#state")
        expect(state).to_have_text("The server does not answer.")
        away = False
        expect(state).not_to_contain_text("server", timeout=10_000)
        page.close()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.browser)])
@pytest.mark.parametrize("address", ["/make.html", "/claims.html", "/docs", MORE])
def test_axe_finds_nothing(server, browser, address, scheme) -> None:
    context = browser.new_context(
        base_url=server.url, color_scheme=scheme, reduced_motion="reduce",
        viewport={"width": 390 if scheme == "dark" else 1366, "height": 664},
    )  # fmt: skip
    page = context.new_page()
    page.goto(address)
    page.wait_for_timeout(500)
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
