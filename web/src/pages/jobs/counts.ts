// Job counts by type and status, refreshed while they are visible.

import { get } from "../../api/client";
import type { CountsAnswer, TypeCountsAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";
import { type JobState, STATES } from "./state_badge";

const REFRESH_MS = 2000;

export type Counts = Data<TypeCountsAnswer[]>;

export function useCounts(): Counts {
  const load = async (signal: AbortSignal) => (await get<CountsAnswer>("/jobs/counts", { signal })).job_types;
  return useData("counts", load, { every: REFRESH_MS });
}

/** The count for one type and status; an empty string means all. */
export function countOf(rows: TypeCountsAnswer[], state: JobState | "", type: string): number {
  const states: readonly JobState[] = state === "" ? STATES : [state];
  let sum = 0;
  for (const row of rows) {
    if (type === "" || row.job_type === type) for (const item of states) sum += row[item];
  }
  return sum;
}

/** Age of the oldest queued job in seconds; null when the queue is empty. */
export function oldestAge(rows: TypeCountsAnswer[], type: string): number | null {
  const ages = rows.filter((row) => type === "" || row.job_type === type).map((row) => row.oldest_age_s ?? 0);
  const found = Math.max(0, ...ages);
  return found === 0 ? null : found;
}
