// Response and request types used by the page, generated from the OpenAPI description: make api-types.

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
}

export interface PipelinesAnswer {
  pipelines: Array<PipelineAnswer>;
}

export interface RemovalAnswer {
  part: string;
  at: string;
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
  originalRemovedAt: string | null;
  framesRemovedAt: string | null;
  removals: Array<RemovalAnswer>;
  history: Array<VideoMoveAnswer>;
}
