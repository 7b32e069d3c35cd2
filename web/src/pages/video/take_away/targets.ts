// What a share link can show.

export type ShareTarget =
  | { what: "video" }
  | { what: "moment"; start: number; end: number }
  | { what: "clip"; clipId: string; name: string };

/** The moment between the marks of the clip editor, or else some seconds from the current time. */
export function momentOf(
  marks: { start: number | null; end: number | null },
  now: number,
  durationMs: number,
): { start: number; end: number } {
  if (marks.start !== null && marks.end !== null) return { start: Math.round(marks.start), end: Math.round(marks.end) };
  const start = Math.max(0, Math.min(Math.round(now), durationMs - 1000));
  return { start, end: Math.min(durationMs, start + DEFAULT_LENGTH_MS) };
}

const DEFAULT_LENGTH_MS = 10_000;
