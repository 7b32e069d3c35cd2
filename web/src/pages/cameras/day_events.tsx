// The events of the day: each opens, and plays if it was recorded.

import type { TimelineEventAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { useLanguage } from "../../core/language";
import { Link } from "../../core/router";
import { Button, ErrorNote } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { LevelBadge } from "../events/badges";
import { timeText } from "./day_timeline";
import { recordedTime, spanOf } from "./timeline";
import { useViewWords } from "./view_words";
import type { Watching } from "./watching";

export function DayEvents({ cameraId, watching }: { cameraId: string; watching: Watching }) {
  const words = useViewWords();
  const summary = useEventSummary();
  useLanguage();
  const { data, recorded } = watching.day;
  const events = [...(data.value?.events ?? [])].sort((a, b) => b.started_at.localeCompare(a.started_at));
  /** The first moment of an event that was recorded. */
  const recordedStart = (event: TimelineEventAnswer): number | null => {
    const { from, to } = spanOf(event);
    const found = recordedTime(recorded, from);
    return found !== null && found <= to ? found : null;
  };
  return (
    <section class="day-side" aria-label={words.eventsOf}>
      <h2>{words.eventsOf}</h2>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value !== undefined && events.length === 0 && <p class="soft">{words.noEvents}</p>}
      <ul class="day-events">
        {events.map((event) => {
          const at = Date.parse(event.started_at);
          const playFrom = recordedStart(event);
          const time = timeText(at);
          return (
            <li key={event.id}>
              <span class="number soft">{time}</span>
              <LevelBadge level={event.risk_level} />
              <Link to={`${addressOf("events")}/${event.id}`}>{summary(event)}</Link>
              {playFrom !== null && (
                <Button icon="play" kind="quiet" iconOnly onClick={() => watching.seek(playFrom)}>
                  {words.playFrom(time)}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <p>
        <Link to={`${addressOf("events")}?state=all&camera=${encodeURIComponent(cameraId)}`}>{words.allEvents}</Link>
      </p>
    </section>
  );
}
