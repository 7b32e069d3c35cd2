// Queues of the bus, and requests that redrive or discard dead letters.

import { get, post } from "../../api/client";
import type { QueueAnswer, QueuesAnswer, ReportAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";
import { notify, notifyError } from "../../ui/toasts";
import type { useQueueWords } from "./queue_words";

const REFRESH_MS = 4000;

export type Queues = Data<QueueAnswer[]>;
type Words = ReturnType<typeof useQueueWords>;

export function useQueues(): Queues {
  const load = async (signal: AbortSignal) => (await get<QueuesAnswer>("/api/queues", { signal })).queues;
  return useData("queues", load, { every: REFRESH_MS });
}

export const deadLettersPath = (queue: string): string => `/api/queues/${encodeURIComponent(queue)}/dead-letters`;

/** Ids of the selected messages; null means all. */
export type LetterSelection = string[] | null;

const choice = (letters: LetterSelection) => (letters === null ? { all: true } : { ids: letters });

export function redrive(queue: string, letters: LetterSelection, { force = false } = {}): Promise<ReportAnswer> {
  return post<ReportAnswer>(`${deadLettersPath(queue)}/redrive`, { body: { ...choice(letters), force } });
}

export function discard(queue: string, letters: LetterSelection): Promise<ReportAnswer> {
  return post<ReportAnswer>(`${deadLettersPath(queue)}/discard`, { body: choice(letters) });
}

/** Reports the result. Messages redriven too often are confirmed in a dialog instead. */
export function reportDeadLetters(report: ReportAnswer, done: (count: number) => string, words: Words): void {
  if (report.moved > 0) notify(report.has_more ? `${done(report.moved)}. ${words.moreLeft}` : done(report.moved));
  if (report.without_source > 0) notifyError(words.withoutSource(report.without_source));
  if (report.not_found.length > 0) notifyError(words.notFound(report.not_found.length));
}
