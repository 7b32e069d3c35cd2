// People and objects in a video: the button that looks for them, how far that is, and what was found.

import { useState } from "preact/hooks";
import { type ApiError, post } from "../../api/client";
import type { VideoActionsAnswer, VideoTrackAnswer } from "../../api/types";
import { clock, localInputTime, percent } from "../../core/format";
import { Button, Empty, ErrorNote, Progress } from "../../ui/basics";
import { FormField } from "../../ui/form";
import { notify, notifyError } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import { ModelCards, useVision } from "../cameras/model_cards";
import { isDetecting } from "./actions";
import { CameraChoice } from "./camera_choice";
import { useObjectWords } from "./object_words";
import type { Playhead } from "./playhead";
import { coloursOf, isUncertain } from "./tracks";

interface Props {
  videoId: string;
  uploadedAt: string;
  tracks: VideoTrackAnswer[];
  error: ApiError | null;
  playhead: Playhead;
  actions: VideoActionsAnswer | undefined;
  started: () => void;
}

export function ObjectsTab({ videoId, uploadedAt, tracks, error, playhead, actions, started }: Props) {
  const words = useObjectWords();
  const [only, setOnly] = useState<string | null>(null);
  const colours = coloursOf(tracks);
  const shown = only === null ? tracks : tracks.filter((track) => track.label === only);
  return (
    <div class="stack">
      {error !== null && <ErrorNote error={error} />}
      <Start
        videoId={videoId}
        uploadedAt={uploadedAt}
        hasTracks={tracks.length > 0}
        actions={actions}
        started={started}
      />
      {colours.size > 1 && (
        <fieldset class="line object-labels" aria-label={words.filter}>
          {[...colours].map(([label, colour]) => (
            <button
              type="button"
              key={label}
              class={`object-${colour}`}
              aria-pressed={only === label}
              onClick={() => setOnly(only === label ? null : label)}
            >
              {words.label(label)} {tracks.filter((track) => track.label === label).length}
            </button>
          ))}
        </fieldset>
      )}
      {shown.length > 0 && (
        <VirtualList
          rows={shown}
          height={76}
          rowKey={(track) => track.track_id}
          label={words.objects}
          within="min(60vh, 560px)"
        >
          {(track) => (
            <button type="button" class="text-row object-row" onClick={() => playhead.seek(track.best_ms)}>
              {track.thumbnail_url === null ? <span /> : <img src={track.thumbnail_url} alt="" loading="lazy" />}
              <span class="screen-text">
                {isUncertain(track) ? words.unknown(words.label(track.label)) : words.label(track.label)}
                <small class="soft">
                  {clock(track.t_start)} – {clock(track.t_end)}
                  {track.behaviours.map((behaviour) => ` · ${words.behaviour(behaviour)}`)}
                </small>
              </span>
              <span class="number soft">{percent(track.score)}</span>
            </button>
          )}
        </VirtualList>
      )}
    </div>
  );
}

interface StartProps {
  videoId: string;
  uploadedAt: string;
  hasTracks: boolean;
  actions: VideoActionsAnswer | undefined;
  started: () => void;
}

function Start({ videoId, uploadedAt, hasTracks, actions, started }: StartProps) {
  const words = useObjectWords();
  const [cameraId, setCameraId] = useState("");
  const [startedAt, setStartedAt] = useState(() => localInputTime(Date.parse(uploadedAt)));
  const vision = useVision();
  if (actions === undefined) return null;
  const latest = actions.latest_detection;
  const { cannot } = actions.detect;
  if (isDetecting(actions) && latest !== null) {
    return (
      <div class="stack" role="status">
        <Progress share={latest.progress} label={`${words.looking} ${percent(latest.progress)}`} />
        {latest.error !== null && <p class="failure">{words.triedAgain(latest.error)}</p>}
      </div>
    );
  }
  const asCamera = { camera_id: cameraId, started_at: momentOf(startedAt) };
  const look = () =>
    post(`/api/videos/${videoId}/detect`, { body: cameraId === "" ? {} : asCamera }).then(() => {
      notify(words.lookStarted);
      started();
    }, notifyError);
  const failure = latest?.status === "failed" && (
    <p class="note bad" role="alert">
      {words.failed}: {latest.error}
    </p>
  );
  const button = cannot === null && (
    <>
      <Button kind={hasTracks ? undefined : "primary"} onClick={look}>
        {latest === null ? words.find : words.findAgain}
      </Button>
      <CameraChoice value={cameraId} choose={setCameraId} />
      {cameraId !== "" && (
        <FormField label={words.startedAt} hint={words.startedAtHint}>
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              step={1}
              value={startedAt}
              onInput={(event) => setStartedAt(event.currentTarget.value)}
            />
          )}
        </FormField>
      )}
      {vision !== undefined && <ModelCards vision={vision} />}
    </>
  );
  if (hasTracks) {
    return (
      <div class="line">
        {failure}
        {button}
      </div>
    );
  }
  return (
    <Empty title={latest?.status === "done" ? words.nothing : words.notYet}>
      {failure}
      {button || <p class="soft">{words.cannot(cannot)}</p>}
    </Empty>
  );
}

/** The moment that an input of a local time says; null: the platform takes the time of the upload. */
function momentOf(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
