// What stands in place of techniques before there are any: the button that looks for them, or why it cannot work, and what came of the last try.

import { post } from "../../api/client";
import type { VideoActionsAnswer } from "../../api/types";
import { percent } from "../../core/format";
import { Button, Empty, Progress } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { useActionWords } from "./action_words";
import { isAnalyzing } from "./actions";

interface Props {
  videoId: string;
  actions: VideoActionsAnswer | undefined;
  started: () => void;
}

export function StartAnalysis({ videoId, actions, started }: Props) {
  const words = useActionWords();
  if (actions === undefined) return null;
  const latest = actions.latest_analysis;
  const { cannot } = actions.analyze;
  const analyze = () =>
    post("/jobs", { body: { video_id: videoId } }).then(() => {
      notify(words.analyzeStarted);
      started();
    }, notifyError);
  if (isAnalyzing(actions) && latest !== null) {
    return (
      <div class="stack" role="status">
        <Progress share={latest.progress} label={`${words.analyzing} ${percent(latest.progress)}`} />
        {latest.error !== null && <p class="failure">{words.triedAgain(latest.error)}</p>}
      </div>
    );
  }
  return (
    <Empty title={words.noAnalysis}>
      {latest?.status === "failed" && (
        <p class="note bad" role="alert">
          {words.analysisFailed}: {latest.error}
        </p>
      )}
      {cannot === null ? (
        <Button kind="primary" onClick={analyze}>
          {latest?.status === "failed" ? words.analyzeAgain : words.analyze}
        </Button>
      ) : (
        <p class="soft">{words.analyzeNot(cannot)}</p>
      )}
    </Empty>
  );
}
