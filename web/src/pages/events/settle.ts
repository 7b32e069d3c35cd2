// Acknowledging and resolving, one event or many, and what came of it.

import { ApiError, get, patch } from "../../api/client";
import type { EventAnswer, WholeEventAnswer } from "../../api/types";
import { complain, say } from "../../ui/toasts";
import { isOpen } from "./filter";
import type { EventWords } from "./words";

const AT_ONCE = 4;
const CONFLICT = 409;

export type Change = (event: EventAnswer) => Promise<EventAnswer>;
type Apply = (event: EventAnswer) => void;

export const acknowledge: Change = (event) =>
  patch(`/api/events/${event.id}/acknowledge`, { body: { version: event.version } });

/** Whoever resolves an event has seen it, so one that is open is acknowledged first. */
export const resolveWith =
  (notes: string): Change =>
  async (event) => {
    const seen = isOpen(event) ? await acknowledge(event) : event;
    return patch(`/api/events/${event.id}/resolve`, { body: { version: seen.version, notes: notes.trim() || null } });
  };

/** Does it to one, and says so. If somebody was quicker, it shows what the event is now. */
export async function settleOne(event: EventAnswer, change: Change, apply: Apply, said: string, words: EventWords): Promise<void> {
  try {
    apply(await change(event));
    say(said);
  } catch (error) {
    complain(await afterRefusal(event, error, apply, words));
  }
}

/** Does it to each, a few at a time, and says how many were done and why others were not. */
export async function settleMany(
  events: EventAnswer[],
  change: Change,
  apply: Apply,
  tell: (done: number) => void,
  words: EventWords,
): Promise<void> {
  const left = [...events];
  const refusals: string[] = [];
  let done = 0;
  const work = async () => {
    for (let event = left.shift(); event !== undefined; event = left.shift()) {
      try {
        apply(await change(event));
        done += 1;
      } catch (error) {
        refusals.push((await afterRefusal(event, error, apply, words)).message);
      }
      tell(done + refusals.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (refusals.length === 0) say(words.done(done));
  else complain(new Error(words.doneAndRefused(done, refusals.length, [...new Set(refusals)].slice(0, 3).join(" "))));
}

async function afterRefusal(event: EventAnswer, error: unknown, apply: Apply, words: EventWords): Promise<Error> {
  if (!(error instanceof ApiError) || error.status !== CONFLICT) return error as Error;
  try {
    const { camera: _, batch: __, detections: ___, alert_rules: ____, ...now } = await get<WholeEventAnswer>(
      `/api/events/${event.id}`,
    );
    apply(now);
    return new Error(words.changed);
  } catch {
    return error;
  }
}
