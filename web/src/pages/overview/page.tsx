// Overview: what is going on at a glance, now and over a period.

import { get } from "../../api/client";
import type { OverviewAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { Link, useQueryValue } from "../../app/router";
import { type PageProps, addressOf } from "../../app/routes";
import { Choices, Empty, ErrorNote, Head, Loading } from "../../ui/basics";
import { Cards } from "./cards";
import { Plots } from "./plots";
import { useOverviewWords } from "./words";

type Period = OverviewAnswer["period"];

const PERIODS: Period[] = ["1h", "24h", "7d"];
/** The longer the period, the less a moment changes it. */
const EVERY_MS: Record<Period, number> = { "1h": 5000, "24h": 15_000, "7d": 60_000 };

export default function OverviewPage(_: PageProps) {
  const words = useOverviewWords();
  const [asked, choose] = useQueryValue("period", "24h");
  const period = PERIODS.find((one) => one === asked) ?? "24h";
  const names: Record<Period, string> = { "1h": words.lastHour, "24h": words.lastDay, "7d": words.lastWeek };
  const { value, error, reload } = useData(
    period,
    (signal) => get<OverviewAnswer>("/api/overview", { query: { period }, signal }),
    { every: EVERY_MS[period] },
  );
  return (
    <>
      <Head title={words.title}>
        <Choices<Period>
          label={words.period}
          value={period}
          options={PERIODS.map((one) => ({ value: one, label: names[one] }))}
          choose={choose}
        />
      </Head>
      {error && <ErrorNote error={error} again={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && isUntouched(value) && <FirstTime />}
      {value !== undefined && (
        <>
          <h2 class="overview-part">{words.now}</h2>
          <Cards now={value.now} />
          {!isUntouched(value) && (
            <>
              <h2 class="overview-part">{words.overTime}</h2>
              <Plots told={value} />
            </>
          )}
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

/** No video, no event, and no job of anybody's: a platform that has just been started. */
function isUntouched({ now, events, jobs }: OverviewAnswer): boolean {
  const hasEvents = Object.values(events).some((counts: number[]) => counts.some((count) => count > 0));
  return Object.keys(now.videos).length === 0 && !hasEvents && (jobs ?? []).length === 0 && (now.jobs ?? []).length === 0;
}
