// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface AnalysisAnswer {
  video_id: string;
  job_id: string | null;
  total_event_count: number;
  received_count: number;
  completion_received: boolean;
  result_s3_uri: string | null;
  finalized: boolean;
  created_at: string;
  updated_at: string;
  finalized_at: string | null;
  totals_disagree: boolean;
  stray_events: number;
  summary: Record<string, unknown> | null;
}

export interface TechniqueAnswer {
  id: string;
  event_index: number;
  start_time: string;
  end_time: string;
  t_start: number;
  t_end: number;
  category: string;
  skill_name: string;
  role: string;
  confidence: number;
}

export interface TechniquesAnswer {
  next_cursor: string | null;
  video_id: string;
  job_id: string | null;
  finalized: boolean;
  techniques: Array<TechniqueAnswer>;
  next: string | null;
}
