// When the frames of a recording were taken: the times of its segments tie the player's clock to the one on the wall. Pure.

import type { StreamSegment } from "../../ui/hls_stream";

/** When the frame at this position was taken. */
export function wallTime(segments: readonly StreamSegment[], position: number): number | null {
  const segment = segments.findLast((item) => item.start <= position) ?? segments[0];
  if (segment === undefined || segment.programDateTime === null) return null;
  const inside = Math.min(Math.max(0, position - segment.start), segment.duration);
  return segment.programDateTime + inside * 1000;
}

/** Where in the player the frame of this time is; the next one if nothing was recorded then. Null: after the last segment. */
export function playerPosition(segments: readonly StreamSegment[], ms: number): number | null {
  for (const { start, duration, programDateTime } of segments) {
    if (programDateTime === null) continue;
    if (ms < programDateTime + duration * 1000) return start + Math.max(0, ms - programDateTime) / 1000;
  }
  return null;
}
