// A button that processes a failed video again from the stage that failed.

import { post } from "../../api/client";
import type { PipelineAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { useVideoWords } from "./words";

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
