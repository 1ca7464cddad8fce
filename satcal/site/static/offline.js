// A service worker: after the first visit the page works without a network. Files are cached one by one: a missing file does
// not keep the others out.
const KEPT = { version: "", files: [] }; // written by `satcal site`

const scope = /** @type {any} */ (globalThis).registration.scope; // other editions may share the host
const NAME = `satcal ${scope} ${KEPT.version}`;

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(cacheFiles(KEPT.files)));
addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(deleteOldCaches()));
addEventListener("message", (/** @type {any} */ event) => event.waitUntil(cacheFiles(event.data.keep ?? [])));
// other requests are left to the browser: from a worker, a link to another site would look like a script
/** Return whether a fetched file is cached: of a board or a language. @param {string} address */
const isCacheable = (address) => address.startsWith(`${scope}data/`) || address.startsWith(`${scope}sentences-`);
const pageFiles = new Set(KEPT.files.map((file) => new URL(file, scope).href));
addEventListener("fetch", (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  const address = origin + pathname;
  if (pageFiles.has(address) || isCacheable(address)) event.respondWith(cachedOrFetched(event.request, address));
});

/** @param {string[]} files */
async function cacheFiles(files) {
  const cache = await caches.open(NAME);
  await Promise.all(files.map(async (file) => {
    const address = new URL(file, scope).href;
    if (await cache.match(address)) return;
    const response = await fetch(address, { cache: "no-cache" }).catch(() => null);
    if (response?.ok) await cache.put(address, response);
  }));
}

async function deleteOldCaches() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`satcal ${scope} `) && name !== NAME) await caches.delete(name);
  }
  await /** @type {any} */ (globalThis).clients.claim();
}

/** Answer from the cache, else from the network.
 * @param {Request} request @param {string} address */
async function cachedOrFetched(request, address) {
  const cache = await caches.open(NAME);
  const known = await cache.match(address);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && isCacheable(address)) await cache.put(address, response.clone());
  return response;
}
