// What is said of a video that failed: why, a retry where it can help, and the way to get rid of it.

import { useState } from "preact/hooks";
import { post, remove } from "../../api/client";
import type { PipelineAnswer, PipelineStepAnswer, VideoAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { navigate } from "../../core/router";
import { Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { notify, notifyError } from "../../ui/toasts";
import { useVideoWords } from "../videos/words";
import { useVideoPageWords } from "./words";

interface Props {
  video: VideoAnswer;
  steps: PipelineStepAnswer[];
  retried: () => void;
}

export function FailedNote({ video, steps, retried }: Props) {
  const words = useVideoPageWords();
  const shared = useVideoWords();
  const [isDeleting, setIsDeleting] = useState(false);
  const failed = steps.find((step) => step.status === "failed");
  const retry = () =>
    post<PipelineAnswer>(`/api/pipelines/${video.videoId}/retry`).then(() => {
      notify(shared.retried);
      retried();
    }, notifyError);
  const drop = () =>
    remove(`/videos/${video.videoId}`).then(() => {
      notify(words.removed);
      navigate(addressOf("videos"));
    }, notifyError);
  return (
    <div class="note bad failed-note" role="alert">
      <Icon name="alarm" />
      <span>
        {words.failed}: {video.errorReason?.replace(/\.$/, "")}.
        {failed !== undefined && !failed.can_retry && ` ${words.noRetry}`}
      </span>
      {video.canChange && (
        <span class="line">
          {failed?.can_retry && (
            <Button icon="retry" onClick={retry}>
              {shared.retry}
            </Button>
          )}
          <Button icon="trash" onClick={() => setIsDeleting(true)}>
            {words.remove}
          </Button>
        </span>
      )}
      {isDeleting && (
        <Confirm
          title={words.removeAsk}
          text={words.removeText(video.name)}
          action={words.remove}
          run={drop}
          close={() => setIsDeleting(false)}
        />
      )}
    </div>
  );
}
