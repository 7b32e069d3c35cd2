// Current numbers. Each card links to the list it counts; those that need attention have an icon.

import type { ComponentChildren } from "preact";
import type { NowAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { duration, number } from "../../core/format";
import { Link } from "../../core/router";
import { Icon } from "../../ui/icons";
import { useOverviewWords } from "./words";

const WORKING = ["UPLOADED", "PROCESSING", "SPLITTING", "PRINTING"];
const UPLOADING = ["CREATED", "UPLOADING"];

interface CardProps {
  label: string;
  count: number;
  to: string;
  /** Any count above zero needs attention. */
  isAlarm?: boolean;
  children?: ComponentChildren;
}

function Card({ label, count, to, isAlarm = false, children }: CardProps) {
  const isLoud = isAlarm && count > 0;
  return (
    <li>
      <Link class={isLoud ? "now-card loud" : "now-card"} to={`${ROOT}/${to}`}>
        <span class="label">
          {isLoud && <Icon name="alarm" />}
          {label}
        </span>
        <strong class="number">{number(count)}</strong>
        {children && <span class="soft">{children}</span>}
      </Link>
    </li>
  );
}

export function Cards({ now }: { now: NowAnswer }) {
  const words = useOverviewWords();
  const videos = (statuses: string[]) => statuses.reduce((sum, item) => sum + (now.videos[item] ?? 0), 0);
  const { jobs, queues, services_not_running: stopped } = now;
  const all = (state: "queued" | "processing" | "failed") => (jobs ?? []).reduce((sum, item) => sum + item[state], 0);
  const oldest = Math.max(0, ...(jobs ?? []).map((item) => item.oldest_age_s ?? 0));
  return (
    <ul class="now-cards">
      <Card label={words.ready} count={videos(["COMPLETED"])} to="videos?status=ready" />
      <Card label={words.working} count={videos(WORKING)} to="videos?status=processing" />
      <Card label={words.uploading} count={videos(UPLOADING)} to="videos?status=uploading" />
      <Card label={words.failedVideos} count={videos(["FAILED"])} to="videos?status=failed" isAlarm />
      <Card label={words.critical} count={now.critical_unacknowledged} to="events?level=critical" isAlarm />
      {jobs !== null && (
        <>
          <Card label={words.queuedJobs} count={all("queued")} to="jobs?state=queued">
            {oldest > 0 ? words.oldest(duration(oldest)) : words.nothingWaits}
          </Card>
          <Card label={words.runningJobs} count={all("processing")} to="jobs?state=processing" />
          <Card label={words.failedJobs} count={all("failed")} to="jobs?state=failed" isAlarm />
        </>
      )}
      {queues !== null && (
        <>
          <Card
            label={words.waitingMessages}
            count={queues.reduce((sum, item) => sum + item.visible + item.in_flight + item.delayed, 0)}
            to="jobs/queues"
          />
          <Card
            label={words.deadLetters}
            count={queues.reduce((sum, item) => sum + item.dead_letters, 0)}
            to="jobs/queues"
            isAlarm
          />
        </>
      )}
      {stopped !== null && (
        <li>
          <div class={stopped.length > 0 ? "now-card loud" : "now-card"}>
            <span class="label">
              {stopped.length > 0 && <Icon name="alarm" />}
              {words.services}
            </span>
            <strong class="number">{number(stopped.length)}</strong>
            <span class="soft">
              {stopped.length === 0 ? words.allRun : stopped.map((item) => `${item.name} (${item.state})`).join(", ")}
            </span>
          </div>
        </li>
      )}
    </ul>
  );
}
