// Colours as the system has them, light, or dark.
import { liked } from "./keep.js";

export function applyTheme() {
  const theme = liked("theme", "auto");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

applyTheme();
