// Two parts of a page are both called "complementary"; a name tells a screen reader which is which.
for (const [part, name] of [[".sidebar-drawer", "All pages"], [".toc-drawer", "This page"]]) {
  document.querySelector(part)?.setAttribute("aria-label", name);
}
