// What a camera's page shows: the live picture, or the recording from a time that is kept in the address.

import { useEffect, useState } from "preact/hooks";
import { EVENT_LEAD_MS } from "../../core/addresses";
import { setQuery, useQueryValue } from "../../core/router";
import { useInterval } from "../../core/timing";
import { isIn, recordedTime, type Span } from "./timeline";
import { type Day, useDay } from "./use_day";

export interface Watching {
  /** The time asked for, in ms since 1970; null: live. */
  at: number | null;
  /** The time of the visible picture. */
  now: number;
  day: Day;
  /** Goes to a time, or to the nearest that was recorded. While a pointer is dragged, the address stays as it is. */
  seek: (ms: number, options?: { isDragged?: boolean }) => void;
  /** To the event before or after the visible picture. */
  toEvent: (direction: -1 | 1) => void;
  goLive: () => void;
  /** The player shows the frame of this time. */
  showTime: (ms: number) => void;
  /** The player came to the end of the span that it had loaded. */
  ended: (ms: number) => void;
}

/** What happened that short a time ago is live: it is not stored yet. */
const LIVE_MS = 3000;
/** How far the present is behind at most. */
const CLOCK_MS = 1000;

const timeOf = (text: string): number | null => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
};

export function useWatching(cameraId: string): Watching {
  const [text] = useQueryValue("at");
  const [at, setAt] = useState(() => timeOf(text));
  const [shown, setShown] = useState(at);
  const [present, setPresent] = useState(Date.now);
  useInterval(() => setPresent(Date.now()), CLOCK_MS);
  const now = at === null ? present : (shown ?? at);
  const day = useDay(cameraId, now, present);
  const goTo = (ms: number | null, isDragged = false) => {
    setAt(ms);
    setShown(ms);
    if (!isDragged) setQuery({ at: ms === null ? null : new Date(ms).toISOString() });
  };
  // The address was changed by a link or by the back button.
  useEffect(() => {
    if (timeOf(text) !== at) goTo(timeOf(text), true);
  }, [text]);
  const goLive = () => goTo(null);
  const seek = (ms: number, { isDragged = false } = {}) => {
    if (ms >= Date.now() - LIVE_MS) return goLive();
    // What was recorded on other days is not known here.
    const found = isIn(day.day, ms) ? recordedBeside(day.recorded, ms, now) : ms;
    if (found !== null) goTo(found, isDragged);
    else if (ms > now) goLive();
  };
  const toEvent = (direction: -1 | 1) => {
    const times = (day.data.value?.events ?? []).map((event) => Date.parse(event.started_at) - EVENT_LEAD_MS);
    const next =
      direction === 1
        ? Math.min(...times.filter((time) => time > now + CLOCK_MS))
        : Math.max(...times.filter((time) => time < now - EVENT_LEAD_MS));
    if (Number.isFinite(next)) seek(next);
  };
  const ended = (ms: number) => {
    const next = recordedTime(day.recorded, ms);
    if (next !== null) goTo(next);
    else if (isIn(day.today, ms)) goLive();
  };
  return { at, now, day, seek, toEvent, goLive, showTime: setShown, ended };
}

/** The nearest recorded time in the direction of the jump; before the first recording its begin. */
function recordedBeside(recorded: Span[], ms: number, now: number): number | null {
  if (ms >= now) return recordedTime(recorded, ms, 1);
  const first = recorded[0]?.from ?? now;
  return recordedTime(recorded, ms, -1) ?? (first < now ? first : null);
}

const BEFORE_MS = 3 * 60_000;
const AFTER_MS = 30 * 60_000;

/** The span whose recording is loaded to show a time. A span that holds the time already is kept. */
export function spanToLoad(at: number, loaded: Span | null): Span {
  if (loaded !== null && isIn(loaded, at)) return loaded;
  return { from: at - BEFORE_MS, to: at + AFTER_MS };
}
