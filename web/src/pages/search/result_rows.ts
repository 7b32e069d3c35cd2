// Search results grouped by video, page by page: later pages are only appended, so nothing jumps.

import type { HitAnswer } from "../../api/types";

export interface FoundHit extends HitAnswer {
  /** The page of the response it came with. */
  page: number;
}

export interface VideoRow {
  kind: "video";
  key: string;
  videoId: string;
  name: string;
  count: number;
}

export type Row = VideoRow | { kind: "similar"; key: string } | { kind: "hit"; key: string; hit: FoundHit };

export function groupedRows(hits: FoundHit[]): Row[] {
  const rows: Row[] = [];
  let heading: VideoRow | undefined;
  let lastSimilar: string | undefined;
  for (const portion of byPage(hits)) {
    const similar = portion.filter((hit) => hit.matched === "meaning");
    for (const [videoId, group] of byVideo(portion.filter((hit) => hit.matched !== "meaning"))) {
      if (heading?.videoId !== videoId) {
        heading = { kind: "video", key: `video-${rows.length}`, videoId, name: group[0]?.video_name ?? "", count: 0 };
        rows.push(heading);
      }
      heading.count += group.length;
      for (const hit of group.sort(byMatchThenTime)) rows.push({ kind: "hit", key: hit.segment_id, hit });
    }
    // Below everything that has the words, in the order of the response.
    if (similar.length > 0 && rows.at(-1)?.key !== lastSimilar)
      rows.push({ kind: "similar", key: `similar-${rows.length}` });
    if (similar.length > 0) heading = undefined;
    for (const hit of similar) rows.push({ kind: "hit", key: hit.segment_id, hit });
    lastSimilar = similar.at(-1)?.segment_id ?? lastSimilar;
  }
  return rows;
}

/** By time within a video; possible misreadings last. */
function byMatchThenTime(item: FoundHit, other: FoundHit): number {
  return Number(item.match === "slip") - Number(other.match === "slip") || item.t_start - other.t_start;
}

function byPage(hits: FoundHit[]): FoundHit[][] {
  const pages: FoundHit[][] = [];
  for (const hit of hits) {
    pages[hit.page] ??= [];
    pages[hit.page]?.push(hit);
  }
  return pages.filter((page) => page !== undefined);
}

function byVideo(hits: FoundHit[]): Map<string, FoundHit[]> {
  const groups = new Map<string, FoundHit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.video_id);
    if (group === undefined) groups.set(hit.video_id, [hit]);
    else group.push(hit);
  }
  return groups;
}
