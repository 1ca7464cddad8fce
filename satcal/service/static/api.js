// Requests to the API. Numbers beyond 2^53 come as BigInt: a count is exact or it is nothing.
const exact = (key, value, context) =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
    ? BigInt(context.source) : value;

async function answer(response) {
  const text = await response.text();
  if (!response.ok) {
    let detail = `${response.status} ${response.statusText}`;
    try { detail = JSON.parse(text).detail ?? detail; } catch { /* not from us */ }
    throw new Error(detail);
  }
  return JSON.parse(text, exact);
}

export function get(path, parameters = [], signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  return fetch(`/api/v1${path}${query ? `?${query}` : ""}`, { signal }).then(answer);
}

export function post(path, value) {
  return fetch(`/api/v1${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
  }).then(answer);
}

export function upload(path, file) {
  return fetch(`/api/v1${path}`, {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
  }).then(answer);
}

export const cancel = (job) => fetch(`/api/v1/jobs/${job}`, { method: "DELETE" }).then(answer);

// Calls back with a job now and whenever it changes; returns what stops it.
export function follow(job, changed) {
  const source = new EventSource(`/api/v1/jobs/${job}/events`);
  source.addEventListener("job", (event) => {
    const now = JSON.parse(event.data, exact);
    if (["done", "failed", "cancelled"].includes(now.state)) source.close();
    changed(now);
  });
  return () => source.close();
}

export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number == 1 ? "" : "s"}`;
