// Charts of uploads, processing time, events, jobs and queues.

import type { OverviewAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { number } from "../../core/format";
import { Link } from "../../core/router";
import { useJobNames } from "../../ui/job_words";
import { Plot, type Series } from "../../ui/plot";
import { useQueueLabel } from "../../ui/queue_name";
import { useOverviewWords } from "./words";

const TONES = 8;

export function Plots({ overview }: { overview: OverviewAnswer }) {
  const words = useOverviewWords();
  const names = useJobNames();
  const { times, uploads, processing, events, jobs, job_ages: ages, now } = overview;
  const completed = processing.videos.reduce((sum, item) => sum + item, 0);
  return (
    <div class="plots">
      <div class="card">
        <Plot
          title={words.uploads}
          times={times}
          series={[
            { name: words.created, tone: "series-1", values: uploads.created },
            { name: words.failed, tone: "level-critical", values: uploads.failed },
          ]}
        />
      </div>
      <div class="card">
        <Plot
          title={words.processing}
          unit="s"
          times={times}
          series={[{ name: words.processing, tone: "series-2", values: processing.seconds_per_minute }]}
        />
        {completed > 0 && <p class="soft below">{words.processed(completed)}</p>}
      </div>
      <div class="card">
        <Plot
          title={words.events}
          times={times}
          series={[
            { name: words.low, tone: "level-low", values: events.low },
            { name: words.medium, tone: "level-medium", values: events.medium },
            { name: words.high, tone: "level-high", values: events.high },
            { name: words.criticalLevel, tone: "level-critical", values: events.critical },
          ]}
        />
      </div>
      {jobs !== null && (
        <>
          <div class="card">
            <Plot title={words.jobsDone} times={times} series={jobs.map((row, n) => asSeries(row, n, names.job))} />
          </div>
          <div class="card">
            <Plot
              title={words.ages}
              kind="lines"
              unit="s"
              times={times}
              series={[
                { name: words.longest, tone: "series-3", values: ages?.longest_s ?? [] },
                { name: words.average, tone: "series-1", values: ages?.average_s ?? [] },
              ]}
            />
          </div>
        </>
      )}
      {now.queues !== null && <Depths queues={now.queues} />}
    </div>
  );
}

const asSeries = (
  row: NonNullable<OverviewAnswer["jobs"]>[number],
  index: number,
  nameOf: (type: string) => string,
): Series => ({
  name: nameOf(row.job_type),
  tone: `series-${(index % TONES) + 1}`,
  values: row.done,
});

/** Messages per queue, as bars with numbers. */
function Depths({ queues }: { queues: NonNullable<OverviewAnswer["now"]["queues"]> }) {
  const words = useOverviewWords();
  const labelOf = useQueueLabel();
  const depth = (item: (typeof queues)[number]) => item.visible + item.in_flight + item.delayed;
  const highest = Math.max(1, ...queues.map(depth));
  return (
    <section class="card depths" aria-label={words.depths}>
      <h3>{words.depths}</h3>
      <p class="soft">{words.depthsText}</p>
      <ul>
        {queues.map((item) => (
          <li key={item.queue}>
            <Link to={`${ROOT}/jobs/queues`} title={item.queue}>
              {labelOf(item.queue) ?? item.queue}
            </Link>
            <span class="bar-space" aria-hidden="true">
              <span class="depth-bar" style={{ width: `${(depth(item) / highest) * 100}%` }} />
            </span>
            <span class="number">{number(depth(item))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
