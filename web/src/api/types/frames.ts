// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface FrameAnswer {
  timestamp_ms: number;
  path: string;
  url: string;
  size_bytes: number;
}

export interface FramesAnswer {
  frames: Array<FrameAnswer>;
  total: number;
  sampled: number;
  next_after_ms: number | null;
}
