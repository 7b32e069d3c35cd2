// The picture of an event. The preview of its clip plays, if there is one, when the pointer rests on it or keys chose the event.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { EventAnswer, EventClipAnswer } from "../../api/types";
import { Link } from "../../core/router";
import { Icon } from "../../ui/icons";

const REST_MS = 250;

interface Props {
  event: EventAnswer;
  address: string;
  keepScroll: boolean;
  /** Whether keys apply to this event. */
  isCurrent: boolean;
}

/** The summary beside it is the link for keyboards and screen readers. */
export function EventThumbnail({ event, address, keepScroll, isCurrent }: Props) {
  const [isResting, setIsResting] = useState(false);
  const [preview, setPreview] = useState<string | null>(null);
  const hasClip = event.clip_state === "done";
  const isPlaying = hasClip && (isResting || isCurrent);
  useEffect(() => {
    if (!isPlaying) return setPreview(null);
    const asking = new AbortController();
    const timer = setTimeout(() => {
      // A clip that was removed a moment ago: the picture simply stays.
      get<EventClipAnswer>(`/api/events/${event.id}/clip`, { signal: asking.signal }).then(
        (clip) => setPreview(clip.preview_url ?? null),
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [isPlaying, event.id]);
  return (
    <Link
      class="event-thumbnail"
      to={address}
      keepScroll={keepScroll}
      tabIndex={-1}
      aria-hidden="true"
      onMouseEnter={() => setIsResting(true)}
      onMouseLeave={() => setIsResting(false)}
    >
      {event.picture_url === null ? <Icon name="camera" /> : <img src={event.picture_url} alt="" loading="lazy" />}
      {hasClip && preview === null && (
        <span class="has-clip">
          <Icon name="play" />
        </span>
      )}
      {preview !== null && <video src={preview} autoplay muted loop playsInline onError={() => setPreview(null)} />}
    </Link>
  );
}
