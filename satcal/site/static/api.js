// Requests to the API of `satcal serve`. Numbers beyond 2^53 come as BigInt: a count is exact or nothing.

const API = "api/v1";
export const OVER = ["done", "failed", "cancelled"];

/** @param {string} _key @param {unknown} value @param {{source?: string}} [context] */
const exact = (_key, value, context) => (typeof value === "number" && Number.isInteger(value)
  && !Number.isSafeInteger(value) && context?.source ? BigInt(context.source) : value);

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
export async function request(path, options) {
  const response = await fetch(API + path, options).catch(() => null);
  if (!response) throw new Error("The server does not answer.");
  const text = await response.text();
  if (response.ok) return JSON.parse(text, exact);
  let detail = `${response.status} ${response.statusText}`;
  try { detail = JSON.parse(text).detail ?? detail; } catch { /* not from us */ }
  throw new Error(detail);
}

/** @param {string} path @param {unknown} value */
export const post = (path, value) => request(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });

/** @param {string} path @param {File} file */
export const upload = (path, file) => request(path, {
  method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });

/** Follows a job to its end; `changed` is told now and whenever it changes. A stream that breaks off is
 * taken up again; the promise is rejected when the job cannot be had any more.
 * @param {string} job @param {(job: any) => void} changed @returns {Promise<any>} */
export function follow(job, changed) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(`${API}/jobs/${job}/events`);
    const see = (/** @type {any} */ now) => {
      changed(now);
      if (!OVER.includes(now.state)) return;
      source.close();
      resolve(now);
    };
    source.addEventListener("job", (event) => see(JSON.parse(event.data, exact)));
    source.addEventListener("error", async () => { // the end of the stream looks like this, too
      try {
        see(await request(`/jobs/${job}`));
      } catch (error) {
        if (source.readyState !== EventSource.CLOSED) return; // the browser tries again
        reject(error);
      }
    });
  });
}
