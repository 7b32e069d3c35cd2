// One day of a camera: what was recorded, marks of events, and the time that is shown. Click or drag to go there.

import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { TimelineAnswer } from "../../api/types";
import { useLanguage } from "../../core/language";
import { locale } from "../../core/locale";
import { useEventSummary } from "../../ui/event_summary";
import { joinSpans, nearestTo, type Span, shareOf, spanOf, ticksOf, timeAt } from "./timeline";
import { useViewWords } from "./view_words";

const MAX_TICKS = 9;
/** Closer than this share of the visible time counts as one bar, and as the event under the pointer. */
const NEAR = 1 / 400;
const STEP_MS = 10_000;
const LARGE_STEP_MS = 60_000;
/** How often the picture follows a drag. */
const DRAG_EVERY_MS = 250;

interface Props {
  view: Span;
  data: TimelineAnswer | undefined;
  /** The time that is shown; for the live picture the present. */
  now: number;
  seek: (ms: number, options?: { isDragged?: boolean }) => void;
}

export const timeText = (ms: number, { seconds = true } = {}): string =>
  new Date(ms).toLocaleTimeString(locale(), {
    hour: "numeric",
    minute: "2-digit",
    ...(seconds && { second: "2-digit" }),
  });

export function DayTimeline({ view, data, now, seek }: Props) {
  const words = useViewWords();
  const summary = useEventSummary();
  useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const draggedAt = useRef<number | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const near = (view.to - view.from) * NEAR;
  const bars = useMemo(() => joinSpans((data?.recordings ?? []).map(spanOf), near), [data, near]);
  const events = data?.events ?? [];
  const place = (ms: number) => `${Math.min(1, Math.max(0, shareOf(view, ms))) * 100}%`;
  const isInView = (ms: number) => ms >= view.from && ms <= view.to;
  const timeOf = (event: TargetedPointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return timeAt(view, (event.clientX - box.left) / box.width);
  };
  const keys = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    seek(now + direction * (event.shiftKey ? LARGE_STEP_MS : STEP_MS));
  };
  const hoveredEvent = hovered === null ? null : nearestTo(events, hovered, near * 2);
  return (
    <div class="day-timeline">
      <div
        ref={frame}
        class="day-track"
        role="slider"
        tabIndex={0}
        aria-label={words.timeline}
        aria-valuemin={Math.round(view.from / 1000)}
        aria-valuemax={Math.round(view.to / 1000)}
        aria-valuenow={Math.round(Math.min(Math.max(now, view.from), view.to) / 1000)}
        aria-valuetext={timeText(now)}
        onKeyDown={keys}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          draggedAt.current = event.timeStamp;
          setHovered(timeOf(event));
        }}
        onPointerMove={(event) => {
          setHovered(timeOf(event));
          if (draggedAt.current === null || event.timeStamp - draggedAt.current < DRAG_EVERY_MS) return;
          draggedAt.current = event.timeStamp;
          seek(timeOf(event), { isDragged: true });
        }}
        onPointerUp={(event) => {
          draggedAt.current = null;
          seek(timeOf(event));
        }}
        onPointerCancel={() => {
          draggedAt.current = null;
        }}
        onPointerLeave={() => setHovered(null)}
      >
        {bars
          .filter((bar) => bar.to >= view.from && bar.from <= view.to)
          .map((bar) => (
            <span
              key={bar.from}
              class="recorded"
              style={{ left: place(bar.from), right: `calc(100% - ${place(bar.to)})` }}
            />
          ))}
        {events
          .filter((event) => isInView(Date.parse(event.started_at)))
          .map((event) => (
            <span
              key={event.id}
              class={`event-mark ${event.risk_level}`}
              style={{ left: place(Date.parse(event.started_at)) }}
            />
          ))}
        {isInView(now) && <span class="now" style={{ left: place(now) }} />}
        {hovered !== null && (
          <span class="hovered" style={{ left: place(hovered) }}>
            <span class={`bubble ${shareOf(view, hovered) > 0.5 ? "left" : ""}`}>
              {timeText(hovered)}
              {hoveredEvent !== null && ` · ${summary(hoveredEvent)}`}
            </span>
          </span>
        )}
      </div>
      <div class="ticks" aria-hidden="true">
        {ticksOf(view, MAX_TICKS).map((tick) => (
          <span key={tick} style={{ left: place(tick) }}>
            {timeText(tick, { seconds: false })}
          </span>
        ))}
      </div>
    </div>
  );
}
