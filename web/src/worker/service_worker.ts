// The service worker: the page opens without a connection, and events appear while it is closed.
//
// It keeps the shell only: index.html and files whose names hold their content's hash. What the API returns is never kept, so
// nothing that is shown can be out of date without saying so. The build writes the list of files and a version into it; a new
// version replaces the old one at once.

declare const self: ServiceWorkerGlobalScope;
declare const SHELL_VERSION: string;
declare const SHELL_FILES: string[];

import { cleanPayload, handlingOf } from "./rules";

const CACHE = `shell-${SHELL_VERSION}`;
const INDEX = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([INDEX, ...SHELL_FILES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const removeOld = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

self.addEventListener("fetch", (event) => {
  const handling = handlingOf(event.request, self.location.origin);
  if (handling === "page") event.respondWith(pageOrShell(event.request));
  if (handling === "asset") event.respondWith(assetOf(event.request));
});

/** The server's page whenever it can be reached; otherwise the one that was kept. */
async function pageOrShell(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(INDEX);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** A file never changes under its name, so one that is kept is right. */
async function assetOf(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(CACHE);
    await cache.put(request, response.clone());
  }
  return response;
}

self.addEventListener("push", (event) => {
  const { id, title, body, url, isCritical } = cleanPayload(event.data?.text() ?? "");
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag: id, // a second delivery of the same event replaces the first
      icon: "/ui/assets/icon192.png",
      badge: "/ui/assets/badge96.png",
      requireInteraction: isCritical,
      data: { url },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(String(event.notification.data?.url ?? "/"), self.location.origin);
  const show = async () => {
    const [open] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (open === undefined) return self.clients.openWindow(address.href);
    await open.focus();
    return open.navigate(address.href);
  };
  event.waitUntil(show());
});
