// One job in the list.

import type { ListedJobAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { duration, percent } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Button, Progress } from "../../ui/basics";
import { useJobNames } from "../../ui/job_words";
import { rowLinkId } from "./row_selection";
import { StateBadge, shortId } from "./state_badge";
import { useJobWords } from "./words";

interface Props {
  job: ListedJobAnswer;
  address: string;
  isCurrent: boolean;
  isOpened: boolean;
  /** Reserves room for a checkbox; only failed jobs have one. */
  hasBox: boolean;
  isSelected: boolean;
  keepScroll: boolean;
  select: () => void;
  retry: () => void;
}

export function JobRow(props: Props) {
  const words = useJobWords();
  const { job } = props;
  const isFailed = job.status === "failed";
  const id = shortId(job.job_id);
  const name = useJobNames().job(job.job_type);
  const took = tookSeconds(job);
  const classes = ["work-row", props.isCurrent && "current", props.isOpened && "opened"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      {props.hasBox && (
        <span class="box">
          {isFailed && (
            <input
              type="checkbox"
              checked={props.isSelected}
              aria-label={words.select(job.job_type, id)}
              onChange={props.select}
            />
          )}
        </span>
      )}
      <div class="what">
        <div class="first">
          <Link
            id={rowLinkId(job.job_id)}
            to={props.address}
            keepScroll={props.keepScroll}
            aria-label={`${name} ${job.job_type} ${id}`}
            aria-current={props.isOpened ? "true" : undefined}
          >
            {name}
          </Link>
          <code class="soft">{job.job_type}</code>
          <StateBadge state={job.status} />
          {job.retry_count > 0 && <span class="soft attempt">{words.attempt(job.retry_count + 1)}</span>}
          {job.status === "processing" && <Progress share={job.progress} label={`${name} ${percent(job.progress)}`} />}
          <span class="age soft">
            <Ago at={job.finished_at ?? job.started_at ?? job.created_at} />
          </span>
        </div>
        <div class="second soft">
          {job.video_id !== null && (
            <Link to={`${ROOT}/videos/${job.video_id}`} title={words.openVideo}>
              {job.video_name ?? words.video(shortId(job.video_id))}
            </Link>
          )}
          {took !== null && <span class="number">{words.took(duration(took))}</span>}
          {job.run_after !== null && job.status === "queued" && (
            <span>
              {words.runsAgain} <Ago at={job.run_after} />
            </span>
          )}
          {job.error !== null && job.status !== "done" ? (
            <span class="why" title={job.error}>
              {job.error}
            </span>
          ) : (
            job.status === "processing" && <span class="why plain">{job.message}</span>
          )}
        </div>
      </div>
      {isFailed && (
        <Button icon="retry" kind="quiet" iconOnly aria-label={words.retryOne(job.job_type, id)} onClick={props.retry}>
          {words.retry}
        </Button>
      )}
    </div>
  );
}

/** How long the last attempt ran, once it is over. */
export function tookSeconds(job: Pick<ListedJobAnswer, "started_at" | "finished_at">): number | null {
  if (job.started_at === null || job.finished_at === null) return null;
  return Math.max(0, (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000);
}
