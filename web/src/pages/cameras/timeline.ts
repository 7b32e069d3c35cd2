// The arithmetic of the day timeline: where times are on it, what was recorded there, and which hours are labelled. Pure.

/** A span of time in ms since 1970. */
export interface Span {
  from: number;
  to: number;
}

export const HOUR_MS = 3_600_000;

/** The day of a time in the browser's time zone; the days on which clocks change have 23 or 25 hours. */
export function dayOf(ms: number): Span {
  const date = new Date(ms);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return { from: new Date(year, month, day).getTime(), to: new Date(year, month, day + 1).getTime() };
}

/** The day before or after. Noon of a day is in that day whatever clocks do. */
export const dayBeside = (day: Span, days: number): Span => dayOf((day.from + day.to) / 2 + days * 24 * HOUR_MS);

export const spanOf = (item: { started_at: string; ended_at: string | null }): Span => {
  const from = Date.parse(item.started_at);
  return { from, to: item.ended_at === null ? from : Date.parse(item.ended_at) };
};

export const shareOf = ({ from, to }: Span, ms: number): number => (ms - from) / (to - from);

export const timeAt = ({ from, to }: Span, share: number): number =>
  Math.round(from + Math.min(1, Math.max(0, share)) * (to - from));

/** A part of the day so long, around this time, or the whole day. */
export function viewAround(day: Span, ms: number, length: number): Span {
  if (length >= day.to - day.from) return day;
  const from = Math.min(Math.max(ms - length / 2, day.from), day.to - length);
  return { from, to: from + length };
}

/** Spans in order, those closer than the gap joined: thousands of segments are drawn as a few bars. */
export function joinSpans(spans: readonly Span[], maxGap: number): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && span.from - last.to <= maxGap) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

export const isIn = ({ from, to }: Span, ms: number): boolean => ms >= from && ms < to;

/** How far before the end of a recording one lands that is reached backwards: there is something left to see. */
const LAST_MS = 2000;

/** The time itself if it was recorded, otherwise the nearest recorded time in this direction; null if there is none. */
export function recordedTime(recorded: readonly Span[], ms: number, direction: -1 | 1 = 1): number | null {
  if (direction === 1) {
    const next = recorded.find((span) => span.to > ms);
    return next === undefined ? null : Math.max(next.from, ms);
  }
  const last = recorded.findLast((span) => span.from <= ms);
  return last === undefined ? null : Math.max(last.from, Math.min(ms, last.to - LAST_MS));
}

const TICK_STEPS = [5 / 60, 10 / 60, 0.25, 0.5, 1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS);

/** Times to label, at most so many, at round hours or minutes of the browser's clock. */
export function ticksOf(view: Span, maxCount: number): number[] {
  const every = TICK_STEPS.find((step) => (view.to - view.from) / step <= maxCount) ?? 24 * HOUR_MS;
  const midnight = dayOf(view.from).from;
  const first = midnight + Math.ceil((view.from - midnight) / every) * every;
  const found: number[] = [];
  for (let at = first; at < view.to; at += every) found.push(at);
  return found;
}

/** What is nearest to a time, no further than the reach. */
export function nearestTo<T extends { started_at: string }>(items: readonly T[], ms: number, reach: number): T | null {
  let best: T | null = null;
  let distance = reach;
  for (const item of items) {
    const away = Math.abs(Date.parse(item.started_at) - ms);
    if (away <= distance) [best, distance] = [item, away];
  }
  return best;
}
