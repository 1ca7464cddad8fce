// The button in the header: as the system has it, light, or dark.
const button = document.getElementById("theme");
const order = { auto: "light", light: "dark", dark: "auto" };
const names = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" };
let theme = "auto";
try { theme = localStorage.getItem("theme") ?? "auto"; } catch { /* storage may be off */ }
if (!(theme in order)) theme = "auto";

function apply() {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.textContent = names[theme];
  button.setAttribute("aria-label", `Colours: ${theme}`);
}

button.hidden = false;
button.addEventListener("click", () => {
  theme = order[theme];
  try { localStorage.setItem("theme", theme); } catch { /* then it lasts for this page */ }
  apply();
});
apply();
