// Addresses of the pages: each page has one below /ui.

export const ROOT = "/ui";

export type PageName = "videos" | "search" | "events" | "jobs" | "messages" | "overview";

export interface PageProps {
  /** What follows the address of the page, such as an id; empty for the page itself. */
  rest: string;
}

export const addressOf = (name: PageName): string => `${ROOT}/${name}`;
