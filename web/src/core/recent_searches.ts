// Recent searches, kept in this browser for each user: they are nobody else's business, and cost the server nothing.

import { readStored, writeStored } from "./browser_storage";
import { Store, useStore } from "./store";

const MAX_RECENT = 8;
const changes = new Store(0);
const nameFor = (user: string): string => `recent-searches.${user}`;

/** The newest first. */
export function recentSearches(user: string): string[] {
  try {
    const found: unknown = JSON.parse(readStored(nameFor(user)) ?? "[]");
    return Array.isArray(found) ? found.filter((item) => typeof item === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(user: string, q: string): void {
  const text = q.trim();
  if (text === "") return;
  // What was typed on the way to it is not a search of its own.
  const others = recentSearches(user).filter((item) => item !== text && !text.startsWith(item));
  writeStored(nameFor(user), JSON.stringify([text, ...others].slice(0, MAX_RECENT)));
  changes.update((count) => count + 1);
}

export function forgetSearches(user: string): void {
  writeStored(nameFor(user), null);
  changes.update((count) => count + 1);
}

export function useRecentSearches(user: string | undefined): string[] {
  useStore(changes);
  return user === undefined ? [] : recentSearches(user);
}
