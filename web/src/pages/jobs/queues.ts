// The queues of the bus, and what operators do with dead letters.

import { get, post } from "../../api/client";
import type { QueueAnswer, QueuesAnswer, ReportAnswer } from "../../api/types";
import { type Data, useData } from "../../app/data";
import { complain, say } from "../../ui/toasts";
import type { useQueueWords } from "./queue_words";

const EVERY_MS = 4000;

export type Queues = Data<QueueAnswer[]>;
type Words = ReturnType<typeof useQueueWords>;

export function useQueues(): Queues {
  const load = async (signal: AbortSignal) => (await get<QueuesAnswer>("/api/queues", { signal })).queues;
  return useData("queues", load, { every: EVERY_MS });
}

export const lettersPath = (queue: string): string => `/api/queues/${encodeURIComponent(queue)}/dead-letters`;

/** `ids` are the letters that are meant; null means all. */
export type Meant = string[] | null;

const choice = (meant: Meant) => (meant === null ? { all: true } : { ids: meant });

export function redrive(queue: string, meant: Meant, { force = false } = {}): Promise<ReportAnswer> {
  return post<ReportAnswer>(`${lettersPath(queue)}/redrive`, { body: { ...choice(meant), force } });
}

export function discard(queue: string, meant: Meant): Promise<ReportAnswer> {
  return post<ReportAnswer>(`${lettersPath(queue)}/discard`, { body: choice(meant) });
}

/** What was done, and what was not; letters that were redriven too often are asked about instead. */
export function tellLetters(report: ReportAnswer, done: (count: number) => string, words: Words): void {
  if (report.moved > 0) say(report.has_more ? `${done(report.moved)}. ${words.moreLeft}` : done(report.moved));
  if (report.without_source > 0) complain(words.withoutSource(report.without_source));
  if (report.not_found.length > 0) complain(words.notFound(report.not_found.length));
}
