// Keeps the files of the page, so that it opens while the daemon is away: what it shows then comes from the browser's file system (src/worker). This worker answers for these files and for
// the page's own paths, never for the API, and keeps nothing that an agent has said.
const files = "{assets} /manifest.webmanifest".split(" ");
const name = `ringmaster ${files.join(" ")}`;
const isPage = (path) => path === "/" || path === "/inbox" || path.startsWith("/s/");

// Another program may have the port tomorrow: only the daemon's answers have its policy.
const isOurs = (answer) => (answer.headers.get("Content-Security-Policy") ?? "").includes("trusted-types ringmaster");

async function keep() {
  const cache = await caches.open(name);
  await cache.addAll([...files, new Request("/", { headers: { Accept: "text/html" } })]);
}

async function forget(besides) {
  for (const key of await caches.keys()) {
    if (key.startsWith("ringmaster ") && key !== besides) {
      await caches.delete(key);
    }
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await forget(name);
  await self.registration.navigationPreload?.enable(); // the browser's own request says where a link came from, and this worker's would not
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin || event.request.method !== "GET") {
    return;
  }
  if (event.request.mode === "navigate") {
    if (isPage(pathname) && event.request.destination === "document") { // the daemon refuses to be framed, which says nothing of the program that has the port
      event.respondWith(navigate(event));
    }
  } else if (files.includes(pathname)) {
    event.respondWith(caches.match(pathname, { cacheName: name, ignoreVary: true }).then((kept) => kept ?? fetch(event.request)));
  }
});

async function navigate(event) {
  const answered = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  answered.catch(() => undefined);
  const late = new Promise((_, over) => setTimeout(() => over(new Error("late")), 2000));
  let answer;
  try {
    answer = await Promise.race([answered, late]);
  } catch {
    return (await shell()) ?? answered;
  }
  if (answer.type === "opaqueredirect" || isOurs(answer)) {
    return answer;
  }
  if (answer.status >= 500) { // something stands before the daemon, which is away
    return (await shell()) ?? answer;
  }
  await forget();
  await self.registration.unregister();
  return answer;
}

// The kept page trades no code unasked: it does not know whose link has led to it.
async function shell() {
  const kept = await caches.match("/", { cacheName: name, ignoreVary: true });
  return kept && new Response((await kept.text()).replace("<html", '<html data-arrived="elsewhere"'), { headers: kept.headers });
}
