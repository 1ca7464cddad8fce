// What brings a player back: a badge until today is solved, an offer to install, an entry for the calendar.
import { daysOf } from "./days.js";
import { loadDay } from "./storage.js";
import { today } from "./i18n.js";

const INSTALL_AFTER = 3; // days solved
let install = /** @type {any} */ (null); // the browser's offer
globalThis.addEventListener?.("beforeinstallprompt", (event) => {
  event.preventDefault();
  install = event;
});

/** Mark the icon of an installed page until today is solved. @param {string} name of a puzzle with dates */
export function updateBadge(name) {
  const { setAppBadge, clearAppBadge } = /** @type {any} */ (navigator);
  if (setAppBadge) (loadDay(`${name}/${today()}`).solved ? clearAppBadge : setAppBadge).call(navigator).catch(() => {});
}

/** Return what installs the page, once some days are solved and the browser offers it. @param {string} name */
export function installer(name) {
  const solved = [...daysOf(name).values()].filter((day) => day.solved).length;
  return install && solved >= INSTALL_AFTER ? () => install.prompt() : null;
}

/** Return an entry for every morning at 8, local time (RFC 5545). @param {string} summary @param {string} url @param {string} from a date */
export function calendarEntry(summary, url, from) {
  const day = from.replaceAll("-", "");
  const escaped = summary.replaceAll(/[\\;,]/g, "\\$&");
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//satcal//EN", "BEGIN:VEVENT", `UID:${url}`, `DTSTAMP:${day}T000000Z`, `DTSTART:${day}T080000`,
    "DURATION:PT10M", "RRULE:FREQ=DAILY", `SUMMARY:${escaped}`, `URL:${url}`, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
}
