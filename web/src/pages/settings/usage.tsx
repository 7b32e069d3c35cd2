// What the caller, or a team of theirs, used in a month, and how much of each quota; for operators also all owners.

import { useState } from "preact/hooks";
import { get } from "../../api/client";
import type { QuotaUseAnswer, UsageAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useMe } from "../../api/use_me";
import { bytes, day, number } from "../../core/format";
import { locale } from "../../core/locale";
import { ErrorNote, Field, Loading, Progress } from "../../ui/basics";
import { useTeams } from "../teams/use_teams";
import { Owners } from "./owners";
import { time } from "./usage_time";
import { useUsageWords } from "./usage_words";

const MONTHS_SHOWN = 12;
const NEARLY_FULL = 0.8;
const LAST_COLUMN = 4;

export function Usage() {
  const words = useUsageWords();
  const isOperator = useMe().value?.is_operator ?? false;
  const [month, setMonth] = useState(() => lastMonths()[0] ?? "");
  const [team, setTeam] = useState("");
  const teams = useTeams().value?.teams.filter((item) => item.role === "owner") ?? [];
  const data = useData(`usage ${month} ${team}`, (signal) =>
    get<UsageAnswer>("/api/usage", { query: { month, team: team || null }, signal }),
  );
  return (
    <div class="stack">
      <Field label={words.month}>
        <select value={month} onChange={(event) => setMonth(event.currentTarget.value)}>
          {lastMonths().map((value) => (
            <option key={value} value={value}>
              {monthName(value)}
            </option>
          ))}
        </select>
      </Field>
      {teams.length > 0 && (
        <Field label={words.owner}>
          <select value={team} onChange={(event) => setTeam(event.currentTarget.value)}>
            <option value="">{words.yourself}</option>
            {teams.map((item) => (
              <option key={item.team_id} value={item.team_id}>
                {item.name}
              </option>
            ))}
          </select>
        </Field>
      )}
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value === undefined ? !data.error && <Loading /> : <Own usage={data.value} />}
      {isOperator && <Owners key={month} month={month} />}
    </div>
  );
}

function Own({ usage }: { usage: UsageAnswer }) {
  const words = useUsageWords();
  const { total, stored } = usage;
  const measured = (size: number | null) => (size === null ? words.notMeasured : bytes(size));
  const jobs = Object.values(total.job_seconds).reduce((sum, seconds) => sum + seconds, 0);
  const facts: [string, [string, string][]][] = [
    [
      words.stored,
      [
        [words.originals, bytes(stored.originals_bytes)],
        [words.derived, measured(stored.derived_bytes)],
        [words.recordings, measured(stored.recordings_bytes)],
      ],
    ],
    [
      words.used,
      [
        [words.uploads, number(total.uploads)],
        [words.uploaded, bytes(total.uploaded_bytes)],
        [words.processed, time(total.processed_seconds)],
        [words.transcribed, time(total.transcribed_seconds)],
        [words.framesRead, number(total.frames_read)],
        [words.jobTime, time(jobs)],
        [words.requests, number(total.api_requests)],
        [words.sent, number(total.notifications)],
      ],
    ],
  ];
  return (
    <>
      <section class="card stack" aria-label={words.quotas}>
        <h3>{words.quotas}</h3>
        {usage.quotas.map((one) => (
          <Quota key={one.quota} quota={one} />
        ))}
      </section>
      {facts.map(([title, lines]) => (
        <section key={title} class="card usage-facts" aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {lines.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd class="number">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Days usage={usage} />
    </>
  );
}

function Quota({ quota }: { quota: QuotaUseAnswer }) {
  const words = useUsageWords();
  const label = words[`quota_${quota.quota as "videos"}`];
  const text = quota.quota === "storage_bytes" ? bytes : number;
  if (quota.limit === null) {
    return (
      <p>
        {label}: <span class="number">{words.noLimit(text(quota.used))}</span>
      </p>
    );
  }
  const share = Math.min(1, quota.used / quota.limit);
  return (
    <div class="stack tight">
      <p>
        {label}: <span class="number">{words.ofLimit(text(quota.used), text(quota.limit))}</span>
        {share >= NEARLY_FULL && <strong> {share === 1 ? words.full : words.nearlyFull}</strong>}
      </p>
      <Progress share={share} label={label} />
      {quota.resets_at !== null && <small class="soft">{words.resets(utcDay(quota.resets_at))}</small>}
    </div>
  );
}

function Days({ usage }: { usage: UsageAnswer }) {
  const words = useUsageWords();
  if (usage.days.length === 0) return <p class="soft">{words.nothingUsed}</p>;
  return (
    <section class="card usage-table" aria-label={words.byDay}>
      <h3>{words.byDay}</h3>
      <table>
        <thead>
          <tr>
            {[words.day, words.uploads, words.processed, words.framesRead, words.requests].map((title, index) => (
              <th
                key={title}
                class={index === LAST_COLUMN ? "number on-wide" : index ? "number" : undefined}
                scope="col"
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usage.days.map((one) => (
            <tr key={one.day}>
              <th scope="row">{day(`${one.day}T12:00:00`)}</th>
              <td class="number">{number(one.uploads)}</td>
              <td class="number">{time(one.processed_seconds)}</td>
              <td class="number">{number(one.frames_read)}</td>
              <td class="number on-wide">{number(one.api_requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The newest first, as the API names them. Months are in UTC. */
function lastMonths(): string[] {
  const now = new Date();
  return Array.from({ length: MONTHS_SHOWN }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

const monthName = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString(locale(), { month: "long", year: "numeric", timeZone: "UTC" });

const utcDay = (iso: string): string =>
  new Date(iso).toLocaleDateString(locale(), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
