// Addresses of the pages: each page has one below /ui.

export const ROOT = "/ui";

export type PageName =
  | "home"
  | "videos"
  | "search"
  | "events"
  | "cameras"
  | "overview"
  | "jobs"
  | "messages"
  | "settings";

export interface PageProps {
  /** What follows the address of the page, such as an id; empty for the page itself. */
  rest: string;
}

export const addressOf = (name: PageName): string => (name === "home" ? "/" : `${ROOT}/${name}`);

/** An event begins so long before it is noticed, for somebody who watches it. */
export const EVENT_LEAD_MS = 3000;

/** The page of a camera at the moment an event began, so that it is seen from its begin. */
export function momentAddress(cameraId: string, startedAt: string): string {
  const at = new Date(Date.parse(startedAt) - EVENT_LEAD_MS).toISOString();
  return `${addressOf("cameras")}/${encodeURIComponent(cameraId)}?at=${encodeURIComponent(at)}`;
}
