// Two parts of a page are both called "complementary"; a name tells a screen reader which is which.
for (const [part, name] of [[".sidebar-drawer", "All pages"], [".toc-drawer", "This page"]]) {
  document.querySelector(part)?.setAttribute("aria-label", name);
}

// What is wider than the page scrolls by keyboard as well.
for (const box of document.querySelectorAll("pre, .table-wrapper, .year-scroll, .cell_output")) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
}
