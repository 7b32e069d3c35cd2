// Rows of the list of results: videos with their best moments, or the moments of one video; then what is similar in meaning.

import type { HitAnswer, VideoGroupAnswer } from "../../api/types";

export type Row =
  | { kind: "group"; key: string; group: VideoGroupAnswer }
  | { kind: "hit"; key: string; hit: HitAnswer }
  | { kind: "similar"; key: string };

/** A result with the index of the row that shows it. */
export interface Moment {
  hit: HitAnswer;
  row: number;
}

export function momentsOf(rows: Row[]): Moment[] {
  return rows.flatMap((row, n) => hitsOf(row).map((hit) => ({ hit, row: n })));
}

/** What is similar in meaning follows all other results, under one heading. */
export function withSimilar(rows: Row[], similar: HitAnswer[]): Row[] {
  if (similar.length === 0) return rows;
  const hits = similar.map((hit): Row => ({ kind: "hit", key: `similar ${hit.segment_id}`, hit }));
  return [...rows, { kind: "similar", key: "similar" }, ...hits];
}

function hitsOf(row: Row): HitAnswer[] {
  if (row.kind === "similar") return [];
  return row.kind === "hit" ? [row.hit] : row.group.hits;
}
