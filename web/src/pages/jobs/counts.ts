// How many jobs there are by type and state, asked for again and again while somebody looks.

import { get } from "../../api/client";
import type { CountsAnswer, TypeCountsAnswer } from "../../api/types";
import { type Data, useData } from "../../app/data";
import { STATES, type JobState } from "./state";

const EVERY_MS = 2000;

export type Counts = Data<TypeCountsAnswer[]>;

export function useCounts(): Counts {
  const load = async (signal: AbortSignal) => (await get<CountsAnswer>("/jobs/counts", { signal })).job_types;
  return useData("counts", load, { every: EVERY_MS });
}

/** Of one type and state; the empty word stands for all. */
export function countOf(rows: TypeCountsAnswer[], state: JobState | "", type: string): number {
  const states: readonly JobState[] = state === "" ? STATES : [state];
  let sum = 0;
  for (const row of rows) {
    if (type === "" || row.job_type === type) for (const one of states) sum += row[one];
  }
  return sum;
}

/** In seconds; null when nothing waits. */
export function oldestAge(rows: TypeCountsAnswer[], type: string): number | null {
  const ages = rows.filter((row) => type === "" || row.job_type === type).map((row) => row.oldest_age_s ?? 0);
  const found = Math.max(0, ...ages);
  return found === 0 ? null : found;
}
