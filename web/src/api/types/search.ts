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
  scope: "line" | "block" | "moment";
  lines: Array<HitLineAnswer>;
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

export interface SearchAnswer {
  page: number;
  page_size: number;
  total: number;
  query: string;
  hits: Array<HitAnswer>;
}
