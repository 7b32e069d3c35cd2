// Chapters of a video: its slides, from the overview of frames and the text on them.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../../api/client";
import type { FrameAnswer, FramesAnswer, SegmentAnswer } from "../../../api/types";
import { titleOf } from "../../../ui/text_title";
import { plain, visibleAt } from "../segments";

const MAX_TITLE = 80;
const MIN_LENGTH_MS = 2000;
/** A first chapter that starts this soon starts with the video. */
const BEGINNING_MS = 1500;
const MAX_FRAMES = 300;

export interface Chapter {
  startMs: number;
  title: string;
}

type Slide = Pick<FrameAnswer, "timestamp_ms">;

/** One chapter per slide. Frames without text are none, and a title that stays is one chapter. One alone is none. */
export function chaptersOf(frames: Slide[], segments: SegmentAnswer[]): Chapter[] {
  const found: Chapter[] = [];
  for (const { timestamp_ms } of [...frames].sort((a, b) => a.timestamp_ms - b.timestamp_ms)) {
    const title = titleOf(visibleAt(segments, timestamp_ms));
    if (title === null) continue;
    const last = found.at(-1);
    if (last !== undefined && plain(last.title) === plain(shortened(title.text))) continue;
    const begins = title.t_start > (last?.startMs ?? -1) ? title.t_start : timestamp_ms;
    const startMs = last === undefined && begins < BEGINNING_MS ? 0 : begins;
    if (last !== undefined && startMs - last.startMs < MIN_LENGTH_MS) continue;
    found.push({ startMs, title: shortened(title.text) });
  }
  return found.length < 2 ? [] : found;
}

/** The place of the chapter of a time; -1 before the first. */
export function chapterAt(chapters: Chapter[], ms: number): number {
  return chapters.findLastIndex((item) => item.startMs <= ms);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}

/** None until the text is there, and none where the frames were removed. */
export function useChapters(videoId: string, hasFrames: boolean, segments: SegmentAnswer[]): Chapter[] {
  const [frames, setFrames] = useState<FrameAnswer[]>([]);
  const hasText = hasFrames && segments.some((item) => item.kind === "text");
  useEffect(() => {
    if (!hasText) return;
    const abort = new AbortController();
    get<FramesAnswer>(`/videos/${videoId}/frames`, { query: { limit: MAX_FRAMES }, signal: abort.signal }).then(
      // A video of an earlier version has no overview: all its frames would make too many chapters.
      (answer) => setFrames(answer.total <= MAX_FRAMES ? answer.frames : []),
      () => undefined, // The video plays without chapters.
    );
    return () => abort.abort();
  }, [videoId, hasText]);
  const [chapters, setChapters] = useState<Chapter[]>([]);
  useEffect(() => setChapters(chaptersOf(frames, segments)), [frames, segments]);
  return chapters;
}
