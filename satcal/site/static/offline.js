// A service worker: after the first visit the page works without a network. It keeps the page, and
// the boards that were opened, one by one: a file that the host lacks keeps nothing from the others.
const KEPT = { version: "", files: [] }; // `satcal site` writes here what the page needs

const scope = /** @type {any} */ (globalThis).registration.scope; // others may live beside it
const NAME = `satcal ${scope} ${KEPT.version}`;

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep(KEPT.files)));
addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(clear()));
addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keep(event.data.keep ?? [])));
// what is not the edition's is the browser's: sent by a worker, a link from another site would look like a script
/** @param {string} address what is kept when it is asked for: a board, a language */
const own = (address) => address.startsWith(`${scope}data/`) || address.startsWith(`${scope}sentences-`);
const page = new Set(KEPT.files.map((file) => new URL(file, scope).href));
addEventListener("fetch", (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  const address = origin + pathname;
  if (page.has(address) || own(address)) event.respondWith(find(event.request, address));
});

/** @param {string[]} files */
async function keep(files) {
  const cache = await caches.open(NAME);
  await Promise.all(files.map(async (file) => {
    const address = new URL(file, scope).href;
    if (await cache.match(address)) return;
    const response = await fetch(address, { cache: "no-cache" }).catch(() => null);
    if (response?.ok) await cache.put(address, response);
  }));
}

async function clear() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`satcal ${scope} `) && name !== NAME) await caches.delete(name);
  }
  await /** @type {any} */ (globalThis).clients.claim();
}

/** What is kept, else the network's; a board's file that was fetched is kept.
 * @param {Request} request @param {string} address */
async function find(request, address) {
  const cache = await caches.open(NAME);
  const known = await cache.match(address);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && own(address)) await cache.put(address, response.clone());
  return response;
}
