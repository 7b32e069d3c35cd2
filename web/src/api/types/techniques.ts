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

export interface AnalysisReportAnswer {
  job_id: string;
  analyzer: string;
  summary: string;
  found: number;
  left_out: number;
  silences: Array<SilentPartsAnswer>;
}

export interface AthleteSummaryAnswer {
  role: string;
  ms: number;
  categories: Array<CategorySummaryAnswer>;
  techniques: Array<TechniqueCountAnswer>;
}

export type Category = "STANDUP_GAME" | "GUARD_PLAY" | "GUARD_PASSING" | "POSITIONAL_DOMINANCE" | "SUBMISSION_OFFENSE" | "DEFENSE_ESCAPES";

export interface CategorySummaryAnswer {
  category: Category;
  ms: number;
  tried: number;
  finished: number;
}

export interface EstimateAnswer {
  calls: number;
  pictures: number;
  prompt_tokens: number;
  max_completion_tokens: number;
  max_cost: number | null;
}

export interface FoundAnswer {
  t_start: number;
  t_end: number;
  category: Category;
  name: string;
  role: string;
  confidence: number;
}

export interface ImportedMarksAnswer {
  added: number;
  changed: number;
  unchanged: number;
}

export type MarkState = "candidate" | "accepted" | "rejected";

export interface MatchSummaryAnswer {
  video_id: string;
  of: "accepted" | "analysis" | "nothing";
  athletes: Array<AthleteSummaryAnswer>;
}

export interface NewMarkBody {
  t_start: number;
  t_end: number;
  category: Category;
  name: string;
  role: string;
  confidence?: number;
  note?: string;
  finished?: boolean | null;
  state?: MarkState;
}

export interface PublicationAnswer {
  job_id: string;
  revision: number;
  total_event_count: number;
  published_at: string;
  published_by: string;
}

export interface PublishingAnswer {
  job_id: string;
  total_event_count: number;
}

export interface SilentPartsAnswer {
  reason: string;
  ms: number;
  parts: number;
  start_ms: number;
}

export interface TechniqueCountAnswer {
  name: string;
  category: Category;
  tried: number;
  finished: number;
}

export interface TechniqueMarkAnswer {
  t_start: number;
  t_end: number;
  category: Category;
  name: string;
  role: string;
  confidence: number;
  id: string;
  version: number;
  state: MarkState;
  finished: boolean | null;
  note: string;
  analyzer: string | null;
  job_id: string | null;
  is_edited: boolean;
  original: FoundAnswer | null;
  changed_by: string | null;
  changed_at: string;
}

export interface TechniqueMarksAnswer {
  video_id: string;
  revision: number;
  can_change: boolean;
  published: PublicationAnswer | null;
  marks: Array<TechniqueMarkAnswer>;
}

export interface TechniqueNameAnswer {
  name: string;
  category: Category;
  name_pt: string;
  also: Array<string>;
  is_own: boolean;
}

export interface TechniqueNamesAnswer {
  names: Array<TechniqueNameAnswer>;
}

export interface VideoAnalyzerAnswer {
  name: string;
  about: string;
  is_default: boolean;
  cannot: "not_owner" | "not_ready" | "running" | "no_annotations" | "no_model" | "not_installed" | "frames_removed" | "original_removed" | null;
  server: string | null;
  estimate: EstimateAnswer | null;
}

export interface VideoAnalyzersAnswer {
  video_id: string;
  analyzers: Array<VideoAnalyzerAnswer>;
}
