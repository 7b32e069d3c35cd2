// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface ActionAnswer {
  cannot: "not_owner" | "not_ready" | "running" | "no_analyzer" | "not_installed" | "frames_removed" | "original_removed" | "nothing_failed" | "file_unreadable" | "turned_off" | null;
}

export interface JobAnswer {
  job_id: string;
  status: string;
  progress: number;
  message: string | null;
  result_s3_uri: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
  job_type: string;
  video_id: string | null;
  retry_count: number;
  priority: number;
  started_at: string | null;
  finished_at: string | null;
  run_after: string | null;
  error_details: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
  history: Array<JobMoveAnswer>;
}

export interface JobMoveAnswer {
  status: string;
  at: string;
  by: string | null;
  note: string | null;
}

export interface LatestAnalysisAnswer {
  job_id: string;
  status: string;
  progress: number;
  error: string | null;
  analyzer: string | null;
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

export interface SpriteSheetAnswer {
  intervalMs: number;
  tiles: number;
  columns: number;
  tileWidth: number;
  tileHeight: number;
  version: string;
}

export interface VideoActionsAnswer {
  video_id: string;
  analyze: ActionAnswer;
  detect: ActionAnswer;
  transcribe: ActionAnswer;
  clip: ActionAnswer;
  download: ActionAnswer;
  retry: ActionAnswer;
  delete: ActionAnswer;
  share: ActionAnswer;
  latest_analysis: LatestAnalysisAnswer | null;
  has_analysis: boolean;
  latest_detection: LatestAnalysisAnswer | null;
  latest_transcription: LatestAnalysisAnswer | null;
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
  mediaNote: string | null;
  description: string | null;
  tags: Array<string>;
  createdAt: string;
  updatedAt: string;
  canChange: boolean;
  teamId: string | null;
  isOfTeam: boolean;
  originalRemovedAt: string | null;
  framesRemovedAt: string | null;
  hasPoster: boolean;
  spriteSheet: SpriteSheetAnswer | null;
  removals: Array<RemovalAnswer>;
}

export interface VideoMoveAnswer {
  status: string;
  at: string;
  reason: string | null;
}

export interface VideoTrackAnswer {
  track_id: string;
  label: string;
  label_share: number;
  score: number;
  t_start: number;
  t_end: number;
  best_ms: number;
  boxes: Array<Array<number>>;
  direction: string | null;
  behaviours: Array<Record<string, unknown>>;
  thumbnail_url: string | null;
}

export interface VideoTracksAnswer {
  tracks: Array<VideoTrackAnswer>;
  next_cursor: string | null;
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
  mediaNote: string | null;
  description: string | null;
  tags: Array<string>;
  createdAt: string;
  updatedAt: string;
  canChange: boolean;
  teamId: string | null;
  isOfTeam: boolean;
  originalRemovedAt: string | null;
  framesRemovedAt: string | null;
  hasPoster: boolean;
  spriteSheet: SpriteSheetAnswer | null;
  removals: Array<RemovalAnswer>;
  history: Array<VideoMoveAnswer>;
}
