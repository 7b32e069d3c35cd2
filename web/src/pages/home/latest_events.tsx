// The newest security events.

import type { EventAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { Link } from "../../core/router";
import { Ago } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { Icon } from "../../ui/icons";
import { LevelBadge } from "../events/badges";
import { Part } from "./part";
import { useHomeWords } from "./words";

interface Props {
  events: EventAnswer[];
  hasCameras: boolean;
  nameOf: (cameraId: string) => string;
}

export function LatestEvents({ events, hasCameras, nameOf }: Props) {
  const words = useHomeWords();
  const summary = useEventSummary();
  if (events.length === 0 && !hasCameras) return null;
  return (
    <Part title={words.events} to={addressOf("events")} all={words.allEvents}>
      {events.length === 0 && <p class="soft">{words.noEvents}</p>}
      <ul class="tiles">
        {events.map((event) => (
          <li key={event.id}>
            <Link class="tile" to={`${addressOf("events")}/${event.id}`}>
              <span class="picture">
                {event.picture_url === null ? (
                  <Icon name="camera" />
                ) : (
                  <img src={event.picture_url} alt="" loading="lazy" decoding="async" />
                )}
                <span class="level">
                  <LevelBadge level={event.risk_level} />
                </span>
              </span>
              <span class="name">{summary(event)}</span>
              <span class="soft">
                {nameOf(event.camera_id)} · <Ago at={event.started_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
