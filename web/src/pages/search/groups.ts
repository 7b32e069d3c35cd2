// Hits put together by video, each page of them by itself: what comes later is only ever added at the end, so nothing jumps.

import type { HitAnswer } from "../../api/types";

export interface Found extends HitAnswer {
  /** The page of the answer that it came with. */
  page: number;
}

export interface VideoRow {
  kind: "video";
  key: string;
  videoId: string;
  name: string;
  count: number;
}

export type Row = VideoRow | { kind: "hit"; key: string; hit: Found };

export function rowsOf(hits: Found[]): Row[] {
  const rows: Row[] = [];
  let heading: VideoRow | undefined;
  for (const portion of byPage(hits)) {
    for (const [videoId, group] of byVideo(portion)) {
      if (heading?.videoId !== videoId) {
        heading = { kind: "video", key: `video-${rows.length}`, videoId, name: group[0]?.video_name ?? "", count: 0 };
        rows.push(heading);
      }
      heading.count += group.length;
      for (const hit of group.sort(bySureThenTime)) rows.push({ kind: "hit", key: hit.segment_id, hit });
    }
  }
  return rows;
}

/** In a video one looks along its time; what may be a misreading comes last. */
function bySureThenTime(one: Found, other: Found): number {
  return Number(one.match === "slip") - Number(other.match === "slip") || one.t_start - other.t_start;
}

function byPage(hits: Found[]): Found[][] {
  const pages: Found[][] = [];
  for (const hit of hits) (pages[hit.page] ??= []).push(hit);
  return pages.filter((page) => page !== undefined);
}

function byVideo(hits: Found[]): Map<string, Found[]> {
  const groups = new Map<string, Found[]>();
  for (const hit of hits) {
    const group = groups.get(hit.video_id);
    if (group === undefined) groups.set(hit.video_id, [hit]);
    else group.push(hit);
  }
  return groups;
}
