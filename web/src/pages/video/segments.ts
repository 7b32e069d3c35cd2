// All that was on screen in a video, loaded page by page until it is whole.

import { useEffect, useState } from "preact/hooks";
import { type ApiError, get } from "../../api/client";
import type { SegmentAnswer, SegmentsAnswer } from "../../api/types";

const PAGE = 1000;

export interface Segments {
  all: SegmentAnswer[];
  total: number;
  isWhole: boolean;
  error: ApiError | null;
}

export function useSegments(videoId: string, isReady: boolean): Segments {
  const [found, setFound] = useState<Segments>({ all: [], total: 0, isWhole: false, error: null });
  useEffect(() => {
    if (!isReady) return;
    const abort = new AbortController();
    const load = async () => {
      let all: SegmentAnswer[] = [];
      for (let page = 1; ; page += 1) {
        const query = { page, page_size: PAGE };
        const answer = await get<SegmentsAnswer>(`/videos/${videoId}/segments`, { query, signal: abort.signal });
        all = all.concat(answer.segments);
        const isWhole = all.length >= answer.total || answer.segments.length === 0;
        setFound({ all, total: answer.total, isWhole, error: null });
        if (isWhole) return;
      }
    };
    load().catch((error: ApiError) => abort.signal.aborted || setFound((old) => ({ ...old, error, isWhole: true })));
    return () => abort.abort();
  }, [videoId, isReady]);
  return found;
}

/** Letters alone count: neither case nor accents. */
export function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
}

/** Of texts in the order of time, those that are seen at this moment. */
export function seenAt(all: SegmentAnswer[], ms: number): SegmentAnswer[] {
  return all.filter((one) => one.t_start <= ms && ms < one.t_end);
}

/** The last that has begun. */
export function lastBegun(all: SegmentAnswer[], ms: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.t_start ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
