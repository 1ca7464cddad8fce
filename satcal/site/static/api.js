// Requests to the API of `satcal serve`. Numbers beyond 2^53 come as BigInt: a count is exact or nothing.

import "./sentences-served.js";
import { say } from "./words.js";

const API = "api/v1";

/** @param {string} _key @param {unknown} value @param {{source?: string}} [context] */
const exact = (_key, value, context) => (typeof value === "number" && Number.isInteger(value)
  && !Number.isSafeInteger(value) && context?.source ? BigInt(context.source) : value);

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
export async function request(path, options) {
  const response = await fetch(API + path, options).catch(() => null);
  if (!response) throw new Error(say("server-away"));
  const text = await response.text();
  if (response.ok) return JSON.parse(text, exact);
  let detail = `${response.status} ${response.statusText}`;
  try { detail = JSON.parse(text).detail ?? detail; } catch { /* not from us */ }
  throw new Error(detail);
}

/** @param {string} path @param {object} value a file, or what is sent as JSON */
export const post = (path, value) => request(path, value instanceof Blob
  ? { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: value }
  : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });

/** Follows a job to its end; `changed` is told whenever it changes. A stream that breaks off is taken up
 * again; the promise is rejected when the job cannot be had any more.
 * @param {string} job @param {(job: any) => void} changed @returns {Promise<any>} */
export const follow = (job, changed) => new Promise((resolve, reject) => {
  const source = new EventSource(`${API}/jobs/${job}/events`);
  const see = (/** @type {any} */ now) => {
    changed(now);
    if (!["done", "failed", "cancelled"].includes(now.state)) return;
    source.close();
    resolve(now);
  };
  source.addEventListener("job", (event) => see(JSON.parse(event.data, exact)));
  source.addEventListener("error", () => request(`/jobs/${job}`).then(see, (error) => { // an end looks like this, too
    if (source.readyState === EventSource.CLOSED) reject(error); // else the browser tries again
  }));
});
