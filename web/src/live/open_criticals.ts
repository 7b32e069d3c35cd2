// Unacknowledged critical events: the frame counts them, and the events page shows them in a banner.

import { useEffect } from "preact/hooks";
import { get } from "../api/client";
import type { EventAnswer, EventsAnswer } from "../api/types";
import { Store, useStore } from "../core/store";
import { eventStream, useLive } from "./streams";

const MAX_LISTED = 100;
const REFILL_BELOW = MAX_LISTED / 2;
const OPEN_STATES = ["created", "broadcasted"];

export interface OpenCriticals {
  /** The oldest last. */
  events: EventAnswer[];
  isMore: boolean;
}

export const openCriticals = new Store<OpenCriticals>({ events: [], isMore: false });

/** Counts the reloads; a change triggers one. */
const reloadCount = new Store(0);
const reload = () => reloadCount.update((n) => n + 1);

/** Removes an event from the list once it is acknowledged. */
export function removeAcknowledged(event: { id: number; state: string }): void {
  if (OPEN_STATES.includes(event.state)) return;
  openCriticals.update((old) => ({ ...old, events: old.events.filter((item) => item.id !== event.id) }));
  if (openCriticals.value.isMore && openCriticals.value.events.length < REFILL_BELOW) reload();
}

/** Loads the list and keeps it up to date. Used once, by the frame. */
export function useOpenCriticals(): OpenCriticals {
  const reloads = useStore(reloadCount);
  useEffect(() => {
    const abort = new AbortController();
    const query = { risk_level: ["critical"], state: OPEN_STATES, limit: MAX_LISTED };
    get<EventsAnswer>("/api/events", { query, signal: abort.signal }).then(
      (found) => openCriticals.set({ events: found.events, isMore: found.next_cursor !== null }),
      () => {}, // The connection status is visible already, and a reconnect reloads.
    );
    return () => abort.abort();
  }, [reloads]);
  // Events from before the first connection are not sent over it.
  useEffect(() => eventStream.connection.subscribe((state) => state === "live" && reload()), []);
  useLive(eventStream, {
    message: (message) => {
      const event = message.data as { id: number; risk_level: string; state?: string };
      if (event.risk_level !== "critical") return;
      if (message.type === "event" || message.type === "event.updated") reload();
      else removeAcknowledged({ id: event.id, state: event.state ?? "" });
    },
    gap: reload,
  });
  return useStore(openCriticals);
}
