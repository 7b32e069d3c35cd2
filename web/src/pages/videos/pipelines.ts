// The steps of the videos that are in work, asked for every two seconds while there are any.

import { useEffect, useMemo } from "preact/hooks";
import { get } from "../../api/client";
import type { PipelinesAnswer, PipelineStepAnswer, VideoAnswer } from "../../api/types";
import { useData } from "../../app/data";

const MOST = 50;
const EVERY_MS = 2000;

export function usePipelines(videos: VideoAnswer[]): Map<string, PipelineStepAnswer[]> {
  const ids = videos.slice(0, MOST).map((one) => one.videoId);
  const isGoing = videos.some((one) => one.status !== "FAILED");
  const key = ids.length === 0 ? null : ids.join(",");
  const data = useData(
    key,
    (signal) => get<PipelinesAnswer>("/api/pipelines", { query: { video_ids: key ?? "" }, signal }),
    { every: isGoing ? EVERY_MS : null },
  );
  // A video that has just come to its end says how in its last step.
  const statuses = videos.map((one) => one.status).join(",");
  useEffect(() => data.reload(), [statuses, data.reload]);
  return useMemo(() => new Map(data.value?.pipelines.map((one) => [one.video_id, one.steps])), [data.value]);
}
