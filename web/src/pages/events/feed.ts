// The list of events and the live stream together: new events wait until they are wanted, known ones change in place.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { EventAnswer, EventsAnswer } from "../../api/types";
import { useInterval } from "../../app/data";
import { type Paged, usePaged } from "../../app/pages_list";
import { useStore } from "../../app/store";
import { settleCritical } from "../../live/open_criticals";
import { eventStream, useLive } from "../../live/streams";
import { type EventFilter, hasState, mayMatch, queryOf } from "./filter";

const PORTION = 50;
/** How often the list is asked for while the stream cannot be followed, in ms. */
const EVERY_MS_WHILE_AWAY = 5000;
/** `Paged.reload` leaves longer lists as they are. */
const MOST_RELOADED = 200;

export interface Feed {
  list: Paged<EventAnswer>;
  /** How many there are that the list does not show yet. */
  waiting: number;
  /** How many are shown that have left the list meanwhile. */
  settled: number;
  refresh: () => void;
  /** Shows an event as it is now, wherever it is shown. */
  apply: (event: Partial<EventAnswer> & { id: number }) => void;
}

export function useFeed(filter: EventFilter, onGap: () => void): Feed {
  const [round, setRound] = useState(0);
  const [told, setTold] = useState<ReadonlySet<number>>(new Set());
  const key = JSON.stringify([filter, round]);
  const list = usePaged<EventAnswer>(key, async (cursor, signal) => {
    const query = { ...queryOf(filter), limit: PORTION, cursor };
    const found = await get<EventsAnswer>("/api/events", { query, signal });
    return { rows: found.events, next: found.next_cursor };
  });
  useEffect(() => setTold(new Set()), [key]);

  const shown = useMemo(() => new Set(list.rows.map((one) => one.id)), [list.rows]);
  const waiting = useMemo(() => [...told].filter((id) => !shown.has(id)).length, [told, shown]);
  const settled = useMemo(
    () => list.rows.filter((one) => !hasState(filter, one.state)).length,
    [list.rows, filter.state],
  );

  const count = list.rows.length;
  const refresh = useCallback(() => {
    if (count > MOST_RELOADED) setRound((n) => n + 1);
    else list.reload();
  }, [count, list.reload]);
  const apply = useCallback(
    (event: Partial<EventAnswer> & { id: number }) => {
      list.set((rows) => rows.map((one) => (one.id === event.id ? { ...one, ...event } : one)));
      if (event.state !== undefined) settleCritical({ id: event.id, state: event.state });
    },
    [list.set],
  );

  // Where no socket comes about, behind some proxies for instance, what is new is found by asking.
  const isAway = useStore(eventStream.connection) === "away";
  const look = useCallback(async () => {
    const found = await get<EventsAnswer>("/api/events", { query: { ...queryOf(filter), limit: PORTION } }).catch(() => null);
    if (found === null) return; // the connection's state says so already
    const now = new Map(found.events.map((one) => [one.id, one]));
    list.set((rows) => rows.map((one) => now.get(one.id) ?? one));
    setTold((old) => new Set([...old, ...now.keys()]));
  }, [key, list.set]);
  useInterval(look, isAway ? EVERY_MS_WHILE_AWAY : null);

  useReloadOnFirstConnection(list.reload);
  useLive(eventStream, {
    message: (message) => {
      const event = message.data as Partial<EventAnswer> & { id: number };
      const isNew = message.type === "event";
      if (!isNew) apply(patchOf(event));
      if (filter.state === "all" && !isNew) return; // it belongs here before and after
      const belongs = hasState(filter, isNew ? "created" : (event.state ?? "")) && mayMatch(filter, event);
      setTold((old) => {
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

/** What a message about a known event changes of it. */
export function patchOf(told: Partial<EventAnswer> & { id: number }): Partial<EventAnswer> & { id: number } {
  const { id, state, version, acknowledged_at, acknowledged_by, resolved_at, resolved_by, resolution_notes } = told;
  const all = { state, version, acknowledged_at, acknowledged_by, resolved_at, resolved_by, resolution_notes };
  return { id, ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) };
}

/** What happened between loading the list and the first connection is told by neither. */
function useReloadOnFirstConnection(reload: () => void): void {
  const wasLive = useRef(eventStream.connection.value === "live");
  useEffect(
    () =>
      eventStream.connection.follow((state) => {
        if (state !== "live" || wasLive.current) return;
        wasLive.current = true;
        reload();
      }),
    [reload],
  );
}
