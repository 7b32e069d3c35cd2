// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface ActionAnswer {
  cannot: "not_owner" | "not_ready" | "running" | "no_analyzer" | "frames_removed" | "original_removed" | "nothing_failed" | "file_unreadable" | null;
}

export interface LatestAnalysisAnswer {
  job_id: string;
  status: string;
  progress: number;
  error: string | null;
}

export interface PipelineAnswer {
  video_id: string;
  steps: Array<PipelineStepAnswer>;
}

export interface PipelineStepAnswer {
  name: string;
  status: string;
  job_id: string | null;
  progress: number;
  message: string | null;
  attempts: number;
  next_attempt_at: string | null;
  error: string | null;
  can_retry: boolean;
}

export interface PipelinesAnswer {
  pipelines: Array<PipelineAnswer>;
}

export interface RemovalAnswer {
  part: string;
  at: string;
}

export interface VideoActionsAnswer {
  video_id: string;
  analyze: ActionAnswer;
  clip: ActionAnswer;
  download: ActionAnswer;
  retry: ActionAnswer;
  delete: ActionAnswer;
  latest_analysis: LatestAnalysisAnswer | null;
}

export interface VideoAnswer {
  videoId: string;
  name: string;
  status: string;
  indexStatus: string;
  errorReason: string | null;
  sizeBytes: number | null;
  durationMs: number | null;
  fps: number | null;
  width: number | null;
  height: number | null;
  createdAt: string;
  updatedAt: string;
  canChange: boolean;
  originalRemovedAt: string | null;
  framesRemovedAt: string | null;
  removals: Array<RemovalAnswer>;
}

export interface VideoMoveAnswer {
  status: string;
  at: string;
  reason: string | null;
}

export interface VideosAnswer {
  videos: Array<VideoAnswer>;
  nextCursor: string | null;
}

export interface WholeVideoAnswer {
  videoId: string;
  name: string;
  status: string;
  indexStatus: string;
  errorReason: string | null;
  sizeBytes: number | null;
  durationMs: number | null;
  fps: number | null;
  width: number | null;
  height: number | null;
  createdAt: string;
  updatedAt: string;
  canChange: boolean;
  originalRemovedAt: string | null;
  framesRemovedAt: string | null;
  removals: Array<RemovalAnswer>;
  history: Array<VideoMoveAnswer>;
}
