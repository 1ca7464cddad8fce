// Requests to the API of `satcal serve`. Integers beyond 2^53 become BigInt, so that counts are exact.

import { addSentences, translate } from "./i18n.js";

await addSentences("served");

const API = "api/v1";

/** @param {string} _key @param {unknown} value @param {{source?: string}} [context] */
const exact = (_key, value, context) => (typeof value === "number" && Number.isInteger(value)
  && !Number.isSafeInteger(value) && context?.source ? BigInt(context.source) : value);

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
export async function request(path, options) {
  const response = await fetch(API + path, options).catch(() => null);
  if (!response) throw new Error(translate("server-away"));
  const text = await response.text();
  if (response.ok) return JSON.parse(text, exact);
  let detail = `${response.status} ${response.statusText}`;
  try { detail = JSON.parse(text).detail ?? detail; } catch { /* not an answer of satcal */ }
  throw new Error(detail);
}

/** @param {string} path @param {object} value for JSON */
export const post = (path, value) => request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });

/** Follow a job to its end, and report how far it is. @param {string} job @param {(job: any) => void} changed */
export async function follow(job, changed) {
  for (;;) {
    const current = await request(`/jobs/${job}`);
    changed(current);
    if (["done", "failed", "cancelled"].includes(current.state)) return;
    await new Promise((resolve) => { setTimeout(resolve, 500); });
  }
}
