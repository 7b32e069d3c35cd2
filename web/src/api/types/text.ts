// Response and request types used by the page, generated from the OpenAPI description: make api-types.

import type { BoxAnswer } from "./search";

export interface BlockAnswer {
  number: number;
  kind: "paragraph" | "list" | "cell" | "caption";
  line: number;
}

export interface SegmentAnswer {
  segment_id: string;
  text: string;
  normalized_text: string;
  t_start: number;
  t_end: number;
  confidence: number;
  bounding_box: BoxAnswer;
  language: string;
  frame_ms: number;
  kind: "text" | "speech";
  words: Array<WordAnswer> | null;
  unsure: boolean;
  block: BlockAnswer | null;
}

export interface SegmentsAnswer {
  page: number;
  page_size: number;
  total: number;
  segments: Array<SegmentAnswer>;
}

export interface WordAnswer {
  text: string;
  t_start: number;
  t_end: number;
  probability: number;
}
