// The event list with live updates: new events wait behind a bar, known events change in place.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { EventAnswer, EventsAnswer } from "../../api/types";
import { nextCursor, type PagedList, usePagedList } from "../../api/use_paged_list";
import { useStore } from "../../core/store";
import { useInterval } from "../../core/timing";
import { removeAcknowledged } from "../../live/open_criticals";
import { eventStream, useLive } from "../../live/streams";
import { type EventFilter, type FilteredEvent, hasAssignee, hasState, matchesFilter, queryOf } from "./filter";
import { type EventPatch, isEventMessage, patched, patchOf } from "./live_patch";

const PAGE_SIZE = 50;
/** Refresh interval while the live stream is offline. */
const OFFLINE_REFRESH_MS = 5000;
/** `PagedList.reload` skips longer lists. */
const MAX_RELOADED_ROWS = 200;

/** Messages after which an event may match a filter that it did not match before, or the other way round. */
const MAY_MATCH = new Set([
  "event",
  "event.updated",
  "event.acknowledged",
  "event.resolved",
  "event.reopened",
  "event.assigned",
]);

export interface LiveList {
  list: PagedList<EventAnswer>;
  /** Number of new events that the list does not show yet. */
  waiting: number;
  /** Number of shown events that no longer match the filter. */
  settled: number;
  refresh: () => void;
  /** Updates an event wherever it is shown. */
  apply: (event: EventPatch) => void;
}

/** `me` is the reader's own id, null until it is known. */
export function useLiveList(filter: EventFilter, me: string | null, onGap: () => void): LiveList {
  const [reloads, setReloads] = useState(0);
  const [incoming, setIncoming] = useState<ReadonlySet<number>>(new Set());
  const key = JSON.stringify([filter, reloads]);
  const list = usePagedList<EventAnswer>(key, async (cursor, signal) => {
    const query = { ...queryOf(filter), limit: PAGE_SIZE, cursor };
    const found = await get<EventsAnswer>("/api/events", { query, signal });
    return { rows: found.events, next: nextCursor(found) };
  });
  useEffect(() => setIncoming(new Set()), [key]);

  const shown = useMemo(() => new Set(list.rows.map((item) => item.id)), [list.rows]);
  const waiting = useMemo(() => [...incoming].filter((id) => !shown.has(id)).length, [incoming, shown]);
  const settled = useMemo(
    () =>
      list.rows.filter((item) => !hasState(filter, item.state) || (me !== null && !hasAssignee(filter, item, me)))
        .length,
    [list.rows, filter.state, filter.assigned, me],
  );

  const count = list.rows.length;
  const refresh = useCallback(() => {
    if (count > MAX_RELOADED_ROWS) setReloads((n) => n + 1);
    else list.reload();
  }, [count, list.reload]);
  // Nobody works with an empty list, so it need not stay as it is: it would say that there is nothing, beside what is new.
  useEffect(() => {
    if (count === 0 && waiting > 0) refresh();
  }, [count, waiting, refresh]);
  const apply = useCallback(
    (event: EventPatch) => {
      list.set((rows) => rows.map((item) => (item.id === event.id ? patched(item, event) : item)));
      if (event.state !== undefined) removeAcknowledged({ id: event.id, state: event.state });
    },
    [list.set],
  );

  // Some proxies block WebSockets; new events are then found by polling.
  const isOffline = useStore(eventStream.connection) === "offline";
  const look = useCallback(async () => {
    const found = await get<EventsAnswer>("/api/events", { query: { ...queryOf(filter), limit: PAGE_SIZE } }).catch(
      () => null,
    );
    if (found === null) return; // The connection status is visible already.
    const now = new Map(found.events.map((item) => [item.id, item]));
    list.set((rows) => rows.map((item) => patched(item, now.get(item.id) ?? {})));
    setIncoming((old) => new Set([...old, ...now.keys()]));
  }, [key, list.set]);
  useInterval(look, isOffline ? OFFLINE_REFRESH_MS : null);

  useReloadOnFirstConnection(list.reload);
  useLive(eventStream, {
    message: (message) => {
      if (!isEventMessage(message)) return;
      const event = message.data as FilteredEvent & { id: number };
      const isNew = message.type === "event";
      if (!isNew) apply(patchOf(message));
      if (!MAY_MATCH.has(message.type)) return;
      if (filter.state === "all" && filter.assigned === "" && !isNew) return; // The event matches before and after.
      const belongs = hasState(filter, isNew ? "created" : (event.state ?? "")) && matchesFilter(filter, event, me);
      setIncoming((old) => {
        if (belongs === old.has(event.id)) return old;
        const next = new Set(old);
        if (belongs) next.add(event.id);
        else next.delete(event.id);
        return next;
      });
    },
    gap: () => {
      refresh();
      onGap();
    },
  });
  return { list, waiting, settled, refresh, apply };
}

/** Events between loading the list and the first connection are in neither. */
function useReloadOnFirstConnection(reload: () => void): void {
  const wasLive = useRef(eventStream.connection.value === "live");
  useEffect(
    () =>
      eventStream.connection.subscribe((state) => {
        if (state !== "live" || wasLive.current) return;
        wasLive.current = true;
        reload();
      }),
    [reload],
  );
}
