// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface BoxAnswer {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface HitAnswer {
  video_id: string;
  video_name: string;
  segment_id: string;
  text: string;
  highlights: Array<MarkAnswer>;
  match: string;
  matched: "words" | "meaning";
  similarity: number | null;
  t_start: number;
  t_end: number;
  confidence: number;
  bounding_box: BoxAnswer;
  language: string;
  frame_ms: number;
  kind: "text" | "speech";
  thumbnail_url: string;
  play_url: string;
  stream_url: string;
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

export interface SearchAnswer {
  page: number;
  page_size: number;
  total: number;
  query: string;
  meaning_used: boolean;
  meaning_total: number;
  hits: Array<HitAnswer>;
}
