// The day that a camera's timeline shows: what was recorded, its events, and which part of it is visible.

import { useEffect, useMemo, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { TimelineAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";
import { eventStream, useLive } from "../../live/streams";
import { cameraPath } from "./live_picture";
import { dayBeside, dayOf, isIn, joinSpans, type Span, spanOf, viewAround } from "./timeline";

/** New segments of a recording appear every few seconds. */
const REFRESH_MS = 10_000;
/** Recordings closer than this are one: segments follow each other with small gaps. */
const MAX_GAP_MS = 2000;
const HOUR_MS = 3_600_000;

export const ZOOMS = { day: 25 * HOUR_MS, "6h": 6 * HOUR_MS, "1h": HOUR_MS } as const;
export type Zoom = keyof typeof ZOOMS;

export interface Day {
  day: Span;
  today: Span;
  view: Span;
  zoom: Zoom;
  data: Data<TimelineAnswer>;
  recorded: Span[];
  chooseDay: (day: Span) => void;
  chooseZoom: (zoom: Zoom) => void;
  /** Moves the view by its own length. */
  move: (direction: -1 | 1) => void;
}

/** `now` is the time of the visible picture, `present` that of the clock. */
export function useDay(cameraId: string, now: number, present: number): Day {
  const [zoom, chooseZoom] = useState<Zoom>("day");
  const [center, setCenter] = useState(now);
  const day = dayOf(center);
  const view = viewAround(day, center, ZOOMS[zoom]);
  const isVisible = isIn(view, now);
  // The view follows the picture as soon as it leaves the view, but not while the user looks elsewhere.
  const [wasVisible, setWasVisible] = useState(true);
  useEffect(() => {
    if (!isVisible && wasVisible) setCenter(now);
    else setWasVisible(isVisible);
  }, [isVisible, now]);
  const data = useData(
    `day ${cameraId} ${day.from}`,
    (signal) => {
      const query = { since: new Date(day.from).toISOString(), until: new Date(day.to).toISOString() };
      return get<TimelineAnswer>(`${cameraPath(cameraId)}/recordings`, { query, signal });
    },
    { every: isIn(day, present) ? REFRESH_MS : null },
  );
  useLive(eventStream, {
    message: ({ data: event }) => event.camera_id === cameraId && data.reload(),
    gap: data.reload,
  });
  const recorded = useMemo(() => joinSpans((data.value?.recordings ?? []).map(spanOf), MAX_GAP_MS), [data.value]);
  const look = (ms: number) => {
    setWasVisible(false);
    setCenter(ms);
  };
  return {
    day,
    today: dayOf(present),
    view,
    zoom,
    data,
    recorded,
    chooseDay: (to) => look((to.from + to.to) / 2),
    chooseZoom: (to) => {
      if (isIn(day, now)) setCenter(now);
      chooseZoom(to);
    },
    move: (direction) => {
      const length = view.to - view.from;
      if (zoom === "day") look((dayBeside(day, direction).from + dayBeside(day, direction).to) / 2);
      else look((view.from + view.to) / 2 + direction * length);
    },
  };
}
