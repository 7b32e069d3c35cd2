// The chosen day as a line from midnight to midnight, with a mark for each event that matches the other filters.

import { get } from "../../api/client";
import type { EventAnswer, EventsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { day as dayText, moment } from "../../core/format";
import { Link } from "../../core/router";
import { ErrorNote } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { type EventFilter, queryOf, spanOfDay } from "./filter";
import { useHandlingWords } from "./handling_words";

const MAX_MARKS = 200;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24];

/** Where a moment lies in the span, from 0 to 1. */
export function shareOfDay(at: string, span: { since: string; until: string }): number {
  const start = Date.parse(span.since);
  return (Date.parse(at) - start) / (Date.parse(span.until) - start);
}

export function DayMarks({ filter, addressOf }: { filter: EventFilter; addressOf: (id: number) => string }) {
  const words = useHandlingWords();
  const summary = useEventSummary();
  const data = useData(`day ${JSON.stringify(filter)}`, (signal) =>
    get<EventsAnswer>("/api/events", { query: { ...queryOf(filter), limit: MAX_MARKS }, signal }),
  );
  const span = spanOfDay(filter.day);
  if (span === null) return null;
  return (
    <nav class="day-marks" aria-label={words.dayTimeline(dayText(span.since))}>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      <div class="day-line">
        {data.value?.events.map((event: EventAnswer) => (
          <span key={event.id} class="day-place" style={{ left: `${shareOfDay(event.started_at, span) * 100}%` }}>
            <Link
              class={`day-mark level-${event.risk_level}`}
              to={addressOf(event.id)}
              title={`${moment(event.started_at)}: ${summary(event)}`}
              aria-label={`${moment(event.started_at)}: ${summary(event)}`}
            />
          </span>
        ))}
      </div>
      <div class="day-hours" aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour}>{String(hour).padStart(2, "0")}</span>
        ))}
      </div>
    </nav>
  );
}
