"""The page of the served edition, in a real browser: what only a server can do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from helpers.player import HERE, SOLUTION, Player, set_preferences
from helpers.waiting import until

PROVE = f"/#evidence/{HERE}"
MORE = f"/#more/{HERE}"


KEEP = """async text => {
  const { keepBoard, loadKnown } = await import("./own-boards.js");
  const { readPuzzleFile } = await import("./puzzle-file.js");
  return keepBoard(await readPuzzleFile(text, "x", loadKnown), { puzzles: [] });
}"""
"""Keep the board of a puzzle file in the browser."""
LIKE_DATES = 'board = "1-2-3 2 * *"\n[categories]\nx = ["1-2-3", "2"]\n[pieces]\nI = "###"'


def download_certificate(page: Page, folder: Path) -> Path:
    """Return the file that the page offers, in a folder."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the certificate").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


@pytest.mark.slow("a browser, and jobs")
def test_prove_it_ends_in_a_certificate_that_satcal_check_accepts(page, run, tmp_path):
    page.goto(PROVE)
    proof, posted = page.locator("#proof"), list[str]()
    expect(page.locator("#evidence")).to_contain_text("7 solutions: proved")
    expect(page.locator("#sheet-body h3")).to_have_text("Prove it again")
    expect(page.locator("#sheet-body")).not_to_contain_text("has no certificate")
    page.on("request", lambda request: posted.append(request.method))
    page.locator("#recount").evaluate("each => { each.click(); each.click(); }")
    expect(proof).to_contain_text("SAT found 7 solutions")
    assert posted.count("POST") == 1  # for both clicks
    page.locator("#certify").click()
    expect(proof).to_contain_text("7 solutions and no other: checked by")
    expect(page.locator("#bar")).to_be_hidden()
    file = download_certificate(page, tmp_path)
    assert file.name == "a-puzzle-a-day-Oct-6.satcert"
    answer = run("check", str(file))
    assert (answer.code, "Oct 6: exactly 7 tilings" in answer.out) == (0, True)
    page.locator("#upload").set_input_files(file)
    expect(page.locator("#checked")).to_contain_text("7 solutions, checked here")


@pytest.mark.slow("a browser, and jobs")
def test_a_board_of_the_browser_is_proved_by_a_certificate_of_its_drawing(page, run, tmp_path):
    page.goto(f"/#{HERE}")
    page.goto(f"/#evidence/{page.evaluate(KEEP, LIKE_DATES)}/1-2-3")
    page.locator("#certify").click()
    expect(page.locator("#proof")).to_contain_text("1 solution and no other: checked by")
    answer = run("check", str(download_certificate(page, tmp_path)))
    assert (answer.code, "1-2-3: exactly 1 tiling" in answer.out) == (0, True)
    assert '"x" = ["1-2-3", "2"]' in answer.out  # it is drawn, as no library has it


def test_a_job_that_is_gone_is_reported(page, windows):
    gone = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no such job"}
    page.route(re.compile("/api/v1/jobs/"), lambda route: route.fulfill(status=404, json=gone))
    page.goto(PROVE)
    page.locator("#recount").click()
    expect(page.locator("#proof")).to_have_text("no such job")
    expect(page.locator("#cancel")).to_be_hidden()
    expect(page.locator("#certify")).to_have_attribute("aria-disabled", "false")
    assert all("404" in complaint for complaint in windows.leave())


def test_a_link_from_another_site_leads_to_the_page_also_after_a_visit(windows, server):
    page = windows.open(private=True, service_workers="allow")
    set_preferences(page, f"{server.url}/")
    page.goto(f"{server.url}/#{HERE}")
    expect(page.locator("#count")).to_have_text("7 solutions")
    page.wait_for_load_state("networkidle")
    workers = "navigator.serviceWorker.getRegistrations().then(all => all.length)"
    assert page.evaluate(workers) == 0
    # an earlier version registered this worker, and a browser may still have it
    page.evaluate("navigator.serviceWorker.register('offline.js').then(() => true)")
    # waiting inside the page is "eval", which the page's policy forbids
    until(lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    page.goto(server.url.replace("127.0.0.1", "localhost") + "/docs")
    page.evaluate(
        "url => document.body.prepend(Object.assign(document.createElement('a'),"
        " {href: url, textContent: 'play'}))",
        server.url,
    )
    with page.expect_response(lambda answer: answer.request.is_navigation_request()) as led:
        page.get_by_role("link", name="play").click()
    assert led.value.status == 200
    expect(page.locator("#puzzle")).to_have_value("a-puzzle-a-day")


def test_a_label_may_look_like_a_date_on_a_board_without_dates(page):
    page.goto(f"/#{HERE}")
    name = page.evaluate(KEEP, LIKE_DATES)
    for label, tilings in (("1-2-3", "1 solution"), ("2", "There is no solution")):
        page.goto(f"/#{name}/{label}")
        expect(page.locator("#title")).to_have_text(label)
        expect(page.locator("#count")).to_have_text(tilings)
    page.goto(f"/#{name}/2025-10-23")
    words = "cannot leave 2025-10-23 uncovered; choose one label of each kind: x."
    expect(page.locator("#sorry-text")).to_contain_text(words)


def test_after_a_move_the_page_sends_no_request(page):
    page.goto(f"/#{HERE}")
    player = Player(page, "/")
    player.resume(*SOLUTION[:-2])
    page.wait_for_load_state("networkidle")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    player.place(*SOLUTION[-2:])
    player.expect_solved()
    assert [url for url in requested if not url.endswith((".js", ".css"))] == []


CLAIM = {"statement": "Oct 6 has 8 tilings", "source": "a page", "board": "a-puzzle-a-day"}
CLAIM |= {"claimed": "8", "truth": "7 (Oct 6)", "reason": "a reason"}
VERDICTS = [CLAIM | {"verdict": each} for each in ("confirmed", "refuted", "settled", "undecided")]
EXAMINED = {"state": "done", "result": {"verdicts": VERDICTS}}
CONTRAST = {"runOnly": ["color-contrast"]}


def test_claims_wait_for_a_server_that_is_away_and_a_chip_shows_those_with_its_verdict(
    page, windows
):
    answers = [lambda route: route.abort()]
    page.route("**/api/v1/claims", lambda route: answers[-1](route))  # noqa: PLW0108
    page.goto("/claims.html")
    state, claims = page.locator("#state"), page.locator("#claims li")
    expect(state).to_have_text("The server does not answer.")
    answers.append(lambda route: route.fulfill(json={"state": "running"}))
    expect(state).to_have_text("Examining the statements…")
    answers.append(lambda route: route.fulfill(json=EXAMINED))
    expect(claims).to_have_count(len(VERDICTS))
    chip = page.get_by_role("button", name="refuted")
    chip.click()
    expect(claims).to_have_count(1)
    expect(claims).to_contain_text("Claimed: 8. In fact: 7 (Oct 6).")
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert all("ERR_FAILED" in complaint for complaint in windows.leave())


@pytest.mark.slow("axe reads eleven views")
def test_axe_finds_nothing_on_any_view_and_none_is_wider_than_its_window(windows, server):
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    page = windows.open((320, 568), private=True, base_url=server.url, locale="ja")
    set_preferences(page, f"{server.url}/")
    page.route("**/api/v1/claims", lambda route: route.fulfill(json=EXAMINED))
    piece, days = page.locator(".piece").first, page.locator(".months a")
    for address, shown in (
        (f"/#{HERE}", piece),
        ("/#pentomino-3x20", piece),
        (f"/#year/{HERE}", days.last),
        (MORE, page.locator("#exports")),
        (PROVE, page.locator("#certify")),
        (f"/#solutions/{HERE}", page.locator("#show-me")),
        (f"/#share/{HERE}", page.locator("#share-picture")),
        (f"/#friends/{HERE}", page.locator("#friends-words")),
        ("/#nope", page.locator("#sorry")),
        (f"/#make/{HERE}", page.locator("#make-grid")),
        ("/claims.html", page.locator("#claims li").last),
    ):  # not /docs: that page is FastAPI's own
        if shown is piece:
            page.goto("about:blank")
        page.goto(address)
        expect(shown).to_be_visible()
        if shown is piece:  # leave one on the board, or hold one
            expect(page.locator("#status[data-tilings]")).to_be_visible()
            piece.focus()
            page.keyboard.press("Enter")
        if address == f"/#{HERE}":
            page.keyboard.press("Enter")
        for scheme, rules in (("light", {}), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=scheme)
            found = axe.run(page, options=rules | {"resultTypes": ["violations"]})
            nodes = [(each["id"], each["nodes"][:3]) for each in found.response["violations"]]
            assert nodes == [], (address, scheme)
        for width, height in ((844, 390), (768, 1024), (320, 568)):
            page.set_viewport_size({"width": width, "height": height})
            # the layout follows the window in a moment
            until(lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_strangers_of_a_public_server_see_no_button_that_needs_a_token(page):
    def fulfill(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"jobs": False})

    page.route("**/data/puzzles.json", fulfill)
    page.goto(PROVE)
    expect(page.locator("#evidence")).to_be_visible()
    expect(page.locator("#certify, #recount")).to_have_count(0)
    page.goto(MORE)
    expect(page.locator("#exports")).to_be_visible()
    expect(page.get_by_role("link", name="Published claims")).to_have_count(0)
