// One video in the list: poster, name, duration and progress.

import { post } from "../../api/client";
import type { PipelineAnswer, PipelineStepAnswer, VideoAnswer } from "../../api/types";
import { bytes, clock, relative } from "../../core/format";
import { Link } from "../../core/router";
import { ApiImage } from "../../ui/api_image";
import { Ago, Badge, Button } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { notify, notifyError } from "../../ui/toasts";
import { PipelineSteps } from "./pipeline_steps";
import { Removals } from "./removals";
import { groupOf, PROCESSING_STATUSES, TONES } from "./statuses";
import { statusWord, useVideoWords } from "./words";

interface Props {
  video: VideoAnswer;
  steps: PipelineStepAnswer[] | undefined;
  changed: () => void;
}

export function VideoRow({ video, steps, changed }: Props) {
  const words = useVideoWords();
  const address = `/ui/videos/${video.videoId}`;
  const failed = steps?.find((step) => step.status === "failed");
  const waits = steps?.find((step) => step.next_attempt_at !== null && step.error !== null);
  const group = groupOf(video.status);
  return (
    <article class="video-row">
      <Link class="poster" to={address} tabIndex={-1} aria-hidden="true">
        {video.durationMs === null ? <Icon name="video" /> : <ApiImage src={`/videos/${video.videoId}/poster`} />}
        {video.durationMs !== null && <span class="length number">{clock(video.durationMs)}</span>}
      </Link>
      <div class="facts">
        <h2>
          <Link to={address}>{video.name}</Link>
        </h2>
        <p class="line soft">
          <Badge tone={TONES[group]}>{statusWord(video.status, words)}</Badge>
          {video.sizeBytes !== null && <span class="number">{bytes(video.sizeBytes)}</span>}
          {video.height !== null && <span class="number">{`${video.width}×${video.height}`}</span>}
          <Ago at={video.createdAt} />
          <Removals video={video} />
        </p>
        {video.status === "FAILED" ? (
          <p class="line failure">
            <span class="reason" title={video.errorReason ?? undefined}>
              {video.errorReason}
            </span>
            {failed?.can_retry && video.canChange && <Retry videoId={video.videoId} done={changed} />}
          </p>
        ) : (
          PROCESSING_STATUSES.includes(video.status) &&
          steps && (
            <div class="line">
              <PipelineSteps steps={steps} />
              {waits && (
                <span class="failure" title={waits.error ?? undefined}>
                  {words.tryAgainAt(relative(waits.next_attempt_at ?? ""))}: {waits.error}
                </span>
              )}
            </div>
          )
        )}
      </div>
    </article>
  );
}

export function Retry({ videoId, done }: { videoId: string; done: () => void }) {
  const words = useVideoWords();
  const retry = async () => {
    try {
      await post<PipelineAnswer>(`/api/pipelines/${videoId}/retry`);
      notify(words.retried);
      done();
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Button icon="retry" onClick={retry}>
      {words.retry}
    </Button>
  );
}
