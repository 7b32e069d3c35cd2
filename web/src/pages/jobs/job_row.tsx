// One job in the list.

import type { JobSummaryAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { percent } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Button, Progress } from "../../ui/basics";
import { rowLinkId } from "./row_selection";
import { StateBadge, shortId } from "./state_badge";
import { useJobWords } from "./words";

interface Props {
  job: JobSummaryAnswer;
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
            aria-label={`${job.job_type} ${id}`}
            aria-current={props.isOpened ? "true" : undefined}
          >
            {job.job_type}
          </Link>
          <StateBadge state={job.status} />
          {job.retry_count > 0 && <span class="soft attempt">{words.attempt(job.retry_count + 1)}</span>}
          {job.status === "processing" && (
            <Progress share={job.progress} label={`${job.job_type} ${percent(job.progress)}`} />
          )}
          <span class="age soft">
            <Ago at={job.finished_at ?? job.started_at ?? job.created_at} />
          </span>
        </div>
        <div class="second soft">
          {job.video_id === null ? (
            <span>{words.noVideo}</span>
          ) : (
            <Link to={`${ROOT}/videos/${job.video_id}`} title={words.openVideo}>
              {words.video(shortId(job.video_id))}
            </Link>
          )}
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
