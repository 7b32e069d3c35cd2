// People and objects in a video: loaded page by page, and where each is at a moment.

import { useEffect, useState } from "preact/hooks";
import { type ApiError, get } from "../../api/client";
import type { VideoTrackAnswer, VideoTracksAnswer } from "../../api/types";

const PAGE_SIZE = 500;
const MAX_TRACKS = 5000;
/** Boxes further apart than this are of an object that was hidden in between. */
const MAX_GAP_MS = 4000;
/** How long the box of a single look stays. */
const HOLD_MS = 400;
const COLOURS = 4;

export interface ShownBox {
  key: string;
  label: string;
  colour: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Loaded again when `doneJob`, the newest job that ended well, changes. */
export function useTracks(
  videoId: string,
  doneJob: string | null,
): { all: VideoTrackAnswer[]; error: ApiError | null } {
  const [found, setFound] = useState<{ all: VideoTrackAnswer[]; error: ApiError | null }>({ all: [], error: null });
  useEffect(() => {
    const abort = new AbortController();
    const load = async () => {
      let all: VideoTrackAnswer[] = [];
      let cursor: string | null = null;
      do {
        const answer: VideoTracksAnswer = await get<VideoTracksAnswer>(`/api/videos/${videoId}/tracks`, {
          query: cursor === null ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor },
          signal: abort.signal,
        });
        all = all.concat(answer.tracks);
        cursor = answer.next_cursor;
      } while (cursor !== null && all.length < MAX_TRACKS);
      setFound({ all, error: null });
    };
    load().catch((error: ApiError) => abort.signal.aborted || setFound({ all: [], error }));
    return () => abort.abort();
  }, [videoId, doneJob]);
  return found;
}

/** The colour of each label: the most frequent ones have one of their own. */
export function coloursOf(tracks: VideoTrackAnswer[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const track of tracks) counts.set(track.label, (counts.get(track.label) ?? 0) + 1);
  const labels = [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b));
  return new Map(labels.map(([label], index) => [label, Math.min(index, COLOURS - 1)]));
}

/** Where the track is at this time, in parts of the picture; null if it is not there. */
export function boxAt(track: VideoTrackAnswer, ms: number): [number, number, number, number] | null {
  const { boxes } = track;
  let after = boxes.findIndex((box) => (box[0] ?? 0) > ms);
  if (after === 0) return null;
  if (after === -1) after = boxes.length;
  const before = boxes[after - 1];
  const next = boxes[after];
  if (before === undefined) return null;
  const passed = ms - (before[0] ?? 0);
  if (next === undefined || (next[0] ?? 0) - (before[0] ?? 0) >= MAX_GAP_MS) {
    return passed <= HOLD_MS ? parts(before, before, 0) : null;
  }
  return parts(before, next, passed / ((next[0] ?? 0) - (before[0] ?? 0)));
}

/** The boxes to draw at this time. */
export function boxesAt(tracks: VideoTrackAnswer[], colours: Map<string, number>, ms: number): ShownBox[] {
  const shown: ShownBox[] = [];
  for (const track of tracks) {
    if (track.t_start > ms || track.t_end + HOLD_MS < ms) continue;
    const box = boxAt(track, ms);
    if (box === null) continue;
    const [x, y, width, height] = box;
    shown.push({ key: track.track_id, label: track.label, colour: colours.get(track.label) ?? 0, x, y, width, height });
  }
  return shown;
}

function parts(from: number[], to: number[], share: number): [number, number, number, number] {
  const at = (index: number) => (from[index] ?? 0) + share * ((to[index] ?? 0) - (from[index] ?? 0));
  return [at(1), at(2), at(3), at(4)];
}

/** The part of all looks that has to agree on a name. */
const MIN_LABEL_SHARE = 0.6;

/** Whether the looks at an object do not agree on what it is: then it is called unknown rather than by a false name. */
export const isUncertain = ({ label_share }: Pick<VideoTrackAnswer, "label_share">): boolean =>
  label_share < MIN_LABEL_SHARE;
