// On-screen texts and speech of a video, loaded page by page until complete.

import { useEffect, useState } from "preact/hooks";
import { type ApiError, get } from "../../api/client";
import type { SegmentAnswer, SegmentsAnswer } from "../../api/types";

const PAGE_SIZE = 1000;

export interface Segments {
  all: SegmentAnswer[];
  total: number;
  isComplete: boolean;
  error: ApiError | null;
}

/** Loaded anew when `transcription`, the newest one that has ended, changes. */
export function useSegments(videoId: string, isReady: boolean, transcription: string | null): Segments {
  const [found, setFound] = useState<Segments>({ all: [], total: 0, isComplete: false, error: null });
  useEffect(() => {
    if (!isReady) return;
    const abort = new AbortController();
    const load = async () => {
      let all: SegmentAnswer[] = [];
      for (let page = 1; ; page += 1) {
        const query = { page, page_size: PAGE_SIZE };
        const answer = await get<SegmentsAnswer>(`/videos/${videoId}/segments`, { query, signal: abort.signal });
        all = all.concat(answer.segments);
        const isComplete = all.length >= answer.total || answer.segments.length === 0;
        setFound({ all, total: answer.total, isComplete, error: null });
        if (isComplete) return;
      }
    };
    load().catch((error: ApiError) => abort.signal.aborted || setFound((old) => ({ ...old, error, isComplete: true })));
    return () => abort.abort();
  }, [videoId, isReady, transcription]);
  return found;
}

/** Folds case and accents for comparison. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The texts visible at this time. */
export function visibleAt(all: SegmentAnswer[], ms: number): SegmentAnswer[] {
  return all.filter((item) => item.kind === "text" && item.t_start <= ms && ms < item.t_end);
}

/** Index of the last text that has started; -1 if none has. */
export function lastStartedIndex(all: SegmentAnswer[], ms: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.t_start ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
