// Drawings of 24 by 24.
import { createSvg } from "./geometry.js";

/** @type {Record<string, string>} */
const ICONS = {
  redo: "m15 5 5 5-5 5M20 10H10a5.5 5.5 0 0 0 0 11h3", "start-again": "M4 12a8 8 0 1 0 2.5-5.800L4 8.500M4 3.500v5h5",
  solutions: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", share: "M12 15V4M8 7.5 12 3.500l4 4M5 12v8h14v-8",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z", evidence: "M12 3.5 19.5 6v6c0 4.5-3 7.3-7.5 8.500C7.5 19.3 4.5 16.5 4.5 12V6zM8.5 12l2.5 2.5 4.5-5",
  friends: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-4 2.5-6 6.5-6s6.500 2 6.500 6M16 4.500a3.300 3.300 0 0 1 0 6.300M17.500 14.500c2.600.7 4 2.500 4 5.500",
  reminder: "M12 4a6 6 0 0 0-6 6v4.5L4.5 17h15L18 14.500V10a6 6 0 0 0-6-6M10 20h4", make: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3", tick: "m5 12.5 5 5L19.5 7.500",
};

/** @param {string} name */
export const icon = (name) => createSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, createSvg("path", { d: ICONS[name] }));
