// A day as a line from midnight to midnight, with a mark for each event that matches the other filters: today, or the chosen day.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { EventAnswer, EventsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { day as dayText, localInputDay, moment } from "../../core/format";
import { Link } from "../../core/router";
import { Button, ErrorNote } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { changeFilter, type EventFilter, queryOf, spanOfDay } from "./filter";
import { useHandlingWords } from "./handling_words";
import { useReviewWords } from "./review_words";

const MAX_MARKS = 200;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24];
const REFRESH_MS = 60_000;

/** Where a moment lies in the span, from 0 to 1. */
export function shareOfDay(at: string, span: { since: string; until: string }): number {
  const start = Date.parse(span.since);
  return (Date.parse(at) - start) / (Date.parse(span.until) - start);
}

/** The day so many days after another one, as inputs of dates have it. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T12:00`);
  date.setDate(date.getDate() + days);
  return localInputDay(date.getTime());
}

interface Props {
  filter: EventFilter;
  addressOf: (id: number) => string;
  /** A new value: the events of the list have changed. */
  happened: unknown;
}

export function DayMarks({ filter, addressOf, happened }: Props) {
  const words = useHandlingWords();
  const summary = useEventSummary();
  const review = useReviewWords();
  const today = localInputDay(Date.now());
  const day = filter.day === "" ? today : filter.day;
  const span = spanOfDay(day);
  const [pointed, setPointed] = useState<EventAnswer | null>(null);
  const data = useData(
    `day ${JSON.stringify({ ...filter, day })}`,
    (signal) =>
      get<EventsAnswer>("/api/events", { query: { ...queryOf({ ...filter, day }), limit: MAX_MARKS }, signal }),
    { every: day === today ? REFRESH_MS : null },
  );
  useEffect(() => data.reload(), [happened, data.reload]);
  if (span === null) return null;
  const events = data.value?.events ?? [];
  const isMore = (data.value?.next_cursor ?? null) !== null;
  const show = (event: EventAnswer) => ({
    onMouseEnter: () => setPointed(event),
    onMouseLeave: () => setPointed(null),
  });
  return (
    <nav class="day-marks" aria-label={words.dayTimeline(dayText(span.since))}>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      <div class="day-head">
        <Button icon="back" kind="quiet" iconOnly onClick={() => changeFilter({ day: dayAfter(day, -1) })}>
          {review.previousDay}
        </Button>
        <strong>{day === today ? review.today : dayText(span.since)}</strong>
        <Button
          icon="next"
          kind="quiet"
          iconOnly
          disabled={day >= today}
          onClick={() => changeFilter({ day: dayAfter(day, 1) })}
        >
          {review.nextDay}
        </Button>
        <span class="soft number">{review.eventsOfDay(events.length, isMore)}</span>
        {filter.day !== "" && (
          <Button kind="quiet" onClick={() => changeFilter({ day: "" })}>
            {review.allDays}
          </Button>
        )}
      </div>
      <div class="day-line">
        {day === today && (
          <span class="day-now" style={{ left: `${shareOfDay(new Date().toISOString(), span) * 100}%` }} />
        )}
        {events.map((event) => (
          <span key={event.id} class="day-place" style={{ left: `${shareOfDay(event.started_at, span) * 100}%` }}>
            <Link
              class={`day-mark level-${event.risk_level}`}
              to={addressOf(event.id)}
              aria-label={`${moment(event.started_at)}: ${summary(event)}`}
              {...show(event)}
            />
          </span>
        ))}
        {pointed !== null && (
          <div class="day-preview" aria-hidden="true" style={{ "--share": shareOfDay(pointed.started_at, span) }}>
            {pointed.picture_url !== null && <img src={pointed.picture_url} alt="" />}
            <strong>{pointed.summary}</strong>
            <span>{moment(pointed.started_at)}</span>
          </div>
        )}
      </div>
      <div class="day-hours" aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, "0")}</span>
        ))}
      </div>
    </nav>
  );
}
