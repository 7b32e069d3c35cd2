// Clip editor: sets start and end, creates the clip, offers the download.

import { useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { ClipAnswer, ClipsAnswer, WholeVideoAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { bytes, clock, day, duration } from "../../core/format";
import { useShortcuts } from "../../core/shortcuts";
import { Badge, Button, type Tone } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { notifyError } from "../../ui/toasts";
import { useUiWords } from "../../ui/words";
import type { Playhead } from "./playhead";
import { bodyOf, type ClipChoices, NO_CHOICES } from "./take_away/clip_choices";
import { ClipOptions } from "./take_away/clip_options";
import ShareDialog from "./take_away/share_dialog";
import { useShareWords } from "./take_away/share_words";
import { useVideoPageWords } from "./words";

export interface Marks {
  start: number | null;
  end: number | null;
}

export const NO_MARKS: Marks = { start: null, end: null };

const TONES: Record<string, Tone> = { done: "good", failed: "bad", queued: "busy", processing: "busy" };

interface Props {
  video: WholeVideoAnswer;
  marks: Marks;
  setMarks: (marks: Marks) => void;
  playhead: Playhead;
  canShare: boolean;
  /** Whether there is text or speech for captions. */
  hasCaptions: boolean;
  /** Changes when a clip was created elsewhere. */
  version: number;
}

export function ClipEditor({ video, marks, setMarks, playhead, canShare, hasCaptions, version }: Props) {
  const words = useVideoPageWords();
  const uiWords = useUiWords();
  const shareWords = useShareWords();
  const { videoId, originalRemovedAt } = video;
  const [isGoing, setIsGoing] = useState(true);
  const [options, setOptions] = useState<ClipChoices>(NO_CHOICES);
  const [shared, setShared] = useState<ClipAnswer | null>(null);
  const clips = useData(
    `clips ${videoId} ${version}`,
    async (signal) => {
      const answer = await get<ClipsAnswer>(`/videos/${videoId}/clips`, { query: { limit: 20 }, signal });
      setIsGoing(answer.clips.some((item) => item.status === "queued" || item.status === "processing"));
      return answer.clips;
    },
    { every: isGoing ? 1000 : null },
  );
  const markStart = () => setMarks({ start: playhead.wanted, end: keptAfter(marks.end, playhead.wanted) });
  // The visible frame is the last one of the clip.
  const markEnd = () => {
    const end = Math.round(playhead.wanted + playhead.frameMs);
    setMarks({ start: marks.start !== null && marks.start < end ? marks.start : 0, end });
  };
  useShortcuts([
    { keys: "i", help: words.markIn, run: markStart },
    { keys: "o", help: words.markOut, run: markEnd },
  ]);
  const cut = async () => {
    if (marks.start === null || marks.end === null) return;
    try {
      const times = { t_start: Math.round(marks.start), t_end: Math.round(marks.end), padding_ms: 0 };
      const body = { video_id: videoId, ...times, ...bodyOf(options) };
      const made = await post<ClipAnswer>("/clips", { body });
      clips.set((all) => [made, ...(all ?? [])]);
      setIsGoing(true);
      setMarks(NO_MARKS);
      setOptions({ ...options, name: "" });
    } catch (error) {
      notifyError(error);
    }
  };
  const isMarked = marks.start !== null && marks.end !== null;
  return (
    <section class="clip-editor" aria-label={words.clip}>
      <div class="line">
        <Button onClick={markStart}>{words.markIn}</Button>
        <Button onClick={markEnd}>{words.markOut}</Button>
        <Button icon="cut" kind="primary" disabled={!isMarked || originalRemovedAt !== null} onClick={cut}>
          {words.cut}
        </Button>
        {marks.start !== null && (
          <Button kind="quiet" onClick={() => setMarks(NO_MARKS)}>
            {words.clearMarks}
          </Button>
        )}
        <span class="soft number" role="status">
          {marks.start === null
            ? words.noMarks
            : words.inToOut(
                clock(marks.start, { exact: true }),
                marks.end === null ? "…" : clock(marks.end, { exact: true }),
                marks.end === null ? "…" : duration((marks.end - marks.start) / 1000),
              )}
        </span>
      </div>
      {isMarked && originalRemovedAt === null && (
        <ClipOptions value={options} change={setOptions} hasCaptions={hasCaptions} />
      )}
      {originalRemovedAt !== null && <p class="soft">{uiWords.originalRemoved(day(originalRemovedAt))}</p>}
      {clips.value && clips.value.length > 0 && (
        <ul class="clips" aria-label={words.clips}>
          {clips.value.map((item) => (
            <li key={item.clip_id} class="line">
              <Icon name="cut" />
              {item.name !== null && <strong>{item.name}</strong>}
              {item.parts > 1 && <span class="soft">{words.reelOf(item.parts)}</span>}
              <button type="button" class="link number" onClick={() => playhead.seek(item.start_ms ?? item.t_start)}>
                {clock(item.start_ms ?? item.t_start, { exact: true })} –{" "}
                {clock(item.end_ms ?? item.t_end, { exact: true })}
              </button>
              <Badge tone={TONES[item.status] ?? "neutral"}>
                {words[`clipState_${item.status as "done"}`] ?? item.status}
              </Badge>
              {item.size_bytes !== null && <span class="soft number">{bytes(item.size_bytes)}</span>}
              {item.status === "done" && item.expires_at && (
                <span class="soft">{words.clipRemovedOn(day(item.expires_at))}</span>
              )}
              {item.error_reason && <span class="failure">{item.error_reason}</span>}
              {item.download_url && (
                <a href={item.download_url} download>
                  {words.download}
                </a>
              )}
              {canShare && item.status === "done" && (
                <Button kind="quiet" icon="link" onClick={() => setShared(item)}>
                  {shareWords.open}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {shared !== null && (
        <ShareDialog
          videoId={videoId}
          targets={[{ what: "clip", clipId: shared.clip_id, name: nameOf(shared) }]}
          close={() => setShared(null)}
        />
      )}
    </section>
  );
}

function nameOf(clip: ClipAnswer): string {
  return clip.name ?? `${clock(clip.start_ms ?? clip.t_start)} – ${clock(clip.end_ms ?? clip.t_end)}`;
}

function keptAfter(end: number | null, start: number): number | null {
  return end !== null && end > start ? end : null;
}
