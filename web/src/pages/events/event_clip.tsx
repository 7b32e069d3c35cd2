// The clip of an event: created with one click, then played and downloaded.

import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get, post } from "../../api/client";
import type { EventAnswer, EventClipAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useInterval } from "../../core/timing";
import { Button, ErrorNote } from "../../ui/basics";
import { notifyError } from "../../ui/toasts";
import { useHandlingWords } from "./handling_words";

const POLL_MS = 1500;
const NOT_FOUND = 404;

interface Props {
  event: EventAnswer;
  /** A new value: the clip may have been cut in the meantime. */
  happened: number;
  /** The clip can be played. */
  done: () => void;
}

export function EventClip({ event, happened, done }: Props) {
  const words = useHandlingWords();
  const address = `/api/events/${event.id}/clip`;
  const mayExist = useRef(false);
  const clip = useData(address, async (signal) => {
    // Most events have none, which the event says; a request for it would be an error in the browser's console.
    if (event.clip_state === null && !mayExist.current) return null;
    return get<EventClipAnswer>(address, { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === NOT_FOUND) return null;
      throw error;
    });
  });
  useEffect(() => {
    if (happened === 0) return;
    mayExist.current = true;
    clip.reload();
    setIsMissing(false); // What was filmed may have been stored in the meantime.
  }, [happened]);
  const [isMissing, setIsMissing] = useState(false);
  /** The end of a clip that is as long as it can be: what happened later is not in the recording. */
  const [lastEnd, setLastEnd] = useState<string | null>(null);
  const found = clip.value;
  const isDone = found?.state === "done";
  useEffect(() => {
    if (isDone) done();
  }, [isDone]);
  const isCutting = found?.state === "queued" || found?.state === "processing";
  useInterval(clip.reload, isCutting ? POLL_MS : null);
  const create = () =>
    post<EventClipAnswer>(address).then(
      (made) => {
        mayExist.current = true;
        if (made.state === "done") setLastEnd(made.ended_at);
        clip.set(() => made);
        clip.reload(); // Ends a request that was under way, and knows nothing of it.
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.code === "RECORDING_NOT_FOUND") setIsMissing(true);
        else notifyError(error);
      },
    );
  return (
    <section aria-label={words.clip}>
      <h3>{words.clip}</h3>
      {clip.error && <ErrorNote error={clip.error} retry={clip.reload} />}
      {found?.url && (
        <video
          class="event-clip"
          src={found.url}
          poster={found.poster_url ?? ""}
          controls
          aria-label={words.playClip}
        />
      )}
      {found?.state === "done" && found.left_out > 0 && <p class="soft">{words.clipLeftOut(found.left_out)}</p>}
      {isCutting && <p role="status">{words.clipQueued}</p>}
      {found?.state === "failed" && <p>{words.clipFailed(found.error_reason ?? "–")}</p>}
      {isMissing && <p class="soft">{words.noRecording}</p>}
      <div class="line">
        {!isMissing && (found === null || found?.state === "failed") && (
          <Button icon="cut" onClick={create}>
            {words.createClip}
          </Button>
        )}
        {found?.state === "done" && isOutdated(event, found) && found.ended_at !== lastEnd && (
          <>
            <span class="soft">{words.clipOutdated}</span>
            <Button icon="cut" onClick={create}>
              {words.createClipAgain}
            </Button>
          </>
        )}
        {found?.download_url && (
          <a class="button" href={found.download_url} download>
            {words.downloadClip}
          </a>
        )}
      </div>
    </section>
  );
}

/** Whether the event went on after the clip was cut. */
export function isOutdated(event: Pick<EventAnswer, "ended_at">, clip: Pick<EventClipAnswer, "ended_at">): boolean {
  return event.ended_at !== null && clip.ended_at !== null && Date.parse(event.ended_at) > Date.parse(clip.ended_at);
}
