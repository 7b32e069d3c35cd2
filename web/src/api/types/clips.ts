// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface ClipAnswer {
  name: string | null;
  captions: "none" | "soft" | "burned";
  caption_kind: "text" | "speech" | "both";
  clip_id: string;
  video_id: string;
  status: string;
  t_start: number;
  t_end: number;
  padding_ms: number;
  start_ms: number | null;
  end_ms: number | null;
  s3_path: string | null;
  size_bytes: number | null;
  url: string | null;
  download_url: string | null;
  error_reason: string | null;
  parts: number;
  created_at: string;
  expires_at: string | null;
}

export interface ClipsAnswer {
  clips: Array<ClipAnswer>;
  next_cursor: string | null;
}
