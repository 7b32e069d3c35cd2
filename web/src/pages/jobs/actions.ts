// What operators do with jobs, and what is said of it afterwards.

import { post } from "../../api/client";
import type { JobAnswer, RetryAnswer } from "../../api/types";
import { complain, say } from "../../ui/toasts";
import type { useJobWords } from "./words";

type Words = ReturnType<typeof useJobWords>;

export const MOST_AT_ONCE = 10_000;

export function retryMany(ids: string[]): Promise<RetryAnswer> {
  return post<RetryAnswer>("/jobs/retry", { body: { ids } });
}

export function retryAll(type: string, isDryRun: boolean): Promise<RetryAnswer> {
  const body = { all: true, job_type: type === "" ? null : type, dry_run: isDryRun, limit: MOST_AT_ONCE };
  return post<RetryAnswer>("/jobs/retry", { body });
}

export function cancelOne(id: string): Promise<JobAnswer> {
  return post<JobAnswer>(`/jobs/${id}/cancel`);
}

/** Reasons why some were left, each with how many. The ids in them are taken out, so that like ones come together. */
export function reasonsOf(report: RetryAnswer, words: Words): [string, number][] {
  const counts = new Map<string, number>();
  const add = (reason: string) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const one of report.skipped) add(one.reason.replace(/ [0-9a-f]{8}-[0-9a-f-]{27}/g, ""));
  for (const _ of report.not_found) add(words.gone);
  return [...counts].sort(([, one], [, other]) => other - one);
}

export function tellReport(report: RetryAnswer, words: Words): void {
  const reasons = reasonsOf(report, words);
  const left = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (report.retried > 0 || left === 0) say(words.retried(report.retried));
  if (left > 0) complain(words.left(left, reasons.map(([reason]) => reason).join("; ")));
}
