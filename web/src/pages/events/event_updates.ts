// Requests that acknowledge or resolve events, and reports of their results.

import { ApiError, get, patch } from "../../api/client";
import type { EventAnswer, WholeEventAnswer } from "../../api/types";
import { notify, notifyError } from "../../ui/toasts";
import { isOpen } from "./filter";
import type { EventWords } from "./words";

const PARALLEL_REQUESTS = 4;
const CONFLICT = 409;

export type Change = (event: EventAnswer) => Promise<EventAnswer>;
type Apply = (event: EventAnswer) => void;

export const acknowledge: Change = (event) =>
  patch(`/api/events/${event.id}/acknowledge`, { body: { version: event.version } });

/** Resolving an open event acknowledges it first. */
export const resolveWith =
  (notes: string): Change =>
  async (event) => {
    const seen = isOpen(event) ? await acknowledge(event) : event;
    return patch(`/api/events/${event.id}/resolve`, { body: { version: seen.version, notes: notes.trim() || null } });
  };

/** Updates one event and shows a toast. After a conflict it shows the event's current state. */
export async function updateEvent(
  event: EventAnswer,
  change: Change,
  apply: Apply,
  draft: string,
  words: EventWords,
): Promise<void> {
  try {
    apply(await change(event));
    notify(draft);
  } catch (error) {
    notifyError(await afterConflict(event, error, apply, words));
  }
}

/** Updates several events in parallel and shows one toast with the counts. */
export async function updateEvents(
  events: EventAnswer[],
  change: Change,
  apply: Apply,
  report: (done: number) => void,
  words: EventWords,
): Promise<void> {
  const left = [...events];
  const failures: string[] = [];
  let done = 0;
  const work = async () => {
    for (let event = left.shift(); event !== undefined; event = left.shift()) {
      try {
        apply(await change(event));
        done += 1;
      } catch (error) {
        failures.push((await afterConflict(event, error, apply, words)).message);
      }
      report(done + failures.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work));
  if (failures.length === 0) notify(words.done(done));
  else
    notifyError(new Error(words.doneAndRefused(done, failures.length, [...new Set(failures)].slice(0, 3).join(" "))));
}

async function afterConflict(event: EventAnswer, error: unknown, apply: Apply, words: EventWords): Promise<Error> {
  if (!(error instanceof ApiError) || error.status !== CONFLICT) return error as Error;
  try {
    const {
      camera: _,
      batch: __,
      detections: ___,
      alert_rules: ____,
      ...now
    } = await get<WholeEventAnswer>(`/api/events/${event.id}`);
    apply(now);
    return new Error(words.changed);
  } catch {
    return error;
  }
}
