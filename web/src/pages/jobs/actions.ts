// Actions of operators on jobs, and the toasts that report their results.

import { post } from "../../api/client";
import type { JobAnswer, RetryAnswer } from "../../api/types";
import { notify, notifyError } from "../../ui/toasts";
import type { useJobWords } from "./words";

type Words = ReturnType<typeof useJobWords>;

export const MAX_RETRIED_JOBS = 10_000;

export function retryMany(ids: string[]): Promise<RetryAnswer> {
  return post<RetryAnswer>("/jobs/retry", { body: { ids } });
}

export function retryAll(type: string, isDryRun: boolean): Promise<RetryAnswer> {
  const body = { all: true, job_type: type === "" ? null : type, dry_run: isDryRun, limit: MAX_RETRIED_JOBS };
  return post<RetryAnswer>("/jobs/retry", { body });
}

export function cancelOne(id: string): Promise<JobAnswer> {
  return post<JobAnswer>(`/jobs/${id}/cancel`);
}

/** Reasons for skipped jobs with their counts. Ids are removed so that equal reasons add up. */
export function reasonsOf(report: RetryAnswer, words: Words): [string, number][] {
  const counts = new Map<string, number>();
  const add = (reason: string) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const item of report.skipped) add(item.reason.replace(/ [0-9a-f]{8}-[0-9a-f-]{27}/g, ""));
  for (const _ of report.not_found) add(words.gone);
  return [...counts].sort(([, item], [, other]) => other - item);
}

export function reportRetry(report: RetryAnswer, words: Words): void {
  const reasons = reasonsOf(report, words);
  const left = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (report.retried > 0 || left === 0) notify(words.retried(report.retried));
  if (left > 0) notifyError(words.left(left, reasons.map(([reason]) => reason).join("; ")));
}
