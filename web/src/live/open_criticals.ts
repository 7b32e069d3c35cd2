// Critical events that nobody has acknowledged: the frame counts them, the page of events asks for each.

import { useEffect } from "preact/hooks";
import { get } from "../api/client";
import type { EventAnswer, EventsAnswer } from "../api/types";
import { Store, useStore } from "../app/store";
import { eventStream, useLive } from "./streams";

const MOST = 100;
const FEW = MOST / 2;
const OPEN_STATES = ["created", "broadcasted"];

export interface OpenCriticals {
  /** The oldest last. */
  events: EventAnswer[];
  isMore: boolean;
}

export const openCriticals = new Store<OpenCriticals>({ events: [], isMore: false });

/** How often they have been asked for. */
const round = new Store(0);
const again = () => round.update((n) => n + 1);

/** An event as an action left it. */
export function settleCritical(event: { id: number; state: string }): void {
  if (OPEN_STATES.includes(event.state)) return;
  openCriticals.update((old) => ({ ...old, events: old.events.filter((one) => one.id !== event.id) }));
  if (openCriticals.value.isMore && openCriticals.value.events.length < FEW) again();
}

/** To be used once, by the frame: keeps the store up to date, and gives what it holds. */
export function useOpenCriticals(): OpenCriticals {
  const asked = useStore(round);
  useEffect(() => {
    const abort = new AbortController();
    const query = { risk_level: ["critical"], state: OPEN_STATES, limit: MOST };
    get<EventsAnswer>("/api/events", { query, signal: abort.signal }).then(
      (found) => openCriticals.set({ events: found.events, isMore: found.next_cursor !== null }),
      () => {}, // the connection's state is shown, and its return asks again
    );
    return () => abort.abort();
  }, [asked]);
  // What happened before the first connection is not told over it, and was perhaps not listed either.
  useEffect(() => eventStream.connection.follow((state) => state === "live" && again()), []);
  useLive(eventStream, {
    message: (message) => {
      const told = message.data as { id: number; risk_level: string; state?: string };
      if (told.risk_level !== "critical") return;
      if (message.type === "event") again();
      else settleCritical({ id: told.id, state: told.state ?? "" });
    },
    gap: again,
  });
  return useStore(openCriticals);
}
