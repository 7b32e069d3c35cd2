// Response and request types used by the page, generated from the OpenAPI description: make api-types.

export interface NewShareBody {
  video_id: string;
  clip_id?: string | null;
  start_ms?: number | null;
  end_ms?: number | null;
  exact?: boolean;
  title?: string | null;
  expires_in_hours?: number;
  with_text?: boolean;
  embed_origins?: Array<string>;
}

export interface ShareAnswer {
  share_id: string;
  video_id: string;
  clip_id: string | null;
  what: "video" | "moment" | "clip";
  title: string;
  url: string | null;
  embed_html: string | null;
  start_ms: number | null;
  end_ms: number | null;
  with_text: boolean;
  embed_origins: Array<string>;
  is_active: boolean;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  views: number;
  last_viewed_at: string | null;
}

export interface SharesAnswer {
  shares: Array<ShareAnswer>;
  next_cursor: string | null;
}
