// Finding techniques: every analyzer with a button or with what keeps it from working here, the cost of a model before it runs,
// and what came of the last analysis.

import { useState } from "preact/hooks";
import { get, post } from "../../../api/client";
import type {
  AnalysisReportAnswer,
  VideoActionsAnswer,
  VideoAnalyzerAnswer,
  VideoAnalyzersAnswer,
} from "../../../api/types";
import { useData } from "../../../api/use_data";
import { duration, percent } from "../../../core/format";
import { Button, Progress } from "../../../ui/basics";
import { Dialog } from "../../../ui/dialog";
import { notify, notifyError } from "../../../ui/toasts";
import { isAnalyzing } from "../actions";
import { useFinderWords } from "./finder_words";

const SHOWN_SILENCES = 4;

interface Props {
  videoId: string;
  actions: VideoActionsAnswer | undefined;
  /** The job that publishes accepted techniques, which is an analysis as well but looks for nothing. */
  publishingJob: string | null;
  /** Whether there is nothing yet, so that finding comes first. */
  isFirst: boolean;
  started: () => void;
}

export function Finder({ videoId, actions, publishingJob, isFirst, started }: Props) {
  const words = useFinderWords();
  const [asked, setAsked] = useState<VideoAnalyzerAnswer | null>(null);
  const latest = actions?.latest_analysis ?? null;
  const isOwn = latest !== null && latest.job_id === publishingJob;
  const found = useData(`analyzers ${videoId} ${latest?.job_id} ${latest?.status}`, (signal) =>
    get<VideoAnalyzersAnswer>(`/videos/${videoId}/analyzers`, { signal }),
  );
  if (actions === undefined || found.value === undefined) return null;
  if (isAnalyzing(actions) && latest !== null && !isOwn) {
    return (
      <div class="stack" role="status">
        <Progress share={latest.progress} label={`${words.looking} ${percent(latest.progress)}`} />
        <span class="soft">{words.looking}</span>
        {latest.error !== null && <p class="failure">{words.triedAgain(latest.error)}</p>}
      </div>
    );
  }
  const run = (analyzer: string) => {
    setAsked(null);
    post("/jobs", { body: { video_id: videoId, analyzer } }).then(() => {
      notify(words.started);
      started();
    }, notifyError);
  };
  const { analyzers } = found.value;
  const usable = analyzers.filter((item) => item.cannot === null);
  const start = (item: VideoAnalyzerAnswer) => (item.estimate === null ? run(item.name) : setAsked(item));
  const failed = usable.find((item) => item.name === latest?.analyzer);
  return (
    <div class="stack">
      {latest?.status === "failed" && !isOwn && (
        <div class="note bad" role="alert">
          <span>
            {words.failed}: {latest.error}
          </span>
          {failed !== undefined && <Button onClick={() => start(failed)}>{words.again}</Button>}
        </div>
      )}
      {latest?.status === "done" && !isOwn && <Report videoId={videoId} jobId={latest.job_id} />}
      <details class="finder" open={isFirst || undefined}>
        <summary>{words.title}</summary>
        <div class="stack">
          {usable.length === 0 && <p>{words.nothing}</p>}
          <ul>
            {analyzers.map((item) => (
              <li key={item.name}>
                {item.cannot === null ? (
                  <Button kind={isFirst ? "primary" : "plain"} onClick={() => start(item)}>
                    {words.findWith(words.analyzer(item.name))}
                  </Button>
                ) : (
                  <span>
                    <strong>{words.analyzer(item.name)}</strong>
                    <span class="soft"> {words.cannot(item.cannot)}</span>
                  </span>
                )}
                {item.estimate !== null && item.cannot === null && (
                  <small class="soft">
                    {item.server} · {words.estimate(item.estimate.calls, item.estimate.pictures)}
                  </small>
                )}
              </li>
            ))}
          </ul>
          {usable.length > 0 && <p class="soft">{words.candidatesOnly}</p>}
        </div>
      </details>
      {asked !== null && <Ask analyzer={asked} run={() => run(asked.name)} close={() => setAsked(null)} />}
    </div>
  );
}

/** What the last analysis says of itself: an analysis that finds nothing is no failure, and has its reasons. */
function Report({ videoId, jobId }: { videoId: string; jobId: string }) {
  const words = useFinderWords();
  const found = useData(`report ${jobId}`, (signal) =>
    get<AnalysisReportAnswer>(`/videos/${videoId}/analysis/report`, { query: { job_id: jobId }, signal }),
  );
  if (found.value === undefined) return null;
  const { analyzer, found: count, silences } = found.value;
  return (
    <div class="stack" role="status">
      <span>{words.lastAnalysis(words.analyzer(analyzer), count)}</span>
      {silences.length > 0 && (
        <ul class="plain-list soft">
          {silences.slice(0, SHOWN_SILENCES).map((one) => (
            <li key={one.reason}>
              {duration(one.ms / 1000)} · {one.reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Ask({ analyzer, run, close }: { analyzer: VideoAnalyzerAnswer; run: () => void; close: () => void }) {
  const words = useFinderWords();
  const { estimate } = analyzer;
  if (estimate === null) return null;
  return (
    <Dialog title={words.askTitle} close={close}>
      <div class="stack">
        <p>{words.askText(analyzer.server ?? analyzer.name)}</p>
        <ul class="plain-list">
          <li>{words.estimate(estimate.calls, estimate.pictures)}</li>
          <li>{words.tokens(estimate.prompt_tokens, estimate.max_completion_tokens)}</li>
          <li>{estimate.max_cost === null ? words.noPrice : words.cost(estimate.max_cost)}</li>
        </ul>
        <div class="actions">
          <Button onClick={close}>{words.cancel}</Button>
          <Button kind="primary" onClick={run}>
            {words.run}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
