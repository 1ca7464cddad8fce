// Colours as the system has them, light, or dark.
import { liked } from "./keep.js";

export function applyTheme() {
  document.documentElement.dataset.theme = liked("theme", "auto");
}

applyTheme();
