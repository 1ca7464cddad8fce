"""What a visit loads and keeps: few bytes before the first count, few more for play offline."""

from __future__ import annotations

import gzip

from playwright.sync_api import expect

from helpers.editions import write
from helpers.player import HERE, PUZZLE, Player
from helpers.waiting import until

COUNTED = "!!document.querySelector('#status[data-tilings]')"
LATER = (
    *(".woff2", ".ico", ".svg", ".png", "print.css", "contrast.css", "offline.js", "sheet.css"),
    *(
        "sentences-en-more.json",
        "clock.js",
        "cache.js",
        "habit.js",
        "week.js",
        "views.js",
    ),
    *("print.js", "tutorial.js", "free-cells.js", "notices.js", "picker.js", "days.js"),
)
"""What is asked when the count is known, or never holds it up."""
ALL_KEPT = """async board => {
  const text = await (await fetch("offline.js")).text();
  const names = ["puzzles", board, `${board}.year`, `${board}.evidence`];
  const data = names.map(name => `data/${name}.json`);
  const wanted = [...JSON.parse(/KEPT = (.*);/.exec(text)[1]).files, ...data];
  const kept = await Promise.all(wanted.map(async file =>
    await caches.match(new URL(file, location)) || (await fetch(file)).status === 404));
  return Boolean(navigator.serviceWorker.controller) && kept.every(Boolean);
}"""
"""Whether the service worker is in charge and has kept the page and a board: all there is."""


def test_the_first_count_needs_few_bytes_and_offline_play_few_more(windows, site, edition):
    page = windows.open(own=True, service_workers="allow")
    asked: list[str] = []
    own: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("request", lambda request: own.append(request.url))  # not the service worker's
    page.goto(f"{site}#rhombus/2025-09-25")
    page.wait_for_function(COUNTED)
    early = [url for url in own if not url.endswith(LATER)]  # what the first count waits for
    until(lambda: page.evaluate(ALL_KEPT, "rhombus"))
    page.wait_for_load_state("networkidle")

    def size(urls: list[str]) -> int:
        paths = {url.removeprefix(site).partition("?")[0].partition("#")[0] for url in urls}
        files = [(edition / (path or "index.html")).read_bytes() for path in paths]
        return sum(min(len(file), len(gzip.compress(file))) for file in files)  # as a host sends it

    print(
        f"\n{size([site, *early]):,} bytes until the first count, {size([site, *asked]):,} in all"
    )
    assert size([site, *early]) <= 60_000
    assert size([site, *asked]) <= 230_000  # with every board, all calendars, and what makes boards


def test_before_any_module_has_come_the_tools_have_words_and_the_board_is_asked_for(windows, site):
    page = windows.open(own=True)
    page.route("**/app.js", lambda route: route.abort())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site)
    expect(page.locator("#undo")).to_have_text("Undo")
    expect(page.locator("#message")).to_contain_text("Cover every cell")
    until(lambda: page.title() and f"{site}data/{PUZZLE.name}.json" in asked)
    windows.leave()  # of the module that did not come, and of what was preloaded for it


def test_few_formats_of_intl_are_made_before_the_first_count(windows, site):
    page = windows.open(own=True)
    page.add_init_script("""window.made = 0;
      for (const name of ["DateTimeFormat", "NumberFormat", "PluralRules"]) {
        const construct = (...each) => (made += 1, Reflect.construct(...each));
        Intl[name] = new Proxy(Intl[name], { construct });
      }""")
    page.route(lambda url: url.endswith(LATER), lambda _: None)  # which never come
    page.goto(f"{site}#{HERE}", wait_until="commit")
    page.wait_for_function(COUNTED)
    assert 0 < page.evaluate("made") <= 6  # each takes milliseconds


def test_after_the_first_visit_it_is_the_same_page_without_a_network_and_lost_boards_are_grey(
    windows, hosted, tmp_path
):
    me = Player(windows.open(own=True, service_workers="allow"), hosted(tmp_path))
    write(tmp_path, PUZZLE.name, "tetromino", "pentomino-3x20", "jarring-words")
    for name in ("data/jarring-words.json", "share.js"):  # files that the host lacks
        (tmp_path / name).unlink()
    me.open(HERE)
    kept = ("tetromino.json", "pentomino-3x20.json", "pentomino-3x20.bin", f"{PUZZLE.name}.json")
    has = "name => caches.match(new URL(`data/${name}`, location)).then(Boolean)"
    until(lambda: all(me.page.evaluate(has, name) for name in kept))
    until(lambda: me.page.evaluate(ALL_KEPT, PUZZLE.name))
    me.page.context.set_offline(True)
    me.open(HERE)  # which loads it anew
    me.finish()
    me.click("to-year")
    expect(me.page.locator("#months a")).to_have_count(365)
    me.click("close")
    me.page.evaluate(f"location.hash = 'evidence/{HERE}'")
    expect(me.page.locator("#evidence")).to_have_text("7 solutions: proved")
    me.click("close")
    grey = me.page.locator("#puzzle option:disabled")
    expect(grey).to_have_count(1)
    expect(grey).to_have_attribute("value", "jarring-words")
    for name in ("tetromino", "pentomino-3x20"):
        me.open(name)
        expect(me.page.locator("#puzzle")).to_have_value(name)
    windows.leave()  # of the missing files, and of what a browser asks by itself


def test_two_editions_on_one_host_are_apart_and_a_board_that_left_locks_nobody_out(
    windows, hosted, tmp_path
):
    page = windows.open()
    address = hosted(tmp_path)
    for name in ("one", "two"):
        write(tmp_path / name, PUZZLE.name, "tetromino")
    for there, board in (
        ("one/#tetromino", "tetromino"),
        ("two/", PUZZLE.name),
        ("one/", "tetromino"),  # which was liked there
    ):
        page.goto(f"{address}{there}")
        page.wait_for_function(COUNTED)
        expect(page.locator("#puzzle")).to_have_value(board)
    write(tmp_path / "one", PUZZLE.name)
    for _ in range(2):
        page.goto("about:blank")
        page.goto(f"{address}one/")
        page.wait_for_function(COUNTED)
        expect(page.locator("#puzzle")).to_have_value(PUZZLE.name)
    gone = windows.leave()  # of the file that a list in the browser's cache still named
    assert all("404" in each for each in gone), gone


def test_the_file_itself_says_what_to_do(windows, edition):
    page = windows.open()
    page.goto((edition / "index.html").as_uri())
    expect(page.locator(".from-file")).to_contain_text("satcal site -o today.html")
    expect(page.locator("#play")).to_be_hidden()
    windows.leave()  # of modules in files
