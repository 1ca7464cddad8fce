// A service worker: after the first visit the page works without a network.
const KEPT = { version: "", files: [] }; // `satcal site` writes here what there is

const scope = /** @type {any} */ (globalThis).registration.scope; // others may live beside it
const NAME = `satcal ${scope} ${KEPT.version}`;

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clear()));
// what is not kept is the browser's: sent by a worker, a link from another site would look like a script
const kept = new Set(KEPT.files.map((file) => new URL(file, scope).href));
addEventListener("fetch", (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (kept.has(origin + pathname)) event.respondWith(find(event.request));
});

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll(KEPT.files.map((file) => new Request(file, { cache: "no-cache" })));
}

async function clear() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`satcal ${scope} `) && name !== NAME) await caches.delete(name);
  }
  await /** @type {any} */ (globalThis).clients.claim();
}

/** @param {Request} request */
async function find(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
