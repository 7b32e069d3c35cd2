// Rules of the service worker. Pure.

/** What the worker does with a request; null: it leaves the request to the browser, as every request of the API. */
export function handlingOf(request: Pick<Request, "method" | "mode" | "url">, origin: string): "page" | "asset" | null {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return null;
  // Only files with a hash in their name never change.
  if (url.pathname.startsWith("/ui/assets/")) return url.pathname.includes("-") ? "asset" : null;
  const isPage = url.pathname === "/" || url.pathname === "/ui" || url.pathname.startsWith("/ui/");
  return request.mode === "navigate" && isPage ? "page" : null;
}

export interface PushPayload {
  id: string;
  title: string;
  body: string;
  url: string;
  isCritical: boolean;
}

/** A push has to show something, whatever it holds; its address stays on this page. */
export function cleanPayload(text: string): PushPayload {
  let given: Record<string, unknown> = {};
  try {
    given = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Shown without its text.
  }
  const string = (value: unknown, fallback: string) => (typeof value === "string" && value !== "" ? value : fallback);
  const url = string(given?.url, "/");
  return {
    id: string(given?.id, "sightline"),
    title: string(given?.title, "Sightline"),
    body: string(given?.body, ""),
    url: url.startsWith("/") && !url.startsWith("//") ? url : "/",
    isCritical: given?.isCritical === true,
  };
}
