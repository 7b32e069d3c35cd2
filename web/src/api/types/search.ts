// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface BoxAnswer {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FacetAnswer {
  value: string;
  label: string;
  count: number;
}

export interface FacetsAnswer {
  kind: Array<FacetAnswer>;
  language: Array<FacetAnswer>;
  video: Array<FacetAnswer>;
  tag: Array<FacetAnswer>;
  month: Array<FacetAnswer>;
}

export interface HitAnswer {
  video_id: string;
  video_name: string;
  segment_id: string;
  text: string;
  highlights: Array<MarkAnswer>;
  match: string;
  may_be_misread: boolean;
  scope: "line" | "block" | "moment";
  lines: Array<HitLineAnswer>;
  matched: "words" | "meaning";
  similarity: number | null;
  t_start: number;
  t_end: number;
  confidence: number;
  unsure: boolean;
  bounding_box: BoxAnswer;
  language: string;
  frame_ms: number;
  kind: "text" | "speech";
  thumbnail_url: string;
  play_url: string;
  stream_url: string;
}

export interface HitLineAnswer {
  segment_id: string;
  text: string;
  highlights: Array<MarkAnswer>;
  bounding_box: BoxAnswer;
}

export interface MarkAnswer {
  start: number;
  end: number;
}

export interface MeaningAnswer {
  installed: boolean;
  how_to_install: string | null;
  problem: string | null;
  model: string;
  purpose: string | null;
  licence: string | null;
  languages: Array<string>;
  cannot_tell: Array<string>;
}

export interface NamedHitAnswer {
  kind: "text" | "speech" | "video" | "technique" | "camera";
  name: string;
  highlights: Array<MarkAnswer>;
  video_id: string | null;
  video_name: string | null;
  camera_id: string | null;
  t_start: number | null;
  times: number | null;
  excerpt: string | null;
  tags: Array<string>;
  created_at: string | null;
  thumbnail_url: string | null;
  page_url: string;
}

export interface SavedSearchAnswer {
  search_id: string;
  name: string;
  q: string;
  has_alerts: boolean;
  alerts: Array<SearchAlertAnswer>;
  created_at: string;
  updated_at: string;
}

export interface SavedSearchesAnswer {
  searches: Array<SavedSearchAnswer>;
  limit: number;
}

export interface SearchAlertAnswer {
  video_id: string;
  video_name: string;
  hits: number;
  at: string;
}

export interface SearchAnswer {
  page: number;
  page_size: number;
  total: number;
  query: string;
  hits: Array<HitAnswer>;
  named: Array<NamedHitAnswer>;
  groups: Array<VideoGroupAnswer> | null;
  total_videos: number | null;
  facets: FacetsAnswer | null;
  meaning_used: boolean;
  meaning_total: number;
  similar: Array<HitAnswer>;
  is_partial: boolean;
}

export interface SuggestionAnswer {
  kind: "operator" | "word" | "video" | "tag" | "kind";
  text: string;
  q: string;
  videos: number | null;
}

export interface SuggestionsAnswer {
  suggestions: Array<SuggestionAnswer>;
}

export interface VideoGroupAnswer {
  video_id: string;
  video_name: string;
  created_at: string;
  tags: Array<string>;
  total: number;
  hits: Array<HitAnswer>;
}
