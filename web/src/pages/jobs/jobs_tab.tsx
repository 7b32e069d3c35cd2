// The list of jobs with its filters, what is selected of it, and the job that is opened.

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { JobSummaryAnswer, JobsAnswer, RetryAnswer } from "../../api/types";
import { useInterval } from "../../app/data";
import { usePaged } from "../../app/pages_list";
import { ROOT, navigate, usePlace } from "../../app/router";
import { useIsAtLeast } from "../../app/width";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { Beside, WIDE_PX } from "../../ui/beside";
import { LongList } from "../../ui/long_list";
import { complain } from "../../ui/toasts";
import { retryMany, tellReport } from "./actions";
import { type Counts, countOf } from "./counts";
import { FilterBar, NoJobs, useFilter } from "./filter_bar";
import { JobDetail } from "./job_detail";
import { JobRow } from "./job_row";
import { RetryAll } from "./retry_all";
import { useRows } from "./rows";
import { useJobWords } from "./words";

const ROW_PX = 70;
const PAGE = 100;
const PROGRESS_EVERY_MS = 2000;

export function JobsTab({ openId, counts }: { openId: string | null; counts: Counts }) {
  const words = useJobWords();
  const filter = useFilter();
  const { query } = usePlace();
  const isWide = useIsAtLeast(WIDE_PX);
  const [asksAll, setAsksAll] = useState(false);
  const key = JSON.stringify(filter);
  const list = usePaged<JobSummaryAnswer>(key, async (cursor, signal) => {
    const asked = { status: filter.state, job_type: filter.type, limit: PAGE, cursor };
    const answer = await get<JobsAnswer>("/jobs", { query: asked, signal });
    return { rows: answer.jobs, next: answer.next };
  });
  const { rows } = list;

  // The counts are asked for all the time; the list only when they say that something has moved, or while something runs.
  const seen = JSON.stringify(counts.value?.map((row) => [row.queued, row.processing, row.done, row.failed]));
  const last = useRef(seen);
  useEffect(() => {
    if (last.current !== undefined && last.current !== seen) list.reload();
    last.current = seen;
  }, [seen]);
  useInterval(list.reload, rows.some((job) => job.status === "processing") ? PROGRESS_EVERY_MS : null);

  const search = query.size === 0 ? "" : `?${query}`;
  const addressOf = (id: string) => `${ROOT}/jobs/${id}${search}`;
  const changed = () => {
    counts.reload();
    list.reload();
  };
  /** Shows at once what was queued again; a list that was scrolled far is not asked for anew. */
  const retried = ({ ids }: RetryAnswer) => {
    const again = new Set(ids);
    list.set((shown) =>
      shown.flatMap((job) => {
        if (!again.has(job.job_id)) return [job];
        return filter.state === "failed" ? [] : [{ ...job, status: "queued", error: null, finished_at: null, retry_count: 0 }];
      }),
    );
  };
  const retry = (ids: string[]) => {
    retryMany(ids)
      .then((report) => {
        tellReport(report, words);
        retried(report);
      })
      .catch(complain)
      .finally(() => {
        selection.clear();
        changed();
      });
  };
  const selection = useRows(key, rows.map((job) => job.job_id), openId, {
    open: (id) => navigate(addressOf(id), { keepScroll: isWide, replace: openId !== null }),
    retry,
    close: () => openId !== null && navigate(`${ROOT}/jobs${search}`, { keepScroll: isWide }),
    canSelect: (id) => rows.some((job) => job.job_id === id && job.status === "failed"),
  });
  const hasBoxes = rows.some((job) => job.status === "failed");
  const failed = counts.value === undefined ? 0 : countOf(counts.value, "failed", filter.type);

  return (
    <>
      <Beside
        label={words.detail}
        back={`${ROOT}/jobs${search}`}
        openedKey={openId}
        opened={openId === null ? null : <JobDetail key={openId} id={openId} isOperator changed={changed} />}
        list={
          <>
            <FilterBar filter={filter} counts={counts}>
              {failed > 0 && (filter.state === "" || filter.state === "failed") && (
                <Button icon="retry" class="right" onClick={() => setAsksAll(true)}>
                  {filter.type === "" ? words.retryAll : words.retryAllOf(filter.type)}
                </Button>
              )}
            </FilterBar>
            {counts.error && <ErrorNote error={counts.error} again={counts.reload} />}
            {selection.selected.size > 0 && (
              <div class="work-bar">
                <span role="status">{words.selected(selection.selected.size)}</span>
                <Button icon="retry" kind="primary" onClick={() => retry([...selection.selected])}>
                  {words.retrySelected(selection.selected.size)}
                </Button>
                <Button kind="quiet" icon="cross" iconOnly onClick={selection.clear}>
                  {words.clearSelection}
                </Button>
              </div>
            )}
            {list.error && <ErrorNote error={list.error} again={list.reload} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isWhole && <NoJobs filter={filter} />}
            {rows.length > 0 && (
              <LongList
                rows={rows}
                height={ROW_PX}
                rowKey={(job) => job.job_id}
                label={words.list}
                more={list.more}
                current={selection.current}
              >
                {(job, index) => (
                  <JobRow
                    job={job}
                    address={addressOf(job.job_id)}
                    keepScroll={isWide}
                    isCurrent={index === selection.current}
                    isOpened={job.job_id === openId}
                    hasBox={hasBoxes}
                    isSelected={selection.selected.has(job.job_id)}
                    select={() => selection.toggle(job.job_id)}
                    retry={() => retry([job.job_id])}
                  />
                )}
              </LongList>
            )}
          </>
        }
      />
      {asksAll && <RetryAll type={filter.type} close={() => setAsksAll(false)} retried={retried} done={changed} />}
    </>
  );
}
