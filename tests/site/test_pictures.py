"""What only a picture shows: two of one run are compared, so no font and no version counts."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageOps
from playwright.sync_api import Locator, Page, expect

from helpers.player import DESKTOP, PHONE, PUZZLE, SOLUTION

CLOSE = 40  # of 255: how far two antialiased pixels of one picture may be apart
MOMENT = """() => {
  for (const each of document.getAnimations()) {
    if (each instanceof CSSTransition) each.currentTime = 90;
    else each.cancel();
  }
}"""
"""Shows what moves as it is 90 ms later, and without what glows."""
ARRIVED = "() => document.getAnimations().forEach(each => each.finish())"


def take(page: Page, **options) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(**options))).convert("RGB")


def crop(picture: Image.Image, found: Locator, inset: float = 0) -> Image.Image:
    """Return the part of a picture of the window where something is, without an edge."""
    box = found.bounding_box()
    left, top = round(box["x"] + inset), round(box["y"] + inset)
    right, low = round(box["x"] + box["width"] - inset), round(box["y"] + box["height"] - inset)
    return picture.crop((left, top, right, low))


def differing(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ."""
    apart = ImageChops.difference(one, other.resize(one.size)).convert("L")
    return sum(apart.histogram()[CLOSE:]) / (apart.width * apart.height)


def test_board_and_pieces_are_printed_on_one_sheet_with_labels_in_the_middle(visit):
    player = visit(private=True)
    expect(player.find(".paper-piece")).to_have_count(8)
    expect(player.find("#paper h1")).to_have_text("Monday, 6 October 2025")
    for paper in ("A4", "Letter"):
        pages = player.page.pdf(format=paper, prefer_css_page_size=False).count(b"/Type /Page\n")
        assert pages == 1, paper
    inside = """all => all.every(each => {
      const box = each.getBBox(), place = each.transform.baseVal[0].matrix;
      const view = document.querySelector("#paper svg").viewBox.baseVal;
      return place.e + box.x >= 0 && place.f + box.y + box.height <= view.height
        && place.e + box.x + box.width <= view.width;
    })"""
    assert player.find(".paper-piece").evaluate_all(inside)
    player.page.emulate_media(media="print")
    middles = player.find("#paper text").evaluate_all("""all => all.map(each => {
      const { a, e, f } = each.getScreenCTM();
      return [e + a * each.getAttribute("x"), f + a * each.getAttribute("y"), a * 10];
    })""")  # a cell is ten units wide
    paper = take(player.page, full_page=True).convert("L")
    assert len(middles) == len(PUZZLE.labels) + len(PUZZLE.pieces)
    for x, y, cell in middles:
        corner = x - 0.4 * cell, y - 0.4 * cell  # within the lines of the cell
        inside = paper.crop((*map(round, corner), *(round(each + 0.8 * cell) for each in corner)))
        left, top, right, low = inside.point(lambda shade: 255 * (shade < 90)).getbbox()
        assert abs(left + right - inside.width) / 2 < 0.05 * cell
        assert abs(top + low - inside.height) / 2 < 0.12 * cell


def test_with_forced_colours_pieces_keep_theirs_a_sheet_covers_and_marks_differ(visit):
    player = visit(private=True, forced_colors="active")
    expect(player.piece(SOLUTION[0]).locator(".name")).to_be_visible()
    fills = "all => new Set(all.map(each => getComputedStyle(each).fill)).size"
    assert player.find(".piece .body").evaluate_all(fills) == len(PUZZLE.pieces)
    player.finish()
    player.click("to-year")
    expect(player.find("#months a[aria-current]")).to_be_visible()  # nothing moves from now on
    marks = player.find("#marks .mark")
    expect(marks).to_have_count(4)
    marks.last.scroll_into_view_if_needed()
    picture = take(player.page)
    begun, solved, late, _ = (crop(picture, each) for each in marks.all())
    assert differing(begun, solved) > 0.2
    assert differing(solved, late) > 0.2
    sheet = player.find("#sheet")
    before = crop(take(player.page), sheet, 24)  # within its round corners
    player.page.add_style_tag(content="#play { visibility: hidden }")
    assert differing(before, crop(take(player.page), sheet, 24)) == 0


def test_the_page_of_an_error_has_the_colours_of_the_header_and_no_band(visit):
    player = visit()
    header = take(player.page).getpixel((2, 2))
    player.page.goto(f"{player.site}#nothing/2025-10-06")
    expect(player.find("#sorry")).to_be_visible()
    edge = take(player.page).crop((2, 0, 3, 650))
    assert edge.getpixel((0, 2)) == header
    step = ImageChops.difference(edge.crop((0, 1, 1, 650)), edge.crop((0, 0, 1, 649)))
    assert max(high for _, high in step.getextrema()) < 5


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_from_right_to_left_the_page_is_its_mirror_and_the_board_is_not(visit, size):
    player = visit(size, private=True, locale="de")  # any language but English has the rules
    player.page.wait_for_function(
        "[...document.styleSheets].some(each => each.href?.endsWith('languages.css'))"
    )
    player.find("#puzzle option").evaluate_all("all => all.forEach(o => o.textContent = '')")
    names = ("before", "after", "puzzle", "undo", "to-more", "table")
    found = [player.find(f"#{name}") for name in names]
    boxes = [each.bounding_box() for each in found]
    picture = take(player.page)
    pictures = [crop(picture, each) for each in found]
    player.page.evaluate("document.documentElement.dir = 'rtl'")
    player.wait_for_frames()
    picture, width = take(player.page), size[0]
    for name, each, box, seen in zip(names, found, boxes, pictures, strict=True):
        now = each.bounding_box()
        assert now["x"] == pytest.approx(width - box["x"] - box["width"], abs=2), name
        mirrored = differing(ImageOps.mirror(seen), crop(picture, each))
        same = differing(seen, crop(picture, each))
        turned = name in ("before", "after", "puzzle")
        assert (mirrored < same) is turned, name
