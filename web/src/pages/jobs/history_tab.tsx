// Job history: completed and failed jobs over time, and current counts by type.

import { get } from "../../api/client";
import type { OverviewAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { ROOT } from "../../core/addresses";
import { duration, number } from "../../core/format";
import { Link, useQueryValue } from "../../core/router";
import { Choices, ErrorNote, Loading } from "../../ui/basics";
import { useJobNames } from "../../ui/job_words";
import { Plot } from "../../ui/plot";
import type { Counts } from "./counts";
import { STATES } from "./state_badge";
import { useJobWords } from "./words";

type Period = OverviewAnswer["period"];

const REFRESH_MS: Record<Period, number> = { "1h": 10_000, "24h": 30_000, "7d": 60_000 };
const PERIODS: Period[] = ["1h", "24h", "7d"];
const TONES = 8;

export function HistoryTab({ counts }: { counts: Counts }) {
  const words = useJobWords();
  const [asked, choose] = useQueryValue("period", "24h");
  const period = PERIODS.find((item) => item === asked) ?? "24h";
  const names: Record<Period, string> = { "1h": words.lastHour, "24h": words.lastDay, "7d": words.lastWeek };
  const { value, error, reload } = useData(
    `overview ${period}`,
    (signal) => get<OverviewAnswer>("/api/overview", { query: { period }, signal }),
    { every: REFRESH_MS[period] },
  );
  const types = value?.jobs ?? [];
  const jobs = useJobNames();
  // A type keeps its color whichever other types are shown.
  const order = (counts.value ?? []).map((row) => row.job_type);
  const series = (end: "done" | "failed") =>
    types
      .filter((row) => row[end].some((count) => count > 0))
      .map((row) => ({
        name: jobs.job(row.job_type),
        tone: `series-${(Math.max(0, order.indexOf(row.job_type)) % TONES) + 1}`,
        values: row[end],
      }));
  return (
    <div class="stack">
      <Choices<Period>
        label={words.period}
        value={period}
        options={PERIODS.map((item) => ({ value: item, label: names[item] }))}
        choose={choose}
      />
      {error && <ErrorNote error={error} retry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <div class="plots">
          <div class="card">
            <Plot title={words.doneOverTime} times={value.times} series={series("done")} />
          </div>
          <div class="card">
            <Plot title={words.failedOverTime} times={value.times} series={series("failed")} />
          </div>
          <div class="card">
            <Plot
              title={words.agesOverTime}
              kind="lines"
              unit="s"
              times={value.times}
              series={[
                { name: words.longest, tone: "series-3", values: value.job_ages?.longest_s ?? [] },
                { name: words.average, tone: "series-1", values: value.job_ages?.average_s ?? [] },
              ]}
            />
          </div>
        </div>
      )}
      {counts.value !== undefined && <ByType rows={counts.value} />}
    </div>
  );
}

function ByType({ rows }: { rows: NonNullable<Counts["value"]> }) {
  const words = useJobWords();
  const jobs = useJobNames();
  return (
    <table class="queues">
      <caption class="label">{words.byType}</caption>
      <thead>
        <tr>
          <th scope="col">{words.type}</th>
          {STATES.map((state) => (
            <th key={state} scope="col" class="count">
              {words[state]}
            </th>
          ))}
          <th scope="col" class="count wide">
            {words.oldestQueued}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.job_type}>
            <th scope="row">{jobs.job(row.job_type)}</th>
            {STATES.map((state) => (
              <td key={state} class="count">
                {row[state] === 0 ? (
                  <span class="soft">0</span>
                ) : (
                  <Link to={`${ROOT}/jobs?state=${state}&type=${row.job_type}`}>{number(row[state])}</Link>
                )}
              </td>
            ))}
            <td class="count wide">{row.oldest_age_s === null ? "–" : duration(row.oldest_age_s)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
