// Rows of the list of results: videos with their best moments, or the moments of one video.

import type { HitAnswer, VideoGroupAnswer } from "../../api/types";

export type Row =
  | { kind: "group"; key: string; group: VideoGroupAnswer }
  | { kind: "hit"; key: string; hit: HitAnswer };

/** A result with the index of the row that shows it. */
export interface Moment {
  hit: HitAnswer;
  row: number;
}

export function momentsOf(rows: Row[]): Moment[] {
  return rows.flatMap((row, n) => (row.kind === "hit" ? [row.hit] : row.group.hits).map((hit) => ({ hit, row: n })));
}
