// The newest event of each camera, kept up to date by the live feed.

import { get } from "../../api/client";
import type { EventAnswer, EventsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { eventStream, useLive } from "../../live/streams";

const MAX_EVENTS = 100;

/** What a tile shows of an event; messages of the live feed have these fields, too. */
export type LastEvent = Pick<EventAnswer, "id" | "camera_id" | "risk_level" | "summary" | "started_at">;

/** By camera id. Cameras whose last event is older than the newest hundred have none. */
export function newestByCamera(events: readonly LastEvent[]): Map<string, LastEvent> {
  const newest = new Map<string, LastEvent>();
  for (const event of events) {
    const known = newest.get(event.camera_id);
    if (known === undefined || known.started_at < event.started_at) newest.set(event.camera_id, event);
  }
  return newest;
}

export function useLastEvents(): Map<string, LastEvent> {
  const data = useData<LastEvent[]>(
    "last events",
    async (signal) => (await get<EventsAnswer>("/api/events", { query: { limit: MAX_EVENTS }, signal })).events,
  );
  useLive(eventStream, {
    message: ({ type, data: event }) => {
      if (type !== "event" && type !== "event.updated") return;
      // The newer version comes first, and one per camera is enough.
      data.set((old) => [...newestByCamera([event as unknown as LastEvent, ...(old ?? [])]).values()]);
    },
    gap: data.reload,
  });
  return newestByCamera(data.value ?? []);
}
