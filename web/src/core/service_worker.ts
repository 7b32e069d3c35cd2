// Registers the service worker, and looks for a newer one while the page stays open for long.

const LOOK_EVERY_MS = 3_600_000;

export async function startServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("/ui/service_worker.js", { scope: "/" });
    let lookedAt = performance.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || performance.now() - lookedAt < LOOK_EVERY_MS) return;
      lookedAt = performance.now();
      void registration.update().catch(() => undefined); // without a connection the old one stays
    });
  } catch {
    // A browser that forbids it shows the page all the same.
  }
}
