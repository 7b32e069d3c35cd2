// Details of one job: payload, progress, error, history and actions.

import { useState } from "preact/hooks";
import { get } from "../../api/client";
import type { JobAnswer, WholeJobAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { ROOT } from "../../core/addresses";
import { duration, moment, percent } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Button, ErrorNote, Loading, Progress } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { Fact } from "../../ui/fact";
import { useJobNames } from "../../ui/job_words";
import { notify, notifyError } from "../../ui/toasts";
import { cancelOne, reportRetry, retryMany } from "./actions";
import { JobHistory } from "./job_history";
import { tookSeconds } from "./job_row";
import { StateBadge, shortId } from "./state_badge";
import { useJobWords } from "./words";

type Shown = JobAnswer & Partial<WholeJobAnswer>;

const REFRESH_MS = 2000;

interface Props {
  id: string;
  /** Operators see more fields and may retry or cancel. */
  isOperator: boolean;
  changed: () => void;
}

export function JobDetail({ id, isOperator, changed }: Props) {
  const words = useJobWords();
  const names = useJobNames();
  const [isOver, setIsOver] = useState(false);
  const [isConfirmingCancel, setIsConfirmingCancel] = useState(false);
  const load = async (signal: AbortSignal) => {
    const job = await get<Shown>(`/jobs/${encodeURIComponent(id)}${isOperator ? "/details" : ""}`, { signal });
    setIsOver(["done", "failed"].includes(stateOf(job)));
    return job;
  };
  const { value: job, error, reload } = useData(`job ${id} ${isOperator}`, load, { every: isOver ? null : REFRESH_MS });
  if (job === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Loading />;

  const after = () => {
    reload();
    changed();
  };
  const retry = () => {
    setIsOver(false);
    retryMany([id])
      .then((report) => reportRetry(report, words))
      .catch(notifyError)
      .finally(after);
  };
  const cancel = () => {
    cancelOne(id)
      .then(() => notify(words.cancelled))
      .catch(notifyError)
      .finally(after);
  };
  const state = stateOf(job);
  return (
    <article class="work-detail">
      <header>
        <h2>{names.job(job.job_type)}</h2>
        <StateBadge state={job.status} />
      </header>
      {error && <ErrorNote error={error} retry={reload} />}
      {isOperator && (state === "failed" || state === "queued") && (
        <div class="line">
          {state === "failed" && (
            <Button icon="retry" kind="primary" onClick={retry}>
              {words.retry}
            </Button>
          )}
          {state === "queued" && (
            <Button icon="cross" kind="danger" onClick={() => setIsConfirmingCancel(true)}>
              {words.cancel}
            </Button>
          )}
        </div>
      )}
      {job.error_details !== null && state !== "done" && (
        <section class="failure-box">
          <h3>{String(job.error_details.type ?? words.error)}</h3>
          <p>{job.error}</p>
        </section>
      )}
      <Facts job={job} />
      <JobHistory moves={job.history} />
      {job.payload !== undefined && <Json title={words.payload} value={originalOf(job.payload)} />}
      {job.result !== null && <Json title={words.result} value={job.result} />}
      {isConfirmingCancel && (
        <Confirm
          title={words.cancel}
          text={words.cancelText}
          action={words.cancel}
          run={cancel}
          close={() => setIsConfirmingCancel(false)}
        />
      )}
    </article>
  );
}

function Facts({ job }: { job: Shown }) {
  const words = useJobWords();
  const took = tookSeconds(job);
  const times = [
    [words.created, job.created_at],
    [words.started, job.started_at],
    [words.finished, job.finished_at],
    [words.nextRun, job.run_after],
  ] as const;
  return (
    <dl class="fact-list">
      <Fact name={words.type}>
        <code>{job.job_type}</code>
      </Fact>
      <Fact name={words.id}>
        <code>{job.job_id}</code>
      </Fact>
      {job.video_id !== null && (
        <Fact name={words.videoFact}>
          <Link to={`${ROOT}/videos/${job.video_id}`}>{job.video_name ?? words.openVideo}</Link>
        </Fact>
      )}
      {job.status !== "done" && job.progress > 0 && (
        <Fact name={words.progress}>
          <Progress share={job.progress} label={`${job.job_type} ${percent(job.progress)}`} /> {job.message}
        </Fact>
      )}
      {times.map(
        ([name, at]) =>
          at !== null && (
            <Fact key={name} name={name}>
              {moment(at)}{" "}
              <span class="soft">
                (<Ago at={at} />)
              </span>
            </Fact>
          ),
      )}
      {took !== null && <Fact name={words.tookFact}>{duration(took)}</Fact>}
      <Fact name={words.attempts}>{job.retry_count + (job.status === "queued" ? 0 : 1)}</Fact>
      {job.priority !== 0 && <Fact name={words.priority}>{job.priority}</Fact>}
      {job.locked_by && (
        <Fact name={words.worker}>
          <code>{job.locked_by}</code>
        </Fact>
      )}
      {job.depends_on && (
        <Fact name={words.waitsFor}>
          <Link to={`${ROOT}/jobs/${job.depends_on}`}>{shortId(job.depends_on)}</Link>
        </Fact>
      )}
    </dl>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <section>
      <h3>{title}</h3>
      <pre tabIndex={0} aria-label={title}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
}

/** The status in the queue; an analysis reports a stage of its own instead. */
const stateOf = (job: Shown): string => job.history.at(-1)?.status ?? job.status;

/** A failed job stores its payload beside the error, which is shown separately. */
function originalOf(payload: Record<string, unknown>): unknown {
  return "original_payload" in payload && "error" in payload ? payload.original_payload : payload;
}
