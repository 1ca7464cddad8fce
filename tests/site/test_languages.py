"""The page in other languages: chosen, changed, and with long words."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from helpers.browser import script
from helpers.player import HERE, set_preferences
from helpers.waiting import wait_for_value

COUNTED, FAULTS = "#status[data-tilings]", script("words")


def test_the_page_speaks_the_language_of_the_browser_and_loads_no_other(windows, site):
    page = windows.open(private=True, locale="zh-TW")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{site}#{HERE}")
    expect(page.locator(COUNTED)).to_be_visible()
    expect(page.locator("#today")).to_have_text("今天")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator(".revealed + text").last).to_have_text("10月")
    expect(page.locator("#free li").first).to_be_attached()  # in sentences that come later
    loaded = {name for url in requested for name in re.findall(r"sentences-(.*)\.json", url)}
    assert loaded == {"zh-Hant", "zh-Hant-more"}


def test_a_language_that_is_chosen_stays_and_links_do_not_change(windows, site):
    page = windows.open()
    set_preferences(page, site)
    page.goto(f"{site}#more/rhombus/Thu,Oct,23")
    page.locator("#language").select_option("pl")
    expect(page.locator("#sheet-title")).to_have_text("Więcej")
    page.locator("#close").click()
    expect(page.locator("#title")).to_have_text("Czw, paź i 23")
    expect(page).to_have_url(f"{site}#rhombus/Thu,Oct,23")
    page.reload()
    expect(page.locator("#undo")).to_have_text("Cofnij")


def pseudo(text: str) -> str:
    """Lengthen the sentences of a file by a third, and mark where each begins and ends."""

    def longer(sentence: str) -> str:
        words = sentence.split(" ")
        more = " ".join(words[: (len(words) + 2) // 3]) if len(words) > 2 else ""
        more = re.sub(r"\\{[^}]*\\}?|[^{]*\\}", "", more)
        return f"⟦{sentence}{' ' + more if more else ''}⟧"

    return json.dumps({name: longer(sentence) for name, sentence in json.loads(text).items()})


def test_no_sentence_is_missing_and_none_overflows_with_long_words(windows, site):
    page = windows.open((320, 568), private=True)
    page.route(
        re.compile("sentences-en"),
        lambda route: route.fulfill(
            body=pseudo(route.fetch().text()), content_type="application/json"
        ),
    )
    set_preferences(page, site)
    for view in ("", "more/", "solutions/", "year/", "share/", "friends/", "evidence/"):
        page.goto(f"{site}#{view}{HERE}")
        page.locator(COUNTED).wait_for()
        if view:
            page.locator(f"#sheet[data-view={view[:-1]}] #sheet-body > *").first.wait_for()
        wait_for_value(lambda: page.evaluate(FAULTS), [])
