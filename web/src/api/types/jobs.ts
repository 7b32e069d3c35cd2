// Response and request types used by the page, generated from the OpenAPI description: make api-types.

import type { JobMoveAnswer } from "./videos";

export interface CountsAnswer {
  job_types: Array<TypeCountsAnswer>;
}

export interface JobsAnswer {
  next_cursor: string | null;
  jobs: Array<ListedJobAnswer>;
  next: string | null;
}

export interface ListedJobAnswer {
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
  video_name: string | null;
}

export interface RetryAnswer {
  dry_run: boolean;
  retried: number;
  by_type: Record<string, number>;
  ids: Array<string>;
  skipped: Array<SkippedAnswer>;
  not_found: Array<string>;
  has_more: boolean;
}

export interface SkippedAnswer {
  job_id: string;
  job_type: string;
  status: string;
  active_job_id: string | null;
  reason: string;
}

export interface TypeCountsAnswer {
  job_type: string;
  queued: number;
  processing: number;
  done: number;
  failed: number;
  oldest_age_s: number | null;
}

export interface WholeJobAnswer {
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
  video_name: string | null;
  payload: Record<string, unknown>;
  depends_on: string | null;
  locked_by: string | null;
  locked_until: string | null;
}
