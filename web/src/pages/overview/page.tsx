// Overview page: current numbers and charts over a period.

import { get } from "../../api/client";
import type { OverviewAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf, type PageProps } from "../../core/addresses";
import { Link, useQueryValue } from "../../core/router";
import { Choices, Empty, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { Cards } from "./cards";
import { Plots } from "./plots";
import { Storage } from "./storage";
import { useOverviewWords } from "./words";

type Period = OverviewAnswer["period"];

const PERIODS: Period[] = ["1h", "24h", "7d"];
/** Refresh interval: longer periods change more slowly. */
const REFRESH_MS: Record<Period, number> = { "1h": 5000, "24h": 15_000, "7d": 60_000 };

export default function OverviewPage(_: PageProps) {
  const words = useOverviewWords();
  const [periodText, choose] = useQueryValue("period", "24h");
  const period = PERIODS.find((item) => item === periodText) ?? "24h";
  const names: Record<Period, string> = { "1h": words.lastHour, "24h": words.lastDay, "7d": words.lastWeek };
  const { value, error, reload } = useData(
    period,
    (signal) => get<OverviewAnswer>("/api/overview", { query: { period }, signal }),
    { every: REFRESH_MS[period] },
  );
  return (
    <>
      <PageHeader title={words.title}>
        <Choices<Period>
          label={words.period}
          value={period}
          options={PERIODS.map((item) => ({ value: item, label: names[item] }))}
          choose={choose}
        />
      </PageHeader>
      {error && <ErrorNote error={error} retry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && isUnused(value) && <FirstTime />}
      {value !== undefined && (
        <>
          <h2 class="overview-part">{words.now}</h2>
          <Cards now={value.now} />
          {!isUnused(value) && (
            <>
              <h2 class="overview-part">{words.overTime}</h2>
              <Plots overview={value} />
            </>
          )}
          <Storage />
        </>
      )}
    </>
  );
}

function FirstTime() {
  const words = useOverviewWords();
  return (
    <Empty title={words.emptyTitle} icon="overview">
      <p>{words.emptyText}</p>
      <p class="line">
        <Link class="button primary" to={addressOf("videos")}>
          {words.toVideos}
        </Link>
        <Link class="button" to={`${addressOf("events")}/cameras`}>
          {words.toEvents}
        </Link>
      </p>
    </Empty>
  );
}

/** No videos, events or jobs: a new installation. */
function isUnused({ now, events, jobs }: OverviewAnswer): boolean {
  const hasEvents = Object.values(events).some((counts: number[]) => counts.some((count) => count > 0));
  return (
    Object.keys(now.videos).length === 0 && !hasEvents && (jobs ?? []).length === 0 && (now.jobs ?? []).length === 0
  );
}
