// What the user can do with a video, as the server says it.

import { get } from "../../api/client";
import type { VideoActionsAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";

const RUNNING = ["queued", "processing"];
const REFRESH_MS = 1500;

export function isAnalyzing(actions: VideoActionsAnswer | undefined): boolean {
  return RUNNING.includes(actions?.latest_analysis?.status ?? "");
}

export function isDetecting(actions: VideoActionsAnswer | undefined): boolean {
  return RUNNING.includes(actions?.latest_detection?.status ?? "");
}

export function isTranscribing(actions: VideoActionsAnswer | undefined): boolean {
  return RUNNING.includes(actions?.latest_transcription?.status ?? "");
}

/** The newest transcription, if it has ended well. */
export function doneTranscription(actions: VideoActionsAnswer | undefined): string | null {
  const latest = actions?.latest_transcription ?? null;
  return latest?.status === "done" ? latest.job_id : null;
}

/** The newest search for people and objects, if it has ended well. */
export function doneDetection(actions: VideoActionsAnswer | undefined): string | null {
  const latest = actions?.latest_detection ?? null;
  return latest?.status === "done" ? latest.job_id : null;
}

/** The newest analysis, if it has ended well. */
export function doneAnalysis(actions: VideoActionsAnswer | undefined): string | null {
  const latest = actions?.latest_analysis ?? null;
  return latest?.status === "done" ? latest.job_id : null;
}

/** Loaded anew when the video's status changes, and again and again with `isFollowed`. */
export function useActions(videoId: string, status: string, isFollowed: boolean): Data<VideoActionsAnswer> {
  return useData(
    `actions ${videoId} ${status}`,
    (signal) => get<VideoActionsAnswer>(`/videos/${videoId}/actions`, { signal }),
    { every: isFollowed ? REFRESH_MS : null },
  );
}
