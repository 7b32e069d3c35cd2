// Pipeline steps of the videos being processed, refreshed every two seconds.

import { useEffect, useMemo } from "preact/hooks";
import { get } from "../../api/client";
import type { PipelineStepAnswer, PipelinesAnswer, VideoAnswer } from "../../api/types";
import { useData } from "../../api/use_data";

const MAX_VIDEOS = 50;
const REFRESH_MS = 2000;

export function usePipelines(videos: VideoAnswer[]): Map<string, PipelineStepAnswer[]> {
  const ids = videos.slice(0, MAX_VIDEOS).map((item) => item.videoId);
  const isGoing = videos.some((item) => item.status !== "FAILED");
  const key = ids.length === 0 ? null : ids.join(",");
  const data = useData(
    key,
    (signal) => get<PipelinesAnswer>("/api/pipelines", { query: { video_ids: key ?? "" }, signal }),
    { every: isGoing ? REFRESH_MS : null },
  );
  // Reloads when a status changes, because the last step then has its final state.
  const statuses = videos.map((item) => item.status).join(",");
  useEffect(() => data.reload(), [statuses, data.reload]);
  return useMemo(() => new Map(data.value?.pipelines.map((item) => [item.video_id, item.steps])), [data.value]);
}
