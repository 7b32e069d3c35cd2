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

/** Index of the last text that has started; -1 if none has. Texts that appear together are in reading order, not by time. */
export function lastStartedIndex(all: SegmentAnswer[], ms: number): number {
  for (let at = all.length - 1; at >= 0; at -= 1) {
    if ((all[at]?.t_start ?? 0) <= ms) return at;
  }
  return -1;
}
