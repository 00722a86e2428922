// This build has no service worker. A browser that keeps one of another build asks here whether it is still the newest: this one takes its place and
// ends itself, so that nobody is shown a page that the daemon does not have.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.registration.unregister()));
