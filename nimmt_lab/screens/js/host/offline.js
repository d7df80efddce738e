// Keeps the page for days without a network, where the address allows such scripts. `SITE` stands above: what the page
// is, its large files (whoever asks for one says which by a mark) and those around them.

const scope = /** @type {ServiceScope} */ (/** @type {unknown} */ (self));

// One address may hold several sites: each keeps its own, and clears away its own alone.
const OURS = `nimmt-lab ${scope.registration.scope} `;
const NAME = OURS + SITE.site;

scope.addEventListener("install", (event) => {
  scope.skipWaiting();
  const wanted = [...SITE.around, ...Object.entries(SITE.files).map(([name, mark]) => `${name}?${mark}`)];
  // Asked anew: what the browser still has of an older site is not ours.
  event.waitUntil(
    caches.open(NAME).then((kept) => kept.addAll(wanted.map((name) => new Request(name, { cache: "no-cache" })))),
  );
});

scope.addEventListener("activate", (event) => {
  const gone = (/** @type {string[]} */ names) => names.filter((name) => name.startsWith(OURS) && name !== NAME);
  event.waitUntil(caches.keys().then((names) => Promise.all(gone(names).map((name) => caches.delete(name)))));
});

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.open(NAME);
  const marked = new URL(request.url).search.slice(1);
  const exact = Object.values(SITE.files).includes(marked) ? await kept.match(request) : undefined;
  if (exact) return exact; // it cannot have changed
  try {
    return await fetch(request); // the page itself: a newer one, if there is one
  } catch (error) {
    const before = await kept.match(request, { ignoreSearch: true });
    if (before) return before;
    throw error;
  }
}

scope.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(scope.registration.scope))
    event.respondWith(answer(event.request));
});
