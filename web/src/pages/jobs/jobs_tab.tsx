// The jobs tab: filters, list, selection and details.

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { JobsAnswer, ListedJobAnswer, RetryAnswer } from "../../api/types";
import { nextCursor, usePagedList } from "../../api/use_paged_list";
import { ROOT } from "../../core/addresses";
import { useMinWidth } from "../../core/element_size";
import { navigate, useLocation } from "../../core/router";
import { useInterval } from "../../core/timing";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { SPLIT_MIN_WIDTH_PX, SplitView } from "../../ui/split_view";
import { notifyError } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import { reportRetry, retryMany } from "./actions";
import { type Counts, countOf } from "./counts";
import { FilterBar, NoJobs, useFilter } from "./filter_bar";
import { JobDetail } from "./job_detail";
import { JobRow } from "./job_row";
import { RetryAll } from "./retry_all";
import { useRowSelection } from "./row_selection";
import { useJobWords } from "./words";

const ROW_PX = 70;
const PAGE_SIZE = 100;
const PROGRESS_REFRESH_MS = 2000;

export function JobsTab({ openId, counts }: { openId: string | null; counts: Counts }) {
  const words = useJobWords();
  const filter = useFilter();
  const { query: urlQuery } = useLocation();
  const isWide = useMinWidth(SPLIT_MIN_WIDTH_PX);
  const [isRetryingAll, setIsRetryingAll] = useState(false);
  const key = JSON.stringify(filter);
  const list = usePagedList<ListedJobAnswer>(key, async (cursor, signal) => {
    const query = { status: filter.state, job_type: filter.type, limit: PAGE_SIZE, cursor };
    const answer = await get<JobsAnswer>("/jobs", { query, signal });
    return { rows: answer.jobs, next: nextCursor(answer) };
  });
  const { rows } = list;

  // The counts refresh regularly; the list reloads when they change or while a job runs.
  const countsKey = JSON.stringify(counts.value?.map((row) => [row.queued, row.processing, row.done, row.failed]));
  const last = useRef(countsKey);
  useEffect(() => {
    if (last.current !== undefined && last.current !== countsKey) list.reload();
    last.current = countsKey;
  }, [countsKey]);
  useInterval(list.reload, rows.some((job) => job.status === "processing") ? PROGRESS_REFRESH_MS : null);

  const search = urlQuery.size === 0 ? "" : `?${urlQuery}`;
  const addressOf = (id: string) => `${ROOT}/jobs/${id}${search}`;
  const changed = () => {
    counts.reload();
    list.reload();
  };
  /** Shows retried jobs as queued right away, because a long list is not reloaded. */
  const retried = ({ ids }: RetryAnswer) => {
    const again = new Set(ids);
    list.set((shown) =>
      shown.flatMap((job) => {
        if (!again.has(job.job_id)) return [job];
        return filter.state === "failed"
          ? []
          : [{ ...job, status: "queued", error: null, finished_at: null, retry_count: 0 }];
      }),
    );
  };
  const retry = (ids: string[]) => {
    retryMany(ids)
      .then((report) => {
        reportRetry(report, words);
        retried(report);
      })
      .catch(notifyError)
      .finally(() => {
        selection.clear();
        changed();
      });
  };
  const selection = useRowSelection(
    key,
    rows.map((job) => job.job_id),
    openId,
    {
      open: (id) => navigate(addressOf(id), { keepScroll: isWide, replace: openId !== null }),
      retry,
      close: () => openId !== null && navigate(`${ROOT}/jobs${search}`, { keepScroll: isWide }),
      canSelect: (id) => rows.some((job) => job.job_id === id && job.status === "failed"),
    },
  );
  const hasBoxes = rows.some((job) => job.status === "failed");
  const failed = counts.value === undefined ? 0 : countOf(counts.value, "failed", filter.type);

  return (
    <>
      <SplitView
        label={words.detail}
        back={`${ROOT}/jobs${search}`}
        openedKey={openId}
        opened={openId === null ? null : <JobDetail key={openId} id={openId} isOperator changed={changed} />}
        list={
          <>
            <FilterBar filter={filter} counts={counts}>
              {failed > 0 && (filter.state === "" || filter.state === "failed") && (
                <Button icon="retry" class="right" onClick={() => setIsRetryingAll(true)}>
                  {filter.type === "" ? words.retryAll : words.retryAllOf(filter.type)}
                </Button>
              )}
            </FilterBar>
            {counts.error && <ErrorNote error={counts.error} retry={counts.reload} />}
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
            {list.error && <ErrorNote error={list.error} retry={list.reload} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isComplete && <NoJobs filter={filter} />}
            {rows.length > 0 && (
              <VirtualList
                rows={rows}
                height={ROW_PX}
                rowKey={(job) => job.job_id}
                label={words.list}
                loadMore={list.loadMore}
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
              </VirtualList>
            )}
          </>
        }
      />
      {isRetryingAll && (
        <RetryAll type={filter.type} close={() => setIsRetryingAll(false)} retried={retried} done={changed} />
      )}
    </>
  );
}
